//! Figure of a bifurcation diagram: points of the Poincaré section over the parameter, and the largest Lyapunov exponent.

use super::scale::finite_bounds;
use super::{Axis, Curves, Figure, Guide, Panel, Series};
use serde::Serialize;
use std::collections::BTreeMap;

/// Half the length of the error bars of an exponent, in standard errors.
const ERROR_BAR_STANDARD_ERRORS: f64 = 2.0;

/// Poincaré sections of a scene for the values of a key.
#[derive(Serialize)]
pub struct Diagram {
    /// Title of the scene.
    pub title: String,
    /// Key that varies.
    pub parameter: String,
    /// SI unit of the values of the key; empty for pure numbers.
    pub unit: String,
    /// When points are taken: `turn` or `touch`.
    pub section: String,
    /// Number of turns left out at the start.
    pub skip: usize,
    /// Number of turns in which points are taken.
    pub turns: usize,
    /// Coordinate that a figure shows.
    pub shown: String,
    /// SI unit of that coordinate.
    #[serde(skip)]
    pub shown_unit: String,
    /// Results for each value, in the order of the values.
    pub cases: Vec<DiagramCase>,
}

/// Results for one value of the parameter.
#[derive(Serialize)]
pub struct DiagramCase {
    /// Value of the parameter, in SI units.
    pub value: f64,
    /// `ok`, or the kind of error.
    pub status: String,
    /// Duration of one turn (s).
    pub period: Option<f64>,
    /// Number of turns after which the whole state repeats; absent if it does not repeat.
    pub repeats: Option<usize>,
    /// Largest Lyapunov exponent (1/s): positive for chaotic motion.
    pub lyapunov: Option<f64>,
    /// Standard error of the Lyapunov exponent (1/s).
    pub lyapunov_error: Option<f64>,
    /// Coordinates of the points of the section, by name, in the order of time.
    pub points: BTreeMap<String, Vec<f64>>,
}

/// Returns the figure of a diagram.
pub fn bifurcation(diagram: &Diagram) -> Figure {
    let cases = || diagram.cases.iter();
    let values = || cases().map(|case| case.value);
    let (low, high) = finite_bounds(values());
    let margin = 0.01 * (high - low);
    let x = || {
        let label = diagram.parameter.replace('_', " ");
        match low < high {
            true => Axis::fixed(label, diagram.unit.clone(), low - margin, high + margin),
            false => Axis::new(label, diagram.unit.clone()),
        }
    };
    let of_case = |case: &DiagramCase| {
        let shown = case.points.get(&diagram.shown).cloned().unwrap_or_default();
        shown.into_iter().map(|point| (case.value, point)).collect::<Vec<_>>()
    };
    let points = Series::through("", cases().flat_map(of_case).collect(), 0).scattered();
    let name = coordinate_label(&diagram.shown);
    let y = Axis::new(name, diagram.shown_unit.clone());
    let mut panels = vec![Panel::curves("Poincaré section", x(), y, vec![points])];
    let found = || cases().filter_map(|case| Some((case.value, case.lyapunov?, case)));
    if found().next().is_some() {
        let line = found().map(|(value, exponent, _)| (value, exponent)).collect();
        let bars = found().flat_map(|(value, exponent, case)| {
            let error = ERROR_BAR_STANDARD_ERRORS * case.lyapunov_error.unwrap_or(0.0);
            [(value, exponent - error), (value, exponent + error), (f64::NAN, f64::NAN)]
        });
        panels.push(Panel::Curves(Curves {
            title: "Largest Lyapunov exponent".into(),
            x: x(),
            y: Axis::new("exponent", "1/s"),
            series: vec![
                Series::through("± 2 standard errors", bars.collect(), 0),
                Series::through("exponent", line, 1).scattered(),
            ],
            guides: vec![Guide::Horizontal(0.0, String::new())],
        }));
    }
    let when = match diagram.section.as_str() {
        "touch" => "at every touch",
        _ => "once a turn",
    };
    let (turns, skip) = (diagram.turns, diagram.skip);
    Figure::new(
        diagram.title.clone(),
        format!("points {when}, {turns} turns after {skip} left out"),
        vec![panels],
    )
}

/// Returns the axis label of a column of the section: its name without the unit.
fn coordinate_label(column: &str) -> String {
    let units = ["_m_per_s2", "_m_per_s", "_m", "_s"];
    let name = units.iter().find_map(|unit| column.strip_suffix(unit)).unwrap_or(column);
    let known = [
        ("vx", "velocity along x"),
        ("vy", "velocity along y"),
        ("vz", "velocity along z"),
        ("ax", "acceleration along x"),
        ("ay", "acceleration along y"),
        ("az", "acceleration along z"),
        ("speed", "approach speed"),
        ("phase", "phase of the touch, in turns"),
    ];
    let known = known.iter().find(|(short, _)| *short == name);
    known.map_or_else(|| name.replace('_', " "), |(_, long)| long.to_string())
}
