//! The commands, one file each. A command turns its arguments into the text to print.

mod compare;
mod identify;
mod impact;
mod materials;
mod model;
mod models;
mod simulate;

use crate::failure::Failure;
use clap::Subcommand;

/// What carom can be asked; the help of each stands above its arguments.
#[derive(Subcommand)]
pub enum Command {
    Models(models::Models),
    Model(model::Show),
    Materials(materials::Materials),
    Impact(Box<impact::Impact>),
    Compare(compare::Compare),
    Identify(Box<identify::Identify>),
    Simulate(Box<simulate::Simulate>),
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
            Self::Identify(command) => command.run(),
            Self::Simulate(command) => command.run(),
        }
    }
}
