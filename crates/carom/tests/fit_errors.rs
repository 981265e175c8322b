//! Standard errors are worth what they predict: the scatter of the fit over many realisations of the noise.

use carom::fit::{Data, FitReport, Loss, Options, fit};
use carom::impact::{Conditions, Trajectory};
use carom::spec::Spec;
use carom::{Damping, Pair, model};

const POINTS: usize = 200;

/// SplitMix64, and normal numbers by Box and Muller.
struct Noise(u64);

impl Noise {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 + 1e-17
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// How the noise is made: how much of the last value stays, and how often a value is far out.
#[derive(Clone, Copy, Default)]
struct Kind {
    memory: f64,
    outliers: f64,
}

/// Fits to `count` records that differ in their noise, of 1 % of the peak.
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
    let mut noise = Noise(7);
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

/// Per parameter: predicted standard error over the scatter that came about, by theory and by repeats.
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
        // The scatter of 300 is itself known to 4 %.
        assert!((0.88..1.13).contains(&theory), "{name}: {theory:.3}");
    }
}

#[test]
fn repeated_fits_say_the_same() {
    let options = Options { bootstrap: 60, ..Options::default() };
    for (name, theory, repeats) in ratios(&fits(Kind::default(), 100, &options)) {
        // The scatter of 100 is known to 7 %.
        assert!((0.8..1.25).contains(&theory), "{name}: {theory:.3}");
        assert!((0.8..1.25).contains(&repeats), "{name}: {repeats:.3}");
    }
}

#[test]
fn blocks_see_what_neighbours_share_and_theory_does_not() {
    let options = Options { bootstrap: 60, ..Options::default() };
    let kind = Kind { memory: 0.7, ..Kind::default() };
    for (name, theory, repeats) in ratios(&fits(kind, 100, &options)) {
        assert!(theory < 0.6, "{name}: {theory:.3}");
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
