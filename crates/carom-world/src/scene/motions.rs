//! Functions of time: displacements, angles of driven joints, and magnitudes of forces.

use super::Files;
use super::reader::{Read, SceneTable};
use crate::math::Vec3;
use crate::motion::{Accelerogram, Motion, MotionTable};
use crate::path::{Path, PrescribedRotation};
use crate::world::Mobility;
use carom::Error;
use carom::units::Dimension;

/// Reads the prescribed motion of a body that starts at a position, if there is one: along a line, through points, and about an
/// axis.
pub(super) fn read_body_motion(
    table: &SceneTable,
    position: Vec3,
    planar: bool,
    files: Files,
) -> Read<Option<Mobility>> {
    let mut path = Path::default();
    if let Some(motion) = table.table("motion")? {
        let direction = motion.direction("direction")?.unwrap_or(Vec3::X);
        path.displacements.push((direction, read(&motion, Dimension::LENGTH, files)?));
        motion.finish()?;
    }
    if let Some(points) = table.table("path")? {
        path.displacements.extend(read_points(&points)?);
        points.finish()?;
    }
    if let Some(turn) = table.table("turn")? {
        let axis = turn.direction("axis")?.unwrap_or(Vec3::Z);
        if planar && axis.perpendicular_to(Vec3::Z).length() > 1e-9 {
            let what = "a rotation out of the plane of a planar scene";
            return turn.unsupported("axis", what, "leave the axis out: it is z in a plane");
        }
        let point = turn.vector("point")?.map_or(Vec3::ZERO, |point| point - position);
        let angle = read(&turn, Dimension::NUMBER, files)?;
        turn.finish()?;
        path.rotation = Some(PrescribedRotation { axis, point, angle });
    }
    let driven = path != Path::default();
    Ok(driven.then_some(Mobility::Driven(path)))
}

/// Reads a path through points as one table of values for each axis.
fn read_points(table: &SceneTable) -> Read<Vec<(Vec3, Motion)>> {
    let times = table.list("times")?.unwrap_or_default();
    let advice = "give a displacement [x, y, z] for each time";
    let points = table.or_missing("points", table.points("points")?, advice)?;
    let kind = table.choice("interpolation", "interpolation")?;
    let column = |of: fn(&Vec3) -> f64| {
        motion_table(table, kind, times.clone(), points.iter().map(of).collect())
    };
    Ok(vec![(Vec3::X, column(|p| p.x)?), (Vec3::Y, column(|p| p.y)?), (Vec3::Z, column(|p| p.z)?)])
}

/// Reads a function of time from one of these groups of keys: `rate`, with `start`; `amplitude` and `frequency`, with `phase`
/// and `start`; `times` and `values`, with `interpolation`; `accelerations` (or a `file` of them) and `interval`, with `scale`.
pub(super) fn read(table: &SceneTable, dimension: Dimension, files: Files) -> Read<Motion> {
    table.set_motion_dimension(dimension);
    let start = table.required_quantity("start")?;
    let rate = table.quantity("rate")?;
    let amplitude = table.quantity("amplitude")?;
    let times = table.list("times")?;
    let accelerations = table.list("accelerations")?;
    let file = table.text("file")?;
    match (rate, amplitude, times, accelerations, file) {
        (Some(rate), None, None, None, None) => Ok(Motion::Steady { value: start, rate }),
        (None, Some(amplitude), None, None, None) => {
            let frequency = table.required_quantity("frequency")?;
            let phase = table.required_quantity("phase")?;
            Ok(Motion::Sine { offset: start, amplitude, frequency, phase })
        }
        (None, None, Some(times), None, None) => {
            let values = table.list("values")?.unwrap_or_default();
            motion_table(table, table.choice("interpolation", "interpolation")?, times, values)
        }
        (None, None, None, Some(samples), None) => accelerogram(table, samples),
        (None, None, None, None, Some(name)) => {
            let text = read_file(table, files, &name, "name a file beside the scene")?;
            accelerogram(table, table.check_at("file", parse_numbers(&text))?)
        }
        (None, None, None, None, None) if table.has("start") => {
            Ok(Motion::Steady { value: start, rate: 0.0 })
        }
        (None, None, None, None, None) => {
            let advice = "give start for a constant one, or rate; amplitude and frequency; times and values; accelerations (or file) and interval";
            table.missing("a value over time", advice)
        }
        _ => {
            let advice = "give one of: rate; amplitude and frequency; times and values; accelerations (or file) and interval";
            Err(table.error_here(Error::unsupported("this motion", advice)))
        }
    }
}

fn motion_table(
    table: &SceneTable,
    interpolation: Option<&str>,
    times: Vec<f64>,
    values: Vec<f64>,
) -> Read<Motion> {
    let motion = match interpolation {
        Some("cubic") => MotionTable::cubic(times, values),
        _ => MotionTable::new(times, values),
    };
    table.check(motion).map(Motion::Table)
}

/// Returns the text of the file named by the key `file` of a table.
pub(crate) fn read_file(
    table: &SceneTable,
    files: Files,
    name: &str,
    advice: &str,
) -> Read<String> {
    match files(name) {
        Ok(text) => Ok(text),
        Err(why) => table.invalid("file", format!("`{name}`"), format!("readable ({why})"), advice),
    }
}

fn accelerogram(table: &SceneTable, samples: Vec<f64>) -> Read<Motion> {
    let interval = table.required_quantity("interval")?;
    let scale = table.required_quantity("scale")?;
    let scaled = samples.into_iter().map(|a| a * scale).collect();
    Ok(Motion::Accelerogram(table.check(Accelerogram::new(interval, scaled))?))
}

/// Reads all numbers of a text, separated by commas or spaces; lines that begin with # are comments.
fn parse_numbers(text: &str) -> carom::Result<Vec<f64>> {
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
