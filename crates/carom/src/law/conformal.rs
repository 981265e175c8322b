//! Conformal contacts: a ball in a spherical socket and a pin in a bore.
//!
//! If the radii are nearly equal, the contact is wide and Hertz's approximation by half-spaces does not hold. With b
//! the radius of the ball, c > b that of the cavity and Δ = c − b the clearance:
//!
//! - [`Socket`], after Steuermann: F = 4s/(2s+1)·E*·a·δ, where the gap between the surfaces is a polynomial of degree
//!   2s and the contact radius a follows from the geometry of the overlap;
//! - [`Journal`], after Johnson: parallel cylinders, δ = f/(π·E*)·[ln(4π·E*·Δ/f) − 1], where f is the force per unit
//!   length.

use std::f64::consts::PI;

use super::{Curve, Elastic};
use crate::numeric::quadrature::integrate;
use crate::scalar::Scalar;

/// A ball in a spherical socket.
#[derive(Clone, Copy, Debug)]
pub struct Socket<S = f64> {
    /// 4s/(2s+1)·E* (Pa).
    pub modulus: S,
    /// Radius of the ball b (m).
    pub ball: S,
    /// Radius of the cavity c (m).
    pub cavity: S,
    /// Relation between the contact radius and the overlap.
    pub rim: RadiusRelation,
    /// Number of times √Δ must be doubled to reach √b, the upper limit of the energy integral.
    doublings: u32,
}

/// Relation between the contact radius a = c·sin θ and the overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RadiusRelation {
    /// cos θ = [(Δ+δ)² + c² − b²]/[2·(Δ+δ)·c], the circle in which the spheres intersect (Wang & Gao).
    Circle,
    /// cos θ = Δ/(Δ+δ) (Liu, Zhang & Yang).
    Clearance,
}

impl Socket {
    /// Creates the contact of a ball of radius b (m) in a cavity of radius c > b (m) with effective modulus E* (Pa)
    /// and index s.
    pub fn new(modulus: f64, ball: f64, cavity: f64, index: f64, rim: RadiusRelation) -> Self {
        let modulus = 4.0 * index / (2.0 * index + 1.0) * modulus;
        // The result is at most 512, because a quotient of two f64 is below 2¹⁰²⁴.
        let doublings = (0.5 * (ball / (cavity - ball)).log2()).ceil().clamp(0.0, 512.0) as u32;
        Self { modulus, ball, cavity, rim, doublings }
    }

    /// Returns H (N/m^(3/2)), the coefficient of the energy H·δ^(5/2) at small indentations with [`RadiusRelation::Circle`].
    pub fn small_depth_factor(&self) -> f64 {
        let gap = self.cavity - self.ball;
        0.4 * self.modulus * (2.0 * self.ball * self.cavity / gap).sqrt()
    }
}

impl<S: Scalar> Socket<S> {
    /// Computes a/√δ and d ln(a/√δ)/dδ. Both are smooth at δ = 0, and their factors are free of cancellation.
    fn scaled_rim_radius(&self, delta: S) -> (S, S) {
        let (b, c, one) = (self.ball, self.cavity, S::of(1.0));
        let gap = c - b;
        let (reach, both) = (gap + delta, gap * 2.0 + delta);
        match self.rim {
            RadiusRelation::Circle => {
                let (inner, outer) = (b * 2.0 - delta, c * 2.0 + delta);
                let value = (inner * outer * both).sqrt() / (reach * 2.0);
                (value, (one / both + one / outer - one / inner) * 0.5 - one / reach)
            }
            RadiusRelation::Clearance => (c * both.sqrt() / reach, S::of(0.5) / both - one / reach),
        }
    }

    /// Limits the indentation to 0 ≤ δ ≤ b.
    fn limited_depth(&self, delta: S) -> S {
        delta.positive_part().min(self.ball)
    }
}

impl<S: Scalar> Curve<S> for Socket<S> {
    #[inline]
    fn force(&self, delta: S) -> S {
        let d = self.limited_depth(delta);
        self.modulus * self.scaled_rim_radius(d).0 * d * d.sqrt()
    }

    fn slope(&self, delta: S) -> S {
        let d = self.limited_depth(delta);
        let (value, growth) = self.scaled_rim_radius(d);
        self.modulus * value * d.sqrt() * (d * growth + 1.5)
    }

    fn energy(&self, delta: S) -> S {
        // As a function of u = √δ the integrand is smooth over lengths of the order of √Δ, so that the panels double
        // in length from there. Panels beyond the indentation have zero length.
        let end = self.limited_depth(delta).sqrt();
        let (mut low, mut high) = (S::of(0.0), (self.cavity - self.ball).sqrt());
        let mut sum = S::of(0.0);
        for _ in 0..=self.doublings {
            let panel = |low: S| integrate(low, high.min(end), |u| u * 2.0 * self.force(u * u));
            sum = sum + panel(low.min(end));
            (low, high) = (high, high * 2.0);
            if !S::any(low.lt(end)) {
                break;
            }
        }
        sum
    }
}

impl Elastic for Socket {
    over!(Socket {
        modulus, ball as "ball_radius", cavity as "cavity_radius"; rim, doublings
    });
}

/// Parallel cylinders: a pin in a bore, or two cylinders side by side.
///
/// With f = 4π·E*·Δ·exp(−1−t) the law becomes t·exp(−1−t) = δ/(4Δ), hence t − ln t = −1 − ln(δ/(4Δ)). The physical
/// branch is t > 1. At t = 1, where δ = 4Δ/e² = 0.541·Δ, the published δ(f) has its maximum and the formula ends. The
/// curve follows the formula up to t = 5/4 (δ = 0.527·Δ) and continues along its tangent, so that the force is finite
/// at every trial indentation beyond.
#[derive(Clone, Copy, Debug)]
pub struct Journal<S = f64> {
    /// Effective modulus E* (Pa).
    pub modulus: S,
    /// Length of the line contact (m).
    pub length: S,
    /// Δ (m): the difference of the radii of a pin and its bore, or the sum of the radii of cylinders side by side.
    pub clearance: S,
}

/// Value of t at which [`Journal`] continues along the tangent.
const T_AT_LIMIT: f64 = 1.25;

/// Number of Newton iterations for t. Starting from the upper bound, five reach rounding accuracy for t ≥ 5/4; one
/// more is needed for the derivatives, which converge one iteration later.
const NEWTON_STEPS: usize = 6;

impl<S: Scalar> Journal<S> {
    /// Returns the indentation (m) up to which the formula is used.
    pub fn limit(&self) -> S {
        self.clearance * (4.0 * T_AT_LIMIT * (-1.0 - T_AT_LIMIT).exp())
    }

    /// Solves for t, for 0 < δ ≤ limit.
    #[inline]
    fn exponent(&self, delta: S) -> S {
        let goal = S::of(-1.0) - (delta / (self.clearance * 4.0)).ln();
        // The start is an upper bound of the root (Chatzigeorgiou 2013). As t − ln t is convex, Newton's iteration
        // decreases from there.
        let mut t = goal + ((goal - 1.0).positive_part() * 2.0).sqrt();
        for _ in 0..NEWTON_STEPS {
            let step = (t - t.ln() - goal) * t / (t - 1.0);
            t = t - step;
            if !S::any(step.abs().gt(t * 1e-15)) {
                break;
            }
        }
        t.max(S::of(T_AT_LIMIT))
    }

    /// Computes the force at t (N).
    fn load(&self, t: S) -> S {
        self.modulus * (4.0 * PI) * self.clearance * self.length * (S::of(-1.0) - t).exp()
    }

    /// Computes dF/dδ at t (N/m).
    fn stiffness(&self, t: S) -> S {
        self.modulus * PI * self.length / (t - 1.0)
    }
}

impl<S: Scalar> Curve<S> for Journal<S> {
    #[inline]
    fn force(&self, delta: S) -> S {
        let (limit, last) = (self.limit(), S::of(T_AT_LIMIT));
        let beyond = || self.load(last) + self.stiffness(last) * (delta - limit);
        let within = || S::choose(delta.le(limit), || self.load(self.exponent(delta)), beyond);
        S::choose(delta.gt(S::of(0.0)), within, || S::of(0.0))
    }

    fn slope(&self, delta: S) -> S {
        let t = || S::choose(delta.le(self.limit()), || self.exponent(delta), || S::of(T_AT_LIMIT));
        S::choose(delta.gt(S::of(0.0)), || self.stiffness(t()), || S::of(0.0))
    }

    fn energy(&self, delta: S) -> S {
        // Integration of ∫ F dδ by parts over f gives F²/(π·E*·length)·(t/2 − 1/4).
        let by_formula = |t: S| {
            let load = self.load(t);
            load * load * (t * 0.5 - 0.25) / (self.modulus * PI * self.length)
        };
        let (limit, last) = (self.limit(), S::of(T_AT_LIMIT));
        let over = delta - limit;
        let beyond =
            || by_formula(last) + over * (self.load(last) + over * 0.5 * self.stiffness(last));
        let within = || S::choose(delta.le(limit), || by_formula(self.exponent(delta)), beyond);
        S::choose(delta.gt(S::of(0.0)), within, || S::of(0.0))
    }
}

impl Elastic for Journal {
    over!(Journal { modulus, length, clearance });
}

#[cfg(test)]
mod tests {
    use super::super::check::{impact, near, stored};
    use super::super::curve::{CoefficientSource, Curved, DampingShape};
    use super::super::{Exit, Exponent, Force};
    use super::*;

    /// E* of the steel in the paper (Pa).
    const STEEL: f64 = 112_894_420_788.295_65;

    fn socket(cavity: f64, index: f64, rim: RadiusRelation) -> Socket {
        Socket::new(STEEL, 0.05, cavity, index, rim)
    }

    #[test]
    fn the_contact_radius_is_that_of_the_printed_angle() {
        let form = socket(0.0505, 2.0, RadiusRelation::Circle);
        for delta in [1e-5_f64, 1e-4, 1e-3] {
            let reach = 0.5e-3 + delta;
            let cosine =
                (reach * reach + 0.0505f64.powi(2) - 0.05f64.powi(2)) / (2.0 * reach * 0.0505);
            let sine = (1.0 - cosine * cosine).sqrt();
            near(form.scaled_rim_radius(delta).0 * delta.sqrt(), 0.0505 * sine, 1e-8);
        }
    }

    #[test]
    fn the_numbers_of_the_paper() {
        // H for the indices 1 and 2, and the ratio to Liu's stiffness (section f of the recomputation).
        near(socket(0.0505, 1.0, RadiusRelation::Circle).small_depth_factor(), 1.91352e11, 1e-5);
        near(socket(0.0505, 2.0, RadiusRelation::Circle).small_depth_factor(), 2.29622e11, 1e-5);
        for (cavity, ratio) in [(0.0501, 0.9990), (0.0505, 0.9950), (0.051, 0.9901)] {
            let ours = socket(cavity, 2.0, RadiusRelation::Circle).force(1e-6);
            near(ours / socket(cavity, 2.0, RadiusRelation::Clearance).force(1e-6), ratio, 1e-4);
        }
        // Relative deviation of H·δ^(5/2) from the quadrature of the energy: +0.11 % at 1 µm, +10.3 % at 0.1 mm.
        let form = socket(0.0505, 2.0, RadiusRelation::Circle);
        for (delta, error) in [(1e-6_f64, 0.0011), (1e-5, 0.0107), (1e-4, 0.103), (5e-4, 0.455)] {
            let excess = form.small_depth_factor() * delta.powf(2.5) / form.energy(delta) - 1.0;
            assert!((excess - error).abs() < 0.006 * (1.0 + 100.0 * error) * 0.1, "{excess}");
        }
    }

    #[test]
    fn stored_energy_is_the_work_of_unloading() {
        for rim in [RadiusRelation::Circle, RadiusRelation::Clearance] {
            let curve = socket(0.0505, 2.0, rim);
            let shape = DampingShape::Power(Exponent::ThreeHalves);
            let form = Curved { curve, shape, source: CoefficientSource::coefficient(1e11) };
            let memory = form.touch(1.0, 0.3);
            for delta in [1e-6, 1e-4, 5e-3] {
                stored(form, 0.0, delta, &memory, 1e-9);
            }
        }
        let curve = Journal { modulus: STEEL, length: 0.02, clearance: 1e-4 };
        for shape in [DampingShape::Force, DampingShape::Slope(1.0)] {
            let form = Curved { curve, shape, source: CoefficientSource::coefficient(0.1) };
            let memory = form.touch(1.0, 0.3);
            for delta in [1e-9, 1e-6, 2e-5, 5e-5, 7e-5] {
                stored(form, 0.0, delta, &memory, 1e-8);
            }
        }
    }

    #[test]
    fn impacts_of_wang_and_gao_as_two_other_methods_have_them() {
        // Values of shared/data/oracle.json: restitution, indentation, duration; c = 0.5 and 0.9, v₀ = 0.3.
        for (index, e, coefficient, answer) in [
            (
                2.0,
                0.5,
                2943869390531.1357,
                [0.47938837467819917, 6.331897916372029e-6, 9.19181751999441e-5],
            ),
            (
                8.0,
                0.9,
                384819528174.00464,
                [0.8969308076330321, 7.4367162094529595e-6, 7.713810772559242e-5],
            ),
        ] {
            let curve = socket(0.0505, index, RadiusRelation::Circle);
            let ratio = 50.0 * curve.small_depth_factor() * (1.0 - e) / (13.0 * e);
            let shape = DampingShape::Power(Exponent::ThreeHalves);
            let form = Curved { curve, shape, source: CoefficientSource::PerSpeed(ratio) };
            near(form.touch(1.0, 0.3).damping, coefficient, 1e-12);
            let got = impact(form, 1.0, 0.3, Exit::ZeroForce, 4e-5);
            for (got, answer) in got.into_iter().zip(answer) {
                near(got, answer, 2e-7);
            }
        }
    }

    #[test]
    fn the_force_on_a_pin_solves_the_printed_equation_and_continues_smoothly() {
        let form = Journal { modulus: STEEL, length: 0.02, clearance: 1e-4 };
        for delta in [1e-12, 1e-8, 1e-6, 5e-5, 5.26e-5] {
            let load = form.force(delta) / form.length;
            let log = (4.0 * PI * STEEL * form.clearance / load).ln();
            near(load / (PI * STEEL) * (log - 1.0), delta, 1e-12);
        }
        let limit = form.limit();
        near(limit, 0.527e-4, 1e-3);
        near(form.force(limit * (1.0 + 1e-12)), form.force(limit), 1e-10);
        near(form.slope(limit * (1.0 + 1e-9)), form.slope(limit * (1.0 - 1e-9)), 1e-7);
        assert_eq!((form.force(0.0), form.force(-1.0), form.energy(-1.0)), (0.0, 0.0, 0.0));
        assert!(form.force(1e3).is_finite() && form.force(1e-300) >= 0.0);
    }
}
