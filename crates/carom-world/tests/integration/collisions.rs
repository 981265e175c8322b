//! Every pair of solid shapes thrown at each other, turning: whatever touches, nothing is gained or lost.

use crate::common::{Log, add, law, pose_of};
use carom_world::math::{Quat, Vec3};
use carom_world::{Body, Contact, Run, Shape, World};

/// Numbers in [−1, 1) that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll())
    }
}

fn solids() -> Vec<Shape> {
    let roof = [
        Vec3::new(-0.04, -0.03, -0.02),
        Vec3::new(0.05, -0.035, -0.02),
        Vec3::new(0.04, 0.03, -0.025),
        Vec3::new(-0.03, 0.04, -0.02),
        Vec3::new(0.0, -0.02, 0.04),
        Vec3::new(0.01, 0.02, 0.035),
    ];
    vec![
        Shape::Sphere { radius: 0.04 },
        Shape::Ellipsoid { semi: Vec3::new(0.03, 0.05, 0.07) },
        Shape::Capsule { radius: 0.02, half: 0.05 },
        Shape::Cylinder { radius: 0.03, half: 0.05 },
        Shape::Box { half: Vec3::new(0.03, 0.04, 0.05) },
        Shape::hull(&roof).unwrap(),
    ]
}

#[test]
fn energy_and_momentum_are_kept_whatever_hits_whatever() {
    let law = law("hunt-crossley-1975", 1e9, 1.5, 0.7);
    let mut dice = Dice(3);
    for a in &solids() {
        for b in &solids() {
            let mut world = World::default();
            let mut shapes = Vec::new();
            for (shape, x) in [(a, 0.0), (b, 0.3)] {
                let turn = Quat { w: dice.roll(), v: dice.vector() }.normalised();
                let body = Body::of("body", shape, 1000.0)
                    .unwrap()
                    .at(Vec3::X * x + dice.vector() * 0.02)
                    .turned(turn)
                    .spinning(dice.vector() * 5.0)
                    .moving(Vec3::X * if x > 0.0 { -1.0 } else { 1.0 });
                shapes.push(add(&mut world, body, shape).1);
            }
            world.add_contact(Contact::new(shapes[0], shapes[1], law)).unwrap();
            let (mut run, mut log) = (Run::new(&world).unwrap(), Log::default());
            // Linear momentum, and angular about the origin.
            let momenta = |run: &Run| {
                let mut sums = (Vec3::ZERO, Vec3::ZERO);
                for index in [1, 2] {
                    let (body, pose) = (&world.bodies()[index], pose_of(&run, index));
                    let linear = pose.velocity * body.mass;
                    let spin = body.inertia.turned(pose.rotation).of(pose.spin);
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
            // One touch of a turning body: the restitution, but for what the normal turns.
            if let [only] = log.0[..] {
                let e = only.rebound / only.speed;
                assert!((e - 0.7).abs() < 0.1, "{names:?} {e}");
            }
        }
    }
}
