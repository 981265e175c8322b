//! carom: contact-impact analysis.
//!
//! Every published continuous contact force law behind one interface, an impact engine that is exact
//! and fast, and one promise: ask for a restitution, get that restitution.

pub mod compare;
pub mod error;
pub mod exact;
pub mod identify;
pub mod impact;
pub mod law;
pub mod model;
pub mod models;
mod ode;
pub mod pair;
pub mod problems;
pub mod report;
pub mod spec;
pub mod units;

pub use error::{Error, Result};
pub use impact::{Impact, collide};
pub use law::{Exit, Law};
pub use model::{Damping, Model};
pub use models::{CATALOGUE, model};
pub use pair::Pair;
