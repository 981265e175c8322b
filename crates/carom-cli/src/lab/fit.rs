//! Measured data: CSV text in, fitted laws and the points to overlay out.

use super::stop::Stop;
use crate::failure::Failure;
use crate::measured_data::{Measured, read_from};
use carom::Error;
use carom::fit::table::FoundColumn;
use carom::fit::{Kind, Options, Ranking, Window, rank};
use carom::spec::Spec;
use serde::{Deserialize, Serialize};

/// Limit on the laws of one request; the whole catalogue takes about a second.
const MAX_LAWS: usize = 100;

/// The body of the request.
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
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct Fitted {
    kind: Kind,
    columns: Vec<FoundColumn>,
    /// The points that were fitted, time counted from touch.
    measured: Points,
    #[serde(flatten)]
    ranking: Ranking,
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
    if request.laws.len() > MAX_LAWS {
        let advice = "ask for fewer at a time";
        let (given, allowed) = (request.laws.len(), format!("at most {MAX_LAWS}"));
        return Err(Error::invalid("the number of laws", given, allowed, advice).into());
    }
    let models: Result<Vec<_>, _> = request.laws.iter().map(|law| carom::model(law)).collect();
    let measured = Measured::new(read_from(request.csv.as_bytes(), "the data", &[])?, false)?;
    let data = measured.data()?;
    let options = Options {
        free: request.free.clone(),
        loss: request.loss.as_deref().unwrap_or("squares").parse()?,
        window: Window { impact: request.impact, ..Window::default() },
        // A long fit ends when its client has gone.
        stop: stop.flag().clone(),
        ..Options::default()
    };
    let spec = Spec { law: String::new(), ..request.spec.clone() };
    let ranking = rank(&data, &spec, &options, &models?, &|_| {})?;
    let mut points = Points::default();
    match (ranking.fits.first(), ranking.failed.first()) {
        (Some(best), _) => {
            let curve = &best.curve;
            points.force = curve.measured.clone();
            match data.kind() {
                Kind::ForceIndentation => points.indentation = curve.x.clone(),
                _ => {
                    let touch = curve.law.first().map_or(0.0, |first| first.0);
                    points.time = curve.x.iter().map(|x| x - touch).collect();
                }
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
    Ok(Fitted { kind: data.kind(), columns: measured.found().to_vec(), measured: points, ranking })
}
