//! The catalogue: one file a model, one line a model, and everything else derived from this list.

use crate::error::{Error, Result};
use crate::model::Model;

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

mod common;

catalogue! {
    /// Elastic and elementary laws.
    base { hertz_1881, goldsmith_1960 }
    /// Simplified explicit damping factors (review group 3).
    simplified { lankarani_nikravesh_1994 }
    /// Damping from an assumed velocity profile (review group 4).
    profile { flores_2011 }
    /// Alternative approaches: plasticity, volume, internal state (review group 5).
    alternative {
        thornton_1997, yigit_2011, yigit_linear_2011, gonthier_volumetric_2004,
        roy_carretero_2012, xiong_2014, jian_2019, jian_sinusoidal_2019,
    }
    /// Power laws with free exponents.
    general { zhang_2022_approximate }
    /// Conformal contact: sockets, bores, journals.
    conformal { hertz_internal, johnson_cylinder_1985, liu_2006, wang_gao_2023 }
    /// Adhesive contact.
    adhesive { jkr_1971, dmt_1975 }
    /// Elastic-plastic contact outside the review.
    plastic { walton_braun_1986, luding_2008 }
    /// Structural pounding outside the review.
    pounding { muthukumar_desroches_2006 }
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
