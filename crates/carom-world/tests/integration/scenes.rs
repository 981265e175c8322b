//! The library of scenes: each scene runs, closes its ledger, and agrees with known results.

use crate::common::{Log, close, pose_of};
use carom_world::grains::GranularScene;
use carom_world::{EndedTouch, Observer, Run, Sample, Scene, State, World};
use std::path::PathBuf;

const GRAVITY: f64 = 9.81;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{name}.toml"))).unwrap()
}

fn files(name: &str) -> Result<String, String> {
    std::fs::read_to_string(folder().join(name)).map_err(|why| why.to_string())
}

fn scene(name: &str) -> Scene {
    Scene::parse(&text(name), &files).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the index of a body.
fn body(scene: &Scene, name: &str) -> usize {
    scene.world.bodies().iter().position(|body| body.name == name).unwrap()
}

/// Runs a scene to its end and checks the ledger relative to the energy turned over.
fn finish<'w>(scene: &'w Scene, log: &mut impl Observer) -> Run<'w> {
    let mut run = Run::new(&scene.world).unwrap();
    run.advance_with(scene.duration, log).unwrap();
    let e = run.state().energies(&scene.world);
    let turned = e.kinetic + e.stored + e.lost_in_contacts + e.lost_to_friction + e.lost_in_dampers;
    let turned = turned + e.work_of_drives.abs() + e.work_of_forces.abs();
    assert!(e.error.abs() < scene.energy_tolerance * turned, "{}: {e:?}", scene.title);
    run
}

#[test]
fn every_scene_has_a_title_and_says_what_is_known() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let text = text(name);
            let (title, about) = match GranularScene::recognizes(&text) {
                true => {
                    let bed = GranularScene::parse(&text, &files).unwrap();
                    (bed.title, bed.about)
                }
                false => {
                    let scene = scene(name);
                    (scene.title, scene.about)
                }
            };
            assert!(title.len() > 5 && about.len() > 50, "{path:?}");
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn the_bead_bounces_with_its_restitution_and_comes_to_rest() {
    let scene = scene("bouncing-ball");
    let mut log = Log::default();
    let run = finish(&scene, &mut log);
    // Every bounce except the last few has the restitution of the law, and the next bounce begins with the rebound speed.
    for pair in log.0.windows(2).take(20) {
        close(pair[0].rebound / pair[0].speed, 0.9, 1e-3, "restitution");
        // The bead leaves at a slightly larger indentation than that at which it returns.
        close(pair[1].speed, pair[0].rebound, 1e-3, "next bounce");
    }
    let bead = body(&scene, "bead");
    let pose = pose_of(&run, bead);
    assert!(pose.velocity.length() < 1e-9 && run.state().touches().len() == 1);
    // The bead lies on its static indentation.
    let law = &run.state().touches()[0].law;
    let weight = law.mass * GRAVITY;
    let memory = law.touch(1.0);
    close(law.force(4e-3 - pose.position.z, 0.0, &memory), weight, 1e-6, "static indentation");
    // Time until rest by the geometric series, which the weight during contact shortens slightly.
    let (e, fall) = (0.9, (2.0 * 0.02 / GRAVITY).sqrt());
    let series = fall * (1.0 + e) / (1.0 - e);
    let last = log.0.last().unwrap().ended;
    assert!(last < series && last > 0.98 * series, "{last} {series}");
    // Falcon: the ball bounces until the duration of the flight is similar to that of the contact.
    let end = &log.0[log.0.len() - 2..];
    let (flight, contact) = (end[1].begun - end[0].ended, end[1].ended - end[1].begun);
    assert!(flight < 3.0 * contact && flight > 0.03 * contact, "{flight} {contact}");
    // Every bounce agrees with the impact of the library for this weight as external force. The speed of the next bounce follows
    // from the position and speed at which the force vanishes. Bouncing ends when the bead no longer returns to δ = 0.
    let pressed = carom::impact::Conditions { external_force: weight };
    let mut speed = (2.0 * GRAVITY * 0.02f64).sqrt();
    for touch in &log.0 {
        close(touch.speed, speed, 1e-6, "speed of a bounce");
        let bounce = carom::impact::collide_under(law, touch.speed, &pressed).unwrap();
        close(touch.rebound, bounce.restitution.newton * touch.speed, 1e-6, "rebound");
        let left = touch.rebound.powi(2) - 2.0 * GRAVITY * bounce.residual_indentation;
        assert!(left > 0.0);
        speed = left.sqrt();
    }
    let bounce = carom::impact::collide_under(law, speed, &pressed).unwrap();
    let rebound = bounce.restitution.newton * speed;
    let sticks = rebound * rebound <= 2.0 * GRAVITY * bounce.residual_indentation;
    assert!(sticks, "the bead should have bounced once more at {speed} m/s, after {}", log.0.len());
}

#[test]
fn the_cradle_passes_its_momentum_to_the_last_ball() {
    let scene = scene("newtons-cradle");
    let mut run = Run::new(&scene.world).unwrap();
    // From 30 degrees the first ball arrives after a quarter period, 0.228 s.
    run.advance(0.232).unwrap();
    let of = |name: &str| pose_of(&run, body(&scene, name)).velocity;
    assert!(of("ball 5").length() > 6.0 * of("ball 4").length());
    let arrives = (2.0 * GRAVITY * 0.2 * (1.0 - 30f64.to_radians().cos())).sqrt();
    let last = of("ball 5").length();
    assert!(last > 0.9 * arrives && last < arrives, "{last} {arrives}");
    let ended: usize = run.state().accounts().iter().map(|account| account.ended).sum();
    assert_eq!(ended, 4, "every contact once");
    // The strings take up no momentum along the row while the wave passes.
    let sum: f64 = (1..=5).map(|i| of(&format!("ball {i}")).x).sum();
    close(sum, arrives, 1e-2, "momentum of the row");
}

#[test]
fn the_ball_settles_in_its_socket() {
    let scene = scene("ball-in-socket");
    let mut log = Log::default();
    let run = finish(&scene, &mut log);
    let pose = pose_of(&run, body(&scene, "ball"));
    // The journal lies off the middle by the clearance and an indentation; the first fall is through 0.5 mm.
    close(pose.position.length(), 5e-4, 2e-2, "off the middle");
    close(log.0[0].rebound / log.0[0].speed, 0.7, 5e-3, "restitution");
    assert!(log.0.len() > 3);
}

/// Records how far the slider is from its position in the mechanism without clearance.
struct Follow {
    next: f64,
    slider: usize,
    worst: f64,
    /// Rate of the crank (rad/s), and lengths of crank and rod (m).
    rate: f64,
    crank: f64,
    rod: f64,
}

impl Observer for Follow {
    fn next(&self) -> f64 {
        self.next
    }
    fn sample(&mut self, sample: &Sample) {
        let (sin, cos) = (self.rate * sample.time).sin_cos();
        let ideal = self.crank * cos + (self.rod.powi(2) - (self.crank * sin).powi(2)).sqrt();
        let x = sample.body(self.slider).unwrap().position.x;
        self.worst = self.worst.max((x - ideal).abs());
        self.next += 1e-5;
    }
    fn ended(&mut self, _world: &World, _ended: &EndedTouch) {}
}

#[test]
fn sliders_follow_the_ideal_mechanism_within_clearance_and_touch_often() {
    let rate = 523.5987755982989;
    for (name, crank, rod) in [("slider-crank", 0.05, 0.12), ("slider-crank-long", 0.153, 0.306)] {
        let scene = scene(name);
        assert!(scene.duration * rate > 2.0 * std::f64::consts::TAU - 0.1, "two turns");
        let slider = body(&scene, "slider");
        let mut follow = Follow { next: 0.0, slider, worst: 0.0, rate, crank, rod };
        let run = finish(&scene, &mut follow);
        // The pin may be anywhere within the clearance plus the indentation. Because the rod is long, the deviation of the slider
        // is at most about that, divided by the cosine of the rod's angle.
        assert!(follow.worst > 2e-4 && follow.worst < 7e-4, "{name}: {}", follow.worst);
        assert!(run.state().accounts()[0].ended > 5, "{name}");
        // Regression: repeated implicit steps in contacts that never last added 1e-5 J to the error of the ledger.
        let error = run.state().energies(&scene.world).error;
        assert!(error.abs() < 1e-6, "{name}: {error}");
    }
}

#[test]
fn the_four_bar_linkage_runs_with_two_clearances() {
    let scene = scene("four-bar");
    let run = finish(&scene, &mut ());
    assert!(run.state().accounts().iter().all(|account| account.ended > 0));
    // The crank is driven at 30 rad/s for 0.3 s, from 90 degrees.
    let crank = pose_of(&run, body(&scene, "crank"));
    let angle = std::f64::consts::FRAC_PI_2 + 9.0;
    assert!((crank.position.x - 0.05 * angle.cos()).abs() < 1e-9);
}

#[test]
fn the_buildings_pound_with_their_restitution() {
    let scene = scene("pounding");
    let mut log = Log::default();
    finish(&scene, &mut log);
    assert!(log.0.len() >= 5, "{}", log.0.len());
    for touch in log.0.iter().filter(|touch| touch.speed > 0.1) {
        // An impact lasts 36 ms, during which the spring of the stiff building (period 0.5 s) acts too, so that the rebound does
        // not have the restitution of the law; the energy lost is still about (1 − e²) of that of the impact.
        let impact = 0.5 * 12.5e3 * touch.speed * touch.speed;
        let share = touch.lost / impact;
        assert!(share > 0.45 && share < 0.75, "{share}, 0.58 for a bare impact");
        assert!(touch.rebound > 0.0 && touch.rebound < touch.speed);
    }
}

#[test]
fn the_sphere_leaves_the_glass_as_measured() {
    let scene = scene("oblique-impact");
    let run = finish(&scene, &mut ());
    let pose = pose_of(&run, body(&scene, "sphere"));
    let (v, mu, e, radius) = (2.757716446627535, 0.092, 0.98, 2.5e-3);
    close(pose.velocity.z / v, e, 1e-6, "normal restitution");
    close(pose.velocity.x / v, 1.0 - mu * (1.0 + e), 1e-3, "tangential restitution");
    close(pose.spin.y, 5.0 * mu * (1.0 + e) * v / (2.0 * radius), 5e-3, "spin");
}

#[test]
fn the_block_rocks_in_housners_time() {
    let scene = scene("rocking-block");
    let mut run = Run::new(&scene.world).unwrap();
    let block = body(&scene, "block");
    // Until the block stands upright for the first time.
    let upright = |state: &State| {
        let up = state.body(&scene.world, block).unwrap().rotation;
        2.0 * up.v.z.atan2(up.w)
    };
    let first = upright(run.state());
    while upright(run.state()) * first > 0.0 {
        run.step(scene.duration, &mut ()).unwrap();
    }
    let (alpha, r) = (0.25f64.atan(), 0.05f64.hypot(0.2));
    let p = (0.75 * GRAVITY / r).sqrt();
    let quarter = (1.0 / (1.0 - first.abs() / alpha)).acosh() / p;
    close(first.abs() / alpha, 0.4, 1e-3, "tilt");
    close(run.state().time, quarter, 0.02, "quarter period");
    // To the next extreme on the other side: by Housner's ratio of the angular velocities at the impact, r = 1 − 3/2·sin²α, the
    // energy 1 − (1 − θ/α)² is multiplied by r².
    let swing = |run: &Run| pose_of(run, block).spin.z;
    let falling = swing(&run);
    while swing(&run) * falling > 0.0 || upright(run.state()) * first > 0.0 {
        run.step(scene.duration, &mut ()).unwrap();
    }
    let ratio = 1.0 - 1.5 * alpha.sin().powi(2);
    let energy = |tilt: f64| 1.0 - (1.0 - tilt.abs() / alpha).powi(2);
    let kept = energy(upright(run.state())) / energy(first);
    close(kept, ratio * ratio, 0.05, "energy after the impact");
    run.advance(scene.duration).unwrap();
    assert!(run.state().energies(&scene.world).error.abs() < 1e-7);
}

#[test]
fn the_foot_carries_its_load() {
    struct Last(f64, f64, f64, f64);
    impl Observer for Last {
        fn next(&self) -> f64 {
            self.0
        }
        fn sample(&mut self, sample: &Sample) {
            let (forces, middle) = (sample.forces(), sample.body(1).unwrap().position);
            self.1 = forces.iter().map(|f| f.force).sum();
            // The ground pushes upwards (the pads are the first body of each contact); lever arms are measured along x.
            self.2 = forces.iter().map(|f| f.force * (f.point.x - middle.x)).sum();
            self.3 = forces.iter().find(|f| f.contact == 0).unwrap().force;
            self.0 = f64::INFINITY;
        }
    }
    let scene = scene("foot");
    let mut last = Last(scene.duration, 0.0, 0.0, 0.0);
    finish(&scene, &mut last);
    let load = 300.0 + 1.2 * GRAVITY;
    close(last.1, load, 1e-6, "sum of the forces");
    // At rest friction is negligible, and the moments about the line of the load balance.
    assert!(last.2.abs() < 1e-3, "moment of the pads: {}", last.2);
    close(last.3, load * 110.0 / 170.0, 0.02, "the heel's share");
}

/// Records the values of a sensor at samples.
struct SensorLog {
    name: &'static str,
    interval: f64,
    found: Vec<(f64, [f64; 3])>,
    instant: carom_world::measure::Instant,
}

impl SensorLog {
    fn new(scene: &Scene, name: &'static str) -> Self {
        let instant = carom_world::measure::Instant::new(&scene.world);
        Self { name, interval: scene.sample, found: Vec::new(), instant }
    }
}

impl Observer for SensorLog {
    fn next(&self) -> f64 {
        self.found.len() as f64 * self.interval
    }

    fn sample(&mut self, sample: &Sample) {
        let sensor = sample.world.sensors.iter().find(|sensor| sensor.name == self.name).unwrap();
        self.instant.evaluate(sample, &sample.forces());
        self.found.push((sample.time, self.instant.read(sample, sensor).numbers()));
    }
}

#[test]
fn the_driven_shaft_turns_as_cardan_said() {
    let scene = scene("cardan");
    let mut log = SensorLog::new(&scene, "driven speed");
    finish(&scene, &mut log);
    for (t, [speed, ..]) in log.found {
        let (sin, cos) = (0.5, (20.0 * t).cos());
        let expected = 20.0 * 0.75f64.sqrt() / (1.0 - sin * sin * cos * cos);
        close(speed, expected, 1e-7, "speed");
    }
}

#[test]
fn the_door_closes_in_closed_form_and_rests_against_its_stop() {
    let scene = scene("door");
    let mut log = SensorLog::new(&scene, "angle");
    finish(&scene, &mut log);
    // I·θ'' = −k·(θ + 100°) − c·θ' + T while the door closes.
    let inertia = 40.0 * (0.9f64.powi(2) + 0.04f64.powi(2)) / 12.0 + 40.0 * 0.45f64.powi(2);
    let (k, c) = (10.0 / inertia, 25.0 / inertia);
    let root = (0.25 * c * c - k).sqrt();
    let (fast, slow) = (-0.5 * c - root, -0.5 * c + root);
    let middle = -100f64.to_radians() + 0.05;
    let angle = |t: f64| {
        middle - middle * (fast * (slow * t).exp() - slow * (fast * t).exp()) / (fast - slow)
    };
    let stop = -90f64.to_radians();
    let mut closing = 0;
    for &(t, [found, ..]) in log.found.iter().take_while(|(t, _)| angle(*t) > stop) {
        assert!((found - angle(t)).abs() < 1e-7, "{t}: {found} {}", angle(t));
        closing += 1;
    }
    assert!(closing > 400, "{closing}");
    let mut touches = Log::default();
    let run = finish(&scene, &mut touches);
    // The rebound is slower than with the restitution of the stop alone, because spring and damper press during the contact.
    let rebound = touches.0[0].rebound / touches.0[0].speed;
    assert!((0.1..0.4).contains(&rebound), "{rebound}");
    // At rest the force of the stop is that of the spring, up to the friction of the hinge.
    let force = Sample::of(&scene.world, run.state()).forces();
    let spring = 10.0 * 10f64.to_radians() / 0.8;
    let carried: f64 = force.iter().map(|touch| touch.force).sum();
    assert!((carried - spring).abs() <= 0.5 / 0.8 + 1e-3, "{carried} {spring}");
}

#[test]
fn the_bracket_comes_to_rest_with_its_weight_on_the_ground() {
    let scene = scene("bracket");
    let bracket = body(&scene, "bracket");
    // Two legs of 60 × 20 and 20 × 20 mm, 20 mm thick.
    close(scene.world.bodies()[bracket].mass, 32e-6 * 2700.0, 1e-6, "mass");
    let mut log = SensorLog::new(&scene, "floor");
    let run = finish(&scene, &mut log);
    assert!(pose_of(&run, bracket).velocity.length() < 1e-3);
    let weight = scene.world.bodies()[bracket].mass * GRAVITY;
    assert!(log.found.iter().any(|(_, force)| force[2].abs() > 2.0 * weight));
}
