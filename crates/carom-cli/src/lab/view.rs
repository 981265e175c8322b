//! `POST view`: computes one impact with several laws, each with its report and trajectory, and plots of all.

use super::law_request::LawRequest;
use super::limits;
use super::stop::Stop;
use crate::failure::Failure;
use crate::figure::{self, Figure, FigureFormat, FigureOptions, LawTrajectory, Measured, PlotArea};
use carom::Error;
use carom::impact::Trajectory;
use carom::message::WordedAction;
use carom::report::Report;
use carom::spec::Spec;
use serde::{Deserialize, Serialize};

/// Largest number of instants of a trajectory, and of rows of measured data.
const MAX_POINTS: usize = 2000;
const MAX_MEASURED_ROWS: usize = 20_000;

/// Body of the request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    #[serde(default)]
    spec: Spec,
    laws: Vec<LawRequest>,
    /// Number of instants of a trajectory.
    points: Option<usize>,
    /// Width of a plot (px).
    width: Option<f64>,
    /// Whether the plots are drawn as SVG; the page itself draws them from the trajectories.
    draw: Option<bool>,
    /// Whether trajectories have all digits instead of six.
    #[serde(default)]
    exact: bool,
    #[serde(default)]
    measured: Columns,
}

/// Measured columns of equal length, in SI units.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Columns {
    time: Vec<f64>,
    indentation: Vec<f64>,
    force: Vec<f64>,
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct ViewAnswer {
    results: Vec<Outcome>,
    plots: Vec<Plot>,
}

/// Result of one law: its report and trajectory, or the reason why there is none.
#[derive(Debug, Default, Serialize)]
struct Outcome {
    law: String,
    title: &'static str,
    /// Index of its colour and dash pattern.
    style: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Report>,
    #[serde(rename = "course", skip_serializing_if = "Option::is_none")]
    trajectory: Option<TrajectoryColumns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Advice about the error; the text of each item is part of the message.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    advice: Vec<WordedAction>,
    /// Parameter that the error concerns, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<String>,
}

/// A trajectory in the form in which the page reads it.
#[derive(Debug, Serialize)]
struct TrajectoryColumns {
    time: Vec<f64>,
    indentation: Vec<f64>,
    rate: Vec<f64>,
    force: Vec<f64>,
    kinetic: Vec<f64>,
    stored: Vec<f64>,
    dissipated: Vec<f64>,
}

/// A plot and the position of its axes.
#[derive(Debug, Serialize)]
struct Plot {
    name: &'static str,
    /// Columns of a trajectory that it shows.
    x: &'static str,
    y: &'static str,
    svg: String,
    frame: Option<PlotArea>,
}

/// Panels of [`figure::laws`]: name and columns.
const PANELS: [(&str, &str, &str); 4] = [
    ("force-time", "time", "force"),
    ("force-indentation", "indentation", "force"),
    ("motion", "indentation", "rate"),
    ("energy", "time", "dissipated"),
];

/// Computes the impact with each law and draws the plots.
pub fn view(request: &View, stop: &Stop) -> Result<ViewAnswer, Failure> {
    request.check()?;
    let results = request.run_laws(stop);
    let plots = match request.draw.unwrap_or(true) {
        false => Vec::new(),
        true => request
            .figure(&results)
            .plots(request.plot_width())
            .into_iter()
            .zip(PANELS)
            .map(|((svg, frame), (name, x, y))| Plot { name, x, y, svg, frame })
            .collect(),
    };
    let results = results.into_iter().map(|run| run.outcome(request.exact)).collect();
    Ok(ViewAnswer { results, plots })
}

/// Returns the plots as one figure, for a file.
pub fn picture(request: &View, kind: FigureFormat, stop: &Stop) -> Result<Vec<u8>, Failure> {
    request.check()?;
    request.figure(&request.run_laws(stop)).render(kind, &FigureOptions::default())
}

/// A law and the result of its run.
struct LawRun {
    law: String,
    title: &'static str,
    style: usize,
    result: Result<(Report, Trajectory), Error>,
}

impl LawRun {
    fn outcome(self, exact: bool) -> Outcome {
        let rounded = |column: Vec<f64>| if exact { column } else { six_digits(column) };
        let Self { law, title, style, result } = self;
        let mut outcome = Outcome { law, title, style, ..Outcome::default() };
        match result {
            Err(error) => {
                let message = error.message();
                outcome.parameter = error.parameter().map(str::to_string);
                (outcome.error, outcome.advice) = (Some(message.to_string()), message.advice());
            }
            Ok((report, motion)) => {
                outcome.report = Some(report);
                outcome.trajectory = Some(TrajectoryColumns {
                    time: rounded(motion.time),
                    indentation: rounded(motion.indentation),
                    rate: rounded(motion.rate),
                    force: rounded(motion.force),
                    kinetic: rounded(motion.kinetic),
                    stored: rounded(motion.stored),
                    dissipated: rounded(motion.dissipated),
                });
            }
        }
        outcome
    }
}

/// Rounds a column to six digits, which is finer than a pointer on the page can resolve and takes a third of the bytes.
fn six_digits(mut column: Vec<f64>) -> Vec<f64> {
    for value in &mut column {
        let digits = 5.0 - value.abs().log10().floor();
        let factor = 10f64.powf(digits.clamp(-300.0, 300.0));
        let rounded = (*value * factor).round() / factor;
        if rounded.is_finite() {
            *value = rounded;
        }
    }
    column
}

impl View {
    fn point_count(&self) -> usize {
        self.points.unwrap_or(200)
    }

    fn plot_width(&self) -> f64 {
        self.width.unwrap_or(460.0)
    }

    fn check(&self) -> Result<(), Error> {
        limits::check_law_count(self.laws.len())?;
        limits::check_at_most("points", self.point_count(), MAX_POINTS, "200 draw a smooth curve")?;
        let measured = &self.measured;
        let (rows, advice) = (measured.force.len(), "send every tenth row");
        limits::check_at_most("rows of measured data", rows, MAX_MEASURED_ROWS, advice)?;
        limits::check_plot_width(self.plot_width())?;
        for (name, column) in [("time", &measured.time), ("indentation", &measured.indentation)] {
            if !column.is_empty() && column.len() != rows {
                let advice = "send columns of equal length";
                return Err(Error::invalid(name, column.len(), format!("{rows} rows"), advice));
            }
        }
        Ok(())
    }

    fn run_laws(&self, stop: &Stop) -> Vec<LawRun> {
        let run = |(style, law): (usize, &LawRequest)| {
            let case = stop.flag().check().and_then(|()| law.spec(&self.spec).case());
            let result = case.and_then(|case| case.run_with_trajectory(self.point_count()));
            let title = carom::model(law.text()).map_or("", |model| model.title);
            LawRun { law: law.name(), title, style, result }
        };
        self.laws.iter().enumerate().map(run).collect()
    }

    fn figure(&self, results: &[LawRun]) -> Figure {
        let trajectories: Vec<LawTrajectory> = results
            .iter()
            .filter_map(|run| {
                let (_, trajectory) = run.result.as_ref().ok()?;
                Some(LawTrajectory {
                    name: run.law.clone(),
                    style: run.style,
                    trajectory: trajectory.clone(),
                })
            })
            .collect();
        let pairs =
            |x: &[f64]| x.iter().copied().zip(self.measured.force.iter().copied()).collect();
        let measured = Measured {
            over_time: pairs(&self.measured.time),
            over_indentation: pairs(&self.measured.indentation),
        };
        let subtitle = results
            .iter()
            .find_map(|run| run.result.as_ref().ok())
            .map_or(String::new(), |(report, _)| figure::conditions(report));
        figure::laws("Impacts", &subtitle, &trajectories, &measured)
    }
}
