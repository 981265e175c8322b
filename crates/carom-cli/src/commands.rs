//! The commands, one file each: a struct of arguments, and `run`, which returns the text to print.

mod advise;
mod bifurcation;
mod check;
mod compare;
mod completions;
mod described;
mod drop;
mod export;
pub mod fit;
mod identify;
mod impact;
mod lab;
mod materials;
pub mod model;
mod models;
mod reference;
pub mod regimes;
mod reproduce;
mod sensitivity;
pub mod simulate;
pub mod sweep;

use crate::failure::Failure;
use clap::Subcommand;

/// The commands; the help text of each is the comment of its struct of arguments.
#[derive(Subcommand)]
pub enum Command {
    Models(models::Models),
    Model(Box<model::Show>),
    Materials(materials::Materials),
    Impact(Box<impact::Impact>),
    Compare(compare::Compare),
    Identify(Box<identify::Identify>),
    Drop(Box<drop::Drop>),
    Lab(lab::Lab),
    Advise(Box<advise::Advise>),
    Export(Box<export::Export>),
    Check(Box<check::Check>),
    Fit(Box<fit::Fit>),
    Reproduce(reproduce::Reproduce),
    Sweep(Box<sweep::Sweep>),
    Sensitivity(sensitivity::Sensitive),
    Simulate(Box<simulate::Simulate>),
    Regimes(Box<regimes::Compare>),
    Bifurcation(Box<bifurcation::Bifurcate>),
    Reference(reference::Reference),
    Completions(completions::Completions),
    #[command(hide = true)]
    Man(completions::Man),
}

/// The definition of the whole command line, from which help, completions and manual pages are made.
pub fn definition() -> clap::Command {
    <crate::Cli as clap::CommandFactory>::command()
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
            Self::Drop(command) => command.run(),
            Self::Lab(command) => command.run(),
            Self::Advise(command) => command.run(),
            Self::Export(command) => command.run(),
            Self::Check(command) => command.run(),
            Self::Fit(command) => command.run(),
            Self::Reproduce(command) => command.run(),
            Self::Sweep(command) => command.run(),
            Self::Sensitivity(command) => command.run(),
            Self::Simulate(command) => command.run(),
            Self::Regimes(command) => command.run(),
            Self::Bifurcation(command) => command.run(),
            Self::Reference(command) => command.run(),
            Self::Completions(command) => command.run(),
            Self::Man(command) => command.run(),
        }
    }
}

/// Number of threads to use: the one given, or else that of the cores.
fn threads(asked: Option<u16>) -> usize {
    match asked {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}
