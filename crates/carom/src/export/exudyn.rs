//! Exudyn: its own sphere contact, or any power law as a user function.
//!
//! `ObjectContactSphereSphere` applies k·δⁿ + d·δ̇ while the spheres overlap and, with `impactModel` 2,
//! k·δⁿ·(1 + ε(e′)·δ̇/v₀) with v₀ determined at every touch and
//!
//! ε(e′) = (3/2)(1−e′)(11−e′)/(1+9e′) above e′ = 1/3 (Carvalho & Martins), (1−e′²)/e′ below (Gonthier).
//!
//! The restitutions of these formulas have errors of up to 0.005. The e′ written here is not the restitution but the
//! number for which ε(e′) is the damping of the law: a root of 3e′²/2 − (18+9ε)e′ + 33/2 − ε, or of e′² + εe′ − 1.
//! `minimumImpactVelocity` keeps v₀ at the approach speed, which the program measures only with the resolution of one
//! step.
//!
//! Every other power law, with either exit of contact and any phases, is a Python user function of a
//! `CoordinateSpringDamper`. A body of mass mₑ collides with a fixed body.
//!
//! Source: Exudyn e44aca1b, `main/src/Objects/CObjectContactSphereSphere.cpp`.

use super::Plan;
use super::engine::{Deck, EITHER_EXIT, Engine, Form, Install, Viscous, ZERO_INDENTATION};
use super::text::{fill, number, setting};
use super::wanted::Shape;
use crate::advise::Integrator;
use crate::error::Result;
use crate::law::Phases;

/// Description of Exudyn.
pub(super) const ENGINE: Engine = Engine {
    id: "exudyn",
    title: "Exudyn",
    version: "1.13.6",
    forms: &[
        Form {
            name: "ObjectContactSphereSphere, impactModel 2",
            damping: Viscous::Elastic,
            exits: ZERO_INDENTATION,
            per_touch: true,
            ..Form::BLANK
        },
        Form {
            name: "ObjectContactSphereSphere, impactModel 0",
            exits: ZERO_INDENTATION,
            ..Form::BLANK
        },
        Form {
            name: "CoordinateSpringDamper with a user function",
            damping: Viscous::Any,
            rate_exponent: None,
            exits: EITHER_EXIT,
            phases: &[Phases::Both, Phases::Compression],
            ..Form::BLANK
        },
    ],
    tolerance: Some(1e-3),
    integrator: Some(Integrator::RungeKutta4),
    install: Install::Pip(&["exudyn"]),
    traps: &[
        "impactModel 1 (Hunt-Crossley) delivers 0.66 for 0.5; impactModel 2 is within 0.005, and the \
         restitutionCoefficient written here makes it exact",
        "stiff impacts stop at the default discontinuous iteration; the script loosens its tolerance",
    ],
    ..Engine::BLANK
};

/// Returns the restitution e′ for which impactModel 2 has this damping.
fn nominal_restitution(epsilon: f64) -> f64 {
    if epsilon < 8.0 / 3.0 {
        let b = 18.0 + 9.0 * epsilon;
        // Smaller root, in a form without cancellation.
        2.0 * (16.5 - epsilon) / (b + (b * b - 6.0 * (16.5 - epsilon)).sqrt())
    } else {
        2.0 / (epsilon + (epsilon * epsilon + 4.0).sqrt())
    }
}

/// Writes the input.
pub(super) fn write(plan: &Plan) -> Result<Deck> {
    let mut values = plan.values();
    let mut settings = vec![
        setting("mass", plan.law.mass, "kg"),
        setting("contactStiffness", plan.stiffness, "N/m^n"),
        setting("contactStiffnessExponent", plan.exponent, ""),
    ];
    let template = match (plan.form.damping, plan.damper) {
        (Viscous::Any, Shape::Power { m, q, phases }) => {
            settings.push(setting("damping", plan.damping, "N/(m^m*(m/s)^q)"));
            let half = if phases == Phases::Compression { " if v > 0 else 0.0" } else { "" };
            let cut =
                if plan.clamps_force() { "max(0.0, spring + damper)" } else { "spring + damper" };
            values.extend([
                ("m", number(m)),
                ("q", number(q)),
                ("half", half.to_string()),
                ("total", cut.to_string()),
            ]);
            include_str!("templates/exudyn_function.py")
        }
        (Viscous::Elastic, _) => {
            let written = nominal_restitution(plan.epsilon());
            settings.push(setting("restitutionCoefficient", written, ""));
            let damper = format!(
                "impactModel=2, restitutionCoefficient={}, minimumImpactVelocity={}",
                number(written),
                number(plan.case.speed)
            );
            values.push(("damper", damper));
            include_str!("templates/exudyn_contact.py")
        }
        _ => {
            settings.push(setting("contactDamping", plan.damping, "N*s/m"));
            values.push((
                "damper",
                format!("impactModel=0, contactDamping={}", number(plan.damping)),
            ));
            include_str!("templates/exudyn_contact.py")
        }
    };
    Ok(Deck { files: vec![fill("impact_exudyn.py", template, &values)?], settings })
}

#[cfg(test)]
mod tests {
    use super::nominal_restitution;

    #[test]
    fn the_nominal_restitution_inverts_the_formulas_of_the_program() {
        for epsilon in [0.0, 0.01, 0.3, 1.0, 2.6, 2.7, 5.0, 100.0] {
            let e = nominal_restitution(epsilon);
            let own = match e > 1.0 / 3.0 {
                true => 1.5 * (1.0 - e) * (11.0 - e) / (1.0 + 9.0 * e),
                false => (1.0 - e * e) / e,
            };
            assert!((own - epsilon).abs() < 1e-12 * (1.0 + epsilon), "{epsilon}: {own}");
        }
    }
}
