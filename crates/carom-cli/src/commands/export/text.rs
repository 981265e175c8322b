//! Renders the list of engines and the report of an export as text.

use crate::output::report;
use crate::output::style::{self, paint};
use crate::output::table::{Cell, TextTable};
use crate::output::{text_width, wrap};
use crate::wording::CommandLine;
use carom::Exit;
use carom::advise::at_most;
use carom::export::{Check, Engine, Export, Form, IMPULSE_ENGINES, Match, Viscous, engines};
use carom::units::format;
use std::path::PathBuf;

/// Returns the engines, with a row for every force law that they have.
pub fn engine_table() -> String {
    let mut table = TextTable::new()
        .left(["id", "spring", "damper", "contact ends at zero"])
        .shrinkable("form");
    for engine in engines() {
        let checked = match engine.check {
            Check::Run => "run",
            Check::Read => "read, not run",
        };
        table.heading(engine.title, format!("{}, {checked}", engine.version));
        if engine.forms.is_empty() {
            let rigid = IMPULSE_ENGINES.iter().any(|other| other.id == engine.id);
            let (each, form) = match rigid {
                true => ("none", "the restitution alone, within one step"),
                false => ("any", "the law itself"),
            };
            let cell = || Cell::from(each);
            table.row([Cell::styled(engine.id, style::NAME), cell(), cell(), cell(), form.into()]);
        }
        for (i, form) in engine.forms.iter().enumerate() {
            let id = if i == 0 { engine.id } else { "" };
            table.row([
                Cell::styled(id, style::NAME),
                spring_formula(form).into(),
                damper_formula(form).into(),
                exit_conditions(form).into(),
                form.name.into(),
            ]);
        }
    }
    table.render(0)
}

fn spring_formula(form: &Form) -> String {
    match form.exponent {
        Some(n) => format!("δ^{n}"),
        None => "δ^n".to_string(),
    }
}

fn damper_formula(form: &Form) -> String {
    let depth = match form.damping {
        Viscous::Power(0.0) => String::new(),
        Viscous::Power(m) => format!("δ^{m}·"),
        Viscous::Elastic => "δ^n·".to_string(),
        Viscous::VelocityFree => "δ^((n-1)/2)·".to_string(),
        Viscous::Any => "δ^m·".to_string(),
        Viscous::Step => "STEP(δ/d)·".to_string(),
    };
    match form.rate_exponent {
        Some(1.0) => format!("{depth}v"),
        Some(q) => format!("{depth}v^{q}"),
        None => format!("{depth}v^q"),
    }
}

fn exit_conditions(form: &Form) -> String {
    form.exits.iter().map(|exit: &Exit| exit.name()).collect::<Vec<_>>().join(" or ")
}

/// Returns the report of an export: the files written, the law that the engine applies, what is lost, and the restitution it
/// delivers.
pub fn render(engine: &Engine, deck: &Export, written: &[PathBuf]) -> String {
    let mut text =
        format!("{}  {}\n\n", paint(style::NAME, engine.id), paint(style::STRONG, engine.title));
    let mut line = |name: &str, value: String| {
        let value = wrap::fill_within(text_width().max(60), &value, 15, 15);
        text += &report::line(name, value.trim());
    };
    for (i, path) in written.iter().enumerate() {
        line(if i == 0 { "written" } else { "" }, path.display().to_string());
    }
    if written.len() < deck.files.len() {
        let others: Vec<_> = deck.files.iter().skip(1).map(|file| file.name.as_str()).collect();
        line("", format!("--out with a folder also writes {}", others.join(", ")));
    }
    let law = &deck.expresses;
    let matches = match law.matches {
        Match::Exact => "the law asked for",
        Match::Damping => "the spring asked for, another damper",
        Match::Spring => "another spring and damper",
        Match::Restitution => "the restitution alone",
    };
    line("applies", format!("{matches}: {}", law.form));
    let end =
        law.exit.map_or(String::new(), |exit| format!(", contact ends at zero {}", exit.name()));
    line("", format!("{}{end}", law.equation));
    for (i, lost) in deck.lost.iter().enumerate() {
        line(if i == 0 { "lost" } else { "" }, lost.clone());
    }
    let settings: Vec<_> = deck
        .settings
        .iter()
        .map(|s| format!("{} = {}", s.name, format(s.value, &s.unit)))
        .collect();
    line("settings", settings.join(", "));
    let delivers = &deck.delivers;
    let requested = match delivers.requested {
        Some(e) => format!(", {e} requested"),
        None => String::new(),
    };
    line("restitution", format!("{:.5} delivered{requested}", delivers.restitution));
    if let (Some(duration), Some(force)) = (delivers.duration, delivers.force_max) {
        line("duration", format(duration, "s"));
        line("force", format(force, "N"));
    }
    let chosen = if deck.step.calibrated { "; the damping was chosen for it" } else { "" };
    let error = match deck.step.restitution_error {
        Some(error) => format!(", error of the restitution below {}{chosen}", at_most(error)),
        None => String::new(),
    };
    let size = format(deck.step.size, "s");
    let steps = match delivers.duration {
        Some(_) => format!(", {:.0} in a contact", deck.step.per_contact),
        None => String::new(),
    };
    line("step", format!("{size}{steps}{error}"));
    for (i, at) in deck.over_speeds.iter().enumerate() {
        let speed = format(at.speed, "m/s");
        let text = format!("{speed}: {:.4} delivered, {:.4} by the law", at.delivered, at.asked);
        line(if i == 0 { "over speeds" } else { "" }, text);
    }
    for note in &deck.notes {
        line("note", note.message.worded(&CommandLine));
    }
    text
}
