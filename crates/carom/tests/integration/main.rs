//! All integration tests of the library, in one program so that it is linked once.

mod advise;
mod batch;
mod catalogue;
mod claims;
mod closed_forms;
mod code;
mod common;
mod creep;
mod curve;
mod exact;
mod exact_tables;
mod export;
mod extremes;
mod fit_errors;
mod hostile;
mod identify;
mod impacts;
mod laws;
mod layers;
mod modules;
mod oracle;
mod own_laws;
mod robot_files;
mod round_trip;
mod scaling;
mod sweep;
