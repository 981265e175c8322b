//! All integration tests of scenes and beds of grains, in one program so that it is linked once.

mod bifurcation;
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
mod joints;
mod lasting;
mod mechanics;
mod nonsmooth;
mod random_pairs;
mod rest;
mod resting;
mod scenes;
mod solids;
mod sources;
mod starts;
mod stored_run;
mod sweeps;
mod together;
mod validation;
