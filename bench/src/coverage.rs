//! Fits to records with known truth: how often the stated errors hold it, over 200 seeds each.
//!
//! A steel ball (Hunt and Crossley's law) sampled 120 times within the contact, with noise of 1 % of the peak, quiet parts before and
//! after it or not, an offset of the sensor or not, and noise whose neighbours are correlated or not.

use crate::measure::Table;
use carom::fit::{Data, Options, fit};
use carom::impact::{Conditions, Trajectory};
use carom::numeric::normal::quantile;
use carom::numeric::random::{key, unit};
use carom::spec::Spec;
use carom::{Damping, Pair, model};
use std::error::Error;

const SEEDS: u64 = 200;
const INSIDE: usize = 120;

struct Case {
    name: &'static str,
    /// Points before and after the contact.
    rest: (usize, usize),
    /// Of the sensor, over the peak.
    offset: f64,
    /// Change of the offset over the whole record, over the peak.
    drift: f64,
    /// Correlation of neighbours.
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

/// Shares of stiffness and damping within 1 and 1.96 stated errors.
fn coverage(case: &Case) -> Result<[[f64; 2]; 2], Box<dyn Error>> {
    let pair = Pair::new(0.54, 2.4144e10, 1.5)?;
    let law = model("hunt-crossley-1975")?.law(&pair, Damping::Exact(0.7568), None, &[])?;
    let damping = law.power().map_or(f64::NAN, |power| power.coefficient(0.54, 0.5));
    let course = Trajectory::new(&law, 0.5, &Conditions::default(), INSIDE)?;
    let step = course.time.last().copied().unwrap_or(f64::NAN) / (INSIDE - 1) as f64;
    let peak = course.force.iter().copied().fold(0.0, f64::max);
    let spec = Spec {
        law: "hunt-crossley-1975".into(),
        mass: Some(0.54.into()),
        speed: Some(0.5.into()),
        ..Spec::default()
    };
    let mut inside = [[0.0; 2]; 2];
    for seed in 0..SEEDS {
        let mut force = vec![0.0; case.rest.0];
        force.extend(&course.force);
        force.extend(vec![0.0; case.rest.1]);
        let time: Vec<f64> = (0..force.len()).map(|i| i as f64 * step).collect();
        let fresh = (1.0 - case.rho * case.rho).sqrt();
        let count = force.len() as f64;
        let mut noise = quantile(unit(key(seed, "first"), 0));
        for (i, force) in force.iter_mut().enumerate() {
            noise = case.rho * noise + fresh * quantile(unit(key(seed, "noise"), i as u64));
            let drift = case.drift * i as f64 / count;
            *force += peak * (case.offset + drift + 0.01 * noise);
        }
        let data = Data::ForceTime { time: &time, force: &force };
        let free = if case.drift == 0.0 { vec![] } else { vec!["drift".to_string()] };
        let found = fit(&data, &spec, &Options { free, ..Options::default() })?;
        let truths = [("stiffness", 2.4144e10), ("damping", damping)];
        for (i, (name, truth)) in truths.iter().enumerate() {
            let one = found.parameters.iter().find(|p| p.name == *name).ok_or("not fitted")?;
            let off = (one.value - truth).abs() / one.standard_error;
            inside[i][0] += f64::from(u8::from(off <= 1.0)) / SEEDS as f64;
            inside[i][1] += f64::from(u8::from(off <= 1.96)) / SEEDS as f64;
        }
    }
    Ok(inside)
}

pub fn run(out: &mut String) -> Result<(), Box<dyn Error>> {
    eprintln!("  coverage of fits");
    let mut table = Table::new([
        "fits, 200 seeds each",
        "K within 1 σ",
        "K within 1.96 σ",
        "c within 1 σ",
        "c within 1.96 σ",
    ]);
    for case in &CASES {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let cells = coverage(case)?.concat().into_iter().map(percent);
        table.row(std::iter::once(case.name.to_string()).chain(cells));
    }
    out.push_str("### Coverage of fits\n\n");
    table.write(out);
    Ok(())
}
