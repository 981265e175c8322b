//! Kogut & Etsion: three regimes of an elastic, perfectly plastic sphere, fitted to finite
//! elements.
//!
//! # Equation
//! In x = δ/δ_c, δ_c = (π·K·H/(2E*))²·R, K = 0.454 + 0.41ν, H = 2.8·Y, and F_c =
//! (4/3)·E*·√R·δ_c^(3/2): F/F_c = min(x^1.5, 1.03·x^1.425, 1.4·x^1.263, (3/K)·x). Contact area over
//! π·R·δ_c: min(max(x, 0.94·x^1.146), 2x) = a²/(R·δ_c). Unloading from (δ_m, F_m): F = F_m·(1 −
//! (δ_m − δ)/w)^(3/2), w = 3F_m/(4E*·a).
//!
//! # Derivation
//! K·H is the largest contact pressure at first yield, x = 1. Finite elements give the mean
//! pressure and the area as functions of the indentation, which are fitted by powers for 1 < x < 6
//! and 6 < x < 110. Beyond, the whole contact carries the hardness, F = 2π·R·H·δ. Unloading is that
//! of an elastic sphere which has been flattened over the radius a: the contact radius is
//! continuous at the turn.
//!
//! # Validity
//! Spheres flattened by a harder body, without hardening or rate effects; x up to some hundreds.
//!
//! # Remarks
//! The source changes from one power to the next at x = 1, 6 and 110, where the force jumps by 3, 2
//! and (for ν = 0.3) 8 %. carom uses the smallest of the powers instead. It changes between them
//! where they intersect, near 1.5, 6.7 and 147, and differs from the source only between the
//! printed points and these, by no more than the jumps. Of the two fits of the area the one for 6 <
//! x < 110 is used throughout (they differ by 3 % at x = 6). The restitution is 1 up to x = 1.5 and
//! decreases as v₀^(−1/4) in fast impacts; exact calibration finds Y at every touch. The source has
//! no unloading curve; it is that of Etsion, Kligerman & Kadin in the form used in public code. The
//! fits are taken from SCHC-framework (asperity_f_cal.m, asperity_a_cal.m) and the unloading curve
//! from a rough-contact program after Jackson 2010 (SPHERE_PLASTIC_PRE2.m). The stiffness and
//! exponent of the pair are not used.
//!
//! # Reference
//! L. Kogut, I. Etsion, Elastic-plastic contact analysis of a sphere and a rigid flat, J. Appl.
//! Mech. 69 (2002) 657–662; I. Etsion, Y. Kligerman, Y. Kadin, Unloading of an elastic-plastic
//! loaded spherical contact, Int. J. Solids Struct. 42 (2005) 3716–3729.

use crate::law::Regimes;
use crate::model::{Coefficient, Input, Model};
use crate::models::shared::{MODULUS, POISSON, RADIUS, YIELD, yielding};

pub const MODEL: Model = Model {
    id: "kogut-etsion-2002",
    title: "Kogut & Etsion 2002",
    aliases: &["kogut-etsion"],
    year: 2002,
    input: Input::Material,
    parameters: &[MODULUS, RADIUS, POISSON, YIELD],
    doi: Some("10.1115/1.1490373"),
    coefficient: Coefficient::parameter(YIELD.name, YIELD.unit),
    build: |inputs| {
        let pressure = 0.454 + 0.41 * inputs.parameter(POISSON.name)?;
        let curve = Regimes {
            modulus: inputs.positive("modulus")?,
            radius: inputs.positive("radius")?,
            first_yield: 2.8 * pressure,
            hardness: 2.8,
            transition: true,
        };
        Ok(inputs.law(yielding(inputs, YIELD.name, curve)?))
    },
    ..Model::BLANK
};
