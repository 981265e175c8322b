//! The Python package `carom`: NumPy in and out, everything else as JSON.
//!
//! Nine kinds of functions, and nothing that computes:
//!
//! - **columns** (`columns.rs`): arrays are read where they lie, work is done on all cores without the
//!   interpreter's lock, results become arrays without a copy;
//! - **questions** (`questions.rs`): a description as JSON, the report as JSON, the same as `--json` of the
//!   command;
//! - **studies** (`sweeps.rs`): partitions as columns or fragments of a file;
//! - **robot files** (`robots.rs`): a path, and what its contacts will do;
//! - **scenes** (`scenes.rs`): a text, and its tables as columns or files;
//! - **one contact** (`contact.rs`): a law with its memory, for somebody else's integrator, also as a function of C
//!   (`c_function.rs`);
//! - **derivatives** (`gradients.rs`): how restitution, duration and peaks change with what was said;
//! - **Arrow** (`arrow.rs`): tables for programs that read the Arrow C stream interface, without a copy of numbers;
//! - **the command** (`command.rs`): `carom` itself, and the papers that it reproduces.
//!
//! Three things stand apart because all of them need them: `description.rs` tells what is wrong with a description and
//! not with a row of it, `memory.rs` whether results have room, `interrupt.rs` lets Ctrl-C through.
//!
//! Names, broadcasting of shapes, tables and figures are Python, in `python/carom/`.

// No input may reach a panic. A library prints nothing.
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

/// What `carom` is made of; import `carom` instead.
///
/// It needs no global lock: what it keeps is behind locks of its own, and what Python changes is borrowed by one thread at a time.
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
