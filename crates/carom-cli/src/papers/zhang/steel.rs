//! Tables 1 and 2: the steel ball of Zhang & Sharf at 0.15 and 0.5 m/s.

use super::printed::{STEEL, TableLaw, ZHANG_2020};
use crate::papers::{Reproduction, complex};
use carom::exact::Exponents;
use carom::law::{Damper, Power};
use carom::problems::{Experiment, experiment};
use carom::{Damping, Error, Exit, Law, Result, collide, model};

/// Sampling intervals of the source in s, inferred from its durations: that of the new model, and that of the laws with which it is
/// compared, where the intervals are the integration steps.
const SAMPLE_INTERVALS: [f64; 2] = [2e-7, 1e-8];

/// Returns the end of contact as read from samples: one sample after the first one without contact.
fn sampled_duration(duration: f64, sample: f64) -> f64 {
    (duration / sample).ceil() * sample + sample
}

/// Returns the law of a row; in the tables contact ends at zero indentation.
pub fn law(row: TableLaw, on: &Experiment) -> Result<Law> {
    let (id, set) = match row {
        TableLaw::Known(id) => (id, Vec::new()),
        TableLaw::New(m, q) => (
            "zhang-2022",
            vec![("damping_exponent".to_string(), m), ("rate_exponent".to_string(), q)],
        ),
    };
    let damping = Damping::Restitution(on.restitution);
    model(id)?.law(&on.pair(), damping, Some(Exit::ZeroIndentation), &set)
}

/// Computes restitution and duration when the negative rate is raised to a complex power.
pub fn complex_impact(law: &Law, speed: f64) -> Result<Option<(f64, f64)>> {
    let no_power = || Error::unsupported("a complex power", "only power laws have one");
    let power = law.power().ok_or_else(no_power)?;
    let (n, m, q) = (power.elastic.value(), power.damping.value(), power.rate.value());
    let end = complex::impact(Exponents::new(n, m, q)?, power.epsilon(law.mass, speed))?;
    let time = power.length(law.mass, speed) / speed;
    Ok(end.map(|end| (end.restitution, end.duration * time)))
}

fn name(row: TableLaw) -> String {
    match row {
        TableLaw::New(m, q) => format!("m = {m}, q = {q:.1}"),
        TableLaw::Known(id) => id.to_string(),
    }
}

/// Adds every number of both tables.
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
            let fractional = matches!(row, TableLaw::New(_, q) if q != 1.0);
            let flown = if fractional { complex_impact(&law, on.speed)? } else { None };
            let complex = flown.map(|end| end.0);
            // Restitution, duration and peak force computed with the errors of the source.
            let (variants, why) = match row {
                ZHANG_2020 => {
                    let inferred =
                        collide(&law_with_damping_ratio(on, table.zhang_2020), on.speed)?;
                    let why = difference_reason(&law, on, table.zhang_2020);
                    let late = format!("{why}; samples of 0.01 µs, one late");
                    let variants = [
                        Some(inferred.restitution.newton),
                        Some(sampled_duration(inferred.duration, SAMPLE_INTERVALS[1])),
                        Some(inferred.force_max),
                    ];
                    (variants, [why.clone(), late, why])
                }
                _ => {
                    let known = matches!(row, TableLaw::Known(_));
                    let sample = SAMPLE_INTERVALS[usize::from(known)];
                    let late = match (known, fractional) {
                        (true, _) => "samples of 0.01 µs, one late",
                        (false, true) => "complex power; samples of 0.2 µs, one late",
                        (false, false) => "samples of 0.2 µs, one late",
                    };
                    let seen = sampled_duration(flown.map_or(impact.duration, |end| end.1), sample);
                    let why = ["complex power of the negative rate", late, ""].map(str::to_string);
                    ([complex, Some(seen), None], why)
                }
            };
            let quantities = [
                ("restitution", "", 1.0, real),
                ("duration", " (1e-4 s)", 1e4, impact.duration),
                ("peak force", " (N)", 1.0, impact.force_max),
            ];
            for (i, (what, unit, scale, value)) in quantities.into_iter().enumerate() {
                let name = name(row);
                let (variant, why) = (variants[i], why[i].as_str());
                let error = |value: f64| 100.0 * (value / measured[i] - 1.0);
                let scaled = variant.map(|value| scale * value);
                let quantity = format!("{name}: {what}{unit}");
                let (number, percent) = (printed[2 * i], printed[2 * i + 1]);
                let check = out.check(table.place, quantity, number, scale * value, scaled, why);
                // ε was inferred from the restitution of its row.
                if row == ZHANG_2020 && i == 0 {
                    check.chosen_to_match(format!("{why}; that ε is chosen to yield this number"));
                }
                let quantity = format!("{name}: error of the {what} (%)");
                out.check(table.place, quantity, percent, error(value), variant.map(error), why);
            }
            if fractional {
                ranks.push((on, row, real, complex.unwrap_or(f64::NAN)));
            }
        }
    }
    out.table(
        "Restitutions with q ≠ 1: the real law and the complex power",
        "ball | m, q | asked for | real law | complex power, modulus",
        ranks
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
    );
    claims(out);
    Ok(())
}

/// Adds the conclusions of the paper from the tables.
fn claims(out: &mut Reproduction) {
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
    // Relative spread of a column of the new model, largest over smallest value, in %.
    let spread = |table: &str, what: &str| {
        let column = out.checks.iter().filter(|check| {
            check.place == table
                && check.quantity.starts_with("m = ")
                && check.quantity.contains(&format!(": {what}"))
        });
        let (low, high) = crate::figure::finite_bounds(column.map(|check| check.recomputed));
        100.0 * (high / low - 1.0)
    };
    let found = ["Table 1", "Table 2"]
        .map(|table| (spread(table, "peak force"), spread(table, "duration")));
    out.claim(
        "Sect. 3.3.1",
        "m and q matter more to the peak force than to the duration",
        found.iter().all(|(force, duration)| force > duration),
        format!(
            "over the five pairs the peak force varies by {:.1} and {:.1} %, the duration by {:.2} and {:.2} % \
             (Tables 1 and 2)",
            found[0].0, found[1].0, found[0].1, found[1].1
        ),
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

/// Returns Hunt & Crossley's form with the damping ratio ε, for the bodies of an experiment.
fn law_with_damping_ratio(on: &Experiment, epsilon: f64) -> Law {
    let power = Power::new(on.stiffness, 1.5, 1.5, 1.0, Damper::Ratio(epsilon));
    Law::new(on.mass, Exit::ZeroIndentation, power)
}

/// Returns the reason why the row of Zhang 2020 differs.
fn difference_reason(law: &Law, on: &Experiment, inferred: f64) -> String {
    let given = law.power().map_or(f64::NAN, |power| power.epsilon(law.mass, on.speed));
    format!(
        "ε = {inferred}, not the {given:.4} of the formula that the review prints, 249(1−e)/(6+160e)"
    )
}
