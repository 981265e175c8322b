//! The dependence of restitution on speed, in the most detailed form that the data support.
//!
//! ln e is fitted by polynomials in ln v of degree 0, 1 and 2, weighted with the covariance of the measured values.
//! If the restitutions scatter more than their errors explain (every spot of a floor is different), a standard
//! deviation s of ln e is added to all of them, chosen so that χ² of the polynomial of highest degree equals its
//! degrees of freedom. A term is accepted if it lowers χ² by more than the 95 % point of its distribution: 3.84, or
//! the square of Student's t if s had to be estimated. A *constant* is thus replaced by a *power* of the speed if the
//! slope is significant, and the power by the *table* of measured values if the curvature is significant.
//!
//! Two mechanisms predict the power and leave one free parameter each; they are compared with the free power: fully
//! plastic contact with e ∝ v^(−1/4) (K. L. Johnson, Contact Mechanics, 1985, § 11.5), and viscoelastic spheres,
//! whose ε is proportional to v^(1/5) (G. Kuwabara and K. Kono, Jpn. J. Appl. Phys. 26 (1987) 1230–1233; e(ε) is
//! computed exactly, see [`exact`]).

use super::propagate::{LinearFit, chi_squared, linear_fit};
use crate::exact::{self, Exponents};
use crate::law::Exit;
use crate::numeric::student;
use serde::Serialize;

/// 95 % point of χ² with one degree of freedom.
pub const CHI_SQUARED_95: f64 = 3.8415;
/// Exponent of the speed in the restitution of fully plastic contact.
const PLASTIC_POWER: f64 = -0.25;

/// Restitution as a function of speed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Dependence {
    /// `constant`, `power` or `table`.
    pub form: &'static str,
    /// Parameters of the form.
    pub parameters: Parameters,
    /// Standard deviation of ln e from impact to impact beyond what the measurement errors explain.
    pub scatter: f64,
    /// Forms that were compared, the simplest first.
    pub candidates: Vec<DependenceCandidate>,
    /// Reason for the choice of this form, as a sentence.
    pub reason: String,
}

/// Parameters of a dependence, in SI units.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Parameters {
    /// The same restitution at every speed.
    Constant {
        /// Restitution e.
        restitution: f64,
        /// Standard error of the restitution.
        restitution_error: f64,
    },
    /// e = restitution·(v/speed)^exponent = coefficient·v^exponent.
    Power {
        /// Restitution at the reference speed.
        restitution: f64,
        /// Standard error of the restitution at the reference speed.
        restitution_error: f64,
        /// Reference speed (m/s): the geometric mean of the measured speeds.
        speed: f64,
        /// Exponent of the speed.
        exponent: f64,
        /// Standard error of the exponent.
        exponent_error: f64,
        /// Restitution at 1 m/s.
        coefficient: f64,
        /// Dimensionless damping ε at the reference speed, present if viscoelastic spheres (ε ∝ v^(1/5)) fit the
        /// impacts better than any power of the speed; the exponent is then the slope of ln e over ln v at the
        /// reference speed.
        #[serde(skip_serializing_if = "Option::is_none")]
        viscoelastic_epsilon: Option<f64>,
    },
    /// Restitution by interpolation in ln v between the measured speeds.
    Table {
        /// Speeds, increasing (m/s).
        speeds: Vec<f64>,
        /// Restitutions at these speeds.
        restitutions: Vec<f64>,
        /// Standard errors of the restitutions.
        restitution_errors: Vec<f64>,
    },
}

/// A form of dependence fitted to the data, with its quality.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DependenceCandidate {
    /// `constant`, `plastic`, `viscoelastic`, `power` or `curved`.
    pub form: &'static str,
    /// Number of fitted parameters.
    pub parameters: usize,
    /// Sum of squared residuals, weighted with the inverse of their covariance matrix.
    pub chi_squared: f64,
    /// Degrees of freedom.
    pub freedom: usize,
    /// Akaike's information criterion for known variances, χ² + 2·parameters.
    pub aic: f64,
    /// Akaike weight; the weights of all candidates sum to 1.
    pub weight: f64,
}

impl Dependence {
    /// Returns the restitution and its standard error at a speed (m/s).
    pub fn at(&self, v: f64) -> (f64, f64) {
        match &self.parameters {
            Parameters::Constant { restitution, restitution_error } => {
                (*restitution, *restitution_error)
            }
            Parameters::Power {
                restitution,
                restitution_error,
                speed,
                exponent,
                exponent_error,
                viscoelastic_epsilon,
                ..
            } => {
                let x = (v / speed).ln();
                let of_spheres =
                    viscoelastic_epsilon.and_then(|epsilon| predict_spheres(epsilon.ln(), x));
                let e =
                    of_spheres.map_or(restitution * (exponent * x).exp(), |(ln_e, _)| ln_e.exp());
                (e, e * (restitution_error / restitution).hypot(exponent_error * x))
            }
            Parameters::Table { speeds, restitutions, restitution_errors } => {
                let after = speeds.iter().position(|s| *s >= v).unwrap_or(speeds.len() - 1).max(1);
                let (Some(a), Some(b)) = (speeds.get(after - 1), speeds.get(after)) else {
                    return (restitutions[0], restitution_errors[0]);
                };
                let share = ((v / a).ln() / (b / a).ln()).clamp(0.0, 1.0);
                let mix = |of: &[f64]| (1.0 - share) * of[after - 1] + share * of[after];
                (mix(restitutions), mix(restitution_errors))
            }
        }
    }
}

/// Speeds and restitutions of the impacts with their covariance.
pub struct Measurements<'a> {
    /// Speeds (m/s), then as many restitutions.
    pub results: &'a [f64],
    /// Covariance matrix of `results`.
    pub covariance: &'a [Vec<f64>],
}

impl Measurements<'_> {
    fn count(&self) -> usize {
        self.results.len() / 2
    }

    /// Returns the covariance of ln e − p·ln v with the variance of the additional scatter on its diagonal.
    pub fn log_covariance(&self, p: f64, scatter: f64) -> Vec<Vec<f64>> {
        let n = self.count();
        let relative =
            |i: usize, j: usize| self.covariance[i][j] / (self.results[i] * self.results[j]);
        let element = |i: usize, j: usize| {
            let (v, e) = (|k: usize| k, |k: usize| n + k);
            let own = if i == j { scatter * scatter } else { 0.0 };
            relative(e(i), e(j)) - p * relative(v(i), e(j)) - p * relative(e(i), v(j))
                + p * p * relative(v(i), v(j))
                + own
        };
        (0..n).map(|i| (0..n).map(|j| element(i, j)).collect()).collect()
    }
}

/// Fits ln e by a polynomial of this degree in ln(v/reference).
fn fit_polynomial(
    data: &Measurements,
    x: &[f64],
    degree: usize,
    scatter: f64,
    slope: f64,
) -> LinearFit {
    let y: Vec<f64> = data.results[x.len()..].iter().map(|e| e.ln()).collect();
    let columns: Vec<Vec<f64>> =
        (0..=degree).map(|k| x.iter().map(|x| x.powi(k as i32)).collect()).collect();
    linear_fit(&columns, &y, &data.log_covariance(slope, scatter))
}

/// Chooses the form of the dependence that the data support.
pub fn choose_dependence(data: &Measurements) -> Dependence {
    let n = data.count();
    let logs: Vec<f64> = data.results[..n].iter().map(|v| v.ln()).collect();
    let mean = logs.iter().sum::<f64>() / n as f64;
    let x: Vec<f64> = logs.iter().map(|log| log - mean).collect();
    let speed = mean.exp();
    let mut different = x.clone();
    different.sort_by(f64::total_cmp);
    different.dedup_by(|a, b| (*a - *b).abs() < 0.02);
    // A polynomial of degree k needs k + 1 different speeds, and one impact more for a degree of freedom.
    let highest = (different.len() - 1).min(n.saturating_sub(2)).min(2);
    let slope = if different.len() > 1 {
        fit_polynomial(data, &x, 1, 0.0, 0.0).coefficients[1]
    } else {
        0.0
    };
    let freedom = n - 1 - highest;
    let (mut scatter, mut estimated) = added_scatter(data, &x, highest, slope, freedom);
    // If viscoelastic spheres fit the data without additional scatter, none is added, even if the polynomials would
    // need it.
    let unscattered = || coefficient_fit(data, &x, SPHERE_EXPONENTS, 0.0);
    if estimated && unscattered().is_some_and(|fit| fit.chi_squared <= chi_squared_95(n - 1)) {
        (scatter, estimated) = (0.0, false);
    }
    let threshold =
        if estimated { student::quantile(0.975, freedom as f64).powi(2) } else { CHI_SQUARED_95 };
    let fits: Vec<LinearFit> = (0..=highest.max(usize::from(different.len() > 1)))
        .map(|degree| fit_polynomial(data, &x, degree, scatter, slope))
        .collect();
    let mut candidates = vec![candidate("constant", 1, n, fits[0].chi_squared)];
    if different.len() > 1 {
        candidates.push(candidate("plastic", 1, n, fixed_slope(data, &x, PLASTIC_POWER, scatter)));
    }
    let spheres =
        coefficient_fit(data, &x, SPHERE_EXPONENTS, scatter).filter(|_| different.len() > 1);
    if let Some(spheres) = &spheres {
        candidates.push(candidate("viscoelastic", 1, n, spheres.chi_squared));
    }
    if let Some(fit) = fits.get(1) {
        candidates.push(candidate("power", 2, n, fit.chi_squared));
    }
    if let Some(fit) = fits.get(2) {
        candidates.push(candidate("curved", 3, n, fit.chi_squared));
    }
    let best = candidates.iter().map(|c| c.aic).fold(f64::INFINITY, f64::min);
    let sum: f64 = candidates.iter().map(|c| (-0.5 * (c.aic - best)).exp()).sum();
    candidates.iter_mut().for_each(|c| c.weight = (-0.5 * (c.aic - best)).exp() / sum);
    let gain = |low: usize, high: usize| match (fits.get(low), fits.get(high)) {
        (Some(a), Some(b)) => a.chi_squared - b.chi_squared,
        _ => 0.0,
    };
    let limit = CHI_SQUARED_95.max(threshold);
    let curved = gain(1, 2) > limit;
    let power = gain(0, 1) > limit;
    // The viscoelastic fit has two parameters fewer than the curved one: 5.99 is the 95 % point of χ² with two
    // degrees of freedom.
    let curved_spheres = spheres.filter(|spheres| {
        fits.get(2).is_some_and(|fit| {
            spheres.chi_squared - fit.chi_squared <= 5.9915 / CHI_SQUARED_95 * limit
        })
    });
    let (form, parameters) = match (power, curved, curved_spheres) {
        (_, true, Some(spheres)) => ("power", spheres.parameters(speed)),
        (_, true, None) => ("table", table_parameters(data)),
        (true, false, _) => ("power", power_parameters(&fits[1], speed)),
        (false, false, _) => {
            let restitution = fits[0].coefficients[0].exp();
            let restitution_error = restitution * fits[0].covariance[0][0].sqrt();
            ("constant", Parameters::Constant { restitution, restitution_error })
        }
    };
    let reason = reason_of_choice((form, curved), &fits, &candidates, limit, different.len());
    Dependence { form, parameters, scatter, candidates, reason }
}

fn candidate(form: &'static str, parameters: usize, n: usize, chi: f64) -> DependenceCandidate {
    let aic = chi + 2.0 * parameters as f64;
    let freedom = n.saturating_sub(parameters);
    DependenceCandidate { form, parameters, chi_squared: chi, freedom, aic, weight: 0.0 }
}

/// Returns the scatter for which χ² of the polynomial of highest degree equals its degrees of freedom, and whether
/// scatter is needed.
fn added_scatter(
    data: &Measurements,
    x: &[f64],
    degree: usize,
    slope: f64,
    freedom: usize,
) -> (f64, bool) {
    let chi = |scatter: f64| fit_polynomial(data, x, degree, scatter, slope).chi_squared;
    if freedom == 0 || chi(0.0) <= chi_squared_95(freedom) {
        return (0.0, false);
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if chi(middle) > freedom as f64 { low = middle } else { high = middle }
    }
    (high, true)
}

/// Returns the approximate 95 % point of χ² (E. B. Wilson & M. M. Hilferty, Proc. Natl. Acad. Sci. 17 (1931) 684).
fn chi_squared_95(freedom: usize) -> f64 {
    let k = 2.0 / (9.0 * freedom as f64);
    freedom as f64 * (1.0 - k + 1.645 * k.sqrt()).powi(3)
}

/// Returns χ² of a power law whose exponent is given.
fn fixed_slope(data: &Measurements, x: &[f64], slope: f64, scatter: f64) -> f64 {
    let y: Vec<f64> =
        data.results[x.len()..].iter().zip(x).map(|(e, x)| e.ln() - slope * x).collect();
    linear_fit(&[vec![1.0; x.len()]], &y, &data.log_covariance(slope, scatter)).chi_squared
}

/// Exponents (n, m, q) of the force law of viscoelastic spheres.
const SPHERE_EXPONENTS: Exponents = Exponents { n: 1.5, m: 0.5, q: 1.0 };

/// Returns ln e and ∂ln e/∂ln ε at x = ln(v/reference) for a law with these exponents and a constant damping
/// coefficient; `ln_epsilon` is ln ε at the reference speed.
fn predict_restitution(exponents: Exponents, ln_epsilon: f64, x: f64) -> Option<(f64, f64)> {
    let epsilon = (ln_epsilon + exponents.speed_power() * x).exp();
    let e = exact::restitution(exponents, Exit::ZeroForce, epsilon).ok()?;
    Some((e.ln(), exact::sensitivity(exponents, Exit::ZeroForce, epsilon).ok()?))
}

fn predict_spheres(ln_epsilon: f64, x: f64) -> Option<(f64, f64)> {
    predict_restitution(SPHERE_EXPONENTS, ln_epsilon, x)
}

/// Fit of a law with constant damping coefficient, ln ε = constant + p·x.
pub struct CoefficientFit {
    pub ln_epsilon: f64,
    /// Standard error of ln ε.
    pub error: f64,
    pub chi_squared: f64,
}

impl CoefficientFit {
    fn parameters(&self, speed: f64) -> Parameters {
        let (ln_e, sensitivity) =
            predict_spheres(self.ln_epsilon, 0.0).unwrap_or((f64::NAN, f64::NAN));
        let restitution = ln_e.exp();
        let exponent = SPHERE_EXPONENTS.speed_power() * sensitivity;
        Parameters::Power {
            restitution,
            restitution_error: restitution * (sensitivity * self.error).abs(),
            speed,
            exponent,
            // The slope is approximately proportional to ε, so its relative error is that of ε.
            exponent_error: (exponent * self.error).abs(),
            coefficient: predict_spheres(self.ln_epsilon, -speed.ln())
                .map_or(f64::NAN, |e| e.0.exp()),
            viscoelastic_epsilon: Some(self.ln_epsilon.exp()),
        }
    }
}

/// Fits the constant damping coefficient to the restitutions by the Gauss–Newton method; returns `None` if ε cannot be
/// found.
pub fn coefficient_fit(
    data: &Measurements,
    x: &[f64],
    exponents: Exponents,
    scatter: f64,
) -> Option<CoefficientFit> {
    let n = x.len();
    let power = exponents.speed_power();
    let ln_epsilon = |e: f64| exact::epsilon(exponents, Exit::ZeroForce, e).ok().map(f64::ln);
    let all: Option<Vec<f64>> =
        data.results[n..].iter().map(|&e| ln_epsilon(e.min(1.0 - 1e-9))).collect();
    let mut constant = all?.iter().zip(x).map(|(y, x)| y - power * x).sum::<f64>() / n as f64;
    let covariance = data.log_covariance(0.0, scatter);
    let mut fit = CoefficientFit { ln_epsilon: constant, error: 0.0, chi_squared: f64::INFINITY };
    for _ in 0..6 {
        let model: Option<Vec<(f64, f64)>> =
            x.iter().map(|x| predict_restitution(exponents, constant, *x)).collect();
        let model = model?;
        let slopes: Vec<f64> = model.iter().map(|m| m.1).collect();
        let residuals: Vec<f64> =
            data.results[n..].iter().zip(&model).map(|(e, m)| e.ln() - m.0).collect();
        let step = linear_fit(&[slopes], &residuals, &covariance);
        let chi_squared = chi_squared(&covariance, &residuals);
        if chi_squared < fit.chi_squared {
            let error = step.covariance[0][0].sqrt();
            fit = CoefficientFit { ln_epsilon: constant, error, chi_squared };
        }
        constant += step.coefficients[0].clamp(-1.0, 1.0);
    }
    Some(fit)
}

fn power_parameters(fit: &LinearFit, speed: f64) -> Parameters {
    let restitution = fit.coefficients[0].exp();
    let exponent = fit.coefficients[1];
    Parameters::Power {
        restitution,
        restitution_error: restitution * fit.covariance[0][0].sqrt(),
        speed,
        exponent,
        exponent_error: fit.covariance[1][1].sqrt(),
        coefficient: restitution * speed.powf(-exponent),
        viscoelastic_epsilon: None,
    }
}

/// Returns the impacts in the order of their speeds; impacts within 2 % of one speed are averaged.
fn table_parameters(data: &Measurements) -> Parameters {
    let n = data.count();
    let mut rows: Vec<(f64, f64, f64)> = (0..n)
        .map(|i| (data.results[i], data.results[n + i], data.covariance[n + i][n + i].sqrt()))
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut speeds, mut restitutions, mut restitution_errors) = (vec![], vec![], vec![]);
    let mut rest = &rows[..];
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|row| row.0 < 1.02 * first.0).count().max(1);
        let (same, after) = rest.split_at(count);
        let mean =
            |of: fn(&(f64, f64, f64)) -> f64| same.iter().map(of).sum::<f64>() / count as f64;
        speeds.push(mean(|row| row.0));
        restitutions.push(mean(|row| row.1));
        restitution_errors.push(mean(|row| row.2 * row.2).sqrt() / (count as f64).sqrt());
        rest = after;
    }
    Parameters::Table { speeds, restitutions, restitution_errors }
}

fn reason_of_choice(
    (form, curved): (&str, bool),
    fits: &[LinearFit],
    candidates: &[DependenceCandidate],
    limit: f64,
    speeds: usize,
) -> String {
    let chi = |form: &str| candidates.iter().find(|c| c.form == form).map(|c| c.chi_squared);
    let slope = fits.get(1).map(|fit| (fit.coefficients[1], fit.covariance[1][1].sqrt()));
    // The error is shown with two significant digits.
    let d = slope.map_or(3, |(_, error)| (1.0 - error.log10().floor()).clamp(2.0, 6.0) as usize);
    match (form, slope) {
        ("constant", None) => match speeds {
            0 | 1 => "one speed does not show how restitution changes with it; drop from other heights".to_string(),
            _ => "too few impacts for more than a mean".to_string(),
        },
        ("constant", Some((slope, error))) => format!(
            "no change with speed is certain: e goes as v^({slope:.d$} ± {error:.d$})"
        ),
        ("power", _) if curved => {
            "that is viscoelastic loss: damping grows as v^(1/5), which no single power of the speed fits so well; the exponent is the slope at the reference speed".to_string()
        }
        ("power", Some((slope, error))) => {
            let free = chi("power").unwrap_or(0.0);
            let fits = |form: &str| chi(form).is_some_and(|chi| chi - free <= limit);
            let cause = match (fits("plastic"), fits("viscoelastic")) {
                (true, true) => "plastic contact (-1/4) and viscoelastic loss both fit; a wider range of speeds would decide",
                (true, false) => "that is fully plastic contact (-1/4)",
                (false, true) => "that is viscoelastic loss (damping that grows as v^(1/5))",
                (false, false) => "neither plastic contact (-1/4) nor viscoelastic loss fits",
            };
            format!("e goes as v^({slope:.d$} ± {error:.d$}); {cause}")
        }
        _ => "neither a constant nor a power of the speed fits: the curvature of ln e over ln v is certain".to_string(),
    }
}
