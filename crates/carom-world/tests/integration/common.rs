//! Worlds that several tests use.

use carom::Law;
use carom_world::math::{Mat3, Vec3};
use carom_world::{Body, Contact, Ended, Observer, Placed, Shape, World};

pub mod meetings;
pub mod pairs;
// Shared with the tests of the library, which use all of it.
#[allow(dead_code)]
#[path = "../../../carom/tests/integration/common/subjects.rs"]
pub mod subjects;

/// Remembers the touches that ended, in their order.
#[derive(Default)]
pub struct Log(pub Vec<Ended>);

impl Observer for Log {
    fn ended(&mut self, _world: &World, ended: &Ended) {
        self.0.push(*ended);
    }
}

/// A ball of a mass (kg) and radius (m), with its inertia.
pub fn ball(name: &str, mass: f64, radius: f64) -> Body {
    let moment = 0.4 * mass * radius * radius;
    Body::new(name, mass, Mat3::diagonal(Vec3::new(moment, moment, moment)))
}

/// A ball of the mass of a law above the ground z = 0, a little apart, falling at a speed.
pub fn above_ground(law: Law, radius: f64, speed: f64) -> World {
    let mut world = World::default();
    let ground = world.add_shape(Placed::on(0, Shape::HalfSpace)).unwrap();
    let start = Vec3::new(0.0, 0.0, radius + 1e-4);
    let body = ball("ball", law.mass, radius).at(start).moving(Vec3::new(0.0, 0.0, -speed));
    let body = world.add_body(body).unwrap();
    let shape = world.add_shape(Placed::on(body, Shape::Sphere { radius })).unwrap();
    world.add_contact(Contact::new(shape, ground, law)).unwrap();
    world
}

pub fn close(found: f64, expected: f64, relative: f64, what: &str) {
    let error = (found / expected - 1.0).abs();
    assert!(error < relative, "{what}: {found:e}, not {expected:e} (off by {error:.1e})");
}
