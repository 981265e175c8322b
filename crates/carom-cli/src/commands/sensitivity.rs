//! `carom sensitivity`: computes Sobol' indices, which tell how much each uncertain input contributes to the variance of a result.

mod text;

use super::sweep::study::{AnyPlan, StudyArguments};
use super::thread_count;
use crate::failure::Failure;
use crate::figure::{self, Plot};
use crate::output::Format;
use carom::sweep::sensitivity::{Index, Options, Sensitivity, analyse};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;

const EXAMPLES: &str = r#"
The study is one of `carom sweep` with at least one distribution. Lists and ranges are not part of
the analysis: every point of their grid gets an analysis of its own (to compare laws, for example).

Examples:
  carom sensitivity study.toml
  carom sensitivity study.toml --samples 16384 --plot sensitivity.svg --csv"#;

/// Find which uncertain input causes the spread of the results
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct AnalyseSensitivity {
    #[command(flatten)]
    chosen: StudyArguments,
    /// Rows N of the samples; N*(d+2) impacts for d inputs. A power of two is best
    #[arg(long, value_name = "N", default_value_t = Options::default().samples)]
    samples: u64,
    /// Level of the confidence intervals
    #[arg(long, value_name = "P", default_value_t = Options::default().confidence)]
    confidence: f64,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

/// A row of CSV.
#[derive(Serialize)]
struct CsvRow<'a> {
    at: &'a BTreeMap<String, String>,
    output: &'a str,
    parameter: &'a str,
    #[serde(flatten)]
    index: &'a Index,
}

impl AnalyseSensitivity {
    /// Runs the analysis, draws if requested, and reports.
    pub fn run(self) -> Result<String, Failure> {
        let plot = self.plot.target()?;
        let options = Options {
            samples: self.samples,
            confidence: self.confidence,
            threads: thread_count(self.threads),
            ..Options::default()
        };
        let found = match self.chosen.plan()? {
            AnyPlan::Impacts(plan) => analyse(&plan, &options)?,
            AnyPlan::Scene(plan) => analyse(&plan, &options)?,
        };
        plot.draw(|| Ok(figure::sensitivity(&found)))?;
        self.format.render(&found, &csv_rows(&found), || text::render(&found))
    }
}

fn csv_rows(found: &Sensitivity) -> Vec<CsvRow<'_>> {
    let mut rows = Vec::new();
    for group in &found.groups {
        for shares in &group.outputs {
            rows.extend(shares.parameters.iter().map(|share| CsvRow {
                at: &group.at,
                output: &shares.output,
                parameter: &share.parameter,
                index: &share.index,
            }));
        }
    }
    rows
}
