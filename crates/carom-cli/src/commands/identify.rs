//! `carom identify`: finds stiffness and damping from measured results of impacts.

mod text;

use crate::failure::Failure;
use crate::measured_data::{self, Measured};
use crate::output::Format;
use carom::Error;
use carom::identify::{Identification, Solution, Spec};
use carom::spec::Quantity;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = r#"
Two of restitution, duration, peak force and peak indentation determine stiffness and damping of
K*delta^n + c*delta^m*rate^q. Restitutions at several speeds tell which exponents fit.
Quantities without a unit are SI; uncertainties are absolute.

Examples:
  carom identify --mass 0.54kg --speed 0.5m/s --restitution 0.7568 --duration 207us \
      --restitution-error 0.005 --duration-error 2us
  carom identify --mass 0.54kg --speed 0.5m/s --damping-exponent 0.25 --exit force \
      --duration 207us --force 4.36kN --json
  carom identify --speeds 0.1,0.5,1 --restitutions 0.9,0.8,0.7
  carom identify drops.csv"#;

/// Find stiffness and damping from measured numbers
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct Identify {
    /// A table (CSV) of impacts: speeds and restitutions, or heights of drop and bounce
    #[arg(conflicts_with_all = ["speeds", "restitutions"])]
    file: Option<PathBuf>,
    /// Effective mass m1*m2/(m1+m2)
    #[arg(long, allow_hyphen_values = true)]
    mass: Option<Quantity>,
    /// Approach speed at touch
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    speed: Option<Quantity>,

    /// n of K*delta^n [default: 1.5]
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Law")]
    exponent: Option<Quantity>,
    /// m of c*delta^m*rate^q [default: n]
    #[arg(long, value_name = "M", allow_hyphen_values = true, help_heading = "Law")]
    damping_exponent: Option<Quantity>,
    /// q of c*delta^m*rate^q [default: 1]
    #[arg(long, value_name = "Q", allow_hyphen_values = true, help_heading = "Law")]
    rate_exponent: Option<Quantity>,
    /// When contact ends: force or indentation [default: force]
    #[arg(long, help_heading = "Law")]
    exit: Option<String>,
    /// Use the fits of Ramaswamy and Humbert instead of the exact relations
    #[arg(long, help_heading = "Law")]
    published: bool,

    /// Rebound speed over impact speed
    #[arg(long, value_name = "E", allow_hyphen_values = true, help_heading = "Measured, two of")]
    restitution: Option<Quantity>,
    /// Time of contact
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "Measured, two of")]
    duration: Option<Quantity>,
    /// Largest force
    #[arg(long, value_name = "F", allow_hyphen_values = true, help_heading = "Measured, two of")]
    force: Option<Quantity>,
    /// Largest indentation
    #[arg(long, value_name = "D", allow_hyphen_values = true, help_heading = "Measured, two of")]
    indentation: Option<Quantity>,

    /// Uncertainty of the mass
    #[arg(long, value_name = "M", allow_hyphen_values = true, help_heading = "Uncertainties")]
    mass_error: Option<Quantity>,
    /// Uncertainty of the speed
    #[arg(long, value_name = "V", allow_hyphen_values = true, help_heading = "Uncertainties")]
    speed_error: Option<Quantity>,
    /// Uncertainty of the restitution
    #[arg(long, value_name = "E", allow_hyphen_values = true, help_heading = "Uncertainties")]
    restitution_error: Option<Quantity>,
    /// Uncertainty of the duration
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "Uncertainties")]
    duration_error: Option<Quantity>,
    /// Uncertainty of the force
    #[arg(long, value_name = "F", allow_hyphen_values = true, help_heading = "Uncertainties")]
    force_error: Option<Quantity>,
    /// Uncertainty of the indentation
    #[arg(long, value_name = "D", allow_hyphen_values = true, help_heading = "Uncertainties")]
    indentation_error: Option<Quantity>,

    /// Several approach speeds, separated by commas
    #[arg(long, value_name = "V,…", value_delimiter = ',', allow_hyphen_values = true)]
    #[arg(help_heading = "Several speeds")]
    speeds: Vec<Quantity>,
    /// The restitutions measured there
    #[arg(long, value_name = "E,…", value_delimiter = ',', allow_hyphen_values = true)]
    #[arg(help_heading = "Several speeds")]
    restitutions: Vec<Quantity>,
    /// K, with --mass, for damping coefficients in SI
    #[arg(long, value_name = "K", allow_hyphen_values = true, help_heading = "Several speeds")]
    stiffness: Option<Quantity>,

    #[command(flatten)]
    format: Format,
}

impl Identify {
    /// Identifies the parameters and reports.
    pub fn run(self) -> Result<String, Failure> {
        let mut spec = self.spec();
        if let Some(file) = &self.file {
            let measured = Measured::new(measured_data::read(file, &[], 0)?, false)?;
            let (speeds, restitutions) = measured.restitutions();
            if speeds.is_empty() {
                let found = measured.read().join(", ");
                let allowed =
                    "speed and restitution, speeds before and after, or heights of drop and bounce";
                let advice = "name the columns in the header, for example drop_m,bounce_m";
                return Err(Error::invalid("columns", found, allowed, advice).into());
            }
            spec.speeds = speeds.into_iter().map(Quantity::Number).collect();
            spec.restitutions = restitutions.into_iter().map(Quantity::Number).collect();
        }
        if spec.has_speeds() {
            let fit = spec.run_speeds()?;
            return self.format.render(&fit, &fit.candidates, || text::exponents_report(&fit));
        }
        let found = spec.run()?;
        self.format.render(&found, &csv_rows(&found), || text::render(&found))
    }

    /// Converts the arguments to the description that the library takes.
    fn spec(&self) -> Spec {
        copied!(self => Spec {
            mass, speed, exponent, damping_exponent, rate_exponent, exit, published,
            restitution, duration, force, indentation,
            mass_error, speed_error, restitution_error, duration_error, force_error, indentation_error,
            speeds, restitutions, stiffness,
        })
    }
}

/// A row of CSV: one solution.
#[derive(Serialize)]
struct CsvRow<'a> {
    speed: f64,
    exit: carom::Exit,
    #[serde(flatten)]
    solution: &'a Solution,
    notes: Vec<&'static str>,
}

fn csv_rows(found: &Identification) -> Vec<CsvRow<'_>> {
    let notes: Vec<_> = found.notes.iter().map(|note| note.kind).collect();
    let row =
        |solution| CsvRow { speed: found.speed, exit: found.exit, solution, notes: notes.clone() };
    std::iter::once(&found.solution).chain(&found.others).map(row).collect()
}
