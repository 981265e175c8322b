//! What the law is for: one list, and what each entry asks of a law.

use crate::error::{Error, Result, by_name};
use serde::{Deserialize, Serialize};

/// What the law is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Purpose {
    /// Separate impacts whose speed at touch is known.
    #[default]
    Single,
    /// Bodies that come to rest upon one another.
    Resting,
    /// Contacts that overlap in time: chattering, clearances, several bodies.
    Multiple,
    /// Many particles with a fixed explicit step.
    Granular,
    /// Gradients of the motion are needed.
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
    /// What it means and what it asks of a law, one line.
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

    /// Whether the damping coefficient must be one number for all speeds.
    pub fn needs_constant(self) -> bool {
        self != Self::Single
    }

    /// Whether a law that needs the speed at first touch is out of the question.
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
        by_name("purpose", text, &Self::ALL, Self::name)
    }
}
