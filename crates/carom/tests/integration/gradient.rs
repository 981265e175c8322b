//! Derivatives of the results of impacts, compared with similarity laws and with finite differences of whole impacts.

use carom::batch::Batch;
use carom::fit::{GRADIENT_OUTPUTS, gradient};
use carom::spec::Spec;

const NAMES: [&str; 3] = ["mass", "stiffness", "speed"];
const VALUES: [f64; 3] = [0.54, 2.4144e10, 0.5];

/// Returns d ln y/d ln x of the four results by each quantity.
fn powers(spec: &Spec, names: &[&str], values: &[f64]) -> Vec<[f64; 4]> {
    let batch = Batch::new(spec, names, 1).unwrap();
    let places: Vec<usize> = (0..names.len()).collect();
    let found = gradient(&batch, values, &places).unwrap();
    assert_eq!(found.by.len(), names.len());
    let scaled = |(by, x): (&[f64; 4], &f64)| std::array::from_fn(|i| by[i] * x / found.values[i]);
    found.by.iter().zip(values).map(scaled).collect()
}

/// Velocity-free power laws (p = 0) have a restitution that does not depend on scales; T, F and δ scale as in Hertz's impact.
#[test]
fn velocity_free_laws_scale() {
    assert_eq!(GRADIENT_OUTPUTS, ["restitution", "duration", "force_max", "indentation_max"]);
    let expected = [[0.0, 0.4, 0.6, 0.4], [0.0, -0.4, 0.4, -0.4], [0.0, -0.2, 1.2, 0.8]];
    for (law, restitution) in [("hertz-1881", None), ("tsuji-1992", Some(0.6))] {
        let spec = Spec {
            law: law.into(),
            restitution: restitution.map(Into::into),
            calibration: restitution.map(|_: f64| "exact".into()),
            ..Spec::default()
        };
        for (found, expected) in powers(&spec, &NAMES, &VALUES).iter().zip(expected) {
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 5e-5, "{law}: {found} is not {expected}");
            }
        }
    }
}

/// A law whose damping is fixed by the approach speed, with an external force: compared with differences of fourth order.
#[test]
fn derivatives_are_those_of_differences() {
    let spec = Spec { law: "flores-2011".into(), ..Spec::default() };
    let names = ["mass", "stiffness", "speed", "restitution", "external_force", "exponent"];
    let values = [0.54, 2.4144e10, 0.5, 0.7, 100.0, 1.4];
    let batch = Batch::new(&spec, &names, 1).unwrap();
    let at = |i: usize, factor: f64| {
        let mut values = values;
        values[i] *= factor;
        gradient(&batch, &values, &[]).unwrap().values
    };
    for (i, found) in powers(&spec, &names, &values).iter().enumerate() {
        let h = 1e-4;
        let [a, b, c, d] = [1.0 - 2.0 * h, 1.0 - h, 1.0 + h, 1.0 + 2.0 * h].map(|f| at(i, f));
        for k in 0..4 {
            let slope = (8.0 * (c[k] - b[k]) - (d[k] - a[k])) / (12.0 * h) / at(i, 1.0)[k];
            assert!((found[k] - slope).abs() < 1e-6, "{} {k}: {} {slope}", names[i], found[k]);
        }
    }
}

#[test]
fn a_quantity_without_a_scale_is_refused() {
    let spec = Spec { law: "hunt-crossley-1975".into(), ..Spec::default() };
    let names = ["mass", "stiffness", "speed", "damping"];
    let batch = Batch::new(&spec, &names, 1).unwrap();
    let why = gradient(&batch, &[0.54, 2.4144e10, 0.5, 0.0], &[3]).unwrap_err().to_string();
    assert!(why.contains("damping = 0"), "{why}");
}
