//! Bodies that touch at several sites at once: the requested restitution is delivered nevertheless.

use crate::common::{add, add_held, close, law, logged, pose_of, subjects};
use carom::{Damping, Law, collide};
use carom_world::joint::{Drive, Joint, Kind, Mount};
use carom_world::math::{Quat, Vec3};
use carom_world::{Body, Contact, Placed, Run, Shape, World};
use std::f64::consts::FRAC_PI_2;

const SPEED: f64 = 0.5;

fn block(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half: Vec3::new(x, y, z) * 0.5 }
}

/// Simulates a body of a mass (kg) that lands on the ground or on another fixed shape; returns the touches, and rebound speed
/// divided by approach speed.
fn landed(
    shape: &Shape,
    mass: f64,
    turn: Quat,
    height: f64,
    below: Shape,
    law: Law,
) -> (usize, f64) {
    let mut world = World::default();
    let under = match &below {
        Shape::Box { half } => Placed::on(0, below.clone()).at(Vec3::Z * -half.z),
        _ => Placed::on(0, below),
    };
    let ground = world.add_shape(under).unwrap();
    let density = mass / shape.solid(1.0).unwrap().mass;
    let body = Body::of("body", shape, density).unwrap();
    let body = body.at(Vec3::Z * (height + 1e-5)).turned(turn).moving(Vec3::Z * -SPEED);
    let (body, own) = add(&mut world, body, shape);
    world.add_contact(Contact::new(own, ground, law)).unwrap();
    let (run, log) = logged(&world, 0.02);
    let pose = pose_of(&run, body);
    assert!(pose.spin.length() < 1e-6, "{pose:?}");
    (log.len(), pose.velocity.z / SPEED)
}

#[test]
fn a_block_that_lands_flat_is_the_impact_of_a_quarter_of_its_mass_for_every_law() {
    let (mut seen, mut delivered, mut off) = (0, 0, Vec::new());
    for subject in subjects::all() {
        let law = subject.law;
        // If the bodies do not separate there is nothing to compare.
        let alone = collide(&law, SPEED).unwrap();
        if !(alone.duration.is_finite() && alone.restitution.newton > 0.01) {
            continue;
        }
        let expected = alone.restitution.newton;
        for size in [Vec3::new(0.04, 0.04, 0.04), Vec3::new(0.2, 0.03, 0.05)] {
            let cube = Shape::Box { half: size * 0.5 };
            let (mass, height) = (4.0 * law.mass, 0.5 * size.z);
            let (sites, e) = landed(&cube, mass, Quat::IDENTITY, height, Shape::HalfSpace, law);
            if sites != 4 || !((e - expected).abs() < 1e-6) {
                off.push(format!("{subject}: {sites} sites, {e}, not {expected}"));
            }
        }
        if let Damping::Exact(e) = subject.damping {
            assert!((expected - e).abs() < 1e-6, "{subject}");
            delivered += 1;
        }
        seen += 1;
    }
    assert!(seen > 100 && delivered > 20, "{seen} {delivered}");
    assert!(off.is_empty(), "{} of {seen}\n{}", off.len(), off.join("\n"));
}

#[test]
fn bodies_of_any_shape_that_land_flat_deliver_the_restitution() {
    let lying = Quat::about(Vec3::X, FRAC_PI_2);
    let corner = |angle: f64, z: f64| Vec3::new(0.05 * angle.cos(), 0.05 * angle.sin(), z);
    let prism: Vec<_> = (0..6)
        .map(|i| corner(f64::from(i % 3) * 2.0 * FRAC_PI_2 / 1.5, [-0.02, 0.02][i as usize / 3]))
        .collect();
    let table = block(1.0, 1.0, 0.2);
    let cases = [
        (block(0.1, 0.1, 0.1), Quat::IDENTITY, 0.05, Shape::HalfSpace, 4),
        (block(0.1, 0.1, 0.1), Quat::IDENTITY, 0.05, table.clone(), 4),
        (block(0.3, 0.02, 0.1), Quat::IDENTITY, 0.05, table.clone(), 4),
        (Shape::hull(&prism).unwrap(), Quat::IDENTITY, 0.02, Shape::HalfSpace, 3),
        (Shape::Cylinder { radius: 0.03, half: 0.05 }, Quat::IDENTITY, 0.05, Shape::HalfSpace, 24),
        (Shape::Cylinder { radius: 0.03, half: 0.05 }, Quat::IDENTITY, 0.05, table.clone(), 24),
        (Shape::Cylinder { radius: 0.03, half: 0.05 }, lying, 0.03, Shape::HalfSpace, 2),
        (Shape::Capsule { radius: 0.03, half: 0.05 }, lying, 0.03, Shape::HalfSpace, 2),
        (Shape::Capsule { radius: 0.03, half: 0.05 }, lying, 0.03, table, 2),
    ];
    for (shape, turn, height, below, sites) in cases {
        for (id, k, n) in [
            ("kelvin-voigt-1865", 1e7, 1.0),
            ("tsuji-1992", 1e10, 1.5),
            ("hunt-crossley-1975", 1e10, 1.5),
            ("power", 1e12, 1.8),
        ] {
            for e in [0.2, 0.85] {
                let law = law(id, k, n, e);
                let (seen, found) = landed(&shape, 1.0, turn, height, below.clone(), law);
                let what = format!("{} {id} n = {n}", shape.name());
                assert_eq!(seen, sites, "{what}");
                close(found, e, 1e-6, &what);
            }
        }
    }
}

/// Returns the effective mass that the first site to touch obtains when a slab of 1 kg lands tilted by an angle, and that of this
/// site alone: 1/m = 1/M + (n×r)·I⁻¹·(n×r).
fn first_mass(tilt: f64) -> (f64, f64) {
    let mut world = World::default();
    let ground = add_held(&mut world, Shape::HalfSpace);
    let half = Vec3::new(0.1, 0.1, 0.02);
    let slab = Shape::Box { half };
    let body = Body::of("slab", &slab, 1.0 / 1.6e-3).unwrap().at(Vec3::Z * 0.12).moving(-Vec3::Z);
    // The slab is turned about a horizontal axis between its edges, so that one corner touches first.
    let turn = Quat::about(Vec3::new(0.6, 0.8, 0.0), tilt);
    let (_, own) = add(&mut world, body.turned(turn), &slab);
    let law = law("kelvin-voigt-1865", 1e7, 1.0, 0.7);
    world.add_contact(Contact::new(own, ground, law)).unwrap();
    let mut run = Run::new(&world).unwrap();
    while run.state().touches().is_empty() {
        run.step(0.2, &mut ()).unwrap();
    }
    let corner = |i: usize| turn.rotate(Vec3::new([-0.1, 0.1][i & 1], [-0.1, 0.1][i >> 1], -0.02));
    let arm = (0..4).map(corner).fold(Vec3::ZERO, |low, r| if r.z < low.z { r } else { low });
    let about = turn.inverse().rotate(Vec3::Z.cross(arm));
    let (flat, upright) = ((0.04 + 0.0016) / 12.0, 0.08 / 12.0);
    let turned = (about.x * about.x + about.y * about.y) / flat + about.z * about.z / upright;
    (run.state().touches()[0].law.mass, 1.0 / (1.0 + turned))
}

#[test]
fn a_slab_goes_over_from_flat_to_one_corner_after_another_without_a_jump() {
    for tilt in [3e-3, 0.02, 0.2, 0.7] {
        let (mass, alone) = first_mass(tilt);
        close(mass, alone, 1e-9, "one corner");
    }
    close(first_mass(0.0).0, 0.25, 1e-12, "flat");
    close(first_mass(1e-9).0, 0.25, 1e-5, "nearly flat");
    let (mut tilt, mut last) = (1e-6, 0.25);
    while tilt < 4e-3 {
        let mass = first_mass(tilt).0;
        assert!((mass / last - 1.0).abs() < 0.1, "{tilt}: {mass} after {last}");
        (tilt, last) = (1.05 * tilt, mass);
    }
    assert!(last < 0.16, "{last}");
}

#[test]
fn two_blocks_that_meet_face_to_face_deliver_the_restitution() {
    for (one, two, turn) in [
        (block(0.1, 0.1, 0.1), block(0.1, 0.1, 0.1), 0.0),
        (block(0.1, 0.05, 0.1), block(0.3, 0.2, 0.1), 0.0),
        (block(0.1, 0.1, 0.1), block(0.2, 0.2, 0.1), 0.6),
    ] {
        for (id, k, n) in [("kelvin-voigt-1865", 1e8, 1.0), ("tsuji-1992", 1e11, 1.5)] {
            let mut world = World::default();
            let turned = Quat::about(Vec3::Z, turn);
            let mut shapes = Vec::new();
            for (shape, side) in [(&one, 1.0), (&two, -1.0)] {
                let body = Body::of("body", shape, 1000.0).unwrap();
                let body = body.at(Vec3::Z * (0.05005 * side)).moving(Vec3::Z * (-0.5 * side));
                let body = body.turned(if side > 0.0 { turned } else { Quat::IDENTITY });
                shapes.push(add(&mut world, body, shape).1);
            }
            world.add_contact(Contact::new(shapes[0], shapes[1], law(id, k, n, 0.6))).unwrap();
            let (run, log) = logged(&world, 0.01);
            let speed = |body: usize| pose_of(&run, body).velocity.z;
            assert!(log.len() >= 4, "{}", log.len());
            close(speed(1) - speed(2), 0.6, 1e-6, id);
        }
    }
}

#[test]
fn a_table_on_four_feet_delivers_the_restitution_of_their_contacts() {
    let mut world = World::default();
    let ground = add_held(&mut world, Shape::HalfSpace);
    let top = block(0.8, 0.5, 0.02);
    let body = Body::of("table", &top, 700.0).unwrap().at(Vec3::Z * 0.5).moving(-Vec3::Z);
    let body = world.add_body(body).unwrap();
    for (x, y) in [(0.3, 0.2), (-0.3, 0.2), (0.3, -0.2), (-0.3, -0.2)] {
        let foot = Placed::on(body, Shape::Sphere { radius: 0.02 }).at(Vec3::new(x, y, -0.4));
        let foot = world.add_shape(foot).unwrap();
        let law = law("tsuji-1992", 1e8, 1.5, 0.5);
        world.add_contact(Contact::new(foot, ground, law)).unwrap();
    }
    let (run, log) = logged(&world, 0.12);
    assert_eq!(log.len(), 4);
    close(pose_of(&run, body).velocity.z, 0.5, 1e-6, "table");
}

#[test]
fn a_bar_that_turns_about_a_pin_onto_two_sites_delivers_the_restitution() {
    // The effective mass depends on the joint: both ends of a roller on an arm close together, at the same speed.
    let mut world = World::default();
    let ground = add_held(&mut world, Shape::HalfSpace);
    let roller = Shape::Capsule { radius: 0.02, half: 0.1 };
    let body = Body::of("arm", &roller, 2000.0).unwrap().at(Vec3::new(0.3, 0.0, 0.03));
    let body = body.turned(Quat::about(Vec3::X, FRAC_PI_2)).moving(Vec3::Z * -0.6);
    let (body, own) = add(&mut world, body.spinning(Vec3::Y * 2.0), &roller);
    let mount = |body: usize, point: Vec3, rotation: Quat| Mount { body, point, rotation };
    let pin = Joint {
        name: "pin".into(),
        kind: Kind::Revolute,
        a: mount(0, Vec3::Z * 0.03, Quat::about(Vec3::X, FRAC_PI_2)),
        b: mount(body, Vec3::X * -0.3, Quat::IDENTITY),
        drive: Drive::Free,
        friction: None,
    };
    world.add_joint(pin).unwrap();
    let contact = Contact::new(own, ground, law("kelvin-voigt-1865", 1e7, 1.0, 0.7));
    world.add_contact(contact).unwrap();
    let (_, log) = logged(&world, 0.03);
    assert_eq!(log.len(), 2);
    for end in &log {
        close(end.rebound / end.speed, 0.7, 1e-4, "arm");
    }
}

#[test]
fn a_bar_that_turns_between_two_stops_delivers_the_restitution() {
    let mut world = World::default();
    let floor = Placed::on(0, Shape::HalfSpace).at(Vec3::Z * -0.03);
    let floor = world.add_shape(floor).unwrap();
    let over = Quat::about(Vec3::X, 2.0 * FRAC_PI_2);
    let ceiling = Placed::on(0, Shape::HalfSpace).turned(over).at(Vec3::Z * 0.03);
    let ceiling = world.add_shape(ceiling).unwrap();
    let bar = Shape::Capsule { radius: 0.02, half: 0.1 };
    let lying = Quat::about(Vec3::Y, FRAC_PI_2);
    let body = Body::of("bar", &bar, 2000.0).unwrap().turned(lying).spinning(Vec3::Y * 5.0);
    let (body, own) = add(&mut world, body, &bar);
    for stop in [floor, ceiling] {
        let law = law("kelvin-voigt-1865", 1e9, 1.0, 0.7);
        world.add_contact(Contact::new(own, stop, law)).unwrap();
    }
    let (run, log) = logged(&world, 0.025);
    assert_eq!(log.len(), 2);
    close(pose_of(&run, body).spin.y, -3.5, 1e-4, "spin");
}
