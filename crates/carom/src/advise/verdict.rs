//! Verdicts on all laws of the catalogue, derived from their computed properties.
//!
//! A reason has a weight: `excludes` (the law cannot be created or run for this problem), `against` (it does not meet
//! a requirement of the purpose), `minor` (a drawback) or `for`. Laws that give the same force with exact damping
//! ([`same_force`]) are one entry under the best-known name, which lists the others. A law without reasons of the
//! first two kinds is suitable. [`rank`] orders the suitable laws: first by the parameters that must be guessed and
//! the data that must be stored, then by the error of the restitution and by smoothness (the purpose determines which
//! of these comes first). The first three are recommended. If none is suitable, those with the fewest reasons against
//! them are recommended, marked as a compromise.

use super::examine::{ExaminedLaw, SPEEDS_SHOWN, examine};
use super::reasons::{default_parameters, reason, reasons};
use super::report::{OtherExit, Published, Reason, Recommendation, SameForce, Verdict};
use super::{Problem, Purpose};
use crate::error::Error;
use crate::exact::{self, Exponents};
use crate::identify::Predicted;
use crate::impact::Impact;
use crate::law::Phases;
use crate::model::{Input, Model};
use crate::models::CATALOGUE;
use crate::report::{DampingReport, PairReport};
use crate::same_force::{self, Scale};
use std::cmp::Ordering;

/// Largest number of recommended laws.
const MAX_RECOMMENDATIONS: usize = 3;

/// A law with the reasons for and against it.
struct JudgedLaw {
    law: ExaminedLaw,
    /// Best-known law that gives this force; the entry is shown under its name.
    name: &'static Model,
    /// Restitution that the published formula of `name` delivers.
    published: Option<Published>,
    reasons: Vec<Reason>,
    /// Other laws that give the same force.
    same_force: Vec<SameForce>,
}

impl JudgedLaw {
    fn count(&self, weight: &str) -> usize {
        self.reasons.iter().filter(|reason| reason.weight == weight).count()
    }
}

/// Computes the recommendations, and the verdicts on all other laws.
pub fn judge(problem: &Problem, elastic: &Impact) -> (Vec<Recommendation>, Vec<Verdict>) {
    let mut judged = Vec::new();
    let mut against = Vec::new();
    for model in CATALOGUE {
        match examine(model, problem) {
            Ok(law) => {
                let reasons = reasons(problem, elastic, &law);
                let published = law.published;
                judged.push(JudgedLaw { law, name: model, published, reasons, same_force: vec![] });
            }
            Err(why) => against.push(verdict_on_error(model, problem, &why)),
        }
    }
    let mut forces = merge_same_forces(problem, judged);
    let usable = forces.iter().filter(|one| one.count("excludes") == 0);
    let fewest_against = usable.map(|one| one.count("against")).min().unwrap_or(0);
    forces
        .sort_by(|a, b| rank(problem, a).partial_cmp(&rank(problem, b)).unwrap_or(Ordering::Equal));
    let mut recommended = Vec::new();
    for mut one in forces {
        let fits = one.count("against") == fewest_against && one.count("excludes") == 0;
        // `rank` places laws without guessed parameters first: a law with such a parameter is recommended only if it
        // ranks first.
        let guessed = !(recommended.is_empty() || default_parameters(&one.law).is_empty());
        if fits && !guessed && recommended.len() < MAX_RECOMMENDATIONS {
            if fewest_against > 0 {
                let message = format!(
                    "{fewest_against} of what {} asks for is not met",
                    problem.purpose.name()
                );
                one.reasons.push(reason("compromise", "minor", fewest_against as f64, message));
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

/// Merges laws that give the same force into one entry with all their names.
fn merge_same_forces(problem: &Problem, judged: Vec<JudgedLaw>) -> Vec<JudgedLaw> {
    let Some(reference) = judged.first().map(|one| &one.law.reference) else { return Vec::new() };
    let scale = Scale::from(reference);
    let laws: Vec<_> = judged.iter().map(|one| (one.law.model, one.law.law)).collect();
    let mut judged: Vec<Option<JudgedLaw>> = judged.into_iter().map(Some).collect();
    let mut forces = Vec::new();
    for family in same_force::families(&laws, &scale, same_force::TOLERANCE) {
        let members: Vec<JudgedLaw> =
            family.iter().filter_map(|&place| judged.get_mut(place)?.take()).collect();
        forces.extend(merge_family(problem, members));
    }
    forces
}

/// Kinds of reasons that concern a single law, not the force that it shares with others.
const REASONS_OF_SINGLE_LAW: [&str; 4] =
    ["formula", "restitution_range", "low_speed", "free_parameter"];

/// Merges laws that give the same force, in order of decreasing prominence, into one entry. It has the reasons of the
/// member with the fewest reasons against it, as the force is the same, and the name of the best-known member that
/// can be used.
fn merge_family(problem: &Problem, mut members: Vec<JudgedLaw>) -> Option<JudgedLaw> {
    let weight = |one: &JudgedLaw| (one.count("excludes"), one.count("against"));
    let soundest = (0..members.len()).min_by_key(|&i| weight(&members[i]))?;
    let usable = |one: &JudgedLaw| one.count("excludes") == members[soundest].count("excludes");
    let named = members.iter().position(usable)?;
    let others = members.iter().enumerate().filter(|(i, _)| *i != named);
    let same_force = others.map(|(_, one)| describe_same_force(problem, one)).collect();
    let (name, published) = (members[named].law.model, members[named].law.published);
    let own: Vec<Reason> = members[named].reasons.clone();
    let mut entry = members.swap_remove(soundest);
    entry.reasons.retain(|reason| !REASONS_OF_SINGLE_LAW.contains(&reason.kind));
    entry
        .reasons
        .extend(own.into_iter().filter(|reason| REASONS_OF_SINGLE_LAW.contains(&reason.kind)));
    Some(JudgedLaw { name, published, same_force, ..entry })
}

/// Describes a law that gives the same force as the one shown: the restitution that its own formula delivers, and the
/// reasons that concern it only.
fn describe_same_force(problem: &Problem, one: &JudgedLaw) -> SameForce {
    let heavy = |reason: &Reason| matches!(reason.weight, "excludes" | "against");
    let mut reasons = one.reasons.clone();
    reasons.retain(|reason| heavy(reason) || REASONS_OF_SINGLE_LAW.contains(&reason.kind));
    if problem.restitution() == Some(1.0) {
        reasons.retain(|reason| reason.kind != "formula");
    }
    reasons.sort_by_key(weight_rank);
    let Model { id, title, .. } = *one.law.model;
    SameForce { law: id, title, published: one.law.published, reasons }
}

/// Returns the sort key of a law (smallest first): reasons against it, parameters to be guessed and data to be
/// stored, and then the properties that matter most for the purpose. Numbers are rounded, so that insignificant
/// differences have no influence.
fn rank(problem: &Problem, one: &JudgedLaw) -> [f64; 6] {
    let rounded = |value: f64, unit: f64| (value / unit).round() * unit;
    let law = &one.law;
    let bad = (one.count("excludes") * 10 + one.count("against")) as f64;
    // Number of parameters to be guessed and of quantities to be stored for every contact.
    let properties = &law.properties;
    let stored = usize::from(properties.remembers_peak) + usize::from(properties.has_state);
    let free = (default_parameters(law).len() + stored) as f64;
    let error = rounded(delivered_error(problem, law).unwrap_or(9.0), 0.005);
    // Error in programs that do not determine the damping for each impact.
    let constant = rounded(law.delivered_error(true).unwrap_or(9.0), 0.005);
    let roughness = f64::from(law.properties.smoothness() as u8);
    let formula = rounded(law.published.map_or(1.0, |published| published.error.abs()), 1e-6);
    match problem.purpose {
        Purpose::Single | Purpose::Optimisation => [bad, free, roughness, error, constant, formula],
        _ => [bad, free, error, roughness, constant, formula],
    }
}

/// Returns the error in restitution for the way in which the purpose uses the law: with one constant coefficient, or
/// with the damping determined for each impact.
fn delivered_error(problem: &Problem, law: &ExaminedLaw) -> Option<f64> {
    let per_impact = law.delivered_error(false).filter(|_| !problem.purpose.needs_constant());
    per_impact.or(law.delivered_error(true))
}

/// Returns the verdict on a law that cannot be created or run, with its error as the reason.
fn verdict_on_error(model: &'static Model, problem: &Problem, why: &Error) -> Verdict {
    let needs_restitution =
        problem.wanted.is_none() && matches!(model.input, Input::Restitution | Input::Coefficient);
    let (kind, message) = if needs_restitution {
        ("needs_restitution", "it needs a restitution or a damping, and none is known".into())
    } else if why.is_missing() {
        ("missing", why.message())
    } else if why.is_unreachable() {
        ("unreachable", why.message())
    } else {
        ("refused", why.message())
    };
    let reasons = vec![reason(kind, "excludes", None, message)];
    let (law, title) = (model.id, model.title);
    Verdict { law, title, verdict: "unusable", same_force: Vec::new(), reasons }
}

/// Returns the sort key of a reason; the most important reasons come first.
fn weight_rank(reason: &Reason) -> Option<usize> {
    ["excludes", "against", "minor", "for"].iter().position(|weight| *weight == reason.weight)
}

fn verdict(one: JudgedLaw) -> Verdict {
    let model = one.name;
    let verdict = match (one.count("excludes"), one.count("against")) {
        (0, 0) => "possible",
        (0, _) => "against",
        _ => "unusable",
    };
    let mut reasons = one.reasons;
    reasons.sort_by_key(weight_rank);
    let same_force = one.same_force;
    Verdict { law: model.id, title: model.title, verdict, same_force, reasons }
}

fn recommend(problem: &Problem, one: JudgedLaw) -> Recommendation {
    let JudgedLaw { law, name, published, mut reasons, same_force } = one;
    let speed = problem.reference_speed();
    let power = law.law.power();
    let damping = DampingReport::new(name, law.damping, &law.law, speed);
    // c of c·δᵐ·|δ̇|^q; the coefficient with which the law is written may be a different one, such as c/K.
    let c = power.map_or(0.0, |power| power.coefficient(law.law.mass, speed));
    let pair = PairReport::new(&problem.pair, &law.law);
    let hunt_crossley =
        power.is_some_and(|p| p.damping.value() == p.elastic.value() && p.rate.value() == 1.0);
    let order = ["for", "excludes", "against", "minor"];
    reasons.sort_by_key(|reason| order.iter().position(|weight| *weight == reason.weight));
    Recommendation {
        law: name.id,
        title: name.title,
        same_force,
        pair,
        exit: law.law.exit,
        dissipation: (hunt_crossley && c > 0.0).then_some(c / pair.stiffness),
        damping,
        speed_power: law.speed_power(),
        parameters: law.set.clone(),
        smoothness: law.properties.smoothness().name(),
        touch_force: law.properties.touch_force,
        published,
        error_per_impact: law.delivered_error(false),
        error_constant: law.delivered_error(true),
        other_exit: other_exit(problem, name, &law),
        fastest: Predicted::from(&law.fastest),
        delivered: law.delivered_restitutions(problem, SPEEDS_SHOWN),
        reasons,
        numbers: law.law,
    }
}

/// Returns this power law with the other exit of contact; `None` for m ≥ n, where force and indentation vanish
/// together.
fn other_exit(problem: &Problem, name: &Model, law: &ExaminedLaw) -> Option<OtherExit> {
    let power = law.law.power().filter(|power| power.phases == Phases::Both)?;
    let exponents = Exponents::of(power).ok()?;
    let mass = law.law.mass;
    let speed = problem.reference_speed();
    let here = power.epsilon(mass, speed);
    if exponents.m >= exponents.n || here == 0.0 {
        return None;
    }
    let exit = law.law.exit.other();
    let epsilon = exact::epsilon(exponents, exit, problem.restitution()?).ok()?;
    let restitution = exact::restitution(exponents, exit, here).ok()?;
    let coefficient = name.written_coefficient(&law.law, speed)? * epsilon / here;
    Some(OtherExit { exit, epsilon, coefficient, restitution })
}
