//! Own laws: laws that users define in a file or as text.
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
//! The formulas are parsed and checked, including their dimensions, and become a [`Model`] like those of the
//! catalogue. Every command, scene and language accepts an own law in place of the name of a model. A measured
//! compression curve can replace the spring with `curve = "compression.csv"` ([`curve`]).
//!
//! Laws are plain data that is copied freely. The formulas of an own law are therefore created once and kept until
//! the program ends. If the same text is read again, the result is the existing model.

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

/// Largest length of the text of a law (bytes).
const MAX_LENGTH: u64 = 1 << 16;

/// Largest length of the file of a curve (bytes).
const MAX_CURVE_LENGTH: u64 = 64 << 20;

/// Largest number of different own laws in one process, as each of them remains in memory.
const MAX_LAWS: usize = 10_000;

/// The own laws read so far, each with the text and the curve from which it was made.
static LAWS_READ: Mutex<Vec<(Source, &'static Model)>> = Mutex::new(Vec::new());

/// Text and curve from which a law is made.
#[derive(Clone, Debug, PartialEq)]
struct Source {
    text: String,
    curve: Option<curve::Measured>,
}

/// Returns whether a name is the text of an own law.
pub fn is_text(name: &str) -> bool {
    name.contains('\n') || name.contains('=')
}

/// Returns whether a name is that of a law file.
pub fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// Returns the own law with this name, if it has been read.
pub fn known(name: &str) -> Option<&'static Model> {
    let known = LAWS_READ.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    known.iter().rev().map(|(_, model)| *model).find(|model| model.id == name)
}

/// Returns all own laws that have been read.
pub(crate) fn all() -> impl Iterator<Item = &'static Model> {
    let known = LAWS_READ.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let models: Vec<_> = known.iter().map(|(_, model)| *model).collect();
    models.into_iter()
}

/// Returns the name under which a law can be requested. For the name of a law file, the file is read and the name of
/// the own law in it is returned; any other name is returned unchanged. A suffix that specifies a damper is kept.
///
/// Only programs that may read the files of their user should call this function; [`model`](crate::model()) does not
/// read files.
///
/// # Errors
/// The same as [`from_file`].
pub fn name_of(given: &str) -> Result<String> {
    name_by(given, &|path| from_file(Path::new(path)))
}

/// Returns the name like [`name_of`], where `load` reads the own law of a file with this name.
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

/// Reads the own law of a file. If it refers to the file of a curve, the path of that file is relative to the folder
/// of the law file.
///
/// # Errors
/// When the file cannot be read or is not a law; see [`from_text`].
pub fn from_file(path: &Path) -> Result<&'static Model> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = |name: &str| read_file(&folder.join(name), MAX_CURVE_LENGTH);
    let law = read_file(path, MAX_LENGTH).and_then(|text| model_of_text(text, &beside));
    law.map_err(|error| error.at(path.display().to_string()))
}

/// Reads an own law from its text. It may contain a curve as points but not as a file.
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
/// When the text is not a law. The error says what to change.
pub fn from_text(text: &str) -> Result<&'static Model> {
    from_text_with(text, &|_| {
        let advice = "give its points, `curve = [[0, 0], [1e-5, 12.5]]`, in m and N";
        Err(Error::unsupported("a curve in a file of a law that is given as text", advice))
    })
}

/// Reads an own law like [`from_text`]; its curve may also be a file, which `files` reads by its name.
///
/// # Errors
/// The same as [`from_text`], and those of `files`.
pub fn from_text_with(
    text: &str,
    files: &dyn Fn(&str) -> Result<String>,
) -> Result<&'static Model> {
    let checked = match text.len() as u64 > MAX_LENGTH {
        true => Err(too_long("the text of a law", text.len() as u64, MAX_LENGTH)),
        false => model_of_text(text.to_string(), files),
    };
    checked.map_err(|error| error.at("own law"))
}

fn too_long(what: &str, length: u64, limit: u64) -> Error {
    let advice = "put measured points into a CSV file and name it with `curve`";
    Error::invalid(what, format!("{length} bytes"), format!("at most {limit} bytes"), advice)
}

/// Reads a regular file of at most this length (bytes) as text.
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

/// Returns the model of this text. A new model is created and kept only if there is none yet.
fn model_of_text(text: String, files: &dyn Fn(&str) -> Result<String>) -> Result<&'static Model> {
    let law = file::read(&text)?;
    let curve = law.curve.as_ref().map(|given| curve::read_curve(given, files)).transpose()?;
    let source = Source { text, curve };
    let mut known = LAWS_READ.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
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
    // Another law with the same name may be in use, so a number is appended to the name of this one.
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
