//! Islands that take steps of their own, compared with common steps of all bodies, with runs of each island alone, and with
//! resumed runs.

use super::*;
use crate::checkpoint::tests::whole_and_in_pieces;
use crate::step::Scratch;
use crate::{EndedTouch, Phase, Run, Scene};

fn scene(text: &str) -> Scene {
    Scene::parse(text, &|_| Err("none".into())).unwrap()
}

fn head(duration: f64, tolerance: f64) -> String {
    format!("simulation = {{ duration = {duration}, gravity = 9.81, tolerance = {tolerance:e} }}\n")
}

/// A contact with a linear spring and damper.
fn contact(a: &str, b: &str, stiffness: f64) -> String {
    format!(
        r#"
        [[contact]]
        between = ["{a}", "{b}"]
        law = "kelvin-voigt-1865"
        stiffness = {stiffness}
        exponent = 1
        restitution = 0.6
        calibration = "exact"
        friction = {{ coefficient = 0.3 }}
        "#
    )
}

fn ball(name: &str, position: [f64; 3], velocity: [f64; 3]) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nshape = \"sphere\"\nradius = 0.02\ndensity = 2000\nposition = {position:?}\nvelocity = {velocity:?}\n"
    )
}

/// An undamped pendulum.
const PENDULUM: &str = r#"
    [[body]]
    name = "bob"
    shape = "sphere"
    radius = 0.02
    density = 8000
    position = [2, 0, 0.6]
    [[joint]]
    name = "hinge"
    kind = "revolute"
    between = ["bob", "ground"]
    point = [2.2, 0, 0.6]
    axis = [0, 1, 0]
"#;

/// Two boxes on each other; a drag with zero coefficient keeps them awake.
fn stack(awake: bool) -> String {
    let mut text = String::new();
    for (i, below) in ["ground", "b0"].into_iter().enumerate() {
        let z = 0.05 + 0.1 * i as f64;
        text += &format!(
            "[[body]]\nname = \"b{i}\"\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\ndensity = 1000\nposition = [0, 0, {z}]\n"
        );
        text += &contact(&format!("b{i}"), below, 1e6);
        if awake {
            text += &format!("[[drag]]\nbody = \"b{i}\"\nlinear = 0\n");
        }
    }
    text
}

/// Records ended touches, and samples at equal intervals; checks that nothing is reported out of order.
#[derive(Default)]
struct Watch {
    interval: f64,
    samples: Vec<(f64, Vec<Vec3>)>,
    ended: Vec<EndedTouch>,
    begun: usize,
    now: f64,
}

impl Watch {
    fn pass(&mut self, time: f64) {
        assert!(time >= self.now, "{time} after {}", self.now);
        self.now = time;
    }
}

impl Observer for Watch {
    fn next(&self) -> f64 {
        match self.interval > 0.0 {
            true => self.interval * self.samples.len() as f64,
            false => f64::INFINITY,
        }
    }
    fn sample(&mut self, sample: &Sample) {
        self.pass(sample.time);
        assert_eq!(sample.state().time, sample.time);
        let bodies = 0..sample.world.bodies().len();
        let places = bodies.filter_map(|body| Some(sample.body(body)?.position)).collect();
        self.samples.push((sample.time, places));
    }
    fn began(&mut self, _: &World, time: f64, _: &crate::Touch) {
        self.pass(time);
        self.begun += 1;
    }
    fn ended(&mut self, _: &World, ended: &EndedTouch) {
        self.pass(ended.ended);
        self.ended.push(*ended);
    }
}

/// Runs a scene to its end with an observer; also returns the number of windows.
fn watch<'s>(scene: &'s Scene, common: bool) -> (Run<'s>, Watch, usize) {
    let mut run = Run::new(&scene.world).unwrap();
    if common {
        run = run.with_common_steps();
    }
    let mut watch = Watch { interval: scene.duration / 50.0, ..Watch::default() };
    let mut windows = 0;
    while run.state().time < scene.duration {
        run.step(scene.duration, &mut watch).unwrap();
        windows += usize::from(run.state().windows.open);
    }
    run.state().audit(&scene.world, None, 0.0).unwrap();
    (run, watch, windows)
}

/// Runs a scene with islands and with common steps, and checks that touches and motion agree and that the contacts `touching`
/// have touched. Returns the number of windows.
fn same_as_common(text: &str, tolerance: f64, touching: &[&str]) -> usize {
    let scene = scene(text);
    let (one, found, windows) = watch(&scene, false);
    let (two, expected, none) = watch(&scene, true);
    assert_eq!(none, 0);
    assert_eq!(found.begun, expected.begun);
    let key = |touch: &EndedTouch| (touch.contact, touch.site);
    let sorted = |mut touches: Vec<EndedTouch>| {
        touches.sort_by(|a, b| key(a).cmp(&key(b)).then(a.ended.total_cmp(&b.ended)));
        touches
    };
    let (found_touches, expected_touches) = (sorted(found.ended), sorted(expected.ended));
    assert_eq!(found_touches.len(), expected_touches.len());
    for (a, b) in found_touches.iter().zip(&expected_touches) {
        assert_eq!((key(a), a.class), (key(b), b.class));
        let near = |x: f64, y: f64| (x - y).abs() <= tolerance * (1.0 + y.abs());
        assert!(near(a.begun, b.begun) && near(a.ended, b.ended), "{a:?} {b:?}");
        assert!(near(a.speed, b.speed) && near(a.rebound, b.rebound), "{a:?} {b:?}");
        assert!((a.force_max / b.force_max - 1.0).abs() < 100.0 * tolerance, "{a:?} {b:?}");
    }
    assert_eq!(found.samples.len(), expected.samples.len());
    for ((t, a), (u, b)) in found.samples.iter().zip(&expected.samples) {
        assert_eq!(t, u);
        for (a, b) in a.iter().zip(b) {
            assert!((*a - *b).length() < tolerance, "t = {t}: {a:?} {b:?}");
        }
    }
    let contacts = |run: &Run| {
        let accounts = run.state().accounts();
        accounts.iter().map(|account| (account.ended, account.classes)).collect::<Vec<_>>()
    };
    assert_eq!(contacts(&one), contacts(&two));
    for (contact, account) in scene.world.contacts().iter().zip(one.state().accounts()) {
        assert!(account.ended > 0 || !touching.contains(&&*contact.name), "{}", contact.name);
    }
    let energies = [&one, &two].map(|run| run.state().energies(&scene.world));
    assert!(energies[0].error.abs() < 1e-7, "{energies:?}");
    let lost = energies.map(|e| e.lost_in_contacts + e.lost_to_friction);
    assert!((lost[0] - lost[1]).abs() <= tolerance * (1.0 + lost[1]), "{energies:?}");
    windows
}

/// A ball flies into a stack that vibrates, and into one that sleeps, while a pendulum swings.
#[test]
fn a_ball_that_hits_a_stack_is_found() {
    for awake in [true, false] {
        let text = head(1.1, 1e-8) + PENDULUM + &stack(awake);
        let text = text + &ball("ball", [-1.5, 0.013, 1.5], [1.589, 0.0, 2.881]);
        let text = text
            + &contact("ball", "b0", 1e5)
            + &contact("ball", "b1", 1e5)
            + &contact("ball", "ground", 1e5);
        let slept = scene(&text);
        let mut run = Run::new(&slept.world).unwrap();
        run.advance(0.85).unwrap();
        let asleep = run.state().touches.iter().any(|touch| touch.phase == Phase::Asleep);
        assert_eq!(asleep, !awake);
        assert!(same_as_common(&text, 1e-5, &["ball-b1"]) > 0);
    }
}

/// Two projectiles meet in flight with a relative speed of more than 40 m/s, at which they move by their own size in a
/// millisecond.
#[test]
fn projectiles_that_hit_each_other_in_flight_are_found() {
    let text = head(0.8, 1e-9)
        + PENDULUM
        + &stack(true)
        + &ball("one", [-10.0, 1.0, 2.0], [20.0, 0.0, 2.0])
        + &ball("two", [10.0, 1.01, 2.0], [-21.0, 0.0, 2.0])
        + &contact("one", "two", 1e6)
        + &contact("one", "ground", 1e6)
        + &contact("two", "ground", 1e6);
    assert!(same_as_common(&text, 1e-5, &["one-two"]) > 0);
}

/// A driven hammer strikes a ball, which flies into another one.
#[test]
fn a_driven_body_that_strikes_an_island_is_found() {
    let text = head(0.7, 1e-8)
        + PENDULUM
        + r#"
        [[body]]
        name = "hammer"
        shape = "box"
        size = [0.04, 0.04, 0.04]
        position = [-0.5, 0, 0.02]
        motion = { direction = [1, 0, 0], times = [0, 0.25, 0.35, 0.5], values = [0, 0, 0.2, 0.2] }
        "#
        + &ball("one", [-0.35, 0.0, 0.02], [0.0; 3])
        + &ball("two", [-0.1, 0.004, 0.02], [0.0; 3])
        + &contact("one", "hammer", 1e6)
        + &contact("one", "two", 1e6)
        + &contact("one", "ground", 1e6)
        + &contact("two", "ground", 1e6);
    assert!(same_as_common(&text, 1e-5, &["one-hammer", "one-two"]) > 0);
}

/// Balls at random positions with random velocities, all of which may touch each other and the ground.
#[test]
fn random_balls_move_as_with_common_steps() {
    let mut windows = 0;
    for seed in 0..24 {
        let draw = |n: u64| carom::numeric::random::unit(seed, n);
        let count = 4 + seed as usize % 4;
        let mut text = head(0.35, 1e-9);
        let mut contacts = String::new();
        for i in 0..count {
            let place = |n: u64| draw(8 * i as u64 + n);
            let x = 0.06 * i as f64 + 0.02 * place(0);
            let position = [x, 0.03 * place(1), 0.03 + 0.3 * place(2)];
            let speed = |n: u64| 2.0 * (place(n) - 0.5);
            text += &ball(&format!("b{i}"), position, [speed(3), 0.3 * speed(4), speed(5)]);
            contacts += &contact(&format!("b{i}"), "ground", 1e5);
            for j in 0..i {
                contacts += &contact(&format!("b{i}"), &format!("b{j}"), 1e5);
            }
        }
        windows += same_as_common(&(text + &contacts), 1e-4, &[]);
    }
    assert!(windows > 48, "{windows}");
}

/// Checks that a run that is stopped and resumed after every step or window has the same bits, including its counts. Returns how
/// often windows began and how often they gave way to common steps.
fn resumed(text: &str) -> (usize, usize) {
    let (mut opened, mut closed) = (0, 0);
    let state = whole_and_in_pieces(text, usize::MAX, 1, |before, after| {
        opened += usize::from(after.windows.open && !before.windows.open);
        closed += usize::from(before.windows.open && !after.windows.open);
    });
    assert!(state.accounts().iter().any(|account| account.ended > 0));
    (opened, closed)
}

#[test]
fn a_run_with_islands_is_resumed_anywhere() {
    let flies = ball("ball", [-1.5, 0.013, 1.5], [1.589, 0.0, 2.881])
        + &contact("ball", "b1", 1e5)
        + &contact("ball", "b0", 1e5)
        + &contact("ball", "ground", 1e5);
    let egg = r#"
        [[body]]
        name = "egg"
        shape = "ellipsoid"
        semi_axes = [0.02, 0.03, 0.04]
        density = 1000
        position = [-1.1, 0, 0.3]
        spin = [3, 1, 0]
        "#
    .to_string()
        + &contact("egg", "ground", 1e5)
        + &contact("egg", "ball", 1e5);
    let several = head(1.0, 1e-6) + PENDULUM + &stack(true) + &flies + &egg;
    let (opened, _) = resumed(&several);
    assert!(opened > 0);
    // The ball and the stack become one island.
    let (opened, closed) = resumed(&(head(1.0, 1e-6) + &stack(true) + &flies));
    assert!(opened > 0 && closed > 0, "{opened} {closed}");
}

/// A run can be extended from such a state: until the end of the run affects its steps, its states do not depend on that end.
#[test]
fn steps_of_a_window_do_not_depend_on_a_distant_end_of_the_run() {
    let text = head(1.0, 1e-6) + PENDULUM + &stack(true);
    let scene = scene(&text);
    let (mut short, mut long) = (Run::new(&scene.world).unwrap(), Run::new(&scene.world).unwrap());
    let mut windows = 0;
    while !short.end_matters(0.7) {
        short.step(0.7, &mut ()).unwrap();
        long.step(1.0, &mut ()).unwrap();
        assert_eq!(short.state().save(), long.state().save());
        windows += usize::from(short.state().windows.open);
    }
    assert!(windows > 1, "{windows}");
}

/// For a stack and a pendulum beside each other, the error of the energy ledger and the number of evaluations are about the sums
/// of those of both alone. The pendulum begins with steps that it shares with the boxes, so its errors are of the same size as
/// alone, but not the same.
#[test]
fn the_ledger_is_that_of_the_parts() {
    let run = |text: &str| {
        let scene = scene(&(head(3.0, 1e-6) + text));
        let mut run = Run::new(&scene.world).unwrap();
        run.advance(scene.duration).unwrap();
        let error = run.state().energies(&scene.world).error.abs();
        (error, run.state().counts.body_evaluations as f64)
    };
    let (together, boxes, pendulum) =
        (run(&format!("{PENDULUM}{}", stack(true))), run(&stack(true)), run(PENDULUM));
    assert!(
        together.0 <= 2.0 * (boxes.0 + pendulum.0) + 1e-11,
        "{together:?} {boxes:?} {pendulum:?}"
    );
    assert!(together.1 <= 1.2 * (boxes.1 + pendulum.1), "{together:?} {boxes:?} {pendulum:?}");
}

/// Balls with different laws bounce one by one: each moves as if it were alone, for the number of evaluations that it takes
/// alone.
#[test]
fn balls_that_bounce_separately_take_the_evaluations_that_they_take_alone() {
    let one = |i: usize| {
        let law = ["hunt-crossley-1975", "tsuji-1992", "flores-2011"][i % 3];
        let height = 0.04 + 0.013 * i as f64;
        let stiffness = 1e7 * (1.0 + i as f64);
        format!(
            "{}[[contact]]\nbetween = [\"ball{i}\", \"ground\"]\nlaw = \"{law}\"\nstiffness = {stiffness}\nexponent = 1.5\nrestitution = 0.7\n",
            ball(&format!("ball{i}"), [0.1 * i as f64, 0.0, height], [0.0; 3]),
        )
    };
    let run = |text: &str| {
        let scene = scene(&(head(1.5, 1e-8) + text));
        let (run, watch, _) = watch(&scene, false);
        (watch, run.state().counts.body_evaluations as f64)
    };
    let (all, work) = run(&(0..8).map(one).collect::<String>());
    let mut alone = 0.0;
    for i in 0..8 {
        let (single, work) = run(&one(i));
        alone += work;
        for ((_, a), (_, b)) in all.samples.iter().zip(&single.samples) {
            assert!((a[i] - b[0]).length() < 1e-6, "ball {i}: {:?} {:?}", a[i], b[0]);
        }
        let touches = |ended: &[EndedTouch], contact: usize| {
            ended.iter().filter(|touch| touch.contact == contact).count()
        };
        assert_eq!(touches(&all.ended, i), touches(&single.ended, 0));
    }
    assert!(work <= 1.2 * alone, "{work} against {alone}");
}

/// With elements, motors, joints, driven bodies and contacts of all kinds, the islands have the accelerations and works of the
/// whole.
#[test]
fn parts_of_a_world_move_as_the_whole() {
    let text = head(0.5, 1e-6)
        + PENDULUM
        + &stack(true)
        + &ball("one", [-0.5, 0.0, 0.5], [0.3, 0.0, 0.0])
        + &ball("two", [-0.7, 0.0, 0.5], [0.0; 3])
        + &ball("three", [-1.0, 0.0, 0.02], [0.0; 3])
        + &contact("three", "ground", 1e5)
        + &contact("three", "b0", 1e5)
        + r#"
        [[body]]
        name = "table"
        shape = "box"
        size = [0.2, 0.2, 0.02]
        position = [-2, 0, 0.3]
        motion = { direction = [0, 0, 1], amplitude = 0.01, frequency = 30 }
        [[body]]
        name = "block"
        shape = "box"
        size = [0.05, 0.05, 0.05]
        density = 1000
        position = [-2, 0, 0.334]
        [[body]]
        name = "arm"
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        position = [-3, 0, 1]
        spin = [0, 1, 0]
        [[joint]]
        name = "axle"
        kind = "revolute"
        between = ["arm", "ground"]
        point = [-3, 0, 1.5]
        axis = [0, 1, 0]
        friction = { coulomb = 0.01 }
        spring = { stiffness = 2, damping = 0.1 }
        [[motor]]
        name = "turns"
        joint = "axle"
        effort = { amplitude = 0.3, frequency = 20 }
        [[motor]]
        name = "ram"
        between = ["one", "two"]
        effort = { times = [0, 0.2, 0.5], values = [0, 0.5, 0.1] }
        [[spring]]
        between = ["two", "table"]
        from = [-0.7, 0, 0.5]
        to = [-2, 0, 0.3]
        stiffness = 20
        damping = 0.1
        length = 1
        [[force]]
        body = "two"
        direction = [0, 1, 0]
        amplitude = 0.2
        frequency = 10
        [[drag]]
        body = "three"
        linear = 0.01
        "#
        + &contact("block", "table", 1e5);
    let scene = scene(&text);
    let world = &scene.world;
    let mut run = Run::new(world).unwrap().with_common_steps();
    run.advance(0.2).unwrap();
    let state = run.state();
    assert!(state.touches().iter().any(|touch| touch.phase == Phase::Active));
    let whole = Scratch::new(world, state);
    let works = state.layout.works(&whole.start.slope);
    let mut islands = Islands::of(world).unwrap();
    assert!(islands.connect_bodies(world, state));
    islands.select_islands(world);
    assert_eq!(islands.current.len(), 6, "pendulum, stack, one and two, three, block, arm");
    let pace = state.windows.paces[0];
    let (mut bodies, mut sums) = (0, [0.0; 4]);
    for island in &mut islands.islands {
        island.read(state, &pace);
        let slope = &island.scratch.start.slope;
        for (slot, &of_whole) in island.members.slots.clone().iter().enumerate() {
            bodies += 1;
            let part = island.state.layout.raw_pose(slope, slot);
            let expected = state.layout.raw_pose(&whole.start.slope, of_whole);
            let scale = 1e-9 * (1.0 + expected.velocity.length() + expected.spin.length());
            assert!((part.velocity - expected.velocity).length() < scale, "{part:?} {expected:?}");
            assert!((part.spin - expected.spin).length() < scale, "{part:?} {expected:?}");
        }
        let works = island.state.layout.works(slope);
        let all = [works.constraints, works.driven_bodies, works.forces, works.dampers];
        sums.iter_mut().zip(all).for_each(|(sum, work)| *sum += work);
    }
    assert_eq!(bodies, world.free.len());
    let expected = [works.constraints, works.driven_bodies, works.forces, works.dampers];
    for (sum, expected) in sums.iter().zip(expected) {
        assert!((sum - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{sums:?} {expected:?}");
    }
    // Assembled, the islands give the state of the whole again.
    let mut again = state.clone();
    let Islands { islands, current, order, .. } = &mut islands;
    assemble(islands, current, |i| &islands[current[i]].state, order, &mut again);
    let numbers = |state: &State| {
        let touches: Vec<_> = state.touches.iter().map(|t| (t.site, t.begun, t.delta)).collect();
        (state.y.clone(), touches, state.is_open.clone(), state.accounts().to_vec())
    };
    assert_eq!(numbers(&again), numbers(state));
}

/// Motors that are set from outside keep their indices in the islands, and efforts set between windows act in the next window.
#[test]
fn motors_of_islands_are_set_from_outside() {
    let rotor = |name: &str, x: f64| {
        format!(
            r#"
            [[body]]
            name = "{name}"
            mass = 1
            inertia = [0.2, 0.2, 0.2]
            position = [{x}, 0, 1]
            [[joint]]
            name = "axle of {name}"
            kind = "revolute"
            between = ["{name}", "ground"]
            point = [{x}, 0, 1]
            axis = [0, 1, 0]
            [[motor]]
            name = "motor of {name}"
            joint = "axle of {name}"
            controller = true
            "#
        )
    };
    let text = "simulation = { duration = 2, control_interval = 0.1 }\n".to_string()
        + &rotor("a", 0.0)
        + &rotor("b", 1.0)
        + &rotor("c", 2.0);
    let scene = scene(&text);
    let world = &scene.world;
    let mut run = Run::new(world).unwrap();
    for instant in 0..20 {
        let sign = if instant % 2 == 0 { 1.0 } else { -0.5 };
        run.set_efforts(&[0.1 * sign, 0.2 * sign, 0.4 * sign]);
        // Windows begin without waiting for common steps.
        run.state.windows.common_steps = run.state.windows.steps_to_wait;
        while run.state().time < 0.1 * f64::from(instant + 1) {
            run.step(0.1 * f64::from(instant + 1), &mut ()).unwrap();
        }
    }
    let counts = run.state().counts;
    assert!(counts.body_evaluations < 2 * counts.evaluations, "most of one body alone: {counts:?}");
    // There are ten intervals of 0.1 s with each sign, so the rate is (1 − 0.5)·1 s·τ/I.
    for (body, torque) in [(1, 0.1), (2, 0.2), (3, 0.4)] {
        let rate = run.state().body(world, body).unwrap().spin.y;
        assert!((rate - 0.5 * torque / 0.2).abs() < 1e-9, "{body}: {rate}");
    }
}

/// A world whose free bodies are all connected has no islands.
#[test]
fn a_mechanism_is_one_island() {
    let scene = scene(
        r#"
        simulation = { duration = 1 }
        body = [
            { name = "a", mass = 1, inertia = [1, 1, 1], position = [0, 0, 1] },
            { name = "b", mass = 1, inertia = [1, 1, 1], position = [1, 0, 1] },
        ]
        spring = [{ between = ["a", "b"], stiffness = 1, length = 1 }]
        "#,
    );
    assert!(Islands::of(&scene.world).is_none());
}
