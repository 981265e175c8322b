//! The IMPACT function of Adams and of other programs with the same function.
//!
//! # Equation
//! F = max(0, K·δⁿ + c·STEP(δ; 0, 0; d, 1)·δ̇), STEP = h²(3−2h) with h = δ/d between 0 and 1.
//!
//! # Derivation
//! A spring and a constant damper, made continuous: the cubic step increases the damping from zero
//! over the depth d, so that the force does not jump at onset, and the maximum removes the tension
//! at the end. Nothing is derived from an impact; c and d are numerical parameters.
//!
//! # Validity
//! Any impact, after calibration. Programs leave K, n, c and d to the user; their default values
//! are meant for steel parts of about 1 kg.
//!
//! # Remarks
//! There is no formula for c from a restitution. The restitution depends on mass, speed and depth,
//! and with constant c it changes with the speed. If an exact restitution is specified, c is found
//! at onset. The maximum in the equation corresponds to the exit at zero force; with the exit at
//! zero indentation the force can be tensile. c is in N·s/m and d in m; both depend on the length
//! unit of the program, as K in N/mⁿ does. The default depth is the 0.1 mm of Adams. MotionSolve
//! and SolidWorks Motion also have the function IMPACT.
//!
//! # Reference
//! MSC Adams/Solver, function IMPACT; Altair MotionSolve 2021 reference guide, function IMPACT.

use crate::law::{Exponent, SmoothStep};
use crate::model::{Coefficient, Input, Model};
use crate::models::shared::{POSITIVE, calibration, parameter};

pub const MODEL: Model = Model {
    id: "adams-impact",
    title: "Adams IMPACT",
    aliases: &["adams"],
    year: 2021,
    input: Input::Coefficient,
    parameters: &[parameter("full_damping_depth", "m", POSITIVE)
        .help("indentation from which the damper acts in full")
        .with_default(1e-4)],
    coefficient: Coefficient::in_unit("N s/m"),
    build: |inputs| {
        Ok(inputs.law(SmoothStep {
            stiffness: inputs.pair.stiffness,
            elastic: Exponent::new(inputs.pair.exponent),
            depth: inputs.positive("full_damping_depth")?,
            calibration: calibration(inputs)?,
        }))
    },
    ..Model::BLANK
};
