//! What the catalogue says about a model, under the names that users see: the JSON of `carom models` and
//! `carom model`, of the lab and of Python.

use crate::law::Exit;
use crate::model::{Group, Input, Model, Parameter};
use serde::Serialize;

/// What a list says about a model.
///
/// ```
/// use carom::report::Entry;
/// let entry = Entry::of(carom::model("tsuji-1992")?);
/// assert_eq!((entry.year, entry.velocity_free), (1992, Some(true)));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Entry {
    /// Id.
    pub id: &'static str,
    /// As cited.
    pub title: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// Year of publication.
    pub year: u16,
    /// Its group in the catalogue.
    pub group: Group,
    /// How its dissipation is set.
    pub input: Input,
    /// The end of contact that it was derived for.
    pub exit: Exit,
    /// Whether its force follows from the motion alone, without the speed at first touch; `None` where that was not determined.
    pub velocity_free: Option<bool>,
    /// Smallest restitution for which its formula holds.
    pub restitution_min: f64,
    /// Largest restitution for which its formula holds.
    pub restitution_max: f64,
    /// Whether it holds for low speeds only.
    pub low_speed: bool,
    /// Where to find the source.
    pub doi: Option<&'static str>,
}

impl Entry {
    /// The entry of a model.
    pub fn of(model: &Model) -> Self {
        Self {
            id: model.id,
            title: model.title,
            aliases: model.aliases,
            year: model.year,
            group: model.group,
            input: model.input,
            exit: model.exit,
            velocity_free: model.velocity_free(),
            restitution_min: model.restitution.0,
            restitution_max: model.restitution.1,
            low_speed: model.low_speed,
            doi: model.doi,
        }
    }
}

/// The entry of a model with its text and parameters.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Page {
    /// What a list says.
    #[serde(flatten)]
    pub entry: Entry,
    /// The force.
    pub equation: String,
    /// Where it comes from.
    pub derivation: String,
    /// Where it holds.
    pub validity: String,
    /// What it really delivers, and what was corrected.
    pub remarks: String,
    /// The source.
    pub reference: String,
    /// Its parameters.
    pub parameters: Vec<ParameterEntry>,
}

impl Page {
    /// The page of a model.
    pub fn of(model: &Model) -> Self {
        Self {
            entry: Entry::of(model),
            equation: model.section("Equation"),
            derivation: model.section("Derivation"),
            validity: model.section("Validity"),
            remarks: model.section("Remarks"),
            reference: model.section("Reference"),
            parameters: model.parameters.iter().map(ParameterEntry::from).collect(),
        }
    }
}

/// A parameter of a model.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ParameterEntry {
    /// Its name.
    pub name: &'static str,
    /// SI unit; empty for pure numbers.
    pub unit: &'static str,
    /// Its default, where there is one.
    pub default: Option<f64>,
    /// Smallest value allowed.
    pub minimum: f64,
    /// Largest value allowed.
    pub maximum: f64,
    /// What it is.
    pub help: &'static str,
}

impl From<&Parameter> for ParameterEntry {
    fn from(p: &Parameter) -> Self {
        let (minimum, maximum) = p.range;
        Self { name: p.name, unit: p.unit, default: p.default, minimum, maximum, help: p.help }
    }
}
