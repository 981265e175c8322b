//! carom: analysis of contacts and impacts.
//!
//! The library contains the published continuous contact force laws with one interface, and an exact and fast
//! computation of impacts. Its main property: **ask for a restitution, get that restitution**.
//!
//! ```
//! use carom::{Damping, Exit, Pair, collide, model};
//!
//! // Two bodies: effective mass, stiffness and exponent of K·δⁿ (or from shapes and materials).
//! let steel = Pair::new(0.54, 2.4144e10, 1.5)?;
//!
//! // A law of the catalogue, with its published damping for a restitution of 0.5 …
//! let hunt_crossley = model("hunt-crossley-1975")?;
//! let published = hunt_crossley.law(&steel, Damping::Restitution(0.5), None, &[])?;
//! assert!((collide(&published, 0.5)?.restitution.newton - 0.663).abs() < 1e-3);
//!
//! // … and with the damping that really delivers it.
//! let exact = hunt_crossley.law(&steel, Damping::Exact(0.5), None, &[])?;
//! let impact = collide(&exact, 0.5)?;
//! assert!((impact.restitution.newton - 0.5).abs() < 1e-12);
//! assert!(impact.notes.is_empty());
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # The types, from text to numbers
//!
//! - [`spec::Spec`] is the description as a user writes it: names, quantities with [units]. [`spec::Case`] is the
//!   checked description.
//! - [`Model`] is a published law with its documentation; [`CATALOGUE`] contains all of them, and [`model()`] finds
//!   one. [`Pair`] is a pair of bodies, from numbers or from [`pair::Body`] and [`pair::Material`]. [`Damping`]
//!   specifies the dissipation, [`Exit`] the end of contact.
//! - [`Law`] consists of numbers: force and tangents as functions of indentation and rate, with a [`law::Memory`] of
//!   the contact. It can be used with any integrator.
//! - [`collide`] computes an [`Impact`] from a law and a speed; [`impact::trajectory`] its motion over time.
//! - [`exact`] contains the theory: one dimensionless impact for every power law, the damping that delivers a
//!   restitution, and [`exact::Curve`] for millions of impacts.
//! - [`identify`](mod@identify) and [`fit`](mod@fit) find parameters from measured numbers and curves.
//! - [`drop_test`] computes restitution as a function of speed, and a law, from bounces (heights, times, sound, a
//!   track).
//! - [`export`] writes the same impact for other programs and computes what they will deliver.
//! - [`batch::Batch`] is a [`spec::Spec`] with columns of numbers: many impacts at once.
//! - [`report::Report`] contains the results that users see, as JSON and as text. [`compare`] computes one of the
//!   experiments in [`problems`] with many laws. A [`sweep::Study`] describes up to millions of impacts.
//!
//! # Signs and units
//!
//! Everywhere δ > 0 in contact, δ̇ > 0 while approaching, and F > 0 if the force is repulsive. All internal numbers
//! are `f64` in SI units; other units are converted at the interfaces.
//!
//! # What is not here
//!
//! The crate `carom-world` uses these laws for more than two bodies, joints and friction. A law that is used outside
//! its validity is computed, and a note states this; an impossible request is an [`Error`] that proposes an
//! alternative.

// No input may cause a panic. Modules of numerical code index only arrays that they have made themselves
// (CONTRIBUTING.md); other modules do not use indexing at all. A library prints nothing.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![cfg_attr(not(test), warn(clippy::unreachable, clippy::todo, clippy::unimplemented))]
#![cfg_attr(not(test), warn(clippy::string_slice, clippy::indexing_slicing))]
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro))]

// These modules come first, because the modules below use their macros.
#[macro_use]
pub mod message;
#[macro_use]
mod names;

#[allow(clippy::indexing_slicing)]
pub mod advise;
pub mod batch;
#[allow(clippy::indexing_slicing)]
pub mod code;
#[allow(clippy::indexing_slicing)]
pub mod compare;
pub mod drop_test;
#[allow(clippy::indexing_slicing)]
pub mod error;
#[allow(clippy::indexing_slicing)]
pub mod exact;
pub mod export;
#[allow(clippy::indexing_slicing)]
pub mod fit;
pub mod formula;
#[allow(clippy::indexing_slicing)]
pub mod identify;
#[allow(clippy::indexing_slicing)]
pub mod impact;
pub mod law;
pub mod linear_equivalent;
#[allow(clippy::indexing_slicing)]
pub mod measured_table;
pub mod model;
pub mod models;
#[allow(clippy::indexing_slicing)]
pub mod numeric;
#[allow(clippy::indexing_slicing)]
pub mod ode;
pub mod own_law;
pub mod pair;
pub mod problems;
pub mod report;
pub mod robot_file;
#[allow(clippy::indexing_slicing)]
pub mod same_force;
#[allow(clippy::indexing_slicing)]
pub mod scalar;
pub mod spec;
pub mod stop;
#[allow(clippy::indexing_slicing)]
pub mod sweep;
pub mod units;

pub use error::{Error, Result};
pub use impact::{Impact, collide};
pub use law::{Exit, Law};
pub use model::{Damping, Model};
pub use models::{CATALOGUE, model};
pub use pair::Pair;
pub use stop::Stop;

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/how-to/rust.md")]
struct Readme;
