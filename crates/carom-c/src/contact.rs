//! Forces and memories of one contact, and of columns of contacts with one law.
//!
//! Functions of columns select the form of the law once per call and use the vector instructions of the machine.

use crate::boundary::{
    borrow, borrow_column, borrow_column_mut, borrow_mut, check_positive, status, value_or_nan,
};
use crate::law::carom_law;
use carom::law::{Force, Law, Memory, Work};
use std::ffi::c_int;
use std::mem::offset_of;

/// Memory of one contact, from touch to separation: plain numbers that the caller may copy, store and send. carom_law_memory_size
/// tells which of them a law uses.
#[repr(C)]
pub struct carom_memory {
    /// Approach speed at touch (m/s).
    pub speed: f64,
    /// Damping coefficient at this approach speed, or the quantity that the law determines in its place, in the unit of the law.
    /// NaN where no damping delivers the requested restitution.
    pub damping: f64,
    /// Largest indentation so far (m), or the quantity that the law stores in its place.
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

// A carom_memory has the same layout as `Memory`.
const _: () = assert!(
    size_of::<carom_memory>() == size_of::<Memory>()
        && align_of::<carom_memory>() == align_of::<Memory>()
        && offset_of!(carom_memory, speed) == offset_of!(Memory, speed)
        && offset_of!(carom_memory, damping) == offset_of!(Memory, damping)
        && offset_of!(carom_memory, peak) == offset_of!(Memory, peak)
        && offset_of!(carom_memory, time) == offset_of!(Memory, time)
        && offset_of!(carom_memory, internal) == offset_of!(Memory, internal)
);

/// Initialises the memory of a contact that begins with this approach speed (m/s), which must be above 0. A contact that begins
/// without an approach may be given a small speed, below which impacts do not matter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_touch(
    law: *const carom_law,
    speed: f64,
    memory: *mut carom_memory,
) -> c_int {
    // SAFETY: the rules for pointers in lib.rs.
    unsafe { carom_touch_columns(law, 1, &raw const speed, memory) }
}

/// Returns the force (N); 0 where the bodies do not touch, negative where the law pulls. The function changes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_force(
    law: *const carom_law,
    delta: f64,
    rate: f64,
    memory: *const carom_memory,
) -> f64 {
    value_or_nan(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, memory) = unsafe { (borrow(law)?, borrow(memory.cast::<Memory>())?) };
        Ok(if delta < law.law.release() { 0.0 } else { law.law.force(delta, rate, memory) })
    })
}

/// Computes the tangents of the force. They are finite everywhere, one-sided at kinks, and 0 where the bodies do not touch.
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
        let (law, memory) = unsafe { (borrow(law)?, borrow(memory.cast::<Memory>())?) };
        let found = law.law.tangent(delta, rate, memory);
        // SAFETY: as above.
        *unsafe { borrow_mut(tangents) }? =
            carom_tangents { stiffness: found.stiffness, damping: found.damping };
        Ok(())
    })
}

/// Returns the energy (J) that the contact would return in an infinitely slow unloading; 0 where the bodies do not touch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_stored(
    law: *const carom_law,
    delta: f64,
    memory: *const carom_memory,
) -> f64 {
    value_or_nan(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, memory) = unsafe { (borrow(law)?, borrow(memory.cast::<Memory>())?) };
        Ok(stored_energy(&law.law, delta, memory))
    })
}

fn stored_energy(law: &Law, delta: f64, memory: &Memory) -> f64 {
    if delta < law.release() { 0.0 } else { law.stored(delta, memory) }
}

/// Returns the rate of the internal state, for integrators that integrate it together with the motion; 0 for laws without an
/// internal state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_internal_rate(
    law: *const carom_law,
    delta: f64,
    rate: f64,
    memory: *const carom_memory,
) -> f64 {
    value_or_nan(|| {
        // SAFETY: the rules for pointers in lib.rs; both types are the same numbers.
        let (law, memory) = unsafe { (borrow(law)?, borrow(memory.cast::<Memory>())?) };
        Ok(law.law.internal_rate(delta, rate, memory))
    })
}

/// Updates the memory after an accepted step to this indentation and rate: the largest indentation, or the quantity that the law
/// stores in its place.
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

/// Advances time and internal state over an accepted step of length step (s), during which indentation and rate changed from the
/// values before to those given. It uses a Runge-Kutta step of fourth order along the straight line between them. Only laws with a
/// memory of 5 numbers need this function. An integrator that integrates the internal state together with the motion uses
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
        let (law, memory) = unsafe { (borrow(law)?, borrow_mut(memory.cast::<Memory>())?) };
        let start = *memory;
        memory.time += step;
        if !law.law.has_internal() {
            return Ok(());
        }
        // Internal rate after a fraction of the step, given the change of the internal state up to there.
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

/// Does the same as carom_touch for count contacts of one law.
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
            (
                borrow(law)?,
                borrow_column(speed, count)?,
                borrow_column_mut(memory.cast::<Memory>(), count)?,
            )
        };
        for (memory, &speed) in memory.iter_mut().zip(speed) {
            *memory = law.law.touch(check_positive("speed", speed)?);
        }
        Ok(())
    })
}

/// Does the same as carom_force for count contacts of one law: each force is computed from the indentation, rate and memory with
/// the same index.
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
                borrow(law)?,
                borrow_column(delta, count)?,
                borrow_column(rate, count)?,
                borrow_column(memory.cast::<Memory>(), count)?,
                borrow_column_mut(force, count)?,
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

/// Does the same as carom_tangent for count contacts of one law.
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
                borrow(law)?,
                borrow_column(delta, count)?,
                borrow_column(rate, count)?,
                borrow_column(memory.cast::<Memory>(), count)?,
                borrow_column_mut(tangents, count)?,
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

/// Does the same as carom_stored for count contacts of one law.
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
                borrow(law)?,
                borrow_column(delta, count)?,
                borrow_column(memory.cast::<Memory>(), count)?,
                borrow_column_mut(energy, count)?,
            )
        };
        for (energy, (&delta, memory)) in energy.iter_mut().zip(delta.iter().zip(memory)) {
            *energy = stored_energy(&law.law, delta, memory);
        }
        Ok(())
    })
}

/// Does the same as carom_commit for count contacts of one law.
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
                borrow(law)?,
                borrow_column(delta, count)?,
                borrow_column(rate, count)?,
                borrow_column_mut(memory.cast::<Memory>(), count)?,
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
