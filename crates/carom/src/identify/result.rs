//! What an identification finds, under the names that users see.

use super::measured::{Measure, Predicted};
use super::sensitivity::{Effect, Sensitivity};
use crate::law::Exit;
use crate::report::{DampingReport, NoteReport, PairReport};
use serde::Serialize;

/// Stiffness and damping that fit the measured numbers, and what follows from them.
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
    /// What 1 % in each given number does to each result, in %.
    pub sensitivity: Sensitivity,
    /// Uncertainties of the results, absolute, where those of given numbers are known.
    pub uncertainty: Option<Effect>,
}

/// Everything about an identification.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Identification {
    /// What was measured.
    pub measured: [Measure; 2],
    /// Approach speed at touch (m/s).
    pub speed: f64,
    /// When contact ends.
    pub exit: Exit,
    /// The solution; the one of least damping where several fit.
    #[serde(flatten)]
    pub solution: Solution,
    /// Other solutions that fit the measured numbers as well, by increasing damping.
    pub others: Vec<Solution>,
    /// What is worth knowing.
    pub notes: Vec<NoteReport>,
}
