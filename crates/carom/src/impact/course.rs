//! The course of an impact as pieces that can be asked for the state at any time: what fitting needs.

use super::flight::{Flight, Piece, internal};
use super::{Conditions, check};
use crate::error::Result;
use crate::law::{Force, Law, Memory, Work};

/// Where an impact is at one time: what a law is asked with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub delta: f64,
    pub rate: f64,
    /// With the time since touch and the internal state of this instant.
    pub memory: Memory,
}

/// Steps of a law without and with an internal state.
enum Pieces {
    Plain(Vec<Piece<2>>),
    Internal(Vec<Piece<3>>),
}

/// A flown impact: every accepted step with its dense output.
pub(crate) struct Course {
    pieces: Pieces,
    /// End of contact (s), or of what was flown where contact never ends.
    pub end: f64,
    /// Time of the largest indentation (s).
    pub turn: f64,
    pub separated: bool,
    pub mass: f64,
    pub external: f64,
    pub force_max: (f64, f64),
}

impl Course {
    /// Flies the impact of a law.
    pub fn new(law: &Law, speed: f64, conditions: &Conditions) -> Result<Self> {
        check(law, speed, conditions)?;
        struct Run<'a>(&'a Law, f64, f64);
        impl Work for Run<'_> {
            type Output = Result<Course>;
            fn run<F: Force>(self, form: F) -> Result<Course> {
                match F::INTERNAL {
                    true => self.fly::<F, 3>(form, Pieces::Internal),
                    false => self.fly::<F, 2>(form, Pieces::Plain),
                }
            }
        }
        impl Run<'_> {
            fn fly<F: Force, const N: usize>(
                self,
                form: F,
                keep: fn(Vec<Piece<N>>) -> Pieces,
            ) -> Result<Course> {
                let Run(law, speed, external) = self;
                let memory = form.touch(law.mass, speed);
                let flight = Flight::new(form, law.mass, law.exit, external);
                let mut pieces = Vec::with_capacity(64);
                let flown = flight.fly(memory, Some(&mut pieces), true)?;
                let (turn, end) = match (flown.time_of_turn(), flown.duration) {
                    (turn, end) if end.is_finite() => (turn, end),
                    (turn, _) if turn.is_finite() => (turn, 5.0 * turn),
                    // It settles under a force without a turn: as far as it was followed.
                    _ => {
                        let followed = pieces.last().map_or(0.0, |piece: &Piece<N>| piece.end);
                        (followed, followed)
                    }
                };
                Ok(Course {
                    pieces: keep(pieces),
                    end,
                    turn,
                    separated: flown.separated,
                    mass: law.mass,
                    external,
                    force_max: flown.force_max,
                })
            }
        }
        law.with(Run(law, speed, conditions.external_force))
    }

    /// How many steps it took.
    pub fn len(&self) -> usize {
        match &self.pieces {
            Pieces::Plain(pieces) => pieces.len(),
            Pieces::Internal(pieces) => pieces.len(),
        }
    }

    /// Where a step ends.
    fn end_of(&self, piece: usize) -> Option<f64> {
        match &self.pieces {
            Pieces::Plain(pieces) => pieces.get(piece).map(|piece| piece.end),
            Pieces::Internal(pieces) => pieces.get(piece).map(|piece| piece.end),
        }
    }

    /// Beginning and end of a step, none beyond the last.
    pub fn span(&self, piece: usize) -> Option<(f64, f64)> {
        let end = self.end_of(piece)?;
        let start = match piece {
            0 => 0.0,
            _ => self.end_of(piece - 1)?,
        };
        Some((start, end))
    }

    /// The state at a time within a step.
    pub fn within(&self, piece: usize, t: f64) -> Option<Point> {
        match &self.pieces {
            Pieces::Plain(pieces) => pieces.get(piece).map(|piece| point(piece, t)),
            Pieces::Internal(pieces) => pieces.get(piece).map(|piece| point(piece, t)),
        }
    }

    /// The step that holds a time since touch.
    pub fn piece_at(&self, t: f64) -> usize {
        let found = match &self.pieces {
            Pieces::Plain(pieces) => pieces.partition_point(|piece| piece.end < t),
            Pieces::Internal(pieces) => pieces.partition_point(|piece| piece.end < t),
        };
        found.min(self.len().saturating_sub(1))
    }

    /// The state at a time since touch; none outside the contact.
    pub fn at(&self, t: f64) -> Option<Point> {
        match (0.0..=self.end).contains(&t) {
            true => self.within(self.piece_at(t), t),
            false => None,
        }
    }
}

/// The state at a time within a step.
fn point<const N: usize>(Piece { dense, memory, end }: &Piece<N>, t: f64) -> Point {
    // A contact that creeps beyond the last step stays where that ended.
    let t = t.min(*end);
    let y = dense.at(t);
    let memory = Memory { time: t, internal: internal(&y, memory), ..*memory };
    Point { delta: y[0], rate: y[1], memory }
}
