//! Zunker & Kamrin: the mechanically derived response (MDR) of one contact.
//!
//! # Equation
//! Loading F = (4/3)·E*·√R·δ^(3/2) to δ_Y, where the mean pressure 4E*·√δ/(3π·√R) reaches p(δ) =
//! Y·(1 + 1.75·exp(−4.4·δ/R)); then F = π·a²·p(δ), a² = 2R·δ − δ² + δ_Y² − R·δ_Y. Unloading from
//! (δ_m, F_m): F = F_m·(2/π)·(θ − sin θ·cos θ), cos θ = (δ_m − δ)/w, w = h + u, h = 2p·a/E*, u =
//! p·a²·[(1−2ν)·z/(√(a²+z²)+z) − 2(1−ν)]/((1−ν)·E*·√(a²+z²)), z = R − δ_m + h.
//!
//! # Derivation
//! A sphere is pressed by a rigid plane. In rigid, perfectly plastic flow the sphere is truncated
//! at constant volume, with a mean pressure fitted to finite elements. The elastic part beneath is,
//! in the method of dimensionality reduction, a row of springs under a half-ellipse of width 2a
//! that has been pressed in to its full depth h. u is the displacement of the surface due to the
//! stress in the whole sphere.
//!
//! # Validity
//! Large deformation of elastic, perfectly plastic particles, δ up to about the radius; no
//! hardening.
//!
//! # Remarks
//! Two parts of the model are omitted because they do not belong to a law of two bodies: the
//! elastic response of the bulk, which depends on all contacts of a particle, and the growth of the
//! radius that keeps its volume constant. Adhesion is omitted too. One side of the contact is a
//! plane. For two spheres the effective radius and modulus are used, whereas LAMMPS averages both
//! sides; the difference is of the order of δ/R. The elastic curve of LAMMPS is a shallow ellipse
//! and also differs by terms of the order of δ/R. Just beyond yield the force is up to 9 % above
//! Hertz's, because the area of the truncated sphere grows twice as fast as that of the elastic
//! one. At yield the recovered depth falls abruptly to 8/(3π) of the indentation and the
//! restitution to about 0.95, so that no value between this and 1 can be specified. Exact
//! calibration finds Y by a search at onset. The equations were taken from LAMMPS
//! (gran_sub_mod_normal.cpp, GranSubModNormalMDR). The stiffness and exponent of the pair are not
//! used.
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
