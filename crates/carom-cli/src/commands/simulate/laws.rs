//! `carom simulate --laws`: runs a scene once for each of several laws of a contact, and draws their forces in one figure.

use super::{Simulate, files_beside, note_replaced_changes, parse_changes, read_scene};
use crate::failure::Failure;
use crate::figure::{self, ContactForces};
use crate::interrupt::Interrupt;
use crate::output::style::{self, paint};
use crate::output::table::TextTable;
use carom::units::format;
use carom_store::Simulation;
use carom_world::Scene;
use carom_world::grains::GranularScene;
use carom_world::record::BodySimulation;
use carom_world::scene::Change;
use serde::Serialize;

/// Results of a scene under one law.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LawRun {
    /// Id of the law.
    law: String,
    /// Name of the contact that has the law.
    contact: String,
    /// Number of touches of the contact.
    touches: usize,
    /// Largest normal force of the contact (N).
    force_max: f64,
    /// Energy lost by the law (J).
    lost: f64,
    /// Energy lost to friction of the contact (J).
    friction: f64,
    /// Kinetic energy of the scene at the end (J).
    kinetic: f64,
}

/// Runs the scene with every law and reports.
pub fn run(arguments: &Simulate) -> Result<String, Failure> {
    let target = arguments.plot.target()?;
    let path = arguments.scene.clone().unwrap_or_default();
    let text = read_scene(&path)?;
    if GranularScene::recognizes(&text) {
        let advice = "set its law with --set grains.contact.law=ID, and compare the runs";
        return Err(carom::Error::unsupported("--laws for a bed of grains", advice).into());
    }
    let set = parse_changes(&arguments.set)?;
    note_replaced_changes(&text, &set);
    let files = files_beside(&path);
    let parse = |changes: &[Change]| {
        Scene::parse_with(&text, &files, changes).map_err(|error| Failure::in_file(&path, error))
    };
    let scene = parse(&set)?;
    let contact = contact_index(&scene, arguments.joint.as_deref())?;
    let name = scene.world.contacts()[contact].name.clone();
    let interrupt = Interrupt::listen();
    let (mut runs, mut curves) = (Vec::new(), Vec::new());
    for law in &arguments.laws {
        let law = carom::own_law::name_of(law.trim())?;
        let id = carom::model(&law)?.id;
        let mut changes = set.clone();
        changes.push(Change::new(&name, "law", id));
        if let Some(how) = &arguments.calibration {
            changes.push(Change::new(&name, "calibration", how));
        }
        let scene = parse(&changes)?;
        let mut run = BodySimulation::new(&scene)?;
        let mut located = 0.0;
        while !run.done() {
            run.step(u64::MAX).map_err(|error| Failure::internal(&error))?;
            let end = run.done();
            located = largest_force(&run.tables_mut().take(end), &name, located);
            if interrupt.pressed() {
                return Err(Failure::Stopped("nothing is kept".into()));
            }
        }
        let summary = run.summary();
        let found = summary.contacts.get(contact).cloned().unwrap_or_default();
        let forces = ContactForces::of(id, contact, run.figure_data());
        runs.push(LawRun {
            law: id.to_string(),
            contact: name.clone(),
            touches: found.touches,
            force_max: forces.largest().max(located),
            lost: found.lost,
            friction: found.friction,
            kinetic: summary.energy.kinetic,
        });
        curves.push(forces);
    }
    target.draw(|| Ok(figure::contact_laws(&scene.title, &name, &curves)))?;
    arguments.format.render(&runs, &runs, || laws_report(&scene.title, &name, &runs))
}

/// Returns the largest of `before` and the forces of the completed touches of a contact in pieces of tables. The peaks of completed
/// touches are located exactly, while samples may miss them.
fn largest_force(pieces: &[(usize, Vec<carom_store::Column>)], contact: &str, before: f64) -> f64 {
    let of_piece = |(_, columns): &(usize, Vec<carom_store::Column>)| {
        let find = |name: &str| carom_store::find(columns, name).map(|column| &column.values);
        let (Some(names), Some(forces)) = (find("contact"), find("force_max_N")) else {
            return f64::NAN;
        };
        let rows = (0..names.len()).filter(|&row| names.text(row) == Some(contact));
        rows.filter_map(|row| forces.real(row)).fold(f64::NAN, f64::max)
    };
    pieces.iter().map(of_piece).fold(before, f64::max)
}

/// Returns the index of the contact with this name, or of the first contact.
fn contact_index(scene: &Scene, name: Option<&str>) -> Result<usize, Failure> {
    let known = || scene.world.contacts().iter().map(|contact| contact.name.as_str());
    if known().next().is_none() {
        let advice = "add a [[contact]] or a [[clearance]] to the scene";
        return Err(carom::Error::missing("a contact", advice).into());
    }
    let Some(name) = name else { return Ok(0) };
    let found = known().position(|contact| contact == name);
    found.ok_or_else(|| carom::Error::not_among("joint", name, known()).into())
}

/// Returns the runs as text.
fn laws_report(title: &str, contact: &str, runs: &[LawRun]) -> String {
    let mut table = TextTable::new().shrinkable("law").right([
        "touches",
        "force max",
        "lost",
        "friction",
        "kinetic at the end",
    ]);
    for run in runs {
        table.row([
            run.law.as_str().into(),
            run.touches.to_string().into(),
            format(run.force_max, "N").into(),
            format(run.lost, "J").into(),
            format(run.friction, "J").into(),
            format(run.kinetic, "J").into(),
        ]);
    }
    let title = paint(style::STRONG, title);
    let name = paint(style::FAINT, "contact  ");
    format!("{title}\n\n  {name}  {contact}\n\n{}", table.render(2))
}
