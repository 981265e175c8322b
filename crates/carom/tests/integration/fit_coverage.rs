//! The standard errors of fits have the stated coverage; `bench/` tests more seeds.

use carom::fit::{Data, Options, fit};
use carom::impact::{Conditions, Trajectory};
use carom::numeric::normal::quantile;
use carom::numeric::random::{key, unit};
use carom::spec::Spec;
use carom::{Damping, Pair, model};

/// Returns the shares of seeds in which stiffness and damping lie within 1 and 1.96 standard errors of the true values. The
/// record has quiet parts before and after the contact, an offset, a drift over the whole record, and noise with autocorrelation
/// `rho`.
fn coverage(seeds: u64, rho: f64, offset: f64, drift: f64) -> [[f64; 2]; 2] {
    let pair = Pair::new(0.54, 2.4144e10, 1.5).unwrap();
    let law = model("hunt-crossley-1975").unwrap();
    let law = law.law(&pair, Damping::Exact(0.7568), None, &[]).unwrap();
    let damping = law.power().unwrap().coefficient(0.54, 0.5);
    let course = Trajectory::new(&law, 0.5, &Conditions::default(), 120).unwrap();
    let duration = course.time.last().copied().unwrap();
    let peak = course.force.iter().copied().fold(0.0, f64::max);
    let step = duration / 119.0;
    let mut inside = [[0.0; 2]; 2];
    for seed in 0..seeds {
        let mut noise = 0.0;
        let mut next = |i: u64| {
            noise = rho * noise + (1.0 - rho * rho).sqrt() * quantile(unit(key(seed, "noise"), i));
            0.01 * peak * noise
        };
        // Quiet parts of a third of the contact duration before and after it.
        let rest = 40;
        let mut force = vec![0.0; rest];
        force.extend(&course.force);
        force.extend(vec![0.0; rest]);
        let time: Vec<f64> = (0..force.len()).map(|i| i as f64 * step).collect();
        let count = force.len() as f64;
        for (i, force) in force.iter_mut().enumerate() {
            *force += (offset + drift * i as f64 / count) * peak + next(i as u64);
        }
        let spec = Spec {
            law: "hunt-crossley-1975".into(),
            mass: Some(0.54.into()),
            speed: Some(0.5.into()),
            ..Spec::default()
        };
        let data = Data::ForceTime { time: &time, force: &force };
        let free = if drift == 0.0 { vec![] } else { vec!["drift".to_string()] };
        let found = fit(&data, &spec, &Options { free, ..Options::default() }).unwrap();
        for (i, truth) in [2.4144e10, damping].into_iter().enumerate() {
            let name = ["stiffness", "damping"][i];
            let one = found.parameters.iter().find(|p| p.name == name).unwrap();
            let off = (one.value - truth).abs() / one.standard_error;
            inside[i][0] += f64::from(u8::from(off <= 1.0)) / seeds as f64;
            inside[i][1] += f64::from(u8::from(off <= 1.96)) / seeds as f64;
        }
    }
    inside
}

#[test]
fn errors_hold_with_an_offset_a_drift_and_correlated_noise() {
    for (rho, offset, drift) in [(0.0, 0.03, 0.0), (0.9, 0.0, 0.0), (0.0, 0.01, 0.04)] {
        let found = coverage(60, rho, offset, drift);
        for [one, two] in found {
            // The limits are two standard deviations of the share in 60 draws below 68 % and 95 %.
            assert!(one > 0.55 && two > 0.87, "{rho} {offset} {drift}: {found:?}");
        }
    }
}
