//! `POST delivered`: computes delivered over requested restitution for several laws, a curve that shows the accuracy of a published
//! damping formula.

use super::law_request::LawRequest;
use super::limits;
use super::stop::Stop;
use crate::failure::Failure;
use carom::Error;
use carom::spec::{Quantity, Spec};
use serde::{Deserialize, Serialize};

/// Largest number of points of a curve.
const MAX_POINTS: usize = 200;

/// Body of the request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    #[serde(default)]
    spec: Spec,
    laws: Vec<LawRequest>,
    points: Option<usize>,
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct Deliveries {
    /// Requested restitutions, equally spaced up to 1.
    asked: Vec<f64>,
    laws: Vec<Delivery>,
}

/// The restitutions that one law delivers.
#[derive(Debug, Serialize)]
struct Delivery {
    law: String,
    /// Delivered restitutions in the order of `asked`; null if the law refuses.
    delivered: Vec<Option<f64>>,
    /// Reason, if the law fails at all restitutions.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Runs every law at every restitution.
pub fn delivered(request: &Request, stop: &Stop) -> Result<Deliveries, Failure> {
    limits::check_law_count(request.laws.len())?;
    let points = request.points.unwrap_or(40);
    limits::check_at_most("points", points, MAX_POINTS, "ask for fewer at a time")?;
    let requested: Vec<f64> = (1..=points).map(|i| i as f64 / points as f64).collect();
    let mut laws = Vec::with_capacity(request.laws.len());
    for law in &request.laws {
        let spec = law.spec(&request.spec);
        let mut error = None;
        let mut delivered = Vec::with_capacity(requested.len());
        for &restitution in &requested {
            stop.flag().check()?;
            delivered.push(match delivered_restitution(&spec, restitution) {
                Ok(value) => value,
                Err(why) => {
                    error = Some(why.to_string());
                    None
                }
            });
        }
        let error = error.filter(|_| delivered.iter().all(Option::is_none));
        laws.push(Delivery { law: law.name(), delivered, error });
    }
    Ok(Deliveries { asked: requested, laws })
}

/// Returns the restitution delivered for a requested one; `None` if the description requests no restitution.
fn delivered_restitution(spec: &Spec, restitution: f64) -> Result<Option<f64>, Error> {
    if spec.restitution.is_none() {
        return Ok(None);
    }
    let spec = Spec { restitution: Some(Quantity::Number(restitution)), ..spec.clone() };
    let newton = spec.case()?.run()?.restitution.newton;
    Ok(newton.is_finite().then_some(newton))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Tests that Hunt and Crossley's own formula holds only for restitutions near 1, while exact damping delivers what is
    /// requested.
    #[test]
    fn exact_damping_is_the_diagonal_and_published_damping_is_not() {
        let ask = |calibration: &str| {
            let request = json!({
                "spec": {"mass": 0.54, "stiffness": 2.4144e10, "speed": 0.5, "restitution": 0.7,
                    "calibration": calibration},
                "laws": ["hunt-crossley-1975", {"law": "hertz-1881", "mass": 0.54, "stiffness": 2.4144e10, "speed": 0.5}],
                "points": 4,
            });
            let (stop, _waiting) = Stop::new();
            delivered(&serde_json::from_value(request).unwrap(), &stop).unwrap()
        };
        let exact = ask("exact");
        assert_eq!(exact.asked, [0.25, 0.5, 0.75, 1.0]);
        for (requested, found) in exact.asked.iter().zip(&exact.laws[0].delivered) {
            assert!((found.unwrap() - requested).abs() < 1e-9, "{found:?} for {requested}");
        }
        assert!(exact.laws[1].delivered.iter().all(Option::is_none));
        let published = ask("published");
        assert!(published.laws[0].delivered[0].unwrap() > 0.35, "{published:?}");
    }
}
