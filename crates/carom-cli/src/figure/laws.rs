//! Figure of one impact with several laws: four panels with one curve per law, and measured data.

use super::{Axis, Figure, Panel, Series};
use carom::impact::Trajectory;

/// Trajectory of an impact with one law.
pub struct LawTrajectory {
    /// Entry in the legend.
    pub name: String,
    /// Index of its colour and dash pattern.
    pub style: usize,
    /// Time, indentation, force, … of the impact.
    pub trajectory: Trajectory,
}

/// Measured points in SI units; either list may be empty.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Force over the time since the onset of contact.
    pub over_time: Vec<(f64, f64)>,
    /// Force over indentation.
    pub over_indentation: Vec<(f64, f64)>,
}

/// Style of measured data: the colour of text.
const MEASURED_STYLE: usize = 6;

/// Returns the figure: force over time and over indentation, rate over indentation, dissipated energy over time.
pub fn laws(
    title: &str,
    subtitle: &str,
    trajectories: &[LawTrajectory],
    measured: &Measured,
) -> Figure {
    type Column = fn(&Trajectory) -> &Vec<f64>;
    let panel = |title: &str, x: (Axis, Column), y: (Axis, Column), data: &[(f64, f64)]| {
        let curve = |law: &LawTrajectory| {
            Series::new(&*law.name, (x.1)(&law.trajectory), (y.1)(&law.trajectory), law.style)
        };
        let mut series: Vec<Series> = trajectories.iter().map(curve).collect();
        if !data.is_empty() {
            let points = data.to_vec();
            series.push(Series::through("measured", points, MEASURED_STYLE).scattered());
        }
        Panel::curves(title, x.0, y.0, series)
    };
    let time = || -> (Axis, Column) { (Axis::new("time", "s"), |c| &c.time) };
    let indentation = || -> (Axis, Column) { (Axis::new("indentation", "m"), |c| &c.indentation) };
    let force = || -> (Axis, Column) { (Axis::new("force", "N"), |c| &c.force) };
    let rate = (Axis::new("indentation rate", "m/s"), (|c| &c.rate) as Column);
    let dissipated = (Axis::new("dissipated energy", "J"), (|c| &c.dissipated) as Column);
    let (over_time, over_indentation) = (&measured.over_time, &measured.over_indentation);
    let rows = vec![
        vec![
            panel("Force over time", time(), force(), over_time),
            panel("Force over indentation", indentation(), force(), over_indentation),
        ],
        vec![
            panel("Motion", indentation(), rate, &[]),
            panel("Energy lost", time(), dissipated, &[]),
        ],
    ];
    Figure::new(title, subtitle, rows)
}
