//! What came of a run, for people and programs.

use super::recorder::Recorder;
use crate::output::style::{self, paint};
use crate::output::table::{Column, Table};
use crate::output::{terminal_width, text_width, wrap};
use carom::units::format;
use carom_world::{Energies, Note, Run, Scene};
use serde::Serialize;

/// The result of a run.
#[derive(Serialize)]
pub struct Summary {
    title: String,
    time: f64,
    finished: bool,
    steps: u64,
    refused: u64,
    evaluations: u64,
    energy: Energies,
    /// Energy that went through the scene (J).
    turned: f64,
    /// By contact.
    pub contacts: Vec<ContactSummary>,
    notes: Vec<NoteSummary>,
}

/// What one contact did.
#[derive(Serialize)]
pub struct ContactSummary {
    contact: String,
    touches: usize,
    touching: usize,
    lost: f64,
    friction: f64,
}

#[derive(Serialize)]
struct NoteSummary {
    kind: String,
    message: String,
}

impl Summary {
    /// Of a run as it is.
    pub fn new(scene: &Scene, run: &Run, recorder: &Recorder, finished: bool) -> Self {
        let (world, state) = (&scene.world, run.state());
        let energy = state.energies(world);
        let held = state.held(world);
        let accounts = state.accounts().iter().zip(&held);
        let contacts = world.contacts().iter().enumerate().zip(accounts);
        let contacts = contacts.map(|((index, contact), (account, held))| {
            let touching = state.touches().iter().filter(|t| t.site(world).0 == index).count();
            ContactSummary {
                contact: contact.name.clone(),
                touches: account.ended + touching,
                touching,
                lost: account.normal + held.account.normal,
                friction: account.friction + held.account.friction,
            }
        });
        let mut notes: Vec<_> = recorder.all_notes(state);
        let turned = recorder.largest
            + energy.lost_in_contacts
            + energy.lost_to_friction
            + energy.lost_in_dampers
            + energy.work_of_forces.abs()
            + energy.work_of_drives.abs();
        let allowed = scene.energy_tolerance * turned;
        if energy.error.abs() > allowed {
            let note = Note::Energy { error: energy.error, allowed };
            notes.push((note.kind().to_string(), note.to_string()));
        }
        Self {
            title: scene.title.clone(),
            time: state.time,
            finished,
            steps: state.counts.steps,
            refused: state.counts.refused,
            evaluations: state.counts.evaluations,
            energy,
            turned,
            contacts: contacts.collect(),
            notes: notes.into_iter().map(|(kind, message)| NoteSummary { kind, message }).collect(),
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n\n", paint(style::STRONG, &self.title));
        let mut line = |name: &str, value: String| {
            text += &format!("  {}  {value}\n", paint(style::FAINT, format!("{name:<9}")));
        };
        let stopped = if self.finished { "" } else { " (stopped; go on with --resume)" };
        line("time", format!("{}{stopped}", format(self.time, "s")));
        let e = &self.energy;
        let joule = |value: f64| format(value, "J");
        line(
            "energy",
            format!(
                "{} kinetic, {} potential, {} in contacts",
                joule(e.kinetic),
                joule(e.potential),
                joule(e.stored)
            ),
        );
        let losses = [
            (e.lost_in_contacts, "in contacts"),
            (e.lost_to_friction, "to friction"),
            (e.lost_in_dampers, "in dampers"),
        ];
        let losses: Vec<_> = losses
            .iter()
            .filter(|(j, _)| *j != 0.0)
            .map(|(j, to)| format!("{} {to}", joule(*j)))
            .collect();
        if !losses.is_empty() {
            line("lost", losses.join(", "));
        }
        let works = [(e.work_of_forces, "by forces"), (e.work_of_drives, "by drives")];
        let works: Vec<_> = works
            .iter()
            .filter(|(j, _)| *j != 0.0)
            .map(|(j, by)| format!("{} {by}", joule(*j)))
            .collect();
        if !works.is_empty() {
            line("work", works.join(", "));
        }
        // The decade alone: the digits are rounding.
        let share = (e.error.abs() / self.turned.max(f64::MIN_POSITIVE)).max(1e-16);
        let decade = share.log10().ceil() as i32;
        line("ledger", format!("closes to 1e{decade} of the energy turned over"));
        if !self.contacts.is_empty() {
            let mut table = Table::new(vec![
                Column::left("contact").gives_way(),
                Column::right("touches"),
                Column::right("touching"),
                Column::right("lost"),
                Column::right("friction"),
            ]);
            for c in &self.contacts {
                table.row([
                    c.contact.as_str().into(),
                    c.touches.to_string().into(),
                    c.touching.to_string().into(),
                    joule(c.lost).into(),
                    joule(c.friction).into(),
                ]);
            }
            text += "\n";
            text += &table.render(2, terminal_width());
        }
        for (i, note) in self.notes.iter().enumerate() {
            let label = paint(style::NOTE, "note");
            let message = wrap::fill(&note.message, 13, 13, text_width());
            let gap = if i == 0 { "\n" } else { "" };
            text += &format!("{gap}  {label}       {}", message.trim_start());
        }
        text
    }
}
