//! Findings about a file in addition to those of its reader.

use super::description::{Description, Finding, Touch};
use super::engine::{Contact, Engine, Mechanics};
use super::impact::Outcome;
use super::pose::norm;
use super::solid::Shape;
use crate::message::Action;

/// Number of steps per contact below which the step has a strong influence on the rebound.
const STEPS_MIN: f64 = 8.0;
/// Restitution below which there is considered to be no rebound.
const REBOUND_MIN: f64 = 0.02;

/// A pair, its properties along the line of impact, the speed, and the outcome.
type Impact<'a> = (&'a Touch, Mechanics, f64, Outcome);

/// Adds findings about impacts; the impacts of a pair follow each other.
pub fn add_impact_findings(description: &mut Description, impacts: &[Impact]) {
    let step = description.step;
    let mut found = Vec::new();
    for group in impacts.chunk_by(|one, next| one.0.geometries == next.0.geometries) {
        let Some((touch, mechanics, _, first)) = group.first() else { continue };
        let between = pair_name(description, touch);
        let soft = matches!(touch.contact, Contact::Mujoco(_) | Contact::Drake(_));
        if group.iter().any(|(.., one)| !one.restitution.is_finite() || one.restitution > 1.02) {
            let message = format!(
                "the contact {between} makes energy: the step of {step} s is too long for its stiffness"
            );
            found.push((touch.place, "unstable", message, advice_step(touch, step, first)));
        } else if soft && first.steps < STEPS_MIN {
            let [low, high] = first.restitution_range;
            let message = format!(
                "the contact {between} lasts {:.1} steps of {step} s: the step decides about the rebound, {low:.3} to {high:.3} \
                 depending on where within a step the touch falls",
                first.steps
            );
            found.push((
                touch.place,
                "unresolved-stiffness",
                message,
                advice_step(touch, step, first),
            ));
        }
        if let Some((message, advice)) = unresolved_spring(touch, mechanics, step, &between) {
            found.push((touch.place, "unresolved-stiffness", message, advice));
        }
        for rule in [below_threshold, limited_restitution] {
            if let Some((message, advice)) =
                group.iter().find_map(|(touch, _, speed, _)| rule(&touch.contact, *speed, &between))
            {
                found.push((touch.place, "restitution-ignored", message, advice));
            }
        }
        if group.iter().all(|(.., one)| one.restitution < REBOUND_MIN) {
            let (message, advice) = no_rebound(touch, &between);
            found.push((touch.place, "no-rebound", message, advice));
        }
    }
    add_merged_findings(description, found);
}

/// Returns the names of a pair for use in sentences.
fn pair_name(description: &Description, touch: &Touch) -> String {
    let [a, b] = touch.geometries.map(|i| description.name(i));
    format!("between `{a}` and `{b}`")
}

/// Adds a finding about a pair that cannot approach along the line between its centres.
pub fn add_blocked_finding(description: &mut Description, touch: &Touch) {
    let between = pair_name(description, touch);
    let message = format!(
        "the contact {between} is left out: at the zero pose joints allow no motion along the line of impact"
    );
    let advice = message!["give its effective mass, ", Action::give_as("mass", "M")];
    let place =
        description.geometries.get(touch.geometries[1]).map_or(touch.place, |one| one.place);
    description.add_finding(place, "no-motion", message, advice);
}

/// Returns a finding about a restitution that an engine does not apply because the impact is too slow.
fn below_threshold(contact: &Contact, speed: f64, between: &str) -> Option<(String, String)> {
    match *contact {
        Contact::Ode(one) if one.restitution > 0.0 && speed <= one.threshold => {
            let message = format!(
                "the restitution {} {between} is ignored at {speed} m/s: it counts above `threshold`, which is {} m/s{}",
                one.restitution,
                one.threshold,
                if one.threshold >= 100_000.0 { " unless it is given" } else { "" }
            );
            Some((
                message,
                "give <threshold> below the speed of the impact, 0.01 for example".into(),
            ))
        }
        Contact::Dart(one) if one.restitution > 0.0 && one.restitution * speed <= 0.1 => {
            let message = format!(
                "the restitution {} {between} is ignored at {speed} m/s: DART applies it to rebounds above 0.1 m/s",
                one.restitution
            );
            Some((message, "impacts that slow do not rebound in DART".into()))
        }
        Contact::Bullet(one) if one.restitution > 0.0 && speed < 0.2 => {
            let message = format!(
                "the restitution {} {between} is ignored at {speed} m/s: Bullet applies it above 0.2 m/s",
                one.restitution
            );
            Some((
                message,
                "set restitutionVelocityThreshold in the program that loads the file".into(),
            ))
        }
        _ => None,
    }
}

/// Returns a finding about a restitution that Gazebo's ODE limits by the largest separation speed.
fn limited_restitution(contact: &Contact, speed: f64, between: &str) -> Option<(String, String)> {
    match *contact {
        Contact::Ode(one) if one.restitution * speed > one.speed_max => {
            let message = format!(
                "the restitution {} {between} would be cut at {speed} m/s: bodies separate with at most `max_vel`, {} m/s",
                one.restitution, one.speed_max
            );
            Some((message, "give <max_vel> above the speed of the rebound, 100 for example".into()))
        }
        _ => None,
    }
}

/// Returns a finding about a given spring whose contact the step does not resolve.
fn unresolved_spring(
    touch: &Touch,
    mechanics: &Mechanics,
    step: f64,
    between: &str,
) -> Option<(String, String)> {
    let (stiffness, name) = match &touch.contact {
        Contact::Ode(one) if one.stiffness < 4.9e11 => (one.stiffness, "kp"),
        Contact::Bullet(one) => (one.spring?.0, "stiffness"),
        _ => return None,
    };
    let angle = step * (stiffness * mechanics.mobility).sqrt();
    (angle > 0.5).then(|| {
        let most = 0.05 / (step * step * mechanics.mobility);
        let message = format!(
            "the step of {step} s cannot follow {name} = {stiffness:.3e} N/m {between}: the bodies would be {:.1} steps in contact",
            std::f64::consts::PI / angle
        );
        (message, format!("use a {name} below {most:.1e} N/m or a shorter step; a stiffer one acts like a rigid contact"))
    })
}

fn advice_step(touch: &Touch, step: f64, outcome: &Outcome) -> String {
    let shorter = step * (outcome.steps / 20.0).clamp(1e-3, 0.5);
    match touch.contact {
        Contact::Mujoco(_) => format!(
            "use a timestep of about {shorter:.1e} s, or a softer solref (a larger time constant, a smaller stiffness)"
        ),
        _ => format!("use a step of about {shorter:.1e} s, or a smaller stiffness"),
    }
}

fn no_rebound(touch: &Touch, between: &str) -> (String, String) {
    let message = format!(
        "the contact {between} does not rebound: less than {REBOUND_MIN} at the speeds asked for"
    );
    let advice = match &touch.contact {
        Contact::Mujoco(_) => {
            "if it should, use a smaller damping ratio: the second number of solref"
        }
        Contact::Drake(_) => "if it should, use a smaller hunt_crossley_dissipation: below 1/speed",
        Contact::Ode(_) => {
            "if it should, give both surfaces restitution_coefficient, threshold and max_vel"
        }
        Contact::Bullet(_) | Contact::Dart(_) => {
            "if it should, give both surfaces a restitution: the two are multiplied"
        }
    };
    (message, advice.to_string())
}

/// Adds findings; those of the same kind at the same place are merged into one that states the number of pairs.
fn add_merged_findings(
    description: &mut Description,
    found: Vec<(super::xml::Place, &'static str, String, String)>,
) {
    let mut merged: Vec<(super::xml::Place, &'static str, String, String, usize)> = Vec::new();
    for (place, kind, message, advice) in found {
        match merged.iter_mut().find(|one| one.0 == place && one.1 == kind && one.3 == advice) {
            Some(one) => one.4 += 1,
            None => merged.push((place, kind, message, advice, 1)),
        }
    }
    for (place, kind, message, advice, count) in merged {
        let message = match count {
            1 => message,
            _ => format!("{message} (and {} more pairs alike)", count - 1),
        };
        description.add_finding(place, kind, message, advice);
    }
}

/// Adds findings about values that may have been given in a wrong unit, for geometries and options that take part in
/// contacts.
pub fn add_unit_findings(description: &mut Description, touches: &[Touch]) {
    let gravity = norm(description.gravity);
    if gravity > 50.0 {
        let message = format!(
            "gravity is {gravity} m/s²: lengths look as if they were in millimetres or centimetres"
        );
        let place = description.step_place.unwrap_or_default();
        description.add_finding(
            place,
            "units",
            message,
            "write lengths in metres and gravity as 9.81",
        );
    }
    if description.step > 0.02 {
        let message =
            format!("the step is {} s: it looks as if it were in milliseconds", description.step);
        let place = description.step_place.unwrap_or_default();
        description.add_finding(place, "units", message, "write it in seconds, 0.001 for example");
    }
    let mut seen: Vec<usize> = touches.iter().flat_map(|touch| touch.geometries).collect();
    seen.sort_unstable();
    seen.dedup();
    let mut found = Vec::new();
    for geometry in seen.iter().filter_map(|&i| description.geometries.get(i)) {
        let Some(body) = description.bodies.list.get(geometry.body) else { continue };
        let size = match geometry.shape {
            Shape::Sphere { radius }
            | Shape::Capsule { radius, .. }
            | Shape::Cylinder { radius, .. } => radius,
            Shape::Ellipsoid { half } | Shape::Box { half } => half.into_iter().fold(0.0, f64::max),
            Shape::Plane | Shape::Other => continue,
        };
        if description.bodies.moves(geometry.body) && !(1e-5..=20.0).contains(&size) {
            let message = format!(
                "`{}` moves and measures {size} m: lengths look as if they were in another unit",
                geometry.name
            );
            found.push((geometry.place, "units", message, "write lengths in metres".to_string()));
        }
        if let (Some(mass), Some(volume)) = (body.mass, geometry.shape.volume())
            && description.bodies.moves(geometry.body)
            && mass > 0.0
            && volume > 0.0
            && (mass / volume > 1e6 || mass / volume < 1e-2)
        {
            let message = format!(
                "`{}` has {:.1e} m³ on a body of {mass:.3e} kg: mass or size look as if they were in another unit",
                geometry.name, volume
            );
            found.push((
                geometry.place,
                "units",
                message,
                "write masses in kilograms and lengths in metres".to_string(),
            ));
        }
    }
    add_merged_findings(description, found);
    if description.engine == Engine::Mujoco {
        let long: Vec<_> = touches
            .iter()
            .filter_map(|touch| Some((touch, touch.parameters.first()?.used.first().copied()?)))
            .filter(|(_, time)| *time >= 1.0)
            .map(|(touch, time)| {
                let message = format!("the time constant of solref is {time} s: it looks as if it were in milliseconds");
                (touch.place, "units", message, "write it in seconds, 0.02 for example".to_string())
            })
            .collect();
        add_merged_findings(description, long);
    }
}

/// Returns all findings in the order of the file.
pub fn sorted_findings(description: &Description, names: &[String]) -> Vec<Finding> {
    let mut findings = description.findings.clone();
    findings.sort_by_key(|one| one.0);
    let finding = |(place, kind, message, advice): (super::xml::Place, _, _, _)| Finding {
        kind,
        file: names.get(place.file).filter(|_| place.file > 0).cloned(),
        line: Some(place.line).filter(|line| *line > 0),
        message,
        advice,
    };
    findings.into_iter().map(finding).collect()
}
