//! Formulas that users write. The text is parsed to an [`Expression`], which is compiled to a [`Program`].
//!
//! A formula such as `K*delta^n + K3*delta^3` is parsed ([`parse`](parse::parse)) to an [`Expression`]. Its
//! dimensions are checked ([`dimension`]), and its integral over the indentation can be derived ([`integral`]). For
//! evaluation it is compiled to a [`Program`], a short list of instructions that can be executed with any
//! [`Scalar`](crate::scalar::Scalar): with numbers for the force, with dual numbers for its tangents, with a recorder
//! for its code. A formula can therefore be used wherever a law written in Rust can.
//!
//! The module has its own small parser instead of an expression crate, because it needs the tree with the dimensions
//! of its parts and error messages of one sentence. These are most of the work, and such crates do not provide them.

pub mod dimension;
pub mod expression;
pub mod integral;
pub mod monotone_cubic;
pub mod parse;
// The compiler of a program creates the indices of its values and registers itself.
#[allow(clippy::indexing_slicing)]
pub mod program;

pub use expression::{Comparison, Expression};
pub use monotone_cubic::MonotoneCubic;
pub use parse::parse;
pub use program::Program;
