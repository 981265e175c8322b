//! What is written for an engine with rigid contacts, and how such an engine rebounds.

use super::Setting;
use super::engine::Deck;
use super::friction::Friction;
use super::text::{number, setting};
use crate::error::Result;
use crate::robot_file::engine::Contact;
use crate::spec::Case;

/// How an engine with rigid contacts rebounds, and how its input is written.
pub(super) struct Rigid {
    /// The step that it is commonly run with (s).
    pub(super) usual_step: f64,
    /// Bodies that would rebound more slowly than this stay together (m/s).
    pub(super) slowest_rebound: f64,
    /// One step of a contact with this plan, where it is known.
    pub(super) one_step: Option<fn(&ImpulsePlan) -> Contact>,
    /// Writes the input.
    pub(super) write: fn(&ImpulsePlan) -> Result<Deck>,
}

/// What is to be written.
pub(super) struct ImpulsePlan<'a> {
    pub(super) case: &'a Case,
    /// The restitution that is to be delivered.
    pub(super) restitution: f64,
    /// Effective mass (kg), that of the ball.
    pub(super) mass: f64,
    /// Of the ball (m).
    pub(super) radius: f64,
    /// Time step (s).
    pub(super) step: f64,
    pub(super) friction: Friction,
}

impl ImpulsePlan<'_> {
    /// Largest overlap (m): the path of the ball in one step.
    pub(super) fn overlap(&self) -> f64 {
        self.case.speed * self.step
    }

    /// The numbers that all templates need.
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

    /// The settings that all of them have.
    pub(super) fn settings(&self, name: &'static str) -> Vec<Setting> {
        vec![setting("mass", self.mass, "kg"), setting(name, self.restitution, "")]
    }
}
