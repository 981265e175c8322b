//! Measured quantities of an impact, its known conditions, and its predicted results.

use crate::error::{self, Result, check_positive};
use crate::exact::Exponents;
use crate::impact::Impact;
use crate::law::Exit;
use serde::Serialize;

/// Quantities of an impact that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Rebound speed divided by impact speed.
    Restitution,
    /// Duration of the contact (s).
    Duration,
    /// Largest force (N).
    Force,
    /// Largest indentation (m).
    Indentation,
}

names! {
    Measure {
        Restitution = "restitution",
        Duration = "duration",
        Force = "force",
        Indentation = "indentation",
    }
}

impl Measure {
    /// Returns the exponents of L, mₑ and v₀ in the unit in which the measure is a function of ε alone.
    pub(super) fn scale(self) -> [f64; 3] {
        match self {
            Self::Restitution => [0.0, 0.0, 0.0],
            Self::Duration => [1.0, 0.0, -1.0],
            Self::Force => [-1.0, 1.0, 2.0],
            Self::Indentation => [1.0, 0.0, 0.0],
        }
    }
}

/// A measured quantity with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Measured quantity.
    pub what: Measure,
    /// Value in SI units.
    pub value: f64,
    /// Absolute uncertainty in SI units; 0 if it is not known.
    pub error: f64,
}

impl Measured {
    /// Creates a checked number of unknown uncertainty.
    pub fn new(what: Measure, value: f64) -> Result<Self> {
        match what {
            Measure::Restitution => error::check_restitution(value)?,
            Measure::Duration => {
                check_positive("duration", value, "give the time of contact in s")?
            }
            Measure::Force => check_positive("force", value, "give the largest force in N")?,
            Measure::Indentation => {
                check_positive("indentation", value, "give the largest indentation in m")?
            }
        };
        Ok(Self { what, value, error: 0.0 })
    }

    /// Sets the absolute uncertainty.
    pub fn with_error(self, error: f64) -> Result<Self> {
        let error = uncertainty(self.what.name(), error)?;
        Ok(Self { error, ..self })
    }
}

fn uncertainty(name: &str, value: f64) -> Result<f64> {
    let advice = "give the absolute uncertainty, in the unit of the measured number";
    error::check_range(&format!("{name}_error"), value, 0.0, f64::MAX, advice)
}

/// Known conditions of the impact besides the measured numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    /// Effective mass (kg).
    pub mass: f64,
    /// Absolute uncertainty of the mass (kg), 0 if it is not known.
    pub mass_error: f64,
    /// Approach speed at onset (m/s).
    pub speed: f64,
    /// Absolute uncertainty of the speed (m/s), 0 if it is not known.
    pub speed_error: f64,
    /// Exponents n, m and q.
    pub exponents: Exponents,
    /// Exit of contact.
    pub exit: Exit,
}

impl Setup {
    /// Creates a checked setup with mass and speed of unknown uncertainty.
    pub fn new(mass: f64, speed: f64, exponents: Exponents, exit: Exit) -> Result<Self> {
        check_positive("mass", mass, "give the effective mass in kg, m1*m2/(m1+m2)")?;
        check_positive("speed", speed, "give the approach speed at touch in m/s, above 0")?;
        Ok(Self { mass, mass_error: 0.0, speed, speed_error: 0.0, exponents, exit })
    }

    /// Sets the absolute uncertainties of mass (kg) and speed (m/s).
    pub fn with_errors(self, mass_error: f64, speed_error: f64) -> Result<Self> {
        let mass_error = uncertainty("mass", mass_error)?;
        let speed_error = uncertainty("speed", speed_error)?;
        Ok(Self { mass_error, speed_error, ..self })
    }
}

/// Theory by which stiffness and damping are identified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The exact impact.
    #[default]
    Exact,
    /// The fits of Ramaswamy & Humbert for restitution and duration, with m = n and q = 1.
    Published,
}

/// Results of an impact with the identified numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Predicted {
    /// Rebound speed divided by impact speed.
    pub restitution: f64,
    /// Duration of the contact (s).
    pub duration: f64,
    /// Largest force (N).
    pub force_max: f64,
    /// Largest indentation (m).
    pub indentation_max: f64,
    /// Time of the largest force (s).
    pub time_of_force_max: f64,
    /// Time of the largest indentation (s).
    pub time_of_indentation_max: f64,
}

impl Predicted {
    /// Returns one of the four measures.
    pub fn of(&self, what: Measure) -> f64 {
        match what {
            Measure::Restitution => self.restitution,
            Measure::Duration => self.duration,
            Measure::Force => self.force_max,
            Measure::Indentation => self.indentation_max,
        }
    }
}

impl From<&Impact> for Predicted {
    fn from(impact: &Impact) -> Self {
        Self {
            restitution: impact.restitution.newton,
            duration: impact.duration,
            force_max: impact.force_max,
            indentation_max: impact.indentation_max,
            time_of_force_max: impact.time_of_force_max,
            time_of_indentation_max: impact.time_of_indentation_max,
        }
    }
}
