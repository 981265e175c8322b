//! Purposes of a law, and the requirements of each.

use crate::error::{Error, Result, find_by_name};
use serde::{Deserialize, Serialize};

/// Purpose of a law.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Purpose {
    /// Separate impacts whose approach speed is known.
    #[default]
    Single,
    /// Bodies that come to rest on one another.
    Resting,
    /// Contacts that overlap in time: chattering, clearances, several bodies.
    Multiple,
    /// Many particles with a fixed explicit step.
    Granular,
    /// Optimisation with gradients of the motion.
    Optimisation,
}

names! {
    Purpose {
        Single = "single",
        Resting = "resting",
        Multiple = "multiple",
        Granular = "granular",
        Optimisation = "optimisation",
    }
}

impl Purpose {
    /// Describes the purpose and its requirements in one line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Single => {
                "separate impacts, speed at touch known: the damping may be set anew for each"
            }
            Self::Resting => {
                "bodies come to rest on one another: the law must not need a speed at touch"
            }
            Self::Multiple => {
                "contacts overlap in time (chatter, clearance, many bodies): no speed at touch"
            }
            Self::Granular => {
                "many particles, fixed explicit step: no speed at touch, no history to store"
            }
            Self::Optimisation => {
                "gradients are needed: force and its tangents continuous, one constant damping"
            }
        }
    }

    /// Returns whether the damping coefficient must be the same at all speeds.
    pub fn needs_constant(self) -> bool {
        self != Self::Single
    }

    /// Returns whether the purpose excludes laws that need the approach speed.
    pub fn excludes_speed(self) -> bool {
        matches!(self, Self::Resting | Self::Multiple | Self::Granular)
    }
}

impl std::str::FromStr for Purpose {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let text = match text {
            "optimization" => "optimisation",
            other => other,
        };
        find_by_name("purpose", text, &Self::ALL, Self::name)
    }
}
