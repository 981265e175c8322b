//! Forces proportional to the volume of interference of two spheres, or of a sphere and a plane.
//!
//! The lens of two spheres whose surfaces overlap by δ has the volume
//!
//! V = π·δ²·(12·R₁R₂ − 4Sδ + δ²)/(12·(S − δ)),  S = R₁ + R₂,
//!
//! and V′ = π·a², where a is the radius of its rim: V′ = π·δ·(2S − δ)(2R₁ − δ)(2R₂ − δ)/(4·(S − δ)²). For a plane, R₂
//! → ∞, the lens is the spherical cap V = π·δ²·(R₁ − δ/3), V′ = π·δ·(2R₁ − δ).

use std::f64::consts::PI;

use super::{Curve, Elastic};
use crate::numeric::quadrature::integrate;
use crate::scalar::Scalar;

/// The force k·V(δ), where V is the volume of the lens.
///
/// Indentations larger than the smaller radius, at which a force proportional to the volume has no meaning, are
/// replaced by that radius.
#[derive(Clone, Copy, Debug)]
pub struct Lens<S = f64> {
    /// k (N/m³).
    pub stiffness: S,
    /// Radius of body 1 (m).
    pub radius: S,
    /// Curvature 1/R₂ of body 2 (1/m), 0 for a plane.
    pub curvature: S,
}

impl Lens {
    /// Creates the lens of spheres of these radii (m), or of a sphere and a plane; stiffness in N/m³.
    pub fn new(stiffness: f64, radius: f64, other: Option<f64>) -> Self {
        Self { stiffness, radius, curvature: other.map_or(0.0, |other| 1.0 / other) }
    }
}

impl<S: Scalar> Lens<S> {
    fn depth(&self, delta: S) -> S {
        let smaller = S::choose(
            (self.curvature * self.radius).gt(S::of(1.0)),
            || S::of(1.0) / self.curvature,
            || self.radius,
        );
        delta.positive_part().min(smaller)
    }

    /// Computes V (m³).
    pub fn volume(&self, delta: S) -> S {
        let (d, r, c) = (self.depth(delta), self.radius, self.curvature);
        // Numerator and denominator are divided by R₂, so that a plane is the case c = 0.
        let sum = c * r + 1.0;
        d * d * PI * (r * 12.0 - sum * d * 4.0 + c * d * d) / ((sum - c * d) * 12.0)
    }

    /// Computes V′/(π·δ), the square of the radius of the rim divided by δ.
    fn scaled_rim_square(&self, d: S) -> S {
        let (r, c) = (self.radius, self.curvature);
        let sum = c * r + 1.0;
        let (wide, gap) = (sum * 2.0 - c * d, sum - c * d);
        wide * (r * 2.0 - d) * (S::of(2.0) - c * d) / (gap * gap * 4.0)
    }
}

impl<S: Scalar> Curve<S> for Lens<S> {
    #[inline]
    fn force(&self, delta: S) -> S {
        self.stiffness * self.volume(delta)
    }

    fn slope(&self, delta: S) -> S {
        let d = self.depth(delta);
        self.stiffness * PI * d * self.scaled_rim_square(d)
    }

    fn energy(&self, delta: S) -> S {
        integrate(S::of(0.0), self.depth(delta), |d| self.force(d))
    }
}

impl Elastic for Lens {
    over!(Lens { stiffness, radius, curvature });
}

#[cfg(test)]
mod tests {
    use super::super::check::{impact, near, stored};
    use super::super::curve::{CoefficientSource, Curved, DampingShape};
    use super::*;
    use crate::law::{Exit, Force};

    const LENSES: [Lens; 3] = [
        Lens { stiffness: 1e9, radius: 0.02, curvature: 1.0 / 0.03 },
        Lens { stiffness: 1e9, radius: 0.02, curvature: 1.0 / 0.005 },
        Lens { stiffness: 1e9, radius: 0.02, curvature: 0.0 },
    ];

    /// Computes the volume of the lens as two caps, each integrated slice by slice.
    fn by_slices(lens: &Lens, delta: f64) -> f64 {
        let r = lens.radius;
        let cap = |r: f64, h: f64| integrate(0.0, h, |z| PI * z * (2.0 * r - z));
        if lens.curvature == 0.0 {
            return cap(r, delta);
        }
        let other = 1.0 / lens.curvature;
        let apart = r + other - delta;
        let plane = (apart * apart + r * r - other * other) / (2.0 * apart);
        cap(r, r - plane) + cap(other, other - (apart - plane))
    }

    #[test]
    fn the_volume_is_the_sum_of_two_caps() {
        for lens in LENSES {
            for delta in [1e-6, 1e-4, 1e-3, 4.9e-3] {
                near(lens.volume(delta), by_slices(&lens, delta), 1e-8);
            }
        }
    }

    #[test]
    fn a_plane_is_a_sphere_of_no_curvature() {
        let huge = Lens::new(1e9, 0.02, Some(1e9));
        for delta in [1e-6, 1e-3] {
            near(huge.volume(delta), Lens::new(1e9, 0.02, None).volume(delta), 1e-9);
        }
    }

    #[test]
    fn stored_energy_is_that_of_the_curve_with_every_damping() {
        for curve in LENSES {
            for shape in [DampingShape::Force, DampingShape::Slope(1.0)] {
                let form = Curved { curve, shape, source: CoefficientSource::coefficient(0.3) };
                let memory = form.touch(1.0, 1.0);
                stored(form, 0.0, 1e-3, &memory, 1e-9);
                // The rule with 16 nodes is accurate up to the end of the range.
                stored(form, 0.0, 4.9e-3, &memory, 1e-9);
            }
        }
    }

    #[test]
    fn damping_proportional_to_the_curve_gives_the_hunt_crossley_relation_on_any_curve() {
        for curve in LENSES {
            // The exact ε of the Hunt–Crossley law for e = 0.5 (`exact::closed::hunt_crossley`).
            let source = CoefficientSource::PerSpeed(1.432_750_533_271_375);
            let form = Curved { curve, shape: DampingShape::Force, source };
            let span = 3.0 * (1.0 / (1e9 * 0.02f64)).powf(1.0 / 3.0);
            near(impact(form, 1.0, 1.0, Exit::ZeroForce, span)[0], 0.5, 1e-6);
        }
    }
}
