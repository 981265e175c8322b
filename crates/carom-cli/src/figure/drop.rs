//! Figure of a drop test: the recording with the bounces that were found, and restitution over speed.

use super::{Axis, Curves, Figure, Guide, Panel, Series, finite_bounds};
use carom::drop_test::{DropReport, Wave};

/// Style of measured points and of the wave: grey.
const MEASURED_STYLE: usize = 7;
/// Number of points of the fitted curve.
const FITTED_CURVE_POINTS: i32 = 80;
/// Number of dots of an error bar.
const ERROR_BAR_DOTS: u32 = 60;

/// Returns the figure of a drop test.
pub fn drop(report: &DropReport) -> Figure {
    let mut panels: Vec<Panel> = report.wave.iter().map(wave_panel).collect();
    panels.push(restitution_panel(report));
    let count = report.impacts.len();
    let measured = match report.source {
        "heights" => "heights",
        "times" => "times between bounces",
        "sound" => "a recording",
        _ => "a track",
    };
    Figure {
        title: "Restitution over speed".to_string(),
        subtitle: format!("{count} impacts, from {measured}"),
        rows: vec![panels],
        caption: format!("Bars are standard errors; {}.", report.dependence.reason),
    }
}

/// Plots the wave as a band between its smallest and largest samples, with a line at each bounce.
fn wave_panel(wave: &Wave) -> Panel {
    let band = wave.parts.iter().flat_map(|&(t, low, high)| [(t, low), (t, high)]).collect();
    let level = wave.parts.iter().map(|part| part.2.max(-part.1)).fold(0.0, f64::max);
    let mark = |times: &[f64]| times.iter().map(|t| (*t, 1.08 * level)).collect();
    let mut series = vec![
        Series::through("recording", band, MEASURED_STYLE),
        Series::through("bounces", mark(&wave.bounces), 0).scattered(),
    ];
    if !wave.others.is_empty() {
        series.push(Series::through("other sounds", mark(&wave.others), 3).scattered());
    }
    let number = |(i, t): (usize, &f64)| Guide::Vertical(*t, (i + 1).to_string());
    Panel::Curves(Curves {
        guides: wave.bounces.iter().enumerate().map(number).collect(),
        ..Curves::new(
            "The bounces that were found",
            Axis::new("time", "s"),
            Axis::new("sound", ""),
            series,
        )
    })
}

/// Returns the fitted restitution at `steps` + 1 speeds, in a range slightly wider than that of the measured ones.
pub fn fitted_restitution(report: &DropReport, steps: i32) -> Vec<(f64, f64)> {
    let (low, high) = finite_bounds(report.impacts.iter().map(|impact| impact.speed));
    let (low, high) = (0.97 * low, 1.03 * high);
    let speed = |i: i32| low * (high / low).powf(f64::from(i) / f64::from(steps));
    (0..=steps).map(speed).map(|speed| (speed, report.dependence.at(speed).0)).collect()
}

fn restitution_panel(report: &DropReport) -> Panel {
    let fitted = fitted_restitution(report, FITTED_CURVE_POINTS);
    // Error bars are drawn as rows of dots, so that they need no line style of their own.
    let mut bars = Vec::new();
    for impact in &report.impacts {
        for i in 0..=ERROR_BAR_DOTS {
            let along = 2.0 * f64::from(i) / f64::from(ERROR_BAR_DOTS) - 1.0;
            bars.push((impact.speed, impact.restitution + along * impact.restitution_error));
            bars.push((impact.speed + along * impact.speed_error, impact.restitution));
        }
    }
    let points = report.impacts.iter().map(|impact| (impact.speed, impact.restitution)).collect();
    let series = vec![
        Series::through(report.dependence.form, fitted, 0),
        Series::through("", bars, MEASURED_STYLE).scattered(),
        Series::through("measured", points, 1).scattered(),
    ];
    Panel::curves("", Axis::new("impact speed", "m/s"), Axis::new("restitution", ""), series)
}
