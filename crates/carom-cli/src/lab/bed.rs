//! Films of beds of grains, either of a run in the lab or from the tables of a stored run.
//!
//! `bed/film.rs` collects snapshots, `bed/levels.rs` encodes their numbers compactly. A run in the lab takes as many snapshots as a
//! film may have; a stored run has those of its tables.

mod film;
mod levels;

use super::progress::Job;
use super::run_film::{RunFilm, too_long};
use super::stop::Stop;
use crate::failure::Failure;
use carom_store::folder::StoredRun;
use carom_store::{Column, Simulation, row_count};
use carom_world::grains::GranularScene;
use carom_world::record::{GrainSimulation, SceneSource, tables};
use film::{BedFilm, FRAMES_MIN, MAX_FRAMES, MAX_POSITIONS, column_values};
use std::time::Duration;

/// Largest number of grains of a bed that runs in the lab.
pub const MAX_GRAINS_RUN: usize = 20_000;

/// Runs a bed for at most this computing time (s).
pub fn run(
    mut scene: GranularScene,
    seconds: f64,
    job: &mut Job,
    stop: &Stop,
) -> Result<RunFilm, Failure> {
    let count = scene.bed.position.len();
    // The number of snapshots is the largest that a film may have.
    let frames = (MAX_POSITIONS / count.max(1)).clamp(FRAMES_MIN, MAX_FRAMES / 2);
    scene.every.1 = (scene.steps / frames as u64).max(1);
    // Several threads are faster only for many grains.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut run = GrainSimulation::new(&scene).on_threads((count / 1000).clamp(1, cores))?;
    let mut film = BedFilm::new(&scene);
    let most = Duration::from_secs_f64(seconds);
    let stopped = loop {
        if run.done() {
            break None;
        }
        if stop.is_cancelled() {
            break Some("the client has disconnected".into());
        }
        if stop.computing_time() >= most {
            let advice = "take fewer or softer grains";
            break Some(too_long(seconds, run.time(), scene.duration, advice));
        }
        if let Err(error) = run.step(u64::MAX) {
            break Some(error.to_string());
        }
        // While a client is watching, unfinished pieces of tables are taken as well.
        let due = job.update_is_due();
        take_rows(&mut film, &mut run, due);
        if due {
            job.done(run.time());
            if job.film_requested() {
                let summary = run.summary();
                let (time, steps) = (run.time(), summary.steps);
                job.store_film(&RunFilm { time, steps, ..film.run_film(&scene) });
            }
        }
    };
    take_rows(&mut film, &mut run, true);
    let summary = run.summary();
    let mut film = film.run_film(&scene);
    film.time = film.frames.time.last().copied().unwrap_or(0.0);
    film.out_of_time = stopped.is_some() && stop.computing_time() >= most;
    (film.finished, film.stopped) = (stopped.is_none(), stopped);
    (film.steps, film.notes) = (summary.steps, summary.notes);
    Ok(film)
}

/// Moves the rows that a run has recorded into its film; with `check_last`, also those of unfinished pieces of tables.
fn take_rows(film: &mut BedFilm, run: &mut GrainSimulation, end: bool) {
    let names: Vec<&str> = run.tables().schemas().map(|table| table.name).collect();
    for (number, piece) in run.tables_mut().take(end) {
        match names.get(number) {
            Some(&name) if name == tables::GRAINS.name => film.add_grains(&piece),
            Some(&name) if name == tables::GRAIN_CONTACTS.name => film.add_contacts(&piece),
            Some(&name) if name == tables::BED_ENERGIES.name => film.add_ledger(&piece),
            _ => {}
        }
    }
}

/// Makes the film of a stored run.
pub fn read(scene: &GranularScene, run: &StoredRun<SceneSource>) -> Result<RunFilm, Failure> {
    let mut film = BedFilm::new(scene);
    let mut table = run.table(tables::GRAINS.schema())?;
    let mut snapshots =
        SnapshotCheck { count: scene.bed.position.len(), ..SnapshotCheck::default() };
    while let Some(piece) = table.rows()? {
        snapshots.check_rows(&piece)?;
        film.add_grains(&piece);
    }
    snapshots.check_last()?;
    let mut table = run.table(tables::GRAIN_CONTACTS.schema())?;
    while let Some(piece) = table.rows()? {
        film.add_contacts(&piece);
    }
    let mut table = run.table(tables::BED_ENERGIES.schema())?;
    while let Some(piece) = table.rows()? {
        film.add_ledger(&piece);
    }
    Ok(film.run_film(scene))
}

/// Check that every snapshot in a table contains all grains, and that times increase.
#[derive(Default)]
struct SnapshotCheck {
    count: usize,
    time: Option<f64>,
    rows: usize,
}

impl SnapshotCheck {
    fn check_rows(&mut self, piece: &[Column]) -> Result<(), Failure> {
        let time = column_values(piece, "time_s");
        for row in 0..row_count(piece) {
            let time = time(row);
            if self.time != Some(time) {
                self.check_last()?;
                if self.time.is_some_and(|before| !(time > before)) {
                    return Err(self.damaged());
                }
                (self.time, self.rows) = (Some(time), 0);
            }
            self.rows += 1;
        }
        Ok(())
    }

    fn check_last(&self) -> Result<(), Failure> {
        if self.time.is_none() || self.rows == self.count { Ok(()) } else { Err(self.damaged()) }
    }

    fn damaged(&self) -> Failure {
        let at = carom::units::format(self.time.unwrap_or(0.0), "s");
        Failure::Input(format!(
            "the table of grains is damaged near t = {at}: a snapshot has {} rows for {} grains, or its time does not \
             fit; run the scene again with --overwrite",
            self.rows, self.count
        ))
    }
}
