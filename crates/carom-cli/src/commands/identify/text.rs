//! Renders identified parameters as text.

use crate::output::report::{LABEL_WIDTH, line, note_messages, notes, rounded_quantity};
use crate::output::style::{self, paint};
use crate::output::table::{Cell, TextTable};
use carom::identify::{Candidate, Effect, Identification, Solution, SpeedFit};
use carom::units::{Dimension, format};

/// Returns stiffness and damping, the impact that they predict, and their sensitivities.
pub fn render(found: &Identification) -> String {
    let [first, second] = found.measured.map(|measure| measure.name());
    let mut text = paint(style::STRONG, format!("Identified from {first} and {second}")) + "\n";
    let several = !found.others.is_empty();
    for (i, solution) in std::iter::once(&found.solution).chain(&found.others).enumerate() {
        if several {
            text += &format!("\n{}\n", paint(style::NAME, format!("solution {}", i + 1)));
        }
        text += &solution_report(found, solution);
    }
    text + &notes(LABEL_WIDTH, note_messages(&found.notes))
}

fn solution_report(found: &Identification, solution: &Solution) -> String {
    let (pair, damping, predicted) = (&solution.pair, &solution.damping, &solution.predicted);
    let (m, q) = (number_or_nan(damping.damping_exponent), number_or_nan(damping.rate_exponent));
    let stiffness = Dimension::stiffness_unit(pair.exponent);
    let coefficient = Dimension::damping_unit(m, q);
    let at = |value: f64, unit: &str, time: f64| {
        let when = format!("at {}", format(time, "s"));
        format!("{:<11} {}", format(value, unit), paint(style::FAINT, when))
    };
    let calibration = match damping.calibration {
        "published" => "published fit",
        _ => "exact",
    };
    let mut text = String::from("\n");
    text += &line(
        "pair",
        format!(
            "m = {}   K = {}   n = {}",
            format(pair.mass, "kg"),
            paint(style::STRONG, format(pair.stiffness, &stiffness)),
            format(pair.exponent, "")
        ),
    );
    text += &line(
        "impact",
        format!("{}, contact ends at zero {}", format(found.speed, "m/s"), found.exit.name()),
    );
    text += &line(
        "damping",
        format!(
            "{calibration}   ε = {}   c = {}   m = {m}, q = {q}",
            format(number_or_nan(damping.epsilon), ""),
            paint(style::STRONG, format(number_or_nan(damping.coefficient), &coefficient)),
        ),
    );
    text += &line("frequency", format!("ω = {}", format(solution.natural_frequency, "rad/s")));
    text += &line("restitution", format!("{:.5}", predicted.restitution));
    text += &line("duration", format(predicted.duration, "s"));
    text +=
        &line("indentation", at(predicted.indentation_max, "m", predicted.time_of_indentation_max));
    text += &line("force", at(predicted.force_max, "N", predicted.time_of_force_max));
    if let Some(uncertainty) = &solution.uncertainty {
        text += &uncertainty_lines(uncertainty, &stiffness, &coefficient);
    }
    text + "\n" + &sensitivity_table(solution)
}

/// Returns the uncertainties of all results, in two lines.
fn uncertainty_lines(u: &Effect, stiffness: &str, coefficient: &str) -> String {
    let two_digits = |value, unit| rounded_quantity(value, 2, unit);
    let first = format!(
        "K ± {}   c ± {}   ε ± {}   ω ± {}",
        two_digits(u.stiffness, stiffness),
        two_digits(u.coefficient, coefficient),
        two_digits(u.epsilon, ""),
        two_digits(u.natural_frequency, "rad/s")
    );
    let second = format!(
        "e ± {}   T ± {}   F ± {}   δ ± {}",
        two_digits(u.restitution, ""),
        two_digits(u.duration, "s"),
        two_digits(u.force_max, "N"),
        two_digits(u.indentation_max, "m")
    );
    line("uncertainty", first) + &line("", second)
}

/// Returns a table of the relative changes of the results when a given number increases by 1 %.
fn sensitivity_table(solution: &Solution) -> String {
    let mut table =
        TextTable::new().left(["1 % more"]).right(["K", "c", "ε", "ω", "e", "T", "F", "δ"]);
    for (name, effect) in &solution.sensitivity.0 {
        let mut cells = vec![Cell::from(*name)];
        cells.extend(effect.values().map(|value| Cell::from(style::percent(0.01 * value))));
        table.row(cells);
    }
    let after = "moves each result by so many %.";
    table.render(2) + &format!("  {}\n", paint(style::FAINT, after))
}

/// Returns a report on which exponents fit.
pub fn exponents_report(fit: &SpeedFit) -> String {
    let count = fit.observed.len();
    let mut text = paint(style::STRONG, format!("Restitution at {count} speeds")) + "\n\n";
    let power = &fit.speed_power;
    let shown = match power.standard_error {
        Some(error) => format!("{:.4} ± {:.4}", power.value, error),
        None => format!("{:.4}", power.value),
    };
    text += &line("contact", format!("n = {}, ends at zero {}", fit.exponent, fit.exit.name()));
    text += &line("speed power", format!("ε goes as v^p with p = {shown}"));
    let within = |width: f64| format!("p = {:.4} ± {width:.4} with 95 % confidence", power.value);
    let verdict = match (fit.velocity_free, power.half_width_95) {
        (Some(true), Some(width)) => format!("is not excluded: {}", within(width)),
        (Some(false), Some(width)) => format!("is excluded: {}", within(width)),
        _ => "is not decided by two speeds".to_string(),
    };
    text += &line("", format!("velocity-free damping {verdict}"));
    let at = format(fit.reference_speed, "m/s");
    let unit = fit.candidates.iter().any(|candidate| candidate.coefficient.is_some());
    let mut table = TextTable::new().left(["damping"]).right(["m", "q", "p", "ε", "rms of e"]);
    if unit {
        table = table.left(["c"]);
    }
    for candidate in &fit.candidates {
        table.row(candidate_cells(candidate, unit));
    }
    text += &format!("\n{}", table.render(2));
    let after =
        format!("p of a constant c; ε at {at}; rms of predicted minus measured restitution.");
    text += &format!("  {}\n", paint(style::FAINT, after));
    text + &notes(LABEL_WIDTH, note_messages(&fit.notes))
}

fn candidate_cells(candidate: &Candidate, unit: bool) -> Vec<Cell> {
    let (m, q) = (candidate.damping_exponent, candidate.rate_exponent);
    let decimals = |value: f64| format!("{:.4}", if value.abs() < 5e-5 { 0.0 } else { value });
    let mut cells = vec![
        Cell::from(candidate.name),
        Cell::from(decimals(m)),
        Cell::from(format(q, "")),
        Cell::from(decimals(candidate.speed_power)),
        Cell::from(format(candidate.epsilon, "")),
        Cell::from(format!("{:.5}", candidate.restitution_rms)),
    ];
    if unit {
        let dimension = Dimension::damping_unit(m, q);
        cells.push(Cell::from(format(number_or_nan(candidate.coefficient), &dimension)));
    }
    cells
}

/// Returns a number that every identification has; NaN would show an error of the program.
fn number_or_nan(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}
