//! From measured numbers to a verdict on every law of the catalogue.
//!
//! A reason has a weight: `excludes` (the law cannot be built or run here), `against` (it fails what the
//! purpose asks for), `minor` (a drawback) and `for`. Laws without the first two are sound; those that
//! become the same force are one, represented by the member whose own formula is nearest to exact; the
//! sound ones are ordered by the error of what they deliver, then by smoothness, then by what they
//! leave to be chosen, and the first three are recommended. Where none is sound, those with the
//! fewest reasons against are, and are marked as a compromise.

use super::examine::{Examined, SHOWN, examine};
use super::reasons::{defaults, reason, reasons};
use super::report::{OtherExit, Reason, Recommendation, Verdict};
use super::{Problem, Purpose};
use crate::error::Error;
use crate::exact::{self, Exponents};
use crate::identify::Predicted;
use crate::impact::Impact;
use crate::law::Phases;
use crate::model::{Group, Input, Model};
use crate::models::CATALOGUE;
use crate::report::{DampingReport, PairReport};

/// How many laws are recommended.
const MOST: usize = 3;

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
                let reasons = reasons(problem, elastic, &law);
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

/// The error of what the purpose will get: with one constant, or with damping set for each impact.
fn delivered_error(problem: &Problem, law: &Examined) -> Option<f64> {
    let per_impact = law.error(false).filter(|_| !problem.purpose.needs_constant());
    per_impact.or(law.error(true))
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
