//! The force of a contact as a C function, for loops compiled by numba, Cython or SciPy.
//!
//! The functions take indentation, rate and a number that identifies the contact (`void *` in C). The number is looked up in a
//! table and never used as an address, so any number is safe: for that of a deleted contact, or one that was never assigned, the
//! result is NaN. The look-up takes a few nanoseconds.

use crate::columns::{force, force_and_tangents};
use crate::error::Error;
use carom::law::{Law, Memory};
use pyo3::prelude::*;
use std::sync::{PoisonError, RwLock};

/// An entry of the table. Entries are reused, each time with another number.
struct Slot {
    uses: u32,
    contact: Option<(Law, Memory)>,
}

static CONTACTS: RwLock<Vec<Slot>> = RwLock::new(Vec::new());

/// Number of bits for the index of the entry; the remaining bits count how often it was used.
const SLOT_BITS: u32 = 20;

fn slot_of(number: usize) -> (usize, u32) {
    (number & ((1 << SLOT_BITS) - 1), (number >> SLOT_BITS) as u32)
}

/// Stores a contact and returns its number; `None` if the table is full.
fn store(law: Law, memory: Memory) -> Option<usize> {
    let mut table = CONTACTS.write().unwrap_or_else(PoisonError::into_inner);
    let free = table.iter().position(|slot| slot.contact.is_none());
    let index = free.unwrap_or(table.len());
    if index >> SLOT_BITS != 0 {
        return None;
    }
    if free.is_none() {
        table.push(Slot { uses: 0, contact: None });
    }
    let slot = table.get_mut(index)?;
    // The count is never 0, since the number could then be a null pointer; it has 12 bits, so that numbers fit into 32 bits.
    slot.uses = slot.uses % 4095 + 1;
    slot.contact = Some((law, memory));
    Some(index | (slot.uses as usize) << SLOT_BITS)
}

fn remove(number: usize) {
    let (index, uses) = slot_of(number);
    let mut table = CONTACTS.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(slot) = table.get_mut(index).filter(|slot| slot.uses == uses) {
        slot.contact = None;
    }
}

/// Returns a result for the contact with this number; NaN if there is none.
fn evaluate(number: usize, answer: impl FnOnce(&Law, &Memory) -> f64) -> f64 {
    let (index, uses) = slot_of(number);
    let table = CONTACTS.read().unwrap_or_else(PoisonError::into_inner);
    match table.get(index) {
        Some(Slot { uses: now, contact: Some((law, memory)) }) if *now == uses => {
            answer(law, memory)
        }
        _ => f64::NAN,
    }
}

extern "C" fn contact_force(delta: f64, rate: f64, contact: usize) -> f64 {
    evaluate(contact, |law, memory| force(law, memory, delta, rate))
}

extern "C" fn contact_stiffness(delta: f64, rate: f64, contact: usize) -> f64 {
    evaluate(contact, |law, memory| force_and_tangents(law, memory, delta, rate)[1])
}

extern "C" fn contact_damping(delta: f64, rate: f64, contact: usize) -> f64 {
    evaluate(contact, |law, memory| force_and_tangents(law, memory, delta, rate)[2])
}

extern "C" fn contact_force_at_rest(delta: f64, contact: usize) -> f64 {
    evaluate(contact, |law, memory| force(law, memory, delta, 0.0))
}

/// The address of a C function, and the number that identifies the contact and is the last argument of the function.
///
/// The contact exists as long as this object.
#[pyclass(frozen, module = "carom._carom")]
pub struct CFunction {
    /// Address of the function.
    #[pyo3(get)]
    address: usize,
    /// Last argument of the function.
    #[pyo3(get)]
    contact: usize,
    /// Number of the other arguments, which precede it.
    #[pyo3(get)]
    arguments: usize,
}

#[pymethods]
impl CFunction {
    /// Returns the function for ctypes, which numba calls as well; pass `contact` as its last argument.
    fn ctypes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("carom._contact")?.getattr("ctypes_function")?.call1((slf,))
    }

    /// Returns the function as a `scipy.LowLevelCallable`, including the contact; needs SciPy. `scipy.integrate.quad` takes
    /// `force_at_rest`, a function of the indentation alone.
    fn low_level_callable<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("carom._contact")?.getattr("low_level_callable")?.call1((slf,))
    }
}

impl CFunction {
    pub fn new(what: &str, law: Law, memory: Memory) -> PyResult<Self> {
        type MotionFunction = extern "C" fn(f64, f64, usize) -> f64;
        let (address, arguments) = match what {
            "force" => (contact_force as MotionFunction as usize, 2),
            "stiffness" => (contact_stiffness as MotionFunction as usize, 2),
            "damping" => (contact_damping as MotionFunction as usize, 2),
            "force_at_rest" => {
                (contact_force_at_rest as extern "C" fn(f64, usize) -> f64 as usize, 1)
            }
            _ => {
                let known = ["force", "stiffness", "damping", "force_at_rest"];
                let otherwise = format!("use one of {}", known.join(", "));
                let error = carom::Error::unknown("function of a contact", what, known, otherwise);
                return Err(crate::error::raise(error));
            }
        };
        let contact = store(law, memory).ok_or_else(|| {
            Error::new_err("there are a million functions of contacts: delete some of them")
        })?;
        Ok(Self { address, contact, arguments })
    }
}

impl Drop for CFunction {
    fn drop(&mut self) {
        remove(self.contact);
    }
}
