//! How the end of contact moves with a parameter.
//!
//! Contact ends where a margin g(δ, δ̇, memory; p) vanishes: a distance to where the bodies lose touch, a
//! distance to the dent that a plastic law leaves, or the force. Differentiated along the motion,
//!
//! dT/dp = −(dg/dp)/(dg/dt),   dg/dp = g_δ·∂δ/∂p + g_v·∂δ̇/∂p + g_a·∂a/∂p + g_m·∂δₘ/∂p + g_p,
//!
//! by dual numbers where g is the force. The distances are not available for dual numbers: their dg/dp is one central difference,
//! in which the law, what it fixed at touch and the point all change together.
//!
//! The choice of g matters. A force that ends at a dent is held at zero beyond it and may vanish with its
//! slope, (δ − δ_p)ⁿ, so that its own derivatives say nothing; the distance to the dent is smooth. A
//! dent moves with the largest indentation, whose derivative is part of the direction; the length of
//! an adhesive neck changes with the parameters of the law.

use super::probe;
use super::slopes::{self, Direction, LawSlopes, Quantity, Variation};
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
    let near = |margin: Margin| value(law, margin, end).abs() < 1e-6 * deepest;
    if near(Margin::Release) {
        return Margin::Release;
    }
    // Other kinks of unloading lie where there is force.
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

/// dT/dp of a motion that ends at `end`, which moves by `along` with the parameter.
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
