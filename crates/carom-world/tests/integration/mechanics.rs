//! Motion without contact, compared with closed forms.

use crate::common::{ball, close, energy_closes, pose_of, ran};
use carom_world::element::{Anchor, Element};
use carom_world::joint::{Drive, Joint, Kind, Mount};
use carom_world::math::{Mat3, Quat, Vec3};
use carom_world::{Body, Mobility, Motion, Path, Run, World};
use std::f64::consts::PI;

const GRAVITY: f64 = 9.81;
const DOWN: Vec3 = Vec3::new(0.0, 0.0, -GRAVITY);

fn joint(kind: Kind, a: (usize, Vec3), b: (usize, Vec3)) -> Joint {
    let mount = |(body, point): (usize, Vec3)| Mount { body, point, rotation: Quat::IDENTITY };
    Joint {
        name: "joint".into(),
        kind,
        a: mount(a),
        b: mount(b),
        drive: Drive::Free,
        friction: None,
    }
}

#[test]
fn free_flight_is_a_parabola_and_keeps_its_spin() {
    let mut world = World::default().under(DOWN);
    let body =
        ball("ball", 2.0, 0.1).moving(Vec3::new(1.0, 2.0, 3.0)).spinning(Vec3::new(0.0, 5.0, 0.0));
    let body = world.add_body(body).unwrap();
    let run = ran(&world, 2.0);
    let pose = pose_of(&run, body);
    let expected = Vec3::new(2.0, 4.0, 6.0 - 0.5 * GRAVITY * 4.0);
    assert!((pose.position - expected).length() < 1e-11);
    let turned = Quat::about(Vec3::Y, 10.0).rotate(Vec3::X);
    assert!((pose.rotation.rotate(Vec3::X) - turned).length() < 1e-8);
    energy_closes(&run, 1e-10);
}

/// Computes the complete elliptic integral K(k) by the arithmetic–geometric mean.
fn elliptic(k: f64) -> f64 {
    let (mut a, mut g) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..20 {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    PI / (2.0 * a)
}

#[test]
fn a_pendulum_has_its_exact_period_and_does_not_drift() {
    // Period of a rod of length 2l about its end: T = 4·√(I/(mgl))·K(sin(θ₀/2)).
    let (mass, l, angle) = (1.5, 0.4, 2.0f64);
    let inertia = mass * (2.0 * l) * (2.0 * l) / 12.0;
    let mut world = World::default().under(Vec3::new(0.0, -GRAVITY, 0.0));
    let hang = Quat::about(Vec3::Z, angle);
    let down = hang.rotate(Vec3::new(0.0, -l, 0.0));
    let body = Body::new("rod", mass, Mat3::diagonal(Vec3::new(inertia, 1e-3 * inertia, inertia)));
    let body = world.add_body(body.at(down).turned(hang)).unwrap();
    let pin = joint(Kind::Revolute, (body, Vec3::new(0.0, l, 0.0)), (0, Vec3::ZERO));
    world.add_joint(pin).unwrap();
    let about_pin = inertia + mass * l * l;
    let period = 4.0 * (about_pin / (mass * GRAVITY * l)).sqrt() * elliptic((0.5 * angle).sin());
    let run = ran(&world, 20.0 * period);
    let pose = pose_of(&run, body);
    assert!((pose.position - down).length() < 1e-7, "{:?}", pose.position - down);
    let pin = pose.position + pose.rotation.rotate(Vec3::new(0.0, l, 0.0));
    assert!(pin.length() < 1e-12, "{}", pin.length());
    energy_closes(&run, 1e-7);
}

#[test]
fn a_sleeping_top_precesses_as_fast_as_it_should() {
    // Steady precession of a heavy top: I₁·Ω²·cos θ − I₃·ω₃·Ω + m·g·l = 0.
    let (mass, l, flat, axial) = (0.5, 0.1, 2e-3, 1e-3);
    let (tilt, precession) = (0.5f64, 3.0);
    // Inertia about the tip.
    let about_tip = flat + mass * l * l;
    let spin = (about_tip * precession * precession * tilt.cos() + mass * GRAVITY * l)
        / (axial * precession);
    let mut world = World::default().under(DOWN);
    let lean = Quat::about(Vec3::Y, tilt);
    let axis = lean.rotate(Vec3::Z);
    // ω = Ω·e_z + φ̇·axis with ω·axis = ω₃.
    let own = spin - precession * tilt.cos();
    let w = Vec3::Z * precession + axis * own;
    let centre = axis * l;
    let body = Body::new("top", mass, Mat3::diagonal(Vec3::new(flat, flat, axial)));
    let body = body.at(centre).turned(lean).spinning(w).moving(w.cross(centre));
    let body = world.add_body(body).unwrap();
    world
        .add_joint(joint(Kind::Spherical, (body, Vec3::new(0.0, 0.0, -l)), (0, Vec3::ZERO)))
        .unwrap();
    let mut run = Run::new(&world).unwrap();
    let time = 5.0;
    run.advance(time).unwrap();
    let pose = pose_of(&run, body);
    let expected = Quat::about(Vec3::Z, precession * time).rotate(centre);
    // The top spins by 850 rad and precesses by 15 rad.
    assert!((pose.position - expected).length() < 1e-8, "{:?}", pose.position - expected);
}

#[test]
fn a_free_body_of_three_moments_keeps_momentum_and_energy() {
    // The body tumbles because rotation about the intermediate axis is unstable.
    let mut world = World::default();
    let inertia = Mat3::diagonal(Vec3::new(1.0, 2.0, 2.8));
    let spin = Vec3::new(1e-3, 4.0, 0.0);
    let body = world.add_body(Body::new("wing nut", 1.0, inertia).spinning(spin)).unwrap();
    let mut run = Run::new(&world).unwrap();
    let momentum = |run: &Run| {
        let pose = pose_of(run, body);
        pose.rotation.rotate(inertia.of(pose.rotation.inverse().rotate(pose.spin)))
    };
    let before = momentum(&run);
    let mut tumbled = false;
    for i in 1..=50 {
        run.advance(0.5 * f64::from(i)).unwrap();
        let pose = pose_of(&run, body);
        tumbled |= pose.rotation.inverse().rotate(pose.spin).y < -3.0;
    }
    assert!(tumbled);
    assert!(
        (momentum(&run) - before).length() < 1e-8 * before.length(),
        "{:?}",
        momentum(&run) - before
    );
    energy_closes(&run, 1e-8);
}

#[test]
fn a_damped_oscillator_follows_the_closed_form_and_its_loss_is_in_the_ledger() {
    let (mass, k, c) = (2.0, 50.0, 1.2);
    let mut world = World::default();
    let body = world.add_body(ball("mass", mass, 0.1).at(Vec3::new(1.3, 0.0, 0.0))).unwrap();
    let (a, b) = (Anchor { body: 0, point: Vec3::ZERO }, Anchor { body, point: Vec3::ZERO });
    let spring = Element::Spring { a, b, stiffness: k, damping: c, length: 1.0 };
    world.add_element(spring).unwrap();
    let mut run = Run::new(&world).unwrap();
    let t = 3.0;
    run.advance(t).unwrap();
    let (decay, natural) = (c / (2.0 * mass), (k / mass).sqrt());
    let damped = (natural * natural - decay * decay).sqrt();
    let phase = damped * t;
    let expected = 1.0 + 0.3 * (-decay * t).exp() * (phase.cos() + decay / damped * phase.sin());
    let pose = pose_of(&run, body);
    assert!((pose.position.x - expected).abs() < 1e-9);
    let energies = run.state().energies(&world);
    let lost = 0.5 * k * 0.09 - energies.kinetic - energies.potential;
    close(energies.lost_in_dampers, lost, 1e-8, "lost in the damper");
}

#[test]
fn a_driven_crank_turns_a_slider_as_geometry_says_in_a_plane_and_in_space() {
    crank_and_slider(true);
    crank_and_slider(false);
}

fn crank_and_slider(flat: bool) {
    let (r, l, rate) = (0.05, 0.12, 30.0);
    let mut world = if flat { World::default().flat() } else { World::default() };
    let rod = |mass: f64, length: f64| {
        let moment = mass * length * length / 12.0;
        Mat3::diagonal(Vec3::new(moment, moment, moment))
    };
    let crank = Body::new("crank", 0.3, rod(0.3, r)).at(Vec3::new(0.5 * r, 0.0, 0.0));
    let crank = world.add_body(crank).unwrap();
    let link = Body::new("rod", 0.21, rod(0.21, l)).at(Vec3::new(r + 0.5 * l, 0.0, 0.0));
    let link = world.add_body(link).unwrap();
    let slider = Body::new("slider", 0.14, Mat3::diagonal(Vec3::new(1.0, 1.0, 1.0) * 1e-4));
    let slider = world.add_body(slider.at(Vec3::new(r + l, 0.0, 0.0))).unwrap();
    let x = |x: f64| Vec3::new(x, 0.0, 0.0);
    let mut drive = joint(Kind::Revolute, (crank, x(-0.5 * r)), (0, Vec3::ZERO));
    drive.drive = Drive::Angle(Motion::Steady { value: 0.0, rate });
    world.add_joint(drive).unwrap();
    world.add_joint(joint(Kind::Revolute, (link, x(-0.5 * l)), (crank, x(0.5 * r)))).unwrap();
    world.add_joint(joint(Kind::Revolute, (slider, Vec3::ZERO), (link, x(0.5 * l)))).unwrap();
    let mut guide = joint(Kind::Prismatic, (slider, Vec3::ZERO), (0, Vec3::ZERO));
    let along_x = Quat::between(Vec3::Z, Vec3::X);
    guide.a.rotation = along_x;
    guide.b.rotation = along_x;
    world.add_joint(guide).unwrap();
    let mut run = Run::new(&world).unwrap();
    // In space three of the constraint rows depend on others, because several joints keep the mechanism in its plane.
    let redundant = run.state().notes().iter().any(|note| note.kind() == "redundant_constraints");
    assert_eq!(redundant, !flat);
    for i in 1..=20 {
        let t = 0.05 * f64::from(i);
        run.advance(t).unwrap();
        let angle: f64 = rate * t;
        let expected = r * angle.cos() + (l * l - (r * angle.sin()).powi(2)).sqrt();
        let found = pose_of(&run, slider).position;
        assert!((found - x(expected)).length() < 1e-9, "{t}: {found:?} {expected}");
    }
    // The work of the drive equals the energy of the bodies.
    let energies = run.state().energies(&world);
    assert!(energies.error.abs() < 1e-8 * energies.kinetic.max(1.0), "{}", energies.error);
}

#[test]
fn a_shaken_ground_moves_what_is_tied_to_it() {
    // Base excitation of an oscillator, m·ẍ + k·(x − y) = 0, with the steady amplitude Y/(1 − r²). Here the whole solution from
    // rest is compared: x = Y/(1−r²)·(sin ωt − r·sin ω₀t).
    let (mass, k, amplitude, omega) = (1.0, 100.0, 0.02, 4.0);
    let mut world = World::default().flat();
    let motion = Motion::Sine { offset: 0.0, amplitude, frequency: omega, phase: 0.0 };
    let ground = Body {
        mobility: Mobility::Driven(Path::along(Vec3::X, motion)),
        ..Body::new("table", 1.0, Mat3::default())
    };
    let ground = world.add_body(ground).unwrap();
    let body = world.add_body(ball("mass", mass, 0.1).at(Vec3::X)).unwrap();
    let (a, b) = (Anchor { body: ground, point: Vec3::ZERO }, Anchor { body, point: Vec3::ZERO });
    world.add_element(Element::Spring { a, b, stiffness: k, damping: 0.0, length: 1.0 }).unwrap();
    let mut run = Run::new(&world).unwrap();
    let t = 2.5;
    run.advance(t).unwrap();
    let natural = (k / mass).sqrt();
    let r = omega / natural;
    let expected = amplitude / (1.0 - r * r) * ((omega * t).sin() - r * (natural * t).sin());
    let found = pose_of(&run, body).position.x - 1.0;
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    let energies = run.state().energies(&world);
    assert!(energies.error.abs() < 1e-9 && energies.work_of_drives.abs() > 1e-4);
}

#[test]
fn a_body_in_a_medium_reaches_its_terminal_speed() {
    let (mass, linear) = (0.2, 0.5);
    let mut world = World::default().under(DOWN);
    let body = world.add_body(ball("ball", mass, 0.05)).unwrap();
    world.add_element(Element::Drag { body, linear, quadratic: 0.0 }).unwrap();
    let run = ran(&world, 0.7);
    let expected = -mass * GRAVITY / linear * (1.0 - (-linear * 0.7 / mass).exp());
    close(pose_of(&run, body).velocity.z, expected, 1e-9, "speed");
    energy_closes(&run, 1e-9);
    // Quadratic drag: v = v∞·tanh(g·t/v∞).
    let mut world = World::default().under(DOWN);
    let body = world.add_body(ball("ball", mass, 0.05)).unwrap();
    world.add_element(Element::Drag { body, linear: 0.0, quadratic: 0.3 }).unwrap();
    let run = ran(&world, 0.7);
    let terminal = (mass * GRAVITY / 0.3).sqrt();
    let expected = -terminal * (GRAVITY * 0.7 / terminal).tanh();
    close(pose_of(&run, body).velocity.z, expected, 1e-9, "speed");
}
