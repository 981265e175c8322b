//! A bed of grains as a film: where the grains are in few bytes, and the ledger.
//!
//! A grain in a frame is seven bytes: its place in 65 536 parts of the room that all grains ever take, and its
//! speed in 255 parts of the fastest. Frames are as many as fit; when there are too many every second goes. A bed
//! that is run here takes snapshots as often as that; one that is read has those that were written.

use super::simulate::{Frames, RunFilm, too_long};
use super::solids::{self, triple};
use super::stop::Stop;
use crate::commands::simulate::failure;
use crate::failure::Failure;
use crate::figure::GRAIN_LEDGER;
use carom::sweep::Column;
use carom_store::folder::Past;
use carom_world::grains::{Granular, Poured, Wall};
use carom_world::math::Vec3;
use carom_world::record::{Simulation, tables};
use serde::Serialize;
use std::time::Duration;

/// Most grains of a bed that is run here, and that are shown of any.
pub const MOST_RUN: usize = 20_000;
const MOST_SHOWN: usize = 100_000;
/// Most snapshots, grains in all of them, and rows of the ledger.
const MOST_FRAMES: usize = 600;
const MOST_PLACES: usize = 2_500_000;
const MOST_ROWS: usize = 4000;
/// Frames that are kept however large they are.
const LEAST: usize = 8;

/// The grains, in columns of bytes (base64, little-endian).
#[derive(Debug, Default, Serialize)]
pub struct Grains {
    /// How many there are, and how many there are for one that is shown.
    count: usize,
    every: usize,
    /// Radii, f32.
    radius: String,
    /// When they are seen (s).
    time: Vec<f64>,
    /// The room that they take (m).
    low: [f64; 3],
    high: [f64; 3],
    /// x, y, z of every grain at every time, u16 of the room.
    places: String,
    /// Speeds, u8 of the fastest (m/s).
    speeds: String,
    fastest: f64,
    /// Periods along x and y (m).
    period: [Option<f64>; 2],
    /// The box, where there is one: two corners.
    #[serde(rename = "box")]
    sides: Option<[[f64; 3]; 2]>,
}

/// One look at all grains that are shown.
struct Look {
    time: f64,
    places: Vec<[f32; 3]>,
    speeds: Vec<f32>,
}

/// A film as it grows.
struct Reel {
    every: usize,
    radius: Vec<f32>,
    looks: Vec<Look>,
    /// Of so many looks one is kept; and how many came.
    stride: usize,
    seen: usize,
    rows: Vec<[f64; 7]>,
    row_stride: usize,
    rows_seen: usize,
}

impl Reel {
    fn new(count: usize) -> Self {
        Self {
            every: count.div_ceil(MOST_SHOWN).max(1),
            radius: Vec::new(),
            looks: Vec::new(),
            stride: 1,
            seen: 0,
            rows: Vec::new(),
            row_stride: 1,
            rows_seen: 0,
        }
    }

    /// Rows of the table `grains`.
    fn grains(&mut self, piece: &[Column]) {
        let at = |column: usize, row: usize| {
            piece.get(column).and_then(|c| c.values.real(row)).unwrap_or(f64::NAN)
        };
        for row in 0..piece.first().map_or(0, |column| column.values.len()) {
            let (time, grain) = (at(0, row), at(1, row) as usize);
            if self.looks.last().is_none_or(|look| look.time < time) {
                self.thin();
                self.seen += 1;
                self.looks.push(Look { time, places: Vec::new(), speeds: Vec::new() });
            }
            if !grain.is_multiple_of(self.every) {
                continue;
            }
            if self.seen == 1 {
                self.radius.push(at(2, row) as f32);
            }
            let speed = Vec3::new(at(6, row), at(7, row), at(8, row)).length();
            if let Some(look) = self.looks.last_mut() {
                look.places.push([3, 4, 5].map(|column| at(column, row) as f32));
                look.speeds.push(speed as f32);
            }
        }
    }

    /// Before another look: the last one goes if its turn has not come, and every second when there are too
    /// many.
    fn thin(&mut self) {
        if self.seen > 1 && !(self.seen - 1).is_multiple_of(self.stride) {
            self.looks.pop();
        }
        let most = (MOST_PLACES / self.radius.len().max(1)).clamp(LEAST, MOST_FRAMES);
        if self.looks.len() >= most {
            let mut index = 0;
            self.looks.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// Rows of the ledger.
    fn ledger(&mut self, piece: &[Column]) {
        for row in 0..piece.first().map_or(0, |column| column.values.len()) {
            let of = |column: usize| piece.get(column).and_then(|c| c.values.real(row));
            let numbers = std::array::from_fn(|column| of(column).unwrap_or(f64::NAN));
            if self.rows_seen > 1 && !(self.rows_seen - 1).is_multiple_of(self.row_stride) {
                self.rows.pop();
            }
            self.rows_seen += 1;
            self.rows.push(numbers);
            if self.rows.len() >= MOST_ROWS {
                self.rows = self.rows.iter().copied().step_by(2).collect();
                self.row_stride *= 2;
            }
        }
    }

    /// The film.
    fn seen(mut self, scene: &Granular) -> RunFilm {
        let count = scene.bed.position.len();
        if self.looks.is_empty() {
            self.start(scene);
        }
        let shown = self.radius.len();
        self.looks.retain(|look| look.places.len() == shown);
        let reach = self.radius.iter().copied().fold(0.0, f32::max);
        let places = || self.looks.iter().flat_map(|look| &look.places);
        let edge = |from: f32, pick: fn(f32, f32) -> f32| {
            [0, 1, 2].map(|k| places().map(|p| p[k]).fold(from, pick))
        };
        let (low, high) = (edge(f32::INFINITY, f32::min), edge(f32::NEG_INFINITY, f32::max));
        let part = |p: &[f32; 3], k: usize| {
            let share = (p[k] - low[k]) / (high[k] - low[k]).max(f32::MIN_POSITIVE);
            (share * 65535.0).round() as u16
        };
        let bytes: Vec<u8> = places()
            .flat_map(|p| [0, 1, 2].map(|k| part(p, k)))
            .flat_map(u16::to_le_bytes)
            .collect();
        let speeds = || self.looks.iter().flat_map(|look| look.speeds.iter().copied());
        let fastest = speeds().fold(0.0, f32::max);
        let slow = |speed: f32| (255.0 * speed / fastest.max(f32::MIN_POSITIVE)).round() as u8;
        let (walls, period) = (scene.bed.walls(), scene.bed.period());
        let grains = Grains {
            count,
            every: self.every,
            radius: base64(&self.radius.iter().flat_map(|r| r.to_le_bytes()).collect::<Vec<u8>>()),
            time: self.looks.iter().map(|look| look.time).collect(),
            low: low.map(f64::from),
            high: high.map(f64::from),
            places: base64(&bytes),
            speeds: base64(&speeds().map(slow).collect::<Vec<u8>>()),
            fastest: f64::from(fastest),
            period: [period.0, period.1].map(|length| length.is_finite().then_some(length)),
            sides: sides(walls, period, f64::from(low[2] - reach), f64::from(high[2] + reach)),
        };
        if self.rows.is_empty() {
            self.rows.push([0.0; 7]);
        }
        let column = |k: usize| self.rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
        let energies =
            GRAIN_LEDGER.iter().enumerate().map(|(k, name)| (*name, column(k + 1))).collect();
        let frames = Frames { time: column(0), energies, ..Frames::default() };
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

    /// Where the grains begin.
    fn start(&mut self, scene: &Granular) {
        let bed = &scene.bed;
        let shown = || (0..bed.position.len()).step_by(self.every);
        let place = |x: &Vec3| triple(*x).map(|x| x as f32);
        let places = shown().filter_map(|i| bed.position.get(i)).map(place).collect();
        let speeds = shown().filter_map(|i| bed.velocity.get(i)).map(|v| v.length() as f32);
        let speeds = speeds.collect();
        self.radius = shown().map(|i| bed.radius(i) as f32).collect();
        self.looks.push(Look { time: 0.0, places, speeds });
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
pub fn run(mut scene: Granular, seconds: f64, stop: &Stop) -> Result<RunFilm, Failure> {
    let count = scene.bed.position.len();
    // As often as there is room for, and as anyone can see.
    let frames = (MOST_PLACES / count.max(1)).clamp(LEAST, MOST_FRAMES / 2);
    scene.every.1 = (scene.steps / frames as u64).max(1);
    // Few grains are no work for many.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut poured = Poured::new(&scene).on_threads((count / 1000).clamp(1, cores))?;
    let mut reel = Reel::new(count);
    let most = Duration::from_secs_f64(seconds);
    let stopped = loop {
        if poured.done() {
            break None;
        }
        if stop.gone() {
            break Some("nobody waits for the answer any more".into());
        }
        if stop.since() >= most {
            let advice = "take fewer or softer grains";
            break Some(too_long(seconds, poured.time(), scene.duration, advice));
        }
        if let Err(error) = poured.step(u64::MAX) {
            break Some(error.to_string());
        }
        take(&mut reel, &mut poured, false);
    };
    take(&mut reel, &mut poured, true);
    let summary = poured.summary();
    let mut seen = reel.seen(&scene);
    seen.time = seen.frames.time.last().copied().unwrap_or(0.0);
    (seen.finished, seen.stopped) = (stopped.is_none(), stopped);
    (seen.steps, seen.notes) = (summary.steps, summary.notes);
    Ok(seen)
}

fn take(reel: &mut Reel, poured: &mut Poured, end: bool) {
    for (number, piece) in poured.ready(end) {
        match number {
            0 => reel.grains(&piece),
            2 => reel.ledger(&piece),
            _ => {}
        }
    }
}

/// Reads a bed from its tables.
pub fn read(scene: &Granular, past: &Past) -> Result<RunFilm, Failure> {
    let mut reel = Reel::new(scene.bed.position.len());
    let mut table = past.table(&tables::SNAPSHOTS, Vec::new()).map_err(failure)?;
    let mut snapshots = Whole { count: scene.bed.position.len(), ..Whole::default() };
    while let Some(piece) = table.rows().map_err(failure)? {
        snapshots.see(&piece)?;
        reel.grains(&piece);
    }
    snapshots.end()?;
    let mut table = past.table(&tables::BED, Vec::new()).map_err(failure)?;
    while let Some(piece) = table.rows().map_err(failure)? {
        reel.ledger(&piece);
    }
    Ok(reel.seen(scene))
}

/// Watches that every snapshot has all grains, and comes after the one before.
#[derive(Default)]
struct Whole {
    count: usize,
    time: Option<f64>,
    rows: usize,
}

impl Whole {
    fn see(&mut self, piece: &[Column]) -> Result<(), Failure> {
        let Some(times) = piece.first() else { return Ok(()) };
        for row in 0..times.values.len() {
            let time = times.values.real(row).unwrap_or(f64::NAN);
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

/// Bytes as text (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte));
        let bits = bits << (8 * (3 - three.len()));
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k) & 63) as usize];
            text.push(if k > three.len() { '=' } else { letter as char });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::sweep::Values;

    #[test]
    fn bytes_are_written_as_everyone_reads_them() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(b"foobar"), "Zm9vYmFy");
    }

    #[test]
    fn many_snapshots_are_thinned_evenly_and_the_last_is_kept() {
        let mut reel = Reel::new(2);
        for k in 0..5001u32 {
            let real = |x: f64| Values::Real(vec![x; 2]);
            let mut piece = vec![
                Column::new("time_s", "s", real(f64::from(k))),
                Column::new("grain", "", Values::Whole(vec![0, 1])),
            ];
            piece.extend((2..12).map(|_| Column::new("x", "", real(f64::from(k)))));
            reel.grains(&piece);
            reel.ledger(&piece.iter().take(1).cloned().collect::<Vec<_>>());
        }
        let times: Vec<f64> = reel.looks.iter().map(|look| look.time).collect();
        assert!((MOST_FRAMES / 2..=MOST_FRAMES).contains(&times.len()), "{}", times.len());
        assert_eq!((times[0], times[1], times[times.len() - 1]), (0.0, 16.0, 5000.0));
        assert!(times.windows(2).rev().skip(1).all(|two| two[1] - two[0] == 16.0));
        assert_eq!(reel.rows.last().map(|row| row[0]), Some(10000.0 / 2.0));
        assert!(reel.rows.len() <= MOST_ROWS);
    }
}
