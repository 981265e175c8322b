//! One impact in four panels: force over time and over indentation, the motion, the energies.

use super::{Axis, Curves, Figure, Panel, Series};
use carom::impact::Trajectory;
use carom::report::Report;
use carom::spec::Case;
use carom::units::{Dimension, format};

/// The figure of a case and its report.
pub fn impact(case: &Case, report: &Report) -> carom::Result<Figure> {
    let points = points(report);
    let course = Trajectory::new(&case.law()?, case.speed, &case.conditions, points)?;
    let single = |label, unit, y: &[f64], x: Axis, xs: &[f64]| {
        Panel::Curves(Curves {
            x,
            y: Axis::new(label, unit),
            series: vec![Series::new("", xs, y, 0)],
            ..Curves::default()
        })
    };
    let time = || Axis::new("time", "s");
    let depth = || Axis::new("indentation", "m");
    let energies = [
        ("kinetic", &course.kinetic),
        ("stored", &course.stored),
        ("dissipated", &course.dissipated),
    ];
    let energy = Panel::Curves(Curves {
        x: time(),
        y: Axis::new("energy", "J"),
        series: energies
            .iter()
            .enumerate()
            .map(|(style, (name, values))| Series::new(*name, &course.time, values, style))
            .collect(),
        ..Curves::default()
    });
    Ok(Figure {
        title: case.model.title.to_string(),
        subtitle: subtitle(report),
        rows: vec![
            vec![
                single("force", "N", &course.force, time(), &course.time),
                single("force", "N", &course.force, depth(), &course.indentation),
            ],
            vec![
                single("indentation rate", "m/s", &course.rate, depth(), &course.indentation),
                energy,
            ],
        ],
        caption: caption(report),
    })
}

/// Enough instants for the peak, also where a long creep follows it.
pub(super) fn points(report: &Report) -> usize {
    let creep =
        report.duration / report.time_of_force_max.max(0.02 * report.time_of_indentation_max);
    match creep.is_finite() {
        true => (100.0 * creep).clamp(1000.0, 40_000.0) as usize,
        false => 2000,
    }
}

/// The bodies and the speed, without the law.
pub fn conditions(report: &Report) -> String {
    let pair = &report.pair;
    format!(
        "m = {}, K = {}, n = {}, at {}",
        format(pair.mass, "kg"),
        format(pair.stiffness, &Dimension::stiffness_unit(pair.exponent)),
        format(pair.exponent, ""),
        format(report.speed, "m/s"),
    )
}

fn subtitle(report: &Report) -> String {
    let pair = &report.pair;
    let e = &report.restitution;
    let asked = match e.requested {
        Some(requested) => format!("e = {:.4} for {requested} requested", e.newton),
        None => format!("e = {:.4}", e.newton),
    };
    let how = match report.damping.calibration {
        "published" => " (published formula)",
        "exact" => " (exact calibration)",
        _ => "",
    };
    format!(
        "{} at {}: {asked}{how}. m = {}, K = {}, n = {}; contact ends at zero {}.",
        report.law,
        format(report.speed, "m/s"),
        format(pair.mass, "kg"),
        format(pair.stiffness, &Dimension::stiffness_unit(pair.exponent)),
        format(pair.exponent, ""),
        report.exit.name(),
    )
}

fn caption(report: &Report) -> String {
    match report.duration.is_finite() {
        true => String::new(),
        false => "The bodies never separate; the course is shown to three times the time of the \
                  largest indentation."
            .to_string(),
    }
}
