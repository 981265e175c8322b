//! Figure of an advice: restitution of the recommended laws over speed, and error over step size.

use super::{Axis, Curves, Figure, Guide, Panel, Series};
use carom::advise::{Advice, Delivered, Recommendation, StepAdvice};
use carom::units::format;

/// Returns the figure of an advice.
pub fn advise(advice: &Advice) -> Figure {
    let mut row = Vec::new();
    if advice.recommended.iter().any(|law| law.delivered.len() > 1) {
        row.push(restitution_panel(advice));
    }
    if let Some(step) = &advice.step {
        row.push(error_panel(step));
    }
    let problem = &advice.problem;
    let e = match problem.restitution_range {
        Some((first, last)) if first == last => format!("{first}"),
        Some((first, last)) => format!("{first} to {last}"),
        None => "unknown".to_string(),
    };
    Figure {
        title: match advice.recommended.first() {
            Some(law) => format!("Advice: {}", law.title),
            None => "Advice".to_string(),
        },
        subtitle: format!(
            "{} contact, {} to {}, restitution {e}. Calibrated exactly at {}.",
            problem.purpose.name(),
            format(problem.speed_min, "m/s"),
            format(problem.speed_max, "m/s"),
            format(problem.reference_speed, "m/s"),
        ),
        rows: vec![row],
        caption: "Errors are the worst over all phases of the touch within the step. \
                  velocity-verlet, with the damping from the half-step speed, is the same scheme as \
                  semi-implicit-euler."
            .to_string(),
    }
}

/// Plots restitution over speed; a law has two curves if a constant damping and one set for each impact differ.
fn restitution_panel(advice: &Advice) -> Panel {
    let mut series = Vec::new();
    for law in &advice.recommended {
        let constant = points_over_speed(law, |at| at.constant);
        let each = points_over_speed(law, |at| at.per_impact);
        let differ = each.iter().zip(&constant).any(|(a, b)| (a.1 - b.1).abs() > 1e-3);
        let ways = [(constant, "constant c"), (each, "c set for each impact")];
        let shown = ways.into_iter().filter(|(points, _)| points.iter().any(|p| p.1.is_finite()));
        for (points, how) in shown.take(if differ { 2 } else { 1 }) {
            let style = series.len();
            series.push(Series::through(format!("{}, {how}", law.law), points, style));
        }
    }
    let wanted = advice.problem.restitution_range.filter(|(first, last)| first == last);
    let guides = wanted.map(|(e, _)| Guide::Horizontal(e, "wanted".to_string()));
    if guides.is_none()
        && let Some(law) = advice.recommended.first()
        && law.delivered.iter().any(|at| at.wanted.is_some())
    {
        let style = series.len();
        series.push(Series::through("wanted", points_over_speed(law, |at| at.wanted), style));
    }
    // The axis is logarithmic, because laws depend on powers of the speed, except for narrow ranges, which would have fewer than
    // two ticks (1, 2, 5, …).
    let problem = &advice.problem;
    let log = problem.speed_max >= 5.0 * problem.speed_min;
    Panel::Curves(Curves {
        title: "Restitution delivered".to_string(),
        x: Axis { log, ..Axis::new("approach speed", "m/s") },
        y: Axis::new("restitution", ""),
        series,
        guides: guides.into_iter().collect(),
    })
}

fn points_over_speed(law: &Recommendation, of: fn(&Delivered) -> Option<f64>) -> Vec<(f64, f64)> {
    law.delivered.iter().map(|at| (at.speed, of(at).unwrap_or(f64::NAN))).collect()
}

/// Plots the worst error of the restitution over the number of steps per contact, on logarithmic axes.
fn error_panel(step: &StepAdvice) -> Panel {
    let series = step.integrators.iter().filter(|one| one.integrator.name() != "velocity-verlet");
    let series = series
        .enumerate()
        .map(|(style, one)| {
            Series::through(
                one.integrator.name(),
                one.errors
                    .iter()
                    .map(|at| {
                        let worst = at.worst.filter(|worst| *worst > 0.0).unwrap_or(f64::NAN);
                        (at.steps_per_contact, worst)
                    })
                    .collect(),
                style,
            )
        })
        .collect();
    let marks = [(1e-2, "1 %"), (1e-3, "0.1 %")];
    Panel::Curves(Curves {
        title: "Error of the restitution by step".to_string(),
        x: Axis { log: true, ..Axis::fixed("steps per contact T/h", "", 10.0, 1000.0) },
        y: Axis { log: true, ..Axis::new("relative error of the restitution", "") },
        series,
        guides: marks.map(|(at, name)| Guide::Horizontal(at, name.to_string())).to_vec(),
    })
}
