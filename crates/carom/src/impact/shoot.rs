//! The damping that delivers a restitution, for laws without a theory: try, compare, correct.

use super::integrate::ContactIntegrator;
use crate::law::{Exit, Force, Memory};

/// The value of `memory.damping` with which `form` delivers `restitution` under this exit; NaN when
/// there is none.
///
/// The delivered restitution falls with the coefficient, so the root is bracketed by factors of four
/// from a guess and refined in ln c against ln(−ln e), which is nearly a straight line.
pub(crate) fn shoot<F: Force>(form: F, mass: f64, speed: f64, exit: Exit, restitution: f64) -> f64 {
    if restitution >= 1.0 {
        return 0.0;
    }
    match F::INTERNAL {
        true => {
            search(ContactIntegrator::<F, 3>::new(form, mass, exit, 0.0), form, speed, restitution)
        }
        false => {
            search(ContactIntegrator::<F, 2>::new(form, mass, exit, 0.0), form, speed, restitution)
        }
    }
}

fn search<F: Force, const N: usize>(
    integrator: ContactIntegrator<F, N>,
    form: F,
    speed: f64,
    restitution: f64,
) -> f64 {
    // Not `touch`, which would ask for this very coefficient: forms that are calibrated here freeze
    // the speed and nothing else.
    let frozen = Memory { speed, ..Memory::default() };
    let target = (-restitution.ln()).ln();
    // ln(−ln e) − target, rising with the coefficient.
    let miss = |ln_c: f64| {
        let memory = Memory { damping: ln_c.exp(), ..frozen };
        let e =
            integrator.integrate(memory, None, false).map_or(0.0, |result| result.newton(speed));
        match e {
            0.0 => 40.0,
            1.0.. => -40.0,
            _ => (-e.ln()).ln() - target,
        }
    };
    let Ok(elastic) = integrator.integrate(Memory { damping: 0.0, ..frozen }, None, false) else {
        return f64::NAN;
    };
    let halfway = Memory { time: 0.5 * elastic.time_of_turn(), ..frozen };
    let Some(guess) = natural(form, &halfway, elastic.deepest(), speed) else {
        return f64::NAN;
    };
    let (mut a, mut b) = (guess.ln(), guess.ln());
    let (mut fa, mut fb) = (miss(a), 0.0);
    if fa > 0.0 {
        (b, fb) = (a, fa);
    }
    for _ in 0..60 {
        if fa < 0.0 && fb > 0.0 {
            break;
        }
        if fa >= 0.0 {
            a -= 1.4;
            fa = miss(a);
        } else {
            b += 1.4;
            fb = miss(b);
            if fb < 0.0 {
                (a, fa) = (b, fb);
            }
        }
    }
    if !(fa < 0.0 && fb > 0.0) {
        return f64::NAN;
    }
    for _ in 0..100 {
        let x = match fb > 30.0 || fa < -30.0 {
            true => 0.5 * (a + b),
            false => (a * fb - b * fa) / (fb - fa),
        };
        let fx = miss(x);
        if fx.abs() < 1e-14 || (b - a).abs() < 1e-14 {
            return x.exp();
        }
        if fx < 0.0 {
            (a, fa) = (x, fx);
            fb = if fb > 30.0 { fb } else { 0.5 * fb };
        } else {
            (b, fb) = (x, fx);
            fa = if fa < -30.0 { fa } else { 0.5 * fa };
        }
    }
    // A bracket that did not close is no answer.
    if b - a < 1e-9 { (0.5 * (a + b)).exp() } else { f64::NAN }
}

/// A coefficient whose damping force is a tenth of the elastic force halfway in.
fn natural<F: Force>(form: F, frozen: &Memory, deepest: f64, speed: f64) -> Option<f64> {
    let (delta, rate) = (0.5 * deepest, 0.5 * speed);
    let force = |damping: f64| form.force(delta, rate, &Memory { damping, ..*frozen });
    let (without, with) = (force(0.0), force(1.0));
    let guess = 0.1 * without.abs() / (with - without).abs();
    (guess.is_finite() && guess > 0.0).then_some(guess)
}
