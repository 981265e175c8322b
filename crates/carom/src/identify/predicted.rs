//! The impact that follows from identified numbers.

use super::Measure;
use crate::impact::Impact;
use serde::Serialize;

/// What an impact with the identified numbers is like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Predicted {
    /// Rebound speed over impact speed.
    pub restitution: f64,
    /// Time of contact (s).
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
    /// One of the four measures.
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
