//! What advice consists of, under the names that users see.

use super::{Check, Problem, Purpose, StepAdvice};
use crate::identify::Predicted;
use crate::law::{Exit, Law};
use crate::message::Message;
use crate::report::{DampingReport, NoteReport, PairReport};
use serde::Serialize;

/// Which law, which numbers, which step.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Advice {
    /// What was asked.
    pub problem: ProblemReport,
    /// Whether Hertz's assumptions hold.
    pub checks: Vec<Check>,
    /// The laws to take, the best first; at most three.
    pub recommended: Vec<Recommendation>,
    /// All other forces of the catalogue, with what speaks against each.
    pub against: Vec<Verdict>,
    /// The time step; none where no contact time is known.
    pub step: Option<StepAdvice>,
    /// What is worth knowing.
    pub notes: Vec<NoteReport>,
}

/// What was asked.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ProblemReport {
    /// Mass, stiffness and exponent.
    pub pair: PairReport,
    /// Lowest approach speed (m/s).
    pub speed_min: f64,
    /// Highest approach speed (m/s).
    pub speed_max: f64,
    /// Where dampings are calibrated: the geometric mean of the two (m/s).
    pub reference_speed: f64,
    /// The restitution wanted there.
    pub restitution: Option<f64>,
    /// The restitutions wanted at the lowest and at the highest speed.
    pub restitution_range: Option<(f64, f64)>,
    /// What the law is for.
    pub purpose: Purpose,
    /// When contact ends.
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

/// What speaks for or against a law, with its number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Reason {
    /// Short name, for programs.
    pub kind: &'static str,
    /// `for`, `minor` (a drawback), `against` or `excludes`.
    pub weight: &'static str,
    /// The number behind it, where it is one.
    pub value: Option<f64>,
    /// A clause, for people.
    pub message: Message,
}

/// A law to take, and the numbers to type.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Recommendation {
    /// Id of the law.
    pub law: &'static str,
    /// As cited.
    pub title: &'static str,
    /// Other laws that are the same force with these numbers, the best-known first.
    pub same_force: Vec<SameForce>,
    /// Mass, stiffness and exponent.
    pub pair: PairReport,
    /// When contact ends.
    pub exit: Exit,
    /// The damping, calibrated exactly at the reference speed.
    pub damping: DampingReport,
    /// c/K (s/m) where m = n and q = 1: what Simbody and Drake call dissipation.
    pub dissipation: Option<f64>,
    /// q − 2(n−m)/(n+1) of a power law: the coefficient that keeps a restitution goes as v^−this.
    pub speed_power: Option<f64>,
    /// Parameters of the law beyond these.
    pub parameters: Vec<(String, f64)>,
    /// `smooth` (tangents continuous), `continuous`, or `jumps` (the force itself jumps).
    pub smoothness: &'static str,
    /// Force at first touch over the largest force, at the reference speed.
    pub touch_force: f64,
    /// What the law's own formula delivers at the reference speed, where it has one.
    pub published: Option<Published>,
    /// Restitution over the range of speeds.
    pub delivered: Vec<Delivered>,
    /// Worst relative error of these, damping set anew for each impact.
    pub error_per_impact: Option<f64>,
    /// Worst relative error of these, one constant coefficient.
    pub error_constant: Option<f64>,
    /// This law in a program with the other end of contact, where that matters.
    pub other_exit: Option<OtherExit>,
    /// The impact at the highest speed.
    pub fastest: Predicted,
    /// Why it is recommended, and what to mind.
    pub reasons: Vec<Reason>,
    /// The law itself.
    #[serde(skip)]
    pub numbers: Law,
}

/// What a law's own formula delivers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Published {
    /// Delivered at the reference speed.
    pub restitution: f64,
    /// Relative to what is wanted.
    pub error: f64,
}

/// Restitution at one speed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Delivered {
    /// Approach speed (m/s).
    pub speed: f64,
    /// What is wanted there.
    pub wanted: Option<f64>,
    /// With the damping set anew for each impact, from its speed at touch.
    pub per_impact: Option<f64>,
    /// With the coefficient of the reference speed kept.
    pub constant: Option<f64>,
}

/// A power law under the other end of contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OtherExit {
    /// The other end of contact.
    pub exit: Exit,
    /// ε that delivers the restitution there.
    pub epsilon: f64,
    /// The coefficient that delivers it.
    pub coefficient: f64,
    /// What the coefficient recommended above would deliver there instead.
    pub restitution: f64,
}

/// Another law that is the same force with exact damping.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SameForce {
    /// Id of the law.
    pub law: &'static str,
    /// As cited.
    pub title: &'static str,
    /// What its own formula delivers at the reference speed, where it has one.
    pub published: Option<Published>,
    /// What concerns this law alone.
    pub reasons: Vec<Reason>,
}

/// A law that is not recommended.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// Id of the law.
    pub law: &'static str,
    /// As cited.
    pub title: &'static str,
    /// `possible` (sound, but not among the best), `against` or `unusable`.
    pub verdict: &'static str,
    /// Other laws that are the same force with exact damping, the best-known first.
    pub same_force: Vec<SameForce>,
    /// The reasons, the weightiest first.
    pub reasons: Vec<Reason>,
}
