//! Worlds and helpers used by several tests.

use carom::{Damping, Law, Pair, model};
use carom_world::math::{Mat3, Vec3};
use carom_world::{Body, Contact, EndedTouch, Observer, Placed, Pose, Run, Scene, Shape, World};

pub mod meetings;
pub mod pairs;
// This file is shared with the tests of the library, which use all of it.
#[allow(dead_code)]
#[path = "../../../carom/tests/integration/common/subjects.rs"]
pub mod subjects;

/// Records the touches that have ended, in their order.
#[derive(Default)]
pub struct Log(pub Vec<EndedTouch>);

impl Observer for Log {
    fn ended(&mut self, _world: &World, ended: &EndedTouch) {
        self.0.push(*ended);
    }
}

/// Returns a ball of a mass (kg) and radius (m) with its inertia.
pub fn ball(name: &str, mass: f64, radius: f64) -> Body {
    let moment = 0.4 * mass * radius * radius;
    Body::new(name, mass, Mat3::diagonal(Vec3::new(moment, moment, moment)))
}

/// Builds a world with a ball of the mass of a law, 0.1 mm above the ground z = 0, that falls at a speed.
pub fn above_ground(law: Law, radius: f64, speed: f64) -> World {
    let mut world = World::default();
    let ground = add_held(&mut world, Shape::HalfSpace);
    let start = Vec3::new(0.0, 0.0, radius + 1e-4);
    let body = ball("ball", law.mass, radius).at(start).moving(Vec3::new(0.0, 0.0, -speed));
    let (_, shape) = add(&mut world, body, &Shape::Sphere { radius });
    world.add_contact(Contact::new(shape, ground, law)).unwrap();
    world
}

/// Adds a body with a shape centred on its centre of mass and returns the indices of both.
pub fn add(world: &mut World, body: Body, shape: &Shape) -> (usize, usize) {
    let body = world.add_body(body).unwrap();
    let centre = shape.solid(1.0).unwrap().centre;
    (body, world.add_shape(Placed::on(body, shape.clone()).at(-centre)).unwrap())
}

/// Adds a fixed shape, such as the ground.
pub fn add_held(world: &mut World, shape: Shape) -> usize {
    world.add_shape(Placed::on(0, shape)).unwrap()
}

/// Returns a law of the catalogue for 1 kg, from stiffness, exponent and the restitution that it delivers.
pub fn law(id: &str, stiffness: f64, exponent: f64, restitution: f64) -> Law {
    let pair = Pair::new(1.0, stiffness, exponent).unwrap();
    model(id).unwrap().law(&pair, Damping::Exact(restitution), None, &[]).unwrap()
}

pub fn parse(text: &str) -> Scene {
    Scene::parse(text, &|_| Err("no files".into())).unwrap()
}

/// Runs a world up to a time.
pub fn ran(world: &World, until: f64) -> Run<'_> {
    let mut run = Run::new(world).unwrap();
    run.advance(until).unwrap();
    run
}

/// Runs a world up to a time and returns the run and the touches that ended.
pub fn logged(world: &World, until: f64) -> (Run<'_>, Vec<EndedTouch>) {
    let (mut run, mut log) = (Run::new(world).unwrap(), Log::default());
    run.advance_with(until, &mut log).unwrap();
    (run, log.0)
}

/// Returns position and velocities of a body.
pub fn pose_of(run: &Run, body: usize) -> Pose {
    run.state().body(run.world(), body).unwrap()
}

pub fn energy_closes(run: &Run, allowed: f64) {
    let energies = run.state().energies(run.world());
    assert!(energies.error.abs() < allowed, "{energies:?}");
}

/// Takes a step of the classical Runge–Kutta method of order four.
pub fn runge_kutta(
    slope: &impl Fn(f64, [f64; 4]) -> [f64; 4],
    t: f64,
    y: [f64; 4],
    h: f64,
) -> [f64; 4] {
    let ahead = |k: [f64; 4], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    let one = slope(t, y);
    let two = slope(t + 0.5 * h, ahead(one, 0.5 * h));
    let three = slope(t + 0.5 * h, ahead(two, 0.5 * h));
    let four = slope(t + h, ahead(three, h));
    std::array::from_fn(|i| y[i] + h / 6.0 * (one[i] + 2.0 * (two[i] + three[i]) + four[i]))
}

pub fn close(found: f64, expected: f64, relative: f64, what: &str) {
    let error = (found / expected - 1.0).abs();
    assert!(error < relative, "{what}: {found:e}, not {expected:e} (off by {error:.1e})");
}
