//! `carom model ID`: the page of one law of the catalogue, or its force as code.

use super::described::LawArguments;
use crate::failure::Failure;
use crate::figure::{self, Plot};
use crate::model_page::ModelPage;
use crate::output::table::{Cell, TextTable};
use crate::output::{Format, style, style::paint, wrap};
use carom::Model;
use carom::compare::{Deliveries, Delivery};
use carom::model::{Input, Parameter};
use carom::report::Entry;
use carom::spec::Spec;
use carom::units::format;
use clap::Args;

/// Headings of a model's text in the order in which they are shown.
const HEADINGS: [&str; 5] = ["Equation", "Derivation", "Validity", "Remarks", "Reference"];

const AFTER_HELP: &str = r#"
CSV is the table of requested against delivered restitutions.

With --code the numbers of the law are arguments of its functions, or constants within them where
bodies and dissipation are given as to `carom impact`. The speed is needed only where the damping
is found by a search.

Examples:
  carom model thornton-1997 --code cuda
  carom model hunt-crossley-1975 --code python --mass 0.54kg --stiffness 2.4144e10 --restitution 0.8"#;

/// Show one law: equation, validity, reference, what it delivers; or its force as code
#[derive(Args)]
#[command(after_help = AFTER_HELP.trim_start())]
pub struct ShowModel {
    /// Id or alias; `carom models` lists them
    id: String,

    /// Print the force as functions to paste into a program: c, cuda, python (NumPy) or latex
    #[arg(long, value_name = "LANGUAGE", conflicts_with_all = ["json", "csv", "plot"])]
    code: Option<String>,
    #[command(flatten)]
    numbers: LawArguments,

    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

/// Returns the group and input of a law, when contact ends, and whether it depends on the approach speed.
pub fn properties(entry: &Entry) -> String {
    let input = match entry.input {
        Input::Elastic => "elastic",
        Input::Restitution => "takes a restitution",
        Input::Coefficient => "takes a damping coefficient",
        Input::Material => "takes material constants",
    };
    let free = match entry.velocity_free {
        Some(true) => "velocity-free",
        Some(false) => "velocity-dependent",
        None => "velocity dependence not determined",
    };
    let (group, exit) = (entry.group.name(), entry.exit.name());
    format!("{group} · {input} · contact ends at zero {exit} · {free}")
}

impl ShowModel {
    /// Returns the page of the model.
    pub fn run(self) -> Result<String, Failure> {
        let plot = self.plot.target()?;
        let spec = self.numbers.spec(self.id)?;
        let model = carom::model(&spec.law)?;
        if let Some(language) = &self.code {
            return Ok(carom::code::described(&spec, language.parse()?)?);
        }
        if spec != (Spec { law: spec.law.clone(), ..Spec::default() }) {
            return Err(carom::Error::unsupported(
                "bodies, a speed or a dissipation for the page of a law",
                "they make the numbers of printed code: add --code c, or use `carom impact --law ID`",
            )
            .into());
        }
        let full = ModelPage::of(model);
        plot.draw(|| Ok(figure::model(model, &full.deliveries)?))?;
        let example = Delivery::default();
        let rows = &full.deliveries.rows;
        self.format.render_like(&full, rows, &example, || model_text(model, &full))
    }
}

fn model_text(model: &Model, full: &ModelPage) -> String {
    let mut text =
        format!("{}\n{}", paint(style::STRONG, model.title), paint(style::NAME, model.id));
    if !model.aliases.is_empty() {
        text += &paint(style::FAINT, format!(", also {}", model.aliases.join(", ")));
    }
    let about = wrap::fill(&properties(&full.page.entry), 0, 0);
    text += &format!("\n{}\n", paint(style::FAINT, about.trim_end()));
    for heading in HEADINGS {
        let section = model.section(heading);
        if section.is_empty() {
            continue;
        }
        text += &format!("\n{}\n", paint(style::STRONG, heading));
        text += &match heading {
            // Equations keep their line breaks.
            "Equation" => section.lines().map(|line| wrap::fill(line, 2, 4)).collect(),
            _ => wrap::paragraphs(&section, 2),
        };
    }
    if let Some(doi) = model.doi {
        text += &format!("  https://doi.org/{doi}\n");
    }
    text += &parameter_list(model.parameters);
    text + &delivery_table(model, &full.deliveries)
}

fn parameter_list(parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint(style::STRONG, "Parameters"));
    for p in parameters {
        let mut facts = vec![paint(style::NAME, p.name)];
        if !p.unit.is_empty() {
            facts.push(p.unit.to_string());
        }
        if let Some(default) = p.default {
            facts.push(format!("default {}", format(default, p.unit)));
        }
        text += &format!("  {}\n{}", facts.join(", "), wrap::fill(p.help, 6, 6));
    }
    text
}

fn delivery_table(model: &Model, table: &Deliveries) -> String {
    let title = paint(style::STRONG, "Requested against delivered");
    if table.rows.is_empty() {
        let why = match model.input {
            Input::Elastic => return String::new(),
            _ => {
                "The source has no formula for a restitution. Where --calibration exact is offered, \
                  the damping that delivers the requested restitution is found at touch."
            }
        };
        return format!("\n{title}\n{}", wrap::fill(why, 2, 2));
    }
    let published =
        table.rows.iter().any(|row| row.published_force.or(row.published_indentation).is_some());
    let ratios = table.rows.iter().any(|row| row.exact_force_epsilon.is_some());
    let mut rows = TextTable::new().right(["requested"]);
    if published {
        rows = rows.right(["at F = 0", "error %", "at δ = 0", "error %"]);
    }
    if published && ratios {
        rows = rows.right(["ε published"]);
    }
    if ratios {
        rows = rows.right(["ε exact, F = 0", "ε exact, δ = 0"]);
    }
    for row in &table.rows {
        rows.row(delivery_cells(row, published, ratios));
    }
    let mut about = match (published, ratios) {
        (true, true) => {
            "What the published formula delivers when contact ends at zero force and at zero \
             indentation, and the ε that would be exact."
        }
        (true, false) => {
            "What the published formula delivers when contact ends at zero force and at zero \
             indentation."
        }
        _ => {
            "The source has no formula for a restitution; this is the ε of --calibration exact, when \
             contact ends at zero force and at zero indentation."
        }
    }
    .to_string();
    if !table.nominal.is_empty() || !ratios {
        about += " Computed on the steel ball at 0.5 m/s";
        for (name, value) in &table.nominal {
            about += &format!(", {name} = {value:e}");
        }
        about += ".";
    }
    let about = paint(style::FAINT, wrap::fill(&about, 2, 2).trim_end());
    format!("\n{title}\n{about}\n{}", rows.render(2))
}

fn delivery_cells(row: &Delivery, published: bool, ratios: bool) -> Vec<Cell> {
    let epsilon = |value: Option<f64>| Cell::from(value.map_or("-".to_string(), |e| format(e, "")));
    let mut cells = vec![Cell::from(row.requested.to_string())];
    if published {
        for delivered in [row.published_force, row.published_indentation] {
            match delivered {
                Some(e) => {
                    let error = e / row.requested - 1.0;
                    let style = style::by_error(error);
                    cells.push(Cell::styled(format!("{e:.4}"), style));
                    cells.push(Cell::styled(style::percent(error), style));
                }
                None => cells.extend([Cell::from("-"), Cell::from("-")]),
            }
        }
    }
    if published && ratios {
        cells.push(epsilon(row.published_epsilon));
    }
    if ratios {
        cells.push(epsilon(row.exact_force_epsilon));
        cells.push(epsilon(row.exact_indentation_epsilon));
    }
    cells
}
