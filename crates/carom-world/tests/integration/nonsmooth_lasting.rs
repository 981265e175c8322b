//! Lasting contacts of the nonsmooth method whose point or normal moves: the scheme is of second order there.

use crate::common::parse;
use carom_world::{Pose, Run, Scene, State};

fn ran(scene: &Scene) -> State {
    let mut run = Run::new(&scene.world).unwrap();
    run.advance(scene.duration).unwrap();
    run.state().clone()
}

fn body(scene: &Scene, state: &State, name: &str) -> Pose {
    let index = scene.world.bodies().iter().position(|body| body.name == name).unwrap();
    state.body(&scene.world, index).unwrap()
}

fn close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not {expected} within {within}");
}

/// Returns the head of a scene and a law without friction or restitution.
fn scene(step: f64, duration: f64, rest: &str) -> Scene {
    parse(&format!(
        "simulation = {{ duration = {duration}, sample = {duration}, gravity = 10, method = \"nonsmooth\", step = {step} }}\n{rest}"
    ))
}

const LAW: &str = r#"law = "hunt-crossley-1975", stiffness = "1e8 N/m^1.5", restitution = 0"#;

/// A ball of 0.02 m circles inside a bore of 0.1 m at 1 m/s, in a horizontal plane. The velocity at the end of a step was
/// required to be parallel to the surface in the middle of the step: the ball lost 13 % of its energy in a second and sank by
/// 5.6 mm into the bore.
#[test]
fn a_ball_that_circles_in_a_bore_keeps_its_speed() {
    let circling = |step: f64| {
        let scene = scene(
            step,
            1.0,
            &format!(
                r#"
                body = [
                    {{ name = "ring", shape = "bore", radius = 0.1, length = 1, fixed = true }},
                    {{ name = "ball", shape = "sphere", radius = 0.02, mass = 0.1, position = [0, -0.08, 0], velocity = [1, 0, 0] }},
                ]
                joint = [{{ kind = "planar", between = ["ball", "ground"], axis = [0, 0, 1] }}]
                contact = [{{ between = ["ball", "ring"], {LAW} }}]
                "#
            ),
        );
        let state = ran(&scene);
        let ball = body(&scene, &state, "ball");
        let turned = ball.position.x.atan2(-ball.position.y);
        let expected = 1.0 / 0.08 - 4.0 * std::f64::consts::PI;
        close(ball.position.length(), 0.08, 8.0 * step * step);
        [ball.velocity.length() - 1.0, turned - expected].map(f64::abs)
    };
    for (coarse, fine) in circling(1e-3).into_iter().zip(circling(5e-4)) {
        assert!(
            coarse < 3e-4 && fine < 0.27 * coarse + 1e-12,
            "of second order: {coarse:e} {fine:e}"
        );
    }
}

/// A square block turns over its corner, which friction holds: I·θ″ = m·g·d·sin θ. The corner left the ground for a step
/// several times, and the error was of first order.
#[test]
fn a_block_pivots_on_its_corner() {
    let tilt = 5f64.to_radians();
    let (radius, begun) = (0.1 * 2f64.sqrt(), 0.3);
    let (height, aside) = (radius * tilt.cos(), radius * tilt.sin());
    let pivoting = |step: f64| {
        let scene = scene(
            step,
            0.3,
            &format!(
                r#"
                body = [{{ name = "block", shape = "box", size = [0.2, 0.2, 0.2], mass = 1, position = [0, 0, {height:?}],
                    rotation = {{ axis = [0, 1, 0], angle = "50 deg" }}, spin = [0, {begun}, 0], velocity = [{:?}, 0, {:?}] }}]
                contact = [{{ between = ["block", "ground"], {LAW}, friction = {{ coefficient = 2 }} }}]
                "#,
                begun * height,
                -begun * aside,
            ),
        );
        let state = ran(&scene);
        assert_eq!(state.accounts()[0].ended, 0, "the corners stay on the ground");
        body(&scene, &state, "block").spin.y
    };
    // I = m·(a² + a²)/12 + m·d²; the energy gives θ′, and the time of the fall gives θ, by quadrature in small steps.
    let inertia = 0.08 / 12.0 + radius * radius;
    let (mut angle, mut speed, steps) = (tilt, begun, 30000);
    let dt = 0.3 / f64::from(steps);
    let torque = |angle: f64| 10.0 * radius * angle.sin() / inertia;
    for _ in 0..steps {
        let half = speed + 0.5 * dt * torque(angle);
        angle += dt * half;
        speed = half + 0.5 * dt * torque(angle);
    }
    let [coarse, fine] = [5e-4, 2.5e-4].map(|step| (pivoting(step) - speed).abs());
    assert!(coarse < 1e-4 && fine < 0.3 * coarse, "of second order: {coarse:e} {fine:e}");
}

/// A block lies on a turntable. It crept outwards by ω²·h/2 of its radius a second, 4 mm here.
#[test]
fn a_block_on_a_turntable_does_not_creep() {
    let scene = scene(
        1e-3,
        2.0,
        &format!(
            r#"
            body = [
                {{ name = "disk", shape = "cylinder", radius = 1, length = 0.2, position = [0, 0, -0.1], turn = {{ rate = 2.8 }} }},
                {{ name = "block", shape = "box", size = [0.1, 0.1, 0.01], mass = 0.1, position = [0.5, 0, 0.005], velocity = [0, 1.4, 0], spin = [0, 0, 2.8] }},
            ]
            contact = [{{ between = ["block", "disk"], {LAW}, friction = {{ coefficient = 0.5 }} }}]
            "#
        ),
    );
    let block = body(&scene, &ran(&scene), "block");
    close(block.position.x.hypot(block.position.y), 0.5, 1e-5);
}

/// A top on a tip of 1 mm that friction holds keeps its energy. The tip sank into the ground by half its radius in a second,
/// and lost 9 mJ.
#[test]
fn a_top_keeps_its_energy() {
    let scene = scene(
        1e-4,
        1.0,
        &format!(
            r#"
            body = [{{ name = "top", mass = 1, inertia = [0.004, 0.004, 0.003], position = [{:?}, 0, {:?}], rotation = {{ axis = [0, 1, 0], angle = 0.5 }},
                spin = [{:?}, 0, {:?}], part = [{{ name = "tip", shape = "sphere", radius = 1e-3, position = [0, 0, -0.1] }}] }}]
            contact = [{{ between = ["top/tip", "ground"], {LAW}, friction = {{ coefficient = 5 }} }}]
            "#,
            0.1 * 0.5f64.sin(),
            0.1 * 0.5f64.cos() + 1e-3,
            100.0 * 0.5f64.sin(),
            100.0 * 0.5f64.cos(),
        ),
    );
    let state = ran(&scene);
    assert!(state.notes().is_empty(), "{:?}", state.notes());
    let energies = state.energies(&scene.world);
    assert!(energies.lost_in_contacts.abs() < 1e-5, "{energies:?}");
}

/// The rotation of a body at rest was normalised in every step, which may change its last bit back and forth; its contacts were then
/// computed anew in every step.
#[test]
fn bodies_at_rest_keep_their_bits() {
    let box_at = |i: u32| {
        format!(
            "[[body]]\nname = \"b{i}\"\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\ndensity = 1000\nposition = [{i}, 0, 0.05]\n\
             rotation = {{ axis = [0, 0, 1], angle = {} }}\n\
             [[contact]]\nbetween = [\"b{i}\", \"ground\"]\n{}\nfriction = {{ coefficient = 0.5 }}\n",
            0.137 * f64::from(i),
            LAW.replace(", ", "\n")
        )
    };
    let scene = scene(1e-3, 1.0, &(0..40).map(box_at).collect::<String>());
    let mut run = Run::new(&scene.world).unwrap();
    run.advance(0.1).unwrap();
    let rotations = |run: &Run| {
        (0..40).map(|i| body(&scene, run.state(), &format!("b{i}")).rotation).collect::<Vec<_>>()
    };
    let before = rotations(&run);
    for _ in 0..3 {
        run.step(1.0, &mut ()).unwrap();
        assert!(rotations(&run) == before);
    }
}
