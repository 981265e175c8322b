//! Sleep of bodies at rest: what wakes them, what remains unchanged, and that runs with sleeping bodies can be resumed.

use carom_world::{Phase, Run, Scene, State};

/// Returns a scene with a stack of boxes beside a pendulum that swings permanently, and a ball that falls on the stack after 1 s.
/// With `awake` a drag of zero acts on every box, which prevents it from sleeping.
fn stack_and_pendulum(tolerance: f64, awake: bool) -> String {
    let mut text = format!(
        r#"
        simulation = {{ duration = 2.5, gravity = 9.81, tolerance = {tolerance:e} }}
        [[body]]
        name = "bob"
        shape = "sphere"
        radius = 0.02
        density = 8000
        position = [1, 0, 0.6]
        [[joint]]
        name = "hinge"
        kind = "revolute"
        between = ["bob", "ground"]
        point = [1.2, 0, 0.6]
        axis = [0, 1, 0]
        [[body]]
        name = "ball"
        shape = "sphere"
        radius = 0.03
        density = 1000
        position = [0.01, 0, {}]
        [[contact]]
        between = ["ball", "b2"]
        law = "kelvin-voigt-1865"
        stiffness = 1e5
        exponent = 1
        restitution = 0.4
        calibration = "exact"
        friction = {{ coefficient = 0.3 }}
        "#,
        0.3 + 0.03 + 0.5 * 9.81
    );
    for i in 0..3 {
        let below = if i == 0 { "ground".to_string() } else { format!("b{}", i - 1) };
        text += &format!(
            r#"
            [[body]]
            name = "b{i}"
            shape = "box"
            size = [0.1, 0.1, 0.1]
            density = 1000
            position = [0, 0, {}]
            [[contact]]
            between = ["b{i}", "{below}"]
            law = "kelvin-voigt-1865"
            stiffness = 1e6
            exponent = 1
            restitution = 0.4
            calibration = "exact"
            friction = {{ coefficient = 0.5 }}
            "#,
            0.05 + 0.1 * f64::from(i)
        );
        if awake {
            text += &format!("[[drag]]\nbody = \"b{i}\"\nlinear = 0\n");
        }
    }
    text
}

fn scene(text: &str) -> Scene {
    Scene::parse(text, &|_| Err("none".into())).unwrap()
}

fn asleep(state: &State) -> usize {
    state.touches().iter().filter(|touch| touch.phase == Phase::Asleep).count()
}

/// The stack falls asleep while the pendulum swings, wakes when the ball hits it, and the ledger closes throughout.
#[test]
fn a_stack_sleeps_until_it_is_hit() {
    let scene = scene(&stack_and_pendulum(1e-6, false));
    let world = &scene.world;
    let mut run = Run::new(world).unwrap();
    run.advance(0.9).unwrap();
    let before = run.state().clone();
    // Four corners on the ground, and for each pair of equal boxes the sites at corners and edges.
    assert_eq!((asleep(&before), before.touches().len()), (28, 28));
    // The lowest box carries three boxes on four corners.
    let sinks = 3.0 * 9.81 / 4e6;
    let at = before.body(world, 3).unwrap();
    assert!((at.position.z - (0.05 - sinks)).abs() < 1e-6 * sinks, "{:e}", at.position.z - 0.05);
    assert_eq!(at.velocity.length(), 0.0);
    let forces = carom_world::Sample::of(world, &before).forces();
    let forces: f64 = forces.iter().map(|f| f.force * f.normal.z.abs()).sum();
    assert!((forces - (1.0 + 2.0 + 3.0) * 9.81).abs() < 1e-6, "{forces}");
    let mut woken = false;
    while run.state().time < scene.duration {
        run.step(scene.duration, &mut ()).unwrap();
        woken |= run.state().time > 0.99 && asleep(run.state()) == 0;
        let energies = run.state().energies(world);
        assert!(energies.error.abs() < 1e-6, "{energies:?}");
    }
    assert!(woken);
}

/// The run is compared with that of the same scene in which the stack never sleeps.
#[test]
fn sleep_reduces_evaluations_and_changes_nothing_else() {
    let run = |awake: bool| {
        let scene = scene(&stack_and_pendulum(1e-8, awake));
        let mut run = Run::new(&scene.world).unwrap();
        run.advance(0.95).unwrap();
        assert_eq!(asleep(run.state()), if awake { 0 } else { 28 });
        run.advance(1.2).unwrap();
        let state = run.state().clone();
        let places: Vec<_> = (1..6).map(|body| state.body(&scene.world, body).unwrap()).collect();
        (places, state.energies(&scene.world))
    };
    let ((slept, energies), (awake, expected)) = (run(false), run(true));
    for (one, two) in slept.iter().zip(&awake) {
        assert!((one.position - two.position).length() < 1e-7, "{one:?} {two:?}");
        assert!((one.velocity - two.velocity).length() < 1e-6, "{one:?} {two:?}");
    }
    let lost = |e: &carom_world::Energies| e.lost_in_contacts + e.lost_to_friction;
    assert!((lost(&energies) / lost(&expected) - 1.0).abs() < 1e-6, "{energies:?} {expected:?}");
}

/// A run that is saved and resumed after every step, also while bodies fall asleep and wake, yields the same bits.
#[test]
fn a_run_is_resumed_while_bodies_sleep() {
    let scene = scene(&stack_and_pendulum(1e-5, false));
    let world = &scene.world;
    let (mut whole, mut pieces) = (Run::new(world).unwrap(), Run::new(world).unwrap());
    let (mut slept, mut woke) = (false, false);
    while whole.state().time < 1.1 {
        let before = asleep(whole.state());
        whole.step(1.1, &mut ()).unwrap();
        pieces.step(1.1, &mut ()).unwrap();
        assert_eq!(whole.state().save(), pieces.state().save(), "{}", whole.state().time);
        pieces = Run::resume(world, State::restore(world, &pieces.state().save()).unwrap());
        slept |= asleep(whole.state()) > before;
        woke |= asleep(whole.state()) < before;
    }
    assert!(slept && woke);
}
