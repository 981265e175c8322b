//! From measured numbers to a verdict on every law of the catalogue.
//!
//! A reason has a weight: `excludes` (the law cannot be built or run here), `against` (it fails what the
//! purpose asks for), `minor` (a drawback) and `for`. Laws without the first two are sound; those that
//! become the same force are one, represented by the member whose own formula is nearest to exact; the
//! sound ones are ordered by the error of what they deliver, then by smoothness, then by what they
//! leave to be chosen, and the first three are recommended. Where none is sound, those with the
//! fewest reasons against are, and are marked as a compromise.

use super::check;
use super::examine::{Examined, SHOWN, examine};
use super::report::{OtherExit, Reason, Recommendation, Verdict};
use super::{Problem, Purpose};
use crate::error::Error;
use crate::exact::{self, Exponents};
use crate::identify::Predicted;
use crate::impact::Impact;
use crate::law::{Form, Phases};
use crate::model::{Group, Input, Model};
use crate::models::CATALOGUE;
use crate::pair::FACTS;
use crate::report::{DampingReport, PairReport};
use crate::units::format;

/// A delivered restitution may differ by this much from the wanted one.
const TOLERATED: f64 = 0.05;
/// How many laws are recommended.
const MOST: usize = 3;

fn reason(
    kind: &'static str,
    weight: &'static str,
    value: impl Into<Option<f64>>,
    message: String,
) -> Reason {
    Reason { kind, weight, value: value.into().filter(|v| v.is_finite()), message }
}

fn percent(error: f64) -> String {
    match error.abs() {
        ..=0.001 => format!("{:+.4} %", 100.0 * error),
        _ => format!("{:+.1} %", 100.0 * error),
    }
}

/// A law with what speaks for and against it.
struct Judged {
    law: Examined,
    reasons: Vec<Reason>,
}

impl Judged {
    fn count(&self, weight: &str) -> usize {
        self.reasons.iter().filter(|reason| reason.weight == weight).count()
    }
}

/// Recommendations, and verdicts on all other laws.
pub fn judge(problem: &Problem, elastic: &Impact) -> (Vec<Recommendation>, Vec<Verdict>) {
    let mut judged = Vec::new();
    let mut against = Vec::new();
    for model in CATALOGUE {
        match examine(model, problem) {
            Ok(law) => {
                let mut reasons = reasons(problem, &law);
                reasons.extend(geometry(problem, elastic, &law));
                judged.push(Judged { law, reasons });
            }
            Err(why) => against.push(unusable(model, problem, &why)),
        }
    }
    // One of each force: the one that has a formula of its own, and the best.
    let mut leads: Vec<Judged> = Vec::new();
    judged.sort_by(|a, b| rank_in_family(a).total_cmp(&rank_in_family(b)));
    let mut followers = Vec::new();
    for one in judged {
        match leads.iter().find(|lead| lead.law.same_force(&one.law)) {
            Some(lead) => followers.push((lead.law.model.id, one)),
            None => leads.push(one),
        }
    }
    for (lead, one) in followers {
        against.push(follower(problem, lead, one));
    }
    let usable = leads.iter().filter(|one| one.count("excludes") == 0);
    let least = usable.map(|one| one.count("against")).min().unwrap_or(0);
    leads.sort_by(|a, b| rank(problem, a).partial_cmp(&rank(problem, b)).unwrap_or(EQUAL));
    let mut recommended = Vec::new();
    for mut one in leads {
        let fits = one.count("against") == least && one.count("excludes") == 0;
        // A law with a guess in it is recommended only where nothing else is sound.
        let guessed = !(recommended.is_empty() || defaults(&one.law).is_empty());
        if fits && !guessed && recommended.len() < MOST {
            if least > 0 {
                let message =
                    format!("{least} of what {} asks for is not met", problem.purpose.name());
                one.reasons.push(reason("compromise", "minor", least as f64, message));
            }
            recommended.push(recommend(problem, one));
        } else {
            against.push(verdict(one));
        }
    }
    let place = |id: &str| CATALOGUE.iter().position(|model| model.id == id);
    against.sort_by_key(|one| place(one.law));
    (recommended, against)
}

const EQUAL: std::cmp::Ordering = std::cmp::Ordering::Equal;

/// Small for the member of a family that should represent it.
fn rank_in_family(one: &Judged) -> f64 {
    let formula = match (one.law.model.input, one.law.published) {
        (Input::Elastic, _) => -1.0,
        (_, Some(published)) => (published.error.abs() * 1e6).round() * 1e-6,
        (_, None) => 10.0,
    };
    // A program's own spelling of a law does not represent it.
    let program = if one.law.model.group == Group::Software { 100.0 } else { 0.0 };
    formula + program + one.count("excludes") as f64 * 1e3
}

/// Small for the laws to be recommended first: by what speaks against them, by what they leave to be
/// guessed, then by what matters most for the purpose.
fn rank(problem: &Problem, one: &Judged) -> [f64; 6] {
    let coarse = |value: f64, unit: f64| (value / unit).round() * unit;
    let law = &one.law;
    let bad = (one.count("excludes") * 10 + one.count("against")) as f64;
    // What must be guessed, and what must be stored for every contact.
    let shape = &law.shape;
    let kept = usize::from(shape.remembers_peak) + usize::from(shape.has_state);
    let free = (defaults(law).len() + kept) as f64;
    let error = coarse(delivered_error(problem, law).unwrap_or(9.0), 0.005);
    // What remains where nobody sets the damping for each impact.
    let constant = coarse(law.error(true).unwrap_or(9.0), 0.005);
    let roughness = f64::from(law.shape.roughness());
    let formula = coarse(law.published.map_or(1.0, |published| published.error.abs()), 1e-6);
    match problem.purpose {
        Purpose::Single | Purpose::Optimisation => [bad, free, roughness, error, constant, formula],
        _ => [bad, free, error, roughness, constant, formula],
    }
}

/// Parameters that nobody gave and that took a default.
fn defaults(law: &Examined) -> Vec<(&'static str, f64)> {
    let known = |name: &str| {
        FACTS.iter().any(|(fact, ..)| *fact == name) || law.set.iter().any(|(set, _)| set == name)
    };
    let open = law.model.parameters.iter().filter(|p| !known(p.name));
    open.filter_map(|p| Some((p.name, p.default?))).collect()
}

/// The error of what the purpose will get: with one constant, or with damping set for each impact.
fn delivered_error(problem: &Problem, law: &Examined) -> Option<f64> {
    let per_impact = law.error(false).filter(|_| !problem.purpose.needs_constant());
    per_impact.or(law.error(true))
}

/// `0.91 at 0.1 m/s to 0.62 at 5 m/s`, and the worst error.
fn span(law: &Examined, constant: bool) -> String {
    let at = |i: Option<&super::Delivered>| {
        let i = i?;
        let e = if constant { i.constant? } else { i.per_impact? };
        Some(format!("{e:.3} at {}", format(i.speed, "m/s")))
    };
    match (at(law.delivered.first()), at(law.delivered.last())) {
        (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
        (Some(only), _) | (_, Some(only)) => only,
        _ => "nothing".into(),
    }
}

/// What speaks for and against a law that can be used.
fn reasons(problem: &Problem, law: &Examined) -> Vec<Reason> {
    let mut found = Vec::new();
    let purpose = problem.purpose;
    delivery(problem, law, &mut found);
    smoothness(problem, law, &mut found);
    let shape = &law.shape;
    if shape.remembers_peak {
        let heavy = matches!(purpose, Purpose::Granular | Purpose::Optimisation);
        found.push(reason(
            "memory",
            if heavy { "against" } else { "minor" },
            None,
            "it must store the largest indentation of every contact".into(),
        ));
    }
    if shape.has_state {
        found.push(reason(
            "state",
            if purpose == Purpose::Single { "minor" } else { "against" },
            None,
            "its force depends on an internal state or on the time since touch, not on the motion alone".into(),
        ));
    }
    for (name, value) in defaults(law) {
        let message = format!("it leaves {name} to you; {} was taken", format(value, ""));
        found.push(reason("free_parameter", "minor", value, message));
    }
    validity(problem, law, &mut found);
    found
}

/// Whether it gives back what is wanted, over the range of speeds.
fn delivery(problem: &Problem, law: &Examined, found: &mut Vec<Reason>) {
    let Some(wanted) = problem.restitution() else {
        if law.model.input == Input::Material {
            let e = law.reference.restitution.newton;
            let message = format!(
                "from the constants of the material alone it delivers {}",
                span(law, false)
            );
            found.push(reason("by_material", "for", e, message));
        } else if let (Input::Elastic, Some(limit)) = (law.model.input, problem.pair.yield_speed())
        {
            let above = problem.speeds.1 > limit;
            let message =
                format!("it loses nothing (e = 1), and yield begins at {}", format(limit, "m/s"));
            found.push(reason("elastic", if above { "against" } else { "for" }, limit, message));
        } else if law.model.input == Input::Elastic {
            found.push(reason("elastic", "minor", 1.0, "it loses nothing (e = 1)".into()));
        }
        return;
    };
    if law.model.input == Input::Elastic && wanted < 1.0 {
        let message = format!("it loses nothing: e = 1, not {wanted:.4}");
        found.push(reason("elastic", "excludes", 1.0 / wanted - 1.0, message));
        return;
    }
    let constant = law.error(true);
    let per_impact = law.error(false);
    let weight = if problem.purpose == Purpose::Optimisation { "minor" } else { "against" };
    if problem.purpose.needs_constant() || per_impact.is_none() {
        match constant {
            Some(error) if error <= TOLERATED => {
                let message = format!(
                    "one constant coefficient delivers {}, within {:.2} %",
                    span(law, true),
                    100.0 * error
                );
                found.push(reason("keeps_restitution", "for", error, message));
            }
            Some(error) => {
                let power = match law.speed_power() {
                    Some(p) if p != 0.0 => format!(" (to keep e, c must go as v^{:.2})", -p),
                    _ => String::new(),
                };
                let message = format!(
                    "with one constant coefficient it delivers {}, off by {:.0} %{power}",
                    span(law, true),
                    100.0 * error
                );
                found.push(reason("needs_speed", weight, error, message));
            }
            None => {
                let message = "its damping is found at touch from the speed there, which lasting contact does not have";
                found.push(reason("needs_speed", "against", None, message.into()));
            }
        }
    } else if let Some(error) = per_impact {
        let weight = if error <= TOLERATED { "for" } else { "against" };
        let message = match law.speed_power() {
            Some(p) if p != 0.0 => format!(
                "delivers {} with c set for each impact, as v^{:.2}; a constant c delivers {}",
                span(law, false),
                -p,
                span(law, true)
            ),
            _ => format!("delivers {}, off by {:.2} % at most", span(law, false), 100.0 * error),
        };
        found.push(reason("delivers", weight, error, message));
    }
    if let Some(e) = law.by_material.filter(|e| (e / wanted - 1.0).abs() > 1e-9) {
        let message = format!(
            "the constants of the material alone would give {e:.3} ({})",
            percent(e / wanted - 1.0)
        );
        found.push(reason("by_material", "minor", e / wanted - 1.0, message));
    }
}

/// Jumps and kinks, which cost accuracy everywhere and derivatives where they are needed.
fn smoothness(problem: &Problem, law: &Examined, found: &mut Vec<Reason>) {
    let shape = &law.shape;
    let derivatives = problem.purpose == Purpose::Optimisation;
    let strict = derivatives || problem.purpose == Purpose::Single;
    match shape.roughness() {
        2 => {
            let (jump, place) = match shape.touch_force >= shape.turn_force {
                true => (shape.touch_force, "at first touch"),
                false => (shape.turn_force, "at the turn"),
            };
            let message =
                format!("the force jumps {place}, by {:.0} % of its largest value", 100.0 * jump);
            let weight = if strict { "against" } else { "minor" };
            found.push(reason("jump", weight, jump, message));
        }
        1 => {
            let weight = if derivatives { "against" } else { "minor" };
            let (value, place) = match shape.touch_stiffness >= shape.turn_tangent {
                true => (shape.touch_stiffness, "dF/dδ at touch"),
                false => (shape.turn_tangent, "the tangent at the turn"),
            };
            let size = match value > 1e3 {
                true => "has no bound".to_string(),
                false => format!("jumps by {value:.2} F_max/δ_max"),
            };
            let message = format!("the force is continuous, but {place} {size}");
            found.push(reason("kink", weight, value, message));
        }
        _ => {
            let message = format!(
                "force and tangents are continuous (dF/dδ falls to {:.0e} of F_max/δ_max towards touch)",
                shape.touch_stiffness
            );
            found.push(reason(
                "smooth",
                if derivatives { "for" } else { "minor" },
                shape.touch_stiffness,
                message,
            ));
        }
    }
    // Smoothness is no drawback.
    if let Some(last) = found.last_mut()
        && last.kind == "smooth"
    {
        last.weight = "for";
    }
    if law.law.power().is_some_and(|power| power.phases == Phases::Compression) {
        let share = law.reference.energy.lost_in_restitution / law.reference.energy.initial;
        let message = "it loses all energy while compressing and none while rebounding".into();
        found.push(reason("compression_only", "minor", share, message));
    }
}

/// Whether the law is one for this geometry: a pin in a close bore is no ball on a half-space.
fn geometry(problem: &Problem, elastic: &Impact, law: &Examined) -> Option<Reason> {
    let line = problem.pair.fact("length").is_some();
    if line && matches!(law.law.form, Form::Socket(_)) {
        let message = "it is for a ball in a socket, and this is a line contact".to_string();
        return Some(reason("geometry", "excludes", None, message));
    }
    let part = check::conformity(&problem.pair, elastic)?;
    let conformal = law.model.group == Group::Conformal;
    let words = format!("the contact spans {part:.2} of the radius of the inner body");
    match (part > check::LARGE, conformal) {
        (true, true) => {
            let message = format!("{words}, and this law is made for conformal contact");
            Some(reason("conformal", "for", part, message))
        }
        (true, false) => {
            let message =
                format!("{words}, where its half-space does not hold (up to {})", check::LARGE);
            Some(reason("conformal", "against", part, message))
        }
        _ => None,
    }
}

/// What the source says about where it holds.
fn validity(problem: &Problem, law: &Examined, found: &mut Vec<Reason>) {
    let model = law.model;
    if let (true, Some(limit)) = (model.low_speed, problem.pair.low_speed_limit())
        && problem.speeds.1 > limit
    {
        let message =
            format!("its source limits it to {}, 1e-5 of the wave speed", format(limit, "m/s"));
        found.push(reason("low_speed", "minor", problem.speeds.1 / limit, message));
    }
    if let Some(published) = law.published {
        let (low, high) = model.restitution;
        let wanted = problem.restitution().unwrap_or(1.0);
        if !(low..=high).contains(&wanted) {
            let message = format!("its formula is meant for restitutions from {low} to {high}");
            found.push(reason("restitution_range", "minor", wanted, message));
        }
        let exact = published.error.abs() < 1e-6;
        let message = match exact {
            true => "its own formula is exact".to_string(),
            false => format!(
                "its own formula delivers {:.4} ({}): take the coefficient given here",
                published.restitution,
                percent(published.error)
            ),
        };
        let weight = if exact { "for" } else { "minor" };
        found.push(reason("formula", weight, published.error, message));
    }
}

/// A law that cannot be built or run, in the words of its refusal.
fn unusable(model: &'static Model, problem: &Problem, why: &Error) -> Verdict {
    let needs_restitution =
        problem.wanted.is_none() && matches!(model.input, Input::Restitution | Input::Coefficient);
    let (kind, message) = if needs_restitution {
        ("needs_restitution", "it needs a restitution or a damping, and none is known".to_string())
    } else if why.is_missing() {
        ("missing", why.to_string())
    } else if why.is_unreachable() {
        ("unreachable", why.to_string())
    } else {
        ("refused", why.to_string())
    };
    let reasons = vec![reason(kind, "excludes", None, message)];
    Verdict { law: model.id, title: model.title, verdict: "unusable", instead: None, reasons }
}

/// A law that is another one with the same numbers.
fn follower(problem: &Problem, lead: &'static str, one: Judged) -> Verdict {
    let mut reasons = vec![reason(
        "same_force",
        "minor",
        None,
        format!("with exact damping it is the force of {lead}"),
    )];
    let told = ["formula", "restitution_range", "low_speed", "free_parameter"];
    let heavy = |reason: &Reason| matches!(reason.weight, "excludes" | "against");
    reasons.extend(one.reasons.into_iter().filter(|r| heavy(r) || told.contains(&r.kind)));
    if problem.restitution() == Some(1.0) {
        reasons.retain(|reason| reason.kind != "formula");
    }
    reasons.sort_by_key(by_weight);
    let model = one.law.model;
    let has = |weight: &str| reasons.iter().any(|reason| reason.weight == weight);
    let verdict = match (has("excludes"), has("against")) {
        (true, _) => "unusable",
        (_, true) => "against",
        _ => "same-force",
    };
    Verdict { law: model.id, title: model.title, verdict, instead: Some(lead), reasons }
}

/// The weightiest first.
fn by_weight(reason: &Reason) -> Option<usize> {
    ["excludes", "against", "minor", "for"].iter().position(|weight| *weight == reason.weight)
}

fn verdict(one: Judged) -> Verdict {
    let model = one.law.model;
    let verdict = match (one.count("excludes"), one.count("against")) {
        (0, 0) => "possible",
        (0, _) => "against",
        _ => "unusable",
    };
    let mut reasons = one.reasons;
    reasons.sort_by_key(by_weight);
    Verdict { law: model.id, title: model.title, verdict, instead: None, reasons }
}

fn recommend(problem: &Problem, one: Judged) -> Recommendation {
    let Judged { law, mut reasons } = one;
    let speed = problem.reference_speed();
    let power = law.law.power();
    let frozen = law.law.touch(speed).damping;
    let coefficient = match power {
        Some(power) => Some(power.coefficient(law.law.mass, speed)),
        None => (frozen != 0.0).then_some(frozen),
    };
    let damping = DampingReport {
        calibration: law.damping.name(),
        coefficient,
        epsilon: power.map(|p| p.epsilon(law.law.mass, speed)),
        damping_exponent: power.map(|p| p.damping.value()),
        rate_exponent: power.map(|p| p.rate.value()),
    };
    let stiffness = power.map_or(problem.pair.stiffness, |p| p.stiffness);
    let hunt_crossley =
        power.is_some_and(|p| p.damping.value() == p.elastic.value() && p.rate.value() == 1.0);
    let order = ["for", "excludes", "against", "minor"];
    reasons.sort_by_key(|reason| order.iter().position(|weight| *weight == reason.weight));
    Recommendation {
        law: law.model.id,
        title: law.model.title,
        pair: PairReport {
            mass: law.law.mass,
            stiffness,
            exponent: power.map_or(problem.pair.exponent, |p| p.elastic.value()),
        },
        exit: law.law.exit,
        dissipation: coefficient.filter(|c| hunt_crossley && *c > 0.0).map(|c| c / stiffness),
        damping,
        speed_power: law.speed_power(),
        parameters: law.set.clone(),
        smoothness: law.shape.name(),
        touch_force: law.shape.touch_force,
        published: law.published,
        error_per_impact: law.error(false),
        error_constant: law.error(true),
        other_exit: other_exit(problem, &law),
        fastest: Predicted::from(&law.fastest),
        delivered: law.deliver(problem, SHOWN),
        reasons,
        numbers: law.law,
    }
}

/// The same power law under the other end of contact, where that is another event.
fn other_exit(problem: &Problem, law: &Examined) -> Option<OtherExit> {
    let power = law.law.power().filter(|power| power.phases == Phases::Both)?;
    let (n, m, q) = (power.elastic.value(), power.damping.value(), power.rate.value());
    let exponents = Exponents::new(n, m, q).ok()?;
    let mass = law.law.mass;
    let speed = problem.reference_speed();
    let here = power.epsilon(mass, speed);
    if m >= n || here == 0.0 {
        return None;
    }
    let exit = law.law.exit.other();
    let epsilon = exact::epsilon(exponents, exit, problem.restitution()?).ok()?;
    let restitution = exact::restitution(exponents, exit, here).ok()?;
    let coefficient = power.coefficient(mass, speed) * epsilon / here;
    Some(OtherExit { exit, epsilon, coefficient, restitution })
}
