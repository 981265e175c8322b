//! Lasting contact: the implicit pair compared with closed forms, and with itself at a finer tolerance.

use carom::law::{Exit, Law, Power};
use carom::{Damping, Pair, model};
use carom_world::friction::{Dashpot, Friction, Regularisation, TangentialStiffness};
use carom_world::math::Vec3;
use carom_world::{Body, Contact, Placed, Run, Scene, Shape, World};

/// A ball falls 1 cm, comes to rest on its static indentation, and is simulated for an hour in a few hundred steps.
#[test]
fn a_ball_rests_for_an_hour_in_a_few_hundred_steps() {
    let (mass, stiffness, radius) = (0.1, 1e7, 0.02);
    let pair = Pair::new(mass, stiffness, 1.5).unwrap();
    for id in ["tsuji-1992", "hunt-crossley-1975"] {
        let law = model(id).unwrap().law(&pair, Damping::Exact(0.5), None, &[]).unwrap();
        let mut world = World::default().under(Vec3::Z * -9.81);
        world.tolerance = 1e-6;
        let ground = world.add_shape(Placed::on(0, Shape::HalfSpace)).unwrap();
        let ball = Shape::Sphere { radius };
        let density = mass / (4.0 / 3.0 * std::f64::consts::PI * radius.powi(3));
        let body = Body::of("ball", &ball, density).unwrap().at(Vec3::Z * (radius + 0.01));
        let body = world.add_body(body).unwrap();
        let shape = world.add_shape(Placed::on(body, ball)).unwrap();
        world.add_contact(Contact::new(shape, ground, law)).unwrap();
        let mut run = Run::new(&world).unwrap();
        run.advance(3600.0).unwrap();
        let state = run.state();
        let indentation = radius - state.body(&world, body).unwrap().position.z;
        let expected = (mass * 9.81 / stiffness).powf(2.0 / 3.0);
        assert!((indentation / expected - 1.0).abs() < 1e-6, "{id}: {indentation:e}");
        assert!(state.counts.steps < 1000, "{id}: {:?}", state.counts);
        let energies = state.energies(&world);
        assert!(energies.error.abs() < 1e-6 * mass * 9.81 * 0.01, "{id}: {energies:?}");
    }
}

/// Builds a world with a block on a slope and a friction law.
fn block_on_slope(friction: Friction, angle: f64, tolerance: f64) -> World {
    let gravity = Vec3::new(angle.sin(), 0.0, -angle.cos()) * 9.81;
    let mut world = World::default().under(gravity);
    world.tolerance = tolerance;
    let ground = world.add_shape(Placed::on(0, Shape::HalfSpace)).unwrap();
    let block = Shape::Box { half: Vec3::new(0.05, 0.05, 0.02) };
    let body = Body::of("block", &block, 1000.0).unwrap().at(Vec3::Z * 0.02);
    let body = world.add_body(body).unwrap();
    let shape = world.add_shape(Placed::on(body, block)).unwrap();
    let damping = carom::law::Damper::Coefficient(40.0);
    let law = Law::new(1.0, Exit::ZeroForce, Power::new(1e6, 1.0, 0.0, 1.0, damping));
    world.add_contact(Contact::new(shape, ground, law).with_friction(friction)).unwrap();
    world
}

/// Under a constant tangential force p·μF, regularised friction with s(x) = x creeps at v_r·p, where p = tan θ/μ.
#[test]
fn a_block_creeps_down_a_slope_at_the_speed_of_its_friction_law() {
    let (angle, coefficient, speed) = (0.2f64, 0.4, 1e-4);
    let rise = Regularisation::Linear;
    let friction = Friction::Regularised { coefficient, speed, rise };
    let world = block_on_slope(friction, angle, 1e-6);
    let mut run = Run::new(&world).unwrap();
    run.advance(60.0).unwrap();
    let pose = run.state().body(&world, 1).unwrap();
    let expected = speed * angle.tan() / coefficient;
    assert!((pose.velocity.x / expected - 1.0).abs() < 1e-6, "{:e}", pose.velocity.x);
    // The explicit pair needs about 3e5 steps, because friction acts like a damper of μF/v_r.
    assert!(run.state().counts.steps < 2000, "{:?}", run.state().counts);
    // All the work of the weight is lost to friction.
    let energies = run.state().energies(&world);
    let work = 0.4 * 9.81 * angle.sin() * pose.position.x;
    assert!((energies.lost_to_friction / work - 1.0).abs() < 1e-4, "{energies:?} {work:e}");
    assert!(energies.error.abs() < 1e-5 * work, "{energies:?}");
}

/// Four tangential springs hold the block permanently where they carry the weight along the slope.
#[test]
fn a_block_that_sticks_does_not_creep() {
    let (angle, stiffness) = (0.2f64, 2e5);
    let friction = Friction::Spring {
        coefficient: 0.4,
        stiffness: TangentialStiffness::Constant(stiffness),
        damping: Dashpot::Ratio(0.3),
    };
    let world = block_on_slope(friction, angle, 1e-6);
    let mut run = Run::new(&world).unwrap();
    run.advance(10.0).unwrap();
    let at = |run: &Run| run.state().body(&world, 1).unwrap().position;
    let soon = at(&run);
    run.advance(1000.0).unwrap();
    let later = at(&run);
    assert!((later - soon).length() < 1e-6 * soon.x.abs(), "{soon:?} {later:?}");
    assert!(run.state().counts.steps < 2000, "{:?}", run.state().counts);
    // The springs carry the load along the slope; the forces are those on the second body, the ground.
    let carried: f64 = carom_world::Sample::of(&world, run.state())
        .forces()
        .iter()
        .map(|force| force.friction.x)
        .sum();
    assert!((carried / (0.4 * 9.81 * angle.sin()) - 1.0).abs() < 1e-6, "{carried}");
}

/// Returns a scene with three boxes, each off the middle of the one below, with friction that creeps: the stack tilts and comes
/// to rest.
fn stack(tolerance: f64) -> String {
    let mut text =
        format!("simulation = {{ duration = 1, gravity = 9.81, tolerance = {tolerance:e} }}\n");
    for i in 0..3 {
        let (x, z) = (if i % 2 == 0 { 0.005 } else { -0.005 }, 0.05001 + 0.10001 * f64::from(i));
        let below = if i == 0 { "ground".to_string() } else { format!("b{}", i - 1) };
        text += &format!(
            r#"
            [[body]]
            name = "b{i}"
            shape = "box"
            size = [0.1, 0.1, 0.1]
            density = 1000
            position = [{x}, 0, {z}]
            [[contact]]
            between = ["b{i}", "{below}"]
            law = "kelvin-voigt-1865"
            stiffness = 5e5
            exponent = 1
            restitution = 0.3
            calibration = "exact"
            friction = {{ law = "regularised", coefficient = 0.5, speed = 1e-3 }}
            "#
        );
    }
    text
}

/// At a tolerance of 1e-6 the boxes end where a thousand times finer tolerance puts them, up to a fraction of their indentation.
#[test]
fn a_stack_settles_where_finer_steps_put_it() {
    let settle = |tolerance: f64| {
        let scene = Scene::parse(&stack(tolerance), &|_| Err("none".into())).unwrap();
        let mut run = Run::new(&scene.world).unwrap();
        run.advance(scene.duration).unwrap();
        let state = run.state();
        let at: Vec<Vec3> =
            (1..4).map(|body| state.body(&scene.world, body).unwrap().position).collect();
        (at, state.counts.steps, state.energies(&scene.world))
    };
    let ((coarse, steps, energies), (fine, ..)) = (settle(1e-6), settle(1e-9));
    // The lowest box sinks in by 3·9.81 N/(4·5e5 N/m).
    let indentation = 3.0 * 9.81 / 2e6;
    for (coarse, fine) in coarse.iter().zip(&fine) {
        assert!((*coarse - *fine).length() < 3e-5 * indentation, "{coarse:?} {fine:?}");
    }
    assert!(steps < 2000, "{steps}");
    assert!(energies.error.abs() < 1e-6, "{energies:?}");
}

/// Boxes that rest, kept awake by a drag of zero, are simulated in few steps even where the tolerance of their positions is close
/// to rounding.
#[test]
fn steps_stay_long_where_only_rounding_is_left() {
    // Regression: the stages of implicit steps were solved more accurately than the gaps are known, so most steps were rejected,
    // and ten seconds took 14000 steps.
    let mut text =
        String::from("simulation = { duration = 10, gravity = 9.81, tolerance = 1e-10 }\n");
    for (name, below, z) in [("a", "ground", 0.05), ("b", "a", 0.15)] {
        text += &format!(
            r#"
            [[body]]
            name = "{name}"
            shape = "box"
            size = [0.1, 0.1, 0.1]
            density = 1000
            position = [0, 0, {z}]
            [[drag]]
            body = "{name}"
            linear = 0
            [[contact]]
            between = ["{name}", "{below}"]
            law = "kelvin-voigt-1865"
            stiffness = 5e5
            exponent = 1
            restitution = 0.3
            calibration = "exact"
            friction = {{ coefficient = 0.5 }}
            "#
        );
    }
    let scene = Scene::parse(&text, &|_| Err("none".into())).unwrap();
    let mut run = Run::new(&scene.world).unwrap();
    run.advance(scene.duration).unwrap();
    let state = run.state();
    assert!(state.counts.steps < 1000, "{:?}", state.counts);
    // The lower box sinks in by 2·9.81 N/(4·5e5 N/m).
    let lower = state.body(&scene.world, 1).unwrap().position.z;
    let indentation = 2.0 * 9.81 / (4.0 * 5e5);
    assert!((0.05 - lower - indentation).abs() < 1e-8 * indentation, "{lower}");
    let energies = state.energies(&scene.world);
    assert!(energies.error.abs() < 1e-13, "{energies:?}");
}
