//! Forces on an elastic curve that is not a power: F = f(δ) + c·g(δ)·δ̇.
//!
//! The curve f comes with its slope and its energy U ([`Curve`]); the damping follows it in one of
//! four ways ([`Shape`]). Two of them have an exact restitution whatever the curve:
//!
//! - proportional to f itself, F = f·(1 + c·δ̇): the equation of motion separates,
//!   m·v·dv/(1 + c·v) = −f(δ)·dδ, and the restitution depends on c·v₀ alone, by the relation of
//!   Hunt–Crossley laws;
//! - [linear-equivalent](Shape::LinearEquivalent), F = f·(1 + 2ζ·√m·δ̇/√(2U)): with w = √(2U/m) and
//!   dτ = f/(m·w)·dt the motion is w′ = δ̇, δ̇′ = −2ζ·δ̇ − w, a linear oscillator of damping ratio ζ, so that the
//!   restitution depends on ζ alone, at every speed.

use super::{Calibration, Exponent, Force, Memory, Response};
use crate::scalar::Scalar;

/// An elastic force over the indentation, 0 for δ ≤ 0.
pub trait Curve<S: Scalar>: Copy {
    /// f(δ) (N).
    fn force(&self, delta: S) -> S;
    /// f′(δ) (N/m).
    fn slope(&self, delta: S) -> S;
    /// U = ∫₀^δ f (J).
    fn energy(&self, delta: S) -> S;
}

/// An elastic curve whose numbers can be converted to another kind of scalar.
pub trait Elastic: Curve<f64> {
    /// The curve over another kind of scalar.
    type Over<S: Scalar>: Curve<S>;

    /// As [`Force::over`].
    fn over<S: Scalar>(&self, convert: impl FnMut(&'static str, f64) -> S) -> Self::Over<S>;
}

/// f(δ) + c·g(δ)·δ̇ on an elastic curve f.
#[derive(Clone, Copy, Debug)]
pub struct Curved<C, S = f64> {
    /// f.
    pub curve: C,
    /// g.
    pub shape: Shape<S>,
    /// Where c comes from.
    pub source: Source,
}

/// How the damping follows the elastic curve: g of c·g(δ)·δ̇.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape<S = f64> {
    /// g = f: c is in s/m.
    Force,
    /// g = f′/k with a number k of the curve: c is in the unit of k times s, and c/k is a retardation time.
    Slope(S),
    /// g = δᵖ: c is in N·s/m^(p+1).
    Power(Exponent<S>),
    /// g = f/√(2U): c = 2ζ·√m is in √kg; see [`equivalent_damper`].
    LinearEquivalent,
}

/// [`Force::tolerance_factor`] of forms with the linear-equivalent damper, whose weight begins like δ^((p−1)/2) where
/// the spring begins like δᵖ.
pub(super) const TOLERANCE_FACTOR: f64 = 0.03;

/// Indentation (m) at which the linear-equivalent damper is evaluated below it: far below any that matters, far above
/// underflow of U.
pub(super) const MIN_DEPTH: f64 = 1e-30;

/// The weight f/√(2U) of the linear-equivalent damper c·f/√(2U)·δ̇ with c = 2ζ·√m, from the curve's `force` and
/// `energy`.
///
/// At δ = 0, where the quotient is 0/0, it has the limit δ → 0: √k where f begins like k·δ, and 0 where it begins
/// with a higher power. It is evaluated at 1e-30 m there.
pub fn equivalent_damper<S: Scalar>(
    delta: S,
    force: impl Fn(S) -> S,
    energy: impl Fn(S) -> S,
) -> S {
    let depth = delta.max(S::of(MIN_DEPTH));
    force(depth) / (energy(depth) * 2.0).sqrt()
}

/// Where the damping coefficient c comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// c = this/v₀.
    PerSpeed(f64),
    /// c = 2ζ·√m with this damping ratio ζ.
    DampingRatio(f64),
    /// c is given or found by shooting.
    Calibrated(Calibration),
}

impl Source {
    /// c itself.
    pub fn coefficient(value: f64) -> Self {
        Self::Calibrated(Calibration::Coefficient(value))
    }
}

impl<C: Elastic> Curved<C> {
    /// The curve alone.
    pub fn elastic(curve: C) -> Self {
        Self { curve, shape: Shape::Force, source: Source::coefficient(0.0) }
    }
}

impl<S: Scalar, C: Curve<S>> Response<S> for Curved<C, S> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        let elastic = self.curve.force(delta);
        let weight = match self.shape {
            Shape::Force => elastic,
            Shape::Slope(k) => self.curve.slope(delta) / k,
            Shape::Power(p) => p.of(delta),
            Shape::LinearEquivalent => {
                equivalent_damper(delta, |d| self.curve.force(d), |d| self.curve.energy(d))
            }
        };
        elastic + memory.damping * weight * rate
    }

    fn damping_at_touch(&self, mass: S, speed: S) -> Option<S> {
        match self.source {
            Source::PerSpeed(ratio) => Some(S::of(ratio) / speed),
            Source::DampingRatio(ratio) => Some(mass.sqrt() * (2.0 * ratio)),
            Source::Calibrated(calibration) => calibration.known(),
        }
    }
}

impl<C: Elastic> Force for Curved<C> {
    type Over<S: Scalar> = Curved<C::Over<S>, S>;

    fn with_plain_exponents(&self) -> Self {
        let shape = match self.shape {
            Shape::Power(p) => Shape::Power(p.unrecognised()),
            other => other,
        };
        Self { shape, ..*self }
    }

    fn over<S: Scalar>(&self, mut convert: impl FnMut(&'static str, f64) -> S) -> Self::Over<S> {
        Curved {
            shape: match self.shape {
                Shape::Force => Shape::Force,
                Shape::Slope(k) => Shape::Slope(convert("slope_unit", k)),
                Shape::Power(p) => Shape::Power(p.over(|value| convert("damping_exponent", value))),
                Shape::LinearEquivalent => Shape::LinearEquivalent,
            },
            curve: self.curve.over(convert),
            source: self.source,
        }
    }

    fn calibration(&self) -> Option<Calibration> {
        match self.source {
            Source::PerSpeed(_) | Source::DampingRatio(_) => None,
            Source::Calibrated(calibration) => Some(calibration),
        }
    }

    fn stored(&self, delta: f64, _memory: &Memory) -> f64 {
        self.curve.energy(delta)
    }

    fn tolerance_factor(&self) -> f64 {
        match self.shape {
            Shape::LinearEquivalent => TOLERANCE_FACTOR,
            Shape::Force | Shape::Slope(_) | Shape::Power(_) => 1.0,
        }
    }
}
