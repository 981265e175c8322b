//! Comparison of laws with an experiment.
//!
//! [`compare`] computes a measured impact with every law and returns the errors. The dissipation of all laws is specified
//! by the same rule ([`Request`]):
//!
//! | input of the law | what is specified |
//! |---|---|
//! | a restitution | the measured one, by the published formula |
//! | a coefficient | the one that delivers the measured restitution exactly |
//! | material constants | those that deliver the measured restitution exactly; without such a calibration, the properties of the pair |
//! | nothing (elastic) | nothing |
//!
//! Linear laws do not accept the exponent 3/2; they are computed with the linear spring of equal energy
//! ([`Pair::linear_equivalent`]). A law that needs properties which the experiment does not have, neither measured nor
//! nominal ([`crate::problems`] states which these are), is not computed, and its row says which property is missing.

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

/// How the dissipation of the laws is specified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Request {
    /// By the table of the module comment.
    #[default]
    Usual,
    /// By the published formula; laws without one are not computed.
    Published,
    /// By exact calibration; laws without one are not computed.
    Exact,
}

impl Request {
    /// Returns the damping to use first, and the one to use if the law rejects it.
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

/// The impact of a law compared with an experiment. Errors are relative: 0.01 means that the computed value is 1 %
/// too large.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LawComparison {
    /// Id of the law.
    pub law: &'static str,
    /// Id of the best-known one of the compared laws that have the same force here, if it is another law.
    pub same_force: Option<&'static str>,
    /// Calibration of the damping: `published`, `exact` or `none`.
    pub calibration: &'static str,
    /// Exit of contact.
    pub exit: Exit,
    /// Whether the law is linear, with K from [`Pair::linear_equivalent`].
    pub linear_equivalent: bool,
    /// Requested restitution.
    pub requested: Option<f64>,
    /// Delivered restitution.
    pub restitution: Option<f64>,
    /// Relative error of the restitution.
    pub restitution_error: Option<f64>,
    /// Duration of the contact (s).
    pub duration: Option<f64>,
    /// Relative error of the duration, if it was measured.
    pub duration_error: Option<f64>,
    /// Largest force (N).
    pub force_max: Option<f64>,
    /// Relative error of the largest force, if it was measured.
    pub force_max_error: Option<f64>,
    /// Largest indentation (m).
    pub indentation_max: Option<f64>,
    /// Relative error of the largest indentation, if it was measured.
    pub indentation_max_error: Option<f64>,
    /// Root mean square of the available errors.
    pub score: Option<f64>,
    /// Kinds of the notes of the impact.
    pub notes: Vec<&'static str>,
    /// Reason why the law was not computed, if it was not.
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

/// Computes an experiment with each of `models` and returns the results in their order.
///
/// `exit` replaces the exit of contact for which each law was derived.
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
    let mut computed: Vec<(usize, &'static Model, Law)> = Vec::new();
    for model in models {
        let (row, law) = compare_law(experiment, model, request, exit);
        computed.extend(law.map(|law| (rows.len(), model, law)));
        rows.push(row);
    }
    name_same_forces(&mut rows, &computed, experiment.speed);
    rows
}

/// Enters the id of the best-known law in the rows of all other laws that have the same force.
fn name_same_forces(
    rows: &mut [LawComparison],
    computed: &[(usize, &'static Model, Law)],
    speed: f64,
) {
    let finite = |(place, ..): &&(usize, &'static Model, Law)| {
        let row = rows.get(*place)?;
        Some((row.indentation_max?, row.force_max?)).filter(|(depth, force)| depth * force > 0.0)
    };
    let Some((indentation, force)) = computed.iter().find_map(|one| finite(&one)) else { return };
    let scale = Scale { speed, indentation, force };
    let laws: Vec<_> = computed.iter().map(|(_, model, law)| (*model, *law)).collect();
    for family in same_force::families(&laws, &scale, same_force::TOLERANCE) {
        let Some(((lead, ..), others)) =
            family.split_first().and_then(|(first, others)| Some((computed.get(*first)?, others)))
        else {
            continue;
        };
        let name = rows[*lead].law;
        for (place, ..) in others.iter().filter_map(|other| computed.get(*other)) {
            rows[*place].same_force = Some(name);
        }
    }
}

/// Returns the comparison of one law, and the law itself if it was computed.
fn compare_law(
    experiment: &Experiment,
    model: &'static Model,
    request: Request,
    exit: Option<Exit>,
) -> (LawComparison, Option<Law>) {
    let pair = experiment.pair();
    let try_damping = |damping| {
        let computed = run_law(model, &pair, experiment.speed, damping, exit, &[]);
        computed.map_err(|why| (damping, why))
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

/// Returns the more useful of two errors. An error about a missing property is preferred, because the property can be
/// supplied.
fn prefer_missing(first: (Damping, Error), second: (Damping, Error)) -> (Damping, Error) {
    if first.1.is_missing() || !second.1.is_missing() { first } else { second }
}

/// Computes the impact of a law for a pair or, if the law rejects that pair, for the equivalent linear one. Returns
/// the report, whether the linear pair was used, and the law.
fn run_law(
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
    /// Returns the pair with the linear spring that stores the energy of an impact at `speed` (m/s) at the same
    /// indentation.
    ///
    /// The largest indentation of the elastic impact is δ_H = [(n+1)·m·v²/(2K)]^(1/(n+1)). Equating the energies
    /// ½kδ² = Kδⁿ⁺¹/(n+1) at δ_H gives k = 2K·δ_Hⁿ⁻¹/(n+1), which for Hertz is (4/5)·K·√δ_H.
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
        let computed = rows("steel-ball-0.5", Request::Usual);
        let computed = computed.iter().filter(|row| row.reason.is_none()).count();
        assert!(4 * computed > 3 * CATALOGUE.len(), "only {computed} laws ran");
    }

    /// The expected values are computed from Tables 1 and 2 of Zhang et al. 2022.
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
