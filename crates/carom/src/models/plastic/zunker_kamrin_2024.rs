//! Zunker & Kamrin: the mechanically derived response (MDR) of one contact.
//!
//! # Equation
//! Loading F = (4/3)·E*·√R·δ^(3/2) to δ_Y, where the mean pressure 4E*·√δ/(3π·√R) reaches p(δ) =
//! Y·(1 + 1.75·exp(−4.4·δ/R)); then F = π·a²·p(δ), a² = 2R·δ − δ² + δ_Y² − R·δ_Y. Unloading from
//! (δ_m, F_m): F = F_m·(2/π)·(θ − sin θ·cos θ), cos θ = (δ_m − δ)/w, w = h + u, h = 2p·a/E*, u =
//! p·a²·[(1−2ν)·z/(√(a²+z²)+z) − 2(1−ν)]/((1−ν)·E*·√(a²+z²)), z = R − δ_m + h.
//!
//! # Derivation
//! A sphere pressed by a rigid plane: rigid, perfectly plastic flow keeps the volume and truncates
//! the sphere, with a mean pressure fitted to finite elements; the elastic part beneath is, in the
//! method of dimensionality reduction, a row of springs under a half-ellipse of width 2a that has
//! been pushed in to its full depth h. u is the motion of the surface by the stress in the whole
//! sphere.
//!
//! # Validity
//! Large deformation of elastic, perfectly plastic particles, δ to about the radius; no hardening.
//!
//! # Remarks
//! Two parts of the model are left out because they are no two-body law: the elastic response of
//! the bulk, which needs all contacts of a particle, and the growth of the radius that keeps its
//! volume. Adhesion is left out too. One side of the contact is a plane: for two spheres the
//! effective radius and modulus are used, where LAMMPS averages both sides; these differ in terms
//! of the order of δ/R. The elastic curve of LAMMPS is a shallow ellipse, the same but for δ/R.
//! Just beyond yield the force is up to 9 % above Hertz's, since the area of the truncated sphere
//! grows twice as fast as that of the elastic one. At yield the recovered depth falls to 8/(3π) of
//! the indentation and the restitution to about 0.95 at once, so that none between this and 1 can
//! be asked for. Exact calibration searches Y at touch. Read in LAMMPS (gran_sub_mod_normal.cpp,
//! GranSubModNormalMDR). The stiffness and exponent of the pair are not used.
//!
//! # Reference
//! W. Zunker, K. Kamrin, A mechanically-derived contact model for adhesive elastic-perfectly
//! plastic particles, Part I, J. Mech. Phys. Solids 183 (2024) 105492.

use crate::law::Mdr;
use crate::model::{Coefficient, Input, Model};
use crate::models::shared::{MODULUS, POISSON, RADIUS, YIELD, yielding};

pub const MODEL: Model = Model {
    id: "zunker-kamrin-2024",
    title: "Zunker & Kamrin 2024",
    aliases: &["mdr", "zunker-kamrin"],
    year: 2024,
    input: Input::Material,
    parameters: &[MODULUS, RADIUS, POISSON, YIELD],
    doi: Some("10.1016/j.jmps.2023.105492"),
    coefficient: Coefficient::parameter(YIELD.name, YIELD.unit),
    build: |inputs| {
        let (modulus, radius) = (inputs.positive("modulus")?, inputs.positive("radius")?);
        let curve = Mdr { modulus, radius, poisson: inputs.parameter(POISSON.name)? };
        Ok(inputs.law(yielding(inputs, YIELD.name, curve)?))
    },
    ..Model::BLANK
};
