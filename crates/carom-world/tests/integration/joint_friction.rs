//! Friction of joints in mechanisms: dead centres, several joints with friction, drives that jump, and impacts on bodies that
//! friction holds.

use crate::common::{parse, pose_of, ran};
use carom_world::{Note, Pose, Run, Scene};

/// Returns the pose of a body in a run of the scene.
fn pose(scene: &Scene, run: &Run, name: &str) -> Pose {
    pose_of(run, scene.world.bodies().iter().position(|body| body.name == name).unwrap())
}

/// Returns a slider-crank with a crank of 0.1 m and a rod of 0.3 m, which starts at its outer dead centre; with keys of its crank,
/// of the joint that the crank turns on, and friction in the wrist pin (0.1 N m) and on the guide (5 N).
fn slider_crank(crank: &str, main: &str) -> Scene {
    parse(&format!(
        r#"
        simulation = {{ duration = 1, planar = true }}
        [[body]]
        name = "crank"
        mass = 1
        inertia = [0.001, 0.001, 0.001]
        position = [0.05, 0]
        {crank}
        [[body]]
        name = "rod"
        mass = 1
        inertia = [0.01, 0.01, 0.01]
        position = [0.25, 0]
        [[body]]
        name = "slider"
        mass = 1
        inertia = [0.01, 0.01, 0.01]
        position = [0.4, 0]
        [[joint]]
        name = "main"
        kind = "revolute"
        between = ["crank", "ground"]
        point = [0, 0]
        {main}
        [[joint]]
        kind = "revolute"
        between = ["rod", "crank"]
        point = [0.1, 0]
        [[joint]]
        kind = "revolute"
        between = ["rod", "slider"]
        point = [0.4, 0]
        friction = {{ coulomb = "0.1 N m" }}
        [[joint]]
        kind = "prismatic"
        between = ["slider", "ground"]
        axis = [1, 0]
        friction = {{ coulomb = "5 N" }}
        "#
    ))
}

/// Returns the slide (m) and the angle of the rod (rad) for an angle of the crank.
fn slide_and_rod(angle: f64) -> (f64, f64) {
    let rise: f64 = 0.1 * angle.sin();
    (0.1 * angle.cos() + (0.09 - rise * rise).sqrt(), (rise / 0.3).asin())
}

/// Returns the energy that friction takes while the crank turns from 0 to an angle (J).
fn lost_up_to(angle: f64) -> f64 {
    let steps = 200_000;
    let at = |step: u32| slide_and_rod(angle * f64::from(step) / f64::from(steps));
    let part = |step: u32| {
        let ((x, rod), (y, next)) = (at(step), at(step + 1));
        5.0 * (y - x).abs() + 0.1 * (next - rod).abs()
    };
    (0..steps).map(part).sum()
}

/// At a dead centre the slider stands still although the crank turns: friction cannot hold it. It used to be held there, and
/// the run ended with an energy ledger that did not close.
#[test]
fn friction_does_not_hold_a_slider_at_the_dead_centres_of_a_driven_crank() {
    let scene = slider_crank("", "angle = { rate = 10 }");
    let run = ran(&scene.world, 1.0);
    let energies = run.state().energies(&scene.world);
    let lost = lost_up_to(10.0);
    assert!((energies.lost_in_dampers - lost).abs() < 1e-8, "{energies:?}, not {lost}");
    assert!(energies.error.abs() < 1e-9, "{energies:?}");
}

/// The same without a drive: the mechanism passes its dead centres and comes to rest where friction has taken its energy. Events
/// used to follow each other without end at the first dead centre.
#[test]
fn a_free_slider_crank_passes_its_dead_centres_until_friction_stops_it() {
    let crank = "velocity = [0, 2]\nspin = [0, 0, 40]";
    let scene = slider_crank(crank, "");
    let run = ran(&scene.world, 1.0);
    let energies = run.state().energies(&scene.world);
    // All of the initial kinetic energy is lost, on the way to the angle at which the crank stops.
    assert!(energies.kinetic < 1e-20 && energies.error.abs() < 1e-10, "{energies:?}");
    let q = pose(&scene, &run, "crank").rotation;
    let angle = 2.0 * q.v.z.atan2(q.w);
    let turned = (0..4).map(|turn| {
        angle.rem_euclid(std::f64::consts::TAU) + std::f64::consts::TAU * f64::from(turn)
    });
    let lost = energies.lost_in_dampers;
    assert!(
        turned.clone().any(|turned| (lost_up_to(turned) - lost).abs() < 1e-7),
        "{lost}: {angle}"
    );
    // The note gives the energy of all bodies, not only of those that were given a velocity.
    let noted = run.state().notes().iter().find_map(|note| match note {
        Note::Start { after, .. } => Some(*after),
        _ => None,
    });
    assert!((noted.unwrap() - lost).abs() < 1e-10, "{noted:?}, not {lost}");
}

/// A rotor in two bearings is held by the friction of both.
#[test]
fn two_joints_hold_a_rotor_with_the_friction_of_both() {
    let scene = parse(
        r#"
        simulation = { duration = 1 }
        [[body]]
        name = "rotor"
        mass = 3
        inertia = [0.3, 0.2, 0.25]
        position = [0, 0, 1]
        [[joint]]
        name = "near"
        kind = "revolute"
        between = ["rotor", "ground"]
        axis = [0, 1, 0]
        friction = { coulomb = 0.4 }
        [[joint]]
        name = "far"
        kind = "revolute"
        between = ["rotor", "ground"]
        point = [0, 1, 1]
        axis = [0, 1, 0]
        friction = { coulomb = 0.2 }
        [[motor]]
        joint = "near"
        effort = { rate = 1.5 }
        "#,
    );
    // Held until 1.5·t = 0.6, then I·ω = 1.5·(t − 0.4)²/2.
    for (time, rate) in [(0.39, 0.0), (1.0, 1.5 * 0.36 / 0.4)] {
        let spin = pose(&scene, &ran(&scene.world, time), "rotor").spin.y;
        assert!((spin - rate).abs() < 1e-9, "{time}: {spin}, not {rate}");
    }
}

/// A platform under a block jumps to 1 m/s: friction has no impulse, so the block slides, at 2 m/s² for half a second. It used to
/// be carried along at once.
#[test]
fn friction_of_a_joint_does_not_carry_a_block_along_when_a_drive_jumps() {
    let scene = parse(
        r#"
        simulation = { duration = 1.4, gravity = 9.81, planar = true }
        [[body]]
        name = "platform"
        motion = { direction = [1, 0], times = [0, 0.5, 1.5], values = [0, 0, 1] }
        [[body]]
        name = "block"
        mass = 2
        inertia = [1, 1, 1]
        position = [0, 0.1]
        [[joint]]
        kind = "prismatic"
        between = ["block", "platform"]
        axis = [1, 0]
        friction = { coulomb = 4 }
        "#,
    );
    for (time, place) in [(0.75, 0.0625), (1.4, 0.9 - 0.25)] {
        let at = pose(&scene, &ran(&scene.world, time), "block").position;
        assert!((at.x - place).abs() < 1e-9, "{time}: {at:?}, not {place}");
    }
}

/// Returns the velocities of a ball and of a cart that it hits with 1 m/s at a restitution of 0.5, both of 1 kg; friction holds
/// the cart up to a force.
fn after_hit(friction: f64) -> [f64; 2] {
    let scene = parse(&format!(
        r#"
        simulation = {{ duration = 0.01, planar = true }}
        [[body]]
        name = "ball"
        shape = "sphere"
        radius = 0.01
        mass = 1
        position = [-0.011, 0]
        velocity = [1, 0]
        [[body]]
        name = "cart"
        shape = "sphere"
        radius = 0.01
        mass = 1
        position = [0.01, 0]
        [[joint]]
        kind = "prismatic"
        between = ["cart", "ground"]
        axis = [1, 0]
        friction = {{ coulomb = {friction} }}
        [[contact]]
        between = ["ball", "cart"]
        law = "tsuji-1992"
        stiffness = 1e8
        restitution = 0.5
        calibration = "exact"
        "#
    ));
    let run = ran(&scene.world, 0.01);
    ["ball", "cart"].map(|name| pose(&scene, &run, name).velocity.x)
}

/// The law of an impact on a cart that friction holds slightly was built for a cart that is fixed: the restitution was 0.37.
#[test]
fn impacts_deliver_their_restitution_on_bodies_that_friction_holds() {
    let [ball, cart] = after_hit(1e-6);
    assert!((cart - ball - 0.5).abs() < 1e-6 && (cart + ball - 1.0).abs() < 1e-6, "{ball} {cart}");
    // Friction that is stronger than the impact makes the cart a wall.
    let [ball, cart] = after_hit(1e5);
    assert!((ball + 0.5).abs() < 1e-6 && cart == 0.0, "{ball} {cart}");
}

/// A driven finger pushes a cart that friction holds. It used to be refused, as a contact between bodies that joints hold.
#[test]
fn a_driven_finger_pushes_a_cart_against_its_friction() {
    let scene = parse(
        r#"
        simulation = { duration = 1, planar = true }
        [[body]]
        name = "finger"
        shape = "sphere"
        radius = 0.01
        position = [-0.021, 0]
        motion = { direction = [1, 0], rate = 0.01 }
        [[body]]
        name = "cart"
        shape = "sphere"
        radius = 0.01
        mass = 1
        [[joint]]
        kind = "prismatic"
        between = ["cart", "ground"]
        axis = [1, 0]
        friction = { coulomb = 2 }
        [[contact]]
        between = ["finger", "cart"]
        law = "kelvin-voigt"
        stiffness = 1e5
        exponent = 1
        restitution = 0.5
        calibration = "exact"
        "#,
    );
    let run = ran(&scene.world, 1.0);
    // The cart keeps its distance from the finger, which is 20 mm less the indentation under 2 N.
    let at = pose(&scene, &run, "cart").position.x;
    assert!((at - (-0.011 + 0.02 - 2e-5)).abs() < 1e-9, "{at}");
}
