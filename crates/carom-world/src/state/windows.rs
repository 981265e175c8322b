//! What the state knows of islands that take steps of their own (`window.rs`).

use super::Pace;
use crate::integrator::Method;
use serde::{Deserialize, Serialize};

/// Common steps in a row after which islands that stay apart get steps of their own: an impact alone takes no more.
const MIN_COMMON_STEPS: u32 = 32;
/// The wait doubles with every window that was given up, up to so many common steps, so that windows that are tried in vain are rare.
const MAX_COMMON_STEPS: u32 = 1024;

/// Whether islands take steps of their own, and for how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Windows {
    /// Length of the next window (s); 0 where there was none yet.
    #[serde(with = "crate::bits")]
    pub length: f64,
    /// Common steps since the bodies fell apart into several islands.
    pub since: u32,
    /// How many of them to wait for.
    pub patience: u32,
    /// The last steps were those of a window.
    pub open: bool,
    /// By free body: the pace of its island in the last window.
    pub paces: Vec<IslandPace>,
}

/// What an island needs to take its next step as if it were alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct IslandPace {
    /// Length of its next step (s); 0 where that does not follow from the last one.
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
    /// No window yet, for so many free bodies.
    pub fn new(free: usize) -> Self {
        let none = IslandPace {
            step: 0.0,
            pace: Pace::default(),
            largest_speed: 0.0,
            largest_kinetic: 0.0,
        };
        let paces = vec![none; free];
        Self { length: 0.0, since: 0, patience: MIN_COMMON_STEPS, open: false, paces }
    }

    /// Whether the next step is that of a window, unless all bodies turn out to be one island.
    pub fn are_due(&self) -> bool {
        self.open || self.since >= self.patience
    }

    /// Goes back to common steps, and waits for longer before the next window.
    pub fn give_up(&mut self) {
        self.open = false;
        self.since = 0;
        self.patience = (2 * self.patience).min(MAX_COMMON_STEPS);
    }

    /// Another window follows.
    pub fn go_on(&mut self) {
        self.open = true;
        self.patience = MIN_COMMON_STEPS;
    }
}

impl IslandPace {
    /// The pace of an island that two belong to: the shorter step, taken explicitly where they differ, and the larger scales.
    pub fn with(self, other: Self) -> Self {
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
