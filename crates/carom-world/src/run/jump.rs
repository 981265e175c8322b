//! Jumps of a gap: places whose features change at a depth.
//!
//! Gaps are continuous as long as indentations are smaller than what edges are rounded (`gap/features.rs`). Deeper, the
//! features of a place may change from one instant to the next: an edge that was pressed past another slides off its
//! end, a corner leaves by another face. The gap then jumps, and with it the force. Nothing of that may make energy, so
//!
//! - a touch whose gap jumps to another overlap goes on with the indentation that it had: the change goes into its offset;
//! - a touch whose gap jumps open ends there, and what it had stored is lost;
//! - a place that is found at a depth overlaps without a touch; when it closes further, a touch begins with no indentation
//!   (`Event::Press`, `onset.rs`).
//!
//! A gap has jumped where it changes by ten times more than the bodies move. A step across a jump is mostly refused however
//! short it is. So where steps have been refused several times, and are so short that no body moves by more than 1e-10 of its
//! size, the step is taken ([`Run::jump`]). One so short that the jump of the force makes no error is accepted, and the
//! touches are mended there ([`Run::leapt`]).

use super::Run;
use crate::detect::{Event, hair, speed_bound};
use crate::state::Phase;
use crate::world::World;

/// Changes of a gap below this, of the size of the smaller body, are not told from rounding and motion.
const JUMP: f64 = 1e-8;
/// Steps that move bodies by less than this share of their size may be taken across a jump.
const SHORT: f64 = 1e-10;

/// Size of the smaller of two bodies.
fn size(world: &World, a: usize, b: usize) -> f64 {
    let reach = [a, b].map(|body| world.columns.reach[body]);
    let least = reach.into_iter().filter(|r| *r > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// The least overlap that a place of two bodies cannot have come to by moving there (m).
pub(crate) fn least(world: &World, a: usize, b: usize) -> f64 {
    JUMP * size(world, a, b)
}

impl Run<'_> {
    /// Where the step that was just refused is short and a gap jumps in it: mends the touches, so that the step can be taken, and
    /// gives the touch that ends, if one does.
    pub(super) fn jump(&mut self) -> Option<Option<Event>> {
        let world = self.world;
        let (begun, h) = (self.stepper.begun(), self.stepper.length());
        self.arrived = false;
        self.dynamics.read(world, self.state.layout, begun + h, self.stepper.end());
        let short = self.state.touches.iter().all(|touch| {
            let (a, b) = world.bodies_at(touch.site);
            speed_bound(world, &self.dynamics, touch.site) * h <= SHORT * size(world, a, b)
        });
        if short { self.mend(0.0) } else { None }
    }

    /// The same for a step that was accepted, whose end the bodies have been brought to.
    pub(super) fn leapt(&mut self) -> Option<Option<Event>> {
        self.mend(JUMP)
    }

    /// Mends the touches whose gap changed in the step by more than its bodies moved, and by more than a share of their size.
    fn mend(&mut self, share: f64) -> Option<Option<Event>> {
        let (world, h) = (self.world, self.stepper.length());
        let (mut found, mut ended) = (false, None);
        for (index, touch) in self.state.touches.iter_mut().enumerate() {
            if touch.phase == Phase::Idle {
                continue;
            }
            let (gap, a, b) = self.dynamics.gap(world, touch.site);
            // Where a step ends at a turn the bodies stand still, and have moved.
            let speed = speed_bound(world, &self.dynamics, touch.site);
            let moved = speed.max(2.0 * self.state.fastest) * h;
            let jumped = -gap.distance - touch.offset - touch.delta;
            let rounding = 8.0 * hair(world, &self.dynamics, a, b);
            if !(jumped.abs() > 10.0 * moved + rounding + share * size(world, a, b)) {
                continue;
            }
            found = true;
            match gap.distance > 0.0 {
                // (Others that end with it are found by the next step.)
                true => {
                    touch.loading = false;
                    ended = ended.or(Some(Event::Part(index)));
                }
                false => touch.offset += jumped,
            }
        }
        self.arrived &= !found;
        found.then_some(ended)
    }

    /// Of the overlapping sites that close where the step ends, keeps those that go on to close: their overlap grows by at least
    /// half of what its rate says while the bodies move on by 1e-6 of their size. Where the features of a place take turns
    /// from one instant to the next, one of them closing and the other opening, touches would begin and end without end.
    pub(crate) fn keep_presses(&mut self, landed: bool) {
        let (world, layout) = (self.world, self.state.layout);
        let end = self.stepper.begun() + self.stepper.length();
        let slope = if landed { &self.beyond } else { &self.ahead };
        let (dynamics, ending, soon) = (&mut self.dynamics, &self.ending, &mut self.buffer);
        self.arrived = false;
        self.events.retain(|event| {
            let Event::Press(site) = *event else { return true };
            dynamics.read(world, layout, end, ending);
            let (now, a, b) = dynamics.gap(world, site);
            let closing = -now.opening_rate(&dynamics.moving[a], &dynamics.moving[b]);
            let time = 1e-6 * size(world, a, b) / speed_bound(world, dynamics, site);
            soon.clear();
            soon.extend(ending.iter().zip(slope).map(|(y, rate)| y + time * rate));
            dynamics.read(world, layout, end + time, soon);
            now.distance - dynamics.gap(world, site).0.distance > 0.5 * closing * time
        });
        dynamics.read(world, layout, end, ending);
    }

    /// By how much the overlap at a site jumped up at the very end of the step; 0 where it moved there.
    pub(crate) fn jumped(&mut self, site: usize) -> f64 {
        let (world, layout) = (self.world, self.state.layout);
        let h = self.stepper.length();
        let (gap, a, b) = self.dynamics.gap(world, site);
        let travelled = 1e-6 * speed_bound(world, &self.dynamics, site) * h;
        self.interpolate();
        let before = self.stepper.begun() + (1.0 - 1e-6) * h;
        self.buffer.resize(self.stepper.start().len(), 0.0);
        self.stepper.at(before, &mut self.buffer);
        self.dynamics.read(world, layout, before, &self.buffer);
        let jumped = self.dynamics.gap(world, site).0.distance - gap.distance;
        self.dynamics.read(world, layout, self.state.time, &self.state.y);
        if jumped > least(world, a, b) + 2.0 * travelled { jumped } else { 0.0 }
    }
}
