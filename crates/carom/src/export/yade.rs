//! Yade, `MindlinPhys` and `ViscElPhys`.
//!
//! The impact is that of two equal spheres, as for LAMMPS. Yade limits the force to repulsion in both laws, so
//! contact ends at zero force.
//!
//! - `Law2_ScGeom_MindlinPhys_Mindlin`: (4/3)·E*·√R·δ^(3/2) + 2·βn·√(mₑ·(3/2)·K·√δ)·δ̇, so c = βn·√(6·mₑK) with
//!   m = 1/4. The input contains βn instead of `en`, because `en` is converted by a fit of ten terms (Thornton,
//!   Cummins & Cleary 2013, B6) with an error of 1e-4.
//! - `Law2_ScGeom_ViscElPhys_Basic`: kn·δ + cn·δ̇. Material constants act in series, so each sphere has twice the
//!   value of the contact.
//!
//! Source: yade-mpi 593a4d6a, `pkg/dem/{HertzMindlin,ViscoelasticPM}.cpp`; documentation strings of Yade
//! 2023.02a.

use super::Plan;
use super::engine::{Deck, Engine, Form, FrictionKinds, Install, Viscous, ZERO_FORCE};
use super::lammps::{density, sphere_values};
use super::text::{fill, number, setting};
use crate::advise::Integrator;
use crate::error::Result;

/// Description of Yade.
pub(super) const ENGINE: Engine = Engine {
    id: "yade",
    title: "Yade",
    version: "2023.02a",
    forms: &[
        Form {
            name: "Law2_ScGeom_MindlinPhys_Mindlin",
            exponent: Some(1.5),
            damping: Viscous::Power(0.25),
            exits: ZERO_FORCE,
            ..Form::BLANK
        },
        Form {
            name: "Law2_ScGeom_ViscElPhys_Basic",
            exponent: Some(1.0),
            exits: ZERO_FORCE,
            ..Form::BLANK
        },
    ],
    tolerance: Some(1e-3),
    integrator: Some(Integrator::SemiImplicitEuler),
    friction: FrictionKinds::Sliding,
    install: Install::Apt(&["yade"]),
    command: &["yade", "-n", "-x", "FILE"],
    traps: &[
        "Yade always cuts the pull, so its `en` means another damping than in LAMMPS or LIGGGHTS; \
         this script writes the damping itself",
    ],
    ..Engine::BLANK
};

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let mut values = sphere_values(plan);
    let radius = setting("radius", 2.0 * plan.radius, "m");
    let mass = setting("mass", 2.0 * plan.law.mass, "kg");
    let angle = number(plan.friction.sliding.atan());
    let (law, settings) = match plan.exponent == 1.5 {
        true => {
            let poisson = plan.poisson();
            let (youngs, betan) = (plan.youngs(poisson), plan.ratio() / 6f64.sqrt());
            let law = format!(
                "material = FrictMat(young={}, poisson={}, frictionAngle={angle}, density={})\n\
                 physics = Ip2_FrictMat_FrictMat_MindlinPhys(betan={})\n\
                 law = Law2_ScGeom_MindlinPhys_Mindlin()",
                number(youngs),
                number(poisson),
                number(density(plan)),
                number(betan)
            );
            let settings = vec![
                radius,
                mass,
                setting("young", youngs, "Pa"),
                setting("poisson", poisson, ""),
                setting("betan", betan, ""),
            ];
            (law, settings)
        }
        false => {
            let (kn, cn) = (2.0 * plan.stiffness, 2.0 * plan.damping);
            let law = format!(
                "material = ViscElMat(kn={}, cn={}, ks={}, cs=0, frictionAngle={angle}, density={})\n\
                 physics = Ip2_ViscElMat_ViscElMat_ViscElPhys()\n\
                 law = Law2_ScGeom_ViscElPhys_Basic()",
                number(kn),
                number(cn),
                number(if plan.friction.acts() { plan.tangential_ratio() * kn } else { 0.0 }),
                number(density(plan))
            );
            (law, vec![radius, mass, setting("kn", kn, "N/m"), setting("cn", cn, "N*s/m")])
        }
    };
    values.push(("law", law));
    let file = fill("impact_yade.py", include_str!("templates/yade.py"), &values)?;
    Ok(Deck { files: vec![file], settings })
}
