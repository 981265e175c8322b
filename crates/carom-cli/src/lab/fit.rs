//! `POST fit`: fits laws to measured data, and answers with their ranking and the curves to draw.

use super::limits;
use super::progress::Job;
use super::stop::Stop;
use crate::failure::Failure;
use crate::measured_data::{Measured, read_from};
use carom::Error;
use carom::fit::table::{FoundColumn, Role};
use carom::fit::{Kind, Options, Ranking, Window, rank};
use carom::spec::Spec;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of the best laws whose curves are part of the answer.
const MAX_CURVES: usize = 8;

/// Roles that a request can give to columns.
const ROLES: [Role; 6] =
    [Role::Time, Role::Force, Role::Acceleration, Role::Indentation, Role::Speed, Role::Rebound];

/// Body of the request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    csv: String,
    #[serde(default)]
    spec: Spec,
    laws: Vec<String>,
    #[serde(default)]
    free: Vec<String>,
    #[serde(default)]
    loss: Option<String>,
    #[serde(default)]
    impact: Option<usize>,
    /// Columns by their roles (`time`, `force`, …), each given by its name or number, with its unit in brackets if the header does
    /// not contain it.
    #[serde(default)]
    columns: BTreeMap<String, String>,
    /// Name under which `progress/{job}` reports how many laws are done.
    #[serde(default)]
    job: Option<String>,
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct Fitted {
    kind: Kind,
    columns: Vec<FoundColumn>,
    /// Fitted points, with the time counted from touch.
    measured: Points,
    /// Curves of the best laws, in the order of `laws`.
    curves: Vec<Curve>,
    #[serde(flatten)]
    ranking: Ranking,
}

/// The curve of a fitted law, and its residuals at the measured points.
#[derive(Debug, Serialize)]
struct Curve {
    law: &'static str,
    x: Vec<f64>,
    force: Vec<f64>,
    /// Fitted minus measured force, point by point.
    residuals: Vec<f64>,
    /// Outline of the 95 % confidence band; empty if no parameter is free.
    band: Outline,
}

/// A closed line, along one edge and back along the other.
#[derive(Debug, Default, Serialize)]
struct Outline {
    x: Vec<f64>,
    force: Vec<f64>,
}

/// Measured columns in SI units; one of the first two is empty.
#[derive(Debug, Default, Serialize)]
struct Points {
    time: Vec<f64>,
    indentation: Vec<f64>,
    force: Vec<f64>,
}

/// Reads the data, fits the laws and ranks them.
pub fn fit(request: &Request, stop: &Stop) -> Result<Fitted, Failure> {
    limits::check_law_count(request.laws.len())?;
    let models: Result<Vec<_>, _> = request.laws.iter().map(|law| carom::model(law)).collect();
    let mut wanted = Vec::new();
    for (name, column) in &request.columns {
        let role = ROLES.into_iter().find(|role| role.name() == name).ok_or_else(|| {
            Error::unknown("role of a column", name, ROLES.map(Role::name), "name a known role")
        })?;
        wanted.push((Some(role), column.clone()));
    }
    let measured =
        Measured::new(read_from(request.csv.as_bytes(), "the data", &wanted, 0)?, false)?;
    let data = measured.data()?;
    let options = Options {
        free: request.free.clone(),
        loss: request.loss.as_deref().unwrap_or("squares").parse()?,
        window: Window { impact: request.impact, ..Window::default() },
        // The fit ends when its client disconnects.
        stop: stop.flag().clone(),
        ..Options::default()
    };
    let spec = Spec { law: String::new(), ..request.spec.clone() };
    let models = models?;
    let job = Job::begin(request.job.as_deref(), models.len() as f64);
    let ranking = rank(&data, &spec, &options, &models, &|done| job.done(done as f64))?;
    let mut points = Points::default();
    let mut curves = Vec::new();
    match (ranking.fits.first(), ranking.failed.first()) {
        (Some(best), _) => {
            let curve = &best.curve;
            points.force = curve.measured.clone();
            // Time is counted from the touch that the best fit found.
            let touch = match data.kind() {
                Kind::ForceIndentation => 0.0,
                _ => curve.law.first().map_or(0.0, |first| first.0),
            };
            let x = curve.x.iter().map(|x| x - touch).collect();
            match data.kind() {
                Kind::ForceIndentation => points.indentation = x,
                _ => points.time = x,
            }
            for (law, fit) in ranking.laws.iter().zip(&ranking.fits).take(MAX_CURVES) {
                let (x, force) = fit.curve.law.iter().map(|(x, force)| (x - touch, force)).unzip();
                let residuals = fit.curve.residuals.clone();
                let edges = fit.curve.lower.iter().chain(fit.curve.upper.iter().rev());
                let (edge_x, edge_force) = edges.map(|(x, force)| (x - touch, force)).unzip();
                let band = Outline { x: edge_x, force: edge_force };
                curves.push(Curve { law: law.law, x, force, residuals, band });
            }
        }
        (None, Some(failed)) => {
            return Err(Failure::Input(format!(
                "no law could be fitted; `{}`: {}",
                failed.law, failed.reason
            )));
        }
        (None, None) => return Err(Error::missing("laws", "choose at least one law").into()),
    }
    let columns = measured.found().to_vec();
    Ok(Fitted { kind: data.kind(), columns, measured: points, curves, ranking })
}
