//! Figure of one impact: force over time and over indentation, rate over indentation, energies over time.

use super::{Axis, Figure, Panel, Series};
use carom::impact::Trajectory;
use carom::report::Report;
use carom::spec::Case;
use carom::units::{Dimension, format};

/// Returns the figure of a case and its report.
pub fn impact(case: &Case, report: &Report) -> carom::Result<Figure> {
    let points = point_count(report);
    let trajectory = Trajectory::new(&case.law()?, case.speed, &case.conditions, points)?;
    type Column<'a> = (Axis, &'a [f64]);
    let panel = |(x_axis, x): Column, (y_axis, y): Column| {
        Panel::curves("", x_axis, y_axis, vec![Series::new("", x, y, 0)])
    };
    let time = || -> Column { (Axis::new("time", "s"), &trajectory.time) };
    let indentation = || -> Column { (Axis::new("indentation", "m"), &trajectory.indentation) };
    let force = || -> Column { (Axis::new("force", "N"), &trajectory.force) };
    let rate = (Axis::new("indentation rate", "m/s"), trajectory.rate.as_slice());
    let energies = [
        ("kinetic", &trajectory.kinetic),
        ("stored", &trajectory.stored),
        ("dissipated", &trajectory.dissipated),
    ];
    let energies = energies.into_iter().enumerate();
    let energies = energies
        .map(|(style, (name, values))| Series::new(name, &trajectory.time, values, style))
        .collect();
    let energy = Panel::curves("", time().0, Axis::new("energy", "J"), energies);
    Ok(Figure {
        title: case.model.title.to_string(),
        subtitle: subtitle(report),
        rows: vec![
            vec![panel(time(), force()), panel(indentation(), force())],
            vec![panel(indentation(), rate), energy],
        ],
        caption: caption(report),
    })
}

/// Returns the number of points of the trajectory, which resolves the peak even if a long creep follows it.
fn point_count(report: &Report) -> usize {
    let creep =
        report.duration / report.time_of_force_max.max(0.02 * report.time_of_indentation_max);
    if creep.is_finite() { (100.0 * creep).clamp(1000.0, 40_000.0) as usize } else { 2000 }
}

/// Formats effective mass, stiffness and exponent.
pub(super) fn pair_text(mass: f64, stiffness: f64, exponent: f64) -> String {
    format!(
        "m = {}, K = {}, n = {}",
        format(mass, "kg"),
        format(stiffness, &Dimension::stiffness_unit(exponent)),
        format(exponent, ""),
    )
}

/// Formats effective mass, stiffness, exponent and approach speed.
pub fn conditions(report: &Report) -> String {
    let pair = &report.pair;
    let pair = pair_text(pair.mass, pair.stiffness, pair.exponent);
    format!("{pair}, at {}", format(report.speed, "m/s"))
}

fn subtitle(report: &Report) -> String {
    let pair = &report.pair;
    let e = &report.restitution;
    let requested = match e.requested {
        Some(requested) => format!("e = {:.4} for {requested} requested", e.newton),
        None => format!("e = {:.4}", e.newton),
    };
    let how = match report.damping.calibration {
        "published" => " (published formula)",
        "exact" => " (exact calibration)",
        _ => "",
    };
    format!(
        "{} at {}: {requested}{how}. {}; contact ends at zero {}.",
        report.law,
        format(report.speed, "m/s"),
        pair_text(pair.mass, pair.stiffness, pair.exponent),
        report.exit.name(),
    )
}

fn caption(report: &Report) -> String {
    match report.duration.is_finite() {
        true => String::new(),
        false => "The bodies never separate; the motion is shown to three times the time of the \
                  largest indentation."
            .to_string(),
    }
}
