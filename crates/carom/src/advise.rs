//! Advice on the law, its numbers and the time step.
//!
//! Users of every simulator first ask which numbers to enter for a material, and whether these deliver the requested
//! restitution. [`advise`] answers both questions for one pair of bodies, a range of speeds, a restitution and a
//! [`Purpose`], from computed impacts:
//!
//! - **which law** (`advise/examine.rs`, `advise/reasons.rs`, `advise/verdict.rs`): every law of the catalogue is
//!   created for this pair, with the damping that delivers the restitution exactly at the reference speed. Its
//!   properties are then computed: its restitution over the range of speeds, both with the damping determined for
//!   each impact and with one constant coefficient; the jump of the force at onset; the continuity of its tangents;
//!   and what it must remember of the contact. Reasons for and against the law follow from these numbers and from the
//!   statements of the catalogue. Laws that give the same force for this problem are one entry under the best-known
//!   name;
//! - **whether Hertz's assumptions hold** (`advise/check.rs`): yield, elastic waves, small strain and conformity,
//!   each with its number and its limit;
//! - **which step** (`advise/step.rs`, `advise/march.rs`, `advise/phase.rs`): the contact is integrated with the
//!   fixed-step schemes of common programs, and the largest error in restitution over all phases of the onset within
//!   the step is located.
//!
//! The reference speed is the geometric mean of the range, because the quantities of an impact under a power law are
//! powers of the speed.
//!
//! ```
//! use carom::advise::{Problem, Purpose, RequestedRestitution, advise};
//! let steel = carom::Pair::new(0.54, 2.4144e10, 1.5)?;
//! let problem = Problem::new(steel, (0.1, 1.0), Some(RequestedRestitution::one(0.7568)?), Purpose::Single);
//! let advice = advise(&problem)?;
//! assert!(!advice.recommended.is_empty());
//! // Every law of the catalogue has a verdict; those that are one force share it.
//! let names = advice.recommended.iter().map(|law| 1 + law.same_force.len()).sum::<usize>()
//!     + advice.against.iter().map(|law| 1 + law.same_force.len()).sum::<usize>();
//! assert_eq!(names, carom::CATALOGUE.len());
//! # Ok::<(), carom::Error>(())
//! ```

mod check;
mod examine;
mod march;
mod phase;
mod purpose;
mod reasons;
mod report;
mod spec;
mod step;
mod verdict;

pub use check::{Check, Status};
pub use march::{Integrator, march};
pub use phase::{OverPhases, over_phases};
pub use purpose::Purpose;
pub use report::{
    Advice, Delivered, OtherExit, ProblemReport, Published, Reason, Recommendation, SameForce,
    Verdict,
};
pub use spec::Spec;
pub use step::{
    Criterion, ErrorAtStep, SchemeErrors, StepAdvice, StepVerdict, SuggestedStep, at_most,
    error_at_step, rayleigh, worst_error,
};

use crate::error::{self, Error, Result, check_positive};
use crate::identify::{Observed, Speeds, fit_speeds};
use crate::law::Exit;
use crate::linear_equivalent::damping_ratio;
use crate::message::{Action, Topic};
use crate::pair::Pair;
use crate::report::NoteReport;

/// Requested restitution, constant or as a function of the speed.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestedRestitution {
    /// Speeds and restitutions, in order of increasing speed; a single point holds for all speeds.
    points: Vec<(f64, f64)>,
}

impl RequestedRestitution {
    /// Creates a restitution that is the same at all speeds.
    pub fn one(restitution: f64) -> Result<Self> {
        Ok(Self { points: vec![(1.0, error::check_restitution(restitution)?)] })
    }

    /// Creates a restitution from values measured at several speeds: linear in the logarithm of the speed between
    /// them, constant below the slowest and above the fastest.
    ///
    /// # Errors
    /// If a speed is not positive or is given twice, or a restitution is outside (0, 1].
    pub fn several(mut points: Vec<(f64, f64)>) -> Result<Self> {
        for &(speed, restitution) in &points {
            check_positive("speeds", speed, "give approach speeds at touch in m/s")?;
            error::check_restitution(restitution)?;
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        if points.is_empty() || points.windows(2).any(|two| two[0].0 == two[1].0) {
            let advice = "give each speed once, with the mean of its restitutions";
            return Err(Error::invalid("speeds", points.len(), "different speeds", advice));
        }
        Ok(Self { points })
    }

    /// Returns the requested restitution at a speed (m/s).
    ///
    /// ```
    /// use carom::advise::RequestedRestitution;
    /// let falling = RequestedRestitution::several(vec![(0.1, 0.9), (10.0, 0.5)])?;
    /// assert!((falling.at(1.0) - 0.7).abs() < 1e-12 && falling.at(50.0) == 0.5);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn at(&self, speed: f64) -> f64 {
        let after = self.points.partition_point(|(known, _)| *known < speed);
        match (self.points.get(after.wrapping_sub(1)), self.points.get(after)) {
            (Some(&(v1, e1)), Some(&(v2, e2))) => {
                e1 + (e2 - e1) * (speed / v1).ln() / (v2 / v1).ln()
            }
            (Some(&(_, e)), None) | (None, Some(&(_, e))) => e,
            (None, None) => 1.0,
        }
    }

    /// Returns the slowest and the fastest speed, if there are several.
    pub fn range(&self) -> Option<(f64, f64)> {
        match self.points[..] {
            [(first, _), .., (last, _)] => Some((first, last)),
            _ => None,
        }
    }
}

/// Problem for which advice is requested.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The two bodies.
    pub pair: Pair,
    /// Lowest and highest approach speed at onset (m/s).
    pub speeds: (f64, f64),
    /// Requested restitution, if it is known.
    pub wanted: Option<RequestedRestitution>,
    /// Purpose of the law.
    pub purpose: Purpose,
    /// Exit of contact in the program that will use the law.
    pub exit: Exit,
    /// Integration scheme for which a step is suggested.
    pub integrator: Integrator,
    /// Relative error in restitution that the step may cause.
    pub tolerance: f64,
    /// Step to be judged (s), if given.
    pub step: Option<f64>,
    /// Parameters of laws, by name.
    pub set: Vec<(String, f64)>,
}

impl Problem {
    /// Creates a problem with the usual choices: contact ends at zero force, velocity Verlet, an error of 1 % in
    /// restitution.
    pub fn new(
        pair: Pair,
        speeds: (f64, f64),
        wanted: Option<RequestedRestitution>,
        purpose: Purpose,
    ) -> Self {
        Self {
            pair,
            speeds,
            wanted,
            purpose,
            exit: Exit::ZeroForce,
            integrator: Integrator::VelocityVerlet,
            tolerance: 0.01,
            step: None,
            set: Vec::new(),
        }
    }

    /// Returns the geometric mean of the range of speeds (m/s).
    pub fn reference_speed(&self) -> f64 {
        match self.speeds {
            (low, high) if low == high => low,
            (low, high) => low.sqrt() * high.sqrt(),
        }
    }

    /// Returns the requested restitution at the reference speed.
    pub fn restitution(&self) -> Option<f64> {
        self.wanted.as_ref().map(|wanted| wanted.at(self.reference_speed()))
    }

    /// Returns the speeds at which laws are evaluated, equally spaced in their logarithm. The impacts of bodies that
    /// come to rest become ever slower; for the corresponding purposes the range is extended down to a tenth of the
    /// highest speed.
    pub(crate) fn sampled_speeds(&self, points: i32) -> Vec<f64> {
        let (mut low, high) = self.speeds;
        if self.purpose.excludes_speed() {
            low = low.min(0.1 * high);
        }
        if low == high {
            return vec![low];
        }
        let at = |i: i32| low * (high / low).powf(f64::from(i) / f64::from(points - 1));
        (0..points).map(|i| if i + 1 == points { high } else { at(i) }).collect()
    }
}

/// Advises on the law, its numbers and the time step.
///
/// # Errors
/// If the speeds or the pair are outside what can be computed. A law that cannot be used for the problem is no error:
/// it is listed among those that are not recommended, with the reason.
pub fn advise(problem: &Problem) -> Result<Advice> {
    let advice = "give the approach speed at touch in m/s, above 0";
    check_positive("speed", problem.speeds.0, advice)?;
    check_positive("speed", problem.speeds.1, advice)?;
    // This fails first, with the clearest error, if the pair or the speed is outside what can be computed.
    let elastic = examine::elastic_impact(problem)?;
    let (problem, mut notes) = with_fitted_exponents(problem)?;
    let problem = &problem;
    let (recommended, against) = verdict::judge(problem, &elastic);
    if problem.wanted.is_none() {
        notes.extend(estimates_note(&recommended));
        let message = sentence!(
            "no restitution was given, so no viscous damping can be recommended: drop one body on the \
             other and take e = sqrt(h_rebound/h_drop), or measure contact time or peak force with it; for \
             stiffness and damping from two such numbers see {}",
            Action::see(Topic::Identification)
        );
        notes.push(NoteReport::new("no_restitution", message));
    }
    if recommended.iter().any(|law| law.reasons.iter().any(|r| r.kind == "compromise")) {
        let message = "no law meets everything this purpose asks for; those with the fewest reasons against are \
                       shown, and what speaks against each is listed";
        notes.push(NoteReport::new("compromise", message));
    }
    let first = recommended.first();
    notes.extend(first.and_then(|law| smoothness_note(problem, law)));
    notes.extend(linear_equivalent_note(problem));
    let step = step::advise(problem, first.map(|law| (law.law, &law.numbers)), &elastic)?;
    let checks = check::check_problem(problem, &elastic);
    Ok(Advice { problem: ProblemReport::of(problem), checks, recommended, against, step, notes })
}

/// Creates a note on the range of the restitutions that the recommended laws derive from material constants.
fn estimates_note(recommended: &[Recommendation]) -> Option<NoteReport> {
    let middle = |law: &Recommendation| {
        let at = law.delivered.get(law.delivered.len() / 2)?;
        at.per_impact.or(at.constant)
    };
    let found: Vec<f64> = recommended.iter().filter_map(middle).collect();
    let (low, high) =
        (found.iter().copied().reduce(f64::min)?, found.iter().copied().reduce(f64::max)?);
    let message = format!(
        "the laws shown take the restitution from constants of the material; in the middle of the \
         range they give {low:.3} to {high:.3}, an estimate that a single drop test decides"
    );
    Some(NoteReport::new("estimates", message))
}

/// Creates a note that explains why no power law is smooth and has the same restitution at all speeds, if the error
/// of the recommended law exceeds 5 %.
fn smoothness_note(problem: &Problem, law: &Recommendation) -> Option<NoteReport> {
    let missed = law.error_constant.filter(|error| *error > 0.05)?;
    let n = problem.pair.exponent;
    if problem.purpose != Purpose::Optimisation || law.speed_power.is_none() {
        return None;
    }
    let (percent, largest) = (100.0 * missed, 2.0 * (n - 1.0) / (n + 1.0));
    let message = sentence!(
        "one constant c misses the restitution by up to {percent:.0} % over these speeds. No power law \
         does better and stays smooth: one c keeps e only for q = 2(n-m)/(n+1), a continuous tangent at \
         touch needs m > 1, and then q < {largest:.2}, whose tangent has no bound at the turn. Narrow the \
         range of speeds, or give up smoothness at touch ({})",
        Action::set("purpose", "multiple")
    );
    Some(NoteReport::new("smooth_or_velocity_free", message))
}

/// Creates a note, for lasting contacts, on the damper that delivers one restitution at every speed with any spring.
fn linear_equivalent_note(problem: &Problem) -> Option<NoteReport> {
    let wanted = problem.wanted.as_ref().filter(|wanted| wanted.points.len() == 1)?;
    let restitution = wanted.at(problem.reference_speed());
    if !problem.purpose.excludes_speed() || restitution >= 1.0 {
        return None;
    }
    let ratio = damping_ratio(problem.exit, restitution);
    let message = sentence!(
        "for lasting contact with another spring than K*delta^n (conformal, measured, your own formula) \
         use {}: with the damping ratio {ratio:.6} it delivers {restitution} at every speed and needs no \
         speed at touch; for K*delta^n it is the damper of tsuji-1992",
        Action::set("damper", "linear-equivalent")
    );
    Some(NoteReport::new("linear_equivalent", message))
}

/// Returns the problem with the damping exponents that fit the restitutions at several speeds, unless the exponents
/// were set. Laws with free exponents are then judged with these.
fn with_fitted_exponents(problem: &Problem) -> Result<(Problem, Vec<NoteReport>)> {
    let mut problem = problem.clone();
    let mut notes = Vec::new();
    let given = problem.set.iter().any(|(name, _)| name == "damping_exponent");
    let observed: Vec<Observed> = match &problem.wanted {
        Some(wanted) if wanted.points.len() > 1 && !given => wanted
            .points
            .iter()
            .map(|&(speed, restitution)| Observed { speed, restitution })
            .collect(),
        _ => return Ok((problem, notes)),
    };
    if observed.iter().any(|at| at.restitution >= 1.0) {
        return Ok((problem, notes));
    }
    let exponent = problem.pair.exponent;
    let fit = fit_speeds(&Speeds {
        observed,
        exponent,
        exit: problem.exit,
        candidate: None,
        pair: None,
    })?;
    if let Some(fitted) = fit.candidates.iter().find(|candidate| candidate.name == "fitted") {
        notes.push(NoteReport::new("fitted_exponents", format!(
                "the restitutions are met to {:.4} (rms) with damping exponents m = {:.4}, q = {} and a \
                 constant coefficient; laws with free exponents are judged with these",
                fitted.restitution_rms, fitted.damping_exponent, fitted.rate_exponent
            )));
        problem.set.retain(|(name, _)| name != "rate_exponent");
        problem.set.push(("damping_exponent".into(), fitted.damping_exponent));
        problem.set.push(("rate_exponent".into(), fitted.rate_exponent));
    }
    Ok((problem, notes))
}
