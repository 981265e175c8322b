//! `carom reproduce`: what papers print, computed again.

mod text;

use crate::failure::Failure;
use crate::output::Format;
use crate::papers::{Check, PAPERS, Paper, Reproduction, page};
use clap::Args;
use clap::builder::PossibleValuesParser;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::path::PathBuf;

const HELP: &str = "\
Without a paper: all of them, as a summary. Verdicts: `agrees` within one unit of the last printed
digit; `explained` when the error of the source, committed on purpose, yields the printed number;
`differs` when nothing does; `no-information` when something unprinted was chosen to match the number.

Examples:
  carom reproduce zhang-2022
  carom reproduce --out report
  carom reproduce ramaswamy-humbert --csv";

/// Compute again what papers print, number by number
#[derive(Args)]
#[command(after_help = HELP)]
pub struct Reproduce {
    /// Which paper [default: all]
    #[arg(value_parser = PossibleValuesParser::new(PAPERS.iter().map(|paper| paper.id)))]
    paper: Option<String>,
    /// Also write a page and its figures into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    #[command(flatten)]
    format: Format,
}

/// A line of CSV.
#[derive(Serialize)]
struct Line<'a> {
    paper: &'static str,
    #[serde(flatten)]
    check: &'a Check,
}

impl Reproduce {
    /// Reproduces, writes what is to be written, and reports.
    pub fn run(self) -> Result<String, Failure> {
        let asked = self.paper.as_deref();
        let papers: Vec<&Paper> =
            PAPERS.iter().filter(|paper| asked.is_none_or(|id| id == paper.id)).collect();
        let done = reproduce(&papers)?;
        let written = match &self.out {
            Some(folder) => page::write(&done, folder)?,
            None => Vec::new(),
        };
        let found: Vec<&Reproduction> = done.iter().map(|(_, found)| found).collect();
        let lines: Vec<Line> = found
            .iter()
            .flat_map(|found| found.checks.iter().map(|check| Line { paper: found.paper, check }))
            .collect();
        self.format.render(&found, &lines, || {
            let mut text = match (asked, found.as_slice()) {
                (Some(_), [found]) => text::paper(found),
                _ => text::summary(&found),
            };
            if let Some(folder) = &self.out {
                text += &text::written(folder, &written);
            }
            text
        })
    }
}

/// Every part of these papers, with a bar on a terminal (indicatif draws none elsewhere).
fn reproduce<'a>(papers: &[&'a Paper]) -> Result<Vec<(&'a Paper, Reproduction)>, Failure> {
    let parts: usize = papers.iter().map(|paper| paper.parts.len()).sum();
    let bar = ProgressBar::new(parts as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    let mut done = Vec::new();
    for paper in papers {
        let mut found = paper.begin();
        for (name, part) in paper.parts {
            bar.set_message(format!("{}: {name}", paper.id));
            bar.tick();
            part(&mut found)?;
            bar.inc(1);
        }
        done.push((*paper, found));
    }
    bar.finish_and_clear();
    Ok(done)
}
