//! An empty crate for its test, `tests/steps.rs`.
