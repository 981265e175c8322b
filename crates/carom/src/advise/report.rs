//! Contents of the advice, under the names that users see.

use super::{Check, Problem, Purpose, StepAdvice};
use crate::identify::Predicted;
use crate::law::{Exit, Law};
use crate::message::Message;
use crate::report::{DampingReport, NoteReport, PairReport};
use serde::Serialize;

/// Advice on the law, its numbers and the time step.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Advice {
    /// Problem for which advice was requested.
    pub problem: ProblemReport,
    /// Checks of Hertz's assumptions.
    pub checks: Vec<Check>,
    /// Recommended laws, beginning with the best; at most three.
    pub recommended: Vec<Recommendation>,
    /// All other forces of the catalogue, with the reasons against each.
    pub against: Vec<Verdict>,
    /// Advice on the time step; absent if no duration of contact is known.
    pub step: Option<StepAdvice>,
    /// Warnings and remarks.
    pub notes: Vec<NoteReport>,
}

/// Problem for which advice was requested.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ProblemReport {
    /// Mass, stiffness and exponent.
    pub pair: PairReport,
    /// Lowest approach speed (m/s).
    pub speed_min: f64,
    /// Highest approach speed (m/s).
    pub speed_max: f64,
    /// Speed at which dampings are calibrated: the geometric mean of the lowest and the highest (m/s).
    pub reference_speed: f64,
    /// Requested restitution at the reference speed.
    pub restitution: Option<f64>,
    /// Requested restitutions at the lowest and at the highest speed.
    pub restitution_range: Option<(f64, f64)>,
    /// Purpose of the law.
    pub purpose: Purpose,
    /// Exit of contact.
    pub exit: Exit,
}

impl ProblemReport {
    pub(super) fn of(problem: &Problem) -> Self {
        let pair = &problem.pair;
        Self {
            pair: PairReport {
                mass: pair.mass,
                stiffness: pair.stiffness,
                exponent: pair.exponent,
            },
            speed_min: problem.speeds.0,
            speed_max: problem.speeds.1,
            reference_speed: problem.reference_speed(),
            restitution: problem.restitution(),
            restitution_range: problem
                .wanted
                .as_ref()
                .map(|wanted| (wanted.at(problem.speeds.0), wanted.at(problem.speeds.1))),
            purpose: problem.purpose,
            exit: problem.exit,
        }
    }
}

/// A reason for or against a law, with its number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Reason {
    /// Short name of the kind of reason, for programs.
    pub kind: &'static str,
    /// `for`, `minor` (a drawback), `against` or `excludes`.
    pub weight: &'static str,
    /// Number on which the reason is based, if there is one.
    pub value: Option<f64>,
    /// The reason as a clause.
    pub message: Message,
}

/// A recommended law with the numbers to enter.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Recommendation {
    /// Id of the law.
    pub law: &'static str,
    /// Title as cited.
    pub title: &'static str,
    /// Other laws that give the same force with these numbers, beginning with the best-known.
    pub same_force: Vec<SameForce>,
    /// Mass, stiffness and exponent.
    pub pair: PairReport,
    /// Exit of contact.
    pub exit: Exit,
    /// Damping, calibrated exactly at the reference speed.
    pub damping: DampingReport,
    /// c/K (s/m) if m = n and q = 1; Simbody and Drake call it dissipation.
    pub dissipation: Option<f64>,
    /// p = q − 2(n−m)/(n+1) of a power law: the coefficient that maintains a restitution is proportional to v^−p.
    pub speed_power: Option<f64>,
    /// Further parameters of the law.
    pub parameters: Vec<(String, f64)>,
    /// `smooth` (tangents continuous), `continuous`, or `jumps` (the force itself jumps).
    pub smoothness: &'static str,
    /// Force at onset divided by the largest force, at the reference speed.
    pub touch_force: f64,
    /// Restitution that the law's own formula delivers at the reference speed, if there is such a formula.
    pub published: Option<Published>,
    /// Restitution over the range of speeds.
    pub delivered: Vec<Delivered>,
    /// Largest relative error of these restitutions with the damping determined for each impact.
    pub error_per_impact: Option<f64>,
    /// Largest relative error of these restitutions with one constant coefficient.
    pub error_constant: Option<f64>,
    /// The law in a program with the other exit of contact, if that makes a difference.
    pub other_exit: Option<OtherExit>,
    /// Impact at the highest speed.
    pub fastest: Predicted,
    /// Reasons for the recommendation, and drawbacks.
    pub reasons: Vec<Reason>,
    /// The law itself, as numbers.
    #[serde(skip)]
    pub numbers: Law,
}

/// Restitution that a law's own formula delivers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Published {
    /// Restitution delivered at the reference speed.
    pub restitution: f64,
    /// Error relative to the requested restitution.
    pub error: f64,
}

/// Restitution at one speed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Delivered {
    /// Approach speed (m/s).
    pub speed: f64,
    /// Requested restitution at this speed.
    pub wanted: Option<f64>,
    /// Restitution with the damping determined for each impact from its approach speed.
    pub per_impact: Option<f64>,
    /// Restitution with the coefficient of the reference speed.
    pub constant: Option<f64>,
}

/// A power law with the other exit of contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OtherExit {
    /// The other exit of contact.
    pub exit: Exit,
    /// ε that delivers the restitution with that exit.
    pub epsilon: f64,
    /// Coefficient that delivers the restitution with that exit.
    pub coefficient: f64,
    /// Restitution that the recommended coefficient would deliver with that exit.
    pub restitution: f64,
}

/// Another law that gives the same force with exact damping.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SameForce {
    /// Id of the law.
    pub law: &'static str,
    /// Title as cited.
    pub title: &'static str,
    /// Restitution that the law's own formula delivers at the reference speed, if there is such a formula.
    pub published: Option<Published>,
    /// Reasons that concern this law only.
    pub reasons: Vec<Reason>,
}

/// A law that is not recommended.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// Id of the law.
    pub law: &'static str,
    /// Title as cited.
    pub title: &'static str,
    /// `possible` (suitable, but not among the best), `against` or `unusable`.
    pub verdict: &'static str,
    /// Other laws that give the same force with exact damping, beginning with the best-known.
    pub same_force: Vec<SameForce>,
    /// Reasons, in order of decreasing weight.
    pub reasons: Vec<Reason>,
}
