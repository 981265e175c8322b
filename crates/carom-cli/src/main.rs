//! The command `carom`: text around the library's `Spec` → `Case` → `Report`.

// No input may reach a panic.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![cfg_attr(not(test), warn(clippy::unreachable, clippy::todo, clippy::unimplemented))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod commands;
mod failure;
mod figure;
mod interrupt;
mod lab;
mod measured_data;
mod model_page;
mod output;
mod papers;
mod wording;

use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

/// Contact-impact analysis: every published continuous contact force law, exact restitution.
#[derive(Parser)]
#[command(name = "carom", version, arg_required_else_help = true)]
#[command(after_help = help())]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

/// What all commands have in common.
fn help() -> String {
    let quantities =
        "Quantities are SI numbers or carry a unit: 0.54kg, 12.7mm, \"2.4144e10 N/m^1.5\".";
    format!("{quantities}\n\n{}", failure::STATUSES)
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::report(failure),
    }
}

/// A command makes its whole output before the first byte is written, so that bad input leaves
/// nothing behind.
fn run() -> Result<(), Failure> {
    let cli = Cli::try_parse().map_err(Failure::usage)?;
    output::print(&cli.command.run()?)
}
