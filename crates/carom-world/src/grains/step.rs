//! Steps of the leapfrog: contacts in one pass over pairs, all the rest in one pass over grains.
//!
//! The second half kick of a step, the first of the next and the drift are one pass, which also sums the forces
//! and sees who has gone far. The half kicks stay two: a bed may be stopped between them.

use super::share::{CHUNK, Share, share};
use super::sorted::{Drive, Motion, Place};
use super::{Bed, Push, contacts};
use crate::math::Vec3;

/// Beds of up to so many chunks stay on one thread: waking another takes as long as it would help.
const FEW: usize = 2;

/// What a pass over grains does.
#[derive(Clone, Copy)]
struct Pass {
    /// Sums forces.
    sums: bool,
    /// Ends a step by half a kick.
    ends: bool,
    /// Begins one by half a kick and a drift.
    begins: bool,
}

impl Bed {
    /// Takes steps of length `h` (s).
    pub fn run(&mut self, h: f64, steps: usize) {
        self.load();
        self.closed.step = h;
        let chunks = self.position.len().div_ceil(CHUNK);
        match chunks > FEW && rayon::current_num_threads() > 1 {
            // Within the pool once, not once for each pass.
            true => rayon::scope(|_| self.steps(h, steps, true)),
            false => self.steps(h, steps, false),
        }
        self.store();
    }

    fn steps(&mut self, h: f64, steps: usize, together: bool) {
        if !self.fresh {
            self.list();
            contacts::forces(self, h, together);
            self.pass(h, Pass { sums: true, ends: false, begins: false }, together);
            self.store();
            self.open_books();
            self.fresh = true;
        }
        if steps == 0 {
            return;
        }
        let begin = Pass { sums: false, ends: false, begins: true };
        let mut moved = self.pass(h, begin, together);
        for step in 1..=steps {
            if moved {
                self.list();
            }
            contacts::forces(self, h, together);
            let pass = Pass { sums: true, ends: true, begins: step < steps };
            moved = self.pass(h, pass, together);
        }
    }

    /// A pass over all grains; whether neighbours must be listed again.
    fn pass(&mut self, h: f64, pass: Pass, together: bool) -> bool {
        let mut place = std::mem::take(&mut self.sorted.place);
        let mut motion = std::mem::take(&mut self.sorted.motion);
        let mut drive = std::mem::take(&mut self.sorted.drive);
        let (bed, begun) = (&*self, 0);
        let (p, m, d) = (&mut place[..], &mut motion[..], &mut drive[..]);
        let grains = Grains { bed, begun, place: p, motion: m, drive: d, h, pass };
        let moved = share(grains, together);
        (self.sorted.place, self.sorted.motion, self.sorted.drive) = (place, motion, drive);
        moved
    }
}

/// Grains from `begun` on.
struct Grains<'a> {
    bed: &'a Bed,
    begun: usize,
    place: &'a mut [Place],
    motion: &'a mut [Motion],
    drive: &'a mut [Drive],
    h: f64,
    pass: Pass,
}

impl Share for Grains<'_> {
    fn chunks(&self) -> usize {
        self.place.len().div_ceil(CHUNK)
    }

    fn split(self, at: usize) -> (Self, Self) {
        let Self { bed, begun, place, motion, drive, h, pass } = self;
        let at = at * CHUNK;
        let (place, places) = place.split_at_mut(at);
        let (motion, motions) = motion.split_at_mut(at);
        let (drive, drives) = drive.split_at_mut(at);
        let rest = begun + at;
        (
            Self { bed, begun, place, motion, drive, h, pass },
            Self { bed, begun: rest, place: places, motion: motions, drive: drives, h, pass },
        )
    }

    fn run(self) -> bool {
        let Self { bed, begun, h, pass, .. } = self;
        let (half, most) = (0.5 * h, 0.25 * bed.skin * bed.skin);
        let mut moved = false;
        let columns = self.place.iter_mut().zip(self.motion).zip(self.drive);
        for (i, ((place, motion), drive)) in columns.enumerate() {
            let root = &bed.sorted.root[begun + i];
            let now = match pass.sums {
                true => {
                    let Push { force, turn } = bed.sum(begun + i);
                    let acceleration = bed.gravity + force * (1.0 / root.mass);
                    let inertia = 0.4 * root.mass * place.radius * place.radius;
                    let turning = turn * (1.0 / inertia);
                    Drive { acceleration, turning }
                }
                false => *drive,
            };
            if !pass.begins {
                *drive = now;
            }
            let (push, turn) = (now.acceleration * half, now.turning * half);
            if pass.ends {
                motion.velocity += push;
                motion.spin += turn;
            }
            if pass.begins {
                motion.velocity += push;
                motion.spin += turn;
                place.at += motion.velocity * h;
                let way: Vec3 = place.at - root.listed;
                moved |= way.dot(way) > most;
            }
        }
        moved
    }
}

impl Bed {
    /// All that pushes a grain: from within its chunk, already summed, then from others, in the order of the list.
    #[inline]
    fn sum(&self, grain: usize) -> Push {
        let mut sum = self.own[grain];
        for &contact in &self.of[self.first[grain] as usize..self.first[grain + 1] as usize] {
            sum += self.back[contact as usize];
        }
        sum
    }
}
