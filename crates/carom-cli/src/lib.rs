//! The command `carom`, which converts text to and from the library's `Spec` → `Case` → `Report`.
//!
//! It is a library so that the Python package can contain the same command in its one compiled file. Programs in Rust should use
//! the crate `carom`.

// The command must not panic on any input.
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
use std::ffi::OsString;

/// Contact-impact analysis: every published continuous contact force law, exact restitution.
#[derive(Parser)]
#[command(name = "carom", version, arg_required_else_help = true)]
#[command(after_help = help())]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

/// Returns the text below the list of commands, which applies to all of them.
fn help() -> String {
    let quantities =
        "Quantities are SI numbers or carry a unit: 0.54kg, 12.7mm, \"2.4144e10 N/m^1.5\".";
    format!("{quantities}\n\n{}", failure::STATUSES)
}

/// Runs the command with these arguments, without the preceding name of the program, and returns its exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    match answer(arguments) {
        Ok(()) => 0,
        Err(failure) => output::report(failure),
    }
}

/// Runs the command and prints its output. A command computes its whole output before anything is printed, so that an error leaves
/// no partial output.
fn answer(arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let all = std::iter::once(OsString::from("carom")).chain(arguments);
    let cli = Cli::try_parse_from(all).map_err(Failure::usage)?;
    output::print(&cli.command.run()?)
}

/// Recomputes the numbers printed in papers. Returns the answer of `carom reproduce --json`, and every figure as paper, name,
/// caption and SVG.
///
/// Reproduces all papers, or the named one. `progress` is called with the name of the part that begins, the number of parts done
/// and the number of all parts; an error that it returns ends the computation.
///
/// # Errors
/// If there is no such paper, and the errors of `progress`.
pub fn reproduce(
    paper: Option<&str>,
    progress: impl FnMut(&str, usize, usize) -> carom::Result<()>,
) -> carom::Result<(serde_json::Value, Vec<[String; 4]>)> {
    let ids = || papers::PAPERS.iter().map(|paper| paper.id);
    if let Some(asked) = paper.filter(|asked| !ids().any(|id| id == *asked)) {
        return Err(carom::Error::not_among("paper", asked, ids()));
    }
    let chosen = papers::PAPERS.iter().filter(|one| paper.is_none_or(|id| id == one.id));
    let found = papers::reproduce(&chosen.collect::<Vec<_>>(), progress)?;
    let figures = found.iter().flat_map(|found| found.figures.iter().map(|one| (found.paper, one)));
    let figures = figures
        .map(|(paper, one)| [paper.into(), one.file.into(), one.caption.into(), one.figure.svg()])
        .collect();
    let report = serde_json::to_value(&found).map_err(|why| {
        carom::Error::numerical("the reproduction", why.to_string(), "report it as a bug of carom")
    })?;
    Ok((report, figures))
}
