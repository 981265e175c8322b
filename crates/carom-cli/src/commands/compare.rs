//! `carom compare`: compares the results of laws with a measured impact.

mod text;

use super::models::group_names;
use crate::failure::Failure;
use crate::figure::{self, LawsOnExperiment, Plot};
use crate::output::Format;
use carom::compare::{LawComparison, Request, compare};
use carom::problems::{EXPERIMENTS, Experiment, experiment};
use carom::{CATALOGUE, Exit, Model};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use serde::Serialize;

const HELP: &str = "\
Without arguments: all laws on the steel ball of Zhang & Sharf, at 0.15 and 0.5 m/s.

The dissipation of a law follows from its published formula for the measured restitution, or from
exact calibration if its source has no formula; elastic laws have none. --calibration uses one way
for all laws.";

/// Compare laws with a measured impact
#[derive(Args)]
#[command(after_help = HELP)]
pub struct Compare {
    /// Experiments, separated by commas [default: the steel ball at both speeds]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    #[arg(value_parser = PossibleValuesParser::new(experiment_names()))]
    experiment: Vec<String>,
    /// Only these laws, by id or alias, separated by commas
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    laws: Vec<String>,
    /// Only one group of the catalogue
    #[arg(long, value_parser = PossibleValuesParser::new(group_names()))]
    group: Option<String>,
    /// Calibrate all laws in the same way: published or exact
    #[arg(long, value_name = "HOW", hide_possible_values = true)]
    calibration: Option<Calibration>,
    /// When contact ends: force or indentation [default: what each law was derived for]
    #[arg(long)]
    exit: Option<String>,
    /// Order: by the error score (root mean square of all), restitution, duration, force or indentation,
    /// or by name
    #[arg(long, value_name = "BY", default_value = "score", hide_possible_values = true)]
    sort: Sort,

    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Calibration {
    Published,
    Exact,
}

#[derive(Clone, Copy, ValueEnum)]
enum Sort {
    Score,
    Restitution,
    Duration,
    Force,
    Indentation,
    Name,
}

/// Returns the names of the experiments, and the one that stands for all of them.
fn experiment_names() -> Vec<&'static str> {
    EXPERIMENTS.iter().map(|experiment| experiment.id).chain(["all"]).collect()
}

/// An experiment and the results of the laws.
#[derive(Serialize)]
struct Comparison {
    /// The experiment.
    experiment: &'static Experiment,
    /// Result of each law for the experiment.
    rows: Vec<LawComparison>,
}

/// A row of CSV.
#[derive(Serialize)]
struct CsvRow<'a> {
    experiment: &'static str,
    #[serde(flatten)]
    row: &'a LawComparison,
}

impl Compare {
    /// Compares the laws, draws if requested, and reports.
    pub fn run(self) -> Result<String, Failure> {
        let plot = self.plot.target()?;
        let models = self.selected_models()?;
        if models.is_empty() {
            return Err(Failure::Input(
                "no law is left: none of --laws is in --group; leave one of the two options out"
                    .into(),
            ));
        }
        let exit: Option<Exit> = self.exit.as_deref().map(str::parse).transpose()?;
        let request = match self.calibration {
            None => Request::Usual,
            Some(Calibration::Published) => Request::Published,
            Some(Calibration::Exact) => Request::Exact,
        };
        let comparisons: Vec<Comparison> = self
            .experiment_names()?
            .into_iter()
            .map(|experiment| {
                let mut rows = compare(experiment, models.iter().copied(), request, exit);
                self.sort.sort(&mut rows);
                Comparison { experiment, rows }
            })
            .collect();
        let compared: Vec<LawsOnExperiment> =
            comparisons.iter().map(|c| (c.experiment, c.rows.as_slice())).collect();
        plot.draw(|| Ok(figure::compare(&compared)))?;
        let lines: Vec<CsvRow> = comparisons
            .iter()
            .flat_map(|c| c.rows.iter().map(|row| CsvRow { experiment: c.experiment.id, row }))
            .collect();
        self.format.render(&comparisons, &lines, || text::render(&comparisons))
    }

    fn experiment_names(&self) -> Result<Vec<&'static Experiment>, Failure> {
        if self.experiment.is_empty() {
            return Ok(EXPERIMENTS.iter().filter(|e| e.id.starts_with("steel-ball")).collect());
        }
        if self.experiment.iter().any(|id| id == "all") {
            return Ok(EXPERIMENTS.iter().collect());
        }
        let found: Result<_, _> = self.experiment.iter().map(|id| experiment(id)).collect();
        Ok(found?)
    }

    fn selected_models(&self) -> Result<Vec<&'static Model>, Failure> {
        let mut models: Vec<&'static Model> = match self.laws.is_empty() {
            true => CATALOGUE.iter().collect(),
            false => {
                let model = |id: &String| carom::model(&carom::own_law::name_of(id.trim())?);
                self.laws.iter().map(model).collect::<Result<_, _>>()?
            }
        };
        if let Some(group) = &self.group {
            models.retain(|model| model.group.name() == group);
        }
        Ok(models)
    }
}

impl Sort {
    /// Sorts stably; rows without a number come last.
    fn sort(self, rows: &mut [LawComparison]) {
        let key = |row: &LawComparison| {
            let error = match self {
                Self::Score => row.score,
                Self::Restitution => row.restitution_error,
                Self::Duration => row.duration_error,
                Self::Force => row.force_max_error,
                Self::Indentation => row.indentation_max_error,
                Self::Name => Some(0.0),
            };
            // Errors that differ only by rounding are treated as equal.
            let error = error.filter(|error| !error.is_nan()).map_or(f64::INFINITY, f64::abs);
            (row.score.is_none(), (error * 1e9).round())
        };
        rows.sort_by(|a, b| {
            let ((a_late, a_key), (b_late, b_key)) = (key(a), key(b));
            a_late.cmp(&b_late).then(a_key.total_cmp(&b_key)).then_with(|| a.law.cmp(b.law))
        });
    }
}
