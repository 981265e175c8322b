//! Renders results of a sweep as text.

use super::dry_run::Expected;
use crate::output::report::{labelled, note, rounded};
use crate::output::style::{self, paint};
use crate::output::table::{Cell, TextTable};
use carom::sweep::{Evaluate, Plan, Points};
use carom::units::format;
use carom_store::{Column, Values};
use serde::Serialize;
use std::collections::BTreeMap;

/// Largest number of rows of a table on the screen.
const SHOWN_ROWS: usize = 40;

/// Result of a sweep that was written to a file.
#[derive(Serialize)]
pub struct Done {
    /// Path of the file.
    pub path: String,
    /// Number of cases in it.
    pub cases: u64,
    /// Number of these that are from an earlier run.
    pub resumed: u64,
    /// Size of the file (bytes); 0 if it was complete before.
    pub bytes: u64,
    /// Computing time (s).
    pub seconds: f64,
    /// Number of cases of each status, of those that this run computed.
    pub status: BTreeMap<String, u64>,
    /// First case without a result, and the reason.
    pub example: Option<String>,
}

/// Formats a number with its thousands separated.
fn with_thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

fn bytes_text(bytes: f64) -> String {
    let (factor, unit) = match bytes {
        ..1e3 => (1.0, "B"),
        1e3..1e6 => (1e3, "kB"),
        1e6..1e9 => (1e6, "MB"),
        _ => (1e9, "GB"),
    };
    format!("{} {unit}", rounded(bytes / factor, 3))
}

fn duration_text(seconds: f64) -> String {
    match seconds {
        ..60.0 => format!("{} s", rounded(seconds, 3)),
        60.0..7200.0 => format!("{} min", rounded(seconds / 60.0, 3)),
        7200.0..172_800.0 => format!("{} h", rounded(seconds / 3600.0, 3)),
        _ => format!("{} days", rounded(seconds / 86_400.0, 3)),
    }
}

fn line(name: &str, value: String) -> String {
    labelled(8, name, value)
}

fn title<E: Evaluate>(plan: &Plan<E>) -> String {
    match plan.evaluator().title() {
        "" => String::new(),
        title => paint(style::STRONG, title) + "\n",
    }
}

/// Returns the axes of a study, one line each.
fn axis_lines<E: Evaluate>(plan: &Plan<E>) -> String {
    let mut text = String::new();
    for axis in plan.variation().axes() {
        let values = match axis.points() {
            Points::Words(words) => format!("{} words", words.len()),
            Points::Numbers(numbers) => format!("{} numbers", numbers.len()),
            Points::Random(distribution) => distribution.name().to_string(),
        };
        text += &line("axis", format!("{}: {values}", paint(style::NAME, axis.name())));
    }
    text
}

/// Returns the expected number of cases, time and size of a sweep.
pub fn expected_report<E: Evaluate>(plan: &Plan<E>, expected: &Expected) -> String {
    let mut text = title(plan) + &axis_lines(plan);
    let how = match expected.samples {
        0 => String::new(),
        n => format!(" ({} x {} samples)", with_thousands(expected.grid), with_thousands(n)),
    };
    let parts = match expected.partitions {
        1 => "1 partition".to_string(),
        n => format!("{} partitions", with_thousands(n)),
    };
    text += &line("cases", format!("{}{how} in {parts}", with_thousands(expected.cases)));
    let threads = match expected.threads {
        1 => "one thread".to_string(),
        n => format!("{n} threads"),
    };
    text += &line("time", format!("about {} on {threads}", duration_text(expected.seconds)));
    text += &line("size", format!("about {} as {}", bytes_text(expected.bytes), expected.format));
    if let Some(example) = &expected.example {
        let share = 100.0 * expected.failed as f64 / expected.measured.max(1) as f64;
        text +=
            &note(&format!("about {} % of the cases have no result; {example}", rounded(share, 3)));
    }
    text
}

/// Returns the result of a sweep into a file as text.
pub fn written_report(done: &Done, cases: &str) -> String {
    if done.bytes == 0 {
        return format!("{} is complete: {} cases\n", done.path, with_thousands(done.cases));
    }
    let computed = done.cases - done.resumed;
    let mut text = format!(
        "{} {}: {} cases, {}\n",
        paint(style::GOOD, "wrote"),
        done.path,
        with_thousands(done.cases),
        bytes_text(done.bytes as f64)
    );
    if done.resumed > 0 {
        text +=
            &line("before", format!("{} cases, by an earlier run", with_thousands(done.resumed)));
    }
    let rate = rounded(computed as f64 / done.seconds.max(1e-9), 3);
    let rate = match rate {
        1e6.. => format!("{} million {cases}/s", rounded(rate / 1e6, 3)),
        1e2.. => format!("{} {cases}/s", with_thousands(rate as u64)),
        _ => format!("{rate} {cases}/s"),
    };
    text += &line("time", format!("{}, {rate}", duration_text(done.seconds)));
    for (status, cases) in &done.status {
        text += &line("status", format!("{status}: {}", with_thousands(*cases)));
    }
    if let Some(example) = &done.example {
        text += &note(example);
    }
    text
}

/// Returns a case with the names of the options of `carom impact`.
pub fn case_description(title: &str, description: &serde_json::Value) -> String {
    let mut text = paint(style::STRONG, title) + "\n";
    for (name, value) in description.as_object().into_iter().flatten() {
        let value = match value {
            serde_json::Value::String(value) => value.clone(),
            other => other.to_string(),
        };
        text += &labelled(16, name, value);
    }
    text + "\n"
}

/// Returns a labelled result of a case.
pub fn result_line(name: &str, value: f64, unit: &str) -> String {
    labelled(16, name, if value.is_nan() { "-".to_string() } else { format(value, unit) })
}

/// Returns the first rows, and the reason why the first case without a result has none.
pub fn table<E: Evaluate>(plan: &Plan<E>, columns: &[Column], example: Option<String>) -> String {
    let mut table = TextTable::new();
    for column in columns {
        table = match column.values {
            Values::Text { .. } => table.left([&column.name]),
            _ => table.right([&column.name]),
        };
    }
    let rows = columns.first().map_or(0, |column| column.values.len());
    for row in 0..rows.min(SHOWN_ROWS) {
        let cells: Vec<Cell> = columns
            .iter()
            .map(|column| match (&column.values, column.values.text(row)) {
                (_, Some("ok")) => Cell::styled("ok", style::GOOD),
                (_, Some(word)) => Cell::from(word),
                (Values::Integer(values), _) => {
                    Cell::from(values.get(row).copied().unwrap_or(0).to_string())
                }
                _ => match column.values.real(row) {
                    Some(value) if value.is_finite() => Cell::from(format(value, &column.unit)),
                    Some(value) if value.is_infinite() => Cell::from("never"),
                    _ => Cell::from("-"),
                },
            })
            .collect();
        table.row(cells);
    }
    let mut text = title(plan) + &table.render(2);
    if rows > SHOWN_ROWS {
        let more = rows - SHOWN_ROWS;
        text += &format!("  … and {more} more; --csv prints all, --out FILE writes them\n");
    }
    if let Some(example) = example {
        text += &note(&example);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits() {
        for (bytes, text) in [
            (0.0, "0 B"),
            (999.0, "999 B"),
            (1230.0, "1.23 kB"),
            (5e5, "500 kB"),
            (2.0004e8, "200 MB"),
            (1.3e12, "1300 GB"),
        ] {
            assert_eq!(bytes_text(bytes), text);
        }
    }
}
