//! What figures are drawn from: a bounded choice of a run, whatever its length.
//!
//! A run may leave gigabytes; a figure is a thousand pixels wide. The gallery keeps a thinned course of
//! energies and of a few bodies (every second sample is dropped when there are too many), the largest force
//! of each contact in each of many equal shares of the run (so that no peak is lost; shares become twice as long when
//! there are too many), the force over the indentation through the first and the hardest touch of each contact, and
//! the paths of pins in bores and sockets. It is part of a checkpoint and does not depend on how long the run will be,
//! so figures do not change when a run is stopped and resumed, or extended.

use crate::math::Vec3;
use crate::observe::Ended;
use crate::shape::Shape;
use crate::{ContactForce, Energies, Piece, World};
use serde::{Deserialize, Serialize};

/// Most bodies and contacts that are followed one by one.
pub const MOST: usize = 6;
/// Most rows of a course.
const ROWS: usize = 2048;
/// Most shares of the run for the largest forces; a run of any length has at least half as many.
pub const SHARES: usize = 2048;
/// The shortest share (s): a power of two, so that halves and doubles are exact.
const SHORTEST: f64 = 1.0 / (1u64 << 60) as f64;
/// Most points of a touch.
const POINTS: usize = 400;

/// Rows of equal width, thinned when there are too many.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    width: usize,
    most: usize,
    stride: u64,
    seen: u64,
    /// The numbers by their bits, row by row.
    bits: Vec<u64>,
}

impl Course {
    /// Without rows.
    pub fn new(width: usize, most: usize) -> Self {
        Self { width: width.max(1), most, stride: 1, seen: 0, bits: Vec::new() }
    }

    /// Adds a row, or leaves it out.
    pub fn push(&mut self, row: &[f64]) {
        if self.seen.is_multiple_of(self.stride) {
            self.bits.extend(row.iter().map(|x| x.to_bits()));
        }
        self.seen += 1;
        if self.bits.len() >= self.most * self.width {
            let rows = self.bits.chunks(self.width).step_by(2).map(<[u64]>::to_vec);
            self.bits = rows.collect::<Vec<_>>().concat();
            self.stride *= 2;
        }
    }

    /// True when another has rows of the same kind.
    pub(crate) fn alike(&self, other: &Self) -> bool {
        (self.width, self.most) == (other.width, other.most)
    }

    /// A column.
    pub fn column(&self, number: usize) -> Vec<f64> {
        let rows = self.bits.chunks(self.width);
        rows.map(|row| row.get(number).map_or(f64::NAN, |&bits| f64::from_bits(bits))).collect()
    }
}

/// Force over indentation, point by point, by the bits.
type Loop = Vec<(u64, u64)>;

/// What is kept of one contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Contact of the world.
    pub contact: usize,
    /// Largest force in each share of the run; not a number where nobody looked.
    peaks: Vec<u64>,
    first: Option<Loop>,
    hardest: Option<(u64, Loop)>,
    /// Places that touch now, and their points so far.
    open: Vec<(usize, Loop)>,
}

impl Kept {
    /// The largest force (N) in each share of the run, by its number. Shares without a sample are left out:
    /// a contact that lasts is looked at less often than there are shares, and has not let go in between.
    pub fn peaks(&self) -> Vec<(usize, f64)> {
        let peaks = self.peaks.iter().map(|&bits| f64::from_bits(bits)).enumerate();
        peaks.filter(|(_, peak)| !peak.is_nan()).collect()
    }

    /// A force of this size in a share of the run; a number wins over none.
    fn peak(&mut self, share: usize, force: f64) {
        if let Some(peak) = self.peaks.get_mut(share) {
            *peak = f64::from_bits(*peak).max(force).to_bits();
        }
    }

    /// Two shares become one.
    fn halve(&mut self) {
        let peaks: Vec<f64> = self.peaks.iter().map(|&bits| f64::from_bits(bits)).collect();
        let mut halved: Vec<u64> = peaks
            .chunks(2)
            .map(|two| two.iter().copied().fold(f64::NAN, f64::max).to_bits())
            .collect();
        halved.resize(SHARES, f64::NAN.to_bits());
        self.peaks = halved;
    }

    /// Indentations and forces through touches worth showing, with a name for each.
    pub fn loops(&self) -> Vec<(&'static str, Vec<(f64, f64)>)> {
        let points = |points: &Loop| {
            points.iter().map(|&(a, b)| (f64::from_bits(a), f64::from_bits(b))).collect::<Vec<_>>()
        };
        let mut found = Vec::new();
        if let Some((_, hardest)) = &self.hardest {
            found.push(("hardest touch", points(hardest)));
        }
        match &self.first {
            Some(first) if self.hardest.as_ref().is_none_or(|(_, hard)| hard != first) => {
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

/// The path of a pin in its bore, or of a ball in its socket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orbit {
    /// Contact of the world.
    pub contact: usize,
    /// Difference of the radii, by its bits.
    clearance: u64,
    /// Seen along y: a ball in a socket, in space.
    pub sideways: bool,
    /// Time and the two coordinates of the centre in the axes of the bore.
    pub path: Course,
}

impl Orbit {
    /// Difference of the radii (m).
    pub fn clearance(&self) -> f64 {
        f64::from_bits(self.clearance)
    }
}

/// What figures are drawn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gallery {
    /// Bodies that are followed.
    pub followed: Vec<usize>,
    /// Time, the nine energies of the ledger, then position and velocity of each body.
    pub course: Course,
    /// Contacts that touched.
    pub contacts: Vec<Kept>,
    /// Paths of pins.
    pub orbits: Vec<Orbit>,
    share: u64,
}

impl Gallery {
    /// For a run of this world, with the bodies to follow (all that move, where none are named).
    pub fn new(world: &World, follow: &[usize]) -> Self {
        let moving = || (0..world.bodies().len()).filter(|&b| world.columns.slot[b].is_some());
        let followed: Vec<usize> = match follow.is_empty() {
            true => moving().take(MOST).collect(),
            false => follow.iter().copied().take(MOST).collect(),
        };
        let orbits = world.contacts().iter().enumerate().filter_map(|(contact, pair)| {
            let radii = [pair.a, pair.b].map(|shape| radius(&world.shapes()[shape].shape));
            let clearance = match radii {
                [(Some(pin), None), (None, Some(bore))]
                | [(None, Some(bore)), (Some(pin), None)] => bore - pin,
                _ => return None,
            };
            let path = Course::new(3, 4 * ROWS);
            let socket = |shape: usize| matches!(world.shapes()[shape].shape, Shape::Socket { .. });
            let sideways = !world.planar && (socket(pair.a) || socket(pair.b));
            Some(Orbit { contact, clearance: clearance.to_bits(), sideways, path })
        });
        Self {
            course: Course::new(10 + 6 * followed.len(), ROWS),
            orbits: orbits.take(MOST).collect(),
            contacts: Vec::new(),
            share: SHORTEST.to_bits(),
            followed,
        }
    }

    /// The middle of a share of the run (s).
    pub fn share_time(&self, share: usize) -> f64 {
        f64::from_bits(self.share) * (share as f64 + 0.5)
    }

    /// A regular sample: energies and bodies.
    pub(super) fn sample(&mut self, piece: &Piece, e: &Energies) {
        let mut row = vec![
            piece.time,
            e.kinetic,
            e.potential,
            e.stored,
            e.lost_in_contacts,
            e.lost_to_friction,
            e.lost_in_dampers,
            e.work_of_forces,
            e.work_of_drives,
            e.error,
        ];
        for &body in &self.followed {
            let pose = piece.state().place(piece.world, body);
            row.extend([pose.x.x, pose.x.y, pose.x.z, pose.v.x, pose.v.y, pose.v.z]);
        }
        self.course.push(&row);
    }

    /// Any sample: forces and paths.
    pub(super) fn forces(&mut self, piece: &Piece, forces: &[ContactForce]) {
        let share = self.share_of(piece.time);
        for force in forces {
            let Some(kept) = self.kept(force.contact, share) else { continue };
            // A touch that begins rises from nothing in the share before.
            if kept.open.is_empty() {
                kept.peak(share.wrapping_sub(1), 0.0);
            }
            kept.peak(share, force.force);
            let point = (force.indentation.to_bits(), force.force.to_bits());
            match kept.open.iter_mut().find(|(place, _)| *place == force.place) {
                Some((_, points)) if points.len() < POINTS => points.push(point),
                Some(_) => {}
                None => kept.open.push((force.place, vec![point])),
            }
        }
        for kept in self.contacts.iter_mut().filter(|kept| kept.open.is_empty()) {
            kept.peak(share, 0.0);
        }
        for orbit in &mut self.orbits {
            let (x, y) = centre(piece, orbit.contact, orbit.sideways);
            orbit.path.push(&[piece.time, x, y]);
        }
    }

    /// A touch that has ended.
    pub(super) fn ended(&mut self, ended: &Ended) {
        let share = self.share_of(ended.ended);
        let Some(kept) = self.kept(ended.contact, share) else { return };
        let Some(at) = kept.open.iter().position(|(place, _)| *place == ended.place) else {
            return;
        };
        let (_, mut points) = kept.open.remove(at);
        // And one that ends has nothing left in the share after.
        if kept.open.is_empty() {
            kept.peak(share + 1, 0.0);
        }
        // Surfaces part where there is neither indentation nor force.
        points.push((0, 0));
        if kept.first.is_none() {
            kept.first = Some(points.clone());
        }
        let force = points.iter().map(|&(_, force)| f64::from_bits(force)).fold(0.0, f64::max);
        if kept.hardest.as_ref().is_none_or(|(known, _)| force > f64::from_bits(*known)) {
            kept.hardest = Some((force.to_bits(), points));
        }
    }

    /// True when another is of the same scene, so that it can be gone on with.
    pub(super) fn alike(&self, other: &Self) -> bool {
        let orbits = |gallery: &Self| gallery.orbits.iter().map(|o| o.contact).collect::<Vec<_>>();
        self.followed == other.followed
            && self.course.alike(&other.course)
            && orbits(self) == orbits(other)
            && self.orbits.iter().zip(&other.orbits).all(|(a, b)| a.path.alike(&b.path))
    }

    /// The share of the run in which a time lies; shares become longer where it lies beyond them.
    fn share_of(&mut self, time: f64) -> usize {
        let mut share = f64::from_bits(self.share);
        while time.is_finite() && time >= SHARES as f64 * share {
            share *= 2.0;
            self.contacts.iter_mut().for_each(Kept::halve);
        }
        self.share = share.to_bits();
        ((time / share).max(0.0) as usize).min(SHARES - 1)
    }

    /// What is kept of a contact, which may have its first touch in this share.
    fn kept(&mut self, contact: usize, share: usize) -> Option<&mut Kept> {
        let at = match self.contacts.iter().position(|kept| kept.contact == contact) {
            Some(at) => at,
            None if self.contacts.len() < MOST => {
                let mut peaks = vec![f64::NAN.to_bits(); SHARES];
                peaks.iter_mut().take(share).for_each(|peak| *peak = 0f64.to_bits());
                let kept = Kept { contact, peaks, first: None, hardest: None, open: Vec::new() };
                self.contacts.push(kept);
                self.contacts.len() - 1
            }
            None => return None,
        };
        self.contacts.get_mut(at)
    }
}

/// Radius of a pin or ball, and of a bore or socket.
fn radius(shape: &Shape) -> (Option<f64>, Option<f64>) {
    match *shape {
        Shape::Sphere { radius } | Shape::Cylinder { radius, .. } => (Some(radius), None),
        Shape::Socket { radius } | Shape::Bore { radius, .. } => (None, Some(radius)),
        _ => (None, None),
    }
}

/// Where the centre of the pin is, in the axes of the bore.
fn centre(piece: &Piece, contact: usize, sideways: bool) -> (f64, f64) {
    let world = piece.world;
    let pair = &world.contacts()[contact];
    let outer = |shape: usize| radius(&world.shapes()[shape].shape).1.is_some();
    let (pin, bore) = if outer(pair.a) { (pair.b, pair.a) } else { (pair.a, pair.b) };
    let place = |shape: usize| {
        let placed = &world.shapes()[shape];
        let body = piece.state().place(world, placed.body);
        (body.x + body.q.turn(placed.position), body.q * placed.rotation)
    };
    let ((pin, _), (bore, axes)) = (place(pin), place(bore));
    let way: Vec3 = axes.inverse().turn(pin - bore);
    if sideways { (way.x, way.z) } else { (way.x, way.y) }
}

#[cfg(test)]
mod tests {
    use crate::Scene;
    use crate::record::BodySimulation;
    use carom_store::Simulation;

    #[test]
    fn a_contact_that_lasts_does_not_let_go_between_samples() {
        // It falls, bounces and comes to rest; looked at 200 times, with six shares to each.
        let text = r#"
            [simulation]
            duration = 2
            sample = 0.01
            gravity = 10
            [[body]]
            name = "ball"
            shape = "sphere"
            radius = 0.1
            mass = 1
            position = [0, 0, 0.2]
            [[contact]]
            between = ["ball", "ground"]
            law = "kelvin-voigt-1865"
            stiffness = "20 kN/m"
            exponent = 1
            restitution = 0.1
            calibration = "exact"
        "#;
        let scene = Scene::parse(text, &|_| Err("none".into())).unwrap();
        let mut run = BodySimulation::new(&scene).unwrap();
        while !run.done() {
            run.step(1).unwrap();
        }
        let gallery = run.gallery();
        let peaks = gallery.contacts[0].peaks();
        let at = |from: f64, to: f64| {
            let inside = peaks
                .iter()
                .filter(move |(share, _)| (from..to).contains(&gallery.share_time(*share)));
            inside.map(|(_, peak)| *peak).collect::<Vec<_>>()
        };
        // 0.1 m take 0.1414 s; an impact of 1.414 m/s on 20 kN/m is one of some 170 N.
        assert!(at(0.0, 0.139).iter().all(|peak| *peak == 0.0));
        assert!(at(0.139, 0.16).iter().any(|peak| *peak > 100.0));
        assert!(at(0.139, 0.16).contains(&0.0), "it parts again");
        let resting = at(1.0, 2.0);
        assert!(resting.len() >= 100, "{}", resting.len());
        assert!(resting.iter().all(|peak| (peak - 10.0).abs() < 0.01), "{resting:?}");
    }
}
