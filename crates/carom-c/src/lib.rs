//! Contact laws for programs in C, C++ and Fortran.
//!
//! A law gives the force between two bodies as a function of indentation and its rate. All numbers are doubles in SI units. Signs:
//! delta (m) > 0 in contact, rate = d(delta)/dt (m/s) > 0 while approaching, force (N) > 0 pushes the bodies apart.
//!
//! How a program with its own integrator computes a contact:
//!
//! 1. carom_law_new makes a law from a description in JSON, which is the same in all parts of carom.
//! 2. When two bodies touch, carom_touch fills the memory of this contact from the approach speed.
//! 3. carom_force is called as often as the integrator needs; it changes nothing.
//! 4. After every accepted step, never after a trial, carom_commit updates the largest indentation. For laws with a memory of 5
//!    numbers (carom_law_memory_size), carom_advance is called before it to advance time and internal state over the step.
//! 5. Contact lasts while delta >= carom_law_release. If carom_law_exit is CAROM_EXIT_FORCE, a contact does not pull: use a force
//!    of 0 where it is negative. Memory is kept while the surfaces overlap and is initialised again at the next touch.
//!
//! Pointers: where the comment of a function does not allow NULL, a pointer must point to as many readable (or, if not const,
//! writable) values as the function uses, aligned as C aligns their type. Results must not overlap other arguments. If a NULL is
//! not allowed, the function returns CAROM_INVALID or NaN.
//!
//! Lifetimes: a law belongs to the caller from carom_law_new to carom_law_free. Memories and results are plain values of the
//! caller; the library keeps no pointer to them. Messages belong to the caller, who frees them with carom_string_free.
//!
//! Threads: the library has no global state that a caller could observe. A law does not change and may be used by any number of
//! threads at once; different memories may be changed at once. Law files and texts of own laws are kept until the process ends,
//! each of them once.
//!
//! Failures: functions that return int return CAROM_OK or a reason; those that return a double return NaN. A parameter `error` may
//! be NULL; otherwise it receives NULL on success, and on failure a sentence that names the parameter, its value, what is allowed
//! and what to do. No panic of Rust crosses this interface.

// The library must not panic on any input, and it prints nothing.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![cfg_attr(not(test), warn(clippy::unreachable, clippy::todo, clippy::unimplemented))]
#![cfg_attr(not(test), warn(clippy::string_slice, clippy::indexing_slicing))]
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro))]
// The names are those of the header.
#![allow(non_camel_case_types)]

pub mod boundary;
pub mod contact;
pub mod impact;
pub mod law;
