//! Renders the summary of a simulation as text.

use crate::output::report::{labelled, notes};
use crate::output::style::{self, paint};
use crate::output::table::TextTable;
use carom::units::format;
use carom_world::record::{BedSummary, ContactSummary, NoteSummary, Summary};
use std::path::Path;

/// Width of the labels.
const LABEL_WIDTH: usize = 9;
/// Remark on a run that has not reached its end.
const STOPPED_REMARK: &str = " (stopped; go on with --resume)";

fn in_joules(value: f64) -> String {
    format(value, "J")
}

/// Returns the energies that are not zero, each with the process it went into; `None` if all are zero.
fn energy_list(parts: &[(f64, &str)]) -> Option<String> {
    let some = parts.iter().filter(|(energy, _)| *energy != 0.0);
    let parts: Vec<_> = some.map(|(energy, to)| format!("{} {to}", in_joules(*energy))).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns the summary of a scene of bodies.
pub fn scene_summary(summary: &Summary) -> String {
    let mut text = format!("{}\n\n", paint(style::STRONG, &summary.title));
    let mut line = |name: &str, value: String| text += &labelled(LABEL_WIDTH, name, value);
    let stopped = if summary.finished { "" } else { STOPPED_REMARK };
    line("time", format!("{}{stopped}", format(summary.time, "s")));
    let e = &summary.energy;
    line(
        "energy",
        format!(
            "{} kinetic, {} potential, {} in contacts",
            in_joules(e.kinetic),
            in_joules(e.potential),
            in_joules(e.stored)
        ),
    );
    let losses = [
        (e.lost_in_contacts, "in contacts"),
        (e.lost_to_friction, "to friction"),
        (e.lost_in_dampers, "in dampers"),
    ];
    let works = [(e.work_of_forces, "by forces"), (e.work_of_drives, "by drives")];
    for (name, parts) in [("lost", &losses[..]), ("work", &works[..])] {
        if let Some(parts) = energy_list(parts) {
            line(name, parts);
        }
    }
    line(
        "ledger",
        relative_residual(e.error, summary.turned, e.kinetic + e.potential.abs() + e.stored),
    );
    if let Some(of) = &summary.nonsmooth {
        let (steps, step) = (summary.steps, format(of.step, "s"));
        let law = match of.impact_law {
            "newton" => "Newton's restitution",
            _ => "Poisson's restitution",
        };
        line("method", format!("nonsmooth, {law}, {steps} steps of {step}"));
        let overlap = format(of.overlap_max, "m");
        line("error", format!("impacts to within a step; bodies overlap by up to {overlap}"));
    }
    if let Some(classes) = impact_classes(summary) {
        line("impacts", classes);
    }
    if !summary.contacts.is_empty() {
        let mut table = TextTable::new()
            .shrinkable("contact")
            .right(["touches", "touching", "lost", "friction"]);
        for c in merge_by_name(&summary.contacts) {
            table.row([
                c.contact.as_str().into(),
                c.touches.to_string().into(),
                c.touching.to_string().into(),
                in_joules(c.lost).into(),
                in_joules(c.friction).into(),
            ]);
        }
        text += "\n";
        text += &table.render(2);
    }
    text + &note_lines(&summary.notes)
}

/// Combines contacts with the same name into one row: pieces of a mesh, or the two walls of a translational clearance.
fn merge_by_name(contacts: &[ContactSummary]) -> Vec<ContactSummary> {
    let mut rows: Vec<ContactSummary> = Vec::new();
    for one in contacts {
        match rows.iter_mut().find(|row| row.contact == one.contact) {
            Some(row) => {
                row.touches += one.touches;
                row.touching += one.touching;
                row.lost += one.lost;
                row.friction += one.friction;
            }
            None => rows.push(one.clone()),
        }
    }
    rows
}

/// Returns the numbers of touches of all contacts by class of impact; `None` if nothing touched.
fn impact_classes(summary: &Summary) -> Option<String> {
    let counts = summary.contacts.iter().map(|contact| contact.classes.named());
    let sums =
        counts.reduce(|sums, more| std::array::from_fn(|i| (sums[i].0, sums[i].1 + more[i].1)))?;
    let parts = sums.iter().filter(|(_, count)| *count > 0);
    let parts: Vec<String> = parts.map(|(name, count)| format!("{count} {name}")).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns a line with the command that plays a run in a folder.
pub fn play_line(folder: Option<&Path>) -> String {
    folder.map_or(String::new(), |folder| {
        format!("\n  `carom lab {}` plays it\n", shell_quoted(&folder.display().to_string()))
    })
}

/// Returns an argument of a command, in quotes where a shell needs them.
pub fn shell_quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+\\:=".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Formats the relative error of the energy ledger as a power of ten, since its digits are mostly rounding error. Where hardly any
/// energy is turned over, because all bodies are at rest, the error is compared with the energies that the bodies have.
fn relative_residual(error: f64, turned: f64, present: f64) -> String {
    let share = (error.abs() / turned.max(f64::MIN_POSITIVE)).max(1e-16);
    if share > 1e-6 && error.abs() < 1e-12 * present {
        return "closes to rounding".into();
    }
    format!("closes to 1e{} of the energy turned over", share.log10().ceil() as i32)
}

/// Returns the summary of a bed of grains.
pub fn bed_summary(summary: &BedSummary) -> String {
    let mut text = format!("{}\n\n", paint(style::STRONG, &summary.title));
    let mut line = |name: &str, value: String| text += &labelled(LABEL_WIDTH, name, value);
    let stopped = if summary.finished { "" } else { STOPPED_REMARK };
    let (time, step) = (format(summary.time, "s"), format(summary.step, "s"));
    line("time", format!("{time} in {} steps of {step}{stopped}", summary.steps));
    let e = &summary.energy;
    let touching = format!("{} pairs and {} at walls touch", e.pairs, e.wall_contacts);
    line("grains", format!("{}, {touching}, coordination {:.2}", summary.grains, e.coordination));
    let (kinetic, potential) = (in_joules(e.kinetic), in_joules(e.potential));
    line(
        "energy",
        format!("{kinetic} kinetic, {potential} potential, {} in contacts", in_joules(e.stored)),
    );
    let losses = [
        (e.lost_in_contacts, "in contacts"),
        (e.lost_to_friction, "to friction"),
        (e.lost_to_rolling, "to rolling"),
    ];
    if let Some(parts) = energy_list(&losses) {
        line("lost", parts);
    }
    line(
        "ledger",
        relative_residual(e.error, summary.turned, e.kinetic + e.potential.abs() + e.stored),
    );
    if let Some(error) = summary.step_error {
        let speed = format(error.speed, "m/s");
        let off = error.restitution;
        line(
            "step",
            format!("puts restitutions off by up to {off:.1e} at {speed}, the fastest touch"),
        );
    }
    text + &note_lines(&summary.notes)
}

fn note_lines(of_run: &[NoteSummary]) -> String {
    notes(LABEL_WIDTH, of_run.iter().map(|note| note.message.clone()))
}
