//! `carom impact`: computes one impact under one law.

pub(super) mod text;
mod trajectory;

use super::described::ImpactArguments;
use crate::failure::Failure;
use crate::figure::{self, Plot};
use crate::output::Format;
use carom::report::Report;
use clap::Args;
use std::path::PathBuf;
use trajectory::TrajectoryFormat;

const EXAMPLES: &str = r#"
The bodies are an effective mass, a stiffness K and an exponent n of K*delta^n, or two --body.
Quantities without a unit are SI.

Examples:
  carom impact --law zhang-sharf-2004 --mass 0.54kg --stiffness 2.4144e10 \
      --speed 0.5m/s --restitution 0.7568
  carom impact --law tsuji-1992 --speed 1m/s --restitution 0.8 --calibration exact \
      --body "sphere radius=12.7mm material=steel" --body "plane material=glass" \
      --exit force --trajectory impact.csv
  carom impact --law power --damping-exponent 0.5 --rate-exponent 0.8 --mass 1kg \
      --stiffness 1e9 --speed 1m/s --restitution 0.6 --calibration exact --json"#;

/// Collide two bodies under one law
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct Impact {
    #[command(flatten)]
    described: ImpactArguments,

    /// Also write the trajectory of the impact to a .csv or .json file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    trajectory: Option<PathBuf>,
    /// Instants in the trajectory
    #[arg(long, value_name = "N", default_value_t = 200, requires = "trajectory")]
    #[arg(help_heading = "Output")]
    points: usize,

    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

impl Impact {
    /// Computes the impact, writes trajectory and figure if requested, and reports.
    pub fn run(self) -> Result<String, Failure> {
        let file = match &self.trajectory {
            Some(path) => Some((TrajectoryFormat::of_file(path)?, path)),
            None => None,
        };
        let plot = self.plot.target()?;
        let case = self.described.spec()?.case()?;
        let report = match file {
            None => case.run()?,
            Some((kind, path)) => {
                let (report, trajectory) = case.run_with_trajectory(self.points)?;
                crate::output::write_file(path, kind.render(&trajectory)?.as_bytes())?;
                report
            }
        };
        plot.draw(|| Ok(figure::impact(&case, &report)?))?;
        self.format.render(&report, &[csv_row(&report)?], || text::render(case.model, &report))
    }
}

/// Returns the report as one flat row; notes are represented by their kinds.
fn csv_row(report: &Report) -> Result<serde_json::Value, Failure> {
    let mut row = serde_json::to_value(report)
        .map_err(|why| Failure::System(format!("cannot write the result as CSV: {why}")))?;
    row["notes"] = report.notes.iter().map(|note| note.kind).collect();
    Ok(row)
}
