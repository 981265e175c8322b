//! Misprints of the review that change a number; each formula is evaluated as printed and as corrected.
//!
//! Numbers like E1 are those of carom's list of errata; errata that change no number are left out.

use crate::papers::{Reproduction, simpson};
use carom::exact::{
    Exponents, damping_ratio_zero_force, damping_ratio_zero_indentation, hunt_crossley,
    hunt_crossley_restitution, restitution,
};
use carom::numeric::root;
use carom::problems::experiment;
use carom::{Damping, Exit, Result, collide, model};

/// Computes the restitution that a formula of the catalogue delivers on the steel ball.
fn restitution_of(id: &str, e: f64) -> Result<f64> {
    let on = experiment("steel-ball-0.5")?;
    let law = model(id)?.law(&on.pair(), Damping::Restitution(e), None, &[])?;
    Ok(collide(&law, on.speed)?.restitution.newton)
}

/// Computes the restitution of a linear spring and damper with damping ratio ζ.
fn linear_restitution(zeta: f64, exit: Exit) -> Result<f64> {
    restitution(Exponents::new(1.0, 0.0, 1.0)?, exit, 2.0 * zeta)
}

/// Computes the second root of Khatiwada's equation with ln|·| instead of ln(·), for which εe > 1.
fn spurious_root(e: f64) -> f64 {
    let f = |x: f64| x * (1.0 + e) - ((1.0 + x) / (x * e - 1.0)).ln();
    root::find((1.0 + 1e-12) / e, 100.0 / e, 0.0, f).unwrap_or(f64::NAN)
}

/// Poisson's ratio of the tests of viscosities.
const POISSON: f64 = 0.3;

/// Returns the bulk and the shear modulus in units of E.
fn moduli() -> (f64, f64) {
    (1.0 / (3.0 * (1.0 - 2.0 * POISSON)), 1.0 / (2.0 * (1.0 + POISSON)))
}

/// Computes A/τ of Eq. 5.48 for viscosities τ·(bulk, shear modulus); `eta` is the shear viscosity that is inserted.
fn brilliantov_time(xi: f64, eta: f64) -> f64 {
    let nu = POISSON;
    (3.0 * xi - eta).powi(2) / (3.0 * (3.0 * xi + 2.0 * eta)) * (1.0 - nu * nu) * (1.0 - 2.0 * nu)
        / (nu * nu)
}

/// Computes A/τ of Eq. 5.49.
fn zheng_time(xi: f64, eta: f64) -> f64 {
    (1.0 - 2.0 * POISSON) * (1.0 + POISSON) * (2.0 * xi + eta / 3.0)
}

/// Computes D' of Eq. 5.38 for one body; `squared` is the term that is subtracted.
fn kuwabara_kono(xi: f64, eta: f64, squared: f64) -> f64 {
    (4.0 * (3.0 * xi + eta).powi(2) - squared) / (36.0 * (3.0 * xi + eta) * xi * eta)
}

/// Computes the coefficient of the mean displacement of a square in Eq. 5.6.
fn mean_square() -> f64 {
    let root_two = 2f64.sqrt();
    2.0 / std::f64::consts::PI * ((1.0 + root_two).ln() - (root_two - 1.0) / 3.0)
}

/// Computes ∫₀¹ z^(3/2)·(1−z^b)^(1/g) dz by Simpson's rule in φ with z = sin²φ, in which the integrand is smooth enough for six
/// digits.
fn profile_integral(b: f64, g: f64) -> f64 {
    simpson(std::f64::consts::FRAC_PI_2, 20_000, |phi| {
        let (sine, cosine) = phi.sin_cos();
        let z = sine * sine;
        z.powf(1.5) * (1.0 - z.powf(b)).max(0.0).powf(1.0 / g) * 2.0 * sine * cosine
    })
}

/// Yu's polynomials at the upper ends of their pieces, as printed.
const YU: [(f64, [f64; 4]); 4] = [
    (0.4, [2.1663, -3.7216, 0.8724, 0.9409]),
    (0.6, [1.1664, -2.4893, 0.3625, 1.0117]),
    (0.8, [0.5048, -1.3255, -0.3236, 1.1472]),
    (1.0, [0.2256, -0.6663, -0.8437, 1.2844]),
];

/// Adds the printed constants that can be computed.
fn constants(out: &mut Reproduction) {
    // ε = (2/5)(1−e)/(e·I) for the profile |rate| = v·(1−(δ/δ_max)^b)^(1/g), with its integral I.
    for (place, what, printed, b, g) in [
        ("Eq. 5.62", "factor of (1−e)/e, Ye and Flores: 8/5", "1.60", 2.0, 2.0),
        ("Sect. 5.4", "factor of (1−e)/e, Hu & Guo: 3/2", "1.50", 2.5, 2.0),
        ("Eq. 5.65", "factor of (1−e)/e, Safaeifar & Farshidianfar: 5/4", "1.25", 1.5, 5.5),
    ] {
        out.check(
            place,
            what,
            printed,
            0.4 / profile_integral(b, g),
            None,
            "the integral of the profile",
        );
    }
    let slope = 249.0 / (6.0 + 160.0);
    out.check("Eq. 5.64", "ε/(1−e) as e → 1, Zhang 2020: 3/2 is exact", "1.5", slope, None, "");
    for (e, [a, b, c, d]) in YU {
        let polynomial = ((a * e + b) * e + c) * e + d;
        let exact = if e < 1.0 { e * hunt_crossley(e) } else { 0.0 };
        let quantity = format!("Yu's polynomial for εe at e = {e}");
        out.check("Sect. 5.2 (Yu)", quantity, &format!("{polynomial:.4}"), exact, None, "the fit");
    }
    // Limit of εe as e → 0, to which the first piece is set on all of [0, 0.25].
    let limit = 1e-9 * hunt_crossley(1e-9);
    out.check(
        "Sect. 5.2 (Yu)",
        "Yu's εe at e = 0.25",
        "1.0000",
        0.25 * hunt_crossley(0.25),
        Some(limit),
        "by construction: up to e = 0.25 the limit for e → 0 is taken instead of the root, which exists and is below 1",
    );
    let square = mean_square();
    let halved = (100.0 * 2.0 * square).round() / 100.0 / 2.0;
    let why =
        format!("0.95/2: twice the coefficient, {:.4}, was rounded before halving", 2.0 * square);
    out.check("Eq. 5.6", "coefficient of a square", "0.475", square, Some(halved), why);
}

/// Adds every erratum.
pub fn table(out: &mut Reproduction) -> Result<()> {
    constants(out);
    let rows = errata()?.into_iter().map(|(id, place, what, wrong, right)| {
        let cell = |value: f64| match value.is_finite() {
            true => format!("{value:.4}"),
            false => "undefined".to_string(),
        };
        vec![id.to_string(), place.to_string(), what.to_string(), cell(wrong), cell(right)]
    });
    out.table(
        "Errata of the review, run as printed and corrected",
        "no. | place | what | as printed | right",
        rows.collect(),
    );
    Ok(())
}

type Erratum = (&'static str, &'static str, &'static str, f64, f64);

fn errata() -> Result<Vec<Erratum>> {
    let (bulk, shear) = moduli();
    // Goyal's exponent 4ζ instead of 2ζ gives the damping for √e.
    let goyal = linear_restitution(damping_ratio_zero_force(0.5f64.sqrt()), Exit::ZeroForce)?;
    let right = linear_restitution(damping_ratio_zero_force(0.5), Exit::ZeroForce)?;
    let clamped = linear_restitution(damping_ratio_zero_indentation(0.5), Exit::ZeroForce)?;
    let spurious = spurious_root(0.5);
    let square = mean_square();
    let wrong_viscosity = kuwabara_kono(bulk, shear, 9.0 * (bulk - shear).powi(2));
    let viscosity = kuwabara_kono(bulk, shear, (3.0 * bulk - 2.0 * shear).powi(2));
    // Two equal spheres, in units of A·E·√R: χ as printed, and (3/2)·K with K = (4/3)·E*·√R.
    let plane = 1.0 - POISSON * POISSON;
    let (printed_viscosity, stiffness) = (2.0 / plane, 4.0 / 3.0 / (2.0 * plane));
    let zheng_excess = printed_viscosity / (1.5 * stiffness);
    // Yigit: residual indentation in units of d_m, for d_m = 78 d_y; K_y = 3/2·K·√d_y.
    let deep = 78f64;
    let stays = |depth: f64| {
        (1.0 - depth.powf(-1.5) - 1.5 * (depth - 1.0) / depth.powf(1.5)).powf(2.0 / 3.0)
    };
    let limit = |depth: f64| (1.0 - 1.5 / depth.sqrt()).powf(2.0 / 3.0);
    // Yigit's linear law with a residual indentation of 36 %: the square root of the returned over the spent energy.
    let gamma: f64 = 1.0 - 0.36;
    let returned = |slope: f64| (slope * gamma * gamma).sqrt();
    let near_one = 1.0 - 1e-6;
    let gonthier = (1.0 - near_one * near_one) / near_one / (1.0 - near_one);
    Ok(vec![
        ("E1", "Eqs. 5.20, 5.22 (Goyal)", "delivered for 0.5", goyal, right),
        ("E2", "Eq. 5.6 (square)", "coefficient of the mean displacement", 0.475, square),
        (
            "E6",
            "Eq. 5.31 (Khatiwada)",
            "delivered for 0.5 by the root with εe > 1 that |·| adds",
            hunt_crossley_restitution(spurious),
            hunt_crossley_restitution(hunt_crossley(0.5)),
        ),
        (
            "E7",
            "Table 1 (Wang)",
            "delivered for 0.9 with 1 − e³ for 1 − e²",
            restitution_of("wang-2019-table", 0.9)?,
            restitution_of("zhiying-qishao-2006", 0.9)?,
        ),
        (
            "E10",
            "Eq. 5.38 (Kuwabara–Kono)",
            "relaxation time over that of the solid, ν = 0.3",
            viscosity / wrong_viscosity,
            1.0,
        ),
        (
            "E11",
            "Eq. 5.48 (Brilliantov 1996)",
            "the same, η inserted for η₁ = 2η",
            brilliantov_time(bulk, shear),
            brilliantov_time(bulk, 2.0 * shear),
        ),
        (
            "E11",
            "Eq. 5.49 (Zheng)",
            "the same, η inserted for η₁ = 2η",
            zheng_time(bulk, shear),
            zheng_time(bulk, 2.0 * shear),
        ),
        ("E12", "Eq. 5.50 (Zheng)", "χ over (3/2)KA for two equal spheres", zheng_excess, 1.0),
        (
            "E16",
            "Eq. 5.78 (Yigit)",
            "indentation left over the largest, 78 times yield",
            limit(deep),
            stays(deep),
        ),
        ("E16", "Eq. 5.78 (Yigit)", "the same, twice yield", limit(2.0), stays(2.0)),
        (
            "E17",
            "Eqs. 5.77, 5.79 (Yigit, linear)",
            "e with 36 % of the indentation left",
            returned(1.0 / (gamma * gamma)),
            returned(1.0 / gamma),
        ),
        ("E21", "Gonthier", "ε/(1−e) as e → 1", gonthier, 1.5),
        (
            "E29",
            "Gharib–Hurmuzlu",
            "delivered for 1 (no limit is stated)",
            restitution_of("gharib-hurmuzlu-2012", 1.0)?,
            1.0,
        ),
        (
            "E32",
            "Eq. 5.40 (Anagnostopoulos)",
            "delivered for 0.5 when the contact cannot pull",
            clamped,
            0.5,
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errata_have_the_effect_that_was_found_by_other_means() {
        let rows = errata().unwrap();
        for (id, what, wrong, right) in [
            ("E1", "delivered", 0.5f64.sqrt(), 0.5),
            ("E2", "coefficient", 0.475, 0.473201),
            ("E7", "delivered", 0.8577, 0.8959),
            ("E11", "the same", 1.845, 1.0),
            ("E16", "indentation", 0.88314, 0.88365),
            ("E17", "e with", 1.0, 0.8),
            ("E29", "delivered", 0.594, 1.0),
            ("E32", "delivered", 0.5503, 0.5),
        ] {
            let row = rows.iter().find(|row| row.0 == id && row.2.starts_with(what)).unwrap();
            assert!((row.3 - wrong).abs() < 5e-4, "{id}: {row:?}");
            assert!((row.4 - right).abs() < 5e-4, "{id}: {row:?}");
        }
        assert!((0.5 * spurious_root(0.5) - 1.1141).abs() < 1e-4);
        assert!((zheng_time(moduli().0, moduli().1) - 0.933).abs() < 1e-3);
    }
}
