//! Results of an identification, under the names that users see.

use super::measured::{Measure, Predicted};
use super::sensitivity::{Effect, Sensitivity};
use crate::law::Exit;
use crate::report::{DampingReport, NoteReport, PairReport};
use serde::Serialize;

/// Stiffness and damping that fit the measured numbers, with the results that follow from them.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Solution {
    /// Mass, stiffness and exponent.
    pub pair: PairReport,
    /// The damping, as in a report of an impact.
    pub damping: DampingReport,
    /// ω = [K·v₀^(n−1)/mₑ]^(1/(n+1)) (rad/s).
    pub natural_frequency: f64,
    /// The impact with these numbers.
    pub predicted: Predicted,
    /// Change of each result, in %, for a change of each given number by 1 %.
    pub sensitivity: Sensitivity,
    /// Absolute uncertainties of the results, if those of given numbers are known.
    pub uncertainty: Option<Effect>,
}

/// Results of an identification.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Identification {
    /// Measured quantities.
    pub measured: [Measure; 2],
    /// Approach speed at onset (m/s).
    pub speed: f64,
    /// Exit of contact.
    pub exit: Exit,
    /// The solution; if several fit, the one with the least damping.
    #[serde(flatten)]
    pub solution: Solution,
    /// Other solutions that fit the measured numbers equally well, in order of increasing damping.
    pub others: Vec<Solution>,
    /// Warnings and remarks.
    pub notes: Vec<NoteReport>,
}
