//! The whole state once a turn, and after how many turns it is the same.

use crate::math::Vec3;
use crate::observe::Piece;
use crate::shape::Shape;

/// Parts of the state are the same when they differ by no more than this share of their range.
const SAME: f64 = 0.01;
/// A range below this share of the largest of its kind is rounding.
const LEAST: f64 = 1e-6;

/// Kinds of parts; each is compared within its kind.
const PLACE: usize = 0;
const SPEED: usize = 1;
const TURN: usize = 2;
const SPIN: usize = 3;
const KINDS: usize = 4;

/// The state as vectors, each of a kind, and which contacts touch.
#[derive(Clone, Debug, Default, PartialEq)]
struct Parts {
    vectors: Vec<(usize, Vec3)>,
    touching: Vec<bool>,
}

/// States at the section, and the ranges of their parts over all samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Whole {
    section: Vec<Parts>,
    /// The first sample, and how far each part has been from it.
    first: Parts,
    ranges: Vec<f64>,
}

impl Whole {
    /// Takes a sample into account.
    pub fn sample(&mut self, piece: &Piece, at_section: bool) {
        let now = Parts::of(piece);
        if self.ranges.is_empty() {
            self.ranges = vec![0.0; now.vectors.len()];
            self.first = now.clone();
        }
        let both = self.first.vectors.iter().zip(&now.vectors);
        for (range, ((_, first), (_, now))) in self.ranges.iter_mut().zip(both) {
            *range = range.max((*now - *first).length());
        }
        if at_section {
            self.section.push(now);
        }
    }

    /// The smallest number of turns after which all parts are the same, up to a third of the turns.
    pub fn repeats(&self) -> Option<usize> {
        let mut largest = [0.0f64; KINDS];
        for (&(kind, _), &range) in self.first.vectors.iter().zip(&self.ranges) {
            largest[kind] = largest[kind].max(range);
        }
        let same = |a: &Parts, b: &Parts| {
            let parts = a.vectors.iter().zip(&b.vectors).zip(&self.ranges);
            let mut off = parts.map(|((one, two), range)| {
                (two.1 - one.1).length() / range.max(LEAST * largest[one.0])
            });
            a.touching == b.touching && off.all(|off| off.is_nan() || off <= SAME)
        };
        let turns = &self.section;
        (1..=turns.len() / 3).find(|&p| turns.iter().zip(&turns[p..]).all(|(a, b)| same(a, b)))
    }
}

impl Parts {
    fn of(piece: &Piece) -> Self {
        let (world, state) = (piece.world, piece.state);
        let mut vectors = Vec::new();
        for &body in &world.free {
            let Some(pose) = state.body(world, body) else { continue };
            vectors.extend([(PLACE, pose.position), (SPEED, pose.velocity), (SPIN, pose.spin)]);
            // Two axes of the body say how it is turned, and are the same after a full turn.
            vectors.extend([Vec3::X, Vec3::Y].map(|axis| (TURN, pose.rotation.turn(axis))));
        }
        // Pins move little against the bodies they are on, so they are compared by themselves.
        for contact in &world.contacts {
            let shapes = [contact.a, contact.b].map(|index| &world.shapes[index]);
            let hollow = |shape: &Shape| matches!(shape, Shape::Bore { .. } | Shape::Socket { .. });
            if shapes.iter().any(|placed| hollow(&placed.shape)) {
                let [(a, va), (b, vb)] = shapes.map(|placed| {
                    let body = state.place(world, placed.body);
                    let at = body.x + body.q.turn(placed.position);
                    (at, body.velocity_at(at))
                });
                vectors.extend([(PLACE, a - b), (SPEED, va - vb)]);
            }
        }
        let mut touching = vec![false; world.contacts.len()];
        for touch in state.touches() {
            touching[touch.site(world).0] = true;
        }
        Self { vectors, touching }
    }
}
