//! Drop tests: computes from the record of a bouncing ball its restitution at each impact speed, with standard
//! errors, and from these a contact law with its parameters.
//!
//! Four kinds of records:
//!
//! | measured | is | restitution |
//! |---|---|---|
//! | heights of drop and bounce | v = √(2gh), u = √(2gh′) | √(h′/h) |
//! | times between bounces | the flight between two bounces takes t = 2u/g and ends with the speed with which it began | tᵢ₊₁/tᵢ |
//! | the sound of the bounces | instants, and thus times between them (`drop_test/onset.rs`, `drop_test/sequence.rs`) | tᵢ₊₁/tᵢ |
//! | a track: positions over time | parabolas between impacts (`drop_test/track.rs`) | u/v |
//!
//! If mass and diameter of the ball are given, the drag of the air is corrected for exactly (`drop_test/flight.rs`);
//! otherwise a note states a bound of its effect. If the time of contact is known, it is subtracted from the times
//! between bounces. The errors of all inputs are propagated to speeds and restitutions with their correlations
//! (`drop_test/propagate.rs`), from there to the dependence on speed (`drop_test/dependence.rs`) and to the law
//! (`drop_test/law.rs`).
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

/// Returns the impact speed (m/s) and the restitution that follow from the heights (m) of a drop and of its bounce,
/// without drag.
///
/// ```
/// let (speed, restitution) = carom::drop_test::of_heights(0.5, 0.32);
/// assert!((speed - 3.1316).abs() < 1e-4 && (restitution - 0.8).abs() < 1e-12);
/// ```
pub fn of_heights(drop: f64, bounce: f64) -> (f64, f64) {
    ((2.0 * GRAVITY * drop).sqrt(), (bounce / drop).sqrt())
}
