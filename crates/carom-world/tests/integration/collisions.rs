//! Every pair of solid shapes collides while rotating; energy and momentum must be conserved up to the recorded losses.

use crate::common::pairs::{Dice, solids};
use crate::common::{Log, add, law, pose_of};
use carom_world::math::Vec3;
use carom_world::{Body, Contact, Run, Shape, World};

/// Returns one solid of each kind.
fn kinds() -> Vec<Shape> {
    let names = ["sphere", "ellipsoid", "capsule", "cylinder", "box", "roof"];
    solids().into_iter().filter(|(name, _)| names.contains(name)).map(|(_, shape)| shape).collect()
}

#[test]
fn energy_and_momentum_are_conserved_in_collisions_of_all_shapes() {
    let law = law("hunt-crossley-1975", 1e9, 1.5, 0.7);
    let mut dice = Dice::new(3);
    for a in &kinds() {
        for b in &kinds() {
            let mut world = World::default();
            let mut shapes = Vec::new();
            for (shape, x) in [(a, 0.0), (b, 0.3)] {
                let body = Body::of("body", shape, 1000.0)
                    .unwrap()
                    .at(Vec3::X * x + dice.vector() * 0.02)
                    .turned(dice.turn())
                    .spinning(dice.vector() * 5.0)
                    .moving(Vec3::X * if x > 0.0 { -1.0 } else { 1.0 });
                shapes.push(add(&mut world, body, shape).1);
            }
            world.add_contact(Contact::new(shapes[0], shapes[1], law)).unwrap();
            let (mut run, mut log) = (Run::new(&world).unwrap(), Log::default());
            // Linear momentum, and angular momentum about the origin.
            let momenta = |run: &Run| {
                let mut sums = (Vec3::ZERO, Vec3::ZERO);
                for index in [1, 2] {
                    let (body, pose) = (&world.bodies()[index], pose_of(run, index));
                    let linear = pose.velocity * body.mass;
                    let spin = body.inertia.in_world_axes(pose.rotation).of(pose.spin);
                    sums = (sums.0 + linear, sums.1 + pose.position.cross(linear) + spin);
                }
                sums
            };
            let (before, first) = (momenta(&run), run.state().energies(&world).kinetic);
            let names = (a.name(), b.name());
            run.advance_with(0.25, &mut log).unwrap_or_else(|error| panic!("{names:?}: {error}"));
            let after = momenta(&run);
            assert!(!log.0.is_empty(), "{names:?} missed each other");
            assert!((after.0 - before.0).length() < 1e-12, "{names:?}");
            assert!((after.1 - before.1).length() < 1e-10, "{names:?}");
            let energies = run.state().energies(&world);
            assert!(energies.error.abs() < 1e-9 * first, "{names:?} {energies:?}");
            // With a single touch of rotating bodies the restitution is that of the law, except for the effect of the normal's
            // rotation.
            if let [only] = log.0[..] {
                let e = only.rebound / only.speed;
                assert!((e - 0.7).abs() < 0.1, "{names:?} {e}");
            }
        }
    }
}
