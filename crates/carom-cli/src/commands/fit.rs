//! `carom fit`: fits parameters of a law to measured data, and ranks laws by how well they explain them.

mod text;
mod together;

use super::described::{LawArguments, parse_assignments, si_value};
use super::models::group_names;
use crate::failure::Failure;
use crate::figure::{self, Plot};
use crate::measured_data::{self, Measured, named_columns};
use crate::output::Format;
use crate::output::progress::Progress;
use crate::wording::CommandLine;
use carom::drop_test::quantities;
use carom::fit::table::{FoundColumn, Role};
use carom::fit::{FailedFit, FitReport, Loss, Options, Ranking, Window, fit, rank};
use carom::problems::{EXAMPLES, Example, example};
use carom::spec::{Quantity, Spec};
use carom::units::Dimension;
use carom::{CATALOGUE, Error, Model};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use std::path::{Path, PathBuf};

const EXAMPLES_TEXT: &str = r#"
FILE is CSV (comma, semicolon, tab or spaces) with time and force, time and acceleration (with
--mass), indentation and force, or one row an impact: speeds before and after, restitution,
duration, peak force. Names and units are read from the header and reported.

Columns that are named here take precedence over those recognised by the header.

Free parameters are those that --free names, and those that are needed and not given: leave out
--stiffness, the damping or --speed to have them fitted. Given values stay fixed. The exponent is
1.5, or 1 for linear laws, unless it is given, is free or follows from two bodies.

With several files --mass and --speed take one value, or one for each file: 0.5,1,2m/s.

Examples:
  carom fit drop.csv --law hunt-crossley-1975 --mass 0.54kg --speed 0.5m/s
  carom fit drop.csv --law power --mass 0.54kg --speed 0.5m/s \
      --free exponent,damping-exponent --loss soft-l1 --plot fit.svg
  carom fit drop.csv --laws all --mass 0.54kg --speed 0.5m/s
  carom fit drop.csv --law tsuji-1992 --mass 2kg --gravity --acceleration "ch1 [g]" --time "t [ms]"
  carom fit slow.csv fast.csv --shared stiffness,damping --law hunt-crossley-1975 \
      --mass 0.54kg --speed 0.5,2m/s
  carom fit slow.csv fast.csv --laws all --mass 0.54kg --speed 0.5,2m/s
  carom fit --example sliotar"#;

/// Find the parameters of a law from measured curves
#[derive(Args)]
#[command(after_help = EXAMPLES_TEXT.trim_start())]
pub struct Fit {
    /// Measured columns as CSV; - for standard input. Several files are fitted together
    #[arg(required_unless_present = "example", conflicts_with = "example", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Fit a built-in experiment
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(examples()))]
    example: Option<String>,

    /// Law, by id or alias; `carom models` lists them
    #[arg(long, value_name = "ID", conflicts_with = "laws")]
    law: Option<String>,
    /// Rank laws: all, a group, or ids separated by commas
    #[arg(long, value_name = "WHICH", value_delimiter = ',')]
    laws: Vec<String>,
    /// Free parameters besides what is not given: stiffness, exponent, damping, restitution, speed,
    /// offset, drift, or parameters of the law
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    free: Vec<String>,
    /// Parameters that several files share; others are fitted to each file [default: all of the law]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    shared: Vec<String>,
    /// Loss function: squares, or huber, soft-l1 or cauchy for data with outliers
    #[arg(long, default_value = "squares")]
    loss: String,
    /// Repeat the fit N times with resampled residuals, for bootstrap intervals
    #[arg(long, value_name = "N", default_value_t = 0)]
    bootstrap: usize,
    /// Seed of the random numbers for --bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Values of free parameters to compare the fit with
    #[arg(long, value_name = "NAME=VALUE")]
    against: Vec<String>,

    /// Names of all columns in their order, with units: "time [ms],force [kN],-"
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Columns")]
    columns: Vec<String>,
    /// Lines at the beginning of the file to leave out
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Columns")]
    skip: usize,
    /// Column of the time: name or number, with its unit in brackets
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    time: Option<String>,
    /// Column of the force
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    force: Option<String>,
    /// Column of the indentation
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    indentation: Option<String>,
    /// Column of the acceleration
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    acceleration: Option<String>,
    /// Column of the speed before impact
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    before: Option<String>,
    /// Column of the speed after impact
    #[arg(long, value_name = "COLUMN", help_heading = "Columns")]
    after: Option<String>,
    /// Fit force over indentation where the file has times as well
    #[arg(long, help_heading = "Columns")]
    over_indentation: bool,
    /// Number of the impact in a record with several, from 1
    #[arg(long, value_name = "N", help_heading = "Columns")]
    impact: Option<usize>,
    /// Leave out what was recorded before this time
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "Columns")]
    from: Option<Quantity>,
    /// Leave out what was recorded after this time
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "Columns")]
    to: Option<Quantity>,
    /// The time of touch, where it is known [default: fitted]
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "Columns")]
    touch: Option<Quantity>,

    #[command(flatten)]
    numbers: LawArguments,
    /// Constant force that presses the bodies together during contact
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    external_force: Option<Quantity>,
    /// A drop test: the weight, effective mass times 9.80665 m/s^2, presses during contact
    #[arg(long, conflicts_with = "external_force")]
    gravity: bool,

    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

fn examples() -> Vec<&'static str> {
    EXAMPLES.iter().map(|example| example.id).collect()
}

/// A fit, with the columns that were read from the file.
#[derive(Serialize)]
struct Fitted<'a> {
    #[serde(flatten)]
    fit: &'a FitReport,
    /// The columns of the file that were used.
    columns: &'a [FoundColumn],
}

/// A ranking, with the columns that were read from the file.
#[derive(Serialize)]
struct RankedLaws<'a> {
    #[serde(flatten)]
    ranking: &'a Ranking,
    /// The columns of the file that were used.
    columns: &'a [FoundColumn],
}

impl Fit {
    /// Fits a law or ranks several, draws if requested, and reports.
    pub fn run(self) -> Result<String, Failure> {
        if self.files.len() > 1 {
            return self.run_together();
        }
        if !self.shared.is_empty() {
            let advice = "name several files, or leave out --shared";
            return Err(Error::unsupported("--shared with one record", advice).into());
        }
        let plot = self.plot.target()?;
        let known = self.example.as_deref().map(example).transpose()?;
        let (mut spec, options) = (self.spec(known, 0)?, self.options(known)?);
        let models = self.ranked_models()?;
        let measured = match (known, self.files.first()) {
            (Some(known), _) => Measured::of(known.observations()),
            (None, Some(file)) => self.read_file(file)?,
            (None, None) => {
                return Err(Error::missing("FILE", "name a file of measured columns").into());
            }
        };
        let data = measured.data()?;
        if models.is_empty() {
            require_law(&spec)?;
            let found = fit(&data, &spec, &options)?;
            plot.draw(|| Ok(figure::fit(&found)))?;
            let all = Fitted { fit: &found, columns: measured.found() };
            return self
                .format
                .render(&all, &found.parameters, || text::fit(&found, &measured.read(), known));
        }
        spec.law = String::new();
        let ranking = rank_with_progress(models.len(), |finished| {
            rank(&data, &spec, &options, &models, finished)
        })?;
        if ranking.laws.is_empty() {
            return Err(no_fitted_law(&ranking.failed));
        }
        plot.draw(|| Ok(figure::ranking(&ranking)))?;
        let all = RankedLaws { ranking: &ranking, columns: measured.found() };
        let rows: Vec<_> = ranking.laws.iter().map(text::RankedRow::from).collect();
        self.format.render(&all, &rows, || text::ranking(&ranking, &measured.read()))
    }

    /// Reads the columns of a file.
    fn read_file(&self, file: &Path) -> Result<Measured, Failure> {
        let columns = measured_data::read(file, &self.requested_columns(), self.skip)?;
        Measured::new(columns, self.over_indentation)
    }

    /// Converts what is known of the file with this index to the description that the library takes.
    fn spec(&self, known: Option<&Example>, file: usize) -> Result<Spec, Failure> {
        let law = self.law.as_deref().or(known.map(|known| known.law)).unwrap_or_default();
        let spec = self.numbers.spec(law.to_string())?;
        let each = |name: &str, given: &Option<Quantity>| match given {
            Some(Quantity::Text(text)) => {
                quantity_of_file(name, text, file, self.files.len()).map(Some)
            }
            other => Ok(other.clone()),
        };
        Ok(Spec {
            mass: each("mass", &spec.mass)?,
            speed: each("speed", &spec.speed)?,
            external_force: self.external_force.clone(),
            ..spec
        })
    }

    fn options(&self, known: Option<&Example>) -> Result<Options, Failure> {
        let time = |name: &str, given: &Option<Quantity>| si_value(name, given, Dimension::TIME);
        let known = known.filter(|_| self.free.is_empty());
        // For the law of an example its free parameters are used; for another law only those of them that it has.
        let named = |law| carom::model(&carom::own_law::name_of(law)?);
        let model = self.law.as_deref().map(named).transpose()?;
        let has = |name: &&&str| {
            let own = |model: &Model| model.parameters.iter().any(|p| p.name == **name);
            match model {
                Some(model) => own(model),
                None => self.laws.is_empty() || CATALOGUE.iter().any(own),
            }
        };
        let mut reference: Vec<(String, f64)> = Vec::new();
        for (name, value) in parse_assignments(&self.against)? {
            // The values are in SI units, because the unit of a free parameter depends on the fit.
            reference.push((name.clone(), value.si(&name, Dimension::NUMBER)?));
        }
        if let Some(known) =
            known.filter(|_| reference.is_empty() && self.law.is_none() && self.laws.is_empty())
        {
            reference
                .extend(known.reference.iter().map(|(name, value)| (name.to_string(), *value)));
        }
        if self.bootstrap == 1 || self.bootstrap > 100_000 {
            let advice = "200 give a standard error to 5 %, 1000 a good interval; 0 for none";
            let refused = Error::invalid("bootstrap", self.bootstrap, "0, or 2 to 100000", advice);
            return Err(refused.into());
        }
        let free = match known {
            Some(known) => known.free.iter().filter(has).map(|name| name.to_string()).collect(),
            None => self.free.clone(),
        };
        Ok(Options {
            free,
            loss: self.loss.parse::<Loss>()?,
            bootstrap: self.bootstrap,
            seed: self.seed,
            window: Window {
                from: time("from", &self.from)?,
                to: time("to", &self.to)?,
                impact: self.impact,
            },
            touch: time("touch", &self.touch)?,
            reference,
            gravity: self.gravity,
            ..Options::default()
        })
    }

    /// Returns the requested columns by name.
    fn requested_columns(&self) -> Vec<(Option<Role>, String)> {
        let roles = [
            (Role::Time, &self.time),
            (Role::Force, &self.force),
            (Role::Indentation, &self.indentation),
            (Role::Acceleration, &self.acceleration),
            (Role::Speed, &self.before),
            (Role::Rebound, &self.after),
        ];
        named_columns(&self.columns, roles)
    }

    /// Returns the laws to rank; none if one law is fitted.
    fn ranked_models(&self) -> Result<Vec<&'static Model>, Failure> {
        let mut models: Vec<&'static Model> = Vec::new();
        for name in self.laws.iter().map(|name| name.trim()) {
            match name {
                "all" => models.extend(CATALOGUE.iter()),
                group if group_names().contains(&group) => {
                    models.extend(CATALOGUE.iter().filter(|m| m.group.name() == group));
                }
                id => models.push(carom::model(&carom::own_law::name_of(id)?)?),
            }
        }
        let mut seen = std::collections::HashSet::new();
        models.retain(|model| seen.insert(model.id));
        Ok(models)
    }
}

/// Refuses a description without a law.
fn require_law(spec: &Spec) -> Result<(), Failure> {
    match spec.law.is_empty() {
        true => {
            let advice = "give --law ID, or --laws all to find which law explains the data";
            Err(Error::missing("law", advice).into())
        }
        false => Ok(()),
    }
}

/// Returns the quantity of one of several files: the common one, or the one at the position of the file.
fn quantity_of_file(
    name: &str,
    text: &str,
    file: usize,
    files: usize,
) -> Result<Quantity, Failure> {
    let all = quantities(text);
    match all.as_slice() {
        [one] => Ok(one.clone()),
        many if many.len() == files && files > 1 => Ok(many[file].clone()),
        many => {
            let allowed = match files {
                0 | 1 => "one value".to_string(),
                n => format!("one value for all {n} files, or one for each"),
            };
            let advice = "check the number of values";
            Err(Error::invalid(name, format!("{} values", many.len()), allowed, advice).into())
        }
    }
}

/// Ranks this number of laws with a progress bar; `rank` receives a function, which it calls with the number of finished laws.
fn rank_with_progress<T>(
    laws: usize,
    rank: impl FnOnce(&(dyn Fn(usize) + Sync)) -> carom::Result<T>,
) -> carom::Result<T> {
    let bar = Progress::new(laws as u64, "{wide_bar} {pos}/{len}");
    let ranking = rank(&|done| bar.show(done as u64));
    bar.end();
    ranking
}

/// Returns the failure of a ranking in which no law could be fitted.
fn no_fitted_law(failed: &[FailedFit]) -> Failure {
    let reason = failed.first().map(|failed| failed.reason.worded(&CommandLine));
    let reason = reason.unwrap_or_default();
    Failure::Input(format!("no law could be fitted; the first says: {reason}"))
}
