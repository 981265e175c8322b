//! What figures are drawn from: a bounded choice of a run, whatever its length.
//!
//! A run may leave gigabytes; a figure is a thousand pixels wide. The gallery keeps a thinned course of
//! energies and of a few bodies (every second sample is dropped when there are too many), the largest force
//! of each contact in each of many equal shares of the run (so that no peak is lost), the force over the
//! indentation through the first and the hardest touch of each contact, and the paths of pins in bores and
//! sockets. It is part of a checkpoint, so figures do not change when a run is stopped and resumed.

use crate::math::Vec3;
use crate::observe::Ended;
use crate::shape::Shape;
use crate::{ContactForce, Piece, World};
use serde::{Deserialize, Serialize};

/// Most bodies and contacts that are followed one by one.
pub const MOST: usize = 6;
/// Most rows of a course.
const ROWS: usize = 2048;
/// Shares of the run for the largest forces.
pub const SHARES: usize = 1200;
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
    /// Largest force in each share of the run.
    peaks: Vec<u64>,
    first: Option<Loop>,
    hardest: Option<(u64, Loop)>,
    /// Places that touch now, and their points so far.
    open: Vec<(usize, Loop)>,
}

impl Kept {
    /// The largest force in each share of the run (N).
    pub fn peaks(&self) -> Vec<f64> {
        self.peaks.iter().map(|&bits| f64::from_bits(bits)).collect()
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
    pub fn new(world: &World, follow: &[usize], duration: f64) -> Self {
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
            share: (duration / SHARES as f64).to_bits(),
            followed,
        }
    }

    /// The middle of a share of the run (s).
    pub fn share_time(&self, share: usize) -> f64 {
        f64::from_bits(self.share) * (share as f64 + 0.5)
    }

    /// A regular sample: energies and bodies.
    pub(super) fn sample(&mut self, piece: &Piece, energies: &[f64; 9]) {
        let mut row = vec![piece.time];
        row.extend(energies);
        for &body in &self.followed {
            let pose = piece.state().place(piece.world, body);
            row.extend([pose.x.x, pose.x.y, pose.x.z, pose.v.x, pose.v.y, pose.v.z]);
        }
        self.course.push(&row);
    }

    /// Any sample: forces and paths.
    pub(super) fn forces(&mut self, piece: &Piece, forces: &[ContactForce]) {
        for force in forces {
            let share = (piece.time / f64::from_bits(self.share)).max(0.0) as usize;
            let Some(kept) = self.kept(force.contact) else { continue };
            if let Some(peak) = kept.peaks.get_mut(share.min(SHARES - 1)) {
                *peak = f64::from_bits(*peak).max(force.force).to_bits();
            }
            let point = (force.indentation.to_bits(), force.force.to_bits());
            match kept.open.iter_mut().find(|(place, _)| *place == force.place) {
                Some((_, points)) if points.len() < POINTS => points.push(point),
                Some(_) => {}
                None => kept.open.push((force.place, vec![point])),
            }
        }
        for orbit in &mut self.orbits {
            let (x, y) = centre(piece, orbit.contact, orbit.sideways);
            orbit.path.push(&[piece.time, x, y]);
        }
    }

    /// A touch that has ended.
    pub(super) fn ended(&mut self, ended: &Ended) {
        let Some(kept) = self.kept(ended.contact) else { return };
        let Some(at) = kept.open.iter().position(|(place, _)| *place == ended.place) else {
            return;
        };
        let (_, mut points) = kept.open.remove(at);
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
            && self.share == other.share
    }

    fn kept(&mut self, contact: usize) -> Option<&mut Kept> {
        let at = match self.contacts.iter().position(|kept| kept.contact == contact) {
            Some(at) => at,
            None if self.contacts.len() < MOST => {
                let peaks = vec![0f64.to_bits(); SHARES];
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
