//! The commands, one file each. A command turns its arguments into the text to print.

mod compare;
mod impact;
mod materials;
mod model;
mod models;

use crate::failure::Failure;
use clap::Subcommand;

/// What carom can be asked.
#[derive(Subcommand)]
pub enum Command {
    /// List the laws of the catalogue
    Models(models::Models),
    /// Show one law: equation, validity, reference, what it delivers
    Model(model::Show),
    /// List the materials that bodies can be made of
    Materials(materials::Materials),
    /// Collide two bodies under one law
    Impact(Box<impact::Impact>),
    /// Compare laws with a measured impact
    Compare(compare::Compare),
}

impl Command {
    /// The text to print.
    pub fn run(self) -> Result<String, Failure> {
        match self {
            Self::Models(command) => command.run(),
            Self::Model(command) => command.run(),
            Self::Materials(command) => command.run(),
            Self::Impact(command) => command.run(),
            Self::Compare(command) => command.run(),
        }
    }
}
