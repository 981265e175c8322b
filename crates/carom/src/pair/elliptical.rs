//! Hertzian point contact of surfaces with general curvatures.
//!
//! Near the first point of contact the gap of two smooth bodies is (ρₐx² + ρ_b y²)/2, where ρₐ and ρ_b are the
//! principal curvatures of the gap. For aligned bodies these are the sums of the curvatures of both bodies in the two
//! directions, concave ones being negative. The contact is an ellipse with semi-axes a ≥ b; with m = 1 − (b/a)² and
//! the complete elliptic integrals 𝐊(m), 𝐄(m), Hertz's pressure p₀ gives
//!
//! ρₐ/2 = (p₀/E*)·(b/(m a²))·(𝐊−𝐄), ρ_b/2 = (p₀/E*)·(b/(m a²))·((a/b)²𝐄−𝐊), δ = (p₀/E*)·b·𝐊, F = (2/3)π p₀ab.
//!
//! The ratio of the curvatures determines b/a. Elimination of p₀ and b gives, with k = b/a and S = ρₐ + ρ_b,
//!
//! F = K·δ^(3/2), K = (2π/3)·E*·√(2𝐄/S)/(k·𝐊^(3/2)).
//!
//! Source: K. L. Johnson, Contact Mechanics, Cambridge University Press 1985, §4.2.

use super::check_representable;
use crate::error::{Error, Result, check_positive};
use crate::numeric::root;
use std::f64::consts::PI;

/// Ratio of curvatures below which a contact is regarded as a line contact.
const MIN_CURVATURE_RATIO: f64 = 1e-12;

/// Computes K with n = 3/2 (N/m^1.5) of a point contact with two principal relative curvatures (1/m).
///
/// ```
/// use carom::pair::stiffness::{elliptical, sphere_plane};
/// // A ball is the circular case.
/// let ball = elliptical(1e11, 1.0 / 0.01, 1.0 / 0.01)?;
/// assert!((ball / sphere_plane(1e11, 0.01)? - 1.0).abs() < 1e-14);
/// // A 10 mm ball in a groove of 10.4 mm: curvatures 1/R and 1/R - 1/R_groove.
/// let groove = elliptical(1e11, 100.0, 100.0 - 1.0 / 0.0104)?;
/// assert!(groove > ball);
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// If a curvature is not positive (the bodies would touch elsewhere first), or if one is so small compared with the
/// other that the contact is a line.
pub fn elliptical(modulus: f64, curvature_a: f64, curvature_b: f64) -> Result<f64> {
    check_positive("modulus", modulus, "give E* in Pa, 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2")?;
    let advice =
        "it is the sum of both bodies' curvatures in one direction in 1/m, concave ones negative";
    check_positive("curvature_a", curvature_a, advice)?;
    check_positive("curvature_b", curvature_b, advice)?;
    let ratio = curvature_a.min(curvature_b) / curvature_a.max(curvature_b);
    if ratio < MIN_CURVATURE_RATIO {
        let advice = "the contact is a line: use a cylinder with its length";
        let what = format!("a point contact of curvature ratio {ratio:e}");
        return Err(Error::unsupported(what, advice));
    }
    let ellipse = Ellipse::of(ratio);
    let sum = curvature_a + curvature_b;
    let shape = (2.0 * ellipse.second / sum).sqrt() / (ellipse.axes * ellipse.first.powf(1.5));
    check_representable(2.0 * PI / 3.0 * modulus * shape)
}

/// Contact ellipse for a ratio of curvatures.
struct Ellipse {
    /// k = b/a, in (0, 1].
    axes: f64,
    /// 𝐊(1−k²).
    first: f64,
    /// 𝐄(1−k²).
    second: f64,
}

impl Ellipse {
    /// Solves ρₐ/ρ_b = `ratio` for k, with `ratio` in [1e-12, 1].
    fn of(ratio: f64) -> Self {
        // ρₐ/ρ_b = k²·𝐃/𝐁 increases from 0 to 1 with k. It lies between k² and k^(4/3), so that k lies between the
        // powers 3/4 and 1/2 of the ratio. The unknown is ln k.
        let (low, high) = (0.75 * ratio.ln(), 0.5 * ratio.ln());
        let excess = |log: f64| {
            let (b, d) = integrals(log.exp());
            (2.0 * log).exp() * d - ratio * b
        };
        let axes = root::find(low, high, 0.0, excess).unwrap_or(high).exp();
        let (b, d) = integrals(axes);
        Self { axes, first: b + d, second: b + axes * axes * d }
    }
}

/// Computes 𝐁 = (𝐄 − k²𝐊)/m and 𝐃 = (𝐊 − 𝐄)/m, with m = 1 − k² and 0 < k ≤ 1.
///
/// 𝐊 = 𝐁 + 𝐃 and 𝐄 = 𝐁 + k²𝐃. Unlike 𝐊 − 𝐄, neither 𝐁 nor 𝐃 loses digits as the ellipse becomes a circle. They are
/// computed by the arithmetic–geometric mean: with aₙ, gₙ starting from (1, k) and cₙ₊₁ = (aₙ−gₙ)/2, 𝐊 = π/(2a∞) and
/// 𝐊 − 𝐄 = 𝐊·(m/2 + Σ 2ⁿ⁻¹cₙ²).
fn integrals(k: f64) -> (f64, f64) {
    let m = (1.0 - k) * (1.0 + k);
    let (mut a, mut g) = (1.0f64, k);
    // c²/m, starting from c₀² = m; each further c is c²/(4a), without cancellation.
    let mut square = 1.0;
    let mut sum = 0.0;
    let mut weight = 1.0;
    for _ in 0..40 {
        let mean = 0.5 * (a + g);
        square *= square * m / (16.0 * mean * mean);
        sum += weight * square;
        weight *= 2.0;
        g = (a * g).sqrt();
        a = mean;
        if (a - g).abs() <= 1e-16 * a || weight * square < 1e-17 {
            break;
        }
    }
    let first = PI / (a + g);
    (first * (0.5 - sum), first * (0.5 + sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integrals_have_their_known_values() {
        let (b, d) = integrals(1.0);
        assert!((b - PI / 4.0).abs() < 1e-15 && (d - PI / 4.0).abs() < 1e-15);
        // For k² = 1/2, 𝐊 = Γ(1/4)²/(4√π) and 𝐄 = (𝐊 + π/(2𝐊))/2 (Legendre's relation).
        let (b, d) = integrals(0.5f64.sqrt());
        let k = 1.854_074_677_301_371_9;
        assert!((b + d - k).abs() < 1e-14);
        assert!((b + 0.5 * d - 0.5 * (k + PI / (2.0 * k))).abs() < 1e-14);
        // For k → 0, 𝐊 → ln(4/k) and 𝐄 → 1.
        let (b, d) = integrals(1e-9);
        assert!((b + d - (4e9f64).ln()).abs() < 1e-12 && (b - 1.0).abs() < 1e-13);
    }

    #[test]
    fn the_table_of_rolling_bearing_analysis_is_reproduced() {
        // F(ρ), a*, b*, δ* as tabulated by T. A. Harris, Rolling Bearing Analysis, Table 6.1.
        for [difference, a, b, delta] in [
            [0.0, 1.0, 1.0, 1.0],
            [0.1075, 1.0760, 0.9318, 0.9974],
            [0.3204, 1.2623, 0.8114, 0.9761],
            [0.4795, 1.4556, 0.7278, 0.9429],
            [0.5916, 1.6440, 0.6687, 0.9077],
            [0.6716, 1.8258, 0.6245, 0.8733],
            [0.7332, 2.011, 0.5881, 0.8394],
            [0.7948, 2.265, 0.5480, 0.7961],
            [0.87366, 2.800, 0.4863, 0.7169],
            [0.90999, 3.233, 0.4499, 0.6636],
            [0.93657, 3.738, 0.4166, 0.6112],
            [0.95738, 4.395, 0.3830, 0.5551],
            [0.97290, 5.267, 0.3490, 0.4960],
        ] {
            let e = Ellipse::of((1.0 - difference) / (1.0 + difference));
            let found = [
                (2.0 * e.second / (PI * e.axes * e.axes)).cbrt(),
                (2.0 * e.second * e.axes / PI).cbrt(),
                2.0 * e.first / PI * (PI * e.axes * e.axes / (2.0 * e.second)).cbrt(),
            ];
            for (found, printed) in found.iter().zip([a, b, delta]) {
                assert!((found / printed - 1.0).abs() < 1.5e-3, "{difference}: {found} {printed}");
            }
            // δ* computed from K: δ = δ*·(3F/(2SE*))^(2/3)·S/2.
            let (sum, modulus) = (200.0, 1e11);
            let k =
                elliptical(modulus, sum * (1.0 - difference) / 2.0, sum * (1.0 + difference) / 2.0);
            let from_table = (2.0 * sum * modulus / 3.0) / (delta * sum / 2.0).powf(1.5);
            // Harris's Σρ is the sum over both bodies and both directions, which equals this sum.
            assert!((k.unwrap() / from_table - 1.0).abs() < 2e-3, "{difference}");
        }
    }

    #[test]
    fn the_order_of_the_curvatures_does_not_matter_and_scaling_is_exact() {
        let k = elliptical(1e11, 100.0, 7.0).unwrap();
        assert_eq!(k, elliptical(1e11, 7.0, 100.0).unwrap());
        let scaled = elliptical(2e11, 400.0, 28.0).unwrap();
        assert!((scaled / k - 1.0).abs() < 1e-13);
    }

    #[test]
    fn the_solution_satisfies_both_curvature_equations() {
        for exponent in 0..=24 {
            let ratio = 10f64.powf(-0.5 * f64::from(exponent));
            let e = Ellipse::of(ratio);
            let m = (1.0 - e.axes) * (1.0 + e.axes);
            let residual = e.axes * e.axes * (e.first - e.second)
                - ratio * (e.second - e.axes * e.axes * e.first);
            assert!(residual.abs() < 1e-12 * ratio * m.max(1e-3), "{ratio}: {residual}");
            assert!(e.axes <= ratio.sqrt() * 1.000001 && e.axes >= ratio.powf(0.75));
        }
    }

    #[test]
    fn lines_and_nonsense_are_refused() {
        assert!(elliptical(1e11, 1e2, 1e-12).unwrap_err().is_unsupported());
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(elliptical(1e11, bad, 1.0).is_err() && elliptical(1e11, 1.0, bad).is_err());
            assert!(elliptical(bad, 1.0, 1.0).is_err());
        }
    }
}
