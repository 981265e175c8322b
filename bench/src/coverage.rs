//! Fits to records with known parameters: how often the stated errors contain the true values, over 200 seeds each.
//!
//! The records are of a steel ball (Hunt and Crossley's law), sampled 120 times within the contact, with noise of 1 % of the
//! largest force, with or without quiet parts before and after it, an offset of the sensor, and correlation of the noise; and
//! three such records of one ball at three speeds, fitted together.

use crate::measure::Table;
use carom::fit::{Data, FittedParameter, Options, Record, fit, fit_together};
use carom::impact::{Conditions, Trajectory};
use carom::numeric::normal::quantile;
use carom::numeric::random::{key, unit};
use carom::spec::Spec;
use carom::{Damping, Law, Pair, model};
use std::error::Error;

const SEEDS: u64 = 200;
const POINTS_IN_CONTACT: usize = 120;

struct Case {
    name: &'static str,
    /// Number of points before and after the contact.
    rest: (usize, usize),
    /// Offset of the sensor, divided by the largest force.
    offset: f64,
    /// Change of the offset over the whole record, divided by the largest force.
    drift: f64,
    /// Correlation of the noise at neighbouring points.
    rho: f64,
}

const CASES: [Case; 7] = [
    Case {
        name: "white noise, no offset, no quiet part",
        rest: (0, 0),
        offset: 0.0,
        drift: 0.0,
        rho: 0.0,
    },
    Case {
        name: "white noise, quiet parts, no offset",
        rest: (40, 40),
        offset: 0.0,
        drift: 0.0,
        rho: 0.0,
    },
    Case {
        name: "offset of 3 %, quiet before and after",
        rest: (40, 40),
        offset: 0.03,
        drift: 0.0,
        rho: 0.0,
    },
    Case {
        name: "offset of 3 %, quiet before only",
        rest: (40, 0),
        offset: 0.03,
        drift: 0.0,
        rho: 0.0,
    },
    Case { name: "drift of 4 %, fitted", rest: (40, 40), offset: 0.01, drift: 0.04, rho: 0.0 },
    Case { name: "correlated noise, 0.9", rest: (40, 40), offset: 0.0, drift: 0.0, rho: 0.9 },
    Case {
        name: "correlated noise, 0.9, offset of 3 %",
        rest: (40, 40),
        offset: 0.03,
        drift: 0.0,
        rho: 0.9,
    },
];

/// A ball of 0.54 kg with Hunt and Crossley's law.
const MASS: f64 = 0.54;
const STIFFNESS: f64 = 2.4144e10;

fn ball() -> Result<Law, Box<dyn Error>> {
    let pair = Pair::new(MASS, STIFFNESS, 1.5)?;
    Ok(model("hunt-crossley-1975")?.law(&pair, Damping::Exact(0.7568), None, &[])?)
}

fn description(speed: f64) -> Spec {
    Spec {
        law: "hunt-crossley-1975".into(),
        mass: Some(MASS.into()),
        speed: Some(speed.into()),
        ..Spec::default()
    }
}

/// Returns times and forces of a record; `name` selects the random numbers of the noise, and `noise_factor` multiplies the noise.
fn record(
    case: &Case,
    law: &Law,
    speed: f64,
    (seed, name, noise_factor): (u64, &str, f64),
) -> Result<(Vec<f64>, Vec<f64>), Box<dyn Error>> {
    let course = Trajectory::new(law, speed, &Conditions::default(), POINTS_IN_CONTACT)?;
    let step = course.time.last().copied().unwrap_or(f64::NAN) / (POINTS_IN_CONTACT - 1) as f64;
    let peak = course.force.iter().copied().fold(0.0, f64::max);
    let mut force = vec![0.0; case.rest.0];
    force.extend(&course.force);
    force.extend(vec![0.0; case.rest.1]);
    let time: Vec<f64> = (0..force.len()).map(|i| i as f64 * step).collect();
    let fresh = (1.0 - case.rho * case.rho).sqrt();
    let count = force.len() as f64;
    let mut noise = quantile(unit(key(seed, &format!("first {name}")), 0));
    for (i, force) in force.iter_mut().enumerate() {
        noise = case.rho * noise + fresh * quantile(unit(key(seed, name), i as u64));
        let drift = case.drift * i as f64 / count;
        *force += peak * (case.offset + drift + 0.01 * noise_factor * noise);
    }
    Ok((time, force))
}

/// Shares of stiffness and damping within one standard error and within the stated interval of 95 %. With a bootstrap: within one
/// standard deviation of the repeats and within 95 % of them.
struct Shares([[f64; 2]; 2]);

impl Shares {
    fn count(&mut self, found: &[FittedParameter], damping: f64) -> Result<(), Box<dyn Error>> {
        for (i, (name, truth)) in
            [("stiffness", STIFFNESS), ("damping", damping)].iter().enumerate()
        {
            let one = found.iter().find(|p| p.name == *name).ok_or("not fitted")?;
            let (error, low, high) = match one.bootstrap {
                Some(repeats) => (repeats.standard_error, repeats.low, repeats.high),
                None => (one.standard_error, one.low_95, one.high_95),
            };
            let near = (one.value - truth).abs() <= error;
            let within = (low..=high).contains(truth);
            self.0[i][0] += f64::from(u8::from(near)) / SEEDS as f64;
            self.0[i][1] += f64::from(u8::from(within)) / SEEDS as f64;
        }
        Ok(())
    }
}

fn single_fit_shares(case: &Case, bootstrap: usize) -> Result<Shares, Box<dyn Error>> {
    let law = ball()?;
    let damping = law.power().map_or(f64::NAN, |power| power.coefficient(MASS, 0.5));
    let mut shares = Shares([[0.0; 2]; 2]);
    for seed in 0..SEEDS {
        let (time, force) = record(case, &law, 0.5, (seed, "noise", 1.0))?;
        let data = Data::ForceTime { time: &time, force: &force };
        let free = if case.drift == 0.0 { vec![] } else { vec!["drift".to_string()] };
        let options = Options { free, bootstrap, seed, ..Options::default() };
        shares.count(&fit(&data, &description(0.5), &options)?.parameters, damping)?;
    }
    Ok(shares)
}

/// Fits three records of the same ball at three speeds together, all with the damping coefficient of the ball at 0.5 m/s. The
/// noise of the second one is multiplied by `noise_factor`.
fn joint_fit_shares(
    case: &Case,
    shared: &[String],
    noise_factor: f64,
) -> Result<Shares, Box<dyn Error>> {
    let damping = ball()?.power().map_or(f64::NAN, |power| power.coefficient(MASS, 0.5));
    let pair = Pair::new(MASS, STIFFNESS, 1.5)?;
    let coefficient = Damping::Coefficient(damping);
    let law = model("hunt-crossley-1975")?.law(&pair, coefficient, None, &[])?;
    let mut shares = Shares([[0.0; 2]; 2]);
    for seed in 0..SEEDS {
        let runs = [(0.3, "slow", 1.0), (0.5, "noisy", noise_factor), (0.8, "fast", 1.0)];
        let mut curves = Vec::new();
        for (speed, name, noise_factor) in runs {
            curves.push((name, speed, record(case, &law, speed, (seed, name, noise_factor))?));
        }
        let records: Vec<Record> = curves
            .iter()
            .map(|(name, speed, (time, force))| Record {
                name: name.to_string(),
                data: Data::ForceTime { time, force },
                spec: description(*speed),
            })
            .collect();
        let found = fit_together(&records, shared, &Options::default())?;
        let last = found.records.last().ok_or("no record")?;
        shares.count(&last.fit.parameters, damping)?;
    }
    Ok(shares)
}

pub fn run(out: &mut String) -> Result<(), Box<dyn Error>> {
    eprintln!("  coverage of fits");
    let mut table = Table::new([
        "fits, 200 seeds each",
        "K within 1 σ",
        "K within 95 %",
        "c within 1 σ",
        "c within 95 %",
    ]);
    let mut row = |name: &str, shares: Shares| {
        eprintln!("    {name}: {:.3?}", shares.0);
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let cells = shares.0.concat().into_iter().map(percent);
        table.row(std::iter::once(name.to_string()).chain(cells));
    };
    for case in &CASES {
        row(case.name, single_fit_shares(case, 0)?);
    }
    let [.., correlated, _] = &CASES;
    let [_, _, white, ..] = &CASES;
    row("three speeds together, offset of 3 %", joint_fit_shares(white, &[], 2.0)?);
    row(
        "three speeds together, K shared, c own",
        joint_fit_shares(white, &["stiffness".into()], 2.0)?,
    );
    row("three speeds together, correlated noise, 0.9", joint_fit_shares(correlated, &[], 1.0)?);
    row("correlated noise, 0.9, block bootstrap of 100", single_fit_shares(correlated, 100)?);
    out.push_str("### Coverage of fits\n\n");
    table.write(out);
    Ok(())
}
