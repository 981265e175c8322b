//! Fit of the damping exponents to restitutions at several speeds.
//!
//! If the damping coefficient c is a constant of the bodies, ε = c·L^(m+1)·v₀^(q−2)/mₑ is proportional to v₀^p with p
//! = q − 2(n−m)/(n+1) ([`Exponents::speed_power`]). Every pair of damping exponents therefore predicts that the
//! restitution decreases with speed (p > 0), increases (p < 0) or is constant (p = 0, velocity-free). Each measured
//! restitution has its exact ε. For given (m, q) the constant follows by least squares in ln ε with the slope p
//! fixed; if the slope is free, the fit gives the observed power with its standard error.
//!
//! The last candidate, `fitted`, is the m for which both agree (with the given q, or 1). As ε(e) depends weakly on m,
//! this m is found by a fixed-point iteration.

use crate::error::{self, Error, Result, check_positive, check_range};
use crate::exact::{self, Exponents};
use crate::law::{Exit, Power};
use crate::message::{Action, Message};
use crate::numeric::student;
use crate::report::NoteReport;
use serde::Serialize;

/// Restitutions at several speeds, with further known data.
#[derive(Clone, Debug, PartialEq)]
pub struct Speeds {
    /// Approach speeds (m/s) and the restitutions measured at them.
    pub observed: Vec<Observed>,
    /// Stiffness exponent n.
    pub exponent: f64,
    /// Exit of contact.
    pub exit: Exit,
    /// Exponents m and q of a candidate besides the usual ones, if requested.
    pub candidate: Option<(f64, f64)>,
    /// Effective mass (kg) and K (N/mⁿ), from which damping coefficients in SI units are computed.
    pub pair: Option<(f64, f64)>,
}

/// A restitution at a speed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Observed {
    /// Approach speed at onset (m/s).
    pub speed: f64,
    /// Restitution measured at this speed.
    pub restitution: f64,
}

/// A pair of damping exponents compared with the measured restitutions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Candidate {
    /// Name of the candidate.
    pub name: &'static str,
    /// Damping exponent m.
    pub damping_exponent: f64,
    /// Rate exponent q.
    pub rate_exponent: f64,
    /// Power p of ε ∝ v₀^p for a constant damping coefficient.
    pub speed_power: f64,
    /// Power of the speed that the measured restitutions have, evaluated with these exponents.
    pub observed_power: f64,
    /// Value of ε at the reference speed.
    pub epsilon: f64,
    /// Damping coefficient, if mass and stiffness are known.
    pub coefficient: Option<f64>,
    /// Root mean square of predicted minus measured restitution.
    pub restitution_rms: f64,
    /// Predicted restitutions at the measured speeds.
    pub restitution: Vec<f64>,
}

/// Power of the speed to which ε is proportional.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SpeedPower {
    /// Value of the power.
    pub value: f64,
    /// Standard error; absent with two speeds.
    pub standard_error: Option<f64>,
    /// Half the width of the 95 % confidence interval (Student's t); absent with two speeds.
    pub half_width_95: Option<f64>,
}

/// Result of the fit: the exponents that fit restitutions at several speeds.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SpeedFit {
    /// Stiffness exponent n.
    pub exponent: f64,
    /// Exit of contact.
    pub exit: Exit,
    /// Speed at which ε of the candidates is given: the geometric mean of the speeds (m/s).
    pub reference_speed: f64,
    /// Measured restitutions and their speeds.
    pub observed: Vec<Observed>,
    /// Observed power, evaluated with the exponents that fit best.
    pub speed_power: SpeedPower,
    /// Whether velocity-free damping (power 0) is within the 95 % interval; absent with two speeds.
    pub velocity_free: Option<bool>,
    /// Candidates, beginning with the best.
    pub candidates: Vec<Candidate>,
    /// Warnings and remarks.
    pub notes: Vec<NoteReport>,
}

/// Creates advice to give restitutions at several speeds, with an example after `introduction`.
pub(super) fn several_speeds(introduction: &str) -> Message {
    let speeds = Action::give_as("speeds", "0.1,0.5,1");
    sentence!("{}{} and {}", introduction, speeds, Action::give_as("restitutions", "0.9,0.8,0.7"))
}

/// Finds which damping exponents fit restitutions measured at several speeds.
///
/// ```
/// use carom::identify::{Observed, Speeds, fit_speeds};
/// let observed = [(0.1, 0.95), (0.5, 0.78), (1.0, 0.63), (2.0, 0.46)]
///     .map(|(speed, restitution)| Observed { speed, restitution })
///     .to_vec();
/// let exit = carom::Exit::ZeroForce;
/// let fit = fit_speeds(&Speeds { observed, exponent: 1.5, exit, candidate: None, pair: None })?;
/// assert_eq!(fit.velocity_free, Some(false));
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// If there are fewer than two different speeds, or a restitution is not between 0 and 1.
pub fn fit_speeds(speeds: &Speeds) -> Result<SpeedFit> {
    let n = speeds.exponent;
    let (x, reference_speed) = checked_log_speeds(speeds)?;
    let at = |name, m: f64, q: f64| SpeedLine::new(speeds, &x, name, Exponents::new(n, m, q)?);
    let mut fits = vec![
        at("velocity-free, as tsuji-1992", 0.5 * (n - 1.0), 1.0)?,
        at("viscoelastic, as kuwabara-kono-1987", n - 1.0, 1.0)?,
        at("hunt-crossley-1975", n, 1.0)?,
    ];
    // For a linear spring the viscous damper is the velocity-free one.
    if n > 1.0 {
        fits.push(at("viscous", 0.0, 1.0)?);
    }
    if let Some((m, q)) = speeds.candidate {
        fits.push(at("given", m, q)?);
    }
    let q = speeds.candidate.map_or(1.0, |(_, q)| q);
    let mut notes = Vec::new();
    match fit_exponent(&fits[0], n, q, |m| at("fitted", m, q))? {
        Some(fit) => fits.push(fit),
        None => notes.push(NoteReport::new(
            "no_fitted_exponent",
            sentence!(
                "with q = {q} no m between 0 and 5 makes a constant damping coefficient fit; try another {}, \
                 or the damping is no power law",
                Action::give("rate_exponent")
            ),
        )),
    }
    let mut best: Option<&SpeedLine> = None;
    for fit in &fits {
        if best.is_none_or(|best| fit.scatter(&x) < best.scatter(&x)) {
            best = Some(fit);
        }
    }
    // The fitted m predicts the power that is observed with it; if there is none, the candidate with the least
    // scatter is used.
    let reference = fits.iter().find(|fit| fit.name == "fitted").or(best);
    let speed_power = match reference {
        Some(fit) => fit.power(&x),
        None => SpeedPower { value: f64::NAN, standard_error: None, half_width_95: None },
    };
    let velocity_free =
        speed_power.half_width_95.map(|width| speed_power.value.abs() <= width.max(1e-9));
    if velocity_free.is_none() {
        let message = "two speeds give a power but not its uncertainty; measure at a third";
        notes.push(NoteReport::new("two_speeds", message));
    }
    let mut candidates = Vec::new();
    for fit in &fits {
        candidates.push(fit.candidate(speeds, &x, reference_speed)?);
    }
    candidates.sort_by(|a, b| a.restitution_rms.total_cmp(&b.restitution_rms));
    Ok(SpeedFit {
        exponent: n,
        exit: speeds.exit,
        reference_speed,
        observed: speeds.observed.clone(),
        speed_power,
        velocity_free,
        candidates,
        notes,
    })
}

/// Checks the numbers and returns the logarithms of the speeds divided by their geometric mean, and that mean.
fn checked_log_speeds(speeds: &Speeds) -> Result<(Vec<f64>, f64)> {
    for observed in &speeds.observed {
        check_positive(
            "speed",
            observed.speed,
            "give the approach speeds at touch in m/s, above 0",
        )?;
        let e = error::check_restitution(observed.restitution)?;
        if e == 1.0 {
            let advice = "an elastic impact contains no information about damping; leave it out";
            return Err(Error::invalid("restitution", e, "above 0 and below 1", advice));
        }
    }
    if let Some((mass, stiffness)) = speeds.pair {
        check_positive("mass", mass, "give the effective mass in kg, m1*m2/(m1+m2)")?;
        check_positive("stiffness", stiffness, "give K of F = K*delta^n in N/m^n")?;
    }
    check_range("exponent", speeds.exponent, 1.0, 5.0, "3/2 is Hertz's point contact")?;
    let logs: Vec<f64> = speeds.observed.iter().map(|observed| observed.speed.ln()).collect();
    let mean = mean(&logs);
    let x: Vec<f64> = logs.iter().map(|log| log - mean).collect();
    if x.len() < 2 || x.iter().all(|x| x.abs() < 1e-9) {
        let advice = several_speeds("give at least two with their restitutions, for example ");
        return Err(Error::invalid("speeds", x.len(), "two or more different speeds", advice));
    }
    Ok((x, mean.exp()))
}

/// Straight line of ln ε over ln v₀ for one pair of exponents.
struct SpeedLine {
    name: &'static str,
    exponents: Exponents,
    /// Values of ln ε of the measured restitutions.
    y: Vec<f64>,
    /// Observed power.
    slope: f64,
}

impl SpeedLine {
    fn new(speeds: &Speeds, x: &[f64], name: &'static str, exponents: Exponents) -> Result<Self> {
        let epsilon = |o: &Observed| exact::epsilon(exponents, speeds.exit, o.restitution);
        let y: Result<Vec<f64>> = speeds.observed.iter().map(|o| epsilon(o).map(f64::ln)).collect();
        let y = y?;
        let products: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
        let slope = products / sum_of_squares(x);
        Ok(Self { name, exponents, y, slope })
    }

    /// Computes the sum of the squared residuals about the line with the observed power.
    fn scatter(&self, x: &[f64]) -> f64 {
        let mean = mean(&self.y);
        self.y.iter().zip(x).map(|(y, x)| (y - mean - self.slope * x).powi(2)).sum()
    }

    /// Returns the observed power with its standard error and confidence interval.
    fn power(&self, x: &[f64]) -> SpeedPower {
        let free = x.len() - 2;
        let standard_error =
            (free > 0).then(|| (self.scatter(x) / free as f64 / sum_of_squares(x)).sqrt());
        let half_width_95 =
            standard_error.map(|error| student::quantile(0.975, free as f64) * error);
        SpeedPower { value: self.slope, standard_error, half_width_95 }
    }

    fn candidate(&self, speeds: &Speeds, x: &[f64], reference: f64) -> Result<Candidate> {
        let Exponents { n, m, q } = self.exponents;
        let p = self.exponents.speed_power();
        // As x has zero mean, the constant does not depend on the slope.
        let constant = mean(&self.y);
        let mut restitution = Vec::new();
        let mut sum = 0.0;
        for (x, observed) in x.iter().zip(&speeds.observed) {
            let epsilon = (constant + p * x).exp();
            let outcome = exact::outcome(self.exponents, speeds.exit, epsilon)?;
            // Bodies that never separate have a restitution of 0.
            let e = outcome.map_or(0.0, |outcome| outcome.restitution);
            sum += (e - observed.restitution).powi(2);
            restitution.push(e);
        }
        let epsilon = constant.exp();
        let coefficient = speeds.pair.map(|(mass, stiffness)| {
            let damper = crate::law::Damper::Ratio(epsilon);
            Power::new(stiffness, n, m, q, damper).coefficient(mass, reference)
        });
        Ok(Candidate {
            name: self.name,
            damping_exponent: m,
            rate_exponent: q,
            speed_power: p,
            observed_power: self.slope,
            epsilon,
            coefficient,
            restitution_rms: (sum / x.len() as f64).sqrt(),
            restitution,
        })
    }
}

/// Finds the m whose speed power is the observed one; `None` if it is not between 0 and 5.
fn fit_exponent(
    start: &SpeedLine,
    n: f64,
    q: f64,
    at: impl Fn(f64) -> Result<SpeedLine>,
) -> Result<Option<SpeedLine>> {
    let wanted = |slope: f64| n - 0.5 * (n + 1.0) * (q - slope);
    let mut m = wanted(start.slope);
    for _ in 0..100 {
        let fit = at(m.clamp(0.0, 5.0))?;
        let next = wanted(fit.slope);
        if (next - m).abs() < 1e-10 {
            return Ok((0.0..=5.0).contains(&next).then_some(fit));
        }
        m = next;
    }
    Ok(None)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn sum_of_squares(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}
