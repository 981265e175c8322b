//! Renders advice as text: the recommendation first, then the reasons.

use crate::output::report::{decimals, line, lines, note_messages, rounded_quantity};
use crate::output::style::{self, paint};
use crate::output::table::{Cell, TextTable};
use crate::output::wrap;
use crate::wording::CommandLine;
use carom::advise::{
    Advice, Check, Delivered, Reason, Recommendation, SameForce, SchemeErrors, Status, StepAdvice,
    Verdict, at_most,
};
use carom::units::{Dimension, format};

/// Returns the recommendation, the restitution it delivers, the step, the checks, and the reasons against other laws.
pub fn render(advice: &Advice, all: bool, brief: bool) -> String {
    let mut text = summary_lines(advice);
    text += &recommendation_summary(advice);
    if brief {
        return text;
    }
    for (i, law) in advice.recommended.iter().enumerate() {
        text += &recommendation(i + 1, law);
    }
    if let Some(step) = &advice.step {
        text += &step_section(step);
    }
    text += &check_section(&advice.checks);
    text += &other_laws(&advice.against, all);
    for note in note_messages(&advice.notes) {
        text += &format!("\n{}  {}", paint(style::NOTE, "note"), wrap::fill_beside(&note, 6));
    }
    text
}

fn heading(title: &str) -> String {
    format!("\n{}\n", paint(style::STRONG, title))
}

fn summary_lines(advice: &Advice) -> String {
    let problem = &advice.problem;
    let speeds = match problem.speed_min == problem.speed_max {
        true => format(problem.speed_max, "m/s"),
        false => {
            format!("{} to {}", format(problem.speed_min, "m/s"), format(problem.speed_max, "m/s"))
        }
    };
    let e = match problem.restitution_range {
        Some((first, last)) if first == last => format!("restitution {first}"),
        Some((first, last)) => format!("restitution {first} to {last}"),
        None => "restitution unknown".to_string(),
    };
    let title = format!("Advice: {} contact, {speeds}, {e}", problem.purpose.name());
    let about = problem.purpose.about();
    format!("{}\n  {}\n\n", paint(style::STRONG, title), paint(style::FAINT, about))
}

/// Returns the recommended law, its parameters and the step.
fn recommendation_summary(advice: &Advice) -> String {
    let mut text = String::new();
    match advice.recommended.first() {
        Some(law) => {
            text +=
                &line("law", paint(style::NAME, law.law) + &other_name_count(law.same_force.len()));
            text += &line("numbers", parameter_values(law));
        }
        None => text += &line("law", paint(style::POOR, "none can be recommended; see below")),
    }
    let step = advice.step.as_ref();
    text += &match step.and_then(|step| step.suggested) {
        Some(step) => {
            let limited = match step.limited_by {
                "accuracy" => String::new(),
                rule => format!(", limited by {rule}"),
            };
            let why = format!(
                "T/{:.0}, {}: restitution within {}{limited}",
                step.steps_per_contact,
                step.integrator.name(),
                at_most(step.worst)
            );
            let value = paint(style::STRONG, format(step.step, "s"));
            line("step", format!("{value}   {}", paint(style::FAINT, why)))
        }
        None => line("step", "no step down to T/1000 reaches the tolerance"),
    };
    if let Some(given) = step.and_then(|step| step.verdict.as_ref()) {
        let style = if given.verdict == "fine" { style::GOOD } else { style::POOR };
        let per_contact = match given.steps_per_contact {
            count if count >= 1.0 => format!("T/{count:.0}"),
            count => format!("{:.1} T", 1.0 / count),
        };
        let value = format!("{}, {per_contact}, is {}", format(given.step, "s"), given.message);
        text += &line("your step", paint(style, wrap::fill_beside(&value, 15).trim_end()));
    }
    if let [_, others @ ..] = &advice.recommended[..]
        && !others.is_empty()
    {
        let name =
            |law: &Recommendation| format!("{}{}", law.law, other_name_count(law.same_force.len()));
        let others: Vec<_> = others.iter().map(name).collect();
        text += &line("also", others.join(", "));
    }
    // The speed limit of old formulas concerns only the laws that state it, not the recommendation.
    let fails = |check: &&Check| check.status == Status::Fails && check.name != "low_speed";
    let failed = advice.checks.iter().filter(fails);
    let failed = failed.map(|check| {
        let sentence = format!("{}: {}", check.name, check.message.worded(&CommandLine));
        wrap::fill_beside(&sentence, 15).trim_end().to_string()
    });
    text + &lines("caution", failed)
}

/// Returns a remark on the number of other names of a force.
fn other_name_count(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => paint(style::FAINT, " and 1 other name"),
        count => paint(style::FAINT, format!(" and {count} other names")),
    }
}

/// Returns the list of all other names of a force.
fn other_names(same_force: &[SameForce], indent: usize) -> String {
    if same_force.is_empty() {
        return String::new();
    }
    let names: Vec<_> = same_force.iter().map(|one| one.law).collect();
    let sentence = format!("the same force: {}", names.join(", "));
    wrap::fill(&sentence, indent, indent + 2)
}

/// Returns the values of K, n, c, m and q.
fn parameter_values(law: &Recommendation) -> String {
    let pair = &law.pair;
    let stiffness = Dimension::stiffness_unit(pair.exponent);
    let mut text = format!(
        "K = {}   n = {}",
        paint(style::STRONG, format(pair.stiffness, &stiffness)),
        format(pair.exponent, "")
    );
    let damping = &law.damping;
    match (damping.coefficient, damping.damping_exponent) {
        (Some(c), _) if c > 0.0 => {
            let unit = damping.unit.as_deref().unwrap_or_default();
            let name = damping.parameter.filter(|name| *name != "damping").unwrap_or("c");
            text += &format!("   {name} = {}", paint(style::STRONG, format(c, unit)));
        }
        (_, Some(_)) => text += "   no damping",
        _ => text += "   dissipation by its own parameters",
    }
    if let (Some(m), Some(q)) = (damping.damping_exponent, damping.rate_exponent)
        && damping.coefficient.is_some_and(|c| c > 0.0)
    {
        text += &format!("   m = {}   q = {}", format(m, ""), format(q, ""));
    }
    if let Some(epsilon) = damping.epsilon.filter(|epsilon| *epsilon > 0.0) {
        text += &format!("   ε = {}", format(epsilon, ""));
    }
    text
}

fn recommendation(rank: usize, law: &Recommendation) -> String {
    let title = format!("{rank}. {}", law.law);
    let mut text = format!("\n{}  {}\n", paint(style::NAME, title), paint(style::FAINT, law.title));
    text += &other_names(&law.same_force, 2);
    text += &line("numbers", parameter_values(law));
    if let Some(dissipation) = law.dissipation {
        text += &line(
            "",
            format!("c/K = {} (dissipation of Simbody, Drake)", format(dissipation, "s/m")),
        );
    }
    if let Some(other) = &law.other_exit {
        let unit = law.damping.unit.as_deref().unwrap_or_default();
        let message = format!(
            "where contact ends at zero {} instead: c = {}, ε = {} (this c would deliver {:.4})",
            other.exit.name(),
            format(other.coefficient, unit),
            format(other.epsilon, ""),
            other.restitution
        );
        text += &line("", message);
    }
    text += &line(
        "at top speed",
        format!(
            "F = {}, δ = {}, T = {}",
            format(law.fastest.force_max, "N"),
            format(law.fastest.indentation_max, "m"),
            format(law.fastest.duration, "s")
        ),
    );
    for reason in &law.reasons {
        text += &reason_line(reason);
    }
    if law.delivered.len() > 1 {
        text += "\n";
        text += &restitution_table(law);
    }
    text
}

fn reason_line(reason: &Reason) -> String {
    let (mark, style) = match reason.weight {
        "for" => ("+", style::GOOD),
        "minor" => ("-", style::FAIR),
        _ => ("×", style::POOR),
    };
    let filled = wrap::fill_beside(&reason.message.worded(&CommandLine), 4);
    format!("  {} {filled}", paint(style, mark))
}

fn restitution_table(law: &Recommendation) -> String {
    // At most seven speeds fit into a line.
    let every = law.delivered.len().div_ceil(7).max(1);
    let shown: Vec<_> = law.delivered.iter().step_by(every).collect();
    let speeds = shown.iter().map(|at| rounded_quantity(at.speed, 3, "m/s"));
    let mut table = TextTable::new().left(["speed"]).right(speeds);
    type DeliveredCurve = (&'static str, fn(&Delivered) -> Option<f64>);
    let curves: [DeliveredCurve; 3] = [
        ("wanted", |at| at.wanted),
        ("damping set for each impact", |at| at.per_impact),
        ("one constant c", |at| at.constant),
    ];
    let first = law.delivered.first().and_then(|at| at.wanted);
    let varies = law.delivered.iter().any(|at| at.wanted != first);
    for (name, of) in curves.into_iter().skip(usize::from(!varies)) {
        if law.delivered.iter().all(|at| of(at).is_none()) {
            continue;
        }
        let mut cells = vec![Cell::from(name)];
        cells.extend(shown.iter().map(|at| {
            let colour = match (of(at), at.wanted) {
                (Some(e), Some(wanted)) => style::by_error(e / wanted - 1.0),
                _ => anstyle::Style::new(),
            };
            Cell::styled(decimals(of(at), 4), colour)
        }));
        table.row(cells);
    }
    table.render(4)
}

/// Returns the contact time, rules of thumb, and errors by integrator and step.
fn step_section(step: &StepAdvice) -> String {
    let mut text = heading("Step");
    let slowest = match step.contact_time_slowest == step.contact_time {
        true => String::new(),
        false => {
            format!(", the fastest; {} at the slowest", format(step.contact_time_slowest, "s"))
        }
    };
    text += &line(
        "contact",
        format!(
            "T = {} at {}{slowest} ({})",
            format(step.contact_time, "s"),
            format(step.speed, "m/s"),
            step.law
        ),
    );
    for rule in &step.criteria {
        let value = format!(
            "{}, {} of it {}",
            format(rule.time, "s"),
            rule.fraction,
            format(rule.step, "s")
        );
        let source = paint(style::FAINT, format!("({})", rule.source));
        text += &line(rule.name, format!("{value} {source}"));
    }
    text += "\n";
    const STEPS_PER_CONTACT_SHOWN: [f64; 5] = [10.0, 20.0, 50.0, 100.0, 1000.0];
    let table = TextTable::new().left(["worst error of e at h ="]);
    let table = table.right(STEPS_PER_CONTACT_SHOWN.map(|n| format!("T/{n}")));
    let table = table.right(step.given.map(|given| format(given, "s")));
    let mut table = table.right(["order", "1 % from", "0.1 % from"]);
    for one in &step.integrators {
        table.row(error_cells(step, one, &STEPS_PER_CONTACT_SHOWN));
    }
    text += &table.render(2);
    let after = "worst over all phases of the touch within the step, rounded up; \
                 velocity-verlet takes the damping from the half-step speed";
    text + &format!("  {}\n", paint(style::FAINT, after))
}

fn error_cells(step: &StepAdvice, one: &SchemeErrors, shown: &[f64]) -> Vec<Cell> {
    let cell = |worst: Option<f64>| match worst {
        Some(worst) => Cell::styled(at_most(worst), style::by_error(worst)),
        None => Cell::styled("no rebound", style::POOR),
    };
    let mut cells = vec![Cell::from(one.integrator.name())];
    for n in shown {
        let at = one.errors.iter().find(|at| (at.steps_per_contact / n - 1.0).abs() < 1e-6);
        cells.push(cell(at.and_then(|at| at.worst)));
    }
    if step.given.is_some() {
        cells.push(cell(one.given.and_then(|at| at.worst)));
    }
    cells.push(Cell::from(decimals(one.order, 1)));
    for found in [one.step_1_percent, one.step_01_percent] {
        cells.push(Cell::from(match found {
            Some(h) => format!("T/{:.0}", step.contact_time / h),
            None => "finer".to_string(),
        }));
    }
    cells
}

fn check_section(checks: &[Check]) -> String {
    let mut text = heading("Checks at the highest speed");
    for check in checks {
        let style = match check.status {
            Status::Ok => style::GOOD,
            Status::Near => style::FAIR,
            Status::Fails => style::POOR,
            Status::Unknown => style::FAINT,
        };
        let filled = wrap::fill_beside(&check.message.worded(&CommandLine), 25);
        let status = paint(style, format!("{:<7}", check.status.name()));
        text += &format!("  {:<12}  {status}  {filled}", check.name);
    }
    text
}

/// Returns every other law with the reasons against it, or how many laws there are for each reason.
fn other_laws(verdicts: &[Verdict], all: bool) -> String {
    let mut text = heading("Other laws");
    let kinds = [
        ("possible", "sound, but not among the best"),
        ("against", "fail what the purpose asks for"),
        ("unusable", "cannot be used here"),
    ];
    for (kind, about) in kinds {
        let found: Vec<_> = verdicts.iter().filter(|one| one.verdict == kind).collect();
        if found.is_empty() {
            continue;
        }
        let count = paint(style::STRONG, format!("{} {kind}", found.len()));
        text += &format!("  {count}  {}\n", paint(style::FAINT, about));
        if all {
            for one in found {
                text += &format!("    {}\n", paint(style::NAME, one.law));
                text += &other_names(&one.same_force, 6);
                for reason in one.reasons.iter().take(3) {
                    text += &wrap::fill(&reason.message.worded(&CommandLine), 6, 8);
                }
            }
        } else {
            text += &laws_by_reason(&found);
        }
    }
    if !all {
        let hint = "--all shows the reasons of every law, --json all of them";
        text += &format!("  {}\n", paint(style::FAINT, hint));
    }
    text
}

/// Groups laws by the first reason against them.
fn laws_by_reason(found: &[&Verdict]) -> String {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for one in found {
        let why = one.reasons.first().map_or(String::new(), |reason| reason.kind.replace('_', " "));
        // Other names of the same force are written in parentheses after the best-known one.
        let others: Vec<_> = one.same_force.iter().map(|other| other.law).collect();
        let name = match others.is_empty() {
            true => one.law.to_string(),
            false => format!("{} (= {})", one.law, others.join(", ")),
        };
        match groups.iter_mut().find(|(known, _)| *known == why) {
            Some((_, laws)) => laws.push(name),
            None => groups.push((why, vec![name])),
        }
    }
    let mut text = String::new();
    for (why, laws) in groups {
        text += &wrap::fill(&format!("{why}: {}", laws.join(", ")), 4, 6);
    }
    text
}
