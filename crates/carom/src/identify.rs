//! Identification of stiffness and damping from a few measured numbers, by the exact impact.
//!
//! An impact under F = K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇ is determined by the dimensionless impact, which depends on ε alone,
//! and one length L = (mₑv₀²/K)^(1/(n+1)) (see [`exact`]). Of the four quantities that are easily measured,
//!
//! | measured | is | depends on |
//! |---|---|---|
//! | restitution e | e(ε) | ε |
//! | duration T | Δτ(ε)·L/v₀ | ε, L |
//! | peak force F | f(ε)·mₑv₀²/L | ε, L |
//! | peak indentation δ | x(ε)·L | ε, L |
//!
//! any two determine ε and L, and hence K = mₑv₀²/Lⁿ⁺¹, c = ε·mₑ·v₀^(2−q)/L^(m+1) and the frequency ω = v₀/L =
//! [K·v₀^(n−1)/mₑ]^(1/(n+1)). If a restitution is given, it determines ε, and L follows. Otherwise L is eliminated:
//! T·F/(mₑv₀), F·δ/(mₑv₀²) and T·v₀/δ are functions of ε alone. They need not be monotonic, so that all dampings that
//! fit are found and reported, beginning with the weakest (`identify/roots.rs`).
//!
//! Restitution and duration are the measurements of D. A. Ramaswamy and J. S. Humbert (A continuous contact force
//! model for highly damped impacts of arbitrary material and geometry), who fit ε(e) and Δτ(ε, n) for m = n, q = 1.
//! Here both functions are exact and the exponents are free; their fit is [`Method::Published`].
//!
//! Every result has its sensitivities to the measured numbers, such as ∂ln K/∂ln T (`identify/sensitivity.rs`), and
//! the uncertainty that follows to first order from those of the measured numbers. Restitutions at several speeds
//! determine which exponents fit: [`fit_speeds`].
//!
//! ```
//! use carom::exact::Exponents;
//! use carom::identify::{Measure, Measured, Method, Setup, identify};
//! use carom::Exit;
//! let hunt_crossley = Exponents::new(1.5, 1.5, 1.0)?;
//! let setup = Setup::new(0.54, 0.5, hunt_crossley, Exit::ZeroForce)?;
//! let measured = [
//!     Measured::new(Measure::Restitution, 0.7568)?,
//!     Measured::new(Measure::Duration, 207e-6)?,
//! ];
//! let found = identify(&setup, measured, Method::Exact)?.solution;
//! assert!((found.pair.stiffness / 2.51166e10 - 1.0).abs() < 1e-4);
//! // A longer contact is a softer one: 1 % in T is −2.5 % in K.
//! let of_duration = found.sensitivity.of("duration").unwrap();
//! assert!((of_duration.stiffness + 2.5).abs() < 1e-9);
//! # Ok::<(), carom::Error>(())
//! ```

mod curves;
mod measured;
mod published;
mod result;
mod roots;
mod sensitivity;
mod spec;
mod speeds;

pub use measured::{Measure, Measured, Method, Predicted, Setup};
pub use result::{Identification, Solution};
pub use sensitivity::{Effect, Sensitivity};
pub use spec::Spec;
pub(crate) use spec::observed_restitutions;
pub use speeds::{Candidate, Observed, SpeedFit, SpeedPower, Speeds, fit_speeds};

use crate::error::{Error, Result};
use crate::exact::{self, Exponents};
use crate::impact::collide;
use crate::law::{Damper, Law, Power};
use crate::message::Action;
use crate::report::{DampingReport, NoteReport, PairReport};
use crate::units::Dimension;
use curves::{MIN_RESTITUTION, invariant_group, logarithms, max_epsilon};
use sensitivity::Inputs;

/// Identifies stiffness and damping from two measured numbers.
///
/// # Errors
/// If both are of the same kind, if no damping with these exponents gives both numbers (the message contains the
/// attainable range), or if the fit of [`Method::Published`] does not cover the case.
pub fn identify(setup: &Setup, measured: [Measured; 2], method: Method) -> Result<Identification> {
    let [first, second] = measured;
    if first.what == second.what {
        let found = format!("{} twice", first.what.name());
        let advice = "give two of restitution, duration, force and indentation";
        return Err(Error::invalid("measured", found, "two different quantities", advice));
    }
    let mut notes = Vec::new();
    let dampings = match method {
        Method::Published => vec![published::epsilon(setup.exponents, measured, &mut notes)?],
        Method::Exact => find_epsilons(setup, measured)?,
    };
    let mut solutions = Vec::new();
    for epsilon in dampings {
        solutions.push(solution(setup, measured, method, epsilon, &mut notes)?);
    }
    if solutions.len() > 1 {
        let all: Vec<_> =
            solutions.iter().map(|s| format!("{:.4}", s.predicted.restitution)).collect();
        let message = format!(
            "{} dampings give these numbers, with restitutions of {}; the weakest is shown first, and a measured restitution would decide",
            all.len(),
            all.join(" and ")
        );
        notes.push(NoteReport::new("several_solutions", message));
    }
    let mut solutions = solutions.into_iter();
    let Some(solution) = solutions.next() else {
        let advice = "give a measured restitution instead of one of the other numbers";
        return Err(Error::numerical("the identification", "no damping was found", advice));
    };
    let others = solutions.collect();
    let measured = [first.what, second.what];
    Ok(Identification { measured, speed: setup.speed, exit: setup.exit, solution, others, notes })
}

/// Finds all ε that give both measured numbers.
fn find_epsilons(setup: &Setup, measured: [Measured; 2]) -> Result<Vec<f64>> {
    let Setup { exponents, exit, .. } = *setup;
    if let Some(e) = measured.iter().find(|m| m.what == Measure::Restitution) {
        return Ok(vec![exact::epsilon(exponents, exit, e.value)?]);
    }
    let [first, second] = measured;
    // Linear combination of both logarithms in which L cancels.
    let (k1, k2) = (first.what.scale()[0], second.what.scale()[0]);
    let combine = |a: f64, b: f64| k2 * a - k1 * b;
    let target = combine(ln_scaled(setup, first), ln_scaled(setup, second));
    let curve = |epsilon: f64| -> Result<f64> {
        let a = logarithms(exponents, exit, epsilon)?;
        Ok(combine(a[first.what as usize], a[second.what as usize]))
    };
    let found = roots::find_roots(curve, target, max_epsilon(exponents, exit)?)?;
    if found.roots.is_empty() {
        // The error names the usual product or quotient, independently of the order of the two measures.
        let (name, sign) = invariant_group(first.what, second.what);
        let value = |g: f64| (sign * g).exp();
        let (a, b) = (value(found.range.0), value(found.range.1));
        let allowed = format!(
            "between {:.6} and {:.6} with n = {}, m = {}, q = {} and restitutions of {MIN_RESTITUTION} to 1",
            a.min(b),
            a.max(b),
            exponents.n,
            exponents.m,
            exponents.q
        );
        let advice = "check the measured numbers, mass and speed, or try other exponents";
        return Err(Error::invalid(name, format!("{:.6}", value(target)), allowed, advice));
    }
    Ok(found.roots)
}

/// Computes the logarithm of a measured number divided by its scale without the power of L.
fn ln_scaled(setup: &Setup, measured: Measured) -> f64 {
    let [_, mass, speed] = measured.what.scale();
    measured.value.ln() - mass * setup.mass.ln() - speed * setup.speed.ln()
}

/// Computes the solution with this ε.
fn solution(
    setup: &Setup,
    measured: [Measured; 2],
    method: Method,
    epsilon: f64,
    notes: &mut Vec<NoteReport>,
) -> Result<Solution> {
    let Setup { mass, speed, exponents, exit, .. } = *setup;
    let Exponents { n, m, q } = exponents;
    let curves = match method {
        Method::Exact => logarithms(exponents, exit, epsilon)?,
        Method::Published => published::logarithms(n, epsilon),
    };
    // L follows from any measure that depends on it, that is, from all but the restitution.
    let by = if measured[0].what == Measure::Restitution { measured[1] } else { measured[0] };
    let power = by.what.scale()[0];
    let length = (power * (ln_scaled(setup, by) - curves[by.what as usize])).exp();
    let stiffness = Power::stiffness_for_length(n, mass, speed, length);
    // Damping coefficient for ε = 1.
    let unit = Power::new(stiffness, n, m, q, Damper::Ratio(1.0)).coefficient(mass, speed);
    if ![length, stiffness, unit].iter().all(|value| value.is_normal()) {
        return Err(Error::numerical(
            "the identification",
            format!("the stiffness is {stiffness:e} N/m^n and the length scale {length:e} m"),
            "the numbers are too large or too small for 64-bit arithmetic: check the units of what was measured, mass and speed",
        ));
    }
    let law = Law::new(mass, exit, Power::new(stiffness, n, m, q, Damper::Ratio(epsilon)));
    let impact = collide(&law, speed)?;
    for note in impact.notes.iter().map(NoteReport::from) {
        if notes.iter().all(|known| known.kind != note.kind) {
            notes.push(note);
        }
    }
    let predicted = Predicted::from(&impact);
    if method == Method::Published {
        published::compare(measured, &predicted, notes);
    }
    let inputs = Inputs {
        setup,
        measured,
        method,
        epsilon,
        values: Effect {
            stiffness,
            coefficient: epsilon * unit,
            epsilon,
            natural_frequency: speed / length,
            restitution: predicted.restitution,
            duration: predicted.duration,
            force_max: predicted.force_max,
            indentation_max: predicted.indentation_max,
        },
    };
    let (sensitivity, uncertainty) = inputs.propagate(unit)?;
    if sensitivity.worst() > 1e3 {
        let message = sentence!(
            "the two numbers hardly determine the damping: 1 % in one of them moves a result by more than \
             a factor of ten; measure the {} as well",
            Action::give("restitution")
        );
        notes.push(NoteReport::new("ill_conditioned", message));
    }
    Ok(Solution {
        pair: PairReport { mass, stiffness, exponent: n },
        damping: DampingReport {
            calibration: match method {
                Method::Exact => "exact",
                Method::Published => "published",
            },
            coefficient: Some(epsilon * unit),
            unit: Some(Dimension::damping_unit(m, q)),
            parameter: Some("damping"),
            epsilon: Some(epsilon),
            damping_exponent: Some(m),
            rate_exponent: Some(q),
        },
        natural_frequency: speed / length,
        predicted,
        sensitivity,
        uncertainty,
    })
}
