//! Newton on Warp, `SolverSemiImplicit`: `ke` and `kd`.
//!
//! F = kₑ·δ + k_d·max(δ̇, 0): a linear spring whose damper acts in compression only, integrated by semi-implicit
//! Euler steps. The parameters of two shapes are averaged, so both have the same. Positions are in single precision,
//! so those of a ball of radius R are resolved to about 6·10⁻⁸·R; the ball in the file is therefore as small as 50
//! indentations. The law does not depend on its radius.
//!
//! Source: Newton 1.8.0, `newton/_src/solvers/semi_implicit/kernels_contact.py` (_eval_body_contact), `solvers/solver.py`
//! (integrate_rigid_body).

use super::Plan;
use super::engine::{Deck, EITHER_EXIT, Engine, Form, FrictionKinds, Install};
use super::text::{fill, number, setting};
use crate::advise::Integrator;
use crate::error::Result;
use crate::law::Phases;

/// Description of Newton with soft contacts.
pub(super) const ENGINE: Engine = Engine {
    id: "newton",
    title: "Newton SolverSemiImplicit",
    aliases: &["warp"],
    version: "1.8.0, Warp 1.19.0",
    forms: &[Form {
        name: "ke, kd of ShapeConfig",
        exponent: Some(1.0),
        phases: &[Phases::Compression],
        exits: EITHER_EXIT,
        ..Form::BLANK
    }],
    tolerance: Some(2e-3),
    integrator: Some(Integrator::SemiImplicitEuler),
    friction: FrictionKinds::Sliding,
    install: Install::Pip(&["newton", "warp-lang"]),
    traps: &[
        "kd acts while bodies approach and not while they part, so that the damping ratio of a restitution is about twice that of a \
         damper in both phases",
        "ke and kd of two shapes are averaged, not combined in series: give both shapes the same",
        "positions are in single precision: a ball resolves about 6e-8 of its radius, so contacts whose \
         indentation is well below 1e-3 of the radius become noisy",
        "SolverXPBD, SolverVBD and SolverMuJoCo read ke and kd otherwise or not at all",
    ],
    ..Engine::BLANK
};

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let radius = plan.radius.min(50.0 * plan.impact.indentation_max);
    // The friction force is proportional to the slip speed up to μ·F: surfaces creep at slip speeds below μ·F/gain.
    // This is stable if the product of gain and step is well below the mass.
    let gain = (plan.law.mass * plan.stiffness).sqrt();
    let mut values = vec![
        ("radius", number(radius)),
        ("inertia", number(0.4 * plan.law.mass * radius * radius)),
        ("friction_gain", number(if plan.friction.acts() { gain } else { 0.0 })),
    ];
    values.extend(plan.values());
    Ok(Deck {
        files: vec![fill("impact_newton.py", include_str!("templates/newton.py"), &values)?],
        settings: vec![
            setting("mass", plan.law.mass, "kg"),
            setting("ke", plan.stiffness, "N/m"),
            setting("kd", plan.damping, "N*s/m"),
        ],
    })
}
