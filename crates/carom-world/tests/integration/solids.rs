//! Contacts of blocks, hulls and cylinders with each other.

use crate::common::{add, add_held, close, energy_closes, law, logged, parse, pose_of, ran};
use carom::law::{Damper, Exit, Law, Power};
use carom_world::friction::{Dashpot, Friction, Regularisation, TangentialStiffness};
use carom_world::math::{Quat, Vec3};
use carom_world::{Body, Contact, Placed, Run, Shape, World};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

const GRAVITY: f64 = 9.81;
const DOWN: Vec3 = Vec3::new(0.0, 0.0, -GRAVITY);

fn hunt_crossley(stiffness: f64, e: f64) -> Law {
    law("hunt-crossley-1975", stiffness, 1.5, e)
}

/// Returns a linear spring and damper for a mass, with the given share of critical damping.
fn damped(stiffness: f64, mass: f64, share: f64) -> Law {
    let damping = 2.0 * share * (stiffness * mass).sqrt();
    let power = Power::new(stiffness, 1.0, 0.0, 1.0, Damper::Coefficient(damping));
    Law::new(mass, Exit::ZeroForce, power)
}

fn block(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half: Vec3::new(x, y, z) * 0.5 }
}

fn free(world: &mut World, shape: &Shape, place: impl Fn(Body) -> Body) -> (usize, usize) {
    add(world, place(Body::of("body", shape, 1000.0).unwrap()), shape)
}

/// Adds a table with its top at z = 0.
fn table(world: &mut World, x: f64, y: f64, z: f64) -> usize {
    world.add_shape(Placed::on(0, block(x, y, z)).at(Vec3::Z * (-0.5 * z))).unwrap()
}

/// Returns a friction law with a lightly damped tangential spring.
fn sticking(coefficient: f64, stiffness: f64) -> Friction {
    let stiffness = TangentialStiffness::Constant(stiffness);
    Friction::Spring { coefficient, stiffness, damping: Dashpot::Ratio(0.05) }
}

/// Simulates one impact of a block that falls on a fixed block; returns the touches, and rebound speed divided by approach speed.
fn dropped(turn: Quat, under: Quat, e: f64) -> (Vec<carom_world::EndedTouch>, f64) {
    let mut world = World::default();
    let (cube, table) = (block(0.1, 0.1, 0.1), block(0.4, 0.3, 0.2));
    let below = Placed::on(0, table).turned(under);
    let below = world.add_shape(below).unwrap();
    let start = Vec3::new(0.0, 0.0, 0.5);
    let (body, shape) =
        free(&mut world, &cube, |b| b.at(start).turned(turn).moving(Vec3::new(0.0, 0.0, -1.0)));
    world.add_contact(Contact::new(shape, below, hunt_crossley(1e9, e))).unwrap();
    let (run, log) = logged(&world, 0.6);
    energy_closes(&run, 1e-8);
    let after = pose_of(&run, body);
    (log, after.velocity.z)
}

#[test]
fn a_block_on_its_corner_delivers_the_restitution() {
    // The diagonal of the block is vertical: the corner is below the centre.
    let tip = Quat::between(Vec3::new(1.0, 1.0, 1.0).unit().unwrap(), -Vec3::Z);
    let (log, speed) = dropped(tip, Quat::IDENTITY, 0.7);
    assert_eq!(log.len(), 1);
    close(log[0].rebound / log[0].speed, 0.7, 1e-8, "restitution");
    close(speed, 0.7, 1e-8, "speed after");
}

#[test]
fn an_edge_across_an_edge_delivers_the_restitution() {
    // Both blocks are rolled by 45 degrees, one of them is also turned by 90 degrees: edges cross in their middle.
    let one = Quat::about(Vec3::X, FRAC_PI_4);
    let two = Quat::about(Vec3::Z, FRAC_PI_2) * Quat::about(Vec3::X, FRAC_PI_4);
    let mut world = World::default();
    let cube = block(0.1, 0.1, 0.1);
    let below = world.add_shape(Placed::on(0, cube.clone()).turned(one)).unwrap();
    let fall = |b: Body| b.at(Vec3::Z * 0.3).turned(two).moving(-Vec3::Z);
    let (body, shape) = free(&mut world, &cube, fall);
    world.add_contact(Contact::new(shape, below, hunt_crossley(1e9, 0.6))).unwrap();
    let (run, log) = logged(&world, 0.4);
    assert_eq!(log.len(), 1, "{:?}", log);
    close(pose_of(&run, body).velocity.z, 0.6, 1e-8, "restitution");
    energy_closes(&run, 1e-9);
}

#[test]
fn a_block_on_an_edge_or_flat_touches_with_its_corners_together() {
    let edge = Quat::about(Vec3::X, FRAC_PI_4);
    for (turn, corners) in [(edge, 2), (Quat::IDENTITY, 4)] {
        let (log, speed) = dropped(turn, Quat::IDENTITY, 0.7);
        assert_eq!(log.len(), corners, "{log:?}");
        assert!(log.iter().all(|e| (e.begun - log[0].begun).abs() < 1e-12));
        close(speed, 0.7, 1e-7, "speed after");
    }
}

#[test]
fn edges_pressed_in_deeper_than_they_are_rounded_are_noted() {
    let cube = block(0.1, 0.1, 0.1);
    let kinds = |stiffness: f64| {
        let mut world = World::default();
        let below = world.add_shape(Placed::on(0, block(0.4, 0.3, 0.2))).unwrap();
        let fall = |b: Body| b.at(Vec3::Z * 0.16).moving(-Vec3::Z);
        let (_, shape) = free(&mut world, &cube, fall);
        world.add_contact(Contact::new(shape, below, damped(stiffness, 1.0, 0.1))).unwrap();
        let run = ran(&world, 0.02);
        run.state().notes().iter().map(carom_world::Note::kind).collect::<Vec<_>>()
    };
    // The corners are rounded by 0.5 and 1 mm: the stiff contact stops 1 m/s within a tenth of that, the soft one does not.
    assert_eq!(kinds(1e8), [""; 0]);
    assert_eq!(kinds(1e4), ["deep"]);
}

#[test]
fn indentations_that_mean_nothing_are_noted() {
    let ball = Shape::Sphere { radius: 0.02 };
    let plate = block(0.2, 0.2, 0.01);
    for (below, limit) in [(plate, 2.5e-3), (Shape::HalfSpace, 1e-2)] {
        let notes = |stiffness: f64| {
            let mut world = World::default();
            let below = add_held(&mut world, below.clone());
            let fall = |b: Body| b.at(Vec3::Z * 0.03).moving(-Vec3::Z);
            let (_, shape) = free(&mut world, &ball, fall);
            world.add_contact(Contact::new(shape, below, damped(stiffness, 1.0, 0.1))).unwrap();
            let run = ran(&world, 0.05);
            run.state().notes().to_vec()
        };
        assert_eq!(notes(1e7), []);
        match notes(1e1).as_slice() {
            [note @ carom_world::Note::Through { limit: told, indentation, .. }] => {
                assert!((told - limit).abs() < 1e-15 && *indentation > limit, "{note:?}");
                assert_eq!(note.kind(), "through");
                assert!(note.to_string().contains("stiffness is too small"), "{note}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn three_equal_blocks_stand_on_each_other() {
    let cube = block(0.1, 0.1, 0.1);
    let mut world = World::default().under(DOWN);
    let ground = table(&mut world, 1.0, 1.0, 0.1);
    let law = damped(1e6, 1.0, 0.3);
    let friction = sticking(0.5, 5e5);
    let mut below = ground;
    let mut bodies = Vec::new();
    for floor in 0..3 {
        let height = 0.05 + 0.1 * f64::from(floor);
        let (body, shape) = free(&mut world, &cube, |b| b.at(Vec3::Z * height));
        world.add_contact(Contact::new(shape, below, law).with_friction(friction)).unwrap();
        below = shape;
        bodies.push(body);
    }
    let mut run = ran(&world, 0.5);
    let then: Vec<_> = bodies.iter().map(|&b| pose_of(&run, b)).collect();
    run.advance(1.0).unwrap();
    for (floor, (&body, then)) in bodies.iter().zip(then).enumerate() {
        let now = pose_of(&run, body);
        let height = 0.05 + 0.1 * floor as f64;
        assert!((now.position - Vec3::Z * height).length() < 5e-5, "{floor}: {:?}", now.position);
        assert!((now.position - then.position).length() < 1e-9, "{floor} drifts");
        assert!(now.velocity.length() < 1e-7 && now.spin.length() < 1e-6, "{floor}: {now:?}");
    }
    // The four corners of the lowest block carry everything: 3·m·g = 4·k·δ.
    let lowest = pose_of(&run, bodies[0]).position.z;
    close(0.05 - lowest, 3.0 * GRAVITY / 4e6, 1e-3, "indentation");
    energy_closes(&run, 1e-8);
}

#[test]
fn planks_lie_across_each_other_on_their_edges() {
    // No corner of one plank is above the other: the four crossings of edges carry the weight.
    let plank = block(0.6, 0.1, 0.04);
    let mut world = World::default().under(DOWN);
    let below = add_held(&mut world, plank.clone());
    let across = Quat::about(Vec3::Z, FRAC_PI_2);
    let (body, shape) =
        free(&mut world, &plank, |b| b.at(Vec3::new(0.05, 0.02, 0.0401)).turned(across));
    let contact = Contact::new(shape, below, damped(1e7, 1.0, 0.5));
    world.add_contact(contact.with_friction(sticking(0.5, 5e6))).unwrap();
    let run = ran(&world, 0.5);
    let pose = pose_of(&run, body);
    assert_eq!(run.state().touches().len(), 4);
    assert!(pose.velocity.length() < 1e-4 && (pose.position.z - 0.04).abs() < 1e-5, "{pose:?}");
    energy_closes(&run, 1e-8);
}

#[test]
fn a_block_slides_on_a_block_as_coulomb_says() {
    let (mu, speed) = (0.3, 0.5);
    let mut world = World::default().under(DOWN);
    let table = table(&mut world, 2.0, 0.5, 0.1);
    let cube = block(0.1, 0.1, 0.04);
    let law = damped(1e7, 0.1, 0.5);
    // The block begins at its static indentation.
    let rest = 0.4 * GRAVITY / 4e7;
    let start = Vec3::new(-0.5, 0.0, 0.02 - rest);
    let (body, shape) = free(&mut world, &cube, |b| b.at(start).moving(Vec3::X * speed));
    let friction =
        Friction::Regularised { coefficient: mu, speed: 1e-4, rise: Regularisation::Tanh };
    world.add_contact(Contact::new(shape, table, law).with_friction(friction)).unwrap();
    let run = ran(&world, 0.1);
    let pose = pose_of(&run, body);
    // The front corners carry more, but the sum is the weight after the initial rocking has decayed.
    close(pose.velocity.x, speed - mu * GRAVITY * 0.1, 2e-4, "speed");
    close(pose.position.x + 0.5, speed * 0.1 - 0.5 * mu * GRAVITY * 0.01, 2e-4, "way");
    energy_closes(&run, 1e-8);
}

#[test]
fn a_cylinder_rolls_down_a_block_with_two_thirds_of_the_slope() {
    let slope = 0.2f64;
    let tilt = Quat::about(Vec3::Y, slope);
    let mut world = World::default().under(DOWN);
    let ramp = Placed::on(0, block(4.0, 1.0, 0.2)).turned(tilt).at(tilt.rotate(Vec3::Z * -0.1));
    let ramp = world.add_shape(ramp).unwrap();
    let roller = Shape::Cylinder { radius: 0.05, half: 0.1 };
    // The axis of the roller is along y, and it begins at its static indentation.
    let lying = Quat::about(Vec3::X, FRAC_PI_2);
    let mass = roller.solid(1000.0).unwrap().mass;
    let rest = mass * GRAVITY * slope.cos() / 2e7;
    let start = tilt.rotate(Vec3::new(-1.0, 0.0, 0.05 - rest));
    let (body, shape) = free(&mut world, &roller, |b| b.at(start).turned(lying));
    let law = damped(1e7, mass, 0.3);
    world.add_contact(Contact::new(shape, ramp, law).with_friction(sticking(0.6, 5e6))).unwrap();
    let run = ran(&world, 0.5);
    let pose = pose_of(&run, body);
    let along = tilt.rotate(Vec3::X);
    close(pose.velocity.dot(along), 2.0 / 3.0 * GRAVITY * slope.sin() * 0.5, 1e-3, "speed");
    close(pose.spin.y * 0.05, pose.velocity.dot(along), 1e-3, "rolls");
    assert!(pose.position.y.abs() < 1e-9 && pose.spin.x.abs() < 1e-6);
    energy_closes(&run, 1e-8);
}

#[test]
fn a_cylinder_stands_and_rocks_and_tips() {
    let can = Shape::Cylinder { radius: 0.03, half: 0.06 };
    let mass = can.solid(1000.0).unwrap().mass;
    // The can tips when its centre is over the rim, at atan(R/H) = 26.6 degrees.
    for (angle, stands) in [(0.0f64, true), (0.2, true), (0.6, false)] {
        let mut world = World::default().under(DOWN);
        let ground = table(&mut world, 1.0, 1.0, 0.2);
        let height = 0.06 * angle.cos() + 0.03 * angle.sin() + 1e-5;
        let lean = Quat::about(Vec3::X, angle);
        let (body, shape) = free(&mut world, &can, |b| b.at(Vec3::Z * height).turned(lean));
        let contact = Contact::new(shape, ground, damped(2e5, mass, 0.5));
        world.add_contact(contact.with_friction(sticking(0.8, 1e5))).unwrap();
        let run = ran(&world, if stands { 1.0 } else { 0.25 });
        let pose = pose_of(&run, body);
        let upright = pose.rotation.rotate(Vec3::Z).z;
        match stands {
            // Little energy is lost while the can rocks from side to side.
            true => assert!(upright > (angle + 1e-3).cos(), "{angle}: {upright}"),
            false => assert!(upright < 0.7, "{angle}: {upright}"),
        }
        if angle == 0.0 {
            assert!(pose.velocity.length() < 1e-6 && (1.0 - upright) < 1e-9, "{pose:?}");
        }
        energy_closes(&run, 1e-7);
    }
}

#[test]
fn crossed_cylinders_have_hertzs_ellipse_and_deliver_the_restitution() {
    let text = r#"
        simulation = { duration = "5 ms" }
        body = [
            { name = "low", shape = "cylinder", radius = "20 mm", length = "200 mm", material = "steel",
                rotation = { axis = [0, 1, 0], angle = "90 deg" } },
            { name = "high", shape = "cylinder", radius = "10 mm", length = "200 mm", material = "steel",
                position = [0, 0, "31 mm"], velocity = [0, 0, -1],
                rotation = { axis = [1, 0, 0], angle = "90 deg" } },
        ]
        contact = [{ between = ["high", "low"], law = "hunt-crossley-1975", restitution = 0.8,
            calibration = "exact" }]
    "#;
    let scene = parse(text);
    let world = &scene.world;
    let (_, log) = logged(world, 0.005);
    assert_eq!(log.len(), 1);
    close(log[0].rebound / log[0].speed, 0.8, 1e-8, "restitution");
    // The same impact in the library, with the stiffness for curvatures 1/R1 and 1/R2.
    let steel = carom::pair::material("steel").unwrap();
    let modulus = carom::pair::stiffness::effective_modulus(steel.compliance(), steel.compliance());
    let k = carom::pair::stiffness::elliptical(modulus.unwrap(), 50.0, 100.0).unwrap();
    let (m1, m2) = (world.bodies()[1].mass, world.bodies()[2].mass);
    let law = Law { mass: m1 * m2 / (m1 + m2), ..hunt_crossley(k, 0.8) };
    let expected = carom::collide(&law, 1.0).unwrap();
    close(log[0].force_max, expected.force_max, 1e-7, "force");
}

#[test]
fn a_hull_of_eight_corners_is_a_box() {
    let half = Vec3::new(0.05, 0.04, 0.03);
    let sign = |i: usize, bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
    let corner = |i: usize| Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2)).scaled(half);
    let points: Vec<_> = (0..8).map(corner).collect();
    let turn = Quat::about(Vec3::new(0.48, 0.6, 0.64), 0.7);
    let end = |shape: Shape| {
        let mut world = World::default().under(DOWN);
        let table = table(&mut world, 1.0, 1.0, 0.1);
        let (body, own) = free(&mut world, &shape, |b| b.at(Vec3::Z * 0.1).turned(turn));
        world.add_contact(Contact::new(own, table, hunt_crossley(1e8, 0.5))).unwrap();
        let run = ran(&world, 0.15);
        energy_closes(&run, 1e-8);
        pose_of(&run, body)
    };
    let (one, two) = (end(Shape::Box { half }), end(Shape::hull(&points).unwrap()));
    assert!((one.position - two.position).length() < 1e-8, "{one:?} {two:?}");
    assert!((one.spin - two.spin).length() < 1e-6 && one.spin.length() > 1.0);
}

#[test]
fn a_run_of_blocks_is_resumed_to_the_last_digit() {
    let cube = block(0.1, 0.1, 0.1);
    let mut world = World::default().under(DOWN);
    let table = table(&mut world, 1.0, 1.0, 0.1);
    let turn = Quat::about(Vec3::new(0.48, 0.6, 0.64), 0.7);
    let (body, shape) = free(&mut world, &cube, |b| b.at(Vec3::Z * 0.12).turned(turn));
    let law = hunt_crossley(1e8, 0.4);
    world.add_contact(Contact::new(shape, table, law)).unwrap();
    let roller = Shape::Cylinder { radius: 0.05, half: 0.1 };
    let (_, other) = free(&mut world, &roller, |b| b.at(Vec3::new(0.03, 0.02, 0.3)).turned(turn));
    world.add_contact(Contact::new(other, shape, law)).unwrap();
    world.add_contact(Contact::new(other, table, law)).unwrap();
    let mut whole = Run::new(&world).unwrap();
    let mut part = Run::new(&world).unwrap();
    for time in [0.06, 0.1, 0.15, 0.2] {
        whole.advance(time).unwrap();
        part.advance(time).unwrap();
        part = Run::resume(&world, part.state().clone());
    }
    let of = |run: &Run| pose_of(run, body);
    assert_eq!(of(&whole), of(&part));
    assert!(whole.state().accounts().iter().map(|a| a.ended).sum::<usize>() > 1);
    energy_closes(&whole, 1e-8);
}

#[test]
fn bodies_set_down_on_a_block_stay_there() {
    let roof = [
        Vec3::new(-0.04, -0.03, -0.02),
        Vec3::new(0.05, -0.035, -0.02),
        Vec3::new(0.04, 0.03, -0.02),
        Vec3::new(-0.03, 0.04, -0.02),
        Vec3::new(0.0, -0.02, 0.03),
        Vec3::new(0.01, 0.02, 0.03),
    ];
    let upright = Quat::IDENTITY;
    let lying = Quat::about(Vec3::X, FRAC_PI_2);
    let cases = [
        (Shape::hull(&roof).unwrap(), upright, 0.02),
        (Shape::Cylinder { radius: 0.03, half: 0.02 }, upright, 0.02),
        (Shape::Cylinder { radius: 0.03, half: 0.04 }, lying, 0.03),
        (Shape::Capsule { radius: 0.02, half: 0.04 }, lying, 0.02),
        (Shape::Ellipsoid { semi: Vec3::new(0.05, 0.04, 0.02) }, upright, 0.02),
    ];
    for (shape, turn, height) in cases {
        let mut world = World::default().under(DOWN);
        let table = table(&mut world, 0.4, 0.4, 0.1);
        let centre = shape.solid(1000.0).unwrap().centre;
        let start = centre + Vec3::Z * (height + 1e-5);
        let body = Body::of("body", &shape, 1000.0).unwrap().at(start).turned(turn);
        let (body, own) = add(&mut world, body, &shape);
        let contact = Contact::new(own, table, damped(2e5, 0.1, 0.5));
        world.add_contact(contact.with_friction(sticking(0.5, 1e5))).unwrap();
        let run = ran(&world, 0.4);
        let pose = pose_of(&run, body);
        let name = shape.name();
        assert!((pose.position - start).length() < 1e-4, "{name}: {:?}", pose.position - start);
        assert!(pose.velocity.length() < 1e-4, "{name}: {pose:?}");
        energy_closes(&run, 1e-9);
    }
}
