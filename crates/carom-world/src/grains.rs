//! Beds of grains: many spheres with a fixed step (the discrete element method).
//!
//! A bed is simulated differently from a mechanism: one step for all grains, onsets are not located, and what counts is contacts a
//! second. The scheme is the leapfrog (kick, drift, forces, kick; `leapfrog`), second order and symplectic without
//! damping; forces that depend on velocities take those of the half step. Choose about fifty steps a contact
//! ([`Bed::suggested_step`]).
//!
//! # Same bits with any number of threads
//! Grains are taken in chunks of a fixed size (`chunks`). A chunk computes the contacts of its first grains and sums, in
//! their order, the forces on its own grains. Forces on grains of other chunks are stored, and added there in the order of
//! the neighbour list. Where chunks end depends on the bed alone, so no sum depends on the threads.
//!
//! # Neighbours
//! Pairs nearer than a skin are found by a grid of cells (`cell_grid`) and listed (`neighbour_list`). A list serves for
//! many steps, until a grain has moved half the skin; then the contact history is carried over to the next one
//! (`contact_history`). Steps in between allocate nothing.
//!
//! # Speed
//! A step is limited first by memory, then by roots and quotients. So grains are sorted by cells with every list
//! (`cell_order`), the history of contacts lies together with only what their law needs, and contacts are computed in
//! blocks with vector instructions (`contact_block`). A step is one pass over pairs (`contact_forces`) and one over grains.
//!
//! # Laws
//! Any law of the catalogue whose contact exists only while surfaces overlap ([`check_law`]). What a law remembers is kept per
//! pair from onset to separation. Grains of several sizes have a law for each pair of sizes ([`Bed::with_sizes`]).
//!
//! # Contact point
//! Friction acts on both grains at one point, half way through their overlap: its arms are R − δ/2 and add up to
//! the distance of the centres, so that angular momentum about any point is kept to rounding.

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
