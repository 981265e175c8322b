//! The derivative of the time at which contact ends with respect to a parameter.
//!
//! Contact ends where a function g(δ, δ̇, memory; p) vanishes, here called margin: the distance to the indentation at
//! which the bodies separate, the distance to the dent that a plastic law leaves, or the force. Differentiation along
//! the motion yields
//!
//! dT/dp = −(dg/dp)/(dg/dt),   dg/dp = g_δ·∂δ/∂p + g_v·∂δ̇/∂p + g_a·∂a/∂p + g_m·∂δₘ/∂p + g_p,
//!
//! computed with dual numbers if g is the force. The distances cannot be evaluated with dual numbers; their dg/dp is
//! one central difference in which the law, the quantities that it fixed at touch and the point are changed together.
//!
//! The choice of g matters. A force that ends at a dent is held at zero beyond it and may vanish with its derivative,
//! as (δ − δ_p)ⁿ does; its derivatives then do not determine dT/dp, whereas the distance to the dent is smooth. The
//! position of a dent depends on the largest indentation, whose derivative is part of the direction; the length of an
//! adhesive neck depends on the parameters of the law.

use super::probe;
use super::slopes::{self, Direction, LawSlopes, Quantity, Variation};
use crate::impact::{ContactMotion, ContactState};
use crate::law::{Force, Law, Memory, Work};

/// Quantity that vanishes at the end of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Margin {
    /// Distance to the indentation of release, δ − release.
    Release,
    /// Distance to the dent, δ − dent, at which the unloading force vanishes and does not return.
    Dent,
    /// The force as it is before it is limited to zero.
    Force,
}

/// Returns the margin that vanishes at the end point of this motion.
pub(super) fn margin(law: &Law, end: &ContactState, deepest: f64, largest: f64) -> Margin {
    let near = |margin: Margin| value(law, margin, end).abs() < 1e-6 * deepest;
    if near(Margin::Release) {
        return Margin::Release;
    }
    // Other kinks of unloading lie where the force is not zero.
    let forceless = value(law, Margin::Force, end).abs() < 1e-6 * largest;
    if forceless && near(Margin::Dent) { Margin::Dent } else { Margin::Force }
}

fn value(law: &Law, margin: Margin, point: &ContactState) -> f64 {
    struct Evaluate<'a>(Margin, &'a ContactState);
    impl Work for Evaluate<'_> {
        type Output = f64;
        fn run<F: Force>(self, form: F) -> f64 {
            let Evaluate(margin, point) = self;
            match margin {
                Margin::Release => point.delta - form.release(),
                Margin::Dent => point.delta - form.kink(false, &point.memory),
                Margin::Force => form.signed(point.delta, point.rate, &point.memory),
            }
        }
    }
    law.with(Evaluate(margin, point))
}

/// Returns dT/dp of a motion that ends at `end`; the end point changes by `along` per unit of the parameter.
pub(super) fn end_time_derivative(
    motion: &ContactMotion,
    law: &Law,
    margin: Margin,
    end: &ContactState,
    (variation, slopes): (&Variation, &LawSlopes),
    along: Direction,
) -> f64 {
    if margin == Margin::Force {
        let one = std::slice::from_ref(end);
        let margin = slopes::derivatives(law, Quantity::Signed, slopes, one);
        let (force, internal) = (probe::forces(law, one), probe::internal_rates(law, one));
        let motion = Direction::time(motion, end, force[0], internal[0]);
        let by_parameter = along.change(&margin.state[0]) + margin.parameters[0][0];
        return -by_parameter / motion.change(&margin.state[0]);
    }
    let by_parameter = variation.derivative(value(law, margin, end), |changed, step| {
        let mut point = along.moved(end, step);
        let Memory { speed, damping, .. } = changed.touch;
        (point.memory.speed, point.memory.damping) = (speed, damping);
        value(&changed.law, margin, &point)
    });
    -by_parameter / end.rate
}
