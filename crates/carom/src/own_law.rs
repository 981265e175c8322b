//! Own laws: a law from a file, or from its text.
//!
//! ```toml
//! name = "bushing"
//! spring = "K*delta + K3*delta^3"
//! damper = "c*delta*rate"
//!
//! [parameters]
//! K = "20 kN/m"
//! K3 = { unit = "N/m^3", default = 5e9, help = "stiffening" }
//! ```
//!
//! Its formulas are read and checked, dimensions included, and become a [`Model`] like those of the catalogue: every command,
//! scene and language takes it in the place of a name. A measured compression curve takes the place of the spring with
//! `curve = "compression.csv"` ([`curve`]).
//!
//! Laws are plain data that is copied freely, so the formulas of an own law are made once and kept until the program ends. A
//! text that was read before gives the model that was made from it.

pub mod build;
pub mod curve;
mod dimensions;
mod file;

pub(crate) use dimensions::unit_with;

use crate::error::{Error, Result};
use crate::linear_equivalent::SUFFIX;
use crate::model::Model;
use std::path::Path;
use std::sync::Mutex;

/// Longest text of a law (bytes).
const MAX_LENGTH: u64 = 1 << 16;

/// Longest file of a curve (bytes).
const MAX_CURVE_LENGTH: u64 = 64 << 20;

/// Different own laws in one process at most: each stays in memory.
const MAX_LAWS: usize = 10_000;

/// The own laws read so far, with the text and the curve they were made from.
static KNOWN: Mutex<Vec<(Source, &'static Model)>> = Mutex::new(Vec::new());

/// What a law is made from.
#[derive(Clone, Debug, PartialEq)]
struct Source {
    text: String,
    curve: Option<curve::Measured>,
}

/// Whether a name is the text of an own law rather than a name.
pub fn is_text(name: &str) -> bool {
    name.contains('\n') || name.contains('=')
}

/// Whether a name is that of a law file.
pub fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// The own law with this name, where one has been read.
pub fn known(name: &str) -> Option<&'static Model> {
    let known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    known.iter().rev().map(|(_, model)| *model).find(|model| model.id == name)
}

/// All own laws that have been read.
pub(crate) fn all() -> impl Iterator<Item = &'static Model> {
    let known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let models: Vec<_> = known.iter().map(|(_, model)| *model).collect();
    models.into_iter()
}

/// The name under which a law can be asked for: the name of a law file is replaced by the name of the own law in it, which
/// is read; any other name is returned unchanged. A suffix that names a damper is kept.
///
/// Only programs that may read the files of their user call this; [`model`](crate::model()) reads none.
///
/// # Errors
/// As [`from_file`].
pub fn name_of(given: &str) -> Result<String> {
    name_by(given, &|path| from_file(Path::new(path)))
}

/// [`name_of`] where `load` makes the own law of a file's name.
///
/// # Errors
/// Those of `load`.
pub fn name_by(given: &str, load: &dyn Fn(&str) -> Result<&'static Model>) -> Result<String> {
    let (law, damper) = match given.strip_suffix(SUFFIX) {
        Some(law) => (law, SUFFIX),
        None => (given, ""),
    };
    match !is_text(law) && is_file(law) {
        true => Ok(format!("{}{damper}", load(law)?.id)),
        false => Ok(given.to_string()),
    }
}

/// The own law of a file. A curve it names is looked for beside the file.
///
/// # Errors
/// When the file cannot be read or is no law; see [`from_text`].
pub fn from_file(path: &Path) -> Result<&'static Model> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = |name: &str| read_file(&folder.join(name), MAX_CURVE_LENGTH);
    let law = read_file(path, MAX_LENGTH).and_then(|text| make(text, &beside));
    law.map_err(|error| error.at(path.display().to_string()))
}

/// The own law of a text. It may have a curve as points, not as a file.
///
/// ```
/// use carom::{Damping, Pair, collide, own_law};
/// let text = r#"
///     name = "stiffening"
///     spring = "K*delta + K3*delta^3"
///     [parameters]
///     K = "1 kN/m"
///     K3 = "1 GN/m^3"
/// "#;
/// let law = own_law::from_text(text)?.law(&Pair::new(2.0, 1.0, 1.5)?, Damping::Exact(0.5), None, &[])?;
/// for speed in [0.01, 1.0] {
///     assert!((collide(&law, speed)?.restitution.newton - 0.5).abs() < 1e-10);
/// }
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// When it is no law, with one sentence on what to change.
pub fn from_text(text: &str) -> Result<&'static Model> {
    from_text_with(text, &|_| {
        let advice = "give its points, `curve = [[0, 0], [1e-5, 12.5]]`, in m and N";
        Err(Error::unsupported("a curve in a file of a law that is given as text", advice))
    })
}

/// [`from_text`] for a law whose curve may be a file, which `files` reads by its name.
///
/// # Errors
/// As [`from_text`], and those of `files`.
pub fn from_text_with(
    text: &str,
    files: &dyn Fn(&str) -> Result<String>,
) -> Result<&'static Model> {
    let checked = match text.len() as u64 > MAX_LENGTH {
        true => Err(too_long("the text of a law", text.len() as u64, MAX_LENGTH)),
        false => make(text.to_string(), files),
    };
    checked.map_err(|error| error.at("own law"))
}

fn too_long(what: &str, length: u64, limit: u64) -> Error {
    let advice = "put measured points into a CSV file and name it with `curve`";
    Error::invalid(what, format!("{length} bytes"), format!("at most {limit} bytes"), advice)
}

/// The text of a regular file of at most this length.
fn read_file(path: &Path, limit: u64) -> Result<String> {
    let name = || path.display().to_string();
    let unreadable = |why: String| Error::invalid("law", name(), "a law file", why);
    let about = std::fs::metadata(path)
        .map_err(|why| unreadable(format!("it cannot be read ({why}); check its path")))?;
    if !about.is_file() {
        return Err(unreadable("it is no regular file".to_string()));
    }
    if about.len() > limit {
        return Err(too_long(&name(), about.len(), limit));
    }
    let bytes =
        std::fs::read(path).map_err(|why| unreadable(format!("it cannot be read ({why})")))?;
    String::from_utf8(bytes).map_err(|_| unreadable("it is not text in UTF-8".to_string()))
}

/// The model of this text, which is made and kept where it is new.
fn make(text: String, files: &dyn Fn(&str) -> Result<String>) -> Result<&'static Model> {
    let law = file::read(&text)?;
    let curve = law.curve.as_ref().map(|given| curve::measured(given, files)).transpose()?;
    let source = Source { text, curve };
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some((_, model)) = known.iter().find(|(other, _)| *other == source) {
        return Ok(model);
    }
    if known.len() >= MAX_LAWS {
        return Err(Error::unsupported(
            format!("more than {MAX_LAWS} different own laws in one process"),
            "start a new process",
        ));
    }
    let mut model = file::model(&law, source.curve.as_ref(), format!("{source:?}"))?;
    // Another law of the same name may be in use: this one gets a number.
    let taken = |id: &str| known.iter().any(|(_, other)| other.id == id);
    let mut number = 2;
    while taken(model.id) {
        model.id = Box::leak(format!("{}~{number}", law.name).into_boxed_str());
        number += 1;
    }
    let model: &'static Model = Box::leak(Box::new(model));
    known.push((source, model));
    Ok(model)
}
