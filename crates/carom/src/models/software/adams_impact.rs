//! The IMPACT function of Adams and of the programs that follow it.
//!
//! # Equation
//! F = max(0, K·δⁿ + c·STEP(δ; 0, 0; d, 1)·δ̇), STEP = h²(3−2h) with h = δ/d between 0 and 1.
//!
//! # Derivation
//! A spring and a constant damper, made continuous: the cubic brings the damper in over the depth
//! d, so that the force has no jump at touch, and the maximum cuts off its pull at the end. Nothing
//! here is derived from an impact; c and d are numerical choices.
//!
//! # Validity
//! Any, after calibration. Programs leave K, n, c and d to the user; their defaults are meant for
//! parts of steel of about 1 kg.
//!
//! # Remarks
//! No formula leads from a restitution to c: what is delivered depends on mass, speed and depth,
//! and with fixed c it changes with the speed. Ask for an exact restitution and c is found at
//! touch. The maximum is the exit at zero force; an end at zero indentation lets it pull. c in
//! N·s/m, d in m: both change with the length unit of the program, as K in N/mⁿ does. The default
//! depth is the 0.1 mm of Adams. Found as IMPACT also in MotionSolve and SolidWorks Motion.
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
        .or(1e-4)],
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
