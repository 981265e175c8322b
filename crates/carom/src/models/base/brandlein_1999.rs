//! Brändlein, Eschmann, Hasbargen & Weigand: line contact of a steel roller and its raceway.
//!
//! # Equation
//! F = K·δ^1.08, K = 2.62·10¹⁰·l^0.92 with the contact length l in metres (K in N/m^1.08).
//!
//! # Derivation
//! This is a fit for steel with E = 206 GPa: F = 26 200·l^0.92·δ^1.08, with F in newtons and l and
//! δ in millimetres. In metres the constant is 26 200·1000^(0.92+1.08). The approach of two
//! cylinders grows slightly more slowly than the load (δ ~ F·ln(C/F)); the exponent is therefore
//! just above 1, and the radii have almost no influence.
//!
//! # Validity
//! Steel on steel; cylinders with parallel axes, as in rolling bearings; elastic contact.
//!
//! # Remarks
//! There is no dissipation: the restitution is 1. If the length is known (from the pair, or because
//! it is set), K and n follow from it and those of the pair are not used. Without a length the law
//! has K and n of the pair. In this way another material or another fit can be used, such as
//! l^(8/9)·δ^(10/9) of ISO/TS 16281. The review calls K a function of the duration of the contact;
//! the contact length is meant. The constants are those of
//! secondary sources.
//!
//! # Reference
//! J. Brändlein, P. Eschmann, L. Hasbargen, K. Weigand, Ball and Roller Bearings: Theory, Design
//! and Application, 3rd ed., Wiley, Chichester (1999).

use crate::error::check_positive;
use crate::law::Power;
use crate::model::{Input, Model};
use crate::models::shared::{POSITIVE, parameter, self};

pub const MODEL: Model = Model {
    id: "brandlein-1999",
    title: "Brändlein, Eschmann, Hasbargen & Weigand 1999",
    aliases: &["brandlein"],
    year: 1999,
    input: Input::Elastic,
    parameters: &[parameter("length", "m", POSITIVE)
        .help("length of the line contact; K and n of the pair are used when it is not known")],
    build: |inputs| {
        let Some(length) = inputs.optional("length")? else {
            return Ok(inputs.law(Power::elastic(inputs.pair.stiffness, inputs.pair.exponent)));
        };
        let length = check_positive("length", length, "give the length of the line contact in metres")?;
        let pair = shared::pair_with_stiffness(inputs, 2.62e10 * length.powf(0.92), 1.08)?;
        Ok(inputs.law(Power::elastic(pair.stiffness, pair.exponent)))
    },
    ..Model::BLANK
};
