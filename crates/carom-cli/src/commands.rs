//! The commands, one file each: a struct of arguments, and `run`, which returns the text to print.

/// Creates a struct whose listed fields are copied from fields of the same name in another one; further fields follow after `and`.
macro_rules! copied {
    ($from:expr => $into:ident { $($field:ident),+ $(,)? } $(and { $($other:tt)* })?) => {
        $into { $($field: $from.$field.clone(),)+ $($($other)*)? }
    };
}

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

/// Declares the commands and the function that runs the given one.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident($arguments:ty),)+) => {
        /// Commands; the help text of each is the doc comment of its struct of arguments.
        #[derive(Subcommand)]
        pub enum Command {
            $($(#[$attribute])* $name($arguments),)+
        }

        impl Command {
            /// Runs the command and returns the text to print.
            pub fn run(self) -> Result<String, Failure> {
                match self {
                    $(Self::$name(command) => command.run(),)+
                }
            }
        }
    };
}

commands! {
    Models(models::Models),
    Model(Box<model::ShowModel>),
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
    Sensitivity(sensitivity::AnalyseSensitivity),
    Simulate(Box<simulate::Simulate>),
    Regimes(Box<regimes::CompareRegimes>),
    Bifurcation(Box<bifurcation::BifurcationDiagram>),
    Reference(reference::Reference),
    Completions(completions::Completions),
    #[command(hide = true)]
    Man(completions::Man),
}

/// Returns the definition of the whole command line, from which help, completions and manual pages are generated.
pub fn definition() -> clap::Command {
    <crate::Cli as clap::CommandFactory>::command()
}

/// Returns the number of threads to use: the given one, or else the number of cores.
fn thread_count(requested: Option<u16>) -> usize {
    match requested {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}
