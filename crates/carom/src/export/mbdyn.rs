//! MBDyn, the constitutive law `continuous contact` of module-cont-contact.
//!
//! f = xⁿ·(κ + D·ẋ) while x > 0, with D computed at every touch from the approach speed. Among its three formulas,
//! Flores' D = (8/5)·κ·(1−e′)/(e′·ẋ₀) can express every damping: ε = 8(1−e′)/(5e′), so e′ = 8/(8+5ε) is written for
//! the exact ε. Used as in the manual (e′ = e), the formula delivers 0.47 instead of 0.5.
//!
//! The law acts on the strain of a rod, (l − l₀)/l₀; for a rod of 1 m strain and indentation have the same numerical
//! value, and κ = K. For another length κ = K·l₀ⁿ.
//!
//! Source: mbdyn 1727489e, `modules/module-cont-contact/module-cont-contact.cc`, `manual/input/modules.tex`.

use super::Plan;
use super::engine::{Check, Deck, Engine, Form, Viscous, ZERO_INDENTATION};
use super::text::{fill, number, setting};
use crate::error::Result;

/// Description of MBDyn.
pub(super) const ENGINE: Engine = Engine {
    id: "mbdyn",
    title: "MBDyn module-cont-contact",
    version: "1.7, source of March 2021",
    check: Check::Read,
    forms: &[Form {
        name: "continuous contact, formulation, flores",
        damping: Viscous::Elastic,
        exits: ZERO_INDENTATION,
        per_touch: true,
        ..Form::BLANK
    }],
    command: &["mbdyn", "-f", "FILE"],
    traps: &[
        "the manual's restitution is not delivered: 0.47 for 0.5 with flores, 0.66 with hunt crossley, 0.73 with \
         lankarani nikravesh; the number written here makes flores exact",
        "the law sees the strain of the rod, so kappa = K only for a rod of length 1",
        "the Jacobian of the module lacks a factor, so more iterations are allowed here than usual",
    ],
    ..Engine::BLANK
};

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let written = 8.0 / (8.0 + 5.0 * plan.epsilon());
    let mut values = plan.values();
    values.extend([
        ("restitution", number(written)),
        // The module does not damp below this speed, which is set to a thousandth of the approach speed.
        ("threshold", number(1e-3 * plan.case.speed)),
        ("tolerance", number(1e-9 * plan.impact.force_max)),
    ]);
    Ok(Deck {
        files: vec![fill("impact.mbd", include_str!("templates/mbdyn.mbd"), &values)?],
        settings: vec![
            setting("mass", plan.law.mass, "kg"),
            setting("restitution", written, ""),
            setting("kappa", plan.stiffness, "N"),
            setting("exp", plan.exponent, ""),
        ],
    })
}
