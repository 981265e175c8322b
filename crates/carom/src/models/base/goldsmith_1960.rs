//! Goldsmith: Hertzian loading, and elastic recovery to a permanent indentation.
//!
//! # Equation
//! Loading F = K·δⁿ; unloading F = F_max·[(δ − δ_p)/(δ_max − δ_p)]ⁿ for δ > δ_p, else 0.
//!
//! # Derivation
//! The surface with its permanent indentation δ_p is treated as a Hertzian one that is undeformed
//! at δ_p. The work of loading is F_max·δ_max/(n+1), and the work returned is F_max·(δ_max −
//! δ_p)/(n+1). Their ratio is the square of the restitution, e² = (δ_max − δ_p)/δ_max, for any n, K
//! and speed.
//!
//! # Validity
//! Soft metals and higher speeds, at which an indentation remains. The force does not depend on the
//! rate.
//!
//! # Remarks
//! A specified restitution is delivered exactly, with published and with exact calibration, by
//! δ_p = (1−e²)·δ_max. Alternatively, `permanent_indentation` sets δ_p itself, in metres; in an
//! impact that is too shallow for it, 1e-4 of the largest indentation is recovered. δ_max is the
//! largest indentation so far; reloading follows the unloading curve back to it. If neither a
//! restitution nor `permanent_indentation` is given, the law is that of Hertz.
//!
//! # Reference
//! W. Goldsmith, Impact: The Theory and Physical Behaviour of Colliding Solids, Edward Arnold,
//! London 1960.

use crate::law::Permanent;
use crate::law::plastic::Recovery;
use crate::model::{Input, Model};
use crate::models::shared::{POSITIVE, parameter, refuse_parameter, restitution_by_energy};

pub const MODEL: Model = Model {
    id: "goldsmith-1960",
    title: "Goldsmith 1960",
    aliases: &["goldsmith"],
    year: 1960,
    input: Input::Restitution,
    stands_in: &["permanent_indentation"],
    parameters: &[parameter("permanent_indentation", "m", POSITIVE)
        .help("the dent that remains, instead of a restitution")],
    build: |inputs| {
        let recovery = match restitution_by_energy(inputs)? {
            Some(e) => {
                refuse_parameter(inputs, "permanent_indentation")?;
                Recovery::Share(e * e)
            }
            None => match inputs.optional("permanent_indentation")? {
                Some(depth) => Recovery::Dent(depth),
                None => Recovery::Share(1.0),
            },
        };
        Ok(inputs.law(Permanent::new(inputs.pair.stiffness, inputs.pair.exponent, recovery)))
    },
    ..Model::BLANK
};
