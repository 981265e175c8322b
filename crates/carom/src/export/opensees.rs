//! OpenSees, the uniaxial materials `Hertzdamp` and `JankowskiImpact` for pounding of structures.
//!
//! `Hertzdamp` applies (Kh + ξ·δ̇)·δⁿ with ξ = xiNorm·Kh/v₀, where v₀ is the approach speed at touch; xiNorm is
//! therefore ε of the Hunt–Crossley form for any n. The papers cited in its documentation compute xiNorm from
//! approximate formulas; the number written here is the exact ε.
//!
//! `JankowskiImpact` applies Kh·δⁿ + 2ξ·√(Kh·δ^(n−1)·m)·δ̇ during approach and Kh·δⁿ during separation, so
//! ξ = c/(2·√(Kh·m)) for a damper c·δ^((n−1)/2) that acts in compression only.
//!
//! Both return their tangent with the wrong sign (−n·K·δ^(n−1) for a compression that is negative), so a Newton
//! iteration with it need not converge. The script iterates with the initial tangent, which is 0 for both: with steps
//! that resolve the contact, the iteration converges in two or three iterations because of the inertia.
//!
//! Source: OpenSees 3915a7bc and 88fded15, `SRC/material/uniaxial/Hertzdamp.cpp` and `JankowskiImpact.cpp`.

use super::Plan;
use super::engine::{Deck, EITHER_EXIT, Engine, Form, Install, Viscous, ZERO_INDENTATION};
use super::text::{fill, number, setting};
use crate::advise::Integrator;
use crate::error::Result;
use crate::law::Phases;

/// Description of OpenSees.
pub(super) const ENGINE: Engine = Engine {
    id: "opensees",
    title: "OpenSees",
    aliases: &["openseespy"],
    version: "3.7.1",
    forms: &[
        Form {
            name: "uniaxialMaterial Hertzdamp",
            damping: Viscous::Elastic,
            exits: ZERO_INDENTATION,
            per_touch: true,
            ..Form::BLANK
        },
        Form {
            name: "uniaxialMaterial JankowskiImpact",
            damping: Viscous::VelocityFree,
            exits: EITHER_EXIT,
            phases: &[Phases::Compression],
            ..Form::BLANK
        },
    ],
    tolerance: Some(1e-3),
    integrator: Some(Integrator::Newmark),
    install: Install::Pip(&["openseespy"]),
    traps: &[
        "xiNorm is not a restitution: it is epsilon of the Hunt-Crossley form, and the one written here is exact",
        "the gap of the material must be negative; the script puts it half a step before the contact",
        "the materials return a tangent of the wrong sign, so the script iterates with the initial one",
        "the wheel of OpenSees needs the system libraries libblas.so.3 and liblapack.so.3 (Debian: libblas3, liblapack3)",
    ],
    ..Engine::BLANK
};

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let mass = plan.law.mass;
    let (material, damping, arguments) = match plan.form.damping {
        Viscous::VelocityFree => {
            let ratio = 0.5 * plan.damping / (plan.stiffness * mass).sqrt();
            let arguments = format!("{}, {}", number(ratio), number(mass));
            ("JankowskiImpact", setting("xi", ratio, ""), arguments)
        }
        _ => {
            let epsilon = plan.epsilon();
            ("Hertzdamp", setting("xiNorm", epsilon, ""), number(epsilon))
        }
    };
    let mut values = vec![
        ("material", material.to_string()),
        ("damping", arguments),
        ("tolerance", number(1e-13 * plan.impact.indentation_max)),
    ];
    values.extend(plan.values());
    Ok(Deck {
        files: vec![fill("impact_opensees.py", include_str!("templates/opensees.py"), &values)?],
        settings: vec![
            setting("mass", mass, "kg"),
            setting("Kh", plan.stiffness, "N/m^n"),
            setting("n", plan.exponent, ""),
            damping,
        ],
    })
}
