//! Lasting contact with every law: a ball that comes to rest on the ground, and a pin in its bearing.

use crate::common::{parse, subjects};
use carom::law::Law;
use carom_world::math::Vec3;
use carom_world::{Body, Contact, Placed, Run, Shape, World};

const GRAVITY: f64 = 9.81;

/// Simulates a ball that falls by a millimetre and bounces, and returns its speed at the end.
fn dropped(law: Law) -> carom::Result<f64> {
    let mut world = World::default().under(Vec3::Z * -GRAVITY);
    let radius = 0.02;
    let ground = world.add_shape(Placed::on(0, Shape::HalfSpace))?;
    let ball = Shape::Sphere { radius };
    let density = law.mass / (4.0 / 3.0 * std::f64::consts::PI * radius.powi(3));
    let body = Body::of("ball", &ball, density)?.at(Vec3::Z * (radius + 1e-3));
    let body = world.add_body(body)?;
    let shape = world.add_shape(Placed::on(body, ball))?;
    world.add_contact(Contact::new(shape, ground, law))?;
    let mut run = Run::new(&world)?;
    for _ in 0..3000 {
        // Without damping the ball bounces without end; a few thousand steps contain several bounces.
        run.step(0.3, &mut ())?;
        if run.state().time >= 0.3 {
            break;
        }
    }
    let energies = run.state().energies(&world);
    assert!(energies.error.abs() < 1e-6 * law.mass * GRAVITY * 1e-3, "{energies:?}");
    Ok(run.state().body(&world, body).map_or(f64::NAN, |pose| pose.velocity.z))
}

#[test]
fn a_ball_comes_to_rest_under_every_law_or_an_error_says_why_not() {
    let (mut seen, mut refused) = (0, Vec::new());
    for subject in subjects::all() {
        match dropped(subject.law) {
            // The ball is not faster than after its fall.
            Ok(speed) => assert!(speed.abs() < 0.1402, "{subject}: {speed}"),
            Err(error) => {
                let said = error.to_string();
                assert!(said.contains("two branches"), "{subject}: {said}");
                refused.push(subject.to_string());
            }
        }
        seen += 1;
    }
    assert!(seen > 60 && !refused.is_empty(), "{seen}");
    // This is the only law whose stiffness jumps at the turn.
    assert!(refused.iter().all(|name| name.starts_with("zhang-2022-approximate")), "{refused:#?}");
}

#[test]
fn a_pin_that_bounces_in_its_bearing_comes_to_lie_in_it() {
    for law in ["hunt-crossley-1975", "flores-2011", "lankarani-nikravesh-1990", "tsuji-1992"] {
        for restitution in [0.2, 0.6, 0.8] {
            for clearance in ["0.2 mm", "0.3 mm", "0.5 mm"] {
                let text = format!(
                    "[simulation]\nduration = '0.1 s'\ngravity = 9.81\nplanar = true\n\
                     [[body]]\nname = 'arm'\nmass = 1\ninertia = [1e-3, 1e-3, 1e-3]\nposition = [0.1, 0]\n\
                     [[clearance]]\nname = 'pin'\nkind = 'revolute'\nbetween = ['arm', 'ground']\n\
                     radius = '9.5 mm'\npoint = [0, 0]\nclearance = '{clearance}'\nlaw = '{law}'\n\
                     stiffness = '1e9 N/m^1.5'\nrestitution = {restitution}\n"
                );
                let scene = parse(&text);
                let mut run = Run::new(&scene.world).unwrap();
                let done = run.advance(scene.duration);
                assert!(done.is_ok(), "{law} {restitution} {clearance}: {done:?}");
            }
        }
    }
}
