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

catalogue! {
    /// Elastic and elementary laws.
    base { hertz_1881 }
    /// Damping from an assumed velocity profile (review group 4).
    profile { flores_2011 }
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
