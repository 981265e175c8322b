//! carom-world: rigid bodies in contact, with any contact law of carom.
//!
//! A [`World`] contains everything that does not change during a run: bodies, shapes, contacts with their laws, joints,
//! force elements. A [`State`] contains everything that changes. A [`Run`] advances a state in steps of controlled error.
//! Onsets, separations and other events lie at the ends of steps, and an energy ledger that is integrated with the motion
//! shows the numerical error. A step goes through the stages
//!
//! propose → try → cross → locate → sample → apply
//!
//! each of which takes references and returns what it found (`step.rs`).
//!
//! ```
//! use carom_world::{Body, Contact, Placed, Run, Shape, World, math::Vec3};
//!
//! // A ball against a wall: the restitution that is asked for is the one that comes out.
//! let steel = carom::Pair::new(0.54, 2.4144e10, 1.5)?;
//! let law = carom::model("hunt-crossley-1975")?.law(&steel, carom::Damping::Exact(0.7), None, &[])?;
//! let mut world = World::default();
//! let wall = world.add_shape(Placed::on(0, Shape::HalfSpace))?;
//! let ball = Shape::Sphere { radius: 0.02 };
//! let body = Body::of("ball", &ball, 7850.0)?;
//! let body = world.add_body(body.at(Vec3::new(0.0, 0.0, 0.03)).moving(Vec3::new(0.0, 0.0, -0.5)))?;
//! let shape = world.add_shape(Placed::on(body, ball))?;
//! world.add_contact(Contact::new(shape, wall, law))?;
//!
//! let mut run = Run::new(&world)?;
//! run.advance(0.1)?;
//! let rebound = run.state().body(&world, body).unwrap().velocity.z;
//! assert!((rebound / 0.5 - 0.7).abs() < 1e-8);
//! assert!(run.state().energies(&world).error.abs() < 1e-8);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! All solid shapes can touch each other (`gap`); cavities hold balls, and bores hold cylinders. Anything that is not
//! supported is an error that says what to do instead.

// No input may cause a panic, and a library prints nothing.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![cfg_attr(not(test), warn(clippy::unreachable, clippy::todo, clippy::unimplemented))]
#![cfg_attr(not(test), warn(clippy::string_slice))]
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro))]

pub mod actuator;
pub mod bifurcation;
pub mod element;
pub mod friction;
pub mod gap;
pub mod grains;
pub mod impact_class;
pub mod joint;
pub mod law_source;
pub mod ledger;
pub mod lyapunov;
pub mod math;
pub mod measure;
pub mod motion;
pub mod path;
pub mod record;
pub mod regimes;
pub mod sensor;
pub mod shape;
pub mod state;
pub mod sweep;
pub mod world;

pub mod scene;

mod bits;
mod check;
mod checkpoint;
mod contact;
mod disjoint_sets;
mod dynamics;
mod equilibrium;
mod input;
mod integrator;
mod island;
mod kinematics;
mod nonsmooth;
mod note;
mod observe;
mod planar_sites;
mod run;
mod solve;
mod start;
mod step;
mod window;

pub use checkpoint::Saved;
pub use friction::{Friction, RollingResistance};
pub use impact_class::ImpactClass;
pub use joint::Joint;
pub use law_source::LawSource;
pub use ledger::Energies;
pub use motion::Motion;
pub use note::Note;
pub use observe::{ContactForce, EndedTouch, Observer, Sample};
pub use path::Path;
pub use run::Run;
pub use scene::{Scene, SceneError};
pub use shape::{Placed, Shape};
pub use state::{Phase, Pose, RigidTouch, State, Touch};
pub use world::{Body, Contact, ContactMethod, ImpactLaw, Mobility, World};
