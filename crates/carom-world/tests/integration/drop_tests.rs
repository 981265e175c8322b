//! Bouncing balls of scenes, evaluated as drop tests: the evaluation must find the properties of the scene.

use crate::common::{Log, parse};
use carom::drop_test::{DropReport, Record, Spec};
use carom_world::{EndedTouch, Observer, Run, Sample, World};
use std::fmt::Write;

const RADIUS: f64 = 0.02;

/// Returns a scene with a ball that falls from a height, with the law and the exact restitution or coefficient of `dissipation`.
fn scene(law: &str, dissipation: &str, duration: f64) -> String {
    format!(
        "[simulation]\nduration = {duration}\ngravity = 9.80665\n[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = {RADIUS}\n\
         density = 1000\nposition = [0, 0, 1.02]\n[[contact]]\nbetween = [\"ball\", \"ground\"]\nlaw = \"{law}\"\nstiffness = 1e8\n{dissipation}\n"
    )
}

/// Records touches, and the height of the lowest point at equal intervals.
struct Camera {
    log: Log,
    interval: f64,
    body: usize,
    track: Vec<(f64, f64)>,
}

impl Observer for Camera {
    fn next(&self) -> f64 {
        self.track.len() as f64 * self.interval
    }

    fn sample(&mut self, sample: &Sample) {
        let pose = sample.state().body(sample.world, self.body).unwrap();
        self.track.push((sample.time, pose.position.z - RADIUS));
    }

    fn ended(&mut self, world: &World, ended: &EndedTouch) {
        self.log.ended(world, ended);
    }
}

fn filmed(text: &str, duration: f64, rate: f64) -> (Vec<EndedTouch>, Vec<(f64, f64)>) {
    let scene = parse(text);
    let body = scene.world.bodies().iter().position(|body| body.name == "ball").unwrap();
    let mut camera = Camera { log: Log::default(), interval: 1.0 / rate, body, track: Vec::new() };
    let mut run = Run::new(&scene.world).unwrap();
    run.advance_with(duration, &mut camera).unwrap();
    (camera.log.0, camera.track)
}

fn table(header: &str, rows: impl Iterator<Item = String>) -> Record {
    let text = rows.fold(format!("{header}\n"), |mut text, row| {
        let _ = writeln!(text, "{row}");
        text
    });
    Record::from_bytes(text.as_bytes()).unwrap()
}

/// Returns a description with the gravity of the scene and the mean duration of its contacts.
fn known(touches: &[EndedTouch]) -> Spec {
    let mean = touches.iter().map(|t| t.released - t.begun).sum::<f64>() / touches.len() as f64;
    Spec {
        gravity: Some(9.80665.into()),
        contact_time: Some(mean.into()),
        time_error: Some(1e-6.into()),
        height_error: Some(1e-6.into()),
        ..Spec::default()
    }
}

/// Checks that every impact of a report agrees with one of the scene in speed and restitution.
fn agrees(report: &DropReport, touches: &[EndedTouch], tolerance: f64, least: usize) {
    assert!(report.impacts.len() >= least, "{} impacts", report.impacts.len());
    for impact in &report.impacts {
        let apart = |t: &&EndedTouch| (t.speed / impact.speed - 1.0).abs();
        let truth = touches.iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap();
        assert!(apart(&truth) < 3.0 * tolerance, "{} {}", impact.speed, truth.speed);
        let e = truth.rebound / truth.speed;
        assert!((impact.restitution / e - 1.0).abs() < tolerance, "{} {e}", impact.restitution);
    }
}

#[test]
fn instants_heights_and_a_track_of_a_scene_give_its_restitution() {
    let text = scene("tsuji-1992", "restitution = 0.8\ncalibration = \"exact\"", 3.0);
    let (touches, track) = filmed(&text, 3.0, 240.0);
    let first = &touches[..6];
    for touch in first {
        // The weight acts during the contact, whereas the calibration is exact without weight.
        assert!((touch.rebound / touch.speed - 0.8).abs() < 2e-3, "{touch:?}");
    }
    let instants = table("time", first.iter().map(|t| t.begun.to_string()));
    let report = known(first).run(Some(&instants)).unwrap();
    agrees(&report, &touches, 2e-3, 4);
    // In slow impacts the weight matters more; the instants are accurate enough to show it.
    assert!((report.dependence.at(first[0].speed).0 - 0.8).abs() < 3e-3);
    // Highest points between the bounces.
    let tops: Vec<f64> = first
        .windows(2)
        .map(|w| {
            let inside = track.iter().filter(|(t, _)| *t > w[0].ended && *t < w[1].begun);
            inside.map(|(_, h)| *h).fold(0.0, f64::max)
        })
        .collect();
    let spec = Spec {
        drop: vec![1.0.into()],
        bounce: tops.iter().map(|h| (*h).into()).collect(),
        successive: true,
        height_error: Some("0.1mm".into()),
        ..known(first)
    };
    agrees(&spec.run(None).unwrap(), &touches, 2e-3, 5);
    // Heights over time as written by a video tracker.
    let film = table("t,y", track.iter().map(|(t, h)| format!("{t},{h}")));
    agrees(&known(first).run(Some(&film)).unwrap(), &touches, 2e-3, 4);
}

#[test]
fn a_restitution_that_falls_with_speed_is_found_with_its_law() {
    // Hunt and Crossley's c is the same at all speeds, so that ε is proportional to v.
    let (touches, _) = filmed(&scene("hunt-crossley-1975", "damping = 1.5e7", 3.0), 3.0, 50.0);
    let first = &touches[..7];
    let rows = first.iter().map(|t| {
        // Heights that correspond to these speeds.
        let height = |v: f64| v * v / (2.0 * 9.80665);
        format!("{},{}", height(t.speed), height(t.rebound))
    });
    let spec =
        Spec { height_error: Some("0.2mm".into()), mass: Some("33.51g".into()), ..known(first) };
    let report = spec.run(Some(&table("drop,bounce", rows))).unwrap();
    agrees(&report, &touches, 1e-9, 7);
    let law = report.law.unwrap();
    assert_eq!(law.law, "hunt-crossley-1975");
    // c and K of the scene are identified from restitution and duration, which differ between touches.
    let found = law.identified.unwrap().solution;
    assert!((found.pair.stiffness / 1e8 - 1.0).abs() < 0.1, "{}", found.pair.stiffness);
    let c = found.damping.coefficient.unwrap();
    assert!((c / 1.5e7 - 1.0).abs() < 0.15, "{c}");
}
