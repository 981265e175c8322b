//! Two buildings in the earthquake record of El Centro 1940: the linear response compared with an exact solution and a published
//! response spectrum, then pounding.

use super::common::{Log, close};
use super::scene;
use carom_world::{EndedTouch, Observer, Run, Sample, World};
use std::f64::consts::TAU;

const INTERVAL: f64 = 0.02;
const MASS: f64 = 25e3;

/// Returns the recorded ground accelerations (m/s²).
fn record() -> Vec<f64> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/el-centro-1940-ns.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let numbers = lines.flat_map(str::split_whitespace);
    numbers.map(|number| number.parse::<f64>().unwrap() * 9.80665e-5).collect()
}

/// Returns the displacement of the ground at a sample, by exact integration of the linear interpolation.
fn ground(record: &[f64], sample: usize) -> f64 {
    let (mut v, mut x) = (0.0, 0.0);
    for pair in record[..=sample].windows(2) {
        x += INTERVAL * v + INTERVAL * INTERVAL * (pair[0] / 3.0 + pair[1] / 6.0);
        v += INTERVAL * 0.5 * (pair[0] + pair[1]);
    }
    x
}

/// Returns the relative displacements of an oscillator at the samples, by the exact solution for accelerations that are linear
/// between them: u = A + B·t + e^(−ζωt)(C cos ω_d t + D sin ω_d t).
fn oscillator(record: &[f64], period: f64, zeta: f64) -> Vec<f64> {
    let w = TAU / period;
    let wd = w * (1.0 - zeta * zeta).sqrt();
    let (sin, cos) = (wd * INTERVAL).sin_cos();
    let decay = (-zeta * w * INTERVAL).exp();
    let (mut u, mut v) = (0.0, 0.0);
    let mut found = vec![0.0];
    for pair in record.windows(2) {
        let slope = (pair[1] - pair[0]) / INTERVAL;
        let b = -slope / (w * w);
        let a = (-pair[0] - 2.0 * zeta * w * b) / (w * w);
        let c = u - a;
        let d = (v - b + zeta * w * c) / wd;
        u = a + b * INTERVAL + decay * (c * cos + d * sin);
        v = b + decay * ((d * wd - zeta * w * c) * cos - (c * wd + zeta * w * d) * sin);
        found.push(u);
    }
    found
}

/// Records the positions of a building at the samples of the record, and the touches.
struct Follow {
    body: usize,
    start: f64,
    places: Vec<f64>,
    log: Log,
}

impl Follow {
    fn new(body: usize, start: f64) -> Self {
        Self { body, start, places: Vec::new(), log: Log::default() }
    }
    /// Returns the largest displacement relative to the ground.
    fn most(&self, record: &[f64]) -> f64 {
        let relative = self.places.iter().enumerate().map(|(i, x)| x - ground(record, i));
        relative.fold(0.0, |most, u| u.abs().max(most))
    }
}

impl Observer for Follow {
    fn next(&self) -> f64 {
        self.places.len() as f64 * INTERVAL
    }
    fn sample(&mut self, sample: &Sample) {
        self.places.push(sample.body(self.body).unwrap().position.x - self.start);
    }
    fn ended(&mut self, world: &World, ended: &EndedTouch) {
        self.log.ended(world, ended);
    }
}

#[test]
fn the_record_has_its_published_peak_and_spectrum() {
    let record = record();
    assert_eq!(record.len(), 1560);
    let peak = record.iter().fold(0.0f64, |most, a| a.abs().max(most));
    close(peak / 9.80665, 0.319, 1e-3, "peak");
    // Chopra, Dynamics of Structures, section 6.4: largest deformations in inches.
    for (period, zeta, inches) in [
        (0.5, 0.02, 2.67),
        (1.0, 0.02, 5.97),
        (2.0, 0.02, 7.47),
        (2.0, 0.0, 9.91),
        (2.0, 0.05, 5.37),
    ] {
        let response = oscillator(&record, period, zeta);
        let most = response.iter().fold(0.0f64, |most, u| u.abs().max(most));
        // The values are printed with three digits, for g = 386 in/s².
        close(most / 0.0254, inches, 2.5e-3, "spectrum");
    }
}

#[test]
fn without_pounding_each_building_is_its_oscillator() {
    let record = record();
    for (body, start, period) in [("tall", 0.0, 1.2f64), ("stiff", 1.02, 0.5)] {
        let (w, zeta) = (TAU / period, 0.05);
        let columns = match body {
            "tall" => "columns of tall",
            _ => "columns of stiff",
        };
        let changes = [
            // A contact of negligible stiffness.
            ("gap", "stiffness", "1e-6".to_string()),
            (columns, "stiffness", format!("{:?}", MASS * w * w)),
            (columns, "damping", format!("{:?}", 2.0 * zeta * MASS * w)),
        ];
        let scene = scene("pounding", &changes);
        let index = scene.world.bodies().iter().position(|known| known.name == body).unwrap();
        let mut follow = Follow::new(index, start);
        Run::new(&scene.world).unwrap().advance_with(6.0, &mut follow).unwrap();
        let exact = oscillator(&record, period, zeta);
        let most = exact.iter().fold(0.0f64, |most, u| u.abs().max(most));
        assert!(follow.places.len() > 290);
        for (i, x) in follow.places.iter().enumerate() {
            let off = x - ground(&record, i) - exact[i];
            assert!(off.abs() < 1e-6 * most, "{body} at sample {i}: {off:e} of {most:e}");
        }
    }
}

#[test]
fn laws_of_pounding_agree_about_the_buildings_and_differ_in_force() {
    // The impact elements that Jankowski compares: linear viscoelastic, nonlinear viscoelastic, Hertz with damping.
    let record = record();
    let linear = ("93.5 MN/m", "1");
    let hertz = ("2.75e9 N/m^1.5", "1.5");
    let mut forces = Vec::new();
    for (law, (stiffness, exponent)) in [
        ("anagnostopoulos-1988", linear),
        ("jankowski-2006", hertz),
        ("muthukumar-desroches-2006", hertz),
    ] {
        let changes = [
            ("gap", "law", law.to_string()),
            ("gap", "stiffness", stiffness.to_string()),
            ("gap", "exponent", exponent.to_string()),
        ];
        let scene = scene("pounding", &changes);
        let tall = scene.world.bodies().iter().position(|known| known.name == "tall").unwrap();
        let mut follow = Follow::new(tall, 0.0);
        let mut run = Run::new(&scene.world).unwrap();
        run.advance_with(6.0, &mut follow).unwrap();
        let touches = &follow.log.0;
        assert!(touches.len() >= 3, "{law}: {}", touches.len());
        let force = touches.iter().map(|touch| touch.force_max).fold(0.0, f64::max);
        for touch in touches.iter().filter(|touch| touch.speed > 0.1) {
            let share = touch.lost / (0.5 * 12.5e3 * touch.speed * touch.speed);
            assert!((share - (1.0 - 0.65 * 0.65)).abs() < 0.12, "{law}: lost {share}");
        }
        forces.push((force, follow.most(&record)));
    }
    // The displacements of the buildings hardly depend on the element, but the forces depend on its stiffness.
    let [linear, hertz, damped] = [forces[0], forces[1], forces[2]];
    for (_, most) in [linear, hertz, damped] {
        close(most, 0.0886, 0.05, "largest displacement of the tall building");
    }
    close(damped.0, hertz.0, 0.02, "one stiffness, one restitution: nearly one force");
    assert!(hertz.0 > 1.3 * linear.0, "{forces:?}");
}
