//! Mechanisms with clearance joints: the ideal mechanism in closed form, regimes, Poincaré sections.

use super::common::{close, pose_of, runge_kutta};
use super::scene;
use carom_world::regimes::{Study, StudyResults, period, study};

const RATE: f64 = 523.5987755982989;

/// Studies the wrist pin of a slider-crank over some turns.
fn wrist_pin(name: &str, law: &str, skip: usize, turns: usize) -> StudyResults {
    let mut changes = vec![("wrist pin", "law", law.to_string())];
    if law == "ideal" {
        changes = vec![("wrist pin", "ideal", "true".into())];
    }
    let scene = scene(name, &changes);
    let found = Study {
        contact: (law != "ideal").then_some(0),
        body: scene.world.bodies().iter().position(|body| body.name == "slider").unwrap(),
        period: period(&scene.world).unwrap(),
        skip,
        turns,
        phase: 0.0,
        samples: 360,
    };
    close(found.period, 0.012, 1e-12, "period");
    study(&scene.world, &found, |_| Ok(())).unwrap()
}

/// Returns position and acceleration of the slider of an ideal slider-crank at a crank angle.
fn ideal(r: f64, l: f64, angle: f64) -> (f64, f64) {
    let (sin, cos) = angle.sin_cos();
    let root = (l * l - r * r * sin * sin).sqrt();
    let (double, square) = ((2.0 * angle).cos(), (r * sin * cos).powi(2));
    let second = -r * cos - r * r * double / root - r * r * square / root.powi(3);
    (r * cos + root, RATE * RATE * second)
}

#[test]
fn without_clearance_the_slider_is_known_in_closed_form() {
    for (name, r, l) in [("slider-crank", 0.05, 0.12), ("slider-crank-long", 0.153, 0.306)] {
        let course = wrist_pin(name, "ideal", 0, 1);
        let most = RATE * RATE * r * (1.0 + r / l);
        close(course.acceleration_max, most, 1e-9, "largest acceleration");
        for now in &course.path {
            let (place, acceleration) = ideal(r, l, RATE * now.time);
            let off = now.position.x - place;
            assert!(off.abs() < 1e-8, "{name} at {}: {off:e}", now.time);
            assert!((now.acceleration.x - acceleration).abs() < 1e-7 * most, "{name}");
        }
        assert_eq!(wrist_pin(name, "ideal", 0, 3).repeats(), Some(1));
    }
}

#[test]
fn the_stiffness_is_hertz_for_journal_and_bearing() {
    // Hertzian contact of a sphere of 9.5 mm in one of 10 mm, both with E = 207 GPa, ν = 0.3.
    let plane = 207e9 / (1.0 - 0.3f64.powi(2));
    let radius: f64 = 9.5e-3 * 10e-3 / 0.5e-3;
    close(6.61e10, 2.0 / 3.0 * plane * radius.sqrt(), 1e-3, "stiffness");
    // Inertia of a uniform bar.
    close(2.5e-4, 0.21 * 0.12 * 0.12 / 12.0, 1e-2, "inertia of the rod");
    close(19.4e3, RATE * RATE * 0.05 * (1.0 + 0.05 / 0.12), 2e-3, "as the scene says");
    close(62.9e3, RATE * RATE * 0.153 * 1.5, 2e-3, "as the scene says");
}

#[test]
fn journal_and_bearing_are_in_contact_most_of_the_time() {
    let mut forces = Vec::new();
    for law in ["lankarani-nikravesh-1990", "flores-2011"] {
        let course = wrist_pin("slider-crank", law, 1, 2);
        let r = course.regimes;
        close(r.flight + r.impact + r.contact, 1.0, 1e-12, "shares");
        assert!(
            r.contact > 0.5 && r.flight > 0.01 && r.impact > 0.001 && r.touches >= 2.0,
            "{law}: {r:?}"
        );
        // The impacts increase force and acceleration beyond those of the ideal mechanism, at the same position.
        assert!(course.acceleration_max > 1.2 * 19.4e3, "{law}: {}", course.acceleration_max);
        assert!(r.force_max > 1.2 * 0.14 * 19.4e3, "{law}: {r:?}");
        for now in &course.path {
            let (place, _) = ideal(0.05, 0.12, RATE * now.time);
            assert!((now.position.x - place).abs() < 7e-4, "{law}");
            assert!(now.offset.length() < 0.55e-3, "{law}: the pin stays in the bearing");
        }
        forces.push(r.force_max);
    }
    assert!(forces[0] != forces[1], "laws differ");
}

#[test]
fn an_ideal_joint_beside_one_with_clearance_does_not_make_the_motion_repeat() {
    // With one of the two clearances ideal, the coupler nearly repeats its motion every turn, but the other pin does not.
    // Regression: the pin was not considered, and the motion was reported to repeat after one turn.
    let scene = scene("four-bar", &[("crank pin", "ideal", "true".to_string())]);
    let body = scene.world.bodies().iter().position(|body| body.name == "coupler").unwrap();
    let period = period(&scene.world).unwrap();
    let looked = |contact: Option<usize>| {
        let look = Study { contact, body, period, skip: 1, turns: 6, phase: 0.0, samples: 60 };
        study(&scene.world, &look, |_| Ok(())).unwrap()
    };
    let pin = looked(Some(0));
    let speeds = || pin.path.iter().map(|now| now.rate.length());
    let turns = pin.section.windows(2).map(|pair| (pair[1].rate - pair[0].rate).length());
    let off = turns.fold(0.0, f64::max) / speeds().fold(0.0, f64::max);
    assert!(off > 0.01, "the pin does not repeat: {off}");
    let coupler = pin.section.windows(2).map(|pair| (pair[1].position - pair[0].position).length());
    assert!(coupler.fold(0.0, f64::max) < 1e-3, "the coupler is nearly where it was");
    assert_ne!(looked(None).repeats(), Some(1));
}

#[test]
fn the_rocker_of_the_four_bar_follows_the_ideal_linkage() {
    // Loop closure of crank 0.1, coupler 0.3, rocker 0.25, base 0.3.
    let rocker = |crank: f64| {
        let (x, y) = (0.1 * crank.cos() - 0.3, 0.1 * crank.sin());
        let distance = x.hypot(y);
        let cosine = (0.25f64.powi(2) + distance * distance - 0.09) / (0.5 * distance);
        y.atan2(x) - cosine.acos()
    };
    let changes = [("simulation", "duration", "0.12 s".to_string())];
    let scene = scene("four-bar", &changes);
    let body = scene.world.bodies().iter().position(|body| body.name == "rocker").unwrap();
    let at = period(&scene.world).unwrap();
    close(at, std::f64::consts::TAU / 30.0, 1e-12, "period");
    let looked =
        Study { contact: Some(1), body, period: 0.12, skip: 0, turns: 1, phase: 0.0, samples: 120 };
    let course = study(&scene.world, &looked, |_| Ok(())).unwrap();
    for now in &course.path {
        let angle = rocker(std::f64::consts::FRAC_PI_2 + 30.0 * now.time);
        // The end of the rocker deviates by up to the two clearances of together 1 mm, times the transmission of the linkage; its
        // middle deviates by half of that.
        let off = (now.position.x - 0.3 - 0.125 * angle.cos())
            .hypot(now.position.y - 1.0 - 0.125 * angle.sin());
        assert!(off < 1e-3, "{off} at {}", now.time);
    }
    assert!(course.regimes.flight > 0.0 && course.regimes.contact > 0.0);
}

#[test]
fn the_largest_force_of_a_touch_is_one_that_acted() {
    // The search for the largest force must remain within the two steps around it, because interpolation is invalid outside.
    let scene = scene("four-bar", &[]);
    let mut log = super::common::Log::default();
    carom_world::Run::new(&scene.world).unwrap().advance_with(0.6, &mut log).unwrap();
    assert!(log.0.len() > 10);
    for touch in &log.0 {
        // Bound: twice the elastic force at the largest indentation, to allow for damping.
        let most = 2.0 * 1e9 * touch.indentation_max.powf(1.5);
        assert!(touch.force_max < most, "{touch:?}");
    }
}

#[test]
fn a_small_clearance_is_nearly_ideal() {
    let changes = [("wrist pin", "clearance", "0.02 mm".to_string())];
    let scene = scene("slider-crank", &changes);
    let looked = Study {
        contact: Some(0),
        body: 3,
        period: period(&scene.world).unwrap(),
        skip: 4,
        turns: 1,
        phase: 0.25,
        samples: 360,
    };
    let course = study(&scene.world, &looked, |_| Ok(())).unwrap();
    // The pin no longer separates from the wall, and the acceleration of the slider deviates from the ideal one by less than a
    // quarter of its largest value, whereas with a clearance of 0.5 mm it deviates by several times that value.
    assert_eq!((course.regimes.flight, course.regimes.touches), (0.0, 1.0));
    let most = ideal(0.05, 0.12, 0.0).1;
    let off = course
        .path
        .iter()
        .map(|now| (now.acceleration.x - ideal(0.05, 0.12, RATE * now.time).1).abs() / most.abs());
    let off = off.fold(0.0, f64::max);
    assert!(off < 0.3, "{off}");
    close(course.section[0].time, 4.25 * 0.012, 1e-9, "the section's time");
}

/// Integrates the slider-crank in two coordinates, angle of the rod and position of the slider, with the law written out; the
/// joints are eliminated by hand. Runge–Kutta method of order four with fixed steps.
fn by_hand(until: f64, step: f64) -> (f64, f64) {
    let (r, l, mass, inertia, slider) = (0.05, 0.12, 0.21, 2.5e-4, 0.14);
    let (clearance, k, e) = (0.5e-3, 6.61e10, 0.9f64);
    let epsilon = 0.75 * (1.0 - e * e);
    // Returns the force on the slider for a state [φ, x, φ', x'], and the approach speed.
    let push = |t: f64, y: [f64; 4], v0: Option<f64>| {
        let (sin, cos) = y[0].sin_cos();
        let (pin_x, pin_y) = (r * (RATE * t).cos() + l * cos, r * (RATE * t).sin() + l * sin);
        let vx = -r * RATE * (RATE * t).sin() - l * sin * y[2];
        let vy = r * RATE * (RATE * t).cos() + l * cos * y[2];
        // Position of the journal (on the slider, at y = 0) relative to the centre of the bearing (at the end of the rod).
        let (ex, ey) = (y[1] - pin_x, -pin_y);
        let distance = ex.hypot(ey).max(1e-30);
        let (nx, ny) = (ex / distance, ey / distance);
        let rate = nx * (y[3] - vx) - ny * vy;
        let delta = distance - clearance;
        let force = match v0 {
            Some(v0) if delta > 0.0 => k * delta.powf(1.5) * (1.0 + epsilon * rate / v0),
            _ => 0.0,
        };
        (delta, rate, -force * nx, -force * ny)
    };
    let slope = |t: f64, y: [f64; 4], v0: Option<f64>| {
        let (_, _, fx, fy) = push(t, y, v0);
        let (sin, cos) = y[0].sin_cos();
        // The rod rotates about the crank pin, which has the acceleration of the crank's end; −F acts at the other end of the
        // rod.
        let (ax, ay) = (-r * RATE * RATE * (RATE * t).cos(), -r * RATE * RATE * (RATE * t).sin());
        let couple = l * (-cos * fy + sin * fx) - 0.5 * l * mass * (cos * ay - sin * ax);
        [y[2], y[3], couple / (inertia + 0.25 * mass * l * l), fx / slider]
    };
    let mut y = [0.0, r + l, -RATE * r / l, 0.0];
    let (mut t, mut v0) = (0.0, None);
    while t < until - 0.5 * step {
        // The approach speed of a touch is fixed when it begins.
        let (delta, rate, ..) = push(t, y, v0);
        v0 = match v0 {
            None if delta >= 0.0 => Some(rate.max(1e-3)),
            Some(_) if delta < 0.0 => None,
            known => known,
        };
        y = runge_kutta(&|t, y| slope(t, y, v0), t, y, step);
        t += step;
    }
    (y[0], y[1])
}

#[test]
fn a_third_of_a_turn_agrees_with_a_separate_integration() {
    let none = "{ law = \"regularised\", coefficient = 1e-12, speed = \"1 mm/s\" }";
    let scene = scene("slider-crank", &[("wrist pin", "friction", none.to_string())]);
    let of = |name: &str| scene.world.bodies().iter().position(|body| body.name == name).unwrap();
    let mut run = carom_world::Run::new(&scene.world).unwrap();
    let mut touches = 0;
    for until in [0.5e-3, 1e-3, 2e-3, 3e-3, 4e-3] {
        run.advance(until).unwrap();
        let (angle, place) = by_hand(until, 2e-8);
        let rod = pose_of(&run, of("rod")).rotation;
        let slider = pose_of(&run, of("slider")).position.x;
        let off = 2.0 * rod.v.z.atan2(rod.w) - angle;
        assert!(off.abs() < 1e-6, "rod at {until}: {off:e}");

        // In the integration by hand a touch begins at the end of a step; with a tenth of the step the difference is 8 nm.
        assert!((slider - place).abs() < 2e-7, "slider at {until}: {slider} {place}");
        touches = run.state().accounts()[0].ended + run.state().touches().len();
    }
    assert!(touches > 1, "{touches}");
}
