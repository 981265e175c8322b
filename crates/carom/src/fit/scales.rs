//! Estimates speed and restitution from peaks, impulse and work of the data before the fit.

use super::outcomes::Observation;
use super::series::Series;
use super::start::Scales;
use crate::error::{Error, Result};
use crate::message::{Action, Message};
use crate::spec::{Case, missing_speed_error};

/// Restitutions that are tried if the data do not determine one.
const TRIAL_RESTITUTIONS: [f64; 4] = [0.7, 0.9, 0.5, 0.3];

/// Returns the estimates for a curve over time: m·v₀·(1 + e) is the impulse of the contact minus that of the external
/// force.
pub(super) fn from_time_record(series: &Series, case: &Case, speed: Option<f64>) -> Result<Scales> {
    let duration = 1.1 * (series.span.1 - series.span.0);
    let impulse = series.impulse() - case.conditions.external_force * duration;
    let momentum = impulse / case.pair.mass;
    let mut impacts = Vec::new();
    match speed {
        Some(speed) => {
            let ratio = momentum / speed;
            if !(0.5..=3.0).contains(&ratio) {
                let found = format!("{impulse:.4e} N*s, {ratio:.3e} times mass times speed");
                let allowed = "1 to 2 times mass times speed (1 plus the restitution)";
                return Err(Error::invalid("impulse", found, allowed, unit_advice(ratio)));
            }
            impacts.push((speed, (ratio - 1.0).clamp(0.05, 0.99)));
        }
        None => impacts.extend(TRIAL_RESTITUTIONS.map(|e| (momentum / (1.0 + e), e))),
    }
    if !impacts.iter().all(|(v, _)| v.is_finite() && *v > 0.0) {
        let advice = "check the sign of the force and the external force";
        return Err(Error::invalid("impulse", format!("{impulse:.4e} N*s"), "above 0", advice));
    }
    let (force, centre) = (Some(series.peak()), Some(series.centre()));
    Ok(Scales { impacts, force, indentation: None, duration: Some(duration), centre })
}

/// Returns advice on an impulse that does not match mass and speed: a ratio near a power of 1000 suggests a wrong
/// prefix of a unit.
fn unit_advice(ratio: f64) -> Message {
    let factor = ratio / 1.6;
    let power = (factor.log10() / 3.0).round();
    let wrong = match power != 0.0 && (factor.log10() - 3.0 * power).abs() < 0.4 {
        true => format!(
            "it is off by about 1e{}, as by a wrong prefix (kN for N, ms for s, g for kg)",
            3.0 * power
        ),
        false => "check the units of force, time, mass and speed".to_string(),
    };
    sentence!(
        "{}; units are named with the columns, as in \"F [kN]\" and \"t [ms]\"; or leave out {} to fit it",
        wrong,
        Action::leave_out("speed")
    )
}

/// Returns the estimates for a loop: the work of loading is ½·m·v₀², and e² is the share of it that unloading
/// returns.
pub(super) fn from_loop(series: &Series, case: &Case, speed: Option<f64>) -> Result<Scales> {
    let deepest = series.x.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |m| m.0);
    let work = |range: &[f64], force: &[f64]| -> f64 {
        let pairs = range.windows(2).zip(force.windows(2));
        pairs.map(|(x, f)| 0.5 * (x[1] - x[0]) * (f[0] + f[1])).sum()
    };
    let (loading, unloading) = (
        work(&series.x[..=deepest], &series.force[..=deepest]),
        -work(&series.x[deepest..], &series.force[deepest..]),
    );
    if !(loading > 0.0) {
        let allowed = "a loop in the order it was measured: loading first, then unloading";
        let advice = "sort the rows by time, or check which column is which";
        return Err(Error::invalid(
            "indentation",
            "falling from the first row on",
            allowed,
            advice,
        ));
    }
    let e = match unloading > 0.0 {
        true => (unloading / loading).sqrt().clamp(0.1, 0.99),
        // A record of loading alone contains no information on the restitution.
        false => 0.7,
    };
    let mass = case.pair.mass;
    if let Some(speed) = speed {
        let ratio = loading / (0.5 * mass * speed * speed);
        if !(0.2..=5.0).contains(&ratio) {
            let found = format!("{loading:.4e} J, {ratio:.3e} times the kinetic energy");
            let allowed = "about the kinetic energy m*v^2/2 of the approach";
            let advice = sentence!(
                "check the units of force, indentation, mass and speed, or leave out {} to fit it",
                Action::leave_out("speed")
            );
            return Err(Error::invalid("work", found, allowed, advice));
        }
    }
    let speed = speed.unwrap_or((2.0 * loading / mass).sqrt());
    Ok(Scales {
        impacts: vec![(speed, e)],
        force: Some(series.peak()),
        indentation: Some(series.span.1),
        duration: None,
        centre: None,
    })
}

/// Returns the estimates for a table of impacts from its first row with a restitution, or from its first row.
pub(super) fn from_outcomes(rows: &[Observation], speed: Option<f64>) -> Result<Scales> {
    let complete = |row: &&Observation| row.restitution.is_some() || row.requested.is_some();
    let Some(row) = rows.iter().find(complete).or(rows.first()) else {
        return Err(Error::missing("rows", "the table has none; give one row an impact"));
    };
    let Some(speed) = row.speed.or(speed) else {
        return Err(missing_speed_error("or a column of approach speeds"));
    };
    let e = row.restitution.or(row.requested).unwrap_or(0.7);
    Ok(Scales {
        impacts: vec![(speed, e)],
        force: row.force_max,
        indentation: row.indentation_max,
        duration: row.duration,
        centre: None,
    })
}
