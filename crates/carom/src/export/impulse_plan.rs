//! Data for the input of an engine with rigid contacts, and the properties of its rebound.

use super::Setting;
use super::engine::Deck;
use super::friction::Friction;
use super::text::{number, setting};
use crate::error::Result;
use crate::robot_file::engine::Contact;
use crate::spec::Case;

/// Rebound of an engine with rigid contacts, and the function that writes its input.
pub(super) struct RigidContact {
    /// Time step with which the engine is commonly run (s).
    pub(super) usual_step: f64,
    /// Rebound speed below which bodies stay together (m/s).
    pub(super) slowest_rebound: f64,
    /// Contact of this plan with its update formula, if that is known.
    pub(super) step_contact: Option<fn(&ImpulsePlan) -> Contact>,
    /// Function that writes the input.
    pub(super) write: fn(&ImpulsePlan) -> Result<Deck>,
}

/// Data to be written.
pub(super) struct ImpulsePlan<'a> {
    pub(super) case: &'a Case,
    /// Restitution that is to be delivered.
    pub(super) restitution: f64,
    /// Effective mass (kg), which is the mass of the ball.
    pub(super) mass: f64,
    /// Radius of the ball (m).
    pub(super) radius: f64,
    /// Time step (s).
    pub(super) step: f64,
    pub(super) friction: Friction,
}

impl ImpulsePlan<'_> {
    /// Returns the largest overlap (m), which is the distance that the ball moves in one step.
    pub(super) fn overlap(&self) -> f64 {
        self.case.speed * self.step
    }

    /// Returns the values that all templates need.
    pub(super) fn values(&self) -> Vec<(&'static str, String)> {
        vec![
            ("radius", number(self.radius)),
            ("mass", number(self.mass)),
            ("inertia", number(0.4 * self.mass * self.radius * self.radius)),
            ("speed", number(self.case.speed)),
            ("restitution", number(self.restitution)),
            ("friction", number(self.friction.sliding)),
            ("step", number(self.step)),
            // The ball touches in the middle of the second step.
            ("start", number(self.radius + 1.5 * self.overlap())),
        ]
    }

    /// Returns the settings that all engines of this kind have.
    pub(super) fn settings(&self, name: &'static str) -> Vec<Setting> {
        vec![setting("mass", self.mass, "kg"), setting(name, self.restitution, "")]
    }
}
