//! All integration tests of scenes and beds of grains, in one program so that it is linked once.

mod collisions;
mod common;
mod contacts;
mod driven;
mod drop_tests;
mod flat_ends;
mod friction;
mod grains;
mod hostile;
mod impacts;
mod lasting;
mod mechanics;
mod random_pairs;
mod resting;
mod scenes;
mod solids;
mod sources;
mod stored_run;
mod together;
mod validation;
