//! Entries and pages of the catalogue, with the names that users see: the JSON of `carom models` and `carom model`,
//! of the lab and of Python.

use crate::law::Exit;
use crate::model::{Group, Input, Model, Parameter};
use serde::Serialize;

/// Summary of a model for lists.
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
    /// Id of the model.
    pub id: &'static str,
    /// Title as it is cited.
    pub title: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// Year of publication.
    pub year: u16,
    /// Group in the catalogue.
    pub group: Group,
    /// Quantity that sets its dissipation.
    pub input: Input,
    /// Exit of contact for which it was derived.
    pub exit: Exit,
    /// Whether its force depends only on the motion, and not on the speed at touch; `None` if that was not
    /// determined.
    pub velocity_free: Option<bool>,
    /// Smallest restitution for which its formula is valid.
    pub restitution_min: f64,
    /// Largest restitution for which its formula is valid.
    pub restitution_max: f64,
    /// Whether it is valid only for low speeds.
    pub low_speed: bool,
    /// DOI of the source.
    pub doi: Option<&'static str>,
}

impl Entry {
    /// Returns the entry of a model.
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

/// Entry of a model with its text and parameters.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Page {
    /// Summary for lists.
    #[serde(flatten)]
    pub entry: Entry,
    /// Equation of the force.
    pub equation: String,
    /// Derivation of the law.
    pub derivation: String,
    /// Range of validity.
    pub validity: String,
    /// Remarks on the delivered restitution, and on corrections.
    pub remarks: String,
    /// Source of the law.
    pub reference: String,
    /// Parameters of the law.
    pub parameters: Vec<ParameterEntry>,
}

impl Page {
    /// Returns the page of a model.
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
    /// Name of the parameter.
    pub name: &'static str,
    /// SI unit; empty for dimensionless parameters.
    pub unit: &'static str,
    /// Default value, if there is one.
    pub default: Option<f64>,
    /// Smallest permitted value.
    pub minimum: f64,
    /// Largest permitted value.
    pub maximum: f64,
    /// Meaning of the parameter.
    pub help: &'static str,
}

impl From<&Parameter> for ParameterEntry {
    fn from(p: &Parameter) -> Self {
        let (minimum, maximum) = p.range;
        Self { name: p.name, unit: p.unit, default: p.default, minimum, maximum, help: p.help }
    }
}
