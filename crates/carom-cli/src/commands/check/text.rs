//! Renders the contacts of a robot file as text.

use crate::output::report::rounded_quantity;
use crate::output::style::{self, paint};
use crate::output::table::{Cell, TextTable};
use crate::output::wrap;
use crate::wording::CommandLine;
use carom::robot_file::{Finding, Fix, PairReport, Report};
use carom::units::format;
use std::fmt::Write;
use std::path::Path;

/// Largest number of rows of the table; --json and --csv print all.
const ROWS_MAX: usize = 30;

/// Returns the table of pairs, and the findings below it.
pub fn render(report: &Report) -> String {
    let mut out = format!("{}, step {}\n\n", report.version, format(report.step, "s"));
    match report.pairs.is_empty() {
        true => out.push_str("No two geometries can touch.\n"),
        false => out.push_str(&pair_table(&report.pairs)),
    }
    if !report.findings.is_empty() {
        out.push('\n');
    }
    // Findings of one kind with the same advice share a sentence that lists their lines.
    let mut grouped: Vec<(&Finding, Vec<String>)> = Vec::new();
    for finding in &report.findings {
        match grouped
            .iter_mut()
            .find(|(one, _)| one.kind == finding.kind && one.advice == finding.advice)
        {
            Some((_, others)) => others.push(file_and_line(finding)),
            None => grouped.push((finding, Vec::new())),
        }
    }
    for (finding, mut others) in grouped {
        others.dedup();
        out.push_str(&finding_sentence(finding, &others));
    }
    out
}

fn pair_table(pairs: &[PairReport]) -> String {
    let mut table = TextTable::new().shrinkable("geometries").right([
        "speed",
        "restitution",
        "from",
        "to",
        "duration",
        "penetration",
        "peak force",
        "mass",
    ]);
    let number = |value: Option<f64>| value.map_or("?".to_string(), |value| format!("{value:.4}"));
    let quantity = |value: Option<f64>, unit: &str| {
        value.map_or("?".to_string(), |value| rounded_quantity(value, 4, unit))
    };
    for pair in pairs.iter().take(ROWS_MAX) {
        let [a, b] = &pair.geometries;
        let duration = match (pair.duration, pair.restitution) {
            (None, Some(_)) => "no separation".to_string(),
            (duration, _) => quantity(duration, "s"),
        };
        table.row([
            Cell::styled(format!("{a}, {b}"), style::NAME),
            rounded_quantity(pair.speed, 4, "m/s").into(),
            Cell::styled(number(pair.restitution), style::STRONG),
            number(pair.restitution_range.map(|[low, _]| low)).into(),
            number(pair.restitution_range.map(|[_, high]| high)).into(),
            duration.into(),
            quantity(pair.penetration, "m").into(),
            quantity(pair.force_max, "N").into(),
            quantity(pair.mass, "kg").into(),
        ]);
    }
    let mut out = table.render(0);
    if pairs.len() > ROWS_MAX {
        let more = pairs.len() - ROWS_MAX;
        let _ = writeln!(out, "and {more} more; --json and --csv print all, --pair A,B picks one");
    }
    out
}

/// Returns the file and line of a finding.
fn file_and_line(finding: &Finding) -> String {
    match (&finding.file, finding.line) {
        (Some(file), Some(line)) => format!("{file}, line {line}"),
        (None, Some(line)) => format!("line {line}"),
        _ => String::new(),
    }
}

fn finding_sentence(finding: &Finding, others: &[String]) -> String {
    let place = Some(file_and_line(finding))
        .filter(|place| !place.is_empty())
        .map_or(String::new(), |place| place + ": ");
    let also = match others {
        [] => String::new(),
        few if few.len() <= 5 => format!("; the same in {}", few.join(", ")),
        many => format!("; the same in {} more places", many.len()),
    };
    let text = format!(
        "{} {place}{}; {}{also}",
        paint(style::NOTE, format!("{}:", finding.kind)),
        finding.message,
        finding.advice.worded(&CommandLine)
    );
    wrap::fill(&text, 0, 2)
}

/// Returns a report on what was changed and what the new file delivers.
pub fn fix_report(fix: &Fix, path: Option<&Path>) -> String {
    let mut out = String::new();
    for sentence in &fix.shortfall {
        let note = format!("{} {sentence}", paint(style::NOTE, "note:"));
        out.push_str(&wrap::fill(&note, 0, 2));
    }
    for change in &fix.changes {
        let before = change.before.as_deref().unwrap_or("nothing");
        let _ = writeln!(
            out,
            "{}line {}: {} {} instead of {before}",
            change.file.as_ref().map_or(String::new(), |file| format!("{file}, ")),
            change.line,
            change.parameter,
            change.after
        );
    }
    match path {
        Some(path) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            for file in &fix.included {
                let _ = writeln!(out, "written to {}", folder.join(&file.name).display());
            }
            let _ = writeln!(out, "written to {}\n", path.display());
        }
        None => out.push_str("--fix FILE writes the file with these numbers\n\n"),
    }
    out.push_str(&render(&fix.report));
    out
}
