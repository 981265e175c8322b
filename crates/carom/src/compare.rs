//! Laws against an experiment.
//!
//! [`compare`] computes a measured impact with every law and reports the errors. How a law gets its
//! dissipation follows one rule for all laws ([`Request`]):
//!
//! | the law takes | it is given |
//! |---|---|
//! | a restitution | the measured one, by its published formula |
//! | a coefficient | what delivers the measured restitution exactly |
//! | material constants | what delivers the measured restitution exactly; where it has no such calibration, the facts of the pair |
//! | nothing (elastic) | nothing |
//!
//! Linear laws refuse the exponent 3/2; they get the linear spring of equal energy
//! ([`Pair::linear_equivalent`]). A law that needs facts which the experiment does not hold, measured
//! or nominal ([`crate::problems`] says which are), does not run, and its row says which.

mod delivery;

pub use delivery::{Deliveries, Delivery, deliveries, nominal_law};

use crate::error::{Error, Result};
use crate::impact::Conditions;
use crate::law::{Exit, Law};
use crate::message::Message;
use crate::model::{Damping, Input, Model};
use crate::pair::Pair;
use crate::problems::Experiment;
use crate::report::Report;
use crate::same_force::{self, Scale};
use crate::spec::Case;
use serde::Serialize;

/// How dissipation is asked of the laws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Request {
    /// By the table of the module comment.
    #[default]
    Usual,
    /// By the published formula; laws without one do not run.
    Published,
    /// By exact calibration; laws without one do not run.
    Exact,
}

impl Request {
    /// The damping to try first, and the one to try where the law refuses that.
    fn dampings(self, input: Input, e: f64) -> (Damping, Option<Damping>) {
        match (self, input) {
            (_, Input::Elastic) => (Damping::None, None),
            (Self::Published, _) | (Self::Usual, Input::Restitution) => {
                (Damping::Restitution(e), None)
            }
            (Self::Exact, _) | (Self::Usual, Input::Coefficient) => (Damping::Exact(e), None),
            (Self::Usual, Input::Material) => (Damping::Exact(e), Some(Damping::None)),
        }
    }
}

/// The impact of a law beside an experiment; errors are relative, 0.01 for 1 % too much.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LawComparison {
    /// Id of the law.
    pub law: &'static str,
    /// The best-known law of those compared that is the same force here, where it is another one.
    pub same_force: Option<&'static str>,
    /// Where the damping came from: `published`, `exact` or `none`.
    pub calibration: &'static str,
    /// When contact ends.
    pub exit: Exit,
    /// True where the law is linear and K is that of [`Pair::linear_equivalent`].
    pub linear_equivalent: bool,
    /// The restitution that was asked for.
    pub requested: Option<f64>,
    /// The restitution that was delivered.
    pub restitution: Option<f64>,
    /// Its error against the experiment.
    pub restitution_error: Option<f64>,
    /// Time of contact (s).
    pub duration: Option<f64>,
    /// Its error, where it was measured.
    pub duration_error: Option<f64>,
    /// Largest force (N).
    pub force_max: Option<f64>,
    /// Its error, where it was measured.
    pub force_max_error: Option<f64>,
    /// Largest indentation (m).
    pub indentation_max: Option<f64>,
    /// Its error, where it was measured.
    pub indentation_max_error: Option<f64>,
    /// Root mean square of the errors there are.
    pub score: Option<f64>,
    /// Kinds of the notes of the impact.
    pub notes: Vec<&'static str>,
    /// Why the law did not run, if it did not.
    pub reason: Option<Message>,
}

impl LawComparison {
    fn of(experiment: &Experiment, report: &Report, linear_equivalent: bool) -> Self {
        let error = |value: f64, measured: Option<f64>| measured.map(|known| value / known - 1.0);
        let restitution = report.restitution.newton;
        let errors = [
            error(restitution, Some(experiment.restitution)),
            error(report.duration, experiment.duration),
            error(report.force_max, experiment.force_max),
            error(report.indentation_max, experiment.indentation_max),
        ];
        let known = errors.iter().flatten();
        let mean_square = known.clone().map(|e| e * e).sum::<f64>() / known.count() as f64;
        Self {
            law: report.law,
            same_force: None,
            calibration: report.damping.calibration,
            exit: report.exit,
            linear_equivalent,
            requested: report.restitution.requested,
            restitution: Some(restitution),
            restitution_error: errors[0],
            duration: Some(report.duration),
            duration_error: errors[1],
            force_max: Some(report.force_max),
            force_max_error: errors[2],
            indentation_max: Some(report.indentation_max),
            indentation_max_error: errors[3],
            score: Some(mean_square.sqrt()),
            notes: report.notes.iter().map(|note| note.kind).collect(),
            reason: None,
        }
    }

    fn refused(model: &Model, damping: Damping, exit: Option<Exit>, why: &Error) -> Self {
        Self {
            law: model.id,
            same_force: None,
            calibration: damping.name(),
            exit: exit.unwrap_or(model.exit),
            linear_equivalent: false,
            requested: damping.restitution(),
            restitution: None,
            restitution_error: None,
            duration: None,
            duration_error: None,
            force_max: None,
            force_max_error: None,
            indentation_max: None,
            indentation_max_error: None,
            score: None,
            notes: Vec::new(),
            reason: Some(why.message()),
        }
    }
}

/// The results of `models` for an experiment, in their order.
///
/// `exit` replaces the end of contact that each law was derived for.
///
/// ```
/// use carom::compare::{Request, compare};
/// use carom::{CATALOGUE, problems::experiment};
/// let rows = compare(experiment("steel-ball-0.5")?, CATALOGUE, Request::Usual, None);
/// assert_eq!(rows.len(), CATALOGUE.len());
/// let hertz = rows.iter().find(|row| row.law == "hertz-1881").unwrap();
/// assert!((hertz.restitution.unwrap() - 1.0).abs() < 1e-12);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn compare(
    experiment: &Experiment,
    models: impl IntoIterator<Item = &'static Model>,
    request: Request,
    exit: Option<Exit>,
) -> Vec<LawComparison> {
    let mut rows = Vec::new();
    let mut ran: Vec<(usize, &'static Model, Law)> = Vec::new();
    for model in models {
        let (row, law) = row(experiment, model, request, exit);
        ran.extend(law.map(|law| (rows.len(), model, law)));
        rows.push(row);
    }
    name_same_forces(&mut rows, &ran, experiment.speed);
    rows
}

/// Names the best-known law in the row of every other law that is the same force.
fn name_same_forces(rows: &mut [LawComparison], ran: &[(usize, &'static Model, Law)], speed: f64) {
    let finite = |(place, ..): &&(usize, &'static Model, Law)| {
        let row = rows.get(*place)?;
        Some((row.indentation_max?, row.force_max?)).filter(|(depth, force)| depth * force > 0.0)
    };
    let Some((indentation, force)) = ran.iter().find_map(|one| finite(&one)) else { return };
    let scale = Scale { speed, indentation, force };
    let laws: Vec<_> = ran.iter().map(|(_, model, law)| (*model, *law)).collect();
    for family in same_force::families(&laws, &scale, same_force::TOLERANCE) {
        let Some(((lead, ..), others)) =
            family.split_first().and_then(|(first, others)| Some((ran.get(*first)?, others)))
        else {
            continue;
        };
        let name = rows[*lead].law;
        for (place, ..) in others.iter().filter_map(|other| ran.get(*other)) {
            rows[*place].same_force = Some(name);
        }
    }
}

/// The comparison of one law, and the law itself where it ran.
fn row(
    experiment: &Experiment,
    model: &'static Model,
    request: Request,
    exit: Option<Exit>,
) -> (LawComparison, Option<Law>) {
    let pair = experiment.pair();
    let try_damping = |damping| {
        let ran = run(model, &pair, experiment.speed, damping, exit, &[]);
        ran.map_err(|why| (damping, why))
    };
    let (usual, instead) = request.dampings(model.input, experiment.restitution);
    let found = try_damping(usual).or_else(|first| match instead {
        Some(damping) => try_damping(damping).map_err(|second| prefer_missing(first, second)),
        None => Err(first),
    });
    match found {
        Ok((report, linear, law)) => (LawComparison::of(experiment, &report, linear), Some(law)),
        Err((damping, why)) => (LawComparison::refused(model, damping, exit, &why), None),
    }
}

/// The more useful of two errors: a missing fact can be supplied, so that error comes first.
fn prefer_missing(first: (Damping, Error), second: (Damping, Error)) -> (Damping, Error) {
    if first.1.is_missing() || !second.1.is_missing() { first } else { second }
}

/// Runs a law on a pair or, where it refuses that pair, on the equivalent linear one; whether it was the linear one, and the law.
fn run(
    model: &'static Model,
    pair: &Pair,
    speed: f64,
    damping: Damping,
    exit: Option<Exit>,
    set: &[(String, f64)],
) -> Result<(Report, bool, Law)> {
    let case = |pair: Pair| Case {
        model,
        pair,
        damping,
        exit,
        set: set.to_vec(),
        speed,
        conditions: Conditions::default(),
    };
    let collide = |pair: Pair| {
        let case = case(pair);
        Ok((case.run()?, case.law()?))
    };
    let why = match collide(pair.clone()) {
        Err(why) if Error::is_invalid(&why) => why,
        other => return other.map(|(report, law)| (report, false, law)),
    };
    match collide(pair.linear_equivalent(speed)) {
        Ok((report, law)) => Ok((report, true, law)),
        Err(linear) if linear.is_missing() => Err(linear),
        Err(_) => Err(why),
    }
}

impl Pair {
    /// The linear spring that stores the energy of an impact at `speed` in the same indentation.
    ///
    /// δ_H = [(n+1)·m·v²/(2K)]^(1/(n+1)) is the largest indentation of the elastic impact; equal
    /// energies ½kδ² = Kδⁿ⁺¹/(n+1) there give k = 2K·δ_Hⁿ⁻¹/(n+1), for Hertz (4/5)·K·√δ_H.
    ///
    /// ```
    /// let hertz = carom::Pair::new(0.54, 2.4144e10, 1.5)?;
    /// let spring = hertz.linear_equivalent(0.5);
    /// let depth = (0.54f64 / spring.stiffness).sqrt() * 0.5;
    /// assert_eq!(spring.exponent, 1.0);
    /// assert!((spring.stiffness / (0.8 * 2.4144e10 * depth.sqrt()) - 1.0).abs() < 1e-12);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn linear_equivalent(&self, speed: f64) -> Self {
        let order = self.exponent + 1.0;
        let depth = (0.5 * order * self.mass * speed * speed / self.stiffness).powf(1.0 / order);
        let stiffness = 2.0 * self.stiffness * depth.powf(self.exponent - 1.0) / order;
        Self { stiffness, exponent: 1.0, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::CATALOGUE;
    use crate::problems::{EXPERIMENTS, experiment};

    fn rows(id: &str, request: Request) -> Vec<LawComparison> {
        compare(experiment(id).unwrap(), CATALOGUE, request, None)
    }

    #[test]
    fn every_law_runs_or_says_what_it_lacks() {
        for known in EXPERIMENTS {
            for row in compare(known, CATALOGUE, Request::Usual, None) {
                assert_eq!(row.score.is_none(), row.reason.is_some(), "{}", row.law);
            }
        }
        let ran = rows("steel-ball-0.5", Request::Usual);
        let ran = ran.iter().filter(|row| row.reason.is_none()).count();
        assert!(4 * ran > 3 * CATALOGUE.len(), "only {ran} laws ran");
    }

    /// Recomputed from Tables 1 and 2 of Zhang et al. 2022.
    #[test]
    fn the_models_of_the_papers_tables_give_their_numbers() {
        for (id, law, e, force) in [
            ("steel-ball-0.15", "hunt-crossley-1975", 0.90015, 1094.97),
            ("steel-ball-0.15", "lankarani-nikravesh-1990", 0.90517, 1097.40),
            ("steel-ball-0.5", "hunt-crossley-1975", 0.80363, 4491.26),
            ("steel-ball-0.5", "lankarani-nikravesh-1990", 0.82343, 4515.51),
            ("steel-ball-0.5", "hu-guo-2015", 0.75536, 4446.96),
            ("sliotar-a", "lankarani-nikravesh-1990", 0.7328, 2604.53),
        ] {
            let rows = rows(id, Request::Usual);
            let row = rows.iter().find(|row| row.law == law).unwrap();
            assert!((row.restitution.unwrap() - e).abs() < 1e-4, "{law}: {row:?}");
            assert!((row.force_max.unwrap() / force - 1.0).abs() < 1e-4, "{law}: {row:?}");
        }
    }

    #[test]
    fn linear_laws_get_a_linear_spring_and_are_marked() {
        let rows = rows("steel-ball-0.5", Request::Usual);
        let hooke = rows.iter().find(|row| row.law == "hooke-1678").unwrap();
        let hertz = rows.iter().find(|row| row.law == "hertz-1881").unwrap();
        assert!(hooke.linear_equivalent && !hertz.linear_equivalent);
        let (linear, point) = (hooke.indentation_max.unwrap(), hertz.indentation_max.unwrap());
        assert!((linear / point - 1.0).abs() < 1e-12);
    }
}
