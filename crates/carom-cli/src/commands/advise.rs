//! `carom advise`: recommends laws for a purpose, with their parameters and a time step.

mod text;

use super::described::{BodyArguments, parse_assignments};
use crate::failure::Failure;
use crate::figure::{self, Plot};
use crate::output::Format;
use carom::advise::{Advice, Integrator, Purpose, Reason, SameForce, Spec};
use carom::message::Message;
use carom::spec::Quantity;
use clap::Args;
use serde::Serialize;

const EXAMPLES: &str = r#"
Every law of the catalogue is calibrated exactly at the geometric mean of the speeds and measured
over the range; every verdict states its number. Errors of integrators are the worst over all
phases of the touch within the step. --step H is checked against --tolerance. Quantities without
a unit are SI.

Examples:
  carom advise --body "sphere radius=12.7mm material=steel" --body "plane material=glass" \
      --speed 0.1..5m/s --restitution 0.8
  carom advise --mass 0.54kg --stiffness 2.4144e10 --speed 0.5m/s --restitution 0.7568 \
      --purpose granular --integrator velocity-verlet --tolerance 0.1% --plot advice.svg
  carom advise --mass 0.1kg --stiffness 1e7 --speeds 0.1,1,5 --restitutions 0.9,0.8,0.6 --all"#;

/// Returns the purposes, from the library's list, and examples.
fn help() -> String {
    let mut text = String::from("Purposes:\n");
    for purpose in Purpose::ALL {
        text += &format!("  {:<13} {}\n", purpose.name(), purpose.about());
    }
    text += "\nIntegrators:\n";
    for integrator in Integrator::ALL {
        text += &format!("  {:<20} {}\n", integrator.name(), integrator.used_by());
    }
    text + EXAMPLES
}

/// Recommend laws, their numbers and a time step
#[derive(Args)]
#[command(after_help = help())]
pub struct Advise {
    #[command(flatten)]
    bodies: BodyArguments,
    /// A parameter of a law or a fact of the pair; may be repeated
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true, help_heading = "Bodies")]
    set: Vec<String>,

    /// What the law is for: single, resting, multiple, granular or optimisation [default: single]
    #[arg(long)]
    purpose: Option<String>,
    /// Approach speed at touch, or a range: 0.1..5m/s
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    speed: Option<Quantity>,
    /// Upper end of the range, where --speed is the lower one
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    speed_max: Option<Quantity>,
    /// Restitution to deliver, above 0 and at most 1
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    restitution: Option<Quantity>,
    /// Several speeds, separated by commas, instead of one restitution
    #[arg(long, value_name = "V,…", value_delimiter = ',', allow_hyphen_values = true)]
    speeds: Vec<Quantity>,
    /// The restitutions measured there
    #[arg(long, value_name = "E,…", value_delimiter = ',', allow_hyphen_values = true)]
    restitutions: Vec<Quantity>,
    /// When contact ends in your program: force (contacts do not pull) or indentation
    /// [default: force]
    #[arg(long)]
    exit: Option<String>,

    /// The integrator whose step is suggested [default: velocity-verlet]
    #[arg(long, value_name = "NAME", help_heading = "Step")]
    integrator: Option<String>,
    /// Error in restitution that the step may cause [default: 1%]
    #[arg(long, value_name = "X", allow_hyphen_values = true, help_heading = "Step")]
    tolerance: Option<Quantity>,
    /// A step to check
    #[arg(long, value_name = "H", allow_hyphen_values = true, help_heading = "Step")]
    step: Option<Quantity>,

    /// Show the reasons against every law of the catalogue
    #[arg(long, help_heading = "Output")]
    all: bool,
    /// Show the recommendation only
    #[arg(long, conflicts_with = "all", help_heading = "Output")]
    brief: bool,
    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

impl Advise {
    /// Computes the advice, draws it if requested, and reports.
    pub fn run(self) -> Result<String, Failure> {
        let plot = self.plot.target()?;
        let advice = self.spec()?.run()?;
        plot.draw(|| Ok(figure::advise(&advice)))?;
        self.format
            .render(&advice, &csv_rows(&advice), || text::render(&advice, self.all, self.brief))
    }

    /// Converts the arguments to the description that the library takes.
    fn spec(&self) -> Result<Spec, Failure> {
        Ok(copied!(self => Spec {
            speed, speed_max, restitution, speeds, restitutions, purpose, exit, integrator, tolerance, step,
        } and {
            mass: self.bodies.mass.clone(),
            stiffness: self.bodies.stiffness.clone(),
            exponent: self.bodies.exponent.clone(),
            bodies: self.bodies.shapes()?,
            set: parse_assignments(&self.set)?,
        }))
    }
}

/// A row of CSV: one law of the catalogue.
#[derive(Default, Serialize)]
struct CsvRow<'a> {
    law: &'static str,
    verdict: &'static str,
    instead: Option<&'static str>,
    coefficient: Option<f64>,
    epsilon: Option<f64>,
    damping_exponent: Option<f64>,
    rate_exponent: Option<f64>,
    error_per_impact: Option<f64>,
    error_constant: Option<f64>,
    reasons: Vec<&'a Message>,
}

fn csv_rows(advice: &Advice) -> Vec<CsvRow<'_>> {
    let mut rows = Vec::new();
    for law in &advice.recommended {
        let damping = &law.damping;
        rows.push(copied!(damping => CsvRow {
            coefficient, epsilon, damping_exponent, rate_exponent,
        } and {
            error_per_impact: law.error_per_impact,
            error_constant: law.error_constant,
            ..CsvRow::new(law.law, "recommended", None, &law.reasons)
        }));
        rows.extend(other_names(law.law, &law.same_force));
    }
    for law in &advice.against {
        rows.push(CsvRow::new(law.law, law.verdict, None, &law.reasons));
        rows.extend(other_names(law.law, &law.same_force));
    }
    rows
}

/// Returns a row for each other name of a law's force.
fn other_names<'a>(
    law: &'static str,
    same_force: &'a [SameForce],
) -> impl Iterator<Item = CsvRow<'a>> {
    same_force.iter().map(move |one| CsvRow::new(one.law, "same-force", Some(law), &one.reasons))
}

impl<'a> CsvRow<'a> {
    /// Creates a row without numbers.
    fn new(
        law: &'static str,
        verdict: &'static str,
        instead: Option<&'static str>,
        reasons: &'a [Reason],
    ) -> Self {
        let reasons = reasons.iter().map(|reason| &reason.message).collect();
        Self { law, verdict, instead, reasons, ..Self::default() }
    }
}
