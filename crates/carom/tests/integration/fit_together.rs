//! Several records fitted together, compared with theory and with single fits.

use carom::fit::{
    Criterion, Data, FittedParameter, JointReport, Options, Record, fit, fit_together,
    rank_together,
};
use carom::impact::{Conditions, Trajectory};
use carom::numeric::normal::quantile;
use carom::numeric::random::{key, unit};
use carom::spec::Spec;
use carom::{Damping, Pair, model};

const STIFFNESS: f64 = 2.4144e10;
const DAMPING: f64 = 2e10;

/// Returns times and forces of a ball of 0.54 kg at the given speed, with quiet parts, an offset and noise relative to the
/// largest force.
fn record(stiffness: f64, speed: f64, noise: f64, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let pair = Pair::new(0.54, stiffness, 1.5).unwrap();
    let law = model("hunt-crossley-1975").unwrap();
    let law = law.law(&pair, Damping::Coefficient(DAMPING), None, &[]).unwrap();
    let course = Trajectory::new(&law, speed, &Conditions::default(), 120).unwrap();
    let step = course.time.last().unwrap() / 119.0;
    let peak = course.force.iter().copied().fold(0.0, f64::max);
    let mut force = vec![0.0; 30];
    force.extend(&course.force);
    force.extend(vec![0.0; 30]);
    let time = (0..force.len()).map(|i| i as f64 * step).collect();
    for (i, force) in force.iter_mut().enumerate() {
        *force += peak * (0.02 + noise * quantile(unit(key(seed, "noise"), i as u64)));
    }
    (time, force)
}

fn known(speed: f64) -> Spec {
    Spec {
        law: "hunt-crossley-1975".into(),
        mass: Some(0.54.into()),
        speed: Some(speed.into()),
        ..Spec::default()
    }
}

/// Times and forces of a record, and the speed of the impact.
type Curve = ((Vec<f64>, Vec<f64>), f64);

fn together(curves: &[Curve], shared: &[&str]) -> carom::Result<JointReport> {
    let records: Vec<Record> = curves
        .iter()
        .enumerate()
        .map(|(i, ((time, force), speed))| Record {
            name: format!("run {}", i + 1),
            data: Data::ForceTime { time, force },
            spec: known(*speed),
        })
        .collect();
    let shared: Vec<String> = shared.iter().map(|name| name.to_string()).collect();
    fit_together(&records, &shared, &Options::default())
}

fn named<'a>(all: &'a [FittedParameter], name: &str) -> &'a FittedParameter {
    all.iter().find(|p| p.name == name).unwrap()
}

#[test]
fn two_copies_of_a_record_have_its_values_and_errors_smaller_by_the_root_of_two() {
    let curve = record(STIFFNESS, 0.5, 0.01, 1);
    let data = Data::ForceTime { time: &curve.0, force: &curve.1 };
    let alone = fit(&data, &known(0.5), &Options::default()).unwrap();
    let both = together(&[(curve.clone(), 0.5), (curve.clone(), 0.5)], &[]).unwrap();
    for name in ["stiffness", "damping"] {
        let (one, two) = (named(&alone.parameters, name), named(&both.shared, name));
        assert!((one.value / two.value - 1.0).abs() < 1e-6, "{name}: {one:?} {two:?}");
        let ratio = one.standard_error / two.standard_error;
        // The parameters that are not shared cost each record the same number of degrees of freedom as in the single fit.
        assert!((ratio / 2.0_f64.sqrt() - 1.0).abs() < 0.01, "{name}: {ratio}");
    }
    // Times of touch and offsets are not known more accurately than before.
    let own = |fit: &[FittedParameter]| named(fit, "offset").standard_error;
    let ratio = own(&alone.parameters) / own(&both.records[0].fit.parameters);
    assert!((0.99..1.1).contains(&ratio), "{ratio}");
}

#[test]
fn one_shared_number_is_the_mean_of_the_single_ones_weighted_by_their_variances() {
    // This holds exactly for linear problems, and nearly for these fits to noisy records.
    let runs = [(0.3, 0.01, 1), (0.5, 0.03, 2), (0.9, 0.005, 3)];
    let curves: Vec<_> =
        runs.iter().map(|&(v, noise, seed)| (record(STIFFNESS, v, noise, seed), v)).collect();
    let found = together(&curves, &["stiffness"]).unwrap();
    let (mut sum, mut weight) = (0.0, 0.0);
    for (curve, speed) in &curves {
        let data = Data::ForceTime { time: &curve.0, force: &curve.1 };
        let alone = fit(&data, &known(*speed), &Options::default()).unwrap();
        let one = named(&alone.parameters, "stiffness");
        // Positive parameters are fitted in their logarithms.
        let variance = (one.standard_error / one.value).powi(2);
        sum += one.value.ln() / variance;
        weight += 1.0 / variance;
    }
    let shared = named(&found.shared, "stiffness");
    let expected = (sum / weight).exp();
    let error = 1.0 / weight.sqrt();
    assert!((shared.value / expected - 1.0).abs() < 0.1 * error, "{shared:?} {expected}");
    assert!(
        (shared.standard_error / shared.value / error - 1.0).abs() < 0.05,
        "{shared:?} {error}"
    );
    // Every record has its own damping.
    assert_eq!(found.shared.len(), 1);
    let dampings: Vec<f64> =
        found.records.iter().map(|r| named(&r.fit.parameters, "damping").value).collect();
    assert!(dampings[0] != dampings[1] && dampings[1] != dampings[2], "{dampings:?}");
    assert_eq!(found.statistics.free, 1 + 3 * 3);
}

#[test]
fn a_record_that_does_not_belong_to_the_others_is_named() {
    let curves = [
        (record(STIFFNESS, 0.3, 0.01, 1), 0.3),
        (record(STIFFNESS, 0.5, 0.01, 2), 0.5),
        (record(1.2 * STIFFNESS, 0.8, 0.01, 3), 0.8),
    ];
    let found = together(&curves, &[]).unwrap();
    let notes: Vec<String> = found.notes.iter().map(|note| note.message.to_string()).collect();
    let named = |name: &str| notes.iter().any(|note| note.contains(name));
    assert!(named("run 3 alone gives stiffness"), "{notes:?}");
    let agreeing = together(&curves[..2], &[]).unwrap();
    assert!(agreeing.notes.is_empty(), "{:?}", agreeing.notes);
}

#[test]
fn several_speeds_determine_what_one_does_not() {
    // The exponents of damping and of spring: a single record hardly distinguishes them from c and K.
    let curves: Vec<_> = [0.2, 0.5, 1.2]
        .iter()
        .zip(1..)
        .map(|(&v, seed)| (record(STIFFNESS, v, 0.005, seed), v))
        .collect();
    let records: Vec<Record> = curves
        .iter()
        .map(|((time, force), speed)| Record {
            name: speed.to_string(),
            data: Data::ForceTime { time, force },
            spec: Spec { exponent: Some(1.5.into()), ..known(*speed) },
        })
        .collect();
    let options = Options { free: vec!["exponent".into()], ..Options::default() };
    let found = fit_together(&records, &[], &options).unwrap();
    let n = named(&found.shared, "exponent");
    assert!((n.value - 1.5).abs() < 3.0 * n.standard_error, "{n:?}");
    let alone = found.records.iter().map(|r| named(&r.alone, "exponent").standard_error);
    let best = alone.fold(f64::INFINITY, f64::min);
    assert!(n.standard_error < 0.6 * best, "{n:?} {best}");
}

#[test]
fn what_cannot_be_shared_is_refused_with_a_sentence() {
    let curves = [(record(STIFFNESS, 0.3, 0.01, 1), 0.3), (record(STIFFNESS, 0.5, 0.01, 2), 0.5)];
    let refused = |shared: &[&str], curves: &[_]| {
        together(curves, shared).map(|_| ()).unwrap_err().to_string()
    };
    assert!(refused(&["stifness"], &curves).contains("stiffness"));
    assert!(refused(&["offset"], &curves).contains("zero of its own"));
    assert!(refused(&[], &curves[..1]).contains("at least two"));
    let mut broken = curves.clone();
    broken[1].0.1.truncate(3);
    broken[1].0.0.truncate(3);
    let why = refused(&[], &broken);
    assert!(why.contains("run 2"), "{why}");
}

#[test]
fn laws_are_ranked_over_several_records() {
    let curves = [0.3, 0.9, 2.0].map(|speed| (record(STIFFNESS, speed, 0.01, 7), speed));
    let records: Vec<Record> = curves
        .iter()
        .map(|((time, force), speed)| Record {
            name: format!("{speed} m/s"),
            data: Data::ForceTime { time, force },
            spec: known(*speed),
        })
        .collect();
    let names = ["tsuji-1992", "hertz-1881", "flores-2011", "hunt-crossley-1975"];
    let models = names.map(|name| model(name).unwrap());
    let ranking = rank_together(&records, &[], &Options::default(), &models, &|_| ()).unwrap();
    assert_eq!(ranking.criterion, Criterion::Aicc);
    assert!(ranking.failed.is_empty(), "{:?}", ranking.failed);
    // The law from which the records were made; flores-2011 has the same force.
    assert_eq!(ranking.laws[0].law, "hunt-crossley-1975");
    assert_eq!(ranking.laws[1].same_as, Some("hunt-crossley-1975"));
    assert!(ranking.laws[2].delta.unwrap() > 10.0, "{:?}", ranking.laws[2]);
    let weights: f64 = ranking.laws.iter().filter_map(|law| law.weight).sum();
    assert!((weights - 1.0).abs() < 1e-12);
    let best = ranking.best.unwrap();
    let joint = together(&curves, &[]).unwrap();
    assert_eq!(best.law, "hunt-crossley-1975");
    assert_eq!(best.statistics.aicc, joint.statistics.aicc);
    // A parameter that only some of the laws have is shared where it exists.
    let shared = ["stiffness".to_string(), "damping".to_string()];
    let ranking = rank_together(&records, &shared, &Options::default(), &models, &|_| ()).unwrap();
    assert!(ranking.failed.is_empty(), "{:?}", ranking.failed);
}
