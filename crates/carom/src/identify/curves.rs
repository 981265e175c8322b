//! The four measures of the dimensionless impact as functions of ε.

use super::measured::Measure;
use crate::error::{Error, Result};
use crate::exact::{self, Exponents};
use crate::law::Exit;
use crate::message::Action;

/// Lowest restitution for which a damping is searched; an experiment cannot distinguish a weaker rebound from none.
pub const MIN_RESTITUTION: f64 = 1e-3;

/// Computes the logarithms of e, Δτ, f and x, in the order of [`Measure`].
pub fn logarithms(exponents: Exponents, exit: Exit, epsilon: f64) -> Result<[f64; 4]> {
    match exact::outcome(exponents, exit, epsilon)? {
        Some(o) => Ok([o.restitution, o.duration, o.force_max, o.indentation_max].map(f64::ln)),
        None => Err(Error::numerical(
            "the identification",
            format!("with epsilon = {epsilon} the bodies never separate"),
            sentence!("use {}, or other exponents", Action::set("exit", "force")),
        )),
    }
}

/// Computes the largest ε that is searched, which delivers [`MIN_RESTITUTION`].
pub fn max_epsilon(exponents: Exponents, exit: Exit) -> Result<f64> {
    exact::epsilon(exponents, exit, MIN_RESTITUTION)
}

/// Returns the name of the product or quotient of two measures in which L cancels, and the sign of its logarithm in
/// k₂·ln a₁ − k₁·ln a₂, where k is the power of L in a measure.
pub fn invariant_group(first: Measure, second: Measure) -> (&'static str, f64) {
    use Measure::{Duration, Force, Indentation};
    match (first, second) {
        (Duration, Force) => ("duration*force/(mass*speed)", -1.0),
        (Force, Duration) => ("duration*force/(mass*speed)", 1.0),
        (Force, Indentation) => ("force*indentation/(mass*speed^2)", 1.0),
        (Indentation, Force) => ("force*indentation/(mass*speed^2)", -1.0),
        (Indentation, Duration) => ("duration*speed/indentation", -1.0),
        _ => ("duration*speed/indentation", 1.0),
    }
}

/// Computes ∂ln/∂ln ε of the four measures by differences of order four. The step is compared with a quarter of it
/// and shortened if the two disagree (close to creeping, or next to a kink of the largest force).
pub fn slopes(epsilon: f64, at: impl Fn(f64) -> Result<[f64; 4]>) -> Result<[f64; 4]> {
    let difference = |h: f64| -> Result<[f64; 4]> {
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|k: f64| at(epsilon * (k * h).exp()));
        let (a, b, c, d) = (a?, b?, c?, d?);
        Ok(std::array::from_fn(|i| (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * h)))
    };
    let mut h = 8e-3;
    let mut coarse = difference(h);
    let mut best = (f64::INFINITY, coarse.clone());
    for _ in 0..5 {
        h *= 0.25;
        let fine = difference(h);
        let gap = match (&coarse, &fine) {
            (Ok(a), Ok(b)) => {
                a.iter().zip(b).map(|(a, b)| (a - b).abs() / (1e-3 + b.abs())).fold(0.0, f64::max)
            }
            _ => f64::MAX,
        };
        if gap < best.0 {
            best = (gap, fine.clone());
        }
        if gap < 1e-8 {
            break;
        }
        coarse = fine;
    }
    best.1
}
