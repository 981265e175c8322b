//! Forces on an elastic curve that is not a power: F = f(δ) + c·g(δ)·δ̇.
//!
//! A [`Curve`] provides f, its slope and its energy U. The weight g of the damping has one of four forms ([`DampingShape`]).
//! Two of them have an exact restitution on every curve:
//!
//! - proportional to f, F = f·(1 + c·δ̇): the equation of motion can be separated, m·v·dv/(1 + c·v) = −f(δ)·dδ, and
//!   the restitution depends on c·v₀ alone, by the relation of Hunt–Crossley laws;
//! - [linear-equivalent](DampingShape::LinearEquivalent), F = f·(1 + 2ζ·√m·δ̇/√(2U)): with w = √(2U/m) and dτ = f/(m·w)·dt
//!   the motion is w′ = δ̇, δ̇′ = −2ζ·δ̇ − w, a linear oscillator with damping ratio ζ, so that the restitution
//!   depends on ζ alone, at every speed.

use super::{Calibration, Exponent, Force, Memory, Response};
use crate::scalar::Scalar;

/// An elastic force as a function of the indentation; 0 for δ ≤ 0.
pub trait Curve<S: Scalar>: Copy {
    /// Computes f(δ) (N).
    fn force(&self, delta: S) -> S;
    /// Computes f′(δ) (N/m).
    fn slope(&self, delta: S) -> S;
    /// Computes U = ∫₀^δ f dδ (J).
    fn energy(&self, delta: S) -> S;
}

/// An elastic curve whose numbers can be converted to another kind of scalar.
pub trait Elastic: Curve<f64> {
    /// Type of the curve with numbers of another kind of scalar.
    type Over<S: Scalar>: Curve<S>;

    /// Converts the curve to another kind of scalar, as [`Force::over`].
    fn over<S: Scalar>(&self, convert: impl FnMut(&'static str, f64) -> S) -> Self::Over<S>;
}

/// The form f(δ) + c·g(δ)·δ̇ on an elastic curve f.
#[derive(Clone, Copy, Debug)]
pub struct Curved<C, S = f64> {
    /// Elastic curve f.
    pub curve: C,
    /// Weight g of the damping.
    pub shape: DampingShape<S>,
    /// Source of c.
    pub source: CoefficientSource,
}

/// Weight g of the damping c·g(δ)·δ̇, in relation to the elastic curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DampingShape<S = f64> {
    /// g = f; c is in s/m.
    Force,
    /// g = f′/k, where the number k is a parameter of the curve; c is in the unit of k times s, and c/k is a
    /// retardation time.
    Slope(S),
    /// g = δᵖ; c is in N·s/m^(p+1).
    Power(Exponent<S>),
    /// g = f/√(2U); c = 2ζ·√m is in √kg; see [`equivalent_damper`].
    LinearEquivalent,
}

/// [`Force::tolerance_factor`] of forms with the linear-equivalent damper, whose weight begins like δ^((p−1)/2) if
/// the spring begins like δᵖ.
pub(super) const TOLERANCE_FACTOR: f64 = 0.03;

/// Least indentation (m) at which the linear-equivalent damper is evaluated. It is far below any relevant
/// indentation, and large enough that U does not underflow.
pub(super) const MIN_DEPTH: f64 = 1e-30;

/// Computes the weight f/√(2U) of the linear-equivalent damper c·f/√(2U)·δ̇, c = 2ζ·√m, from the `force` and the
/// `energy` of the curve.
///
/// At δ = 0 the quotient is 0/0. Its limit for δ → 0 is √k if f begins like k·δ, and 0 if f begins with a higher
/// power. There the weight is evaluated at δ = 1e-30 m.
pub fn equivalent_damper<S: Scalar>(
    delta: S,
    force: impl Fn(S) -> S,
    energy: impl Fn(S) -> S,
) -> S {
    let depth = delta.max(S::of(MIN_DEPTH));
    force(depth) / (energy(depth) * 2.0).sqrt()
}

/// Source of the damping coefficient c.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoefficientSource {
    /// c = this/v₀ (this number is dimensionless if g = f).
    PerSpeed(f64),
    /// c = 2ζ·√m with this damping ratio ζ.
    DampingRatio(f64),
    /// c is given, or found by shooting.
    Calibrated(Calibration),
}

impl CoefficientSource {
    /// Creates a source with the given c.
    pub fn coefficient(value: f64) -> Self {
        Self::Calibrated(Calibration::Coefficient(value))
    }
}

impl<C: Elastic> Curved<C> {
    /// Creates an undamped law.
    pub fn elastic(curve: C) -> Self {
        Self { curve, shape: DampingShape::Force, source: CoefficientSource::coefficient(0.0) }
    }
}

impl<S: Scalar, C: Curve<S>> Response<S> for Curved<C, S> {
    #[inline(always)]
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        let elastic = self.curve.force(delta);
        let weight = match self.shape {
            DampingShape::Force => elastic,
            DampingShape::Slope(k) => self.curve.slope(delta) / k,
            DampingShape::Power(p) => p.of(delta),
            DampingShape::LinearEquivalent => {
                equivalent_damper(delta, |d| self.curve.force(d), |d| self.curve.energy(d))
            }
        };
        elastic + memory.damping * weight * rate
    }

    fn damping_at_touch(&self, mass: S, speed: S) -> Option<S> {
        match self.source {
            CoefficientSource::PerSpeed(ratio) => Some(S::of(ratio) / speed),
            CoefficientSource::DampingRatio(ratio) => Some(mass.sqrt() * (2.0 * ratio)),
            CoefficientSource::Calibrated(calibration) => calibration.known(),
        }
    }
}

impl<C: Elastic> Force for Curved<C> {
    type Over<S: Scalar> = Curved<C::Over<S>, S>;

    fn with_plain_exponents(&self) -> Self {
        let shape = match self.shape {
            DampingShape::Power(p) => DampingShape::Power(p.as_plain_number()),
            other => other,
        };
        Self { shape, ..*self }
    }

    fn over<S: Scalar>(&self, mut convert: impl FnMut(&'static str, f64) -> S) -> Self::Over<S> {
        Curved {
            shape: match self.shape {
                DampingShape::Force => DampingShape::Force,
                DampingShape::Slope(k) => DampingShape::Slope(convert("slope_unit", k)),
                DampingShape::Power(p) => {
                    DampingShape::Power(p.over(|value| convert("damping_exponent", value)))
                }
                DampingShape::LinearEquivalent => DampingShape::LinearEquivalent,
            },
            curve: self.curve.over(convert),
            source: self.source,
        }
    }

    fn calibration(&self) -> Option<Calibration> {
        match self.source {
            CoefficientSource::PerSpeed(_) | CoefficientSource::DampingRatio(_) => None,
            CoefficientSource::Calibrated(calibration) => Some(calibration),
        }
    }

    fn stored(&self, delta: f64, _memory: &Memory) -> f64 {
        self.curve.energy(delta)
    }

    fn tolerance_factor(&self) -> f64 {
        match self.shape {
            DampingShape::LinearEquivalent => TOLERANCE_FACTOR,
            DampingShape::Force | DampingShape::Slope(_) | DampingShape::Power(_) => 1.0,
        }
    }
}
