//! Advice on alternatives: the nearest law that an engine can express.

use super::Engine;
use super::wanted::Wanted;
use crate::error::Error;
use crate::message::{Action, Message, Topic};
use crate::model::{Damping, Input, Model};
use crate::models::CATALOGUE;
use crate::pair::Pair;
use crate::spec::Case;

/// Returns the first law of the catalogue that an engine applies exactly, for a pair with the exponent of the case,
/// otherwise with an exponent of the engine; and that exponent.
pub(super) fn nearest_law(case: &Case, engine: &Engine) -> Option<(&'static Model, f64)> {
    let own = engine.forms.iter().filter_map(|form| form.exponent);
    for exponent in std::iter::once(case.pair.exponent).chain(own) {
        let pair = Pair { exponent, ..case.pair.clone() };
        let fits = |model: &&Model| {
            let law = model.law(&pair, Damping::Exact(0.8), None, &[]);
            let wanted = law.ok().and_then(|law| Wanted::of(&law, case.speed));
            wanted
                .is_some_and(|wanted| engine.forms.iter().any(|form| wanted.is_expressed_by(form)))
        };
        // Laws whose published formula takes a restitution are tried first, because they are better known.
        for inputs in [&[Input::Restitution][..], &[Input::Coefficient, Input::Material]] {
            let damped = CATALOGUE.iter().filter(|model| inputs.contains(&model.input));
            if let Some(model) = damped.into_iter().find(fits) {
                return Some((model, exponent));
            }
        }
    }
    None
}

/// Returns the error for a law that is not a spring with a damper.
pub(super) fn unsupported_law_error(case: &Case, engine: &Engine, delivered: f64) -> Error {
    let advice = match nearest_law(case, engine) {
        Some((model, exponent)) => {
            let spring = match exponent == case.pair.exponent {
                true => Message::default(),
                false => message![" ", Action::set("exponent", exponent), " and its stiffness"],
            };
            message![
                format!(
                    "it is no spring with a damper; the nearest law {} applies is `{}`: ",
                    engine.title, model.id
                ),
                Action::set("law", model.id),
                spring,
                " ",
                Action::set("restitution", format!("{delivered:.4}")),
                " ",
                Action::set("calibration", "exact"),
                " delivers what this law delivers here",
            ]
        }
        None => message![
            "it is no spring with a damper; for those that are see ",
            Action::see(Topic::Laws),
        ],
    };
    Error::unsupported(format!("`{}` in {}", case.model.id, engine.title), advice)
}

/// Returns the error for an export that must not lose anything but does.
pub(super) fn strict_error(case: &Case, engine: &Engine, lost: &[String]) -> Error {
    let instead = match nearest_law(case, engine) {
        Some((model, exponent)) => {
            format!(
                " to accept that, or take the law it applies, `{}` with exponent {exponent}",
                model.id
            )
        }
        None => " to accept that".into(),
    };
    Error::unsupported(
        format!("`{}` in {} without loss ({})", case.model.id, engine.title, lost.join("; ")),
        message!["leave out ", Action::leave_out("strict"), instead],
    )
}
