//! The derivative of the time at which contact ends with respect to a parameter.
//!
//! Contact ends where a function g(δ, δ̇, memory; p) vanishes: the distance to the indentation at
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
use super::slopes::{self, LawSlopes, Quantity, StateDerivative, Variation};
use crate::impact::{ContactMotion, ContactState};
use crate::law::{Force, Law, Memory, Work};

/// Quantity that vanishes at the end of contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum EndCriterion {
    /// Distance to the indentation of release, δ − release.
    Release,
    /// Distance to the dent, δ − dent, at which the unloading force vanishes and does not return.
    Dent,
    /// The force as it is before it is limited to zero.
    Force,
}

/// Returns the quantity that vanishes at the end point of this motion.
pub(super) fn end_criterion(
    law: &Law,
    end: &ContactState,
    deepest: f64,
    largest: f64,
) -> EndCriterion {
    let near = |criterion: EndCriterion| value(law, criterion, end).abs() < 1e-6 * deepest;
    if near(EndCriterion::Release) {
        return EndCriterion::Release;
    }
    // Other kinks of unloading lie where the force is not zero.
    let forceless = value(law, EndCriterion::Force, end).abs() < 1e-6 * largest;
    if forceless && near(EndCriterion::Dent) { EndCriterion::Dent } else { EndCriterion::Force }
}

fn value(law: &Law, criterion: EndCriterion, point: &ContactState) -> f64 {
    struct Evaluate<'a>(EndCriterion, &'a ContactState);
    impl Work for Evaluate<'_> {
        type Output = f64;
        fn run<F: Force>(self, form: F) -> f64 {
            let Evaluate(criterion, point) = self;
            match criterion {
                EndCriterion::Release => point.delta - form.release(),
                EndCriterion::Dent => point.delta - form.kink(false, &point.memory),
                EndCriterion::Force => form.signed(point.delta, point.rate, &point.memory),
            }
        }
    }
    law.with(Evaluate(criterion, point))
}

/// Returns dT/dp of a motion that ends at `end`; the end point changes by `along` per unit of the parameter.
pub(super) fn end_time_derivative(
    motion: &ContactMotion,
    law: &Law,
    criterion: EndCriterion,
    end: &ContactState,
    (variation, slopes): (&Variation, &LawSlopes),
    along: StateDerivative,
) -> f64 {
    if criterion == EndCriterion::Force {
        let one = std::slice::from_ref(end);
        let margin = slopes::derivatives(law, Quantity::Signed, slopes, one);
        let (force, internal) = (probe::forces(law, one), probe::internal_rates(law, one));
        let motion = StateDerivative::time(motion, end, force[0], internal[0]);
        let by_parameter = along.directional_derivative(&margin.state[0]) + margin.parameters[0][0];
        return -by_parameter / motion.directional_derivative(&margin.state[0]);
    }
    let by_parameter = variation.derivative(value(law, criterion, end), |changed, step| {
        let mut point = along.moved(end, step);
        let Memory { speed, damping, .. } = changed.touch;
        (point.memory.speed, point.memory.damping) = (speed, damping);
        value(&changed.law, criterion, &point)
    });
    -by_parameter / end.rate
}
