//! Forces on an elastic curve that is not a power: F = f(δ) + c·g(δ)·δ̇.
//!
//! The curve f comes with its slope and its energy ([`Curve`]); the damping follows it in one of
//! three ways ([`Shape`]). Where it is proportional to f itself, F = f·(1 + c·δ̇), the equation of
//! motion separates, m·v·dv/(1 + c·v) = −f(δ)·dδ, and the restitution depends on c·v₀ alone,
//! whatever the curve: the exact relation of Hunt–Crossley laws holds.

use super::{Calibration, Exponent, Force, Memory, Tangent};

/// An elastic force over the indentation, 0 for δ ≤ 0.
pub trait Curve: Copy {
    /// f(δ) (N).
    fn force(&self, delta: f64) -> f64;
    /// f′(δ) (N/m).
    fn slope(&self, delta: f64) -> f64;
    /// f″(δ) (N/m²).
    fn bend(&self, delta: f64) -> f64;
    /// ∫₀^δ f (J).
    fn energy(&self, delta: f64) -> f64;
}

/// f(δ) + c·g(δ)·δ̇ on an elastic curve f.
#[derive(Clone, Copy, Debug)]
pub struct Curved<C> {
    /// f.
    pub curve: C,
    /// g.
    pub shape: Shape,
    /// Where c comes from.
    pub source: Source,
}

/// How the damping follows the elastic curve: g of c·g(δ)·δ̇.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// g = f: c is in s/m.
    Force,
    /// g = f′/k with a number k of the curve: c is in the unit of k times s, and c/k is a retardation time.
    Slope(f64),
    /// g = δᵖ: c is in N·s/m^(p+1).
    Power(Exponent),
}

/// Where the damping coefficient c comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// c = this/v₀.
    PerSpeed(f64),
    /// c is given or found by shooting.
    Calibrated(Calibration),
}

impl Source {
    /// c itself.
    pub fn coefficient(value: f64) -> Self {
        Self::Calibrated(Calibration::Coefficient(value))
    }
}

impl<C: Curve> Curved<C> {
    /// The curve alone.
    pub fn elastic(curve: C) -> Self {
        Self { curve, shape: Shape::Force, source: Source::coefficient(0.0) }
    }

    /// g(δ).
    #[inline(always)]
    fn weight(&self, delta: f64) -> f64 {
        match self.shape {
            Shape::Force => self.curve.force(delta),
            Shape::Slope(k) => self.curve.slope(delta) / k,
            Shape::Power(p) => p.of(delta),
        }
    }
}

impl<C: Curve> Force for Curved<C> {
    fn touch(&self, mass: f64, speed: f64) -> Memory {
        let damping = match self.source {
            Source::PerSpeed(ratio) => ratio / speed,
            Source::Calibrated(calibration) => calibration.coefficient(*self, mass, speed),
        };
        Memory { speed, damping, ..Memory::default() }
    }

    fn requested(&self) -> Option<f64> {
        match self.source {
            Source::PerSpeed(_) => None,
            Source::Calibrated(calibration) => calibration.requested(),
        }
    }

    #[inline(always)]
    fn force(&self, delta: f64, rate: f64, memory: &Memory) -> f64 {
        let elastic = self.curve.force(delta);
        let weight = match self.shape {
            Shape::Force => elastic,
            _ => self.weight(delta),
        };
        elastic + memory.damping * weight * rate
    }

    fn tangent(&self, delta: f64, rate: f64, memory: &Memory) -> Tangent {
        let bend = match self.shape {
            Shape::Force => self.curve.slope(delta),
            Shape::Slope(k) => self.curve.bend(delta) / k,
            Shape::Power(p) => p.slope(delta),
        };
        Tangent {
            stiffness: self.curve.slope(delta) + memory.damping * bend * rate,
            damping: memory.damping * self.weight(delta),
        }
    }

    fn stored(&self, delta: f64, _memory: &Memory) -> f64 {
        self.curve.energy(delta)
    }
}
