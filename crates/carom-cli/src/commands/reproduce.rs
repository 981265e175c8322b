//! `carom reproduce`: recomputes the numbers that papers print.

mod text;

use crate::failure::Failure;
use crate::figure::{Figure, Plot};
use crate::output::Format;
use crate::output::progress::Progress;
use crate::papers::{self, Check, PAPERS, Paper, Reproduction, page};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use std::path::PathBuf;

const HELP: &str = "\
Without a paper: all of them, as a summary. Verdicts: `agrees` within one unit of the last printed
digit; `explained` when making the error of the source on purpose yields the printed number;
`differs` when nothing does; `no-information` when something unprinted was chosen to match the
number.

Examples:
  carom reproduce zhang-2022
  carom reproduce --out report
  carom reproduce zhang-2022 --figure fig-7 --plot fig-7.pdf --plot-size 85mm --plot-panel 1
  carom reproduce ramaswamy-humbert --csv";

/// Recompute what papers print, number by number
#[derive(Args)]
#[command(after_help = HELP)]
pub struct Reproduce {
    /// Which paper [default: all]
    #[arg(value_parser = PossibleValuesParser::new(PAPERS.iter().map(|paper| paper.id)))]
    paper: Option<String>,
    /// Also write a page and its figures into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,

    /// Which figure --plot draws, as fig-7
    #[arg(long, value_name = "NAME", requires = "plot", help_heading = "Output")]
    figure: Option<String>,

    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

/// A row of CSV.
#[derive(Serialize)]
struct CsvRow<'a> {
    paper: &'static str,
    #[serde(flatten)]
    check: &'a Check,
}

impl Reproduce {
    /// Reproduces the papers, writes page and figures if requested, and reports.
    pub fn run(self) -> Result<String, Failure> {
        let plot = self.plot.target()?;
        let requested = self.paper.as_deref();
        let papers: Vec<&Paper> =
            PAPERS.iter().filter(|paper| requested.is_none_or(|id| id == paper.id)).collect();
        let done = reproduce(&papers)?;
        plot.draw(|| Ok(self.selected_figure(&done)?.clone()))?;
        let written = match &self.out {
            Some(folder) => page::write(&done, folder)?,
            None => Vec::new(),
        };
        let found: Vec<&Reproduction> = done.iter().map(|(_, found)| found).collect();
        let lines: Vec<CsvRow> = found
            .iter()
            .flat_map(|found| found.checks.iter().map(|check| CsvRow { paper: found.paper, check }))
            .collect();
        self.format.render(&found, &lines, || {
            let mut text = match (requested, found.as_slice()) {
                (Some(_), [found]) => text::paper_report(found),
                _ => text::summary_table(&found),
            };
            if let Some(folder) = &self.out {
                text += &text::files_written(folder, &written);
            }
            text
        })
    }

    /// Returns the figure that --figure names; without that option, the only figure there is.
    fn selected_figure<'a>(
        &self,
        done: &'a [(&Paper, Reproduction)],
    ) -> Result<&'a Figure, Failure> {
        let all: Vec<_> = done.iter().flat_map(|(_, found)| &found.figures).collect();
        let requested = self.figure.as_deref().unwrap_or_default();
        // A figure is named by its file, or by the part of the file name after that of the paper.
        let named = |file: &str| file == requested || file.ends_with(&format!("-{requested}"));
        let matching: Vec<_> = all.iter().filter(|drawing| named(drawing.file)).collect();
        match matching.as_slice() {
            [one] => Ok(&one.figure),
            _ => {
                let names: Vec<_> = all.iter().map(|drawing| drawing.file).collect();
                let given =
                    self.figure.as_ref().map_or("not given".into(), |name| format!("`{name}`"));
                let allowed = format!("one of {}", names.join(", "));
                let advice = "write for example --figure zhang-2022-fig-7 --plot fig-7.pdf";
                Err(carom::Error::invalid("figure", given, allowed, advice).into())
            }
        }
    }
}

/// Reproduces these papers, with a progress bar.
fn reproduce<'a>(papers: &[&'a Paper]) -> Result<Vec<(&'a Paper, Reproduction)>, Failure> {
    let parts: usize = papers.iter().map(|paper| paper.parts.len()).sum();
    let bar = Progress::new(parts as u64, "{bar:24} {pos}/{len} {wide_msg}");
    let done = papers::reproduce(papers, |part, done, _| {
        bar.message(part);
        bar.show(done as u64);
        Ok(())
    })?;
    bar.end();
    Ok(papers.iter().copied().zip(done).collect())
}
