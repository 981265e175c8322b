//! Simulations that write their results to tables, with a summary at the end.
//!
//! [`BodySimulation`] is the simulation of a scene of bodies, [`GrainSimulation`] that of a bed of grains. Both implement
//! [`Simulation`](carom_store::Simulation), the only interface that the code for files uses. [`tables`] declares their
//! tables, and [`SceneSource`] is the description of the scene that is kept with the results.
//!
//! ```
//! use carom_store::{Checkpoint, collect, find};
//! use carom_world::record::BodySimulation;
//! use carom_world::Scene;
//! let text = "[simulation]\nduration = \"1 s\"\nsample = \"0.5 s\"\ngravity = 10\n\
//!             [[body]]\nname = \"stone\"\nmass = 1\ninertia = [1, 1, 1]\n";
//! let scene = Scene::parse(text, &|_| Err("no files".into()))?;
//! let tables = collect(&mut BodySimulation::new(&scene)?, |_| Ok(()))?;
//! let (name, columns) = &tables[0];
//! let height = &find(columns, "z_m").unwrap().values;
//! assert_eq!((*name, height.len()), ("trajectory", 3));
//! assert!((height.real(2).unwrap() + 5.0).abs() < 1e-12); // z = -g t^2/2
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod bodies;
mod control;
pub mod figure_data;
mod grains;
mod same_run;
mod source;
mod summary;
#[rustfmt::skip] // one column per line, so that a table can be read by rows
pub mod tables;

pub use bodies::{BodySimulation, BodySimulationState};
pub use control::Controller;
pub use figure_data::FigureData;
pub use grains::{BedSummary, GrainSimulation, GrainSimulationState};
pub use same_run::{canonical_text, value_text};
pub use source::SceneSource;
pub use summary::{ClassCounts, ContactSummary, NonsmoothSummary, Summary};

pub use crate::note::NoteSummary;
