//! Nothing but its test, `tests/steps.rs`.
