//! Renders comparisons as text: a table with the measured values first and the laws below; the delivered restitution is coloured.

use super::Comparison;
use crate::output::report::decimals;
use crate::output::style::{self, paint, percent};
use crate::output::table::{Cell, TextTable};
use crate::output::wrap;
use crate::wording::CommandLine;
use anstyle::Style;
use carom::compare::LawComparison;
use carom::problems::Experiment;
use carom::units::{Dimension, format};

/// Returns all tables, and a legend of their marks.
pub fn render(comparisons: &[Comparison]) -> String {
    let mut text = String::new();
    for comparison in comparisons {
        text += &experiment_table(comparison);
        text.push('\n');
    }
    let rows = || comparisons.iter().flat_map(|comparison| &comparison.rows);
    let mut legend = vec![
        "Errors in %; rms is their root mean square. Damping: published is the law's own formula for \
         the measured e, exact was found so that e is delivered, none is elastic or the material's own.",
    ];
    if rows().any(|row| row.same_force.is_some()) {
        legend.push("=: the same force as the law above, and so the same numbers.");
    }
    if rows().any(|row| row.linear_equivalent) {
        legend.push("*: a linear law, on the spring of equal energy at the elastic impact's largest indentation.");
    }
    if rows()
        .any(|row| row.reason.as_ref().is_some_and(|why| why.to_string().contains(" is missing: ")))
    {
        legend.push("Missing parameters can be given to `carom impact` with --set.");
    }
    let legend: String = legend.iter().map(|line| wrap::fill(line, 0, 2)).collect();
    text + &paint(style::FAINT, legend.trim_end()) + "\n"
}

/// A measured quantity, and the functions that return its value and error from a row.
struct Quantity {
    symbol: &'static str,
    measured: f64,
    unit: &'static str,
    value: fn(&LawComparison) -> Option<f64>,
    error: fn(&LawComparison) -> Option<f64>,
}

fn measured_quantities(experiment: &Experiment) -> Vec<Quantity> {
    let quantity = |symbol, measured: Option<f64>, unit, value, error| {
        Some(Quantity { symbol, measured: measured?, unit, value, error })
    };
    let known = [
        quantity("T", experiment.duration, "s", |row| row.duration, |row| row.duration_error),
        quantity("F", experiment.force_max, "N", |row| row.force_max, |row| row.force_max_error),
        quantity(
            "δ",
            experiment.indentation_max,
            "m",
            |row| row.indentation_max,
            |row| row.indentation_max_error,
        ),
    ];
    known.into_iter().flatten().collect()
}

impl Quantity {
    /// Returns the divisor and the prefix with which the measured value is between 1 and 1000.
    fn scale(&self) -> (f64, &'static str) {
        let prefixes = [(1e-9, "n"), (1e-6, "µ"), (1e-3, "m"), (1.0, ""), (1e3, "k"), (1e6, "M")];
        let fits = |(scale, _): &&(f64, &str)| self.measured / scale < 1e3;
        prefixes.iter().find(fits).copied().unwrap_or((1.0, ""))
    }

    fn title(&self) -> String {
        format!("{} {}{}", self.symbol, self.scale().1, self.unit)
    }

    /// Formats a value with as many decimals as give the measured value five digits.
    fn format(&self, value: f64) -> String {
        let (scale, _) = self.scale();
        let whole = (self.measured / scale).abs().log10().floor().max(0.0) as usize;
        match value.is_finite() {
            true => format!("{:.*}", 4usize.saturating_sub(whole), value / scale),
            false if value == f64::INFINITY => "∞".to_string(),
            false => "-".to_string(),
        }
    }
}

fn experiment_table(comparison: &Comparison) -> String {
    let experiment = comparison.experiment;
    let quantities = measured_quantities(experiment);
    let mut table = TextTable::new().shrinkable("law").left(["damping"]).right(["e", "error"]);
    for quantity in &quantities {
        table = table.right([quantity.title(), "error".to_string()]);
    }
    table = table.right(["rms"]);
    let measured = |text: String| Cell::styled(text, style::MEASURED);
    let mut first = vec![
        measured("experiment".into()),
        measured("measured".into()),
        measured(format!("{:.4}", experiment.restitution)),
        "".into(),
    ];
    for quantity in &quantities {
        first.extend([measured(quantity.format(quantity.measured)), "".into()]);
    }
    table.row(first);
    let (ran, refused): (Vec<&LawComparison>, Vec<&LawComparison>) =
        comparison.rows.iter().partition(|row| row.reason.is_none());
    for row in ran.iter().filter(|row| row.same_force.is_none()) {
        table.row(cells(row, &quantities));
        // Laws that have the same force in this problem have the same numbers.
        for other in ran.iter().filter(|other| other.same_force == Some(row.law)) {
            let name = Cell::styled(format!("= {}", other.law), style::FAINT);
            let mark = if other.linear_equivalent { "*" } else { "" };
            let damping = Cell::styled(format!("{}{mark}", other.calibration), style::FAINT);
            table.row([name, damping]);
        }
    }
    header(experiment) + &table.render(0) + &refusals(&refused)
}

fn header(experiment: &Experiment) -> String {
    let stiffness = Dimension::stiffness_unit(experiment.exponent);
    let facts = format!(
        "m = {}, K = {}, n = {}. {}; {}.",
        format(experiment.mass, "kg"),
        format(experiment.stiffness, &stiffness),
        experiment.exponent,
        experiment.source,
        experiment.remark
    );
    let facts = wrap::fill(&facts, 0, 0);
    format!(
        "{}  {}\n{}\n\n",
        paint(style::STRONG, experiment.title),
        paint(style::NAME, experiment.id),
        paint(style::FAINT, facts.trim_end())
    )
}

fn cells(row: &LawComparison, quantities: &[Quantity]) -> Vec<Cell> {
    let mark = if row.linear_equivalent { "*" } else { "" };
    let colour = row.restitution_error.map_or(Style::new(), style::by_error);
    let error = |error: Option<f64>| error.map_or("-".to_string(), percent);
    let mut cells = vec![
        Cell::styled(row.law, style::NAME),
        Cell::styled(format!("{}{mark}", row.calibration), style::FAINT),
        Cell::styled(decimals(row.restitution, 4), colour.bold()),
        Cell::styled(error(row.restitution_error), colour),
    ];
    for quantity in quantities {
        let value = (quantity.value)(row).map_or("-".to_string(), |value| quantity.format(value));
        cells.extend([value.into(), Cell::styled(error((quantity.error)(row)), style::FAINT)]);
    }
    let score = row.score.filter(|score| score.is_finite());
    cells.push(decimals(score.map(|score| 100.0 * score), 2).into());
    cells
}

/// Returns the laws that could not be run, with the reason.
fn refusals(rows: &[&LawComparison]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut table = TextTable::new().left(["not run"]).shrinkable("why");
    for row in rows {
        let reason = row.reason.as_ref().map(|why| why.worded(&CommandLine)).unwrap_or_default();
        // The rest of the message is advice that is the same for all laws.
        let why = reason.split_once(": ").map_or(reason.as_str(), |(why, _)| why);
        table.row([Cell::styled(row.law, style::NAME), Cell::styled(why, style::FAINT)]);
    }
    format!("\n{}", table.render(0))
}
