//! `carom compare`: laws against a measured impact.

mod text;

use super::models::in_group;
use crate::failure::Failure;
use crate::output::Format;
use carom::compare::{Request, Row, compare};
use carom::problems::{EXPERIMENTS, Experiment, experiment};
use carom::{CATALOGUE, Exit, Model};
use clap::{Args, ValueEnum};
use serde::Serialize;

/// Compare laws with a measured impact
///
/// Without arguments: all laws on the steel ball of Zhang & Sharf, at 0.15 and 0.5 m/s.
#[derive(Args)]
#[command(
    after_help = "How a law gets its dissipation: by its published formula for the measured restitution; \
    where the source has none, by exact calibration; elastic laws get none. --calibration asks all laws for the same."
)]
pub struct Compare {
    /// steel-ball-0.15, steel-ball-0.5, sliotar-a, -b, -c, -d, or all; may be a list
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    experiment: Vec<String>,
    /// Only these laws, by id or alias
    #[arg(long, value_name = "ID,ID,…", value_delimiter = ',')]
    laws: Vec<String>,
    /// Only one group of the catalogue
    #[arg(long)]
    group: Option<String>,
    /// How all laws are asked for the measured restitution
    #[arg(long, value_name = "HOW")]
    calibration: Option<Calibration>,
    /// When contact ends: force or indentation [default: what each law was derived for]
    #[arg(long)]
    exit: Option<String>,
    /// What comes first
    #[arg(long, value_name = "BY", default_value = "score")]
    sort: Sort,

    #[command(flatten)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Calibration {
    /// By the law's own formula
    Published,
    /// Delivered = requested
    Exact,
}

#[derive(Clone, Copy, ValueEnum)]
enum Sort {
    /// Smallest root mean square of the errors
    Score,
    /// Smallest error of the restitution
    Restitution,
    /// Smallest error of the duration
    Duration,
    /// Smallest error of the largest force
    Force,
    /// Smallest error of the largest indentation
    Indentation,
    /// Alphabet
    Name,
}

/// An experiment and what laws make of it.
#[derive(Serialize)]
struct Comparison {
    experiment: &'static Experiment,
    rows: Vec<Row>,
}

/// A line of CSV.
#[derive(Serialize)]
struct Line<'a> {
    experiment: &'static str,
    #[serde(flatten)]
    row: &'a Row,
}

impl Compare {
    /// The tables.
    pub fn run(self) -> Result<String, Failure> {
        let models = self.models()?;
        let exit: Option<Exit> = self.exit.as_deref().map(str::parse).transpose()?;
        let request = match self.calibration {
            None => Request::Usual,
            Some(Calibration::Published) => Request::Published,
            Some(Calibration::Exact) => Request::Exact,
        };
        let comparisons: Vec<Comparison> = self
            .experiments()?
            .into_iter()
            .map(|experiment| {
                let mut rows = compare(experiment, models.iter().copied(), request, exit);
                self.sort.apply(&mut rows);
                Comparison { experiment, rows }
            })
            .collect();
        let lines: Vec<Line> = comparisons
            .iter()
            .flat_map(|c| c.rows.iter().map(|row| Line { experiment: c.experiment.id, row }))
            .collect();
        self.format.render(&comparisons, &lines, || text::render(&comparisons))
    }

    fn experiments(&self) -> Result<Vec<&'static Experiment>, Failure> {
        if self.experiment.is_empty() {
            return Ok(EXPERIMENTS.iter().filter(|e| e.id.starts_with("steel-ball")).collect());
        }
        if self.experiment.iter().any(|id| id == "all") {
            return Ok(EXPERIMENTS.iter().collect());
        }
        let found: Result<_, _> = self.experiment.iter().map(|id| experiment(id)).collect();
        Ok(found?)
    }

    fn models(&self) -> Result<Vec<&'static Model>, Failure> {
        let mut models: Vec<&'static Model> = match self.laws.is_empty() {
            true => CATALOGUE.iter().collect(),
            false => {
                self.laws.iter().map(|id| carom::model(id.trim())).collect::<Result<_, _>>()?
            }
        };
        if let Some(group) = &self.group {
            let group = in_group(group)?;
            models.retain(|model| model.group.name() == group);
        }
        Ok(models)
    }
}

impl Sort {
    /// Sorts stably; rows without a number come last.
    fn apply(self, rows: &mut [Row]) {
        let key = |row: &Row| {
            let error = match self {
                Self::Score => row.score,
                Self::Restitution => row.restitution_error,
                Self::Duration => row.duration_error,
                Self::Force => row.force_max_error,
                Self::Indentation => row.indentation_max_error,
                Self::Name => Some(0.0),
            };
            // Errors that differ by rounding only are the same error.
            let error = error.filter(|error| !error.is_nan()).map_or(f64::INFINITY, f64::abs);
            (row.score.is_none(), (error * 1e9).round())
        };
        rows.sort_by(|a, b| {
            let ((a_late, a_key), (b_late, b_key)) = (key(a), key(b));
            a_late.cmp(&b_late).then(a_key.total_cmp(&b_key)).then_with(|| a.law.cmp(b.law))
        });
    }
}
