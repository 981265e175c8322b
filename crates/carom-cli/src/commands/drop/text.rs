//! Renders the result of a drop test as text.

use crate::output::report::{line, note_messages, rounded_quantity};
use crate::output::style::{self, paint};
use crate::output::table::{Cell, TextTable};
use crate::output::wrap;
use carom::drop_test::{DropLaw, DropReport, EngineInput, Parameters};
use carom::report::NoteReport;
use carom::units::{Dimension, format};

/// Returns the impacts, the dependence of restitution on speed, the law, and notes.
pub fn render(report: &DropReport) -> String {
    let heading = match report.source {
        "heights" => "Restitution from heights",
        "times" => "Restitution from times between bounces",
        "sound" => "Restitution from sound",
        _ => "Restitution from a track",
    };
    let mut text = paint(style::STRONG, heading) + "\n\n";
    let clock = report.impacts.iter().any(|impact| impact.time.is_some());
    let mut table = TextTable::new().right(["impact"]);
    if clock {
        table = table.right(["time"]);
    }
    table = table.right(["speed", "±", "restitution", "±"]);
    for (i, impact) in report.impacts.iter().enumerate() {
        let mut cells: Vec<Cell> = vec![(i + 1).to_string().into()];
        if clock {
            cells.push(impact.time.map_or(String::new(), |t| format!("{t:.4} s")).into());
        }
        let digits = decimals_of_error(impact.restitution_error);
        cells.push(format!("{:.3} m/s", impact.speed).into());
        cells.push(format!("{:.3}", impact.speed_error).into());
        cells.push(Cell::styled(format!("{:.digits$}", impact.restitution), style::STRONG));
        cells.push(format!("{:.digits$}", impact.restitution_error).into());
        table.row(cells);
    }
    text += &table.render(2);
    text += "\n";
    text += &line("dependence", dependence_line(&report.dependence.parameters));
    if let Some(law) = &report.law {
        text += &law_lines(law);
    }
    text + &notes(&report.notes)
}

fn notes(notes: &[NoteReport]) -> String {
    let paragraph = |note: String| wrap::fill(&format!("note: {note}"), 0, 6);
    note_messages(notes).map(|note| format!("\n{}", paragraph(note))).collect()
}

/// Returns a table of the measured bounces beside those of the engine.
pub fn bounce_table(input: &EngineInput) -> String {
    let titles = [
        "speed",
        "measured e",
        "fitted e",
        "engine's e",
        "measured height",
        "engine's height",
        "error %",
    ];
    let mut table = TextTable::new().right(titles);
    for bounce in &input.bounces {
        let height = |h: f64| format!("{:.1} mm", 1e3 * h);
        table.row([
            Cell::from(format!("{:.3} m/s", bounce.speed)),
            Cell::from(format!("{:.4}", bounce.measured)),
            Cell::from(format!("{:.4}", bounce.fitted)),
            Cell::from(format!("{:.4}", bounce.delivered)),
            Cell::from(height(bounce.height_measured)),
            Cell::styled(height(bounce.height_delivered), style::STRONG),
            Cell::from(style::percent(bounce.height_error)),
        ]);
    }
    let mut text = format!("\n{}", table.render(2));
    let about =
        "The error is that of the engine's height against the measured one; heights without air.";
    text += &wrap::fill(about, 2, 2);
    text + &notes(&input.notes)
}

/// Returns the number of decimals with which an error has two significant digits.
fn decimals_of_error(error: f64) -> usize {
    if error > 0.0 { ((-error.log10()).floor() + 2.0).clamp(2.0, 6.0) as usize } else { 4 }
}

fn dependence_line(parameters: &Parameters) -> String {
    match parameters {
        Parameters::Constant { restitution, restitution_error } => {
            format!("constant, e = {restitution:.4} ± {restitution_error:.4}")
        }
        Parameters::Power { viscoelastic_epsilon: Some(epsilon), speed, restitution, .. } => {
            let speed = format(*speed, "m/s");
            format!(
                "viscoelastic, e = {restitution:.4} and ε = {epsilon:.4} at {speed}, ε ~ v^(1/5)"
            )
        }
        Parameters::Power {
            restitution,
            restitution_error,
            speed,
            exponent,
            exponent_error,
            ..
        } => {
            let (a, b) =
                (decimals_of_error(*restitution_error), decimals_of_error(*exponent_error));
            let speed = format(*speed, "m/s");
            format!(
                "power, e = ({restitution:.a$} ± {restitution_error:.a$})·(v/{speed})^({exponent:.b$} ± {exponent_error:.b$})"
            )
        }
        Parameters::Table { speeds, .. } => format!("table of {} speeds", speeds.len()),
    }
}

fn law_lines(law: &DropLaw) -> String {
    let mut text = line(
        "law",
        format!(
            "{}   n = {}, m = {}, q = {}   ε = {} ± {} at {}",
            paint(style::NAME, law.law),
            format(law.exponent, ""),
            format(law.damping_exponent, ""),
            format(law.rate_exponent, ""),
            format(law.epsilon, ""),
            rounded_quantity(law.epsilon_error, 2, ""),
            format(law.speed, "m/s"),
        ),
    );
    if let Some(found) = &law.identified {
        let (pair, damping) = (&found.solution.pair, &found.solution.damping);
        let stiffness = Dimension::stiffness_unit(pair.exponent);
        let coefficient = Dimension::damping_unit(law.damping_exponent, law.rate_exponent);
        let error =
            |of: fn(&carom::identify::Effect) -> f64, unit: &str| match &found.solution.uncertainty
            {
                Some(effect) => format!(" ± {}", rounded_quantity(of(effect), 2, unit)),
                None => String::new(),
            };
        text += &line(
            "stiffness",
            format!(
                "K = {}{}",
                format(pair.stiffness, &stiffness),
                error(|e| e.stiffness, &stiffness)
            ),
        );
        let c = damping.coefficient.unwrap_or(f64::NAN);
        text += &line(
            "damping",
            format!("c = {}{}", format(c, &coefficient), error(|e| e.coefficient, &coefficient)),
        );
    }
    text
}
