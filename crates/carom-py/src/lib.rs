//! The compiled part of the Python package `carom`: NumPy arrays in and out, everything else as JSON.
//!
//! This crate converts arguments and results, and computes nothing itself:
//!
//! - **columns** (`columns.rs`): arrays are read and returned without a copy, and computed on all cores without the interpreter's
//!   lock;
//! - **questions** (`questions.rs`): a description as JSON, answered with the JSON that `--json` of the command prints;
//! - **studies** (`sweeps.rs`): partitions as columns or fragments of a file;
//! - **robot files** (`robots.rs`): what the contacts of a file deliver, given its path;
//! - **scenes** (`scenes.rs`): a text, and its tables as columns or files;
//! - **one contact** (`contact.rs`): a law with its memory, for other integrators, also as a C function (`c_function.rs`);
//! - **derivatives** (`gradients.rs`): of restitution, duration and peaks by quantities of the description;
//! - **Arrow** (`arrow.rs`): tables for programs that read the Arrow C stream interface, without copying numbers;
//! - **the command** (`command.rs`): `carom` itself, and the papers that it reproduces.
//!
//! Shared by these: `description.rs` finds errors of a whole description, `memory.rs` checks whether results fit into memory,
//! `interrupt.rs` handles Ctrl-C.
//!
//! Names, broadcasting of shapes, tables and figures are implemented in Python, in `python/carom/`.

// The library must not panic on any input, and it prints nothing.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![cfg_attr(not(test), warn(clippy::unreachable, clippy::todo, clippy::unimplemented))]
#![cfg_attr(not(test), warn(clippy::string_slice, clippy::indexing_slicing))]
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro))]

mod arrow;
mod c_function;
mod columns;
mod command;
mod contact;
mod description;
mod error;
mod fits;
mod gradients;
mod interrupt;
mod memory;
mod questions;
mod robots;
mod scenes;
mod sweeps;

/// The compiled part of `carom`; import `carom` instead.
///
/// It needs no global interpreter lock: its static data have their own locks, and mutable objects are borrowed by one thread at a
/// time.
#[pyo3::pymodule(gil_used = false)]
mod _carom {
    #[pymodule_export]
    use crate::arrow::arrow_stream;
    #[pymodule_export]
    use crate::c_function::CFunction;
    #[pymodule_export]
    use crate::columns::{collide, exact, forces, trajectory};
    #[pymodule_export]
    use crate::command::{command, reproduce};
    #[pymodule_export]
    use crate::contact::Contact;
    #[pymodule_export]
    use crate::description::{base, check_rows, factor, si};
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::fits::{fit, fit_together, rank};
    #[pymodule_export]
    use crate::gradients::{gradient_outputs, gradients, value_in};
    #[pymodule_export]
    use crate::memory::room;
    #[pymodule_export]
    use crate::questions::{
        advise, body, catalogue, check, choices, code, compare, deliveries, drop_test, engines,
        experiments, export, facts, identify, impact, material, materials, needs_speed, outputs,
        pair, speeds, version,
    };
    #[pymodule_export]
    use crate::robots::check_robot;
    #[pymodule_export]
    use crate::scenes::{regimes, simulate};
    #[pymodule_export]
    use crate::sweeps::{Plan, Sink, builtin_study};
}
