//! Requested and delivered restitutions of published formulas.

use super::run_law;
use crate::error::Result;
use crate::law::{Exit, Law, Memory};
use crate::model::{Damping, Input, Model};
use crate::problems::STEEL_BALL;
use serde::Serialize;

/// The requested restitutions.
const RESTITUTIONS: [f64; 11] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/// Values of parameters that a law requires and that the steel ball does not have. They are used only where the
/// qualitative behaviour of a law is examined, never for a comparison with an experiment.
const NOMINAL_VALUES: &[(&str, f64)] = &[
    ("volume_stiffness", 1e15),
    ("yield_indentation", 2e-6),
    ("work_of_adhesion", 1.0),
    ("radius_2", 0.0256),
    ("length", 0.02),
    ("rim_radius", 0.005),
    ("rim_height", 1e-4),
];

/// The restitutions that a law delivers for one requested restitution; `None` where the law does not accept the
/// request.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Delivery {
    /// Requested restitution.
    pub requested: f64,
    /// Restitution that the published formula delivers if contact ends at zero force.
    pub published_force: Option<f64>,
    /// Restitution that the published formula delivers if contact ends at zero indentation.
    pub published_indentation: Option<f64>,
    /// ε of the published formula, for power laws.
    pub published_epsilon: Option<f64>,
    /// ε that delivers the requested restitution exactly if contact ends at zero force, for power laws.
    pub exact_force_epsilon: Option<f64>,
    /// ε that delivers the requested restitution exactly if contact ends at zero indentation, for power laws.
    pub exact_indentation_epsilon: Option<f64>,
}

/// The table of a law, and the nominal values with which it was computed.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Deliveries {
    /// Parameters with a nominal value.
    pub nominal: Vec<(&'static str, f64)>,
    /// One row for each restitution from 0.1 to 0.99. The table is empty for elastic laws and for those that have
    /// neither a published formula nor an ε.
    pub rows: Vec<Delivery>,
}

/// Computes what a law delivers for restitutions from 0.1 to 0.99, for the steel ball at 0.5 m/s.
///
/// For power laws the table does not depend on the ball and the speed. Linear laws are computed with the [equivalent
/// spring](crate::Pair::linear_equivalent).
///
/// ```
/// use carom::compare::deliveries;
/// let table = deliveries(carom::model("flores-2011")?);
/// let half = table.rows.iter().find(|row| row.requested == 0.5).unwrap();
/// assert!((half.published_force.unwrap() - 0.4704).abs() < 1e-4);
/// assert!((half.exact_force_epsilon.unwrap() - 1.4328).abs() < 1e-4);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn deliveries(model: &'static Model) -> Deliveries {
    if model.input == Input::Elastic {
        return Deliveries::default();
    }
    let mut nominal = Vec::new();
    let mut rows = Vec::new();
    for requested in RESTITUTIONS {
        let (row, with) = delivery(model, requested);
        nominal.extend(with);
        rows.push(row);
    }
    nominal.dedup();
    let has_content = |row: &Delivery| {
        row.published_force.or(row.published_indentation).is_some()
            || row.exact_force_epsilon.or(row.exact_indentation_epsilon).is_some()
    };
    match rows.iter().any(has_content) {
        true => Deliveries { nominal, rows },
        false => Deliveries::default(),
    }
}

/// Computes a row, and returns it with the nominal values that it needed.
fn delivery(model: &'static Model, requested: f64) -> (Delivery, Vec<(&'static str, f64)>) {
    let mut nominal = Vec::new();
    let [force, indentation] = [Exit::ZeroForce, Exit::ZeroIndentation].map(|exit| {
        let published = Damping::Restitution(requested);
        let run = |set: &[_]| {
            run_law(model, &STEEL_BALL.pair(), STEEL_BALL.speed, published, Some(exit), set)
        };
        let report = with_nominal(model, run).ok().map(|((report, ..), with)| {
            nominal = with;
            report
        });
        let exact = law(model, Damping::Exact(requested), Some(exit), &[]).ok();
        let exact = exact.and_then(|law| Some(law.power()?.epsilon(law.mass, STEEL_BALL.speed)));
        let epsilon = report.as_ref().and_then(|report| report.damping.epsilon);
        (report.map(|report| report.restitution.newton), epsilon, exact)
    });
    let row = Delivery {
        requested,
        published_force: force.0,
        published_indentation: indentation.0,
        published_epsilon: match model.exit {
            Exit::ZeroForce => force.1,
            Exit::ZeroIndentation => indentation.1,
        },
        exact_force_epsilon: force.2,
        exact_indentation_epsilon: indentation.2,
    };
    (row, nominal)
}

/// Builds the law for the steel ball or, if the law rejects it, for the equivalent linear spring.
fn law(model: &Model, damping: Damping, exit: Option<Exit>, set: &[(String, f64)]) -> Result<Law> {
    let pair = STEEL_BALL.pair();
    match model.law(&pair, damping, exit, set) {
        Err(why) if why.is_invalid() => {
            model.law(&pair.linear_equivalent(STEEL_BALL.speed), damping, exit, set)
        }
        other => other,
    }
}

/// Calls `work` repeatedly, each time with one more nominal value, until it no longer reports a missing parameter.
fn with_nominal<T>(
    model: &Model,
    work: impl Fn(&[(String, f64)]) -> Result<T>,
) -> Result<(T, Vec<(&'static str, f64)>)> {
    let mut given: Vec<(&'static str, f64)> = Vec::new();
    let known =
        NOMINAL_VALUES.iter().filter(|(name, _)| model.parameters.iter().any(|p| p.name == *name));
    let mut known = known.copied();
    loop {
        let set: Vec<_> = given.iter().map(|&(name, value)| (name.to_string(), value)).collect();
        match work(&set) {
            Err(why) if why.is_missing() => given.push(known.next().ok_or(why)?),
            other => return other.map(|done| (done, given)),
        }
    }
}

/// Builds a law of the model for the steel ball, with nominal values of parameters that the ball does not have. It is
/// intended for examining the form of the law and not its numbers.
///
/// ```
/// use carom::compare::nominal_law;
/// assert!(nominal_law(carom::model("hertz-1881")?)?.power().is_some());
/// # Ok::<(), carom::Error>(())
/// ```
pub fn nominal_law(model: &Model) -> Result<Law> {
    let dampings: &[Damping] = match model.input {
        Input::Elastic => &[],
        Input::Restitution => &[Damping::Restitution(0.5)],
        Input::Coefficient | Input::Material => &[Damping::Exact(0.5)],
    };
    let law_with = |damping| Ok(with_nominal(model, |set| law(model, damping, None, set))?.0);
    dampings
        .iter()
        .find_map(|&damping| law_with(damping).ok())
        .map_or_else(|| law_with(Damping::None), Ok)
}

impl Model {
    /// Returns whether the force depends on the motion only, and not on the speed at onset.
    ///
    /// For `false`, the law with a specified restitution contains a number that is determined at onset from the
    /// speed, which has no meaning in lasting or multiple contact. Elastic laws, and plastic laws with a yield
    /// strength, are velocity-free. The result is `None` if the law cannot be built without parameters that are not
    /// known.
    ///
    /// ```
    /// assert_eq!(carom::model("tsuji-1992")?.velocity_free(), Some(true));
    /// assert_eq!(carom::model("flores-2011")?.velocity_free(), Some(false));
    /// assert_eq!(carom::model("hertz-1881")?.velocity_free(), Some(true));
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn velocity_free(&self) -> Option<bool> {
        if self.input == Input::Elastic {
            return Some(true);
        }
        let law = nominal_law(self).ok()?;
        let (speed, depth) = (STEEL_BALL.speed, 1e-5);
        let touch = |speed| Memory { peak: 2.0 * depth, ..law.touch(speed) };
        let (fast, slow) = (touch(speed), touch(0.1 * speed));
        let force = |rate: f64, memory: &Memory| {
            Some(law.force(depth, rate, memory)).filter(|force| force.is_finite())
        };
        let same = |a: f64, b: f64| (a - b).abs() <= 1e-6 * a.abs().max(b.abs());
        let (mut rate_free, mut speed_free) = (true, true);
        for rate in [0.4 * speed, -0.4 * speed] {
            let here = force(rate, &fast)?;
            rate_free &= same(here, force(0.5 * rate, &fast)?);
            speed_free &= same(here, force(rate, &slow)?);
        }
        // A yield strength is a constant of the material, even though exact calibration finds it at onset.
        Some(speed_free || (rate_free && self.input == Input::Material))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::CATALOGUE;

    #[test]
    fn every_published_formula_has_a_table() {
        for model in CATALOGUE.iter().filter(|model| model.input == Input::Restitution) {
            let rows = deliveries(model).rows;
            assert_eq!(rows.len(), RESTITUTIONS.len(), "{}", model.id);
            // Some formulas have a minimum restitution, but near 1 all of them deliver a result.
            let last = rows[RESTITUTIONS.len() - 1];
            let delivered = last.published_force.or(last.published_indentation);
            assert!(delivered.is_some_and(|e| e > 0.5 && e <= 1.0), "{}: {last:?}", model.id);
        }
    }

    #[test]
    fn power_laws_are_velocity_free_on_the_line_of_the_theory() {
        for model in CATALOGUE {
            let Ok(law) = law(model, Damping::Exact(0.5), None, &[]) else { continue };
            if let Some(p) = law.power() {
                let theory = crate::exact::Exponents::of(p).unwrap().is_velocity_free();
                assert_eq!(model.velocity_free(), Some(theory), "{}", model.id);
            }
        }
    }
}
