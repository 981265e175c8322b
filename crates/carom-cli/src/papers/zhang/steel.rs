//! Tables 1 and 2: the steel ball of Zhang & Sharf at 0.15 and 0.5 m/s.

use super::printed::{Row, STEEL, ZHANG_2020};
use crate::papers::{Grid, Reproduction, complex};
use carom::exact::{self, Exponents};
use carom::problems::{Experiment, experiment};
use carom::{Damping, Error, Exit, Law, Result, collide, model};

/// Samples of the source, in s, as its durations show: those of the new model, and those of the laws it is
/// compared with, which are its steps of integration.
const SAMPLES: [f64; 2] = [2e-7, 1e-8];

/// What a sampled output shows as the end of contact: the sample after the first one without contact.
fn sampled(duration: f64, sample: f64) -> f64 {
    (duration / sample).ceil() * sample + sample
}

/// The law of a row; the tables end contact at zero indentation.
pub fn law(row: Row, on: &Experiment) -> Result<Law> {
    let (id, set) = match row {
        Row::Known(id) => (id, Vec::new()),
        Row::New(m, q) => (
            "zhang-2022",
            vec![("damping_exponent".to_string(), m), ("rate_exponent".to_string(), q)],
        ),
    };
    let damping = Damping::Restitution(on.restitution);
    model(id)?.law(&on.pair(), damping, Some(Exit::ZeroIndentation), &set)
}

/// Restitution and duration when the negative rate is raised to a complex power.
pub fn complex_impact(law: &Law, speed: f64) -> Result<Option<(f64, f64)>> {
    let no_power = || Error::unsupported("a complex power", "only power laws have one");
    let power = law.power().ok_or_else(no_power)?;
    let (n, m, q) = (power.elastic.value(), power.damping.value(), power.rate.value());
    let end = complex::impact(Exponents::new(n, m, q)?, power.epsilon(law.mass, speed))?;
    let time = power.length(law.mass, speed) / speed;
    Ok(end.map(|end| (end.restitution, end.duration * time)))
}

fn name(row: Row) -> String {
    match row {
        Row::New(m, q) => format!("m = {m}, q = {q:.1}"),
        Row::Known(id) => id.to_string(),
    }
}

/// Every number of both tables.
pub fn tables(out: &mut Reproduction) -> Result<()> {
    let mut ranks = Vec::new();
    for table in STEEL {
        let on = experiment(table.experiment)?;
        let measured =
            [on.restitution, on.duration.unwrap_or(f64::NAN), on.force_max.unwrap_or(f64::NAN)];
        for (row, printed) in table.rows {
            let law = law(row, on)?;
            let impact = collide(&law, on.speed)?;
            let real = impact.restitution.newton;
            let broken = matches!(row, Row::New(_, q) if q != 1.0);
            let flown = if broken { complex_impact(&law, on.speed)? } else { None };
            let (sample, why_duration) = match (row, broken) {
                (Row::New(..), true) => (SAMPLES[0], "complex power; samples of 0.2 µs, one late"),
                (Row::New(..), false) => (SAMPLES[0], "samples of 0.2 µs, one late"),
                (Row::Known(_), _) => (SAMPLES[1], "samples of 0.01 µs, one late"),
            };
            let complex = flown.map(|end| end.0);
            let late = Some(sampled(flown.map_or(impact.duration, |end| end.1), sample));
            let why_restitution = match row {
                ZHANG_2020 => zhang_2020(&law, on, printed[0])?,
                _ => "complex power of the negative rate".to_string(),
            };
            let why_duration = match row {
                ZHANG_2020 => format!("{why_duration}; {why_restitution}"),
                _ => why_duration.to_string(),
            };
            let why_force = match row {
                ZHANG_2020 => why_restitution.clone(),
                _ => String::new(),
            };
            let quantities = [
                ("restitution", "", 1.0, real, complex, why_restitution),
                ("duration", " (1e-4 s)", 1e4, impact.duration, late, why_duration),
                ("peak force", " (N)", 1.0, impact.force_max, None, why_force),
            ];
            for (i, (what, unit, scale, value, variant, why)) in quantities.into_iter().enumerate()
            {
                let name = name(row);
                let error = |value: f64| 100.0 * (value / measured[i] - 1.0);
                let scaled = variant.map(|value| scale * value);
                let quantity = format!("{name}: {what}{unit}");
                out.check(table.place, quantity, printed[2 * i], scale * value, scaled, &*why);
                let quantity = format!("{name}: error of the {what} (%)");
                let erring = variant.map(error);
                out.check(table.place, quantity, printed[2 * i + 1], error(value), erring, why);
            }
            if broken {
                ranks.push((on, row, real, complex.unwrap_or(f64::NAN)));
            }
        }
    }
    out.tables.push(Grid {
        title: "Restitutions with q ≠ 1: the real law and the complex power".to_string(),
        columns: vec!["ball", "m, q", "asked for", "real law", "complex power, modulus"],
        rows: ranks
            .iter()
            .map(|(on, row, real, complex)| {
                vec![
                    on.id.to_string(),
                    name(*row),
                    on.restitution.to_string(),
                    format!("{real:.5}"),
                    format!("{complex:.5}"),
                ]
            })
            .collect(),
    });
    claims(out, &ranks);
    Ok(())
}

/// What the paper concludes from the tables.
fn claims(out: &mut Reproduction, ranks: &[(&Experiment, Row, f64, f64)]) {
    let miss = |wanted: f64| {
        let rows =
            ranks.iter().filter(|(_, row, ..)| matches!(row, Row::New(m, _) if *m == wanted));
        rows.map(|(on, _, e, _)| 100.0 * (e / on.restitution - 1.0).abs()).fold(0.0, f64::max)
    };
    out.claim(
        "Tables 1 and 2",
        "m = 1.2 is nearer to the restitution asked for than m = 1.8",
        miss(1.2) < miss(1.8),
        format!(
            "with the real law at most {:.2} % off for m = 1.2, {:.2} % for m = 1.8",
            miss(1.2),
            miss(1.8)
        ),
    );
    let errors = out
        .checks
        .iter()
        .filter(|check| check.quantity.starts_with("m = ") && check.quantity.contains("error of"));
    let worst = errors.map(|check| check.recomputed.abs()).fold(0.0, f64::max);
    out.claim(
        "Sect. 3.3.1",
        "the new model is within 5 % of the steel-ball experiment in everything",
        worst < 5.0,
        format!("at most {worst:.2} %"),
    );
    let force = |check: &&crate::papers::Check| {
        check.place == "Table 2" && check.quantity.contains("error of the peak force")
    };
    let best = out
        .checks
        .iter()
        .filter(force)
        .min_by(|a, b| a.recomputed.abs().total_cmp(&b.recomputed.abs()));
    let best = best
        .map_or(String::new(), |check| format!("{} is {:+.2}", check.quantity, check.recomputed));
    out.claim(
        "Sect. 3.3.1",
        "m = 1.2, q = 1.1 is nearest to the measured peak force",
        best.starts_with("m = 1.2, q = 1.1"),
        format!("at 0.5 m/s the smallest: {best}"),
    );
}

/// Why the row of Zhang 2020 differs: the damping it would need.
fn zhang_2020(law: &Law, on: &Experiment, printed: &str) -> Result<String> {
    let e: f64 = printed.parse().unwrap_or(f64::NAN);
    let needed = exact::epsilon(Exponents::new(1.5, 1.5, 1.0)?, Exit::ZeroIndentation, e)?;
    let given = law.power().map_or(f64::NAN, |power| power.epsilon(law.mass, on.speed));
    Ok(format!(
        "another formula than the review's 249(1−e)/(6+160e): ε = {needed:.4} needed, {given:.4} given"
    ))
}
