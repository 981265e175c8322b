//! Options for the evaluation of a robot file, as text with units, and checked as a [`Question`].

use super::engine::Engine;
use crate::error::{Error, Result};
use crate::units::{Dimension, Quantity};
use serde::Deserialize;

/// Checked options for the evaluation of a file.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Impact speeds (m/s); 1 m/s unless given.
    pub speeds: Vec<f64>,
    /// Pairs of names; if empty, all pairs that can touch.
    pub pairs: Vec<[String; 2]>,
    /// Effective mass of every pair (kg), which replaces that of the bodies.
    pub mass: Option<f64>,
    /// Engine, which replaces the one for which the file is written.
    pub engine: Option<Engine>,
    /// Time step (s), which replaces that of the file.
    pub step: Option<f64>,
}

/// Options as text, with units.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Spec {
    /// Impact speeds.
    pub speed: Vec<Quantity>,
    /// Pairs of names; the names of a pair are separated by a comma.
    pub pair: Vec<String>,
    /// Effective mass.
    pub mass: Option<Quantity>,
    /// Name of the engine.
    pub engine: Option<String>,
    /// Time step.
    pub step: Option<Quantity>,
    /// Restitution that the file should deliver.
    pub restitution: Option<Quantity>,
}

impl Spec {
    /// Checks the options and converts them to SI units.
    ///
    /// ```
    /// use carom::robot_file::Spec;
    /// let spec = Spec { speed: vec!["20 cm/s".into()], pair: vec!["ball, floor".into()], ..Spec::default() };
    /// let question = spec.question()?;
    /// assert_eq!((question.speeds[0], question.pairs[0][1].as_str()), (0.2, "floor"));
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn question(&self) -> Result<Question> {
        let engine = match &self.engine {
            None => None,
            Some(name) => {
                let found = Engine::ALL.into_iter().find(|engine| engine.id() == name);
                let known = Engine::ALL.map(Engine::id);
                Some(found.ok_or_else(|| Error::not_among("engine", name, known))?)
            }
        };
        let speed = |one: &Quantity| positive("speed", one, Dimension::SPEED);
        let pair = |text: &String| match text.split_once(',') {
            Some((a, b)) => Ok([a.trim().to_string(), b.trim().to_string()]),
            None => Err(Error::invalid(
                "pair",
                text,
                "two names with a comma between them",
                "write A,B",
            )),
        };
        let optional = |name: &str, value: &Option<Quantity>, dimension: Dimension| {
            value.as_ref().map(|value| positive(name, value, dimension)).transpose()
        };
        Ok(Question {
            speeds: self.speed.iter().map(speed).collect::<Result<_>>()?,
            pairs: self.pair.iter().map(pair).collect::<Result<_>>()?,
            mass: optional("mass", &self.mass, Dimension::MASS)?,
            engine,
            step: optional("step", &self.step, Dimension::TIME)?,
        })
    }

    /// Returns the requested restitution.
    pub fn restitution(&self) -> Result<Option<f64>> {
        Quantity::si_if_given(&self.restitution, "restitution", Dimension::NUMBER)
    }
}

fn positive(name: &str, quantity: &Quantity, dimension: Dimension) -> Result<f64> {
    let value = quantity.si(name, dimension)?;
    match value > 0.0 {
        true => Ok(value),
        false => {
            Err(Error::invalid(name, value, "positive", "leave it out or give a positive number"))
        }
    }
}
