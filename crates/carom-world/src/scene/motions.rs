//! Functions of time: displacements, angles of driven joints, and magnitudes of forces.

use super::Files;
use super::reader::{Read, Table};
use crate::motion::{Accelerogram, Motion, MotionTable};
use crate::world::Mobility;
use carom::Error;
use carom::units::Dimension;

/// Reads the prescribed motion of a body, where there is one.
pub(super) fn of_body(table: &Table, files: Files) -> Read<Option<Mobility>> {
    let Some(motion) = table.table("motion")? else { return Ok(None) };
    let direction = motion.direction("direction")?.unwrap_or(crate::math::Vec3::X);
    let found = read(&motion, Dimension::LENGTH, files)?;
    motion.finish()?;
    Ok(Some(Mobility::Driven { direction, motion: found }))
}

/// One of: `rate`, with `start`; `amplitude` and `frequency`, with `phase` and `start`; `times` and `values`, with
/// `interpolation`; `accelerations` (or a `file` of them) and `interval`, with `scale`.
pub(super) fn read(table: &Table, dimension: Dimension, files: Files) -> Read<Motion> {
    table.set_motion_dimension(dimension);
    let start = table.needed("start")?;
    let rate = table.quantity("rate")?;
    let amplitude = table.quantity("amplitude")?;
    let times = table.list("times")?;
    let accelerations = table.list("accelerations")?;
    let file = table.text("file")?;
    match (rate, amplitude, times, accelerations, file) {
        (Some(rate), None, None, None, None) => Ok(Motion::Steady { value: start, rate }),
        (None, Some(amplitude), None, None, None) => {
            let frequency = table.needed("frequency")?;
            let phase = table.needed("phase")?;
            Ok(Motion::Sine { offset: start, amplitude, frequency, phase })
        }
        (None, None, Some(times), None, None) => {
            let values = table.list("values")?.unwrap_or_default();
            let made = match table.choice("interpolation", "interpolation")? {
                Some("cubic") => MotionTable::cubic(times, values),
                _ => MotionTable::new(times, values),
            };
            Ok(Motion::Table(table.check(made)?))
        }
        (None, None, None, Some(samples), None) => record(table, samples),
        (None, None, None, None, Some(name)) => {
            let text = read_file(table, files, &name, "name a file beside the scene")?;
            record(table, table.check_at("file", numbers(&text))?)
        }
        (None, None, None, None, None) => Ok(Motion::Steady { value: start, rate: 0.0 }),
        _ => {
            let advice = "give one of: rate; amplitude and frequency; times and values; accelerations (or file) and interval";
            Err(table.fail(Error::unsupported("this motion", advice)))
        }
    }
}

/// The text of the file that the key `file` of a table names.
pub(crate) fn read_file(table: &Table, files: Files, name: &str, advice: &str) -> Read<String> {
    match files(name) {
        Ok(text) => Ok(text),
        Err(why) => table.invalid("file", format!("`{name}`"), format!("readable ({why})"), advice),
    }
}

fn record(table: &Table, samples: Vec<f64>) -> Read<Motion> {
    let interval = table.needed("interval")?;
    let scale = table.needed("scale")?;
    let scaled = samples.into_iter().map(|a| a * scale).collect();
    Ok(Motion::Accelerogram(table.check(Accelerogram::new(interval, scaled))?))
}

/// Reads all numbers of a text, separated by commas or spaces; lines that begin with # are comments.
fn numbers(text: &str) -> carom::Result<Vec<f64>> {
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim_start().starts_with('#') {
            continue;
        }
        for word in line.split([',', ' ', '\t', ';']).filter(|word| !word.is_empty()) {
            match word.parse::<f64>() {
                Ok(number) if number.is_finite() => found.push(number),
                _ => {
                    let (found, allowed) = (format!("`{word}`"), "a finite number");
                    let advice = format!("see line {} of the file; remarks begin with #", i + 1);
                    return Err(Error::invalid("sample", found, allowed, advice));
                }
            }
        }
    }
    Ok(found)
}
