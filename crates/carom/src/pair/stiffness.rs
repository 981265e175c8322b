//! The stiffness K of K·δⁿ from shapes and moduli.
//!
//! Each formula is a separate function, which checks its arguments. Point contacts have n = 3/2 ([`HERTZ`]), flat
//! contacts n = 1, and line contacts n = 10/9 or 1.08. Formulas in which K depends on δ (Steuermann's index,
//! conformal contact) are laws and belong to the models.

use super::check_representable;
use crate::error::{Error, Result, check_positive, check_range};

pub use super::elliptical::elliptical;

/// Exponent n of Hertz's point contact.
pub const HERTZ: f64 = 1.5;

/// Exponent n of Palmgren's line contact and of ISO/TS 16281.
pub const PALMGREN: f64 = 10.0 / 9.0;

/// Exponent n of Brändlein's line contact.
pub const BRANDLEIN: f64 = 1.08;

const MODULUS_ADVICE: &str = "give E* in Pa, 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2";
const LENGTH_ADVICE: &str = "give it in m";

/// Computes the compliance σ = (1−ν²)/E (1/Pa) of one body; zero for E = ∞.
pub fn compliance(youngs: f64, poisson: f64) -> f64 {
    (1.0 - poisson) * (1.0 + poisson) / youngs
}

/// Computes E* = 1/(σ₁+σ₂) (Pa) from the compliances of both bodies; one of them may be rigid, σ = 0.
///
/// ```
/// use carom::pair::stiffness::{compliance, effective_modulus};
/// let steel = compliance(2.068e11, 0.29);
/// assert!((effective_modulus(steel, steel)? - 1.128944e11).abs() < 1e5);
/// assert!((effective_modulus(steel, 0.0)? - 2.257888e11).abs() < 1e5);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn effective_modulus(compliance_1: f64, compliance_2: f64) -> Result<f64> {
    for (name, value) in [("compliance_1", compliance_1), ("compliance_2", compliance_2)] {
        check_range(
            name,
            value,
            0.0,
            f64::MAX,
            "it is (1-nu^2)/E in 1/Pa, and 0 for a rigid body",
        )?;
    }
    if compliance_1 + compliance_2 == 0.0 {
        let advice = "let one of them deform, or give the stiffness itself";
        return Err(Error::unsupported("contact between two rigid bodies", advice));
    }
    Ok(1.0 / (compliance_1 + compliance_2))
}

/// Computes R of 1/R = 1/R₁ + 1/R₂ (m) for two convex bodies.
pub fn effective_radius(radius_1: f64, radius_2: f64) -> Result<f64> {
    check_positive("radius_1", radius_1, LENGTH_ADVICE)?;
    check_positive("radius_2", radius_2, LENGTH_ADVICE)?;
    let (small, large) = (radius_1.min(radius_2), radius_1.max(radius_2));
    Ok(small / (1.0 + small / large))
}

/// Computes R of 1/R = 1/R₁ − 1/R₂ (m) for a convex body of radius R₁ inside a cavity of radius R₂ > R₁.
///
/// Hertz's theory requires a contact that is small compared with R₁. For R₂ → R₁ the contact becomes conformal, and
/// this R, which grows without bound, is no longer meaningful.
pub fn internal_radius(radius: f64, cavity: f64) -> Result<f64> {
    check_positive("radius", radius, LENGTH_ADVICE)?;
    check_positive("cavity radius", cavity, LENGTH_ADVICE)?;
    if cavity <= radius {
        let allowed = format!("above the radius of the body inside, {radius} m");
        let advice =
            "a body that fills its cavity touches everywhere; widen the cavity by the clearance";
        return Err(Error::invalid("cavity radius", cavity, allowed, advice));
    }
    // The difference of two nearly equal radii is exact, and the quotient overflows only if the result does.
    Ok(radius * (cavity / (cavity - radius)))
}

/// Computes the stiffness of two spheres: K = (4/3)·E*·√R, R = R₁R₂/(R₁+R₂), n = 3/2 (N/m^1.5).
///
/// In the notation of the multibody literature, K = 4/(3(σ₁+σ₂))·√(R₁R₂/(R₁+R₂)).
pub fn sphere_sphere(modulus: f64, radius_1: f64, radius_2: f64) -> Result<f64> {
    point_contact(modulus, effective_radius(radius_1, radius_2)?)
}

/// Computes the stiffness of a sphere in a spherical socket: K = (4/3)·E*·√R, R = R₁R₂/(R₂−R₁), n = 3/2 (N/m^1.5).
///
/// ```
/// use carom::pair::stiffness::sphere_socket;
/// // Wang & Gao 2023: a 50 mm ball in a 50.5 mm socket.
/// let k = sphere_socket(1.128944e11, 0.05, 0.0505)?;
/// assert!((k / 3.38265e11 - 1.0).abs() < 1e-5);
/// assert!(sphere_socket(1e11, 0.05, 0.05).is_err());
/// # Ok::<(), carom::Error>(())
/// ```
pub fn sphere_socket(modulus: f64, radius: f64, cavity: f64) -> Result<f64> {
    point_contact(modulus, internal_radius(radius, cavity)?)
}

/// Computes the stiffness of a sphere on a plane: K = (4/3)·E*·√R, n = 3/2 (N/m^1.5).
pub fn sphere_plane(modulus: f64, radius: f64) -> Result<f64> {
    check_positive("radius", radius, LENGTH_ADVICE)?;
    point_contact(modulus, radius)
}

/// Computes (4/3)·E*·√R for the circular point contacts above.
fn point_contact(modulus: f64, radius: f64) -> Result<f64> {
    check_positive("modulus", modulus, MODULUS_ADVICE)?;
    check_representable(4.0 / 3.0 * modulus * radius.sqrt())
}

/// Computes the ratio of tangential to normal stiffness of two elastic bodies pressed together, 4·G*/E* with 1/G* = Σ
/// (2 − ν)/G and 1/E* = Σ (1 − ν²)/E; for one material it is 2(1 − ν)/(2 − ν). R. D. Mindlin, Journal of Applied
/// Mechanics 16 (1949) 259–268.
///
/// Each body is given by E and ν; a rigid one has an infinite E. Returns `None` if both are rigid or a number is not
/// admissible.
pub fn mindlin_ratio(bodies: [(f64, f64); 2]) -> Option<f64> {
    let normal: f64 = bodies.iter().map(|(youngs, nu)| (1.0 - nu * nu) / youngs).sum();
    let shear: f64 = bodies.iter().map(|(youngs, nu)| 2.0 * (2.0 - nu) * (1.0 + nu) / youngs).sum();
    let ratio = 4.0 * normal / shear;
    (ratio > 0.0 && ratio.is_finite()).then_some(ratio)
}

/// Exact coefficient (2/π)·[ln(1+√2) − (√2−1)/3]; the mean displacement of a uniformly loaded square is this number
/// times σ·P/a.
pub const SQUARE_EXACT: f64 = 0.4732010044093385;

/// Computes the stiffness of a flat square of side 2a on a flat surface: K = a·E*/0.4732, n = 1 (N/m).
///
/// The pressure is assumed to be uniform over the square, and δ is its mean displacement, whose coefficient is
/// [`SQUARE_EXACT`]; the published value 0.475 is rounded and makes K 0.38 % too small. A *rigid* punch, whose
/// pressure increases towards its edges, is about 9 % stiffer.
pub fn square_flat(modulus: f64, half_side: f64) -> Result<f64> {
    check_positive("modulus", modulus, MODULUS_ADVICE)?;
    check_positive("half_side", half_side, LENGTH_ADVICE)?;
    check_representable(half_side * modulus / SQUARE_EXACT)
}

/// Computes the stiffness of Palmgren's line contact of two cylinders with parallel axes: K =
/// E*·l^(8/9)/(4·0.39^(10/9)), n = 10/9 (N/m^(10/9)).
///
/// Palmgren's fit is δ = 0.39·(4·Q/E*)^0.9/l^0.8 for one contact of length l. It is dimensionally homogeneous, holds
/// for any pair of elastic materials and, like all formulas of this kind, does not depend on the radii (the exact
/// plane-strain result depends on them only logarithmically). For steel, in N and mm, it is the well-known Q =
/// 8.06·10⁴·l^(8/9)·δ^(10/9).
///
/// ```
/// use carom::pair::stiffness::{compliance, effective_modulus, palmgren};
/// let steel = compliance(206e9, 0.3);
/// let k = palmgren(effective_modulus(steel, steel)?, 1e-3)?; // N/m^(10/9) for 1 mm
/// let in_mm = k / 1e3f64.powf(10.0 / 9.0); // N/mm^(10/9)
/// assert!((in_mm / 8.06e4 - 1.0).abs() < 1e-3);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn palmgren(modulus: f64, length: f64) -> Result<f64> {
    check_positive("modulus", modulus, MODULUS_ADVICE)?;
    check_positive("length", length, LENGTH_ADVICE)?;
    check_representable(modulus * length.powf(8.0 / 9.0) / (4.0 * 0.39f64.powf(PALMGREN)))
}

/// Computes the stiffness of Brändlein's steel roller: F = 26200·l^0.92·δ^1.08 in N and mm, K = 2.62·10¹⁰·l^0.92
/// (N/m^1.08).
///
/// The formula holds for steel only and is independent of the radii; K depends on the *length* of the contact. δ is
/// the sum of the indentations at the two raceways between which the roller is compressed, which is twice Kunert's δ
/// = 4.05·10⁻⁵·F^0.925/l^0.85 (N, mm) for one contact. A single contact is therefore 2^1.08 times as stiff, and then
/// within about 15 % of [`palmgren`].
pub fn brandlein(length: f64) -> Result<f64> {
    check_positive("length", length, LENGTH_ADVICE)?;
    check_representable(26200.0 * 1e3f64.powf(0.92 + BRANDLEIN) * length.powf(0.92))
}

/// Computes the stiffness of the steel roller of ISO/TS 16281: F = 35948·l^(8/9)·δ^(10/9) in N and mm (returned in
/// N/m^(10/9)).
///
/// δ is the approach of the two rings, which is the sum of the indentations at the inner and the outer raceway. A
/// single contact is 2^(10/9) times as stiff; for it use [`palmgren`].
pub fn iso_16281(length: f64) -> Result<f64> {
    check_positive("length", length, LENGTH_ADVICE)?;
    // l^(8/9)·δ^(10/9) in mm is 10^(3·(8/9 + 10/9)) = 10⁶ times that in m.
    check_representable(35948e6 * length.powf(8.0 / 9.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) -> bool {
        (a / b - 1.0).abs() < tolerance
    }

    #[test]
    fn a_plane_is_a_sphere_without_curvature() {
        let k = sphere_plane(1e11, 0.01).unwrap();
        assert!(close(sphere_sphere(1e11, 0.01, 1e30).unwrap(), k, 1e-15));
        assert!(close(sphere_socket(1e11, 0.01, 1e30).unwrap(), k, 1e-15));
        assert!(close(k, 4.0 / 3.0 * 1e11 * 0.1, 1e-15));
    }

    #[test]
    fn equal_spheres_are_softer_by_root_two() {
        let two = sphere_sphere(1e11, 0.01, 0.01).unwrap();
        assert!(close(two * 2f64.sqrt(), sphere_plane(1e11, 0.01).unwrap(), 1e-15));
    }

    #[test]
    fn the_multibody_form_and_the_short_form_agree() {
        let (s1, s2) = (compliance(2.07e11, 0.3), compliance(7.1e10, 0.33));
        let (r1, r2) = (0.02f64, 0.05);
        let printed = 4.0 / (3.0 * (s1 + s2)) * (r1 * r2 / (r1 + r2)).sqrt();
        let short = sphere_sphere(effective_modulus(s1, s2).unwrap(), r1, r2).unwrap();
        assert!(close(short, printed, 1e-15));
    }

    #[test]
    fn the_exact_coefficient_of_the_square_is_the_formula() {
        let root = 2f64.sqrt();
        let exact = 2.0 / std::f64::consts::PI * ((1.0 + root).ln() - (root - 1.0) / 3.0);
        assert!((exact - SQUARE_EXACT).abs() < 1e-15 && (exact - 0.473201).abs() < 1e-6);
        // The published value 0.475 of the review is rounded.
        assert!(close(square_flat(1e11, 0.01).unwrap(), 1e9 / exact, 1e-15));
    }

    #[test]
    fn rollers_in_newton_and_millimetre_are_the_printed_ones() {
        let (l, delta) = (12.0f64, 0.02f64);
        let brandlein_n = brandlein(l * 1e-3).unwrap() * (delta * 1e-3).powf(BRANDLEIN);
        assert!(close(brandlein_n, 26200.0 * l.powf(0.92) * delta.powf(1.08), 1e-12));
        let iso = iso_16281(l * 1e-3).unwrap() * (delta * 1e-3).powf(PALMGREN);
        assert!(close(iso, 35948.0 * l.powf(8.0 / 9.0) * delta.powf(10.0 / 9.0), 1e-12));
    }

    #[test]
    fn two_raceways_in_series_explain_the_roller_constants() {
        let steel = compliance(206e9, 0.3);
        let single = palmgren(effective_modulus(steel, steel).unwrap(), 0.012).unwrap();
        assert!(close(iso_16281(0.012).unwrap() * 2f64.powf(PALMGREN), single, 0.05));
        // Kunert's formula for a single contact, δ = 4.05e-5·F^0.925/l^0.85 in N and mm.
        assert!(close(0.5 * 26200f64.powf(-1.0 / BRANDLEIN), 4.05e-5, 2e-3));
        let one = brandlein(0.012).unwrap() * 4e-5f64.powf(BRANDLEIN);
        assert!(close(one, single * 2e-5f64.powf(PALMGREN), 0.2));
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(sphere_sphere(bad, 1.0, 1.0).is_err() && sphere_sphere(1.0, bad, 1.0).is_err());
            assert!(sphere_plane(1.0, bad).is_err() && sphere_socket(1.0, bad, 1.0).is_err());
            assert!(square_flat(1.0, bad).is_err() && palmgren(1.0, bad).is_err());
            assert!(brandlein(bad).is_err() && iso_16281(bad).is_err());
        }
        assert!(sphere_socket(1e11, 0.05, 0.04).unwrap_err().is_invalid());
        assert!(effective_modulus(0.0, 0.0).unwrap_err().is_unsupported());
        assert!(effective_modulus(-1.0, 1.0).is_err() && effective_modulus(f64::NAN, 1.0).is_err());
        assert!(sphere_plane(f64::MAX, f64::MAX).is_err());
    }

    #[test]
    fn mindlins_ratio_is_that_of_one_material_and_leaves_out_rigid_bodies() {
        let same = mindlin_ratio([(2e11, 0.3), (2e11, 0.3)]).unwrap();
        assert!((same - 1.4 / 1.7).abs() < 1e-14);
        assert!((mindlin_ratio([(2e11, 0.3), (f64::INFINITY, 0.3)]).unwrap() - same).abs() < 1e-14);
        assert_eq!(mindlin_ratio([(f64::INFINITY, 0.3); 2]), None);
    }
}
