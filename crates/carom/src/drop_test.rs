//! Drop tests: from what is measured of a bouncing ball to its restitution, speed by speed, with errors, and from there to a
//! law and its numbers.
//!
//! Four kinds of records:
//!
//! | measured | is | restitution |
//! |---|---|---|
//! | heights of drop and bounce | v = √(2gh), u = √(2gh′) | √(h′/h) |
//! | times between bounces | the flight between two bounces takes t = 2u/g and ends with the speed it began with | tᵢ₊₁/tᵢ |
//! | the sound of the bounces | instants, and so times between them (`drop_test/onset.rs`, `drop_test/sequence.rs`) | tᵢ₊₁/tᵢ |
//! | a track: positions over time | parabolas between impacts (`drop_test/track.rs`) | u/v |
//!
//! With mass and diameter of the ball the drag of the air is taken off exactly (`drop_test/flight.rs`); without, a note bounds
//! it. A time of contact, where it is known, is taken off the times between bounces. Errors of all inputs are carried to
//! speeds and restitutions with their correlations (`drop_test/propagate.rs`), from there to the dependence on speed
//! (`drop_test/dependence.rs`) and to the law (`drop_test/law.rs`).
//!
//! ```
//! use carom::drop_test::Spec;
//! let spec = Spec {
//!     drop: vec!["0.3 m".into(), "0.6 m".into(), "1.2 m".into()],
//!     bounce: vec!["0.21 m".into(), "0.40 m".into(), "0.76 m".into()],
//!     height_error: Some("5 mm".into()),
//!     ..Spec::default()
//! };
//! let report = spec.run(None)?;
//! assert!((report.impacts[0].restitution - 0.7_f64.sqrt()).abs() < 1e-12);
//! assert!(report.impacts[0].restitution_error > 0.005);
//! assert_eq!(report.dependence.form, "power");
//! # Ok::<(), carom::Error>(())
//! ```

#[allow(clippy::indexing_slicing)]
mod consistency;
#[allow(clippy::indexing_slicing)]
mod dependence;
mod engine_input;
mod flight;
#[allow(clippy::indexing_slicing)]
mod law;
mod measured;
#[allow(clippy::indexing_slicing)]
mod onset;
#[allow(clippy::indexing_slicing)]
mod propagate;
#[allow(clippy::indexing_slicing)]
mod sequence;
#[allow(clippy::indexing_slicing)]
mod sound;
mod spec;
#[allow(clippy::indexing_slicing)]
pub mod synthesis;
#[allow(clippy::indexing_slicing)]
mod track;
mod wav;

pub use dependence::{Dependence, DependenceCandidate, Parameters};
pub use engine_input::{EngineBounce, EngineInput};
pub use flight::Air;
pub use law::{DropLaw, DropLawCandidate};
pub use measured::{DropReport, MeasuredImpact, Wave};
pub use propagate::Uncertain;
pub use spec::{Record, Spec, quantities};
pub use wav::Sound;

/// Standard gravity (m/s²).
pub const GRAVITY: f64 = 9.80665;

/// Impact speed (m/s) and restitution of a drop and its bounce, by their heights (m), without air.
///
/// ```
/// let (speed, restitution) = carom::drop_test::of_heights(0.5, 0.32);
/// assert!((speed - 3.1316).abs() < 1e-4 && (restitution - 0.8).abs() < 1e-12);
/// ```
pub fn of_heights(drop: f64, bounce: f64) -> (f64, f64) {
    ((2.0 * GRAVITY * drop).sqrt(), (bounce / drop).sqrt())
}
