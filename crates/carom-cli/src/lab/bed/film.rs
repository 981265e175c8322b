//! Collects the snapshots of a bed for its film: positions, speeds, energies and contacts of the grains.
//!
//! When there are too many snapshots, every second one is dropped. Of the contacts between grains and with walls, the film contains
//! the *strong network*: those that carry more than the mean force of their snapshot, which form the force chains (F. Radjai, D. E.
//! Wolf, M. Jean, J.-J. Moreau, Phys. Rev. Lett. 80 (1998) 61). For every grain it contains the number of its contacts and the
//! largest of their forces.

use super::levels::{box_and_fractions, levels, linear, logarithmic};
use crate::figure::GRAIN_LEDGER;
use crate::lab::run_film::{Chains, Frames, GrainValue, Grains, RunFilm};
use crate::lab::solids::{self, triple};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom_store::{Column, Values, find, row_count};
use carom_world::grains::{GranularScene, Wall};
use carom_world::math::Vec3;

/// Largest number of grains that are shown.
const MAX_GRAINS_SHOWN: usize = 1_000_000;
/// Largest number of frames.
pub const MAX_FRAMES: usize = 600;
/// Largest number of grains in all frames together.
pub const MAX_POSITIONS: usize = 2_500_000;
/// Largest number of rows of the ledger.
const MAX_LEDGER_ROWS: usize = 4000;
/// Number of frames that are always kept, however many grains they have.
pub const FRAMES_MIN: usize = 8;

/// Largest number of contacts in all frames together.
const MAX_CHAIN_CONTACTS: usize = 1_500_000;
/// Multiple of the mean force relative to which the forces of chains are encoded; larger forces are shown as this one.
const FORCE_SCALE: f32 = 6.0;

/// Highest bit of the second number of a pair; in the film it marks the number as that of a wall.
const WALL_BIT: u32 = 1 << 31;

/// A contact of a grain with a grain or a wall, given by their numbers, and its normal force (N).
#[derive(Clone, Copy)]
struct GrainContact {
    grain: u32,
    other: ContactPartner,
    force: f32,
}

/// Body that a grain touches.
#[derive(Clone, Copy)]
enum ContactPartner {
    Grain(u32),
    Wall(u32),
}

/// Computes the mean normal force of contacts (N).
fn mean_force(contacts: &[GrainContact]) -> f32 {
    contacts.iter().map(|contact| contact.force).sum::<f32>() / contacts.len().max(1) as f32
}

/// State of the displayed grains at one time.
#[derive(Default)]
struct Snapshot {
    time: f64,
    positions: Vec<[f32; 3]>,
    speeds: Vec<f32>,
    /// Kinetic energies (J).
    energies: Vec<f32>,
    /// Largest normal force on each grain (N), and its number of contacts; empty before contacts are known.
    forces: Vec<f32>,
    touching: Vec<u8>,
    /// Contacts of the displayed grains; once all are known, only the strong ones.
    contacts: Vec<GrainContact>,
    /// Mean of the normal forces of all contacts (N); `None` before all contacts are known.
    mean: Option<f32>,
}

impl Snapshot {
    /// Removes weak contacts, once all contacts of the snapshot are known.
    fn close(&mut self) {
        if self.mean.is_some() {
            return;
        }
        let mean = mean_force(&self.contacts);
        self.contacts.retain(|contact| contact.force > mean);
        self.contacts.shrink_to_fit();
        self.mean = Some(mean);
    }
}

/// Time, and the energies of [`GRAIN_LEDGER`] at that time.
type LedgerRow = (f64, [f64; GRAIN_LEDGER.len()]);

/// Film of a bed under construction.
pub struct BedFilm {
    /// Only every n-th grain is displayed.
    every: usize,
    radius: Vec<f32>,
    /// Masses of the displayed grains (kg).
    mass: Vec<f32>,
    snapshots: Vec<Snapshot>,
    /// Time of the contacts that were read last (s).
    contacts_time: Option<f64>,
    /// Only every n-th snapshot is kept.
    stride: usize,
    /// Number of snapshots so far.
    snapshots_seen: usize,
    rows: Vec<LedgerRow>,
    /// Only every n-th row of the ledger is kept.
    row_stride: usize,
    /// Number of rows so far.
    rows_seen: usize,
}

/// Returns a function that gives the value of a column in a row; NaN if there is no such column.
pub fn column_values<'a>(piece: &'a [Column], name: &str) -> impl Fn(usize) -> f64 + use<'a> {
    let values: Option<&Values> = find(piece, name).map(|column| &column.values);
    move |row| values.and_then(|values| values.real(row)).unwrap_or(f64::NAN)
}

impl BedFilm {
    pub fn new(scene: &GranularScene) -> Self {
        let count = scene.bed.position.len();
        let every = count.div_ceil(MAX_GRAINS_SHOWN).max(1);
        let mass = (0..count).step_by(every).map(|grain| scene.bed.mass(grain) as f32);
        Self::of(every, mass.collect())
    }

    /// Creates an empty film that displays every n-th grain, given the masses of these grains (kg).
    fn of(every: usize, mass: Vec<f32>) -> Self {
        Self {
            every,
            radius: Vec::new(),
            mass,
            snapshots: Vec::new(),
            contacts_time: None,
            stride: 1,
            snapshots_seen: 0,
            rows: Vec::new(),
            row_stride: 1,
            rows_seen: 0,
        }
    }

    /// Adds rows of the table `add_grains`.
    pub fn add_grains(&mut self, piece: &[Column]) {
        let [time, grain, radius] =
            ["time_s", "grain", "radius_m"].map(|name| column_values(piece, name));
        let position = ["x_m", "y_m", "z_m"].map(|name| column_values(piece, name));
        let velocity =
            ["vx_m_per_s", "vy_m_per_s", "vz_m_per_s"].map(|name| column_values(piece, name));
        let spin =
            ["wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s"].map(|name| column_values(piece, name));
        for row in 0..row_count(piece) {
            let (time, grain) = (time(row), grain(row) as usize);
            if self.snapshots.last().is_none_or(|snapshot| snapshot.time < time) {
                self.drop_alternate();
                self.snapshots_seen += 1;
                self.snapshots.push(Snapshot { time, ..Snapshot::default() });
            }
            if !grain.is_multiple_of(self.every) {
                continue;
            }
            if self.snapshots_seen == 1 {
                self.radius.push(radius(row) as f32);
            }
            let [vx, vy, vz] = velocity.each_ref().map(|component| component(row));
            let [wx, wy, wz] = spin.each_ref().map(|component| component(row));
            let size = |x, y, z| Vec3::new(x, y, z).length() as f32;
            if let Some(snapshot) = self.snapshots.last_mut() {
                let position = position.each_ref().map(|coordinate| coordinate(row) as f32);
                let (speed, turn) = (size(vx, vy, vz), size(wx, wy, wz) * radius(row) as f32);
                let mass = self.mass.get(snapshot.positions.len()).copied().unwrap_or(0.0);
                snapshot.positions.push(position);
                snapshot.speeds.push(speed);
                // The moment of inertia of a solid sphere is 2/5·m·r².
                snapshot.energies.push(0.5 * mass * (speed * speed + 0.4 * turn * turn));
            }
        }
    }

    /// Adds rows of the table `add_contacts`, after the rows of `add_grains` at the same times.
    pub fn add_contacts(&mut self, piece: &[Column]) {
        let [time, grain, other, force] =
            ["time_s", "grain", "other", "force_N"].map(|name| column_values(piece, name));
        let with = find(piece, "with").map(|column| &column.values);
        let (every, shown) = (self.every, self.radius.len());
        let mut at = None;
        for row in 0..row_count(piece) {
            let time = time(row);
            if self.contacts_time != Some(time) || at.is_none() {
                if let Some(before) = self.contacts_time.filter(|before| time > *before)
                    && let Some(done) = self.snapshots.iter_mut().find(|s| s.time == before)
                {
                    done.close();
                }
                self.contacts_time = Some(time);
                // Contacts of a snapshot that was dropped are skipped.
                at = Some(self.snapshots.iter().rposition(|snapshot| snapshot.time == time));
            }
            let Some(snapshot) = at.flatten().and_then(|index| self.snapshots.get_mut(index))
            else {
                continue;
            };
            snapshot.forces.resize(shown, 0.0);
            snapshot.touching.resize(shown, 0);
            let (a, b, force) = (grain(row) as usize, other(row) as usize, force(row) as f32);
            let between_grains = with.and_then(|with| with.text(row)) == Some("grain");
            let ends = [Some(a), between_grains.then_some(b)];
            for k in ends.into_iter().flatten().filter(|k| k.is_multiple_of(every)) {
                if let Some(most) = snapshot.forces.get_mut(k / every) {
                    *most = most.max(force);
                }
                if let Some(count) = snapshot.touching.get_mut(k / every) {
                    *count = count.saturating_add(1);
                }
            }
            // If only some of the grains were displayed, force chains would have gaps.
            if every == 1 {
                let other =
                    if between_grains { ContactPartner::Grain } else { ContactPartner::Wall };
                snapshot.contacts.push(GrainContact {
                    grain: a as u32,
                    other: other(b as u32),
                    force,
                });
            }
        }
    }

    /// Makes room for another snapshot: removes the last one unless its number is a multiple of `stride`, and every second one if
    /// there are too many.
    fn drop_alternate(&mut self) {
        if self.snapshots_seen > 1 && !(self.snapshots_seen - 1).is_multiple_of(self.stride) {
            self.snapshots.pop();
        }
        let most = (MAX_POSITIONS / self.radius.len().max(1)).clamp(FRAMES_MIN, MAX_FRAMES);
        if self.snapshots.len() >= most {
            let mut index = 0;
            self.snapshots.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// Adds rows of the energy ledger.
    pub fn add_ledger(&mut self, piece: &[Column]) {
        let time = column_values(piece, "time_s");
        let columns = GRAIN_LEDGER.map(|(name, _)| column_values(piece, name));
        for row in 0..row_count(piece) {
            let energies = columns.each_ref().map(|column| column(row));
            if self.rows_seen > 1 && !(self.rows_seen - 1).is_multiple_of(self.row_stride) {
                self.rows.pop();
            }
            self.rows_seen += 1;
            self.rows.push((time(row), energies));
            if self.rows.len() >= MAX_LEDGER_ROWS {
                self.rows = self.rows.iter().copied().step_by(2).collect();
                self.row_stride *= 2;
            }
        }
    }

    /// Returns the film so far.
    pub fn run_film(&self, scene: &GranularScene) -> RunFilm {
        let count = scene.bed.position.len();
        let begun = !self.snapshots.is_empty();
        let start = (!begun).then(|| self.initial_snapshot(scene));
        let radius: Vec<f32> = match begun {
            true => self.radius.clone(),
            false => (0..count).step_by(self.every).map(|i| scene.bed.radius(i) as f32).collect(),
        };
        let whole = |snapshot: &&Snapshot| snapshot.positions.len() == radius.len();
        let snapshots: Vec<&Snapshot> = self.snapshots.iter().chain(&start).filter(whole).collect();
        let reach = radius.iter().copied().fold(0.0, f32::max);
        let (low, high, places) =
            box_and_fractions(snapshots.iter().map(|s| s.positions.as_slice()));
        let (walls, period) = (scene.bed.walls(), scene.bed.period());
        let sizes = radius.iter().flat_map(|r| r.to_le_bytes()).collect::<Vec<u8>>();
        let grains = Grains {
            count,
            every: self.every,
            radius: STANDARD.encode(sizes),
            time: snapshots.iter().map(|snapshot| snapshot.time).collect(),
            low: low.map(f64::from),
            high: high.map(f64::from),
            places,
            values: grain_values(&snapshots, radius.len()),
            chains: Chains {
                walls: walls.iter().map(|wall| [triple(wall.point), triple(wall.normal)]).collect(),
                ..chains(&snapshots)
            },
            period: [period.0, period.1].map(|length| length.is_finite().then_some(length)),
            sides: side_walls(walls, period, f64::from(low[2] - reach), f64::from(high[2] + reach)),
        };
        let none = [LedgerRow::default()];
        let rows = if self.rows.is_empty() { none.as_slice() } else { self.rows.as_slice() };
        let column = |k: usize| rows.iter().map(|(_, energies)| energies[k]).collect();
        let frames = Frames {
            time: rows.iter().map(|(time, _)| *time).collect(),
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
            bodies: solids::planes(walls.iter().filter(|wall| !is_side_wall(wall))),
            frames,
            grains: Some(grains),
            notes: scene.notes.clone(),
            controls: scene.controls.clone(),
            ..RunFilm::default()
        }
    }

    /// Returns the snapshot of a run without rows: the initial positions of the grains in the scene.
    fn initial_snapshot(&self, scene: &GranularScene) -> Snapshot {
        let bed = &scene.bed;
        let shown = || (0..bed.position.len()).step_by(self.every);
        let place = |x: &Vec3| triple(*x).map(|x| x as f32);
        let positions: Vec<[f32; 3]> =
            shown().filter_map(|i| bed.position.get(i)).map(place).collect();
        let speeds: Vec<f32> =
            shown().filter_map(|i| bed.velocity.get(i)).map(|v| v.length() as f32).collect();
        let energies = speeds.iter().zip(&self.mass).map(|(v, mass)| 0.5 * mass * v * v).collect();
        Snapshot { positions, speeds, energies, ..Snapshot::default() }
    }
}

/// Returns the quantities by which grains can be coloured.
fn grain_values(snapshots: &[&Snapshot], shown: usize) -> Vec<GrainValue> {
    let none = vec![0.0; shown];
    let or_none = |column: &[f32]| match column.len() == shown {
        true => column.to_vec(),
        false => none.clone(),
    };
    let speeds = levels(snapshots.iter().map(|s| or_none(&s.speeds)), linear);
    let forces = levels(snapshots.iter().map(|s| or_none(&s.forces)), logarithmic);
    let energies = levels(snapshots.iter().map(|s| or_none(&s.energies)), logarithmic);
    let touching = levels(
        snapshots.iter().map(|s| {
            or_none(&s.touching.iter().map(|count| f32::from(*count)).collect::<Vec<f32>>())
        }),
        linear,
    );
    let value = |name, unit, logarithmic, (largest, levels)| GrainValue {
        name,
        unit,
        logarithmic,
        largest,
        levels,
    };
    vec![
        value("speed", "m/s", false, speeds),
        value("force", "N", true, forces),
        value("coordination", "", false, touching),
        value("energy", "J", true, energies),
    ]
}

/// Returns the strong contacts of every snapshot; only the strongest of them if there are too many.
fn chains(snapshots: &[&Snapshot]) -> Chains {
    let most = MAX_CHAIN_CONTACTS / snapshots.len().max(1);
    let mut chains = Chains::default();
    let (mut pairs, mut levels): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    for snapshot in snapshots {
        // The last snapshot may not be closed yet.
        let mean = snapshot.mean.unwrap_or_else(|| mean_force(&snapshot.contacts));
        let strong = snapshot.contacts.iter().filter(|contact| contact.force > mean);
        let mut strong: Vec<GrainContact> = strong.copied().collect();
        strong.sort_by(|a, b| b.force.total_cmp(&a.force));
        strong.truncate(most);
        chains.count.push(strong.len());
        chains.mean.push(f64::from(mean));
        for GrainContact { grain, other, force } in strong {
            let other = match other {
                ContactPartner::Grain(number) => number,
                ContactPartner::Wall(number) => WALL_BIT | number,
            };
            pairs.extend([grain, other].map(u32::to_le_bytes).concat());
            levels.push((255.0 * (force / (FORCE_SCALE * mean)).min(1.0)).round() as u8);
        }
    }
    Chains { pairs: STANDARD.encode(pairs), levels: STANDARD.encode(levels), ..chains }
}

/// Returns whether a wall is normal to x or y; such a wall is drawn as a side of the box.
fn is_side_wall(wall: &Wall) -> bool {
    wall.normal.x.abs().max(wall.normal.y.abs()) > 1.0 - 1e-9
}

/// Returns the box that is bounded by walls and periods along x and y; its height is that of the grains.
fn side_walls(walls: &[Wall], period: (f64, f64), low: f64, high: f64) -> Option<[[f64; 3]; 2]> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_snapshots_are_thinned_evenly_and_the_last_is_kept() {
        let mut film = BedFilm::of(1, vec![1.0; 2]);
        for k in 0..5001u32 {
            let real = |x: f64| Values::Real(vec![x; 2]);
            let mut piece = vec![
                Column::new("time_s", "s", real(f64::from(k))),
                Column::new("grain", "", Values::Integer(vec![0, 1])),
            ];
            piece
                .extend(["radius_m", "x_m"].map(|name| Column::new(name, "m", real(f64::from(k)))));
            film.add_grains(&piece);
            film.add_ledger(&piece.iter().take(1).cloned().collect::<Vec<_>>());
        }
        let times: Vec<f64> = film.snapshots.iter().map(|snapshot| snapshot.time).collect();
        assert!((MAX_FRAMES / 2..=MAX_FRAMES).contains(&times.len()), "{}", times.len());
        assert_eq!((times[0], times[1], times[times.len() - 1]), (0.0, 16.0, 5000.0));
        assert!(times.windows(2).rev().skip(1).all(|two| two[1] - two[0] == 16.0));
        assert_eq!(film.rows.last().map(|row| row.0), Some(10000.0 / 2.0));
        assert!(film.rows.len() <= MAX_LEDGER_ROWS);
    }
}
