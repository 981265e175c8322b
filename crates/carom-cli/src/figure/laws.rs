//! Several laws in one impact: four panels with one curve a law, and what was measured.

use super::{Axis, Curves, Figure, Panel, Series};
use carom::impact::Trajectory;

/// One law's course, under its name.
pub struct Course {
    /// In the legend.
    pub name: String,
    /// Colour and dashes.
    pub style: usize,
    /// The impact.
    pub course: Trajectory,
}

/// What was measured, in SI units: pairs of columns, any of which may be empty.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Force over time since touch.
    pub over_time: Vec<(f64, f64)>,
    /// Force over indentation.
    pub over_indentation: Vec<(f64, f64)>,
}

/// The style of measured data: ink, with the shortest dashes.
const MEASURED: usize = 6;

/// Force over time and over indentation, the motion, what is lost.
pub fn laws(title: &str, subtitle: &str, courses: &[Course], measured: &Measured) -> Figure {
    type Column = fn(&Trajectory) -> &Vec<f64>;
    let panel = |title: &str, x: (Axis, Column), y: (Axis, Column), data: &[(f64, f64)]| {
        let mut series: Vec<Series> = courses
            .iter()
            .map(|c| Series::new(c.name.as_str(), (x.1)(&c.course), (y.1)(&c.course), c.style))
            .collect();
        if !data.is_empty() {
            let points = data.to_vec();
            series.push(Series {
                name: "measured".to_string(),
                points,
                style: MEASURED,
                scattered: true,
            });
        }
        Panel::Curves(Curves {
            title: title.to_string(),
            x: x.0,
            y: y.0,
            series,
            ..Curves::default()
        })
    };
    let time = || -> (Axis, Column) { (Axis::new("time", "s"), |c| &c.time) };
    let depth = || -> (Axis, Column) { (Axis::new("indentation", "m"), |c| &c.indentation) };
    let force = || -> (Axis, Column) { (Axis::new("force", "N"), |c| &c.force) };
    Figure {
        title: title.to_string(),
        subtitle: subtitle.to_string(),
        rows: vec![
            vec![
                panel("Force over time", time(), force(), &measured.over_time),
                panel("Force over indentation", depth(), force(), &measured.over_indentation),
            ],
            vec![
                panel("Motion", depth(), (Axis::new("indentation rate", "m/s"), |c| &c.rate), &[]),
                panel(
                    "Energy lost",
                    time(),
                    (Axis::new("dissipated energy", "J"), |c| &c.dissipated),
                    &[],
                ),
            ],
        ],
        caption: String::new(),
    }
}
