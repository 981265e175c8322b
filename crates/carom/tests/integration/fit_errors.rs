//! Standard errors agree with the scatter of the fitted values over many realisations of the noise.

use carom::fit::{Criterion, Data, FitReport, Loss, Observation, Options, fit, rank};
use carom::impact::{Conditions, Trajectory};
use carom::numeric::random::Sequence;
use carom::spec::Spec;
use carom::{CATALOGUE, Damping, Exit, Model, Pair, collide, model};

const POINTS: usize = 200;

/// Random numbers; normally distributed ones by the method of Box and Muller.
struct Noise(Sequence);

impl Noise {
    fn new(seed: u64) -> Self {
        Self(Sequence::new(seed))
    }

    fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// The properties of the noise: its autocorrelation, and the share of outliers.
#[derive(Clone, Copy, Default)]
struct Kind {
    memory: f64,
    outliers: f64,
}

/// Fits `count` records that differ in their noise, whose standard deviation is 1 % of the largest force.
fn fits(kind: Kind, count: usize, options: &Options) -> Vec<FitReport> {
    let pair = Pair::new(0.54, 2.4144e10, 1.5).unwrap();
    let known = model("hunt-crossley-1975").unwrap();
    let law = known.law(&pair, Damping::Coefficient(1.5e10), None, &[]).unwrap();
    let course = Trajectory::new(&law, 0.5, &Conditions::default(), POINTS).unwrap();
    let sigma = 0.01 * course.force.iter().copied().fold(0.0, f64::max);
    let spec = Spec {
        law: known.id.into(),
        mass: Some(0.54.into()),
        speed: Some(0.5.into()),
        ..Spec::default()
    };
    let mut noise = Noise::new(7);
    let one = |_| {
        let mut last = 0.0;
        let mut next = || {
            let fresh = (1.0 - kind.memory * kind.memory).sqrt();
            last = kind.memory * last + fresh * noise.normal();
            let far = if noise.unit() < kind.outliers { 25.0 * (noise.unit() - 0.2) } else { 0.0 };
            sigma * (last + far)
        };
        let force: Vec<f64> = course.force.iter().map(|f| f + next()).collect();
        let data = Data::ForceTime { time: &course.time, force: &force };
        fit(&data, &spec, options).unwrap()
    };
    (0..count).map(one).collect()
}

/// Returns for every parameter the ratios of its standard error to the observed scatter: by theory and by repeats.
fn ratios(fits: &[FitReport]) -> Vec<(String, f64, f64)> {
    let count = fits.len() as f64;
    let places = 0..fits[0].parameters.len();
    places
        .map(|i| {
            let all = || fits.iter().map(|fit| &fit.parameters[i]);
            let mean = all().map(|p| p.value).sum::<f64>() / count;
            let square = all().map(|p| (p.value - mean).powi(2)).sum::<f64>() / (count - 1.0);
            let theory = all().map(|p| p.standard_error).sum::<f64>() / count;
            let repeats = all().filter_map(|p| p.bootstrap.map(|b| b.standard_error)).sum::<f64>();
            let scatter = square.sqrt();
            (fits[0].parameters[i].name.clone(), theory / scatter, repeats / count / scatter)
        })
        .collect()
}

#[test]
fn standard_errors_are_the_scatter_of_independent_noise() {
    for (name, theory, _) in ratios(&fits(Kind::default(), 300, &Options::default())) {
        // The scatter of 300 fits is itself known to 4 %.
        assert!((0.88..1.13).contains(&theory), "{name}: {theory:.3}");
    }
}

#[test]
fn repeated_fits_say_the_same() {
    let options = Options { bootstrap: 60, ..Options::default() };
    for (name, theory, repeats) in ratios(&fits(Kind::default(), 100, &options)) {
        // The scatter of 100 fits is known to 7 %.
        assert!((0.8..1.25).contains(&theory), "{name}: {theory:.3}");
        assert!((0.8..1.25).contains(&repeats), "{name}: {repeats:.3}");
    }
}

#[test]
fn neighbours_that_are_alike_count_in_theory_and_in_blocks() {
    let options = Options { bootstrap: 60, ..Options::default() };
    let kind = Kind { memory: 0.7, ..Kind::default() };
    for (name, theory, repeats) in ratios(&fits(kind, 100, &options)) {
        assert!((0.75..1.3).contains(&theory), "{name}: {theory:.3}");
        assert!((0.65..1.3).contains(&repeats), "{name}: {repeats:.3}");
    }
}

#[test]
fn robust_losses_know_their_errors_and_have_smaller_ones_among_outliers() {
    let kind = Kind { outliers: 0.05, ..Kind::default() };
    let error =
        |fits: &[FitReport]| fits.iter().map(|f| f.parameters[0].standard_error).sum::<f64>();
    let plain = error(&fits(kind, 100, &Options::default()));
    for loss in [Loss::Huber, Loss::SoftL1, Loss::Cauchy] {
        let options = Options { loss, ..Options::default() };
        for kind in [kind, Kind::default()] {
            let fits = fits(kind, 100, &options);
            for (name, theory, _) in ratios(&fits) {
                assert!((0.8..1.25).contains(&theory), "{loss:?}, {name}: {theory:.3}");
            }
            if kind.outliers > 0.0 {
                assert!(error(&fits) < 0.7 * plain, "{loss:?}");
            }
        }
    }
}

/// A record of an impact in which the onset lies anywhere between two points.
struct Touches {
    law: &'static str,
    exponent: f64,
    exit: Exit,
    /// Points per contact.
    points: usize,
    /// Standard deviation of the noise, divided by the largest force.
    noise: f64,
    loss: Loss,
}

/// Returns for every parameter the root mean square of (fitted − true)/standard error, and the share of fits within 1.96.
fn scores(touches: &Touches, count: usize) -> Vec<(String, f64, f64)> {
    let &Touches { law: id, exponent, exit, points, noise, loss } = touches;
    let stiffness = if exponent == 1.0 { 1e7 } else { 2.4144e10 };
    let pair = Pair::new(0.54, stiffness, exponent).unwrap();
    let law = model(id).unwrap().law(&pair, Damping::Exact(0.6), Some(exit), &[]).unwrap();
    let fine = Trajectory::new(&law, 0.5, &Conditions::default(), 4000).unwrap();
    let end = *fine.time.last().unwrap();
    let touched = law.touch(0.5);
    // Interpolates linearly between 4000 points; in the first interval, where t^¼ is far from linear, the law is evaluated at
    // constant speed.
    let at = |t: f64| match (t / end * 3999.0).floor() {
        0.0 => law.force(0.5 * t, 0.5, &touched),
        place if (1.0..3999.0).contains(&place) => {
            let (i, part) = (place as usize, t / end * 3999.0 - place);
            fine.force[i] + part * (fine.force[i + 1] - fine.force[i])
        }
        _ => 0.0,
    };
    let sigma = noise * fine.force.iter().copied().fold(0.0, f64::max);
    let coefficient = law.power().unwrap().coefficient(0.54, 0.5);
    let spec = Spec {
        law: id.into(),
        mass: Some(0.54.into()),
        speed: Some(0.5.into()),
        exponent: Some(exponent.into()),
        exit: Some(exit.name().into()),
        ..Spec::default()
    };
    let options = Options { loss, ..Options::default() };
    let mut random = Noise::new(11);
    let mut all: Vec<(String, Vec<f64>)> = Vec::new();
    for _ in 0..count {
        let spacing = end / points as f64;
        let touch = (0.25 * points as f64 + random.unit()) * spacing;
        let time: Vec<f64> = (0..points * 3 / 2).map(|i| i as f64 * spacing).collect();
        let force: Vec<f64> =
            time.iter().map(|t| at(t - touch) + sigma * random.normal()).collect();
        let data = Data::ForceTime { time: &time, force: &force };
        let found = fit(&data, &spec, &options).unwrap();
        for (i, p) in found.parameters.iter().enumerate() {
            let expected = match p.name.as_str() {
                "stiffness" => stiffness,
                "damping" => coefficient,
                "touch" => touch,
                "offset" => 0.0,
                name => panic!("{name}"),
            };
            if all.len() <= i {
                all.push((p.name.clone(), Vec::new()));
            }
            let z = (p.value - expected) / p.standard_error;
            all[i].1.push(z);
        }
    }
    let score = |(name, z): (String, Vec<f64>)| {
        let count = z.len() as f64;
        let rms = (z.iter().map(|z| z * z).sum::<f64>() / count).sqrt();
        let within = z.iter().filter(|z| z.abs() < 1.96).count() as f64 / count;
        (name, rms, within)
    };
    all.into_iter().map(score).collect()
}

/// Regression: the standard error of the time of touch was formerly computed from the derivative of the force there. Near touch
/// the force of Tsuji's law grows as t^¼, with a nearly infinite derivative: the standard error became far too small, with the
/// true time up to 146 standard errors away. For the law of Kelvin and Voigt, whose force jumps at touch, it ignored that the
/// touch lies between the last point without and the first point with force, and was two to four times too large.
#[test]
fn the_time_of_touch_has_an_honest_error_for_steep_and_for_jumping_forces() {
    // The root mean square of 60 scores is known to 9 %. `CAROM_RECORDS=400` takes a minute; with 40 points per contact the
    // standard errors are up to a fifth too small.
    let records = std::env::var("CAROM_RECORDS").ok().and_then(|count| count.parse().ok());
    honest(records.unwrap_or(60), (0.7, 1.35));
}

fn honest(count: usize, (low, high): (f64, f64)) {
    let tsuji = Touches {
        law: "tsuji-1992",
        exponent: 1.5,
        exit: Exit::ZeroForce,
        points: 150,
        noise: 0.01,
        loss: Loss::Squares,
    };
    let voigt = Touches { law: "kelvin-voigt-1865", exponent: 1.0, ..tsuji };
    let mut wrong = Vec::new();
    for touches in [
        Touches { ..tsuji },
        Touches { noise: 0.002, exit: Exit::ZeroIndentation, ..tsuji },
        Touches { ..voigt },
        Touches { noise: 0.05, ..voigt },
        Touches { points: 40, ..voigt },
        Touches { noise: 0.03, loss: Loss::Huber, ..voigt },
    ] {
        for (name, rms, within) in scores(&touches, count) {
            let Touches { law, points, noise, loss, .. } = touches;
            let line = format!(
                "{law}, {points} points, {noise}, {loss:?}: {name} {rms:.2} errors off, {:.0} % within 1.96",
                100.0 * within
            );
            println!("{line}");
            if !((low..high).contains(&rms) && within > 0.85) {
                wrong.push(line);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Regression: with three drops and one or two free parameters AICc is undefined. It was taken as infinite, and the first law of
/// the catalogue was ranked best. A law without free parameters, such as Hertz's, has a finite AICc, and must not win because of
/// that.
#[test]
fn a_handful_of_drops_is_ranked_by_leave_one_out_or_not_at_all() {
    let pair = Pair::new(0.54, 2.4144e10, 1.5).unwrap();
    let made = model("hunt-crossley-1975").unwrap();
    let law = made.law(&pair, Damping::Coefficient(2e10), None, &[]).unwrap();
    let drop = |(speed, off): &(f64, f64)| Observation {
        speed: Some(*speed),
        restitution: Some(collide(&law, *speed).unwrap().restitution.newton * (1.0 + off)),
        ..Observation::default()
    };
    let spec =
        Spec { mass: Some(0.54.into()), stiffness: Some(2.4144e10.into()), ..Spec::default() };
    let all: Vec<&'static Model> = CATALOGUE.iter().collect();
    let ask = |drops: &[(f64, f64)]| {
        let rows: Vec<Observation> = drops.iter().map(drop).collect();
        rank(&Data::Outcomes(&rows), &spec, &Options::default(), &all, &|_| ()).unwrap()
    };
    let three = ask(&[(0.2, 1e-3), (0.5, -1e-3), (1.2, 5e-4)]);
    assert_eq!(three.criterion, Criterion::LeaveOneOut);
    assert!(three.notes[0].message.to_string().contains("3 measured numbers are too few"));
    let of = |id: &str| three.laws.iter().find(|law| law.law == id).unwrap();
    assert!(of("hunt-crossley-1975").leave_one_out.unwrap() < 0.005);
    assert!(of("hertz-1881").leave_one_out.unwrap() > 0.2);
    assert!(of("hertz-1881").rank > of("hunt-crossley-1975").rank);
    assert!(three.laws[0].leave_one_out.unwrap() < 0.005, "{:?}", three.laws[0]);
    assert!(three.laws.iter().all(|law| law.weight.is_none()));
    assert_eq!(of("flores-2011").same_as, Some("hunt-crossley-1975"));
    // A single drop can be reproduced by every law with a free parameter.
    let one = rank(
        &Data::Outcomes(&[drop(&(0.5, 0.0))]),
        &spec,
        &Options::default(),
        &[made, model("tsuji-1992").unwrap()],
        &|_| (),
    );
    let one = one.unwrap();
    assert_eq!(one.criterion, Criterion::None);
    assert!(one.laws.iter().all(|law| law.rank.is_none()));
    assert!(one.notes[0].message.to_string().contains("cannot be ranked"));
}
