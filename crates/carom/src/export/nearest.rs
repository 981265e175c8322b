//! What to use instead: the nearest law that an engine can express.

use super::Engine;
use super::wanted::Wanted;
use crate::error::Error;
use crate::model::{Damping, Input, Model};
use crate::models::CATALOGUE;
use crate::pair::Pair;
use crate::spec::Case;

/// The first law of the catalogue that an engine applies as it is, for a pair with the exponent of
/// the case or else with one that the engine has; and that exponent.
pub(super) fn expressible(case: &Case, engine: &Engine) -> Option<(&'static Model, f64)> {
    let own = engine.forms.iter().filter_map(|form| form.exponent);
    for exponent in std::iter::once(case.pair.exponent).chain(own) {
        let pair = Pair { exponent, ..case.pair.clone() };
        let fits = |model: &&Model| {
            let law = model.law(&pair, Damping::Exact(0.8), None, &[]);
            let wanted = law.ok().and_then(|law| Wanted::of(&law, case.speed));
            wanted.is_some_and(|wanted| engine.forms.iter().any(|form| wanted.is(form)))
        };
        // Laws that take a restitution by themselves are the better known.
        for inputs in [&[Input::Restitution][..], &[Input::Coefficient, Input::Material]] {
            let damped = CATALOGUE.iter().filter(|model| inputs.contains(&model.input));
            if let Some(model) = damped.into_iter().find(fits) {
                return Some((model, exponent));
            }
        }
    }
    None
}

/// The error for a law that is no spring with a damper.
pub(super) fn refusal(case: &Case, engine: &Engine, delivered: f64) -> Error {
    let advice = match expressible(case, engine) {
        Some((model, exponent)) => {
            let spring = match exponent == case.pair.exponent {
                true => String::new(),
                false => format!(" --exponent {exponent} and its stiffness"),
            };
            format!(
                "it is no spring with a damper; the nearest law {} applies is `{}`: \
                 --law {}{spring} --restitution {delivered:.4} --calibration exact \
                 delivers what this law delivers here",
                engine.title, model.id, model.id
            )
        }
        None => "it is no spring with a damper; `carom models` lists those that are".to_string(),
    };
    Error::unsupported(format!("`{}` in {}", case.model.id, engine.title), advice)
}

/// The error for an export that must lose nothing and does.
pub(super) fn strict(case: &Case, engine: &Engine, lost: &[String]) -> Error {
    let instead = match expressible(case, engine) {
        Some((model, exponent)) => {
            format!(", or take the law it applies, `{}` with exponent {exponent}", model.id)
        }
        None => String::new(),
    };
    Error::unsupported(
        format!("`{}` in {} without loss ({})", case.model.id, engine.title, lost.join("; ")),
        format!("leave out --strict to accept that{instead}"),
    )
}
