//! The damping that delivers a restitution, for laws without an exact relation between the two: by shooting, which
//! integrates impacts with coefficients that are corrected until the restitution is met.

use super::contact_phase::ContactIntegrator;
use super::{Exit, Force, Memory};
use crate::numeric::root::Bracket;

/// Stands for ln(−ln e) = ∞ at e = 0.
const STUCK: f64 = 40.0;
/// Stands for ln(−ln e) = −∞ at e = 1.
const ELASTIC: f64 = -40.0;
/// The bracket is widened by e^1.4, about a factor of four, at a time.
const WIDENING: f64 = 1.4;
/// A bracket of ln c must be narrower than this at the end, or no coefficient was found.
const MAX_WIDTH: f64 = 1e-9;

/// The value of `memory.damping` with which `form` delivers `restitution` under this exit; NaN when
/// there is none.
///
/// The delivered restitution falls with the coefficient c. So the root is bracketed by factors of four
/// from a guess, and refined in ln c against ln(−ln e), which is nearly a straight line.
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
    // Not `touch`, which would start this search: forms that are calibrated here keep nothing but
    // the speed from touch.
    let frozen = Memory { speed, ..Memory::default() };
    let target = (-restitution.ln()).ln();
    // ln(−ln e) − target, rising with the coefficient.
    let excess = |ln_c: f64| {
        let memory = Memory { damping: ln_c.exp(), ..frozen };
        let e = integrator.integrate(memory, None, false).map_or(0.0, |it| it.newton(speed));
        match e {
            0.0 => STUCK,
            1.0.. => ELASTIC,
            _ => (-e.ln()).ln() - target,
        }
    };
    let elastic = integrator.integrate(Memory { damping: 0.0, ..frozen }, None, false).ok()?;
    let halfway = Memory { time: 0.5 * elastic.time_of_turn(), ..frozen };
    let guess = guess(form, &halfway, elastic.deepest(), speed)?.ln();
    let bracket = bracket(guess, excess)?;
    let bracket = bracket.narrow_until(1e-14, 1e-14, excess);
    let narrow = (bracket.b.0 - bracket.a.0).abs() < MAX_WIDTH;
    let best = bracket.a.1.abs().min(bracket.b.1.abs());
    (narrow || best < 1e-14).then(|| bracket.best().exp())
}

/// A bracket of ln c around the root of a rising function, from a guess outwards.
fn bracket(guess: f64, excess: impl Fn(f64) -> f64) -> Option<Bracket> {
    let mut last = (guess, excess(guess));
    let step = if last.1 > 0.0 { -WIDENING } else { WIDENING };
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

/// A coefficient whose damping force is a tenth of the elastic force halfway in.
fn guess<F: Force>(form: F, frozen: &Memory, deepest: f64, speed: f64) -> Option<f64> {
    let (delta, rate) = (0.5 * deepest, 0.5 * speed);
    let force = |damping: f64| form.force(delta, rate, &Memory { damping, ..*frozen });
    let (without, with) = (force(0.0), force(1.0));
    let guess = 0.1 * without.abs() / (with - without).abs();
    (guess.is_finite() && guess > 0.0).then_some(guess)
}
