//! Forces and memories of one contact, and of columns of contacts with one law.
//!
//! Functions of columns dispatch on the form of the law once per call, and use the vector instructions of the machine.

use crate::boundary::{above_zero, column, column_mut, number, one, one_mut, status};
use crate::law::carom_law;
use carom::law::{Force, Law, Memory, Work};
use std::ffi::c_int;
use std::mem::offset_of;

/// What one contact remembers, from touch to separation: plain numbers, to be copied, stored and sent as the caller likes.
/// Which of them a law uses, carom_law_memory_size says.
#[repr(C)]
pub struct carom_memory {
    /// Approach speed at touch (m/s).
    pub speed: f64,
    /// What follows from it: a damping coefficient, or what the law fixes in its place, in the unit of the law. NaN where no
    /// damping delivers the restitution that was asked for.
    pub damping: f64,
    /// Largest indentation so far (m), or what the law keeps in its place.
    pub peak: f64,
    /// Time since touch (s).
    pub time: f64,
    /// Internal state of the law.
    pub internal: f64,
}

/// Tangents of the force.
#[repr(C)]
pub struct carom_tangents {
    /// dF/ddelta (N/m).
    pub stiffness: f64,
    /// dF/drate (N s/m).
    pub damping: f64,
}

// A carom_memory is a `Memory`, seen from C.
const _: () = assert!(
    size_of::<carom_memory>() == size_of::<Memory>()
        && align_of::<carom_memory>() == align_of::<Memory>()
        && offset_of!(carom_memory, speed) == offset_of!(Memory, speed)
        && offset_of!(carom_memory, damping) == offset_of!(Memory, damping)
        && offset_of!(carom_memory, peak) == offset_of!(Memory, peak)
        && offset_of!(carom_memory, time) == offset_of!(Memory, time)
        && offset_of!(carom_memory, internal) == offset_of!(Memory, internal)
);

/// Makes the memory of a contact that begins, for the approach speed (m/s), above 0. A contact that begins without an
/// approach may be given a small speed, below which impacts do not matter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_touch(
    law: *const carom_law,
    speed: f64,
    memory: *mut carom_memory,
) -> c_int {
    // SAFETY: the rules for pointers in lib.rs.
    unsafe { carom_touch_columns(law, 1, &raw const speed, memory) }
}

/// The force (N); 0 where the bodies do not touch. Pure. Negative where the law pulls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_force(
    law: *const carom_law,
    delta: f64,
    rate: f64,
    memory: *const carom_memory,
) -> f64 {
    number(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, memory) = unsafe { (one(law)?, one(memory.cast::<Memory>())?) };
        Ok(if delta < law.law.release() { 0.0 } else { law.law.force(delta, rate, memory) })
    })
}

/// The tangents of the force: finite everywhere, one-sided at kinks, 0 where the bodies do not touch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_tangent(
    law: *const carom_law,
    delta: f64,
    rate: f64,
    memory: *const carom_memory,
    tangents: *mut carom_tangents,
) -> c_int {
    status(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, memory) = unsafe { (one(law)?, one(memory.cast::<Memory>())?) };
        let found = law.law.tangent(delta, rate, memory);
        // SAFETY: as above.
        *unsafe { one_mut(tangents) }? =
            carom_tangents { stiffness: found.stiffness, damping: found.damping };
        Ok(())
    })
}

/// The energy (J) that the contact would give back in an infinitely slow unloading; 0 where the bodies do not touch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_stored(
    law: *const carom_law,
    delta: f64,
    memory: *const carom_memory,
) -> f64 {
    number(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, memory) = unsafe { (one(law)?, one(memory.cast::<Memory>())?) };
        Ok(stored(&law.law, delta, memory))
    })
}

fn stored(law: &Law, delta: f64, memory: &Memory) -> f64 {
    if delta < law.release() { 0.0 } else { law.stored(delta, memory) }
}

/// The rate of the internal state, for integrators that take it along with the motion; 0 for laws that have none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_internal_rate(
    law: *const carom_law,
    delta: f64,
    rate: f64,
    memory: *const carom_memory,
) -> f64 {
    number(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, memory) = unsafe { (one(law)?, one(memory.cast::<Memory>())?) };
        Ok(law.law.internal_rate(delta, rate, memory))
    })
}

/// Notes an accepted step to this indentation and rate: the largest indentation, or what the law keeps in its place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_commit(
    law: *const carom_law,
    delta: f64,
    rate: f64,
    memory: *mut carom_memory,
) -> c_int {
    // SAFETY: the rules for pointers in lib.rs.
    unsafe { carom_commit_columns(law, 1, &raw const delta, &raw const rate, memory) }
}

/// Takes time and internal state over an accepted step of length step (s), during which indentation and rate went from
/// their values before to those given: a Runge-Kutta step of fourth order along the straight line between them. Only laws
/// with a memory of 5 numbers need it. An integrator that takes the internal state along with the motion uses
/// carom_internal_rate instead, and adds the step to the time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_advance(
    law: *const carom_law,
    step: f64,
    delta_before: f64,
    rate_before: f64,
    delta: f64,
    rate: f64,
    memory: *mut carom_memory,
) -> c_int {
    status(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, memory) = unsafe { (one(law)?, one_mut(memory.cast::<Memory>())?) };
        let start = *memory;
        memory.time += step;
        if !law.law.has_internal() {
            return Ok(());
        }
        // The internal rate at a part of the step, for a change of the internal state until there.
        let rate_at = |part: f64, change: f64| {
            let between = |before: f64, after: f64| before + part * (after - before);
            let (time, internal) = (start.time + part * step, start.internal + change);
            let now = Memory { time, internal, ..start };
            law.law.internal_rate(between(delta_before, delta), between(rate_before, rate), &now)
        };
        let first = rate_at(0.0, 0.0);
        let second = rate_at(0.5, 0.5 * step * first);
        let third = rate_at(0.5, 0.5 * step * second);
        let fourth = rate_at(1.0, step * third);
        memory.internal += step / 6.0 * (first + 2.0 * (second + third) + fourth);
        Ok(())
    })
}

/// carom_touch for count contacts of one law.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_touch_columns(
    law: *const carom_law,
    count: usize,
    speed: *const f64,
    memory: *mut carom_memory,
) -> c_int {
    status(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, speed, memory) = unsafe {
            (one(law)?, column(speed, count)?, column_mut(memory.cast::<Memory>(), count)?)
        };
        for (memory, &speed) in memory.iter_mut().zip(speed) {
            *memory = law.law.touch(above_zero("speed", speed)?);
        }
        Ok(())
    })
}

/// carom_force for count contacts of one law: each force from the indentation, rate and memory of the same place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_force_columns(
    law: *const carom_law,
    count: usize,
    delta: *const f64,
    rate: *const f64,
    memory: *const carom_memory,
    force: *mut f64,
) -> c_int {
    status(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, delta, rate, memory, force) = unsafe {
            (
                one(law)?,
                column(delta, count)?,
                column(rate, count)?,
                column(memory.cast::<Memory>(), count)?,
                column_mut(force, count)?,
            )
        };
        law.law.with(Forces { delta, rate, memory, force });
        Ok(())
    })
}

struct Forces<'a> {
    delta: &'a [f64],
    rate: &'a [f64],
    memory: &'a [Memory],
    force: &'a mut [f64],
}

impl Work for Forces<'_> {
    type Output = ();
    fn run<F: Force>(self, form: F) {
        let Self { delta, rate, memory, force } = self;
        pulp::Arch::new().dispatch(
            #[inline(always)]
            || {
                form.forces(delta, rate, memory, force);
                let release = form.release();
                for (force, &delta) in force.iter_mut().zip(delta) {
                    *force = if delta < release { 0.0 } else { *force };
                }
            },
        );
    }
}

/// carom_tangent for count contacts of one law.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_tangent_columns(
    law: *const carom_law,
    count: usize,
    delta: *const f64,
    rate: *const f64,
    memory: *const carom_memory,
    tangents: *mut carom_tangents,
) -> c_int {
    status(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, delta, rate, memory, tangents) = unsafe {
            (
                one(law)?,
                column(delta, count)?,
                column(rate, count)?,
                column(memory.cast::<Memory>(), count)?,
                column_mut(tangents, count)?,
            )
        };
        let seen = delta.iter().zip(rate).zip(memory);
        for (tangents, ((&delta, &rate), memory)) in tangents.iter_mut().zip(seen) {
            let found = law.law.tangent(delta, rate, memory);
            *tangents = carom_tangents { stiffness: found.stiffness, damping: found.damping };
        }
        Ok(())
    })
}

/// carom_stored for count contacts of one law.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_stored_columns(
    law: *const carom_law,
    count: usize,
    delta: *const f64,
    memory: *const carom_memory,
    energy: *mut f64,
) -> c_int {
    status(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, delta, memory, energy) = unsafe {
            (
                one(law)?,
                column(delta, count)?,
                column(memory.cast::<Memory>(), count)?,
                column_mut(energy, count)?,
            )
        };
        for (energy, (&delta, memory)) in energy.iter_mut().zip(delta.iter().zip(memory)) {
            *energy = stored(&law.law, delta, memory);
        }
        Ok(())
    })
}

/// carom_commit for count contacts of one law.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_commit_columns(
    law: *const carom_law,
    count: usize,
    delta: *const f64,
    rate: *const f64,
    memory: *mut carom_memory,
) -> c_int {
    status(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, delta, rate, memory) = unsafe {
            (
                one(law)?,
                column(delta, count)?,
                column(rate, count)?,
                column_mut(memory.cast::<Memory>(), count)?,
            )
        };
        law.law.with(Commit { delta, rate, memory });
        Ok(())
    })
}

struct Commit<'a> {
    delta: &'a [f64],
    rate: &'a [f64],
    memory: &'a mut [Memory],
}

impl Work for Commit<'_> {
    type Output = ();
    fn run<F: Force>(self, form: F) {
        let seen = self.delta.iter().zip(self.rate);
        for (memory, (&delta, &rate)) in self.memory.iter_mut().zip(seen) {
            form.commit(delta, rate, memory);
        }
    }
}
