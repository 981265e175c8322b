//! Brändlein, Eschmann, Hasbargen & Weigand: line contact of a steel roller and its raceway.
//!
//! # Equation
//! F = K·δ^1.08, K = 2.62·10¹⁰·l^0.92 with the contact length l in metres (K in N/m^1.08).
//!
//! # Derivation
//! A fit for steel of 206 GPa, F = 26 200·l^0.92·δ^1.08 with F in newtons, l and δ in millimetres;
//! in metres the constant is 26 200·1000^(0.92+1.08). The approach of two cylinders grows a little
//! slower than in proportion to the load (δ ~ F·ln(C/F)), hence an exponent just above 1, and the
//! radii nearly drop out.
//!
//! # Validity
//! Steel on steel, cylinders with parallel axes, as in rolling bearings; elastic.
//!
//! # Remarks
//! No dissipation: the restitution is 1. When the length is known (a fact of the pair, or set) K
//! and n follow from it and those of the pair are not used; without it the pair's own K and n are
//! the law, which is the way to use another material or fit, such as the l^(8/9)·δ^(10/9) of ISO/TS
//! 16281. The review calls K a function of the contact's duration; its length is meant. The
//! constants are the best reading of secondary sources.
//!
//! # Reference
//! J. Brändlein, P. Eschmann, L. Hasbargen, K. Weigand, Ball and Roller Bearings: Theory, Design
//! and Application, 3rd ed., Wiley, Chichester (1999).

use crate::error::positive;
use crate::law::Power;
use crate::model::{Input, Model};
use crate::models::shared::{self, POSITIVE, parameter};

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
        let length = positive("length", length, "give the length of the line contact in metres")?;
        let pair = shared::with_stiffness(inputs, 2.62e10 * length.powf(0.92), 1.08)?;
        Ok(inputs.law(Power::elastic(pair.stiffness, pair.exponent)))
    },
    ..Model::BLANK
};
