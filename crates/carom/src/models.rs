//! The catalogue: one file a model, one line a model, and everything else derived from this list.

mod viscoelastic;

use crate::error::{self, Error, Result};
use crate::law::Calibration;
use crate::model::{Damping, Inputs, Model};

/// Declares the modules and gathers their `MODEL` constants, each with the text of its file.
macro_rules! catalogue {
    ($($(#[doc = $doc:literal])* $group:ident { $($file:ident),* $(,)? })*) => {
        $($(#[doc = $doc])* pub mod $group { $(pub mod $file;)* })*

        /// Every model carom knows, in the order of the review and then of this list.
        pub static CATALOGUE: &[Model] = &[$($(Model {
            text: include_str!(concat!("models/", stringify!($group), "/", stringify!($file), ".rs")),
            ..$group::$file::MODEL
        },)*)*];
    };
}

catalogue! {
    /// Elastic and elementary laws.
    base { hertz_1881 }
    /// Simplified explicit damping factors (review group 3).
    simplified {
        hunt_crossley_1975, lee_wang_1983, kuwabara_kono_1987, anagnostopoulos_1988,
        lankarani_nikravesh_1990, tsuji_1992, brilliantov_1996, marhefka_orin_1999,
        jankowski_2005, jankowski_2006, zhiying_qishao_2006, mueller_poeschel_2011,
        gharib_hurmuzlu_2012, zheng_2012, thornton_cummins_cleary_2013, brilliantov_2015,
        wang_2019, wang_2019_table,
    }
    /// Damping from an assumed velocity profile (review group 4).
    profile { flores_2011 }
    /// Alternative approaches (review group 5).
    alternative { choi_2010 }
    /// Structural pounding outside the review.
    pounding { muthukumar_desroches_2004, mahmoud_jankowski_2011, pant_wijeyewickrema_2012 }
    /// Laws as programs implement them.
    software { adams_impact, simbody, drake }
}

/// The model with this id or alias.
///
/// ```
/// assert_eq!(carom::model("flores-2011")?.year, 2011);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn model(name: &str) -> Result<&'static Model> {
    let found = CATALOGUE.iter().find(|model| model.id == name || model.aliases.contains(&name));
    found.ok_or_else(|| {
        let names =
            CATALOGUE.iter().flat_map(|m| std::iter::once(m.id).chain(m.aliases.iter().copied()));
        Error::unknown("law", name, names, "`carom models` lists them all")
    })
}

/// Refuses pairs that are not linear, for laws that are K·δ.
pub(crate) fn linear(inputs: &Inputs) -> Result<()> {
    let n = inputs.pair.exponent;
    if n == 1.0 {
        return Ok(());
    }
    let advice = format!(
        "`{}` is a linear law: give its spring in N/m with exponent 1, \
         or choose a law with a free exponent",
        inputs.model.id
    );
    Err(Error::invalid("exponent", n, "1", advice))
}

/// Refuses pairs that are not point contacts, for laws whose numbers hold for K·δ^(3/2) only.
pub(crate) fn point_contact(inputs: &Inputs) -> Result<()> {
    let n = inputs.pair.exponent;
    if n == 1.5 {
        return Ok(());
    }
    let advice = format!(
        "`{}` is a law of spheres: give K in N/m^1.5 with exponent 1.5, \
         or choose a law with a free exponent",
        inputs.model.id
    );
    Err(Error::invalid("exponent", n, "1.5", advice))
}

/// What [`Inputs::damping`] asks for, in forms that are calibrated at touch.
pub(crate) fn calibration(inputs: &Inputs) -> Result<Calibration> {
    Ok(match inputs.damping {
        Damping::None => Calibration::Coefficient(0.0),
        Damping::Coefficient(c) => Calibration::Coefficient(error::within(
            "damping",
            c,
            0.0,
            f64::MAX,
            "a damping coefficient is never negative",
        )?),
        Damping::Exact(e) => {
            Calibration::Delivered { restitution: error::restitution(e)?, exit: inputs.exit }
        }
        Damping::Restitution(_) => return Err(inputs.no_published_formula()),
    })
}
