//! Determines a law and its parameters from restitutions at several speeds, by [`identify`](mod@identify).

use super::dependence::{CHI_SQUARED_95, Dependence, Measurements, coefficient_fit};
use super::propagate::Uncertain;
use crate::error::Result;
use crate::exact::{self, Exponents};
use crate::identify::{
    self, Identification, Measure, Measured, Method, Observed, Setup, Speeds, fit_speeds,
};
use crate::law::Exit;
use serde::Serialize;

/// Law of the Hunt–Crossley type, K·δⁿ + c·δᵐ·|δ̇|^q, whose impacts have the measured restitutions.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DropLaw {
    /// Id of the law; `power` if the exponents were fitted.
    pub law: &'static str,
    /// Stiffness exponent n.
    pub exponent: f64,
    /// Damping exponent m.
    pub damping_exponent: f64,
    /// Rate exponent q.
    pub rate_exponent: f64,
    /// Speed at which restitution and ε are given (m/s).
    pub speed: f64,
    /// Restitution at this speed.
    pub restitution: f64,
    /// Standard error of the restitution.
    pub restitution_error: f64,
    /// Dimensionless damping ε at this speed.
    pub epsilon: f64,
    /// Standard error of ε.
    pub epsilon_error: f64,
    /// Exponent p of ε ∝ v^p under this law.
    pub speed_power: f64,
    /// All laws that were compared, the best first; empty if all impacts have one speed.
    pub candidates: Vec<DropLawCandidate>,
    /// Stiffness and damping coefficient, if mass and time of contact are known.
    pub identified: Option<Identification>,
    /// Limitation of the choice of the law, as a sentence.
    pub limit: String,
}

/// A law compared with the measured restitutions.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DropLawCandidate {
    /// Id of the law; `power` if the exponents are not those of a law of the catalogue.
    pub law: &'static str,
    /// Damping exponent m.
    pub damping_exponent: f64,
    /// Exponent p of ε ∝ v^p.
    pub speed_power: f64,
    /// Squared residuals of ln e over their variances.
    pub chi_squared: f64,
    /// Root mean square of predicted minus measured restitution.
    pub restitution_rms: f64,
}

/// Returns the law id of a candidate of [`fit_speeds`].
fn law_id(name: &str) -> &'static str {
    match name {
        name if name.ends_with("tsuji-1992") => "tsuji-1992",
        name if name.ends_with("kuwabara-kono-1987") => "kuwabara-kono-1987",
        "hunt-crossley-1975" => "hunt-crossley-1975",
        _ => "power",
    }
}

/// Returns the law that describes these impacts best; `None` if a restitution is not between 0 and 1.
pub fn find_law(
    data: &Measurements,
    dependence: &Dependence,
    exponent: f64,
    (mass, contact): (Option<Uncertain>, Option<Uncertain>),
) -> Result<Option<DropLaw>> {
    let n = data.results.len() / 2;
    let (speeds, restitutions) = data.results.split_at(n);
    if restitutions.iter().any(|&e| !(e > 0.0 && e < 1.0)) {
        return Ok(None);
    }
    let speed = (speeds.iter().map(|v| v.ln()).sum::<f64>() / n as f64).exp();
    let speed_error = (0..n).map(|i| data.covariance[i][i].sqrt()).fold(0.0, f64::max);
    let (restitution, restitution_error) = dependence.at(speed);
    let spread = speeds.iter().fold(0.0, |a: f64, v| a.max((v / speed).ln().abs()));
    let mut candidates = Vec::new();
    if spread > 0.01 {
        let observed = speeds.iter().zip(restitutions);
        let observed =
            observed.map(|(&speed, &restitution)| Observed { speed, restitution }).collect();
        let exit = Exit::ZeroForce;
        let fit = fit_speeds(&Speeds { observed, exponent, exit, candidate: None, pair: None })?;
        let x: Vec<f64> = speeds.iter().map(|v| (v / speed).ln()).collect();
        for one in &fit.candidates {
            let exponents = Exponents::new(exponent, one.damping_exponent, one.rate_exponent)?;
            let Some(own) = coefficient_fit(data, &x, exponents, dependence.scatter) else {
                continue;
            };
            candidates.push(DropLawCandidate {
                law: law_id(one.name),
                damping_exponent: one.damping_exponent,
                speed_power: one.speed_power,
                chi_squared: own.chi_squared,
                restitution_rms: one.restitution_rms,
            });
        }
        candidates.sort_by(|a, b| a.chi_squared.total_cmp(&b.chi_squared));
    }
    // Among the laws that the data cannot distinguish from the best one, a law of the catalogue is preferred to
    // fitted exponents, and the velocity-free law is preferred to all others if no dependence on speed is
    // significant.
    let least = candidates.first().map_or(0.0, |best| best.chi_squared);
    let close: Vec<&DropLawCandidate> =
        candidates.iter().filter(|c| c.chi_squared - least <= CHI_SQUARED_95).collect();
    let candidate_of = |law: &str| close.iter().copied().find(|c| c.law == law);
    let free = candidate_of("tsuji-1992").filter(|_| dependence.form == "constant");
    let named = close.iter().copied().find(|c| c.law != "power");
    let (law, m, limit) = match free.or(named).or(candidates.first()) {
        Some(best) => {
            let others: Vec<&str> = close
                .iter()
                .map(|c| c.law)
                .filter(|law| *law != best.law && *law != "power")
                .collect();
            let limit = match others.is_empty() {
                true => {
                    "the range of speeds decides between the laws; outside it the law is a guess"
                        .to_string()
                }
                false => format!(
                    "{} explains the restitutions as well; a wider range of speeds would decide",
                    others.join(" or ")
                ),
            };
            (best.law, best.damping_exponent, limit)
        }
        None => {
            let limit = "one speed fits every law; the choice is a convention";
            ("hunt-crossley-1975", exponent, limit.to_string())
        }
    };
    let exponents = Exponents::new(exponent, m, 1.0)?;
    let epsilon = exact::epsilon(exponents, Exit::ZeroForce, restitution)?;
    let sensitivity = exact::sensitivity(exponents, Exit::ZeroForce, epsilon)?;
    let identified = match (mass, contact) {
        (Some(mass), Some(contact)) if contact.value > 0.0 => {
            let setup = Setup::new(mass.value, speed, exponents, Exit::ZeroForce)?
                .with_errors(mass.error, speed_error)?;
            let e =
                Measured::new(Measure::Restitution, restitution)?.with_error(restitution_error)?;
            let t = Measured::new(Measure::Duration, contact.value)?.with_error(contact.error)?;
            Some(identify::identify(&setup, [e, t], Method::Exact)?)
        }
        _ => None,
    };
    Ok(Some(DropLaw {
        law,
        exponent,
        damping_exponent: m,
        rate_exponent: 1.0,
        speed,
        restitution,
        restitution_error,
        epsilon,
        epsilon_error: (epsilon / sensitivity * restitution_error / restitution).abs(),
        speed_power: exponents.speed_power(),
        candidates,
        identified,
        limit,
    }))
}
