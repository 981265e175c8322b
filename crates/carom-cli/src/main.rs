//! The program `carom`.

// The program must not panic on any input.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![cfg_attr(not(test), warn(clippy::unreachable, clippy::todo, clippy::unimplemented))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(carom_cli::run(std::env::args_os().skip(1)))
}
