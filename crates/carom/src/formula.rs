//! Formulas that users write: text → [`Expression`] → [`Program`].
//!
//! A formula such as `K*delta^n + K3*delta^3` is read into an [`Expression`] ([`parse`](parse::parse)), whose
//! dimensions are checked ([`dimension`]) and whose integral over the indentation can be taken ([`integral`]). For
//! evaluation it is compiled into a [`Program`], a short list of instructions that runs with any
//! [`Scalar`](crate::scalar::Scalar): with numbers for the force, with dual numbers for its tangents, with a recorder for
//! its code. So a formula can be used wherever a law written in Rust can.
//!
//! The text is read by a small parser of its own rather than by an expression crate: what is needed of it is the tree with
//! the dimensions of its parts and one-sentence errors, which is most of the work and not what such crates offer.

pub mod dimension;
pub mod expression;
pub mod integral;
pub mod parse;
// Its compiler numbers values and registers itself.
pub mod monotone_cubic;
#[allow(clippy::indexing_slicing)]
pub mod program;

pub use expression::{Comparison, Expression};
pub use monotone_cubic::MonotoneCubic;
pub use parse::parse;
pub use program::Program;
