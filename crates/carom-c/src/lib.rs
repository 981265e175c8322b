//! Contact laws for programs in C, C++ and Fortran.
//!
//! A law turns the indentation of two bodies and its rate into a force. All numbers are doubles in SI units. Signs:
//! delta (m) > 0 in contact, rate = d(delta)/dt (m/s) > 0 while approaching, force (N) > 0 pushes apart.
//!
//! How a contact is computed in a program with an integrator of its own:
//!
//! 1. carom_law_new makes a law from a description in JSON, the same as everywhere in carom.
//! 2. When two bodies touch, carom_touch fills the memory of this contact from the approach speed.
//! 3. carom_force is called as often as the integrator likes; it changes nothing.
//! 4. After every accepted step, never after a trial, carom_commit notes the largest indentation. For laws with a memory of
//!    5 numbers (carom_law_memory_size) carom_advance first takes time and internal state over the step.
//! 5. Contact lasts while delta >= carom_law_release. Where carom_law_exit is CAROM_EXIT_FORCE a contact does not pull:
//!    take the force as 0 where it is negative. Memory is kept while the surfaces overlap and made anew at the next touch.
//!
//! Pointers: where the comment of a function does not allow NULL, a pointer must point to as many readable (or, if not
//! const, writable) values as the function takes, aligned as C aligns their type. Results must not overlap other arguments.
//! A NULL that is not allowed is answered with CAROM_INVALID or a NaN.
//!
//! Lifetimes: a law belongs to the caller from carom_law_new to carom_law_free. Memories and results are plain values of
//! the caller; the library keeps no pointer to them. Messages belong to the caller, who frees them with carom_string_free.
//!
//! Threads: the library has no global state that a caller could see. A law does not change and may be used by any number of
//! threads at once; different memories may be changed at once. Law files and texts of own laws are kept until the process
//! ends, each once.
//!
//! Failures: functions that return int return CAROM_OK or a reason, those that return a double return NaN. Where there is a
//! parameter `error` it may be NULL; otherwise it receives NULL on success, and on failure a sentence that names the
//! parameter, its value, what is allowed and what to do. No panic of Rust crosses this interface.

// No input may reach a panic. A library prints nothing.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![cfg_attr(not(test), warn(clippy::unreachable, clippy::todo, clippy::unimplemented))]
#![cfg_attr(not(test), warn(clippy::string_slice, clippy::indexing_slicing))]
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro))]
// Names are those of the header.
#![allow(non_camel_case_types)]

pub mod boundary;
pub mod contact;
pub mod impact;
pub mod law;
