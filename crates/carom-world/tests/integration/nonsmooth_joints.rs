//! Friction of joints, motors and springs with the nonsmooth method compared with closed forms, and the readings of sensors.

use crate::common::parse;
use carom_world::measure::{Instant, Reading};
use carom_world::{Pose, Run, Sample, Scene, State};

fn ran(scene: &Scene, until: f64) -> State {
    let mut run = Run::new(&scene.world).unwrap();
    run.advance(until).unwrap();
    run.state().clone()
}

fn body(scene: &Scene, state: &State, name: &str) -> Pose {
    let index = scene.world.bodies().iter().position(|body| body.name == name).unwrap();
    state.body(&scene.world, index).unwrap()
}

fn close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not {expected} within {within}");
}

/// Returns a scene with a wheel on a hinge; its moment of inertia is 3·(0.4² + 0.2²)/12 = 0.05 kg·m².
fn wheel(friction: &str) -> Scene {
    parse(&format!(
        r#"
        simulation = {{ duration = 3, sample = 0.5, gravity = 0, method = "nonsmooth", step = 1e-3 }}
        body = [{{ name = "wheel", shape = "box", size = [0.4, 0.2, 0.1], mass = 3, position = [0, 0, 1], spin = [0, 0, 4] }}]
        joint = [{{ kind = "revolute", between = ["wheel", "ground"], point = [0, 0, 1], axis = [0, 0, 1], friction = {{ {friction} }} }}]
        "#
    ))
}

/// ω = ω₀ − T·t/I until ω₀·I/T = 2 s, after ω₀²·I/(2T) = 4 rad; all of the energy is lost to friction.
#[test]
fn a_wheel_slows_down_at_a_constant_rate_and_stops() {
    let scene = wheel("coulomb = 0.1");
    close(body(&scene, &ran(&scene, 1.5), "wheel").spin.z, 1.0, 1e-12);
    close(body(&scene, &ran(&scene, 1.999), "wheel").spin.z, 0.002, 1e-12);
    let state = ran(&scene, 3.0);
    let wheel = body(&scene, &state, "wheel");
    assert_eq!(wheel.spin.length(), 0.0);
    close(wheel.rotation.v.z.atan2(wheel.rotation.w).abs(), 2.0, 1e-11);
    let energies = state.energies(&scene.world);
    assert!(energies.error.abs() < 1e-12, "{energies:?}");
}

/// With viscous friction c as well: ω = (ω₀ + T/c)·e^(−ct/I) − T/c, which is 0 at t = I/c·ln(1 + ω₀c/T).
#[test]
fn viscous_friction_of_a_joint_adds_to_coulombs() {
    let scene = wheel("coulomb = 0.1, viscous = 0.02");
    let stop = 0.05 / 0.02 * (1.0f64 + 4.0 * 0.02 / 0.1).ln();
    for time in [0.5, 1.2] {
        let expected = (4.0 + 5.0) * (-0.4f64 * time).exp() - 5.0;
        close(body(&scene, &ran(&scene, time), "wheel").spin.z, expected, 1e-6);
    }
    assert!(body(&scene, &ran(&scene, stop - 2e-3), "wheel").spin.z > 0.0);
    assert_eq!(body(&scene, &ran(&scene, stop + 2e-3), "wheel").spin.z, 0.0);
}

/// A slider of 2 kg with a force of 6 N along its rail: friction holds it up to its limit.
#[test]
fn a_slider_is_held_up_to_the_limit_of_friction() {
    let slider = |limit: f64| {
        parse(&format!(
            r#"
            simulation = {{ duration = 1, gravity = [3, 0, -9.81], method = "nonsmooth", step = 1e-3 }}
            body = [{{ name = "slider", shape = "box", size = [0.4, 0.2, 0.1], mass = 2, position = [0, 0, 1] }}]
            joint = [{{ name = "rail", kind = "prismatic", between = ["slider", "ground"], point = [0, 0, 1], axis = [1, 0, 0],
                friction = {{ coulomb = {limit} }} }}]
            sensor = [{{ name = "reaction", measure = "reaction_force", joint = "rail" }}]
            "#
        ))
    };
    let scene = slider(6.001);
    let state = ran(&scene, 1.0);
    assert!(body(&scene, &state, "slider").position.x.abs() < 1e-15);
    let mut instant = Instant::new(&scene.world);
    let sample = Sample::of(&scene.world, &state);
    instant.evaluate(&sample, &sample.forces());
    let reaction = instant.joint(&sample, 0).force;
    close(reaction.x, -6.0, 1e-9);
    close(reaction.z, 2.0 * 9.81, 1e-9);
    let scene = slider(5.0);
    let state = ran(&scene, 1.0);
    close(body(&scene, &state, "slider").velocity.x, 0.5, 1e-12);
    close(body(&scene, &state, "slider").position.x, 0.25, 1e-12);
    assert!(state.energies(&scene.world).error.abs() < 1e-10);
}

/// A ball at 2 m/s hits a slider of the same mass of 1 kg elastically. The slider takes over its speed, less the loss to friction
/// in the step of the impact, and stops after v²·m/(2F) = 0.5 m. A run that is stopped and resumed yields the same bits.
#[test]
fn a_slider_with_friction_is_struck_and_stops() {
    for law in ["newton", "poisson"] {
        let scene = parse(&format!(
            r#"
            simulation = {{ duration = 1.5, gravity = 0, method = "nonsmooth", impact_law = "{law}", step = 1e-4 }}
            body = [
                {{ name = "slider", shape = "sphere", radius = 0.1, mass = 1, position = [0, 0, 1] }},
                {{ name = "ball", shape = "sphere", radius = 0.1, mass = 1, position = [-0.4, 0, 1], velocity = [2, 0, 0] }},
            ]
            joint = [{{ kind = "prismatic", between = ["slider", "ground"], point = [0, 0, 1], axis = [1, 0, 0],
                friction = {{ coulomb = 4 }} }}]
            contact = [{{ between = ["ball", "slider"], law = "tsuji-1992", stiffness = 1e8, exponent = 1.5, restitution = 1 }}]
            "#
        ));
        let state = ran(&scene, 1.5);
        close(body(&scene, &state, "slider").position.x, 0.5, 1e-3);
        assert_eq!(body(&scene, &state, "slider").velocity.length(), 0.0);
        assert!(body(&scene, &state, "ball").velocity.length() < 1e-3);
        let mut first = Run::new(&scene.world).unwrap();
        first.advance(0.4).unwrap();
        let half = State::restore(&scene.world, &first.state().save()).unwrap();
        let mut second = Run::resume(&scene.world, half);
        second.advance(1.5).unwrap();
        assert_eq!(second.state().save(), state.save());
    }
}

/// A force of 3 N, held by friction (of the joint up to 4 N, of the ground up to 0.5·2·9.81 N), ends after 0.1 s: then the
/// friction force is zero too, and nothing moves.
#[test]
fn friction_lets_go_of_a_load_that_ends() {
    let held_by = |holder: &str| {
        parse(&format!(
            r#"
            simulation = {{ duration = 2, gravity = 9.81, method = "nonsmooth", step = 1e-4 }}
            body = [{{ name = "slider", shape = "box", size = [0.4, 0.2, 0.2], mass = 2, position = [0, 0, 0.1] }}]
            force = [{{ body = "slider", direction = [1, 0, 0], times = [0, 0.1, 0.1001, 2], values = [3, 3, 0, 0] }}]
            {holder}
            "#
        ))
    };
    let joint = r#"joint = [{ kind = "prismatic", between = ["slider", "ground"], point = [0, 0, 0.1], axis = [1, 0, 0],
        friction = { coulomb = 4 } }]"#;
    let ground = r#"contact = [{ between = ["slider", "ground"], law = "tsuji-1992", stiffness = 1e8, exponent = 1.5, restitution = 0.5,
        friction = { coefficient = 0.5 } }]"#;
    for (holder, joints) in [(joint, 1), (ground, 0)] {
        let scene = held_by(holder);
        let held = ran(&scene, 0.05);
        let state = ran(&scene, 2.0);
        assert_eq!(state.notes(), held.notes());
        assert!(body(&scene, &state, "slider").position.x.abs() < 1e-12);
        assert!(body(&scene, &state, "slider").velocity.length() < 1e-15);
        for (state, force) in [(&held, 3.0), (&state, 0.0)].into_iter().take(2 * joints) {
            let mut instant = Instant::new(&scene.world);
            let sample = Sample::of(&scene.world, state);
            instant.evaluate(&sample, &sample.forces());
            close(instant.joint(&sample, 0).force.x, -force, 1e-9);
        }
    }
}

/// A motor with gain·(u − ω) on a wheel: ω = u·(1 − e^(−gain·t/I)); a torsion spring: ω = ω₀·cos(√(k/I)·t).
#[test]
fn motors_and_springs_of_joints_follow_closed_forms_and_the_ledger_closes() {
    let scene = |spin: f64, spring: &str, motor: &str| {
        parse(&format!(
            r#"
            simulation = {{ duration = 1, sample = 0.5, gravity = 0, method = "nonsmooth" }}
            body = [{{ name = "wheel", shape = "box", size = [0.4, 0.2, 0.1], mass = 3, position = [0, 0, 1], spin = [0, 0, {spin}] }}]
            joint = [{{ name = "hinge", kind = "revolute", between = ["wheel", "ground"], point = [0, 0, 1], axis = [0, 0, 1]{spring} }}]
            {motor}
            "#
        ))
    };
    let servo =
        scene(0.0, "", r#"motor = [{ joint = "hinge", speed = { start = 5 }, gain = 0.1 }]"#);
    let state = ran(&servo, 1.0);
    close(body(&servo, &state, "wheel").spin.z, 5.0 * (1.0 - (-2.0f64).exp()), 1e-6);
    let energies = state.energies(&servo.world);
    assert!(energies.error.abs() < 1e-6, "{energies:?}");
    let sprung = scene(2.0, ", spring = { stiffness = 20 }", "");
    let state = ran(&sprung, 1.0);
    close(body(&sprung, &state, "wheel").spin.z, 2.0 * 20.0f64.cos(), 1e-4);
    assert!(state.energies(&sprung.world).error.abs() < 1e-6);
}

/// A sensor of acceleration reads zero for a ball at rest on the ground.
#[test]
fn sensors_know_the_forces_of_rigid_contacts() {
    let scene = parse(
        r#"
        simulation = { duration = 0.1, gravity = 9.81, method = "nonsmooth", step = 1e-3 }
        body = [{ name = "ball", shape = "sphere", radius = 0.1, mass = 1, position = [0, 0, 0.1] }]
        contact = [{ between = ["ball", "ground"], law = "tsuji-1992", stiffness = 1e8, exponent = 1.5, restitution = 0.5 }]
        sensor = [{ name = "a", measure = "acceleration", body = "ball" }]
        "#,
    );
    let state = ran(&scene, 0.1);
    let mut instant = Instant::new(&scene.world);
    let sample = Sample::of(&scene.world, &state);
    instant.evaluate(&sample, &sample.forces());
    let Reading::Vector(a) = instant.read(&sample, &scene.world.sensors[0]) else { panic!() };
    close(a.length(), 0.0, 1e-9);
}
