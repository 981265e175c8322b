//! Studies that are part of carom.

use crate::error::{Error, Result};

/// A study that is part of carom.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Name of the study.
    pub id: &'static str,
    /// One-line description.
    pub title: &'static str,
    /// Text of the study in TOML.
    pub text: &'static str,
}

/// List of all built-in studies.
pub const BUILTIN: &[Builtin] = &[Builtin {
    id: "zhang-2022-fig7",
    title: "Zhang 2022, Fig. 7 (a)-(g): force over indentation for pairs of exponents",
    text: include_str!("builtin/zhang-2022-fig7.toml"),
}];

/// Returns the built-in study with this name.
///
/// ```
/// let builtin = carom::sweep::builtin::find("zhang-2022-fig7")?;
/// assert_eq!(carom::sweep::Study::from_toml(builtin.text)?.cases(), 35);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn find(id: &str) -> Result<&'static Builtin> {
    BUILTIN.iter().find(|builtin| builtin.id == id).ok_or_else(|| {
        Error::not_among("built-in study", id, BUILTIN.iter().map(|builtin| builtin.id))
    })
}
