//! Fits of one law to a thousand points, and of the whole catalogue.

use crate::measure::{self, Table};
use crate::problem::PROBLEMS;
use carom::CATALOGUE;
use carom::fit::{Data, Options, fit, rank};
use carom::impact::{Conditions, Trajectory};
use carom::spec::Spec;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

const POINTS: usize = 1000;

/// Returns the force of problem A1 with noise of 0.5 %, the same in every run.
fn noisy_record() -> Result<(Vec<f64>, Vec<f64>), Box<dyn Error>> {
    let [problem, ..] = PROBLEMS;
    let course = Trajectory::new(&problem.law(), problem.speed, &Conditions::default(), POINTS)?;
    let peak = course.force.iter().copied().fold(0.0, f64::max);
    let mut state = 1u64;
    let mut unit = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    // The sum of three uniform numbers is sufficiently close to a normal distribution with standard deviation 1/2.
    let force = course.force.iter().map(|f| f + 0.01 * peak * (unit() + unit() + unit()));
    Ok((course.time.clone(), force.collect()))
}

pub fn run(out: &mut String) -> Result<(), Box<dyn Error>> {
    eprintln!("  fits");
    let [problem, ..] = PROBLEMS;
    let (time, force) = noisy_record()?;
    let data = Data::ForceTime { time: &time, force: &force };
    let spec = |law: &str| Spec {
        law: law.into(),
        mass: Some(problem.law().mass.into()),
        speed: Some(problem.speed.into()),
        ..Spec::default()
    };
    let mut table = Table::new(["fits to 1000 noisy points of A1", "time", "free", "error of K"]);
    let cases: [(&str, &[&str]); 3] = [
        ("hunt-crossley-1975", &[]),
        ("power", &["damping_exponent"]),
        ("power", &["exponent", "damping_exponent", "rate_exponent"]),
    ];
    for (law, free) in cases {
        let options = Options {
            free: free.iter().map(|name| name.to_string()).collect(),
            ..Options::default()
        };
        let spec = spec(law);
        let found = fit(&data, &spec, &options)?;
        let more =
            if free.is_empty() { String::new() } else { format!(" with {}", free.join(", ")) };
        let seconds = measure::seconds(|| fit(black_box(&data), &spec, &options).ok());
        let stiffness = problem.law().power().map_or(f64::NAN, |power| power.stiffness);
        table.row([
            format!("`{law}`{more}"),
            measure::time(seconds),
            found.parameters.len().to_string(),
            measure::error(found.impact.pair.stiffness / stiffness - 1.0),
        ]);
    }
    let models: Vec<_> = CATALOGUE.iter().collect();
    let start = Instant::now();
    let ranking = rank(&data, &spec(""), &Options::default(), &models, &|_| ())?;
    table.row([
        format!("`--laws all`: {} laws on all cores, once", ranking.laws.len()),
        measure::time(start.elapsed().as_secs_f64()),
        String::new(),
        String::new(),
    ]);
    out.push_str("### Fits\n\n");
    table.write(out);
    Ok(())
}
