//! Contacts in scenes: bodies at rest, repeated touches, several contacts at once, fast bodies, and conservation of energy.

use crate::common::{
    Log, above_ground, add, add_held, ball, close, energy_closes, law, logged, pose_of, ran,
};
use carom::collide;
use carom::law::{Damper, Exit, Law, Power};
use carom_world::friction::{Dashpot, Friction, Regularisation, TangentialStiffness};
use carom_world::math::{Mat3, Quat, Vec3};
use carom_world::{Body, Contact, Placed, Run, Shape, World};

const GRAVITY: f64 = 9.81;

const DOWN: Vec3 = Vec3::new(0.0, 0.0, -GRAVITY);

fn hunt_crossley(mass: f64, stiffness: f64, e: f64) -> Law {
    Law { mass, ..law("hunt-crossley-1975", stiffness, 1.5, e) }
}

#[test]
fn kelvin_voigt_and_hertz_are_their_closed_forms() {
    let (m, k, v) = (0.3, 2e5f64, 0.7);
    let hertz = Law::new(m, Exit::ZeroForce, Power::elastic(k, 1.5));
    let world = above_ground(hertz, 0.05, v);
    let (_, log) = logged(&world, 0.1);
    let deepest = (1.25 * m * v * v / k).powf(0.4);
    close(log[0].indentation_max, deepest, 1e-8, "indentation");
    close(log[0].ended - log[0].begun, 2.943275 * deepest / v, 1e-6, "duration");
    close(log[0].rebound, v, 1e-8, "speed");
    // ζ < 1, exit at F = 0: e = exp(−2φζ/√(1−ζ²)) with φ = arccos ζ.
    let damping = 0.2 * 2.0 * (k * m).sqrt();
    let voigt = Power::new(k, 1.0, 0.0, 1.0, Damper::Coefficient(damping));
    let world = above_ground(Law::new(m, Exit::ZeroForce, voigt), 0.05, v);
    let (_, log) = logged(&world, 0.1);
    let (zeta, phi) = (0.2f64, 0.2f64.acos());
    let expected = (-2.0 * phi * zeta / (1.0 - zeta * zeta).sqrt()).exp();
    close(log[0].rebound / v, expected, 1e-8, "restitution");
}

#[test]
fn a_bouncing_ball_comes_to_rest_on_its_static_indentation() {
    let law = hunt_crossley(0.5, 1e9, 0.6);
    let mut world = above_ground(law, 0.05, 1.0);
    world.gravity = DOWN;
    let (run, log) = logged(&world, 3.0);
    assert!(log.len() >= 8, "{}", log.len());
    // While the weight is small compared with the contact force, the restitution is the requested one.
    close(log[0].rebound / log[0].speed, 0.6, 5e-3, "restitution");
    let pose = pose_of(&run, 1);
    let rest = (0.5 * GRAVITY / 1e9f64).powf(2.0 / 3.0);
    close(0.05 - pose.position.z, rest, 1e-4, "indentation at rest");
    assert!(pose.velocity.length() < 1e-6 && run.state().touches().len() == 1);
    energy_closes(&run, 1e-8);
}

#[test]
fn a_law_that_divides_by_the_impact_speed_gets_a_floor_and_a_note_says_so() {
    // The ball is set down without speed: v₀ would be 0 and the damping infinite.
    let law = hunt_crossley(0.5, 1e9, 0.6);
    let mut world = World::default().under(DOWN);
    let ground = add_held(&mut world, Shape::HalfSpace);
    let (body, shape) = add(
        &mut world,
        ball("ball", 0.5, 0.05).at(Vec3::new(0.0, 0.0, 0.05)),
        &Shape::Sphere { radius: 0.05 },
    );
    world.add_contact(Contact::new(shape, ground, law)).unwrap();
    let run = ran(&world, 0.2);
    let note = run.state().notes().iter().find(|note| note.kind() == "speed_floor");
    assert!(note.unwrap().to_string().contains("slowest_impact"));
    let rest = (0.5 * GRAVITY / 1e9f64).powf(2.0 / 3.0);
    let pose = pose_of(&run, body);
    close(0.05 - pose.position.z, rest, 1e-4, "indentation at rest");
    assert!(run.state().counts.steps < 5000, "not stiff: {:?}", run.state().counts);
}

#[test]
fn a_velocity_free_law_rests_without_a_note() {
    let law = Law { mass: 0.5, ..law("tsuji-1992", 1e6, 1.5, 0.6) };
    let mut world = above_ground(law, 0.05, 0.2);
    world.gravity = DOWN;
    let run = ran(&world, 2.0);
    assert!(run.state().notes().is_empty(), "{:?}", run.state().notes());
    assert!(pose_of(&run, 1).velocity.length() < 1e-7);
}

#[test]
fn a_ball_with_a_weight_bounces_as_the_library_says() {
    let law = hunt_crossley(0.5, 1e5, 0.8);
    let mut world = above_ground(law, 0.05, 0.5);
    world.gravity = DOWN;
    let (_, log) = logged(&world, 0.05);
    let conditions = carom::impact::Conditions { external_force: 0.5 * GRAVITY };
    let expected = carom::impact::collide_under(&law, log[0].speed, &conditions).unwrap();
    close(log[0].rebound / log[0].speed, expected.restitution.newton, 1e-8, "restitution");
    close(log[0].force_max, expected.force_max, 1e-8, "force");
}

#[test]
fn two_balls_collide_with_their_reduced_mass_and_keep_momentum() {
    let (m1, m2, v) = (0.4, 1.1, Vec3::new(0.9, 0.2, -0.1));
    let law = hunt_crossley(1.0, 1e11, 0.75);
    let mut world = World::default();
    let (a, b) = (ball("a", m1, 0.03), ball("b", m2, 0.05));
    let a = world.add_body(a.moving(v)).unwrap();
    let b = world.add_body(b.at(Vec3::new(0.2, 0.03, 0.0))).unwrap();
    let sa = world.add_shape(Placed::on(a, Shape::Sphere { radius: 0.03 })).unwrap();
    let sb = world.add_shape(Placed::on(b, Shape::Sphere { radius: 0.05 })).unwrap();
    world.add_contact(Contact::new(sa, sb, law)).unwrap();
    let (run, log) = logged(&world, 0.5);
    let reduced = Law { mass: m1 * m2 / (m1 + m2), ..law };
    let expected = collide(&reduced, log[0].speed).unwrap();
    // The normal turns slightly during an oblique impact, therefore the agreement is not exact.
    close(log[0].rebound / log[0].speed, 0.75, 1e-3, "restitution");
    close(log[0].force_max, expected.force_max, 1e-3, "force");
    let of = |body| pose_of(&run, body);
    let momentum = of(a).velocity * m1 + of(b).velocity * m2;
    assert!((momentum - v * m1).length() < 1e-14);
    energy_closes(&run, 1e-9);
}

#[test]
fn an_off_centre_impact_delivers_the_restitution_at_the_place_of_contact() {
    // A rod (capsule) falls on one end; the effective mass is that at the end.
    let law = hunt_crossley(1.0, 1e10, 0.5);
    let mut world = World::default();
    let ground = add_held(&mut world, Shape::HalfSpace);
    let rod = Shape::Capsule { radius: 0.02, half: 0.3 };
    let tilt = Quat::about(Vec3::Y, 1.2);
    let body = Body::of("rod", &rod, 2000.0).unwrap().turned(tilt).at(Vec3::new(0.0, 0.0, 0.2));
    let (_, shape) = add(&mut world, body.moving(Vec3::new(0.0, 0.0, -1.0)), &rod);
    world.add_contact(Contact::new(shape, ground, law)).unwrap();
    let (mut run, mut log) = (Run::new(&world).unwrap(), Log::default());
    while log.0.is_empty() {
        run.step(1.0, &mut log).unwrap();
    }
    close(log.0[0].rebound / log.0[0].speed, 0.5, 2e-3, "restitution");
    energy_closes(&run, 1e-8);
}

#[test]
fn a_bullet_does_not_pass_through_a_thin_plate() {
    // A ball of 1 mm at 1000 m/s, and a plate of 2 mm at a distance of 1 m.
    let law = Law::new(1e-6, Exit::ZeroForce, Power::elastic(1e9, 1.5));
    let mut world = World::default();
    let plate = Shape::Box { half: Vec3::new(0.5, 0.5, 1e-3) };
    let plate = add_held(&mut world, plate);
    let bullet = ball("bullet", 3e-5, 5e-4).at(Vec3::new(0.1, 0.05, 1.0));
    let (bullet, shape) = add(
        &mut world,
        bullet.moving(Vec3::new(0.0, 0.0, -1000.0)),
        &Shape::Sphere { radius: 5e-4 },
    );
    world.add_contact(Contact::new(shape, plate, law)).unwrap();
    let run = ran(&world, 2e-3);
    let pose = pose_of(&run, bullet);
    assert!(pose.position.z > 0.5 && pose.velocity.z > 999.0, "{pose:?}");
    // A ball that narrowly misses another one is not affected.
    let mut world = World::default();
    let still = add_held(&mut world, Shape::Sphere { radius: 0.01 });
    let flyer = ball("flyer", 1e-3, 0.01).at(Vec3::new(-5.0, 0.0201, 0.0));
    let (flyer, shape) =
        add(&mut world, flyer.moving(Vec3::new(800.0, 0.0, 0.0)), &Shape::Sphere { radius: 0.01 });
    world.add_contact(Contact::new(shape, still, law)).unwrap();
    let run = ran(&world, 0.02);
    assert!((pose_of(&run, flyer).velocity.x - 800.0).abs() < 1e-9);
}

#[test]
fn a_block_lands_on_four_corners_and_stands() {
    let law = law("kelvin-voigt-1865", 1e6, 1.0, 0.3);
    let mut world = World::default().under(DOWN);
    let ground = add_held(&mut world, Shape::HalfSpace);
    let block = Shape::Box { half: Vec3::new(0.05, 0.04, 0.1) };
    let body = Body::of("block", &block, 2000.0).unwrap().at(Vec3::new(0.0, 0.0, 0.11));
    let mass = body.mass;
    let (body, shape) = add(&mut world, body, &block);
    let friction =
        Friction::Regularised { coefficient: 0.4, speed: 1e-3, rise: Regularisation::Tanh };
    world.add_contact(Contact::new(shape, ground, law).with_friction(friction)).unwrap();
    let run = ran(&world, 1.0);
    assert_eq!(run.state().touches().len(), 4);
    let pose = pose_of(&run, body);
    close(0.1 - pose.position.z, mass * GRAVITY / 4.0 / 1e6, 1e-4, "indentation");
    assert!(pose.rotation.rotate(Vec3::Z).z > 1.0 - 1e-12 && pose.velocity.length() < 1e-6);
    energy_closes(&run, 1e-8);
}

fn sliding(friction: Friction, v: f64) -> (World, usize) {
    let (mass, radius) = (0.5, 0.05);
    let law = law("tsuji-1992", 1e9, 1.5, 0.5);
    let mut world = World::default().under(DOWN);
    let ground = add_held(&mut world, Shape::HalfSpace);
    // Position at which the ball rests under its weight.
    let sunk = (mass * GRAVITY / 1e9f64).powf(2.0 / 3.0);
    let body = ball("ball", mass, radius).at(Vec3::new(0.0, 0.0, radius - sunk));
    let (body, shape) =
        add(&mut world, body.moving(Vec3::new(v, 0.0, 0.0)), &Shape::Sphere { radius });
    world.add_contact(Contact::new(shape, ground, law).with_friction(friction)).unwrap();
    (world, body)
}

fn spring(coefficient: f64, stiffness: TangentialStiffness, ratio: f64) -> Friction {
    Friction::Spring { coefficient, stiffness, damping: Dashpot::Ratio(ratio) }
}

#[test]
fn a_sliding_ball_rolls_at_five_sevenths_of_its_speed() {
    let (v, mu) = (2.0, 0.3);
    let laws = [
        Friction::Regularised { coefficient: mu, speed: 1e-4, rise: Regularisation::Tanh },
        Friction::Regularised { coefficient: mu, speed: 1e-4, rise: Regularisation::Threlfall },
        spring(mu, TangentialStiffness::Constant(1e6), 0.0),
        spring(mu, TangentialStiffness::Constant(1e6), 0.1),
        spring(mu, TangentialStiffness::Root(1e9), 0.0),
        spring(mu, TangentialStiffness::Root(1e9), 0.1),
        spring(mu, TangentialStiffness::Share(0.8), 0.05),
        Friction::LuGre {
            static_coefficient: mu,
            dynamic_coefficient: mu,
            speed: 0.01,
            stiffness: 1e5,
            damping: 50.0,
            viscous: 0.0,
        },
        Friction::BrownMcPhee {
            static_coefficient: mu,
            dynamic_coefficient: mu,
            speed: 1e-4,
            viscous: 0.0,
        },
    ];
    for friction in laws {
        let (world, body) = sliding(friction, v);
        let mut run = Run::new(&world).unwrap();
        // The ball slides for 2v/(7μg); during that time v(t) = v − μgt.
        let stops = 2.0 * v / (7.0 * mu * GRAVITY);
        run.advance(0.5 * stops).unwrap();
        let half = pose_of(&run, body);
        close(half.velocity.x, v - 0.5 * mu * GRAVITY * stops, 2e-3, "while it slides");
        run.advance(2.0 * stops).unwrap();
        let pose = pose_of(&run, body);
        close(pose.velocity.x, 5.0 / 7.0 * v, 2e-3, &format!("{friction:?}"));
        // On a tangential spring without a damper the ball continues to oscillate slightly.
        close(pose.spin.y * 0.05, pose.velocity.x, 5e-3, "it rolls");
        energy_closes(&run, 1e-7);
    }
}

#[test]
fn bodies_stick_or_creep_as_their_friction_law_does() {
    // A block on a slope is used because a ball would roll. tan 15° < 0.4, so that it sticks.
    let slope = 15f64.to_radians();
    let gravity = Vec3::new(GRAVITY * slope.sin(), 0.0, -GRAVITY * slope.cos());
    for (friction, creep) in [
        (spring(0.4, TangentialStiffness::Constant(1e6), 0.0), 1e-5),
        (spring(0.4, TangentialStiffness::Share(0.8), 0.05), 1e-12),
        (
            Friction::Regularised { coefficient: 0.4, speed: 1e-3, rise: Regularisation::Linear },
            2e-3,
        ),
    ] {
        let law = law("kelvin-voigt-1865", 1e6, 1.0, 0.2);
        let mut world = World::default().under(gravity);
        let ground = add_held(&mut world, Shape::HalfSpace);
        let block = Shape::Box { half: Vec3::new(0.1, 0.1, 0.05) };
        let body = Body::of("block", &block, 1000.0).unwrap().at(Vec3::new(0.0, 0.0, 0.05));
        let (body, shape) = add(&mut world, body, &block);
        world.add_contact(Contact::new(shape, ground, law).with_friction(friction)).unwrap();
        let mut run = ran(&world, 1.0);
        let before = pose_of(&run, body).position.x;
        run.advance(2.0).unwrap();
        let moved = pose_of(&run, body).position.x - before;
        assert!(moved.abs() < creep, "{friction:?}: {moved}");
    }
}

#[test]
fn a_chain_of_touching_balls_keeps_momentum_and_energy() {
    let hertz = Law::new(1.0, Exit::ZeroForce, Power::elastic(1e9, 1.5));
    let mut world = World::default();
    let mut shapes = Vec::new();
    for i in 0..5 {
        let speed = if i == 0 { 1.0 } else { 0.0 };
        let gap = if i == 0 { -1e-3 } else { 0.0 };
        let x = Vec3::new(0.04 * f64::from(i) + gap, 0.0, 0.0);
        let body = ball(&format!("ball {i}"), 0.2, 0.02).at(x).moving(Vec3::X * speed);
        shapes.push(add(&mut world, body, &Shape::Sphere { radius: 0.02 }).1);
    }
    for pair in shapes.windows(2) {
        world.add_contact(Contact::new(pair[0], pair[1], hertz)).unwrap();
    }
    let run = ran(&world, 0.02);
    let speeds: Vec<f64> = (1..=5).map(|b| pose_of(&run, b).velocity.x).collect();
    assert!((speeds.iter().sum::<f64>() - 1.0).abs() < 1e-10, "{speeds:?}");
    // A known result: the last ball leaves with nearly all of the momentum, the others separate slowly.
    assert!(speeds[4] > 0.97 && speeds[4] < 1.0 && speeds[0] < 0.0, "{speeds:?}");
    assert!(speeds.windows(2).all(|w| w[0] <= w[1] + 1e-9), "they part: {speeds:?}");
    energy_closes(&run, 1e-9);
}

#[test]
fn an_ellipsoid_spins_on_a_plane_without_gaining_energy() {
    let hertz = Law::new(1.0, Exit::ZeroForce, Power::elastic(1e7, 1.5));
    let mut world = World::default().under(DOWN);
    let ground = add_held(&mut world, Shape::HalfSpace);
    let egg = Shape::Ellipsoid { semi: Vec3::new(0.03, 0.05, 0.08) };
    let body = Body::of("egg", &egg, 1000.0).unwrap().at(Vec3::new(0.0, 0.0, 0.12));
    let tilted = body.turned(Quat::about(Vec3::X, 0.7)).spinning(Vec3::new(1.0, 0.0, 9.0));
    let inertia: Mat3 = tilted.inertia;
    let (body, shape) = add(&mut world, tilted, &egg);
    world.add_contact(Contact::new(shape, ground, hertz)).unwrap();
    let (mut run, mut log) = (Run::new(&world).unwrap(), Log::default());
    let about_z = |run: &Run| {
        let pose = pose_of(run, body);
        pose.rotation.rotate(inertia.of(pose.rotation.inverse().rotate(pose.spin))).z
    };
    let before = about_z(&run);
    run.advance_with(1.0, &mut log).unwrap();
    assert!(log.0.len() >= 3, "{}", log.0.len());
    energy_closes(&run, 1e-7);
    // Without friction the horizontal momentum and the angular momentum about the vertical are conserved.
    let pose = pose_of(&run, body);
    assert!(pose.velocity.x.abs() + pose.velocity.y.abs() < 1e-12);
    close(about_z(&run), before, 1e-8, "angular momentum");
}

#[test]
fn a_body_thrown_up_does_not_fall_through_a_thin_plate() {
    // The ball leaves the plate and would be below it within one step of free flight.
    let law = hunt_crossley(1e-5, 1e7, 0.9);
    let mut world = World::default().under(DOWN);
    let plate = Shape::Box { half: Vec3::new(0.5, 0.5, 1e-4) };
    let plate = add_held(&mut world, plate);
    let start = Vec3::new(0.0, 0.0, 1e-4 + 1e-3 + 1e-5);
    let body = ball("ball", 1e-5, 1e-3).at(start).moving(Vec3::new(0.0, 0.0, 1.0));
    let (body, shape) = add(&mut world, body, &Shape::Sphere { radius: 1e-3 });
    world.add_contact(Contact::new(shape, plate, law)).unwrap();
    let (run, log) = logged(&world, 0.5);
    assert!(log.len() >= 2, "{:?}", run.state().body(&world, body));
    close(log[0].speed, 1.0 + GRAVITY * 1e-5, 1e-6, "back with its speed");
    assert!(pose_of(&run, body).position.z > 0.0);
}

#[test]
fn bodies_that_overlap_at_the_start_part_with_about_the_speed_of_what_is_stored() {
    let (m, k, depth, e) = (0.033, 1.5e10, 1e-3, 0.8);
    // Energy balance of Hertz's law: ½·m·v² = 2/5·K·δ^2.5.
    let speed = (0.8 * k * f64::powf(depth, 2.5) / m).sqrt();
    for id in ["hunt-crossley-1975", "lankarani-nikravesh-1990", "tsuji-1992"] {
        let law = Law { mass: m, ..law(id, k, 1.5, e) };
        let mut world = World::default();
        let ground = add_held(&mut world, Shape::HalfSpace);
        let start = Vec3::new(0.0, 0.0, 0.01 - depth);
        let (body, shape) =
            add(&mut world, ball("ball", m, 0.01).at(start), &Shape::Sphere { radius: 0.01 });
        world.add_contact(Contact::new(shape, ground, law)).unwrap();
        let run = ran(&world, 1e-3);
        let state = run.state();
        let up = state.body(&world, body).unwrap().velocity.z;
        // The rebound is faster than after the whole impact and slower than without losses.
        assert!(up > e * speed && up < speed, "{id}: {up} of {speed}");
        let kinds: Vec<_> = state.notes().iter().map(carom_world::Note::kind).collect();
        assert_eq!(kinds, ["overlap"], "{id}");
        assert!(state.counts.steps < 2000, "{id}: {} steps", state.counts.steps);
    }
}
