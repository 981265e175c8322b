//! Reasons for and against a law, each with its number.

use super::check;
use super::examine::{ExaminedLaw, Smoothness};
use super::report::Reason;
use super::{Problem, Purpose};
use crate::impact::Impact;
use crate::law::{Form, Phases};
use crate::message::Message;
use crate::model::{Group, Input};
use crate::pair::FACTS;
use crate::units::format;

/// Relative error of the delivered restitution that is acceptable.
const RESTITUTION_TOLERANCE: f64 = 0.05;

/// Creates a reason; a value that is not finite is omitted.
pub fn reason(
    kind: &'static str,
    weight: &'static str,
    value: impl Into<Option<f64>>,
    message: impl Into<Message>,
) -> Reason {
    let value = value.into().filter(|v| v.is_finite());
    Reason { kind, weight, value, message: message.into() }
}

fn format_percent(error: f64) -> String {
    match error.abs() {
        ..=0.001 => format!("{:+.4} %", 100.0 * error),
        _ => format!("{:+.1} %", 100.0 * error),
    }
}

/// Returns the parameters of the law that were not given and have their default values.
pub fn default_parameters(law: &ExaminedLaw) -> Vec<(&'static str, f64)> {
    let known = |name: &str| {
        FACTS.iter().any(|(fact, ..)| *fact == name) || law.set.iter().any(|(set, _)| set == name)
    };
    let open = law.model.parameters.iter().filter(|p| !known(p.name));
    open.filter_map(|p| Some((p.name, p.default?))).collect()
}

/// Formats the restitutions at the slowest and the fastest speed, for example `0.910 at 0.1 m/s to 0.620 at 5 m/s`.
fn format_restitution_range(law: &ExaminedLaw, constant: bool) -> String {
    let at = |delivered: Option<&super::Delivered>| {
        let delivered = delivered?;
        let e = if constant { delivered.constant? } else { delivered.per_impact? };
        Some(format!("{e:.3} at {}", format(delivered.speed, "m/s")))
    };
    match (at(law.delivered.first()), at(law.delivered.last())) {
        (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
        (Some(only), _) | (_, Some(only)) => only,
        _ => "nothing".into(),
    }
}

/// Collects the reasons for and against a law that can be used.
pub fn reasons(problem: &Problem, elastic: &Impact, law: &ExaminedLaw) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let purpose = problem.purpose;
    add_delivery_reasons(problem, law, &mut reasons);
    add_smoothness_reasons(problem, law, &mut reasons);
    let properties = &law.properties;
    if properties.remembers_peak {
        let heavy = matches!(purpose, Purpose::Granular | Purpose::Optimisation);
        reasons.push(reason(
            "memory",
            if heavy { "against" } else { "minor" },
            None,
            "it must store the largest indentation of every contact",
        ));
    }
    if properties.has_state {
        reasons.push(reason(
            "state",
            if purpose == Purpose::Single { "minor" } else { "against" },
            None,
            "its force depends on an internal state or on the time since touch, not on the motion alone",
        ));
    }
    for (name, value) in default_parameters(law) {
        let message = format!("it leaves {name} to you; {} was taken", format(value, ""));
        reasons.push(reason("free_parameter", "minor", value, message));
    }
    add_validity_reasons(problem, law, &mut reasons);
    reasons.extend(geometry_reason(problem, elastic, law));
    reasons
}

/// Adds reasons about the restitution that the law delivers over the range of speeds.
fn add_delivery_reasons(problem: &Problem, law: &ExaminedLaw, reasons: &mut Vec<Reason>) {
    let Some(wanted) = problem.restitution() else {
        if law.model.input == Input::Material {
            let e = law.reference.restitution.newton;
            let message = format!(
                "from the constants of the material alone it delivers {}",
                format_restitution_range(law, false)
            );
            reasons.push(reason("by_material", "for", e, message));
        } else if let (Input::Elastic, Some(limit)) = (law.model.input, problem.pair.yield_speed())
        {
            let above = problem.speeds.1 > limit;
            let message =
                format!("it loses nothing (e = 1), and yield begins at {}", format(limit, "m/s"));
            reasons.push(reason("elastic", if above { "against" } else { "for" }, limit, message));
        } else if law.model.input == Input::Elastic {
            reasons.push(reason("elastic", "minor", 1.0, "it loses nothing (e = 1)"));
        }
        return;
    };
    if law.model.input == Input::Elastic && wanted < 1.0 {
        let message = format!("it loses nothing: e = 1, not {wanted:.4}");
        reasons.push(reason("elastic", "excludes", 1.0 / wanted - 1.0, message));
        return;
    }
    let constant = law.delivered_error(true);
    let per_impact = law.delivered_error(false);
    let weight = if problem.purpose == Purpose::Optimisation { "minor" } else { "against" };
    if problem.purpose.needs_constant() || per_impact.is_none() {
        match constant {
            Some(error) if error <= RESTITUTION_TOLERANCE => {
                let message = format!(
                    "one constant coefficient delivers {}, within {:.2} %",
                    format_restitution_range(law, true),
                    100.0 * error
                );
                reasons.push(reason("keeps_restitution", "for", error, message));
            }
            Some(error) => {
                let power = match law.speed_power() {
                    Some(p) if p != 0.0 => format!(" (to keep e, c must go as v^{:.2})", -p),
                    _ => String::new(),
                };
                let message = format!(
                    "with one constant coefficient it delivers {}, off by {:.0} %{power}",
                    format_restitution_range(law, true),
                    100.0 * error
                );
                reasons.push(reason("needs_speed", weight, error, message));
            }
            None => {
                let message = "its damping is found at touch from the speed there, which lasting contact does not have";
                reasons.push(reason("needs_speed", "against", None, message));
            }
        }
    } else if let Some(error) = per_impact {
        let weight = if error <= RESTITUTION_TOLERANCE { "for" } else { "against" };
        let message = match law.speed_power() {
            Some(p) if p != 0.0 => format!(
                "delivers {} with c set for each impact, as v^{:.2}; a constant c delivers {}",
                format_restitution_range(law, false),
                -p,
                format_restitution_range(law, true)
            ),
            _ => format!(
                "delivers {}, off by {:.2} % at most",
                format_restitution_range(law, false),
                100.0 * error
            ),
        };
        reasons.push(reason("delivers", weight, error, message));
    }
    if let Some(e) = law.by_material.filter(|e| (e / wanted - 1.0).abs() > 1e-9) {
        let message = format!(
            "the constants of the material alone would give {e:.3} ({})",
            format_percent(e / wanted - 1.0)
        );
        reasons.push(reason("by_material", "minor", e / wanted - 1.0, message));
    }
}

/// Adds reasons about jumps and kinks of the force: both reduce the accuracy of an integrator, and gradients need
/// continuous tangents.
fn add_smoothness_reasons(problem: &Problem, law: &ExaminedLaw, reasons: &mut Vec<Reason>) {
    let properties = &law.properties;
    let derivatives = problem.purpose == Purpose::Optimisation;
    let strict = derivatives || problem.purpose == Purpose::Single;
    match properties.smoothness() {
        Smoothness::Jumps => {
            let (jump, place) = match properties.touch_force >= properties.turn_force {
                true => (properties.touch_force, "at first touch"),
                false => (properties.turn_force, "at the turn"),
            };
            let message =
                format!("the force jumps {place}, by {:.0} % of its largest value", 100.0 * jump);
            let weight = if strict { "against" } else { "minor" };
            reasons.push(reason("jump", weight, jump, message));
        }
        Smoothness::Continuous => {
            let weight = if derivatives { "against" } else { "minor" };
            let (value, place) = match properties.touch_stiffness >= properties.turn_tangent {
                true => (properties.touch_stiffness, "dF/dδ at touch"),
                false => (properties.turn_tangent, "the tangent at the turn"),
            };
            let size = match value > 1e3 {
                true => "has no bound".to_string(),
                false => format!("jumps by {value:.2} F_max/δ_max"),
            };
            let message = format!("the force is continuous, but {place} {size}");
            reasons.push(reason("kink", weight, value, message));
        }
        Smoothness::Smooth => {
            let message = format!(
                "force and tangents are continuous (dF/dδ falls to {:.0e} of F_max/δ_max towards touch)",
                properties.touch_stiffness
            );
            reasons.push(reason("smooth", "for", properties.touch_stiffness, message));
        }
    }
    if law.law.power().is_some_and(|power| power.phases == Phases::Compression) {
        let share = law.reference.energy.lost_in_restitution / law.reference.energy.initial;
        let message = "it loses all energy while compressing and none while rebounding";
        reasons.push(reason("compression_only", "minor", share, message));
    }
}

/// Returns a reason about the geometry: conformal laws are made for close-fitting cavities, ball-and-socket laws for
/// balls only.
fn geometry_reason(problem: &Problem, elastic: &Impact, law: &ExaminedLaw) -> Option<Reason> {
    let line = problem.pair.fact("length").is_some();
    if line && matches!(law.law.form, Form::Socket(_)) {
        let message = "it is for a ball in a socket, and this is a line contact".to_string();
        return Some(reason("geometry", "excludes", None, message));
    }
    let ratio = check::conformity(&problem.pair, elastic)?;
    let conformal = law.model.group == Group::Conformal;
    let words = format!("the contact spans {ratio:.2} of the radius of the inner body");
    match (ratio > check::MAX_SIZE_RATIO, conformal) {
        (true, true) => {
            let message = format!("{words}, and this law is made for conformal contact");
            Some(reason("conformal", "for", ratio, message))
        }
        (true, false) => {
            let message = format!(
                "{words}, where its half-space does not hold (up to {})",
                check::MAX_SIZE_RATIO
            );
            Some(reason("conformal", "against", ratio, message))
        }
        _ => None,
    }
}

/// Adds reasons about the limits that the source states and about the restitution that its published formula
/// delivers.
fn add_validity_reasons(problem: &Problem, law: &ExaminedLaw, reasons: &mut Vec<Reason>) {
    let model = law.model;
    if let (true, Some(limit)) = (model.low_speed, problem.pair.low_speed_limit())
        && problem.speeds.1 > limit
    {
        let message =
            format!("its source limits it to {}, 1e-5 of the wave speed", format(limit, "m/s"));
        reasons.push(reason("low_speed", "minor", problem.speeds.1 / limit, message));
    }
    if let Some(published) = law.published {
        let (low, high) = model.restitution;
        let wanted = problem.restitution().unwrap_or(1.0);
        if !(low..=high).contains(&wanted) {
            let message = format!("its formula is meant for restitutions from {low} to {high}");
            reasons.push(reason("restitution_range", "minor", wanted, message));
        }
        let exact = published.error.abs() < 1e-6;
        let message = match exact {
            true => "its own formula is exact".to_string(),
            false => format!(
                "its own formula delivers {:.4} ({}): take the coefficient given here",
                published.restitution,
                format_percent(published.error)
            ),
        };
        let weight = if exact { "for" } else { "minor" };
        reasons.push(reason("formula", weight, published.error, message));
    }
}
