//! A bed of grains as a film: positions of the grains in few bytes, and the ledger.
//!
//! A grain in a frame takes seven bytes: its position in 65 536 parts of the box around all positions of the run,
//! and its speed in 255 parts of the largest. When there are too many frames, every second one is dropped. A bed
//! that runs in the lab takes snapshots as often as there is room for; one that is read has those of its tables.

use super::run_film::{Frames, Grains, RunFilm, too_long};
use super::solids::{self, triple};
use super::stop::Stop;
use crate::failure::Failure;
use crate::figure::GRAIN_LEDGER;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom_store::folder::StoredRun;
use carom_store::{Column, Simulation, Values, find, row_count};
use carom_world::grains::{GranularScene, Wall};
use carom_world::math::Vec3;
use carom_world::record::{GrainSimulation, SceneSource, tables};
use std::time::Duration;

/// Largest number of grains of a bed that runs in the lab.
pub const RUN_LIMIT: usize = 20_000;
/// Largest number of grains that are shown.
const SHOWN_LIMIT: usize = 100_000;
/// Largest number of frames.
const FRAME_LIMIT: usize = 600;
/// Largest number of grains in all frames together.
const POSITION_LIMIT: usize = 2_500_000;
/// Largest number of rows of the ledger.
const LEDGER_LIMIT: usize = 4000;
/// Number of frames that are kept however many grains they have.
const FRAMES_MIN: usize = 8;

/// The grains that are shown, at one time.
struct Snapshot {
    time: f64,
    positions: Vec<[f32; 3]>,
    speeds: Vec<f32>,
}

/// The time and the energies of [`GRAIN_LEDGER`] at one time.
type LedgerRow = (f64, [f64; GRAIN_LEDGER.len()]);

/// The film of a bed while it is made.
struct BedFilm {
    /// One of so many grains is shown.
    every: usize,
    radius: Vec<f32>,
    snapshots: Vec<Snapshot>,
    /// One of so many snapshots is kept.
    stride: usize,
    /// Snapshots so far.
    snapshots_seen: usize,
    rows: Vec<LedgerRow>,
    /// One of so many rows is kept.
    row_stride: usize,
    /// Rows so far.
    rows_seen: usize,
}

/// The values of a column in each row; NaN where there is no such column.
fn values<'a>(piece: &'a [Column], name: &str) -> impl Fn(usize) -> f64 + use<'a> {
    let values: Option<&Values> = find(piece, name).map(|column| &column.values);
    move |row| values.and_then(|values| values.real(row)).unwrap_or(f64::NAN)
}

impl BedFilm {
    fn new(count: usize) -> Self {
        Self {
            every: count.div_ceil(SHOWN_LIMIT).max(1),
            radius: Vec::new(),
            snapshots: Vec::new(),
            stride: 1,
            snapshots_seen: 0,
            rows: Vec::new(),
            row_stride: 1,
            rows_seen: 0,
        }
    }

    /// Rows of the table `grains`.
    fn grains(&mut self, piece: &[Column]) {
        let [time, grain, radius] = ["time_s", "grain", "radius_m"].map(|name| values(piece, name));
        let position = ["x_m", "y_m", "z_m"].map(|name| values(piece, name));
        let velocity = ["vx_m_per_s", "vy_m_per_s", "vz_m_per_s"].map(|name| values(piece, name));
        for row in 0..row_count(piece) {
            let (time, grain) = (time(row), grain(row) as usize);
            if self.snapshots.last().is_none_or(|snapshot| snapshot.time < time) {
                self.thin();
                self.snapshots_seen += 1;
                let (positions, speeds) = (Vec::new(), Vec::new());
                self.snapshots.push(Snapshot { time, positions, speeds });
            }
            if !grain.is_multiple_of(self.every) {
                continue;
            }
            if self.snapshots_seen == 1 {
                self.radius.push(radius(row) as f32);
            }
            let [x, y, z] = velocity.each_ref().map(|component| component(row));
            if let Some(snapshot) = self.snapshots.last_mut() {
                let position = position.each_ref().map(|coordinate| coordinate(row) as f32);
                snapshot.positions.push(position);
                snapshot.speeds.push(Vec3::new(x, y, z).length() as f32);
            }
        }
    }

    /// Before another snapshot: drops the last one if it is not one of `stride`, and every second one when there
    /// are too many.
    fn thin(&mut self) {
        if self.snapshots_seen > 1 && !(self.snapshots_seen - 1).is_multiple_of(self.stride) {
            self.snapshots.pop();
        }
        let most = (POSITION_LIMIT / self.radius.len().max(1)).clamp(FRAMES_MIN, FRAME_LIMIT);
        if self.snapshots.len() >= most {
            let mut index = 0;
            self.snapshots.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// Rows of the ledger.
    fn ledger(&mut self, piece: &[Column]) {
        let time = values(piece, "time_s");
        let columns = GRAIN_LEDGER.map(|(name, _)| values(piece, name));
        for row in 0..row_count(piece) {
            let energies = columns.each_ref().map(|column| column(row));
            if self.rows_seen > 1 && !(self.rows_seen - 1).is_multiple_of(self.row_stride) {
                self.rows.pop();
            }
            self.rows_seen += 1;
            self.rows.push((time(row), energies));
            if self.rows.len() >= LEDGER_LIMIT {
                self.rows = self.rows.iter().copied().step_by(2).collect();
                self.row_stride *= 2;
            }
        }
    }

    /// The film.
    fn finish(mut self, scene: &GranularScene) -> RunFilm {
        let count = scene.bed.position.len();
        if self.snapshots.is_empty() {
            self.start(scene);
        }
        let shown = self.radius.len();
        self.snapshots.retain(|snapshot| snapshot.positions.len() == shown);
        let reach = self.radius.iter().copied().fold(0.0, f32::max);
        let positions = || self.snapshots.iter().flat_map(|snapshot| &snapshot.positions);
        let edge = |from: f32, pick: fn(f32, f32) -> f32| {
            [0, 1, 2].map(|k| positions().map(|p| p[k]).fold(from, pick))
        };
        let (low, high) = (edge(f32::INFINITY, f32::min), edge(f32::NEG_INFINITY, f32::max));
        let part = |p: &[f32; 3], k: usize| {
            let share = (p[k] - low[k]) / (high[k] - low[k]).max(f32::MIN_POSITIVE);
            (share * 65535.0).round() as u16
        };
        let bytes: Vec<u8> = positions()
            .flat_map(|p| [0, 1, 2].map(|k| part(p, k)))
            .flat_map(u16::to_le_bytes)
            .collect();
        let speeds = || self.snapshots.iter().flat_map(|snapshot| snapshot.speeds.iter().copied());
        let fastest = speeds().fold(0.0, f32::max);
        let slow = |speed: f32| (255.0 * speed / fastest.max(f32::MIN_POSITIVE)).round() as u8;
        let (walls, period) = (scene.bed.walls(), scene.bed.period());
        let grains = Grains {
            count,
            every: self.every,
            radius: STANDARD
                .encode(self.radius.iter().flat_map(|r| r.to_le_bytes()).collect::<Vec<u8>>()),
            time: self.snapshots.iter().map(|snapshot| snapshot.time).collect(),
            low: low.map(f64::from),
            high: high.map(f64::from),
            places: STANDARD.encode(&bytes),
            speeds: STANDARD.encode(speeds().map(slow).collect::<Vec<u8>>()),
            fastest: f64::from(fastest),
            period: [period.0, period.1].map(|length| length.is_finite().then_some(length)),
            sides: sides(walls, period, f64::from(low[2] - reach), f64::from(high[2] + reach)),
        };
        if self.rows.is_empty() {
            self.rows.push(LedgerRow::default());
        }
        let column = |k: usize| self.rows.iter().map(|(_, energies)| energies[k]).collect();
        let frames = Frames {
            time: self.rows.iter().map(|(time, _)| *time).collect(),
            energies: GRAIN_LEDGER
                .iter()
                .enumerate()
                .map(|(k, (_, name))| (*name, column(k)))
                .collect(),
            ..Frames::default()
        };
        RunFilm {
            title: scene.title.clone(),
            about: scene.about.clone(),
            gravity: triple(scene.bed.gravity),
            duration: scene.duration,
            bodies: solids::planes(walls.iter().filter(|wall| !upright(wall))),
            frames,
            grains: Some(grains),
            notes: scene.notes.clone(),
            ..RunFilm::default()
        }
    }

    /// The first snapshot of a run without rows: where the grains are in the scene.
    fn start(&mut self, scene: &GranularScene) {
        let bed = &scene.bed;
        let shown = || (0..bed.position.len()).step_by(self.every);
        let place = |x: &Vec3| triple(*x).map(|x| x as f32);
        let positions = shown().filter_map(|i| bed.position.get(i)).map(place).collect();
        let speeds = shown().filter_map(|i| bed.velocity.get(i)).map(|v| v.length() as f32);
        let speeds = speeds.collect();
        self.radius = shown().map(|i| bed.radius(i) as f32).collect();
        self.snapshots.push(Snapshot { time: 0.0, positions, speeds });
    }
}

/// A wall along an axis: it is drawn as a side of the box.
fn upright(wall: &Wall) -> bool {
    wall.normal.x.abs().max(wall.normal.y.abs()) > 1.0 - 1e-9
}

/// The box that walls along x and y and periods make, as high as the grains reach.
fn sides(walls: &[Wall], period: (f64, f64), low: f64, high: f64) -> Option<[[f64; 3]; 2]> {
    let along = |axis: Vec3, period: f64| {
        let find = |sign: f64| walls.iter().find(|wall| wall.normal.dot(axis) * sign > 1.0 - 1e-9);
        match (find(1.0), find(-1.0)) {
            (Some(a), Some(b)) => Some((a.point.dot(axis), b.point.dot(axis))),
            _ => period.is_finite().then_some((0.0, period)),
        }
    };
    let (x, y) = (along(Vec3::X, period.0)?, along(Vec3::Y, period.1)?);
    let flat = walls.iter().find(|wall| wall.normal.z > 1.0 - 1e-9);
    let low = flat.map_or(low, |wall| wall.point.z);
    Some([[x.0, y.0, low], [x.1, y.1, high.max(low)]])
}

/// Runs a bed, for so many seconds of computing.
pub fn run(mut scene: GranularScene, seconds: f64, stop: &Stop) -> Result<RunFilm, Failure> {
    let count = scene.bed.position.len();
    // As often as there is room for.
    let frames = (POSITION_LIMIT / count.max(1)).clamp(FRAMES_MIN, FRAME_LIMIT / 2);
    scene.every.1 = (scene.steps / frames as u64).max(1);
    // Few grains are not worth many threads.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut run = GrainSimulation::new(&scene).on_threads((count / 1000).clamp(1, cores))?;
    let mut film = BedFilm::new(count);
    let most = Duration::from_secs_f64(seconds);
    let stopped = loop {
        if run.done() {
            break None;
        }
        if stop.gone() {
            break Some("the client has disconnected".into());
        }
        if stop.since() >= most {
            let advice = "take fewer or softer grains";
            break Some(too_long(seconds, run.time(), scene.duration, advice));
        }
        if let Err(error) = run.step(u64::MAX) {
            break Some(error.to_string());
        }
        take(&mut film, &mut run, false);
    };
    take(&mut film, &mut run, true);
    let summary = run.summary();
    let mut film = film.finish(&scene);
    film.time = film.frames.time.last().copied().unwrap_or(0.0);
    (film.finished, film.stopped) = (stopped.is_none(), stopped);
    (film.steps, film.notes) = (summary.steps, summary.notes);
    Ok(film)
}

fn take(film: &mut BedFilm, run: &mut GrainSimulation, end: bool) {
    let names: Vec<&str> = run.tables().schemas().map(|table| table.name).collect();
    for (number, piece) in run.tables_mut().take(end) {
        match names.get(number) {
            Some(&name) if name == tables::GRAINS.name => film.grains(&piece),
            Some(&name) if name == tables::BED_ENERGIES.name => film.ledger(&piece),
            _ => {}
        }
    }
}

/// Reads a bed from its tables.
pub fn read(scene: &GranularScene, run: &StoredRun<SceneSource>) -> Result<RunFilm, Failure> {
    let mut film = BedFilm::new(scene.bed.position.len());
    let mut table = run.table(tables::GRAINS.schema())?;
    let mut snapshots =
        SnapshotCheck { count: scene.bed.position.len(), ..SnapshotCheck::default() };
    while let Some(piece) = table.rows()? {
        snapshots.see(&piece)?;
        film.grains(&piece);
    }
    snapshots.end()?;
    let mut table = run.table(tables::BED_ENERGIES.schema())?;
    while let Some(piece) = table.rows()? {
        film.ledger(&piece);
    }
    Ok(film.finish(scene))
}

/// Checks that every snapshot has all grains, and comes after the one before.
#[derive(Default)]
struct SnapshotCheck {
    count: usize,
    time: Option<f64>,
    rows: usize,
}

impl SnapshotCheck {
    fn see(&mut self, piece: &[Column]) -> Result<(), Failure> {
        let time = values(piece, "time_s");
        for row in 0..row_count(piece) {
            let time = time(row);
            if self.time != Some(time) {
                self.end()?;
                if self.time.is_some_and(|before| !(time > before)) {
                    return Err(self.damaged());
                }
                (self.time, self.rows) = (Some(time), 0);
            }
            self.rows += 1;
        }
        Ok(())
    }

    fn end(&self) -> Result<(), Failure> {
        match self.time.is_none() || self.rows == self.count {
            true => Ok(()),
            false => Err(self.damaged()),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_snapshots_are_thinned_evenly_and_the_last_is_kept() {
        let mut film = BedFilm::new(2);
        for k in 0..5001u32 {
            let real = |x: f64| Values::Real(vec![x; 2]);
            let mut piece = vec![
                Column::new("time_s", "s", real(f64::from(k))),
                Column::new("grain", "", Values::Integer(vec![0, 1])),
            ];
            piece
                .extend(["radius_m", "x_m"].map(|name| Column::new(name, "m", real(f64::from(k)))));
            film.grains(&piece);
            film.ledger(&piece.iter().take(1).cloned().collect::<Vec<_>>());
        }
        let times: Vec<f64> = film.snapshots.iter().map(|snapshot| snapshot.time).collect();
        assert!((FRAME_LIMIT / 2..=FRAME_LIMIT).contains(&times.len()), "{}", times.len());
        assert_eq!((times[0], times[1], times[times.len() - 1]), (0.0, 16.0, 5000.0));
        assert!(times.windows(2).rev().skip(1).all(|two| two[1] - two[0] == 16.0));
        assert_eq!(film.rows.last().map(|row| row.0), Some(10000.0 / 2.0));
        assert!(film.rows.len() <= LEDGER_LIMIT);
    }
}
