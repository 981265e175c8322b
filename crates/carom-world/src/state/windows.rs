//! Data of the state about islands that take steps of their own (`window.rs`).

use super::Pace;
use crate::integrator::Method;
use serde::{Deserialize, Serialize};

/// Number of successive common steps after which islands that stay apart take steps of their own: more than a single impact
/// takes.
const MIN_COMMON_STEPS: u32 = 32;
/// Largest number of common steps between windows. The wait doubles with every window that is given up, so that unsuccessful
/// windows are rare.
const MAX_COMMON_STEPS: u32 = 1024;

/// Whether islands take steps of their own, and the length of windows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Windows {
    /// Length of the next window (s); 0 if there was none yet.
    #[serde(with = "crate::bits")]
    pub length: f64,
    /// Common steps since the bodies separated into several islands.
    pub common_steps: u32,
    /// Number of common steps to wait for before the next window.
    pub steps_to_wait: u32,
    /// Whether the last steps were those of a window.
    pub open: bool,
    /// For each free body: the pace of its island in the last window.
    pub paces: Vec<IslandPace>,
}

/// Data that an island needs to take its next step independently of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct IslandPace {
    /// Length of its next step (s); 0 if it does not follow from the last one.
    #[serde(with = "crate::bits")]
    pub step: f64,
    pub pace: Pace,
    /// Largest speed so far (m/s).
    #[serde(with = "crate::bits")]
    pub largest_speed: f64,
    /// Largest kinetic energy so far (J).
    #[serde(with = "crate::bits")]
    pub largest_kinetic: f64,
}

impl Windows {
    /// Creates the data of a state before the first window, for a number of free bodies.
    pub fn new(free: usize) -> Self {
        let paces = vec![IslandPace::default(); free];
        Self { length: 0.0, common_steps: 0, steps_to_wait: MIN_COMMON_STEPS, open: false, paces }
    }

    /// Returns whether the next steps should be those of a window, provided that there are several islands.
    pub fn are_due(&self) -> bool {
        self.open || self.common_steps >= self.steps_to_wait
    }

    /// Returns to common steps, with a longer wait before the next window.
    pub fn give_up(&mut self) {
        self.open = false;
        self.common_steps = 0;
        self.steps_to_wait = (2 * self.steps_to_wait).min(MAX_COMMON_STEPS);
    }

    /// Records that another window follows.
    pub fn continue_windows(&mut self) {
        self.open = true;
        self.steps_to_wait = MIN_COMMON_STEPS;
    }
}

impl IslandPace {
    /// Returns the pace of an island made of two: the shorter step, taken explicitly if the two paces differ, and the larger
    /// scales.
    pub fn merged_with(self, other: Self) -> Self {
        let length = |one: &Self| match one.pace.method {
            Method::Implicit if self.pace != other.pace => one.step.min(one.pace.explicit_length),
            _ => one.step,
        };
        let step = match (length(&self), length(&other)) {
            (0.0, step) | (step, 0.0) => step,
            (one, two) => one.min(two),
        };
        Self {
            step,
            pace: if self.pace == other.pace { self.pace } else { Pace::default() },
            largest_speed: self.largest_speed.max(other.largest_speed),
            largest_kinetic: self.largest_kinetic.max(other.largest_kinetic),
        }
    }
}
