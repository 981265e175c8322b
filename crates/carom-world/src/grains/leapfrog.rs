//! Leapfrog integration (kick, drift, forces, kick) with a fixed step.
//!
//! A step consists of one pass over pairs (`contact_forces`) and one over grains. The pass over grains sums the forces, and
//! combines the second half kick of a step with the first half kick and the drift of the next step. The two half kicks
//! remain separate operations, because a run may end between them.

use super::bed::Bed;
use super::cell_order::{Sphere, Twist};
use super::chunks::{CHUNK, ChunkPass, run_chunks, take_front};
use super::contact_block::Wrench;
use super::contact_forces;
use crate::math::Vec3;

/// Beds with at most this number of chunks run on one thread: starting another thread takes longer than it saves.
const MAX_CHUNKS_ON_ONE_THREAD: usize = 2;

/// Operations of a pass over grains.
#[derive(Clone, Copy)]
struct GrainOperations {
    /// Sum the contact forces into new accelerations.
    sum_forces: bool,
    /// End a step with a half kick.
    end_step: bool,
    /// Begin a step with a half kick and the drift.
    begin_step: bool,
}

impl Bed {
    /// Takes steps of length `h` (s).
    pub fn run(&mut self, h: f64, steps: usize) {
        self.load();
        self.closed_work.step = h;
        let chunks = self.position.len().div_ceil(CHUNK);
        match chunks > MAX_CHUNKS_ON_ONE_THREAD && rayon::current_num_threads() > 1 {
            // The thread pool is entered once for all steps, not once for each pass.
            true => rayon::scope(|_| self.take_steps(h, steps, true)),
            false => self.take_steps(h, steps, false),
        }
        self.store();
    }

    fn take_steps(&mut self, h: f64, steps: usize, parallel: bool) {
        if !self.has_forces {
            self.update_neighbours();
            contact_forces::compute(self, h, parallel);
            let sum = GrainOperations { sum_forces: true, end_step: false, begin_step: false };
            self.grain_pass(h, sum, parallel);
            self.store();
            self.start_ledger();
            self.has_forces = true;
        }
        if steps == 0 {
            return;
        }
        let begin = GrainOperations { sum_forces: false, end_step: false, begin_step: true };
        let mut outdated = self.grain_pass(h, begin, parallel);
        for step in 1..=steps {
            if outdated {
                self.update_neighbours();
            }
            contact_forces::compute(self, h, parallel);
            let whole =
                GrainOperations { sum_forces: true, end_step: true, begin_step: step < steps };
            outdated = self.grain_pass(h, whole, parallel);
        }
    }

    /// Runs a pass over all grains. Returns true if the neighbour list is outdated.
    fn grain_pass(&mut self, h: f64, operations: GrainOperations, parallel: bool) -> bool {
        let mut spheres = std::mem::take(&mut self.order.spheres);
        let mut velocities = std::mem::take(&mut self.order.velocities);
        let mut accelerations = std::mem::take(&mut self.order.accelerations);
        let pass = GrainPass {
            bed: self,
            first: 0,
            spheres: &mut spheres,
            velocities: &mut velocities,
            accelerations: &mut accelerations,
            h,
            operations,
        };
        let outdated = run_chunks(pass, parallel);
        (self.order.spheres, self.order.velocities) = (spheres, velocities);
        self.order.accelerations = accelerations;
        outdated
    }

    /// Returns the sum of all wrenches on a grain: first those from within its chunk, which have been summed already, then
    /// those from other chunks in the order of the list.
    #[inline]
    fn total_wrench(&self, slot: usize) -> Wrench {
        let mut sum = self.within_chunk[slot];
        for &pair in self.neighbours.from_other_chunks.of(slot) {
            sum += self.to_other_chunks[pair as usize];
        }
        sum
    }
}

/// Pass over the grains of consecutive chunks, beginning with slot `first`.
struct GrainPass<'a> {
    bed: &'a Bed,
    first: usize,
    spheres: &'a mut [Sphere],
    velocities: &'a mut [Twist],
    accelerations: &'a mut [Twist],
    h: f64,
    operations: GrainOperations,
}

impl ChunkPass for GrainPass<'_> {
    fn chunks(&self) -> usize {
        self.spheres.len().div_ceil(CHUNK)
    }

    fn take_front(&mut self, count: usize) -> Self {
        let count = count * CHUNK;
        let front = Self {
            spheres: take_front(&mut self.spheres, count),
            velocities: take_front(&mut self.velocities, count),
            accelerations: take_front(&mut self.accelerations, count),
            ..*self
        };
        self.first += count;
        front
    }

    fn run(self) -> bool {
        let Self { bed, first, h, operations, .. } = self;
        // A pair that is not listed cannot come into contact before one of its grains has moved by half the skin.
        let (half, limit) = (0.5 * h, 0.25 * bed.skin * bed.skin);
        let mut outdated = false;
        let columns = self.spheres.iter_mut().zip(self.velocities).zip(self.accelerations);
        for (i, ((sphere, velocity), acceleration)) in columns.enumerate() {
            let reference = &bed.order.references[first + i];
            let now = match operations.sum_forces {
                true => {
                    let Wrench { force, torque } = bed.total_wrench(first + i);
                    let inertia = 0.4 * reference.mass * sphere.radius * sphere.radius;
                    Twist {
                        linear: bed.gravity + force * (1.0 / reference.mass),
                        angular: torque * (1.0 / inertia),
                    }
                }
                false => *acceleration,
            };
            if !operations.begin_step {
                *acceleration = now;
            }
            let (kick, spin_kick) = (now.linear * half, now.angular * half);
            if operations.end_step {
                velocity.linear += kick;
                velocity.angular += spin_kick;
            }
            if operations.begin_step {
                velocity.linear += kick;
                velocity.angular += spin_kick;
                sphere.centre += velocity.linear * h;
                let moved: Vec3 = sphere.centre - reference.listed;
                outdated |= moved.dot(moved) > limit;
            }
        }
        outdated
    }
}
