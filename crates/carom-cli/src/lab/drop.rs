//! `POST drop`: evaluates a drop test from heights, times, a table or a recording; answers with impacts, the fitted restitution and
//! the recorded wave.

use crate::failure::Failure;
use crate::figure::fitted_restitution;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom::Error;
use carom::drop_test::{DropReport, Record, Sound, Spec};
use serde::{Deserialize, Serialize};

/// Number of points of the fitted curve.
const FITTED_CURVE_POINTS: i32 = 60;

/// Body of the request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Measured and known quantities, as the options of `carom drop`.
    #[serde(default)]
    spec: Spec,
    /// Text of a table.
    #[serde(default)]
    csv: Option<String>,
    /// Bytes of a recording (WAV), in base64.
    #[serde(default)]
    wav: Option<String>,
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct Evaluated {
    #[serde(flatten)]
    report: DropReport,
    /// Fitted restitution over speed.
    fitted: Columns,
    /// Recording: smallest and largest sample of consecutive short parts.
    wave: Option<WaveColumns>,
}

#[derive(Debug, Serialize)]
struct Columns {
    speed: Vec<f64>,
    restitution: Vec<f64>,
}

#[derive(Debug, Serialize)]
struct WaveColumns {
    time: Vec<f64>,
    sound: Vec<f64>,
    /// Instants of bounces and of other sounds (s).
    bounces: Vec<f64>,
    others: Vec<f64>,
}

/// Evaluates a drop test.
pub fn drop(request: &Request) -> Result<Evaluated, Failure> {
    let record = match (&request.csv, &request.wav) {
        (Some(_), Some(_)) => {
            let advice = "send a table or a recording";
            return Err(Error::unsupported("a table and a recording at once", advice).into());
        }
        (Some(csv), None) => Some(Record::from_bytes(csv.as_bytes())?),
        (None, Some(wav)) => {
            let bytes = STANDARD.decode(wav).map_err(|why| {
                Error::invalid("wav", why, "the bytes of a file in base64", "encode the file")
            })?;
            Some(Record::Sound(Sound::from_wav(&bytes)?))
        }
        (None, None) => None,
    };
    let mut report = request.spec.run(record.as_ref())?;
    let (speed, restitution) = fitted_restitution(&report, FITTED_CURVE_POINTS).into_iter().unzip();
    let wave = report.wave.take().map(|wave| WaveColumns {
        time: wave.parts.iter().flat_map(|&(t, ..)| [t, t]).collect(),
        sound: wave.parts.iter().flat_map(|&(_, low, high)| [low, high]).collect(),
        bounces: wave.bounces,
        others: wave.others,
    });
    Ok(Evaluated { fitted: Columns { speed, restitution }, wave, report })
}
