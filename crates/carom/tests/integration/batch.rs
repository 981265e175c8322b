//! Batches: the results agree with those of single impacts for any number of threads, and errors name the row and parameter.

use carom::batch::{Batch, Broadcast, OUTPUTS, OnFailure, numbers};
use carom::fit::{Data, Options, fit, rank};
use carom::spec::{Quantity, Spec};
use carom::{CATALOGUE, Stop, collide, model};

const ROWS: usize = 400;

fn steel(law: &str) -> Spec {
    Spec {
        law: law.into(),
        mass: Some(0.54.into()),
        stiffness: Some(2.4144e10.into()),
        ..Spec::default()
    }
}

fn speeds() -> Vec<f64> {
    (0..ROWS).map(|i| 0.05 * 40f64.powf(i as f64 / ROWS as f64)).collect()
}

#[test]
fn every_law_gives_by_columns_what_it_gives_one_by_one() {
    let speeds = speeds();
    let mut tried = 0;
    for model in CATALOGUE {
        for calibration in ["published", "exact"] {
            let spec = Spec {
                restitution: Some(0.7.into()),
                calibration: Some(calibration.into()),
                ..steel(model.id)
            };
            let batch = Batch::new(&spec, &["speed"], ROWS).unwrap();
            let columns = [Broadcast::new(&speeds, ROWS).unwrap()];
            let Ok(found) = batch.collide(&columns, ROWS, 1, OnFailure::Stop) else { continue };
            tried += 1;
            for row in [0, 123, ROWS - 1] {
                let spec = Spec { speed: Some(speeds[row].into()), ..spec.clone() };
                let case = spec.case().unwrap();
                let direct = numbers(&collide(&case.law().unwrap(), case.speed).unwrap());
                for ((a, b), output) in found.iter().zip(direct).zip(OUTPUTS) {
                    let name = output.name;
                    // Differences of energies cancel, therefore their tolerance is relative to the energies themselves.
                    let size = if name.starts_with("energy") { direct[11] } else { b.abs() };
                    let near = a[row] == b || (a[row] - b).abs() <= 2e-10 * size;
                    assert!(near, "{} {calibration} {name}: {} {b}", model.id, a[row]);
                }
            }
        }
    }
    assert!(tried > 60, "{tried}");
}

#[test]
fn results_and_errors_do_not_depend_on_threads() {
    let rows = 10_000;
    let e: Vec<f64> = (0..rows).map(|i| 0.05 + 0.9 * (i % 997) as f64 / 997.0).collect();
    let spec = Spec {
        calibration: Some("exact".into()),
        speed: Some(0.5.into()),
        damping_exponent: Some(1.2.into()),
        rate_exponent: Some(0.9.into()),
        ..steel("power")
    };
    let batch = Batch::new(&spec, &["restitution"], rows).unwrap();
    let column = |data| [Broadcast::new(data, rows).unwrap()];
    let one = batch.collide(&column(&e), rows, 1, OnFailure::Stop).unwrap();
    assert!(one[0].iter().zip(&e).all(|(delivered, asked)| (delivered - asked).abs() < 1e-9));
    let mut bad = e.clone();
    (bad[7777], bad[3333]) = (1.5, f64::NAN);
    for threads in [1, 2, 5] {
        assert_eq!(batch.collide(&column(&e), rows, threads, OnFailure::Stop).unwrap(), one);
        let failed = batch.collide(&column(&bad), rows, threads, OnFailure::Stop).unwrap_err();
        assert_eq!(failed.row, 3333);
        assert!(failed.error.is_invalid(), "{}", failed.error);
        let lenient = batch.collide(&column(&bad), rows, threads, OnFailure::Nan).unwrap();
        let missing: Vec<_> = (0..rows).filter(|&row| lenient[6][row].is_nan()).collect();
        assert_eq!(missing, [3333, 7777]);
    }
}

#[test]
fn every_kind_of_quantity_can_be_a_column() {
    let bodies = ["sphere radius=1cm material=steel", "plane material=steel"];
    let bodies = bodies.map(|text| carom::spec::BodySpec::parse(text).unwrap());
    let with_bodies = Spec {
        law: "hertz-1881".into(),
        bodies: bodies.to_vec(),
        speed: Some(0.1.into()),
        ..Spec::default()
    };
    let power = Spec { speed: Some(0.5.into()), damping: Some(1e9.into()), ..steel("power") };
    let thornton =
        Spec { law: "thornton-1997".into(), speed: Some(1.0.into()), ..with_bodies.clone() };
    for (spec, name, values) in [
        (&with_bodies, "body_1.radius", [0.005, 0.01, 0.02]),
        (&with_bodies, "body_2.youngs", [1e9, 1e10, 1e11]),
        (&power, "exponent", [1.0, 1.5, 2.0]),
        (&power, "damping_exponent", [0.0, 0.5, 1.5]),
        (&power, "rate_exponent", [0.5, 1.0, 2.0]),
        (&power, "damping", [0.0, 1e8, 1e9]),
        (&power, "external_force", [0.0, 1.0, 5.0]),
        (&thornton, "limiting_pressure", [2e8, 4e8, 8e8]),
    ] {
        let mut spec = spec.clone();
        if name == "body_2.youngs" {
            spec.bodies[1].material = None;
            spec.bodies[1].poisson = Some(0.3.into());
            spec.bodies[1].density = Some(7850.0.into());
        }
        let batch = Batch::new(&spec, &[name], 3).unwrap();
        let columns = [Broadcast::new(&values, 3).unwrap()];
        let found = match batch.collide(&columns, 3, 1, OnFailure::Stop) {
            Ok(found) => found,
            Err(failed) => panic!("{name}: {}", failed.error),
        };
        let force = &found[6];
        assert!(force.iter().all(|force| force.is_finite()), "{name}");
        assert!(force[0] != force[2], "{name} makes no difference: {force:?}");
    }
}

#[test]
fn no_rows_are_no_results_and_shapes_that_do_not_fit_are_refused() {
    let batch =
        Batch::new(&Spec { speed: Some(Quantity::Number(0.5)), ..steel("hertz-1881") }, &[], 0);
    let found = batch.unwrap().collide(&[], 0, 4, OnFailure::Stop).unwrap();
    assert!(found.iter().all(Vec::is_empty));
    assert!(Batch::new(&steel("flores-2"), &[], 1).is_err());
    // Regression: a misspelt property was silently ignored.
    let refused = |name| Batch::new(&steel("hertz-1881"), &[name], 1).err().unwrap().to_string();
    assert!(refused("body1.raduis").contains("body_1.radius"));
    assert!(refused("law").contains("number"));
    assert!(Broadcast::to_shape("x", &[1.0, 2.0], &[2], &[3]).is_err());
    assert!(Broadcast::to_shape("x", &[1.0, 2.0], &[3], &[3]).is_err());
    assert!(Broadcast::to_shape("x", &[1.0], &[1, 1], &[1]).is_err());
    // A column that varies along the first and the last of three axes.
    let data = [1.0, 2.0, 3.0, 4.0];
    let column = Broadcast::to_shape("x", &data, &[2, 1, 2], &[2, 3, 2]).unwrap();
    let rows: Vec<f64> = (0..12).map(|row| column.at(row)).collect();
    assert_eq!(rows, [1., 2., 1., 2., 1., 2., 3., 4., 3., 4., 3., 4.]);
}

/// Regression: a batch or a fit could not be interrupted, so that Ctrl-C in Python or closing a page of the lab had no effect.
#[test]
fn a_batch_and_a_fit_end_when_they_are_told_to() {
    let stop = Stop::default();
    let spec = Spec { restitution: Some(0.7.into()), ..steel("tsuji-1992") };
    let mut batch = Batch::new(&spec, &["speed"], ROWS).unwrap();
    batch.stop = stop.clone();
    let data = speeds();
    let columns = [Broadcast::new(&data, ROWS).unwrap()];
    assert!(batch.collide(&columns, ROWS, 2, OnFailure::Nan).is_ok());
    let time: Vec<f64> = (0..100).map(|i| 2e-6 * f64::from(i)).collect();
    let force: Vec<f64> = time.iter().map(|t| 4e3 * (t * 1.6e4).sin()).collect();
    let measured = Data::ForceTime { time: &time, force: &force };
    let known = Spec { speed: Some(0.5.into()), stiffness: None, ..steel("tsuji-1992") };
    let options = Options { stop: stop.clone(), ..Options::default() };
    assert!(fit(&measured, &known, &options).is_ok());
    stop.raise();
    for error in [
        batch.collide(&columns, ROWS, 2, OnFailure::Nan).unwrap_err().error,
        fit(&measured, &known, &options).unwrap_err(),
        rank(&measured, &known, &options, &[model("tsuji-1992").unwrap()], &|_| ()).unwrap_err(),
    ] {
        assert!(error.to_string().contains("it was interrupted"), "{error}");
    }
}

/// Regression: memory for the results was allocated by a call that aborts the process when it fails.
#[test]
fn results_that_cannot_be_held_are_an_error() {
    let spec = Spec { restitution: Some(0.7.into()), ..steel("tsuji-1992") };
    let rows = 1 << 58;
    let batch = Batch::new(&spec, &["speed"], 1).unwrap();
    let failed = batch.collide(&[Broadcast::new(&[0.5], rows).unwrap()], rows, 2, OnFailure::Nan);
    let sentence = failed.unwrap_err().error.to_string();
    assert!(sentence.contains("bytes"), "{sentence}");
}
