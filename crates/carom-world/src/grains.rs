//! Beds of grains: many spheres, simulated with a fixed step (the discrete element method).
//!
//! A bed is simulated differently from a mechanism: all grains share one step, onsets are not located, and the speed is
//! measured in contacts per second. The scheme is the leapfrog (kick, drift, forces, kick; `leapfrog`), which is of second
//! order, and symplectic without damping; forces that depend on velocities use those of the half step. About fifty steps per
//! contact are recommended ([`Bed::suggested_step`]).
//!
//! # Identical results with any number of threads
//! Grains are divided into chunks of a fixed size (`chunks`). A chunk computes the contacts whose first grain it contains
//! and sums, in their order, the forces on its own grains. Forces on grains of other chunks are stored, and added there in
//! the order of the neighbour list. Where chunks end depends on the bed alone, so no sum depends on the number of threads.
//!
//! # Neighbours
//! Pairs that are closer than a skin are found by a grid of cells (`cell_grid`) and listed (`neighbour_list`). A list is
//! used for many steps, until a grain has moved by half the skin; then the contact history is carried over to the next list
//! (`contact_history`). The steps in between allocate no memory.
//!
//! # Speed
//! The speed of a step is limited first by memory bandwidth, then by square roots and quotients. Therefore grains are sorted
//! by cells whenever a list is built (`cell_order`), the history of contacts is stored contiguously and read only as far as
//! their law needs it, and contacts are computed in blocks with vector instructions (`contact_block`). A step consists of
//! one pass over pairs (`contact_forces`) and one over grains.
//!
//! # Laws
//! A bed can use any law of the catalogue whose contact exists only while surfaces overlap ([`check_law`]). The memory of a
//! law is kept for each pair from onset to separation. Grains of several sizes have a law for each pair of sizes
//! ([`Bed::with_sizes`]).
//!
//! # Contact point
//! Friction acts on both grains at one point, half way through their overlap. Its arms are R − δ/2 and add up to the
//! distance of the centres, so angular momentum about any point is conserved to rounding.

mod bed;
mod boundary;
mod cell_grid;
mod cell_order;
mod chunks;
mod contact_block;
mod contact_forces;
mod contact_history;
mod contact_work;
mod energy;
mod initial_positions;
mod leapfrog;
mod neighbour_list;
mod pair_laws;
mod save;
mod scene;
mod step_error;

pub use bed::{Bed, ContactParameters};
pub use boundary::Wall;
pub use energy::{BedContact, BedEnergies};
pub use neighbour_list::Partner;
pub use pair_laws::{MAX_SIZES, check_law};
pub use save::SavedBed;
pub(crate) use scene::whole_steps;
pub use scene::{GranularScene, MAX_GRAINS};
pub use step_error::StepError;

#[cfg(test)]
mod tests;
