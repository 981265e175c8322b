//! Adams, the IMPACT function, which MotionSolve, SolidWorks Motion and RecurDyn have as well.
//!
//! IMPACT(x, ẋ, x₁, k, e, cmax, d) = max(0, k·(x₁−x)^e − cmax·STEP(x, x₁−d, 1, x₁, 0)·ẋ) for x < x₁. This is the form
//! of `adams-impact` with K = k and n = e, with a damper that fades in over the depth d and a contact that ends at
//! zero force. In the default units of Adams (mm, N, s) k is K·10^(−3n) and cmax is c·10^(−3).
//!
//! Source: Adams/Solver reference, function IMPACT.

use super::Plan;
use super::engine::{Check, Deck, Engine, Form, Viscous, ZERO_FORCE};
use super::text::{fill, number, setting};
use super::wanted::Shape;
use crate::error::Result;

/// Description of Adams.
pub(super) const ENGINE: Engine = Engine {
    id: "adams",
    title: "Adams IMPACT",
    aliases: &["adams-impact", "motionsolve"],
    version: "Adams/Solver reference of 2021",
    check: Check::Read,
    forms: &[Form { name: "IMPACT", damping: Viscous::Step, exits: ZERO_FORCE, ..Form::BLANK }],
    command: &["adams2021", "ru-standard", "FILE"],
    traps: &[
        "k and cmax change with the length unit: k by 10^(-3n) and cmax by 10^(-3) from m to mm",
        "a restitution follows from cmax, d, the mass and the speed together: at another speed or mass, export again",
    ],
    ..Engine::BLANK
};

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let n = plan.exponent;
    // An undamped law has no depth; the value is then irrelevant.
    let depth = match plan.damper {
        Shape::Step { depth } => depth,
        Shape::Power { .. } => plan.impact.indentation_max,
    };
    let per_mm = plan.stiffness * 10f64.powf(-3.0 * n);
    let mut values = plan.values();
    values.extend([
        ("depth", number(depth)),
        ("radius_mm", number(1e3 * plan.radius)),
        ("stiffness_mm", number(per_mm)),
        ("damping_mm", number(1e-3 * plan.damping)),
        ("depth_mm", number(1e3 * depth)),
    ]);
    Ok(Deck {
        files: vec![
            fill("impact.adm", include_str!("templates/adams.adm"), &values)?,
            fill("impact.acf", include_str!("templates/adams.acf"), &values)?,
            fill("impact.fun", include_str!("templates/adams.fun"), &values)?,
        ],
        settings: vec![
            setting("k", plan.stiffness, "N/m^n"),
            setting("e", n, ""),
            setting("cmax", plan.damping, "N*s/m"),
            setting("d", depth, "m"),
        ],
    })
}
