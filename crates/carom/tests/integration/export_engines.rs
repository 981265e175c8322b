//! Exports simulated with the engines' own steps, exports to rigid contacts, and friction.

use crate::common::{Misses, subjects};
use crate::export::{applied, case_of, get, numbers, steel, to};
use carom::export::{self, Export, FrictionKinds, IMPULSE_ENGINES, Match, Options};
use carom::robot_file::{self, Question};
use carom::spec::{Case, Spec};
use carom::{Damping, Exit, collide};
use std::f64::consts::PI;

/// Reads an exported SDF file as Gazebo's engine does and returns the restitution at a speed and its range over the phases of the
/// touch.
fn read_by(engine: robot_file::Engine, deck: &Export, speed: f64) -> (f64, [f64; 2]) {
    let question = Question { engine: Some(engine), speeds: vec![speed], ..Question::default() };
    let nothing = |_: &str| Err(carom::Error::missing("file", "there is no other file"));
    let model = robot_file::read("impact.sdf", &deck.text, &nothing, &question).unwrap();
    let report = model.check().unwrap();
    let pair = &report.pairs[0];
    assert!((report.step / deck.step.size - 1.0).abs() < 1e-12);
    assert!((pair.mass.unwrap() / deck.expresses.mass - 1.0).abs() < 1e-9);
    (pair.restitution.unwrap(), pair.restitution_range.unwrap())
}

#[test]
fn sdf_files_are_read_back_as_what_they_promise() {
    for (e, steps) in [(0.3, 20.0), (0.7568, 50.0), (0.9, 200.0)] {
        let case = steel("tsuji-1992", Damping::Exact(e), Some(Exit::ZeroForce));
        let options = Options { steps: Some(steps), ..Options::default() };
        let engine = export::engine("gazebo-classic").unwrap();
        let deck = export::export(&case, engine, &options).unwrap();
        assert!(deck.step.calibrated, "{e}");
        let (mean, range) = read_by(robot_file::Engine::Ode, &deck, case.speed);
        // The mean over 16 phases of the touch is compared with the calibration, which uses 200.
        assert!((mean / e - 1.0).abs() < 5e-3, "{e}: {mean}");
        let bound = deck.step.restitution_error.unwrap();
        assert!(
            range.iter().all(|found| (found / e - 1.0).abs() <= bound),
            "{e}: {range:?} {bound}"
        );
        let deck = to("gazebo", &case).unwrap();
        let (mean, range) = read_by(robot_file::Engine::Dart, &deck, case.speed);
        let bound = deck.step.restitution_error.unwrap();
        assert!(
            (mean / e - 1.0).abs() <= bound * (1.0 + 1e-9) && bound < 1e-3,
            "{e}: {mean} {range:?} {bound}"
        );
    }
}

/// PyBullet's step of a spring and damper is implicit Euler while the bodies overlap; before that it prevents overlap at the end
/// of the step, by a force of (k + c/h) times the overlap at the end of the step.
#[test]
fn a_step_of_pybullet_delivers_the_restitution_on_average_and_within_its_bound() {
    let engine = export::engine("pybullet").unwrap();
    for (e, steps) in [(0.3, 20.0), (0.7568, 20.0), (0.9, 60.0)] {
        let case = steel("tsuji-1992", Damping::Exact(e), Some(Exit::ZeroForce));
        let options = Options { steps: Some(steps), ..Options::default() };
        let deck = export::export(&case, engine, &options).unwrap();
        let (k, c) = applied(&deck, case.speed);
        let (mass, h) = (get(&deck, "mass"), deck.step.size);
        let impact = |phase: f64| {
            let (mut depth, mut rate) = (-phase * h * case.speed, case.speed);
            for _ in 0..100_000 {
                // F = p + q*rate at the end of the step.
                let (p, q) = match depth > 0.0 {
                    true => (k * depth, k * h + c),
                    false => ((k + c / h) * depth, k * h + c),
                };
                let force = ((p + q * rate) / (1.0 + q * h / mass)).max(0.0);
                rate -= h * force / mass;
                depth += h * rate;
                if rate < 0.0 && force == 0.0 {
                    return -rate / case.speed;
                }
            }
            panic!("no rebound at {phase}");
        };
        const COUNT: i32 = 400;
        let errors: Vec<f64> =
            (0..COUNT).map(|i| impact((f64::from(i) + 0.5) / f64::from(COUNT)) / e - 1.0).collect();
        let mean = errors.iter().sum::<f64>() / f64::from(COUNT);
        let worst = errors.iter().fold(0.0, |worst: f64, error| worst.max(error.abs()));
        let bound = deck.step.restitution_error.unwrap();
        assert!(deck.step.calibrated && mean.abs() < 5e-4, "{e}: mean {mean}");
        assert!(worst <= bound && bound < 1.3 * worst + 1e-6, "{e}: {worst} {bound}");
    }
}

#[test]
fn every_law_that_rebounds_goes_to_engines_with_rigid_contacts() {
    let mut misses = Misses::new();
    for subject in subjects::all() {
        let case = case_of(&subject);
        for engine in IMPULSE_ENGINES {
            let label = format!("{subject} to {}", engine.id);
            let deck = match export::export(&case, engine, &Options::default()) {
                Ok(deck) => deck,
                Err(error) => {
                    crate::common::answers::sentence(&mut misses, || label.clone(), &error);
                    misses.require(error.is_unsupported(), || format!("{label}: {error}"));
                    continue;
                }
            };
            let delivered = collide(&case.law().unwrap(), case.speed).unwrap().restitution.newton;
            let e = case.damping.restitution().unwrap_or(delivered);
            misses.near(format!("{label}: e"), deck.delivers.restitution, e, 1e-12);
            misses.require(deck.expresses.matches == Match::Restitution, || label.clone());
            // Duration, largest force and largest indentation are always lost.
            misses.require(deck.lost.len() >= 3 && deck.delivers.duration.is_none(), || {
                label.clone()
            });
            let found = numbers(&deck.text);
            for setting in &deck.settings {
                let there = found.contains(&setting.value);
                misses.require(there, || format!("{label}: {} = {}", setting.name, setting.value));
            }
            for file in &deck.files {
                let whole = file.text.is_ascii() && !file.text.contains("{{");
                misses.require(whole, || format!("{label}: {}", file.name));
            }
            if engine.check == export::Check::Run || engine.id == "gazebo" {
                let bound = deck.step.restitution_error.unwrap_or(1.0);
                misses.require(bound < 0.01, || format!("{label}: {bound}"));
            }
        }
    }
    misses.assert_none();
}

#[test]
fn what_rigid_contacts_cannot_deliver_is_refused() {
    // DART sets rebound speeds below 0.1 m/s to zero.
    let slow = Case { speed: 0.12, ..steel("tsuji-1992", Damping::Exact(0.5), None) };
    let text = to("dart", &slow).unwrap_err().to_string();
    assert!(text.contains("100 mm/s") || text.contains("0.1 m/s"), "{text}");
    assert!(to("rapier", &slow).is_ok());
    let case = steel("tsuji-1992", Damping::Exact(0.5), None);
    for engine in IMPULSE_ENGINES {
        let strict = Options { strict: true, ..Options::default() };
        let text = export::export(&case, engine, &strict).unwrap_err().to_string();
        assert!(text.contains("contact time"), "{}: {text}", engine.id);
        // In so long a step the ball would fly through the ground.
        let long = Options { step: Some(1.0), ..Options::default() };
        assert!(export::export(&case, engine, &long).unwrap_err().is_invalid(), "{}", engine.id);
    }
}

#[test]
fn friction_is_written_where_the_engine_has_it() {
    let case = steel("tsuji-1992", Damping::Exact(0.7), Some(Exit::ZeroForce));
    for engine in export::engines() {
        let sliding = Options { friction: Some(0.4375), ..Options::default() };
        let both = Options { rolling_friction: Some(0.0625), ..sliding };
        match export::export(&case, engine, &sliding) {
            Ok(deck) => {
                assert_ne!(engine.friction, FrictionKinds::Nothing, "{}", engine.id);
                let all = numbers(&deck.text);
                // Yade takes the friction angle.
                let written = all.contains(&0.4375) || all.contains(&0.4375f64.atan());
                assert!(written, "{}: {}", engine.id, deck.text);
                let plain = export::export(&case, engine, &Options::default()).unwrap();
                assert_eq!(plain.delivers.restitution, deck.delivers.restitution, "{}", engine.id);
                assert!(!numbers(&plain.text).contains(&0.4375), "{}", engine.id);
            }
            Err(error) => {
                assert_eq!(engine.friction, FrictionKinds::Nothing, "{}: {error}", engine.id);
                assert!(error.to_string().contains("leave out friction"), "{error}");
            }
        }
        match (export::export(&case, engine, &both), engine.friction) {
            (Ok(deck), FrictionKinds::SlidingAndRolling) => {
                // The coefficient is written as a number or multiplied by the effective radius, here that of a ball of this mass.
                let arm = 0.0625 * (0.75 * 0.54 / (PI * 2500.0)).cbrt();
                let near = |value: &f64| *value == 0.0625 || (value / arm - 1.0).abs() < 1e-9;
                assert!(numbers(&deck.text).iter().any(near), "{}: {}", engine.id, deck.text);
            }
            (Ok(_), other) => panic!("{} wrote rolling friction with {other:?}", engine.id),
            (Err(error), other) => {
                assert_ne!(other, FrictionKinds::SlidingAndRolling, "{}: {error}", engine.id);
            }
        }
    }
    let wrong = Options { friction: Some(-0.5), ..Options::default() };
    let lammps = export::engine("lammps").unwrap();
    assert!(export::export(&case, lammps, &wrong).unwrap_err().is_invalid());
}

/// Checks Mindlin's stiffness kt = 8 G* for two equal bodies from the numbers in the LAMMPS input.
#[test]
fn materials_keep_their_own_ratio_of_poisson() {
    let spec = Spec {
        law: "tsuji-1992".into(),
        bodies: ["sphere radius=5mm material=glass", "sphere radius=5mm material=glass"]
            .map(|text| carom::spec::BodySpec::parse(text).unwrap())
            .to_vec(),
        speed: Some(0.5.into()),
        restitution: Some(0.9.into()),
        calibration: Some("exact".into()),
        ..Spec::default()
    };
    let case = spec.case().unwrap();
    let (youngs, poisson) =
        (case.pair.fact("youngs_1").unwrap(), case.pair.fact("poisson_1").unwrap());
    assert_ne!(poisson, 0.3, "choose a material with another ratio");
    let deck = to("liggghts", &case).unwrap();
    assert!((get(&deck, "youngsModulus") / youngs - 1.0).abs() < 1e-12);
    assert_eq!(get(&deck, "poissonsRatio"), poisson);
    let options = Options { friction: Some(0.5), ..Options::default() };
    let deck = export::export(&case, export::engine("lammps").unwrap(), &options).unwrap();
    let words: Vec<_> = deck.text.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "mindlin").unwrap();
    let written: f64 = words[at + 1].parse().unwrap();
    let shear = youngs / (2.0 * (1.0 + poisson));
    let effective = shear / (2.0 * (2.0 - poisson));
    assert!((written / (8.0 * effective) - 1.0).abs() < 1e-9, "{written}");
}
