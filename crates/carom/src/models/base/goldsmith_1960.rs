//! Goldsmith: Hertzian loading, elastic recovery to a permanent indentation.
//!
//! # Equation
//! Loading F = K·δⁿ; unloading F = F_max·[(δ − δ_p)/(δ_max − δ_p)]ⁿ for δ > δ_p, else 0.
//!
//! # Derivation
//! The dented surface is again a Hertzian one, whose undeformed state is the permanent indentation
//! δ_p. The work of loading is F_max·δ_max/(n+1), the work given back F_max·(δ_max − δ_p)/(n+1);
//! their ratio is the restitution squared, e² = (δ_max − δ_p)/δ_max, whatever n, K and speed.
//!
//! # Validity
//! Soft metals and higher speeds, where a dent remains. No rate effect.
//!
//! # Remarks
//! A restitution is delivered exactly, by published and exact calibration alike, with
//! δ_p = (1−e²)·δ_max. Instead, `permanent_indentation` sets δ_p itself, in metres; an impact too
//! shallow for it recovers 1e-4 of its own indentation. δ_max is the running maximum; a reload
//! climbs the unloading curve back to it. Without either the law is Hertz's.
//!
//! # Reference
//! W. Goldsmith, Impact: The Theory and Physical Behaviour of Colliding Solids, Edward Arnold,
//! London 1960.

use crate::law::Permanent;
use crate::law::plastic::Recovery;
use crate::model::{Input, Model};
use crate::models::shared::{POSITIVE, by_energy, instead, parameter};

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
        let recovery = match by_energy(inputs)? {
            Some(e) => {
                instead(inputs, "permanent_indentation")?;
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
