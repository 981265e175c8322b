//! Speed limits of elastic laws: yield, and loss of energy to elastic waves.

use super::Pair;
use super::stiffness::HERTZ;
use std::f64::consts::PI;

/// Computes √(E/ρ) (m/s), the speed of elastic waves in a slender bar.
///
/// ```
/// use carom::pair::limits::wave_speed;
/// assert!((wave_speed(2.1e11, 7850.0) - 5172.2).abs() < 0.1);
/// ```
pub fn wave_speed(youngs: f64, density: f64) -> f64 {
    (youngs / density).sqrt()
}

/// Computes 10⁻⁵·√(E/ρ) (m/s), the speed below which Lankarani and Nikravesh consider an impact to be elastic.
///
/// Some authors omit the factor 10⁻⁵; for steel the limit is 0.05 m/s, not 5 km/s.
pub fn low_speed_limit(youngs: f64, density: f64) -> f64 {
    1e-5 * wave_speed(youngs, density)
}

/// Ratio p₀/Y at which a point contact first yields, below its surface (ν ≈ 0.3).
pub const FIRST_YIELD: f64 = 1.6;

/// Computes the indentation at which the maximum of Hertz's pressure reaches p_y: δ_y = R·(π·p_y/(2E*))² (m).
pub fn yield_indentation(modulus: f64, radius: f64, pressure: f64) -> f64 {
    radius * (0.5 * PI * pressure / modulus).powi(2)
}

/// Computes the force at first yield: P_y = (4/3)·E*·√R·δ_y^(3/2) = π³R²p_y³/(6E*²) (N).
pub fn yield_force(modulus: f64, radius: f64, pressure: f64) -> f64 {
    (PI * pressure).powi(3) * radius * radius / (6.0 * modulus * modulus)
}

/// Computes the speed of the slowest impact of two spheres that yields: v_y = √((4/5)·P_y·δ_y/mₑ) at p_y = 1.6·Y
/// (m/s).
///
/// The work up to δ_y is ∫F dδ = (2/5)·P_y·δ_y and equals ½mₑv_y². Hence v_y² = π⁵R³p_y⁵/(30·mₑ·E*⁴), so that ½mₑv_y²
/// ≈ 53·R³Y⁵/E*⁴, and for a ball on a half-space of the same material ρv_y²/Y ≈ 26·(Y/E*)⁴ (K. L. Johnson, Contact
/// Mechanics, §11.5). For hard metals this is millimetres to centimetres per second: hardly any real impact is fully
/// elastic.
///
/// ```
/// use carom::pair::limits::yield_speed;
/// // A 12.7 mm ball of mild steel (Y = 235 MPa) on a plane of the same.
/// let mass = 7850.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.0127f64.powi(3);
/// let v = yield_speed(1.154e11, 0.0127, mass, 235e6);
/// assert!((v / 3.6e-3 - 1.0).abs() < 0.05);
/// ```
pub fn yield_speed(modulus: f64, radius: f64, mass: f64, yield_strength: f64) -> f64 {
    let pressure = FIRST_YIELD * yield_strength;
    let work =
        yield_force(modulus, radius, pressure) * yield_indentation(modulus, radius, pressure);
    (0.8 * work / mass).sqrt()
}

impl Pair {
    /// Computes the fraction of the energy of an impact that elastic waves carry away, λ = 1.04·(v/c₀)^(3/5), where
    /// c₀ = √(E/ρ) is the lower of the wave speeds of the bodies; `None` if no modulus and density are known.
    ///
    /// The formula holds for a sphere on a half-space with ν = 1/4 (S. C. Hunter, J. Mech. Phys. Solids 5 (1957)
    /// 162–171; K. L. Johnson, Contact Mechanics, §11.4). The value of e² for the bodies is that for the contact
    /// alone minus this fraction.
    pub fn wave_loss(&self, speed: f64) -> Option<f64> {
        let speed_of = |youngs, density| Some(wave_speed(self.fact(youngs)?, self.fact(density)?));
        let slowest =
            min_of_known(speed_of("youngs_1", "density_1"), speed_of("youngs_2", "density_2"))?;
        Some(1.04 * (speed / slowest).powf(0.6))
    }

    /// Computes 10⁻⁵·√(E/ρ) (m/s) for the body with the slower waves, if moduli and densities are known.
    ///
    /// ```
    /// use carom::pair::{Body, Pair, Shape, material};
    /// let ball = Body::new(Shape::Sphere { radius: 0.0127 }, *material("steel")?);
    /// let pair = Pair::of(&ball, &Body::new(Shape::Plane, *material("steel")?))?;
    /// assert!((pair.low_speed_limit().unwrap() - 0.0517).abs() < 1e-4);
    /// assert!(pair.yield_speed().unwrap() < 0.01);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn low_speed_limit(&self) -> Option<f64> {
        let limit_of =
            |youngs, density| Some(low_speed_limit(self.fact(youngs)?, self.fact(density)?));
        min_of_known(limit_of("youngs_1", "density_1"), limit_of("youngs_2", "density_2"))
    }

    /// Computes the speed of the slowest impact that yields (m/s), for a circular point contact with a known yield
    /// strength.
    ///
    /// The weaker body yields first; if only one strength is known, only that body is considered.
    pub fn yield_speed(&self) -> Option<f64> {
        if self.exponent != HERTZ {
            return None;
        }
        let strength = min_of_known(self.fact("yield_1"), self.fact("yield_2"))?;
        Some(yield_speed(self.fact("modulus")?, self.fact("radius")?, self.mass, strength))
    }
}

/// Fraction of the energy lost to elastic waves above which a note is given; it lowers the restitution by half of
/// this fraction.
pub const NOTABLE_WAVE_LOSS: f64 = 0.02;

fn min_of_known(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::stiffness::sphere_plane;

    #[test]
    fn force_and_indentation_at_yield_lie_on_hertz_curve() {
        let (modulus, radius, pressure) = (1.15e11f64, 0.0127, 4e8);
        let delta = yield_indentation(modulus, radius, pressure);
        let force = yield_force(modulus, radius, pressure);
        let k = sphere_plane(modulus, radius).unwrap();
        assert!((force / (k * delta.powf(1.5)) - 1.0).abs() < 1e-14);
        // Hertz's relation p₀ = 3F/(2πa²) with a² = Rδ.
        assert!((1.5 * force / (PI * radius * delta) / pressure - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_onset_of_yield_has_johnsons_numbers() {
        let (modulus, radius, density, y) = (1.15e11f64, 0.01f64, 7850.0, 3e8f64);
        let mass = density * 4.0 / 3.0 * PI * radius.powi(3);
        let v = yield_speed(modulus, radius, mass, y);
        let energy = 0.5 * mass * v * v / (radius.powi(3) * y.powi(5) / modulus.powi(4));
        assert!((energy - 53.0).abs() < 1.0, "{energy}");
        let ratio = density * v * v / y / (y / modulus).powi(4);
        assert!((ratio - 26.0).abs() < 1.0, "{ratio}");
        let written_out =
            PI.powi(5) * radius.powi(3) * (1.6 * y).powi(5) / (30.0 * mass * modulus.powi(4));
        assert!((v * v / written_out - 1.0).abs() < 1e-13);
    }

    #[test]
    fn a_pair_of_bare_numbers_knows_no_limits() {
        let pair = Pair::new(1.0, 1e9, 1.5).unwrap();
        assert_eq!((pair.low_speed_limit(), pair.yield_speed()), (None, None));
    }
}
