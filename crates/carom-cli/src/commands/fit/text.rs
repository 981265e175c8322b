//! Renders fits and rankings of laws as text.

use crate::output::report::{decimals, line, lines, note_messages, rounded_quantity};
use crate::output::style::{self, paint};
use crate::output::table::{Cell, TextTable};
use crate::output::{text_width, wrap};
use crate::wording::CommandLine;
use carom::fit::{
    Criterion, FailedFit, FitReport, FittedParameter, JointRanking, Kind, RankedLaw, Ranking,
};
use carom::problems::Example;
use carom::report::NoteReport;
use carom::units::format;
use serde::Serialize;

/// Returns the report of a fit.
pub fn fit(fit: &FitReport, read: &[String], example: Option<&Example>) -> String {
    let title = carom::model(fit.impact.law).map_or(fit.impact.law, |model| model.title);
    let mut text = paint(style::STRONG, title) + "\n\n";
    if let Some(example) = example {
        text += &line("example", example.title);
    }
    text += &lines("read", read);
    text += &line("data", data_line(fit));
    let (impact, s) = (&fit.impact, &fit.statistics);
    text += &line("fit", quality_line(fit));
    text += &line(
        "impact",
        format!(
            "{}, e = {:.4}, {}, {}, {}; contact ends at zero {}",
            format(impact.speed, "m/s"),
            impact.restitution.newton,
            format(impact.duration, "s"),
            format(impact.force_max, "N"),
            format(impact.indentation_max, "m"),
            impact.exit.name()
        ),
    );
    text += &format!("\n{}", parameter_table(&fit.parameters));
    if fit.parameters.len() > 1 {
        text += &format!("\n{}", correlation_line(fit));
    }
    if !fit.outcomes.is_empty() {
        text += &format!("\n{}", outcome_table(fit));
    }
    if let Some(reference) = &fit.reference {
        let values: Vec<_> = reference
            .values
            .iter()
            .map(|(name, value)| {
                let same = |p: &&FittedParameter| p.name == name.replace('-', "_");
                let unit = fit.parameters.iter().find(same).map_or("", |p| p.unit.as_str());
                format!("{} = {}", name.replace('_', " "), format(*value, unit))
            })
            .collect();
        let source = example.map_or(String::new(), |e| format!(" ({})", e.source));
        let rms = |rms: f64| match fit.data.kind {
            Kind::Outcomes => format!("{:.2} %", 100.0 * rms),
            _ => format(rms, "N"),
        };
        let sentence = format!(
            "With {}{source} the root mean square is {}; the fit has {}, {:.1} % less.",
            values.join(", "),
            rms(reference.residual_rms),
            rms(s.residual_rms),
            100.0 * reference.improvement
        );
        text += &format!("\n{}", wrap::fill(&sentence, 2, 2));
    }
    text + &notes(&impact.notes)
}

pub(super) fn data_line(fit: &FitReport) -> String {
    let d = &fit.data;
    match d.kind {
        Kind::Outcomes => format!("{} numbers of {} impacts", d.points, d.rows),
        Kind::ForceIndentation => {
            format!("{} points of {} rows, force over indentation", d.points, d.rows)
        }
        kind => {
            let what = match kind {
                Kind::AccelerationTime => "acceleration over time",
                _ => "force over time",
            };
            format!(
                "{} points of {} rows, {what}, impact from {} to {}",
                d.points,
                d.rows,
                format(d.from, "s"),
                format(d.to, "s")
            )
        }
    }
}

fn quality_line(fit: &FitReport) -> String {
    let s = &fit.statistics;
    match fit.data.kind {
        Kind::Outcomes => format!(
            "root mean square error {:.2} %, {}, BIC {:.2}, {} iterations",
            100.0 * s.residual_rms,
            aicc(fit),
            s.bic,
            s.iterations
        ),
        _ => format!(
            "rms {} ({:.2} % of the peak), R² {:.5}, {}, BIC {:.1}, {} iterations",
            format(s.residual_rms, "N"),
            100.0 * s.relative_rms,
            s.r_squared,
            aicc(fit),
            s.bic,
            s.iterations
        ),
    }
}

/// Returns AICc, or the leave-one-out error if there are too few points for AICc.
fn aicc(fit: &FitReport) -> String {
    match (fit.statistics.aicc, fit.leave_one_out) {
        (Some(aicc), _) if fit.data.kind == Kind::Outcomes => format!("AICc {aicc:.2}"),
        (Some(aicc), _) => format!("AICc {aicc:.1}"),
        (None, Some(rms)) => format!("{:.2} % leave-one-out", 100.0 * rms),
        (None, None) => "no AICc for so few points".to_string(),
    }
}

/// Formats an uncertainty with two digits.
pub(super) fn uncertainty(value: f64, unit: &str) -> String {
    match value.is_finite() && value > 0.0 {
        true => rounded_quantity(value, 2, unit),
        false => "not determined".to_string(),
    }
}

/// Formats the 95 % confidence interval.
fn confidence_interval(p: &FittedParameter) -> String {
    match p.standard_error.is_finite() {
        true => format!("{} to {}", format(p.low_95, &p.unit), format(p.high_95, &p.unit)),
        false => "not determined".to_string(),
    }
}

pub(super) fn parameter_table(parameters: &[FittedParameter]) -> String {
    let repeated = parameters.iter().any(|p| p.bootstrap.is_some());
    let mut table = TextTable::new()
        .left(["parameter", "value", "standard error"])
        .right(["%"])
        .left(["95 % interval"]);
    if repeated {
        table = table.left(["95 % of the repeats"]);
    }
    for p in parameters {
        // A relative error is meaningless for a time of touch or an offset.
        let of_record = p.name == "touch" || p.name == "offset";
        let share = match p.standard_error.is_finite() && p.value != 0.0 && !of_record {
            true => format!("{:.2}", 100.0 * (p.standard_error / p.value).abs()),
            false => "-".to_string(),
        };
        let mut cells = vec![
            Cell::styled(p.name.replace('_', "-"), style::NAME),
            Cell::styled(format(p.value, &p.unit), style::STRONG),
            Cell::from(uncertainty(p.standard_error, &p.unit)),
            Cell::from(share),
            Cell::styled(confidence_interval(p), style::FAINT),
        ];
        if repeated {
            cells.push(Cell::from(match &p.bootstrap {
                Some(b) => format!("{} to {}", format(b.low, &p.unit), format(b.high, &p.unit)),
                None => String::new(),
            }));
        }
        table.row(cells);
    }
    table.render(2)
}

fn correlation_line(fit: &FitReport) -> String {
    let name = |i: usize| fit.parameters[i].name.replace('_', "-");
    let count = fit.parameters.len();
    let mut table = TextTable::new().left(["correlation"]).right((0..count - 1).map(name));
    for i in 1..count {
        let mut cells = vec![Cell::styled(name(i), style::NAME)];
        for j in 0..i {
            let value = fit.correlation[i][j];
            let shown = if value.is_finite() { format!("{value:+.3}") } else { "-".into() };
            let style = if value.abs() > 0.95 { style::FAIR } else { style::FAINT };
            cells.push(Cell::styled(shown, style));
        }
        table.row(cells);
    }
    table.render(2)
}

fn outcome_table(fit: &FitReport) -> String {
    let compared = fit.outcomes.iter().any(|o| o.reference_error.is_some());
    let mut table = TextTable::new()
        .right(["impact"])
        .left(["number", "measured", "fitted"])
        .right(["error %"]);
    if compared {
        table = table.right(["with the others %"]);
    }
    for o in fit.outcomes.iter().take(60) {
        let unit = match o.name {
            "duration" => "s",
            "force_max" => "N",
            "indentation_max" => "m",
            _ => "",
        };
        let mut cells = vec![
            Cell::from(o.row.to_string()),
            Cell::from(o.name.replace('_', " ")),
            Cell::styled(format(o.measured, unit), style::MEASURED),
            Cell::from(format(o.fitted, unit)),
            Cell::from(style::percent(o.error)),
        ];
        if compared {
            let error = o.reference_error.unwrap_or(f64::NAN);
            cells.push(Cell::styled(style::percent(error), style::FAINT));
        }
        table.row(cells);
    }
    table.render(2)
}

/// A ranked law as a row of CSV.
#[derive(Serialize)]
pub struct RankedRow {
    rank: Option<usize>,
    law: &'static str,
    same_as: Option<&'static str>,
    aicc: Option<f64>,
    delta: Option<f64>,
    weight: Option<f64>,
    leave_one_out: Option<f64>,
    bic: f64,
    residual_rms: f64,
    relative_rms: f64,
    r_squared: f64,
    restitution: f64,
    parameters: String,
}

impl From<&RankedLaw> for RankedRow {
    fn from(law: &RankedLaw) -> Self {
        let one = |p: &FittedParameter| format!("{}={}", p.name, p.value);
        copied!(law => Self {
            rank, law, same_as, aicc, delta, weight, leave_one_out, bic, residual_rms, relative_rms,
            r_squared, restitution,
        } and {
            parameters: law.parameters.iter().map(one).collect::<Vec<_>>().join(";"),
        })
    }
}

/// Returns the table of a ranking, with one row per force and the columns of its criterion; `numbers` describes the parameters.
fn ranking_table(criterion: Criterion, laws: &[RankedLaw], numbers: &str) -> String {
    let of_criterion: &[&str] = match criterion {
        Criterion::Aicc => &["Δ AICc", "weight", "Δ BIC"],
        Criterion::LeaveOneOut => &["leave-one-out %"],
        Criterion::None => &[],
    };
    let table = TextTable::new().right([""]).shrinkable("law").right([numbers]);
    let mut table = table.right(of_criterion.iter().copied()).right(["rms %", "e"]);
    let bic = laws.iter().map(|law| law.bic).fold(f64::INFINITY, f64::min);
    let number = |value: Option<f64>, digits: usize| Cell::from(decimals(value, digits));
    for law in laws.iter().filter(|law| law.same_as.is_none()) {
        let twins = laws.iter().filter(|other| other.same_as == Some(law.law)).count();
        let name = match twins {
            0 => law.law.to_string(),
            n => format!("{} and {n} with the same force", law.law),
        };
        let supported = law.delta.is_some_and(|delta| delta < 2.0);
        let mut cells = vec![
            Cell::from(law.rank.map_or("-".to_string(), |rank| rank.to_string())),
            Cell::styled(name, if supported { style::GOOD } else { style::NAME }),
            Cell::from(law.parameters.len().to_string()),
        ];
        match criterion {
            Criterion::Aicc => cells.extend([
                number(law.delta, 1),
                number(law.weight, 3),
                number(Some(law.bic - bic), 1),
            ]),
            Criterion::LeaveOneOut => {
                cells.push(number(law.leave_one_out.map(|rms| 100.0 * rms), 3));
            }
            Criterion::None => {}
        }
        cells.push(number(Some(100.0 * law.relative_rms), 3));
        cells.push(number(Some(law.restitution), 4));
        table.row(cells);
    }
    table.render(2)
}

const RANKING_HEADING: &str = "Which law explains the data";

/// Returns the report of a ranking: the laws in their order, those with the same force in one row.
pub fn ranking(ranking: &Ranking, read: &[String]) -> String {
    let mut text = paint(style::STRONG, RANKING_HEADING) + "\n\n";
    text += &lines("read", read);
    if let Some(best) = &ranking.best {
        text += &line("data", data_line(best));
        text += "\n";
    }
    text += &ranking_table(ranking.criterion, &ranking.laws, "free");
    text += &ranking_notes(ranking.criterion, &ranking.notes, &ranking.failed);
    if let Some(best) = ranking.best.as_ref().filter(|_| ranking.criterion != Criterion::None) {
        text += &format!("\n  {}\n\n", paint(style::STRONG, format!("Best: {}", best.impact.law)));
        text += &match best.parameters.is_empty() {
            true => "  It has no free parameters; its prediction was compared with the data.\n"
                .to_string(),
            false => parameter_table(&best.parameters),
        };
        text += &notes(&best.impact.notes);
    }
    text
}

/// Returns the report of a ranking over several records; `best` is the text of the best fit.
pub(super) fn joint_ranking_report(ranking: &JointRanking, best: &str) -> String {
    let mut text = paint(style::STRONG, RANKING_HEADING) + "\n\n";
    text += &ranking_table(ranking.criterion, &ranking.laws, "shared");
    text += &ranking_notes(ranking.criterion, &ranking.notes, &ranking.failed);
    if ranking.criterion != Criterion::None {
        text += &format!("\n{best}");
    }
    text
}

/// Returns an explanation of the order, notes, and the laws that could not be fitted.
fn ranking_notes(criterion: Criterion, remarks: &[NoteReport], failed: &[FailedFit]) -> String {
    let order = match criterion {
        Criterion::Aicc => "Less is better; Δ is the distance to the best. ",
        Criterion::LeaveOneOut => "Less is better. ",
        Criterion::None => "",
    };
    let about = "Laws with the same force fit the same curve when their damping is free and share one place: \
                 give --restitution E to let each use its own formula. ";
    let independent = match criterion {
        Criterion::Aicc => "Differences count as evidence only as far as the residuals are random.",
        _ => "",
    };
    let message = format!("{order}{about}{independent}");
    let mut text = wrap::fill(message.trim_end(), 2, 2);
    text += &notes(remarks);
    if !failed.is_empty() {
        text += &format!("\n  {}\n", paint(style::STRONG, "Not fitted"));
        for failed in failed {
            let name = paint(style::NAME, failed.law);
            let reason = failed.reason.worded(&CommandLine);
            text += &wrap::fill(&format!("{name}: {reason}"), 2, 4);
        }
    }
    text
}

pub(super) fn notes(notes: &[NoteReport]) -> String {
    let label = paint(style::NOTE, "note:");
    let width = text_width().saturating_sub(5);
    let filled = |note: String| wrap::fill_within(width, &note, 1, 6);
    note_messages(notes).map(|note| format!("\n{label}{}", filled(note))).collect()
}
