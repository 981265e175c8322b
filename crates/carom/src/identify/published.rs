//! The fits of Ramaswamy & Humbert: ε(e) of their Eq. 17 and Δτ(ε, n) of their Eq. 23.
//!
//! Eq. 17 is the model `ramaswamy-humbert-2023`; this module contains Eq. 23 with its ten constants. For 0 ≤ ε ≤ 10,
//! 1 ≤ n ≤ 5 its error is within 1.5 % of the exact Δτ (−0.83 % at ε = 0, n = 1; +1.48 % at n = 2), which corresponds
//! to up to 5 % in K. For ε > 10 it grows linearly, whereas Δτ → (n+1)^(1/(n+1))·ε^(n/(n+1)): the error is +68 % at ε
//! = 100, n = 1.

use super::measured::{Measure, Measured, Predicted};
use crate::error::{Error, Result};
use crate::exact::Exponents;
use crate::message::Action;
use crate::model::Damping;
use crate::models::model;
use crate::pair::Pair;
use crate::report::NoteReport;

/// Model from which ε(e) is taken.
const MODEL: &str = "ramaswamy-humbert-2023";

/// Computes Δτ of Eq. 23.
pub fn duration(epsilon: f64, n: f64) -> f64 {
    let [a, b, c, d, f] = [0.180, 0.880, 0.853, 1.018, 0.461];
    let [g, h, i, j, k] = [1.434, 0.864, 0.771, 0.023, 2.695];
    a * (-b * epsilon).exp() + (c - d * (-f * n).exp()) * epsilon + (g * n - h) * (-i * n).exp()
        - j * n
        + k
}

/// Computes ε of Eq. 17 from a measured restitution; requires a duration as the other number, m = n and q = 1.
pub fn epsilon(
    exponents: Exponents,
    measured: [Measured; 2],
    notes: &mut Vec<NoteReport>,
) -> Result<f64> {
    let Exponents { n, m, q } = exponents;
    let measured_as = |what| measured.iter().find(|measured| measured.what == what);
    let (Some(e), Some(_)) = (measured_as(Measure::Restitution), measured_as(Measure::Duration))
    else {
        let advice = sentence!(
            "it takes {} and {}; leave out {} for the exact answer",
            Action::give("restitution"),
            Action::give("duration"),
            Action::leave_out("published")
        );
        return Err(Error::unsupported("the published fit for these measured numbers", advice));
    };
    if m != n || q != 1.0 {
        return Err(Error::unsupported(
            format!("the published fit with n = {n}, m = {m}, q = {q}"),
            sentence!(
                "it has m = n and q = 1; leave out {} for the exact answer",
                Action::leave_out("published")
            ),
        ));
    }
    let epsilon = published_epsilon(n, e.value)?;
    if epsilon > 10.0 {
        let message = sentence!(
            "outside the validity of the fit: epsilon = {epsilon:.3} is above 10, where the duration is \
             overestimated; leave out {}",
            Action::leave_out("published")
        );
        notes.push(NoteReport::new("outside_validity", message));
    }
    Ok(epsilon)
}

/// Computes ε(e) of Eq. 17.
fn published_epsilon(n: f64, e: f64) -> Result<f64> {
    let law = model(MODEL)?.law(&Pair::new(1.0, 1.0, n)?, Damping::Restitution(e), None, &[])?;
    match law.power() {
        Some(power) => Ok(power.epsilon(1.0, 1.0)),
        None => Err(Error::unsupported(
            MODEL,
            sentence!("it is no power law; leave out {}", Action::leave_out("published")),
        )),
    }
}

/// Returns logarithms in the order of [`Measure`]: that of the duration, and NaN for the others, which the fits do
/// not cover.
pub fn logarithms(n: f64, epsilon: f64) -> [f64; 4] {
    [f64::NAN, duration(epsilon, n).ln(), f64::NAN, f64::NAN]
}

/// Computes ∂ln e/∂ln ε and ∂ln Δτ/∂ln ε of the fits.
pub fn slopes(n: f64, e: f64, epsilon: f64) -> Result<[f64; 4]> {
    const STEP: f64 = 1e-5;
    // At e = 1, where ε = 0, the slope slightly below is used.
    let e = e.min(1.0 - 2.0 * STEP);
    let low = published_epsilon(n, e * (-STEP).exp())?;
    let high = published_epsilon(n, e * STEP.exp())?;
    let [low_time, high_time] = [-STEP, STEP].map(|h| duration(epsilon * h.exp(), n).ln());
    let restitution = 2.0 * STEP / (high / low).ln();
    Ok([restitution, (high_time - low_time) / (2.0 * STEP), f64::NAN, f64::NAN])
}

/// Adds a note for every measured number from which the impact with the fitted numbers deviates by more than 0.05 %.
pub fn compare(measured: [Measured; 2], predicted: &Predicted, notes: &mut Vec<NoteReport>) {
    for m in measured {
        let error = 100.0 * (predicted.of(m.what) / m.value - 1.0);
        if error.abs() > 0.05 {
            let what = m.what.name();
            let message = sentence!(
                "with the published fit the {what} comes out {error:+.2} % from the measured one; leave out {} \
                 to meet it",
                Action::leave_out("published")
            );
            notes.push(NoteReport::new("published_missed", message));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::outcome;
    use crate::law::Exit;

    #[test]
    fn the_fit_is_as_far_from_the_exact_duration_as_recomputed() {
        let error = |epsilon: f64, n: f64| {
            let exponents = Exponents::new(n, n, 1.0).unwrap();
            let exact = outcome(exponents, Exit::ZeroForce, epsilon).unwrap().unwrap();
            100.0 * (duration(epsilon, n) / exact.duration - 1.0)
        };
        for (n, expected) in [(1.0, -0.83), (1.5, 0.85), (2.0, 1.48), (3.0, 0.90), (5.0, -0.79)] {
            assert!((error(0.0, n) - expected).abs() < 0.006, "{n}: {}", error(0.0, n));
        }
        assert!((error(0.0, 2.25) - 1.496).abs() < 6e-4);
        for (n, expected) in [(1.0, 68.0), (1.5, 62.0), (2.0, 52.0), (5.0, 23.0)] {
            assert!((error(100.0, n) - expected).abs() < 0.6, "{n}: {}", error(100.0, n));
        }
        let mut worst: f64 = 0.0;
        for i in 0..=20 {
            for j in 0..=16 {
                worst = worst.max(error(0.5 * i as f64, 1.0 + 0.25 * j as f64).abs());
            }
        }
        assert!(worst < 1.5, "{worst}");
    }
}
