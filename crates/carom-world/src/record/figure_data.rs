//! Data from which figures are drawn, of bounded size for a run of any length.
//!
//! The tables of a run may take gigabytes, while a figure is a thousand pixels wide. These data contain
//!
//! - energies and a few bodies at a thinned sequence of times (when there are too many samples, every second one is
//!   dropped),
//! - the largest force of each contact in each of many equal intervals of time, so that no peak is lost (when there are too
//!   many intervals, their length is doubled),
//! - force over indentation for the first touch of each contact and for the one with the largest force,
//! - the paths of pins in bores and sockets.
//!
//! They are part of a checkpoint and do not depend on the duration of the run, so figures do not change when a run is
//! resumed or extended.

use super::tables::{self, EnergyRow, Row};
use crate::math::Vec3;
use crate::observe::EndedTouch;
use crate::shape::Shape;
use crate::{ContactForce, Sample, World};
use carom_store::table::Table;
use serde::{Deserialize, Serialize};

/// Largest number of bodies, contacts and orbits for which data are recorded.
pub const FOLLOWED_LIMIT: usize = 6;
/// Largest number of rows of a thinned series.
const ROW_LIMIT: usize = 2048;
/// Number of intervals for the largest forces; at least half of them are used in a run of any length.
pub const INTERVALS: usize = 2048;
/// Initial length of the intervals (s): a power of two, so that doubling is exact.
const INITIAL_INTERVAL: f64 = 1.0 / (1u64 << 60) as f64;
/// Largest number of points of a force curve of one touch.
const POINT_LIMIT: usize = 400;

/// Named columns of numbers at increasing times. When there are too many rows, every second one is dropped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThinnedSeries {
    columns: Vec<String>,
    most: usize,
    stride: u64,
    seen: u64,
    /// Bits of the numbers, row by row; as integers they are exact in JSON.
    bits: Vec<u64>,
}

impl ThinnedSeries {
    /// Creates a series without rows.
    pub fn new<'a>(columns: impl IntoIterator<Item = &'a str>, most: usize) -> Self {
        let columns = columns.into_iter().map(String::from).collect();
        Self { columns, most, stride: 1, seen: 0, bits: Vec::new() }
    }

    /// Creates a series without rows that has all columns of a table.
    pub fn of<R>(table: &Table<R>, most: usize) -> Self {
        Self::new(table.schema().fields.iter().map(|field| field.name.as_str()), most)
    }

    /// Adds a row, or skips it according to the current stride; `value` returns the number in the column of a name.
    pub fn push(&mut self, value: impl Fn(&str) -> f64) {
        if self.seen.is_multiple_of(self.stride) {
            self.bits.extend(self.columns.iter().map(|name| value(name).to_bits()));
        }
        self.seen += 1;
        let width = self.columns.len().max(1);
        if self.bits.len() >= self.most * width {
            let rows = self.bits.chunks(width).step_by(2).map(<[u64]>::to_vec);
            self.bits = rows.collect::<Vec<_>>().concat();
            self.stride *= 2;
        }
    }

    /// Returns whether another series has the same columns and limit.
    pub(crate) fn has_same_layout(&self, other: &Self) -> bool {
        (&self.columns, self.most) == (&other.columns, other.most)
    }

    /// Returns the column with this name; empty if there is none.
    pub fn column(&self, name: &str) -> Vec<f64> {
        let Some(column) = self.columns.iter().position(|column| column == name) else {
            return Vec::new();
        };
        let values = self.bits.iter().skip(column).step_by(self.columns.len());
        values.map(|&bits| f64::from_bits(bits)).collect()
    }
}

/// Points of force over indentation, as bits.
type Loop = Vec<(u64, u64)>;

/// Forces of one contact over the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactHistory {
    /// Index of the contact in the world.
    pub contact: usize,
    /// Largest force in each interval, as bits; NaN in an interval without a sample.
    peaks: Vec<u64>,
    first: Option<Loop>,
    strongest: Option<(u64, Loop)>,
    /// Sites that touch at present, with the points of the touch so far.
    open: Vec<(usize, Loop)>,
}

impl ContactHistory {
    /// Returns the index and largest force (N) of each interval. Intervals without a sample are left out: a lasting contact
    /// may be sampled less often than once per interval, and has not separated in between.
    pub fn peaks(&self) -> Vec<(usize, f64)> {
        let peaks = self.peaks.iter().map(|&bits| f64::from_bits(bits)).enumerate();
        peaks.filter(|(_, peak)| !peak.is_nan()).collect()
    }

    /// Raises the largest force in an interval to at least this value.
    fn raise_peak(&mut self, interval: usize, force: f64) {
        if let Some(peak) = self.peaks.get_mut(interval) {
            *peak = f64::from_bits(*peak).max(force).to_bits();
        }
    }

    /// Merges each pair of intervals into one.
    fn double_intervals(&mut self) {
        let peaks: Vec<f64> = self.peaks.iter().map(|&bits| f64::from_bits(bits)).collect();
        let mut halved: Vec<u64> = peaks
            .chunks(2)
            .map(|two| two.iter().copied().fold(f64::NAN, f64::max).to_bits())
            .collect();
        halved.resize(INTERVALS, f64::NAN.to_bits());
        self.peaks = halved;
    }

    /// Returns indentations (m) and forces (N) during the touches that are shown, with a name for each touch.
    pub fn loops(&self) -> Vec<(&'static str, Vec<(f64, f64)>)> {
        let points = |points: &Loop| {
            points.iter().map(|&(a, b)| (f64::from_bits(a), f64::from_bits(b))).collect::<Vec<_>>()
        };
        let mut found = Vec::new();
        if let Some((_, strongest)) = &self.strongest {
            found.push(("hardest touch", points(strongest)));
        }
        match &self.first {
            Some(first) if self.strongest.as_ref().is_none_or(|(_, hard)| hard != first) => {
                found.push(("first touch", points(first)));
            }
            _ => {}
        }
        if found.is_empty() {
            found.extend(self.open.first().map(|(_, open)| ("touch that lasts", points(open))));
        }
        found
    }
}

/// Path of a pin in its bore, or of a ball in its socket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orbit {
    /// Index of the contact in the world.
    pub contact: usize,
    /// Difference of the radii (m).
    #[serde(with = "crate::bits")]
    pub clearance: f64,
    /// Whether the path is shown in the x–z plane, as for a ball in a socket in a spatial scene.
    pub sideways: bool,
    /// Position of the centre in the axes of the bore over time: `time_s`, and the two coordinates shown, `x_m` and `y_m`.
    pub path: ThinnedSeries,
}

/// Columns of [`tables::TRAJECTORY`] that are recorded for a body.
const TRAJECTORY: [&str; 6] = ["x_m", "y_m", "z_m", "vx_m_per_s", "vy_m_per_s", "vz_m_per_s"];

/// A body whose motion is recorded for figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FollowedBody {
    /// Index of the body in the world.
    pub body: usize,
    /// Position and velocity at the times of the energies, in columns of [`tables::TRAJECTORY`].
    pub trajectory: ThinnedSeries,
}

/// Data from which figures are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FigureData {
    /// Bodies whose motion is recorded.
    pub followed: Vec<FollowedBody>,
    /// Columns of [`tables::ENERGIES`].
    pub energies: ThinnedSeries,
    /// Forces of the contacts that have touched.
    pub contacts: Vec<ContactHistory>,
    /// Paths of pins.
    pub orbits: Vec<Orbit>,
    /// Length of the intervals (s).
    #[serde(with = "crate::bits")]
    interval: f64,
}

impl FigureData {
    /// Creates the data for a run of this world and the bodies whose motion is recorded (all free bodies if the list is
    /// empty).
    pub fn new(world: &World, follow: &[usize]) -> Self {
        let moving =
            || (0..world.bodies().len()).filter(|&b| world.columns.free_index[b].is_some());
        let followed: Vec<usize> = match follow.is_empty() {
            true => moving().take(FOLLOWED_LIMIT).collect(),
            false => follow.iter().copied().take(FOLLOWED_LIMIT).collect(),
        };
        let followed = followed.into_iter().map(|body| {
            let trajectory = ThinnedSeries::new(TRAJECTORY, ROW_LIMIT);
            FollowedBody { body, trajectory }
        });
        let orbits = world.contacts().iter().enumerate().filter_map(|(contact, pair)| {
            let clearance = world.clearance(contact)?;
            let path = ThinnedSeries::new(["time_s", "x_m", "y_m"], 4 * ROW_LIMIT);
            let socket = |shape: usize| matches!(world.shapes()[shape].shape, Shape::Socket { .. });
            let sideways = !world.planar && (socket(pair.a) || socket(pair.b));
            Some(Orbit { contact, clearance, sideways, path })
        });
        Self {
            energies: ThinnedSeries::of(&tables::ENERGIES, ROW_LIMIT),
            orbits: orbits.take(FOLLOWED_LIMIT).collect(),
            contacts: Vec::new(),
            interval: INITIAL_INTERVAL,
            followed: followed.collect(),
        }
    }

    /// Returns the time in the middle of an interval (s).
    pub fn interval_time(&self, interval: usize) -> f64 {
        self.interval * (interval as f64 + 0.5)
    }

    /// Records a regular sample: energies and bodies.
    pub(super) fn sample(&mut self, sample: &Sample, energies: &EnergyRow) {
        self.energies.push(|column| tables::ENERGIES.number(column, energies));
        for FollowedBody { body, trajectory } in &mut self.followed {
            let Some(pose) = sample.pose(*body) else { continue };
            let row = Row { time: sample.time, index: *body, value: pose };
            trajectory.push(|column| tables::TRAJECTORY.number(column, &row));
        }
    }

    /// Records the forces and paths of any sample.
    pub(super) fn forces(&mut self, sample: &Sample, forces: &[ContactForce]) {
        let interval = self.interval_of(sample.time);
        for force in forces {
            let Some(history) = self.history(force.contact, interval) else { continue };
            // Before a touch begins, its force is zero: so is the peak of the preceding interval.
            if history.open.is_empty() {
                history.raise_peak(interval.wrapping_sub(1), 0.0);
            }
            history.raise_peak(interval, force.force);
            let point = (force.indentation.to_bits(), force.force.to_bits());
            match history.open.iter_mut().find(|(site, _)| *site == force.site) {
                Some((_, points)) if points.len() < POINT_LIMIT => points.push(point),
                Some(_) => {}
                None => history.open.push((force.site, vec![point])),
            }
        }
        for history in self.contacts.iter_mut().filter(|history| history.open.is_empty()) {
            history.raise_peak(interval, 0.0);
        }
        for orbit in &mut self.orbits {
            let (x, y) = pin_centre(sample, orbit.contact, orbit.sideways);
            orbit.path.push(|column| match column {
                "time_s" => sample.time,
                "x_m" => x,
                _ => y,
            });
        }
    }

    /// Records the end of a touch.
    pub(super) fn ended(&mut self, ended: &EndedTouch) {
        let interval = self.interval_of(ended.ended);
        let Some(history) = self.history(ended.contact, interval) else { return };
        let Some(at) = history.open.iter().position(|(site, _)| *site == ended.site) else {
            return;
        };
        let (_, mut points) = history.open.remove(at);
        // After a touch ends, its force is zero: so is the peak of the following interval.
        if history.open.is_empty() {
            history.raise_peak(interval + 1, 0.0);
        }
        // The curve ends at zero indentation and zero force.
        points.push((0, 0));
        if history.first.is_none() {
            history.first = Some(points.clone());
        }
        let force = points.iter().map(|&(_, force)| f64::from_bits(force)).fold(0.0, f64::max);
        if history.strongest.as_ref().is_none_or(|(known, _)| force > f64::from_bits(*known)) {
            history.strongest = Some((force.to_bits(), points));
        }
    }

    /// Returns whether other data belong to the same scene, so that a run can be resumed with them.
    pub(super) fn has_same_layout(&self, other: &Self) -> bool {
        let same_bodies = |a: &FollowedBody, b: &FollowedBody| {
            a.body == b.body && a.trajectory.has_same_layout(&b.trajectory)
        };
        let same_orbits =
            |a: &Orbit, b: &Orbit| a.contact == b.contact && a.path.has_same_layout(&b.path);
        self.energies.has_same_layout(&other.energies)
            && self.followed.len() == other.followed.len()
            && self.followed.iter().zip(&other.followed).all(|(a, b)| same_bodies(a, b))
            && self.orbits.len() == other.orbits.len()
            && self.orbits.iter().zip(&other.orbits).all(|(a, b)| same_orbits(a, b))
    }

    /// Returns the index of the interval that contains a time; the intervals are lengthened if the time lies beyond them.
    fn interval_of(&mut self, time: f64) -> usize {
        while time.is_finite() && time >= INTERVALS as f64 * self.interval {
            self.interval *= 2.0;
            self.contacts.iter_mut().for_each(ContactHistory::double_intervals);
        }
        ((time / self.interval).max(0.0) as usize).min(INTERVALS - 1)
    }

    /// Returns the history of a contact, whose first touch may be in this interval; none if there are histories of too many
    /// contacts.
    fn history(&mut self, contact: usize, interval: usize) -> Option<&mut ContactHistory> {
        let at = match self.contacts.iter().position(|history| history.contact == contact) {
            Some(at) => at,
            None if self.contacts.len() < FOLLOWED_LIMIT => {
                let mut peaks = vec![f64::NAN.to_bits(); INTERVALS];
                peaks.iter_mut().take(interval).for_each(|peak| *peak = 0f64.to_bits());
                let history = ContactHistory {
                    contact,
                    peaks,
                    first: None,
                    strongest: None,
                    open: Vec::new(),
                };
                self.contacts.push(history);
                self.contacts.len() - 1
            }
            None => return None,
        };
        self.contacts.get_mut(at)
    }
}

/// Returns the position of the centre of the pin in the axes of the bore.
fn pin_centre(sample: &Sample, contact: usize, sideways: bool) -> (f64, f64) {
    let world = sample.world;
    let pair = &world.contacts()[contact];
    let first_is_bore = world.shapes()[pair.a].shape.is_cavity();
    let (pin, bore) = if first_is_bore { (pair.b, pair.a) } else { (pair.a, pair.b) };
    let frame = |shape: usize| {
        let placed = &world.shapes()[shape];
        let body = sample.state().motion_of(world, placed.body);
        (body.x + body.q.rotate(placed.position), body.q * placed.rotation)
    };
    let ((pin, _), (bore, axes)) = (frame(pin), frame(bore));
    let offset: Vec3 = axes.inverse().rotate(pin - bore);
    if sideways { (offset.x, offset.z) } else { (offset.x, offset.y) }
}

#[cfg(test)]
mod tests {
    use crate::Scene;
    use crate::record::BodySimulation;
    use carom_store::Simulation;

    #[test]
    fn a_lasting_contact_has_no_zero_force_between_samples() {
        // The ball falls, bounces and comes to rest. There are 200 samples, with about six intervals per sample.
        let text = r#"
            simulation = { duration = 2, sample = 0.01, gravity = 10 }
            body = [{ name = "ball", shape = "sphere", radius = 0.1, mass = 1, position = [0, 0, 0.2] }]
            contact = [{ between = ["ball", "ground"], law = "kelvin-voigt-1865", stiffness = "20 kN/m",
                exponent = 1, restitution = 0.1, calibration = "exact" }]
        "#;
        let scene = Scene::parse(text, &|_| Err("none".into())).unwrap();
        let mut run = BodySimulation::new(&scene).unwrap();
        while !run.done() {
            run.step(1).unwrap();
        }
        let figure_data = run.figure_data();
        let peaks = figure_data.contacts[0].peaks();
        let at = |from: f64, to: f64| {
            let inside = peaks.iter().filter(move |(interval, _)| {
                (from..to).contains(&figure_data.interval_time(*interval))
            });
            inside.map(|(_, peak)| *peak).collect::<Vec<_>>()
        };
        // A fall of 0.1 m takes 0.1414 s; an impact at 1.414 m/s on 20 kN/m has a force of about 170 N.
        assert!(at(0.0, 0.139).iter().all(|peak| *peak == 0.0));
        assert!(at(0.139, 0.16).iter().any(|peak| *peak > 100.0));
        assert!(at(0.139, 0.16).contains(&0.0), "it parts again");
        let resting = at(1.0, 2.0);
        assert!(resting.len() >= 100, "{}", resting.len());
        assert!(resting.iter().all(|peak| (peak - 10.0).abs() < 0.01), "{resting:?}");
    }
}
