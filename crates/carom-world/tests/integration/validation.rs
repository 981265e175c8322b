//! Common validation cases of particle codes: the granular unit scenarios of LAMMPS and the DEM cases of MFiX, each compared with
//! its closed form.
//!
//! | LAMMPS unit scenario | test |
//! |---|---|
//! | head-on restitution | `impacts.rs`, every law; `contacts.rs`, two balls |
//! | largest force of Hertz, pair and wall | here |
//! | oblique impact in gross sliding, wall | `sources/kharaz.rs`, `scenes.rs` |
//! | oblique impact in gross sliding, pair | here |
//! | end of slip at 5/7 | `contacts.rs`, `grains/tests.rs`; here as DEM04 |
//! | spinning impact, rolling decay, twisting decay, DMT pull-off | here |
//! | terminal velocity | `mechanics.rs` |
//! | free fall, stack | `mechanics.rs`; here |
//! | region wall | here |
//! | superellipsoids conserve momentum | here, as ellipsoids |
//! | heat | outside the scope of carom |
//!
//! MFiX: DEM01 to DEM04 here, DEM05 (measured oblique impacts) in `sources/kharaz.rs`.

use crate::common::{Log, above_ground, add, add_held, ball, close, law, logged, pose_of, ran};
use carom::law::{Damper, Exit, Law, Power};
use carom::{Damping, Pair, model};
use carom_world::friction::{Friction, Regularisation, RollingResistance};
use carom_world::math::{Quat, Vec3};
use carom_world::{Body, Contact, Observer, Placed, Run, Sample, Shape, World};

const GRAVITY: f64 = 9.81;
const DOWN: Vec3 = Vec3::new(0.0, 0.0, -GRAVITY);
const MASS: f64 = 0.1;
const RADIUS: f64 = 0.02;
const BALL: Shape = Shape::Sphere { radius: RADIUS };

fn tsuji(stiffness: f64, e: f64) -> Law {
    let pair = Pair::new(MASS, stiffness, 1.5).unwrap();
    // The contact ends where the force vanishes, because with a tensile force at the end there would be no friction.
    let exit = Some(Exit::ZeroForce);
    model("tsuji-1992").unwrap().law(&pair, Damping::Exact(e), exit, &[]).unwrap()
}

fn coulomb(coefficient: f64) -> Friction {
    Friction::Regularised { coefficient, speed: 1e-6, rise: Regularisation::Linear }
}

/// Builds a world with a ball on or above the ground.
fn on_ground(body: Body, contact: impl FnOnce(usize, usize) -> Contact) -> World {
    let mut world = World::default();
    let ground = add_held(&mut world, Shape::HalfSpace);
    let (_, shape) = add(&mut world, body, &BALL);
    world.add_contact(contact(shape, ground)).unwrap();
    world
}

#[test]
fn oblique_impact_of_a_pair_that_slides_throughout() {
    // Relative to the common centre, each ball strikes a wall: Δv_t = μ(1+e)v_n, Δω = 5μ(1+e)v_n/(2R).
    let (mu, e, vn, vt) = (0.1, 0.8, 1.0, 2.0);
    let mut world = World::default();
    let mut shapes = Vec::new();
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        // The balls are offset along y, so that they meet with their centres on a line along x.
        let start = Vec3::new(side * (RADIUS + 1e-4), side * vt * 1e-4 / vn, 0.0);
        let body =
            ball(name, MASS, RADIUS).at(start).moving(Vec3::new(-side * vn, -side * vt, 0.0));
        shapes.push(add(&mut world, body, &BALL).1);
    }
    let contact = Contact::new(shapes[0], shapes[1], tsuji(1e11, e)).with_friction(coulomb(mu));
    world.add_contact(contact).unwrap();
    let run = ran(&world, 4e-4);
    let pose = pose_of(&run, 1);
    // The normal turns slightly during the contact.
    close(pose.velocity.y, vt - mu * (1.0 + e) * vn, 2e-3, "tangential speed");
    close(pose.spin.z.abs(), 2.5 * mu * (1.0 + e) * vn / RADIUS, 5e-3, "spin");
    let other = pose_of(&run, 2);
    assert!((pose.velocity + other.velocity).length() < 1e-13, "momentum");
    let angular = |p: &carom_world::Pose| {
        p.position.cross(p.velocity) * MASS + p.spin * (0.4 * MASS * RADIUS * RADIUS)
    };
    let before = 2.0 * MASS * (-vt * (RADIUS + 1e-4) + vn * vt * 1e-4 / vn);
    let after = (angular(&pose) + angular(&other)).z;
    assert!((after - before).abs() < 1e-12, "angular momentum: {after} {before}");
}

#[test]
fn a_spinning_ball_is_thrown_sideways() {
    let (mu, e, v, spin) = (0.1, 0.8, 1.0, 400.0);
    let body = ball("ball", MASS, RADIUS)
        .at(Vec3::new(0.0, 0.0, RADIUS + 1e-5))
        .moving(Vec3::new(0.0, 0.0, -v))
        .spinning(Vec3::new(0.0, spin, 0.0));
    let world =
        on_ground(body, |a, b| Contact::new(a, b, tsuji(1e11, e)).with_friction(coulomb(mu)));
    let run = ran(&world, 5e-4);
    let pose = pose_of(&run, 1);
    close(pose.velocity.z, e * v, 1e-6, "rebound");
    close(pose.velocity.x, mu * (1.0 + e) * v, 1e-3, "sideways");
    close(pose.spin.y, spin - 2.5 * mu * (1.0 + e) * v / RADIUS, 1e-3, "spin");
}

fn rolling(resistance: RollingResistance, start: impl FnOnce(Body) -> Body) -> World {
    let law = tsuji(1e10, 0.5);
    let sunk = (MASS * GRAVITY / 1e10f64).powf(2.0 / 3.0);
    let body = start(ball("ball", MASS, RADIUS)).at(Vec3::new(0.0, 0.0, RADIUS - sunk));
    let world = on_ground(body, |a, b| Contact {
        resistance: Some(resistance),
        ..Contact::new(a, b, law).with_friction(Friction::Regularised {
            coefficient: 0.5,
            speed: 1e-4,
            rise: Regularisation::Linear,
        })
    });
    world.under(DOWN)
}

#[test]
fn rolling_decays_by_its_resistance() {
    // A moment M = F·arm on a rolling ball: the deceleration is (5/7)·arm·g/R.
    let (v, arm) = (0.5, 1e-3);
    let resistance = RollingResistance { rolling: arm, spinning: 0.0, speed: 1e-3 };
    let world =
        rolling(resistance, |body| body.moving(Vec3::X * v).spinning(Vec3::Y * (v / RADIUS)));
    let run = ran(&world, 0.4);
    let expected = v - 5.0 / 7.0 * arm / RADIUS * GRAVITY * 0.4;
    close(pose_of(&run, 1).velocity.x, expected, 1e-3, "speed");
    assert!(run.state().energies(&world).error.abs() < 1e-9);
}

#[test]
fn twisting_decays_by_its_resistance() {
    // A moment F·arm about the normal: ω̇ = −5·arm·g/(2R²).
    let (spin, arm) = (40.0, 1e-4);
    let resistance = RollingResistance { rolling: 0.0, spinning: arm, speed: 1e-3 };
    let world = rolling(resistance, |body| body.spinning(Vec3::Z * spin));
    let run = ran(&world, 1.0);
    let expected = spin - 2.5 * arm * GRAVITY / (RADIUS * RADIUS);
    close(pose_of(&run, 1).spin.z, expected, 1e-3, "spin");
}

#[test]
fn an_adhesive_ball_is_held_until_the_pull_off_force() {
    // DMT: a constant adhesive force of 2πRW; a ball with a smaller weight remains attached, one with a larger weight falls.
    let (work, youngs) = (0.5, 1e7);
    let pull = 2.0 * std::f64::consts::PI * RADIUS * work;
    for (share, hangs) in [(0.9, true), (1.1, false)] {
        let steel = carom::pair::Material::of(youngs, 0.3, 1000.0).unwrap();
        let ball_of = carom::pair::Body::new(carom::pair::Shape::Sphere { radius: RADIUS }, steel);
        let plate = carom::pair::Body::new(carom::pair::Shape::Plane, steel);
        let pair = Pair::of(&ball_of.with_mass(MASS), &plate).unwrap();
        let set = [("work_of_adhesion".to_string(), work)];
        let law = model("dmt-1975").unwrap().law(&pair, Damping::None, None, &set).unwrap();
        // Indentation at which the force of the law equals the weight: F(δ) = −share·pull.
        let delta = ((1.0f64 - share).max(0.0) * pull / pair.stiffness).powf(2.0 / 3.0);
        let body = ball("ball", MASS, RADIUS).at(Vec3::new(0.0, 0.0, RADIUS - delta.max(1e-9)));
        let world = on_ground(body, |a, b| Contact::new(a, b, law));
        // Gravity points away from the plane, as for a ball below a ceiling.
        let world = world.under(Vec3::new(0.0, 0.0, share * pull / MASS));
        let run = ran(&world, 0.05);
        let gone = pose_of(&run, 1).position.z - RADIUS;
        assert_eq!(gone < 1e-6, hangs, "share {share}: {gone}");
    }
}

#[test]
fn ellipsoids_keep_their_momenta_when_they_collide() {
    let egg = Shape::Ellipsoid { semi: Vec3::new(0.02, 0.03, 0.05) };
    let mut world = World::default();
    let mut shapes = Vec::new();
    let starts = [(Vec3::new(-0.1, 0.01, 0.0), 0.7, 1.0), (Vec3::new(0.1, -0.01, 0.01), 2.1, -1.0)];
    for (start, angle, way) in starts {
        let turned = Quat::about(Vec3::new(0.6, 0.0, 0.8), angle);
        let body = Body::of("egg", &egg, 1000.0).unwrap().at(start).turned(turned);
        let body = body.moving(Vec3::X * way).spinning(Vec3::new(3.0, -2.0, 5.0 * way));
        shapes.push(add(&mut world, body, &egg).1);
    }
    let contact = Contact::new(shapes[0], shapes[1], tsuji(1e9, 0.7)).with_friction(coulomb(0.3));
    world.add_contact(contact).unwrap();
    let momenta = |run: &Run| {
        let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
        for index in 1..=2 {
            let (pose, body) = (pose_of(run, index), &world.bodies()[index]);
            let spin = pose.rotation.inverse().rotate(pose.spin);
            linear += pose.velocity * body.mass;
            angular += pose.rotation.rotate(body.inertia.of(spin))
                + pose.position.cross(pose.velocity) * body.mass;
        }
        (linear, angular)
    };
    let (mut run, mut log) = (Run::new(&world).unwrap(), Log::default());
    let before = momenta(&run);
    run.advance_with(0.2, &mut log).unwrap();
    let after = momenta(&run);
    assert!(!log.0.is_empty(), "they met");
    assert!((after.0 - before.0).length() < 1e-12 && (after.1 - before.1).length() < 1e-9);
    assert!(run.state().energies(&world).error.abs() < 1e-8);
}

#[test]
fn mfix_dem01_a_falling_particle_on_a_spring_and_dashpot() {
    // Fall from h, then δ̈ + 2βδ̇ + ω²δ = g from δ = 0, δ̇ = √(2gh) until δ = 0, then free flight.
    let (k, zeta, height) = (1e4, 0.1f64, 0.1);
    let omega = (k / MASS).sqrt();
    let damper = Damper::Coefficient(2.0 * zeta * omega * MASS);
    let law = Law::new(MASS, Exit::ZeroIndentation, Power::new(k, 1.0, 0.0, 1.0, damper));
    let body = ball("ball", MASS, RADIUS).at(Vec3::new(0.0, 0.0, RADIUS + height));
    let world = on_ground(body, |a, b| Contact::new(a, b, law));
    let world = world.under(DOWN);
    let (beta, damped) = (zeta * omega, omega * (1.0 - zeta * zeta).sqrt());
    let (speed, rest) = ((2.0 * GRAVITY * height).sqrt(), GRAVITY / (omega * omega));
    let touch = speed / GRAVITY;
    // δ = rest + e^(−βt)·(−rest·cos ω_d t + B·sin ω_d t), B from δ̇(0).
    let b = (speed - beta * rest) / damped;
    let at = |t: f64| {
        let (sin, cos) = (damped * t).sin_cos();
        let decay = (-beta * t).exp();
        let delta = rest + decay * (-rest * cos + b * sin);
        let rate = decay * ((beta * rest + b * damped) * cos + (rest * damped - beta * b) * sin);
        (delta, rate)
    };
    let mut run = Run::new(&world).unwrap();
    for part in [0.2, 0.5, 0.9] {
        let t = part * std::f64::consts::PI / damped;
        run.advance(touch + t).unwrap();
        let pose = pose_of(&run, 1);
        close(RADIUS - pose.position.z, at(t).0, 1e-7, "indentation");
        assert!((pose.velocity.z + at(t).1).abs() < 1e-8, "rate");
    }
    // The end of contact, found by bisection.
    let (mut low, mut high) = (2.5 / damped, 4.0 / damped);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if at(middle).0 > 0.0 { low = middle } else { high = middle }
    }
    let rebound = -at(high).1;
    let flight = 0.05;
    run.advance(touch + high + flight).unwrap();
    let pose = pose_of(&run, 1);
    let expected = rebound * flight - 0.5 * GRAVITY * flight * flight;
    close(pose.position.z - RADIUS, expected, 1e-7, "height");
}

#[test]
fn mfix_dem02_heights_of_a_bouncing_ball() {
    // With a hard contact the k-th height is e^(2k)·h.
    let (e, height) = (0.8f64, 0.5);
    struct Highest(f64, Vec<f64>, f64);
    impl Observer for Highest {
        fn next(&self) -> f64 {
            self.0
        }
        fn sample(&mut self, sample: &Sample) {
            self.0 += 2e-4;
            self.2 = self.2.max(sample.body(1).unwrap().position.z - RADIUS);
        }
        fn ended(&mut self, _world: &World, _ended: &carom_world::EndedTouch) {
            self.1.push(self.2);
            self.2 = 0.0;
        }
    }
    let body = ball("ball", MASS, RADIUS).at(Vec3::new(0.0, 0.0, RADIUS + height));
    let world = on_ground(body, |a, b| Contact::new(a, b, tsuji(1e10, e)));
    let world = world.under(DOWN);
    let mut heights = Highest(0.0, Vec::new(), 0.0);
    Run::new(&world).unwrap().advance_with(2.0, &mut heights).unwrap();
    assert!(heights.1.len() >= 4);
    for (bounce, found) in heights.1.iter().take(4).enumerate() {
        close(*found, height * e.powi(2 * bounce as i32), 2e-3, "height");
    }
}

#[test]
fn mfix_dem03_two_stacked_particles_between_walls() {
    // Linear springs k₁ (wall), k₂ (pair), k₃ (wall), compressed by 2R·2·(1 − s) in total; weights m₁g, m₂g.
    let (k, squeeze) = (1e5, 0.01);
    let (m1, m2) = (0.05, 0.12);
    let voigt = |mass: f64| Law { mass, ..law("kelvin-voigt-1865", k, 1.0, 0.1) };
    let mut world = World::default().under(DOWN);
    let lid = 4.0 * RADIUS * (1.0 - squeeze);
    let floor = add_held(&mut world, Shape::HalfSpace);
    let upside = Placed::on(0, Shape::HalfSpace).at(Vec3::Z * lid);
    let roof = world.add_shape(upside.turned(Quat::between(Vec3::Z, -Vec3::Z))).unwrap();
    let mut shapes = Vec::new();
    for (name, mass, z) in [("low", m1, 0.25 * lid), ("high", m2, 0.75 * lid)] {
        shapes.push(add(&mut world, ball(name, mass, RADIUS).at(Vec3::Z * z), &BALL).1);
    }
    for (a, b, mass) in
        [(shapes[0], floor, m1), (shapes[0], shapes[1], 0.03), (shapes[1], roof, m2)]
    {
        world.add_contact(Contact::new(a, b, voigt(mass))).unwrap();
    }
    let run = ran(&world, 1.0);
    // k(R − z₁) = m₁g + k(2R − z₂ + z₁), k(2R − z₂ + z₁) = m₂g + k(z₂ + R − H).
    let (a, b) = (m1 * GRAVITY / k, m2 * GRAVITY / k);
    // From 2z₁ − z₂ = −R − a and −z₁ + 2z₂ = R + H − b follows:
    let low = (2.0 * (-RADIUS - a) + (RADIUS + lid - b)) / 3.0;
    let high = ((-RADIUS - a) + 2.0 * (RADIUS + lid - b)) / 3.0;
    for (index, expected) in [(1, low), (2, high)] {
        let pose = pose_of(&run, index);
        close(pose.position.z, expected, 1e-8, "height");
        assert!(pose.velocity.length() < 1e-8);
    }
    assert_eq!(run.state().touches().len(), 3);
}

#[test]
fn mfix_dem04_a_ball_slips_until_it_rolls() {
    let (v, mu) = (1.0, 0.2);
    let sunk = (MASS * GRAVITY / 1e10f64).powf(2.0 / 3.0);
    let body = ball("ball", MASS, RADIUS).at(Vec3::new(0.0, 0.0, RADIUS - sunk));
    let contact = |a, b| Contact::new(a, b, tsuji(1e10, 0.5)).with_friction(coulomb(mu));
    let world = on_ground(body.moving(Vec3::X * v), contact).under(DOWN);
    let mut run = Run::new(&world).unwrap();
    // The ball slips for 2v/(7μg) over a distance of 12v²/(49μg).
    let time = 2.0 * v / (7.0 * mu * GRAVITY);
    run.advance(0.98 * time).unwrap();
    let x = 12.0 * v * v / (49.0 * mu * GRAVITY);
    let pose = pose_of(&run, 1);
    let part = v * 0.98 * time - 0.5 * mu * GRAVITY * (0.98 * time).powi(2);
    close(pose.position.x, part, 1e-4, "way while it slips");
    assert!(part < x && part > 0.97 * x);
    let slip = pose.velocity.x - pose.spin.y * RADIUS;
    close(slip, 0.02 * v, 2e-3, "what is left of the slip");
}

#[test]
fn peak_force_of_hertz_for_a_pair_and_at_a_wall() {
    // F = K^(2/5)·(5/4·mₑ·v²)^(3/5), K = 4/3·E*·√R.
    let (modulus, v) = (5e9, 0.8);
    let peak = |mass: f64, radius: f64| {
        let k = 4.0 / 3.0 * modulus * radius.sqrt();
        (k, k.powf(0.4) * (1.25 * mass * v * v).powf(0.6))
    };
    let hertz = |mass: f64, k: f64| Law::new(mass, Exit::ZeroForce, Power::elastic(k, 1.5));
    let (k, expected) = peak(MASS, RADIUS);
    let world = above_ground(hertz(MASS, k), RADIUS, v);
    let mut log = Log::default();
    Run::new(&world).unwrap().advance_with(2e-3, &mut log).unwrap();
    close(log.0[0].force_max, expected, 1e-8, "wall");
    let (k, expected) = peak(0.5 * MASS, 0.5 * RADIUS);
    let mut world = World::default();
    let mut shapes = Vec::new();
    for (name, side) in [("left", -1.0), ("right", 1.0)] {
        let body = ball(name, MASS, RADIUS).at(Vec3::X * (side * (RADIUS + 1e-4)));
        shapes.push(add(&mut world, body.moving(Vec3::X * (-0.5 * side * v)), &BALL).1);
    }
    world.add_contact(Contact::new(shapes[0], shapes[1], hertz(0.5 * MASS, k))).unwrap();
    let mut log = Log::default();
    Run::new(&world).unwrap().advance_with(2e-3, &mut log).unwrap();
    close(log.0[0].force_max, expected, 1e-8, "pair");
}

#[test]
fn a_stack_rests_on_the_indentations_of_what_lies_above() {
    // n balls on top of each other: contact i carries n − i of them, δ = ((n−i)·m·g/K)^(2/3).
    let (count, k) = (4, 1e8);
    let mut world = World::default().under(DOWN);
    let mut below = add_held(&mut world, Shape::HalfSpace);
    for i in 0..count {
        let height = RADIUS * (1.0 + 2.0 * f64::from(i));
        let body = world.add_body(ball(&format!("{i}"), MASS, RADIUS).at(Vec3::Z * height));
        let body = body.unwrap();
        let shape = world.add_shape(Placed::on(body, BALL)).unwrap();
        world.add_contact(Contact::new(shape, below, tsuji(k, 0.05))).unwrap();
        below = shape;
    }
    let run = ran(&world, 0.4);
    let mut expected = -RADIUS;
    for i in 0..count {
        let carried = f64::from(count - i) * MASS * GRAVITY;
        expected += 2.0 * RADIUS - (carried / k).powf(2.0 / 3.0);
        let pose = pose_of(&run, 1 + i as usize);
        close(pose.position.z, expected, 1e-9, "height");
        assert!(pose.velocity.length() < 1e-6);
    }
}

#[test]
fn a_ball_in_a_round_region_flies_along_equal_chords() {
    // Frictionless reflections within a cylinder: the angular momentum about the axis is conserved, so that every chord has the
    // length of the first and is turned by the same angle. At 60 degrees from the normal the chords have the length 2·r·cos 60° =
    // r and form a hexagon.
    let (room, speed) = (0.1, 2.0);
    let law = Law::new(MASS, Exit::ZeroForce, Power::elastic(1e12, 1.5));
    let mut world = World::default();
    let bore = Shape::Bore { radius: room + RADIUS, half: 1.0 };
    let wall = add_held(&mut world, bore);
    let (sin, cos) = (60f64.to_radians().sin(), 60f64.to_radians().cos());
    let start = Vec3::new(0.5 * room, -room * sin, 0.0);
    let body = ball("ball", MASS, RADIUS).at(start).moving(Vec3::new(cos, sin, 0.0) * speed);
    let (_, shape) = add(&mut world, body, &BALL);
    world.add_contact(Contact::new(shape, wall, law)).unwrap();
    let (run, log) = logged(&world, 6.2 * room / speed);
    assert_eq!(log.len(), 6);
    for pair in log.windows(2) {
        close(pair[1].begun - pair[0].ended, room / speed, 5e-3, "a chord");
        close(pair[1].speed, speed * cos, 2e-3, "normal speed");
    }
    let pose = pose_of(&run, 1);
    close(pose.velocity.length(), speed, 1e-9, "speed");
    let angular = pose.position.cross(pose.velocity).z;
    close(angular, start.cross(Vec3::new(cos, sin, 0.0) * speed).z, 1e-9, "angular momentum");
}
