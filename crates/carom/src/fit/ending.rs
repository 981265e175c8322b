//! How the end of contact moves with a parameter.
//!
//! Contact ends where a margin g(δ, δ̇, memory; p) vanishes: a distance to where the bodies lose touch, a
//! distance to the dent that a plastic law leaves, or the force. Differentiated along the motion,
//!
//! dT/dp = −(dg/dp)/(dg/dt),   dg/dp = g_δ·∂δ/∂p + g_v·∂δ̇/∂p + g_a·∂a/∂p + g_m·∂δₘ/∂p + g_p,
//!
//! and dg/dp is one central difference of the closed expression g along that direction: the law, what it
//! froze at touch and the point all move together.
//!
//! Which margin matters. A force that ends at a dent is held at zero beyond it and may vanish with its
//! slope, (δ − δ_p)ⁿ, so that its own derivatives say nothing; the distance to the dent is smooth. A
//! dent moves with the largest indentation, whose derivative is part of the direction, and the length of
//! an adhesive neck with the parameters of the law.

use super::probe::replaced;
use super::sensitivity::{Along, Changed, Variation};
use crate::impact::{ContactMotion, ContactState};
use crate::law::{Force, Law, Memory, Work};

/// What vanishes at the end of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Margin {
    /// δ − release.
    Release,
    /// δ − dent, where the unloading force vanishes for good.
    Dent,
    /// The force before it is held at zero.
    Force,
}

/// The margin that ended a motion at this point.
pub(super) fn margin(law: &Law, end: &ContactState, deepest: f64, largest: f64) -> Margin {
    let near = |margin: Margin| value(law, margin, end, None).abs() < 1e-6 * deepest;
    if near(Margin::Release) {
        return Margin::Release;
    }
    // Other kinks of unloading lie where there is force.
    let forceless = value(law, Margin::Force, end, None).abs() < 1e-6 * largest;
    if forceless && near(Margin::Dent) { Margin::Dent } else { Margin::Force }
}

fn value(law: &Law, margin: Margin, point: &ContactState, frozen: Option<&Memory>) -> f64 {
    struct Evaluate<'a>(Margin, &'a ContactState, Option<&'a Memory>);
    impl Work for Evaluate<'_> {
        type Output = f64;
        fn run<F: Force>(self, form: F) -> f64 {
            let Evaluate(margin, point, frozen) = self;
            let memory = replaced(&point.memory, frozen);
            match margin {
                Margin::Release => point.delta - form.release(),
                Margin::Dent => point.delta - form.kink(false, &memory),
                Margin::Force => form.signed(point.delta, point.rate, &memory),
            }
        }
    }
    law.with(Evaluate(margin, point, frozen))
}

/// dT/dp of a motion that ends at `end`, which moves by `along` with the parameter.
pub(super) fn later(
    motion: &ContactMotion,
    law: &Law,
    margin: Margin,
    end: &ContactState,
    variation: &Variation,
    along: Along,
) -> f64 {
    let side = |changed: &Option<Changed>, sign: f64| match changed {
        Some(Changed { law, speed }) => {
            let point = along.moved(end, sign * variation.step);
            (value(law, margin, &point, Some(&law.touch(*speed))), 1.0)
        }
        None => (value(law, margin, end, None), 0.0),
    };
    let ((plus, a), (minus, b)) = (side(&variation.plus, 1.0), side(&variation.minus, -1.0));
    let by_parameter = (plus - minus) / (variation.step * f64::max(a + b, 1.0));
    let by_time = match margin {
        Margin::Release | Margin::Dent => end.rate,
        Margin::Force => {
            let width = 1e-6 * motion.end;
            let motion = Along::time(motion, law, end);
            let at = |dt: f64| value(law, margin, &motion.moved(end, dt), None);
            (at(width) - at(-width)) / (2.0 * width)
        }
    };
    -by_parameter / by_time
}
