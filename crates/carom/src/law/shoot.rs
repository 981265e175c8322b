//! The damping that delivers a requested restitution, for laws without an exact relation between the two. It is found
//! by shooting: impacts are integrated with corrected coefficients until the restitution is the requested one.

use super::contact_phase::ContactIntegrator;
use super::{Exit, Force, Memory};
use crate::numeric::root::Bracket;

/// Value that replaces ln(−ln e) = ∞ at e = 0.
const LN_LN_STUCK: f64 = 40.0;
/// Value that replaces ln(−ln e) = −∞ at e = 1.
const LN_LN_ELASTIC: f64 = -40.0;
/// Step in ln c by which the search for a bracket proceeds: a factor e^1.4, about four.
const BRACKET_STEP: f64 = 1.4;
/// Largest width of the final bracket of ln c for which a coefficient counts as found.
const MAX_WIDTH: f64 = 1e-9;

/// Finds the value of `memory.damping` with which `form` delivers `restitution` with this exit of contact; NaN if
/// there is none.
///
/// The delivered restitution decreases with the coefficient c. The root is therefore bracketed by factors of four
/// from a guess, and refined with ln c as the unknown and ln(−ln e) as the function, which is nearly linear.
pub(super) fn shoot<F: Force>(form: F, mass: f64, speed: f64, exit: Exit, restitution: f64) -> f64 {
    if restitution >= 1.0 {
        return 0.0;
    }
    let found = match F::INTERNAL {
        true => {
            search(ContactIntegrator::<F, 3>::new(form, mass, exit, 0.0), form, speed, restitution)
        }
        false => {
            search(ContactIntegrator::<F, 2>::new(form, mass, exit, 0.0), form, speed, restitution)
        }
    };
    found.unwrap_or(f64::NAN)
}

fn search<F: Force, const N: usize>(
    integrator: ContactIntegrator<F, N>,
    form: F,
    speed: f64,
    restitution: f64,
) -> Option<f64> {
    // `touch` cannot be used here, because it would start this search. Forms that are calibrated in this way store
    // only the speed at onset.
    let frozen = Memory { speed, ..Memory::default() };
    let target = (-restitution.ln()).ln();
    // ln(−ln e) − target, which increases with the coefficient.
    let excess = |ln_c: f64| {
        let memory = Memory { damping: ln_c.exp(), ..frozen };
        let e = integrator.integrate(memory, None, false).map_or(0.0, |it| it.newton(speed));
        match e {
            0.0 => LN_LN_STUCK,
            1.0.. => LN_LN_ELASTIC,
            _ => (-e.ln()).ln() - target,
        }
    };
    let elastic = integrator.integrate(Memory { damping: 0.0, ..frozen }, None, false).ok()?;
    let halfway = Memory { time: 0.5 * elastic.time_of_turn(), ..frozen };
    let guess = guess_coefficient(form, &halfway, elastic.indentation_at_turn(), speed)?.ln();
    let bracket = bracket(guess, excess)?;
    let bracket = bracket.narrow_until(1e-14, 1e-14, excess);
    let narrow = (bracket.b.0 - bracket.a.0).abs() < MAX_WIDTH;
    let best = bracket.a.1.abs().min(bracket.b.1.abs());
    (narrow || best < 1e-14).then(|| bracket.best().exp())
}

/// Finds a bracket of ln c around the root of an increasing function, searching outwards from a guess.
fn bracket(guess: f64, excess: impl Fn(f64) -> f64) -> Option<Bracket> {
    let mut last = (guess, excess(guess));
    let step = if last.1 > 0.0 { -BRACKET_STEP } else { BRACKET_STEP };
    for _ in 0..60 {
        let x = last.0 + step;
        let next = (x, excess(x));
        if let Some(bracket) = Bracket::new(last, next) {
            return Some(bracket);
        }
        last = next;
    }
    None
}

/// Estimates a coefficient whose damping force is a tenth of the elastic force at half the largest indentation.
fn guess_coefficient<F: Force>(form: F, frozen: &Memory, deepest: f64, speed: f64) -> Option<f64> {
    let (delta, rate) = (0.5 * deepest, 0.5 * speed);
    let force = |damping: f64| form.force(delta, rate, &Memory { damping, ..*frozen });
    let (without, with) = (force(0.0), force(1.0));
    let guess = 0.1 * without.abs() / (with - without).abs();
    (guess.is_finite() && guess > 0.0).then_some(guess)
}
