//! Sweeps: studies of up to millions of impacts that are derived from one description.
//!
//! A [`Study`] specifies what varies and how: lists and ranges, crossed or advancing together, and distributions that
//! are sampled at random, by Latin hypercube sampling or by a Sobol' sequence. It is read from TOML
//! ([`Study::from_toml`]); names and units are those of [`spec`](crate::spec), so every parameter of every law,
//! materials and the law itself can be an axis.
//!
//! **Case number i is a pure function of the study and i.** No generator with a state is used, so cases can be
//! computed in any order, on any thread or machine, and again after an interruption, with identical results to the
//! last bit. [`Plan::partition`] computes a contiguous range of cases as [`Column`](carom_store::Column)s, which the
//! command or Python on a cluster stores.
//!
//! A case that is not possible (a mass below zero from a wide distribution, a restitution that no damping delivers)
//! does not stop a sweep: its row has no numbers, and its status is the kind of the error. [`Plan::error`] returns
//! the error itself.
//!
//! ```
//! use carom::sweep::Study;
//! let study = Study::from_toml(r#"
//!     [impact]
//!     law = "hunt-crossley-1975"
//!     mass = "0.54 kg"
//!     stiffness = "2.4144e10 N/m^1.5"
//!     calibration = "exact"
//!     [[axis]]
//!     parameter = "speed"
//!     values = ["15 cm/s", "50 cm/s"]
//!     [[axis]]
//!     parameter = "restitution"
//!     from = 0.5
//!     to = 0.9
//!     count = 5
//! "#)?;
//! assert_eq!(study.cases(), 10);
//! let columns = study.plan().partition(0);
//! let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
//! assert_eq!(names[..4], ["case", "speed", "restitution", "restitution_newton"]);
//! assert!((columns[3].values.real(7).unwrap() - 0.7).abs() < 1e-10);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Order
//!
//! The first axis of the file changes most slowly and the last one faster; samples change fastest: every point of the
//! grid has the *same* samples, so that laws or materials are compared under the same conditions.

mod axis;
pub mod builtin;
mod estimate;
mod impacts;
mod plan;
mod sample;
mod scene;
pub mod sensitivity;
mod sobol;
mod text;
mod variation;

pub use axis::{Axis, Distribution, Points, Value};
pub use impacts::Impacts;
pub use plan::{Evaluate, Plan};
pub use sample::{Method, Sampling};
pub use scene::SceneStudy;
pub use variation::Variation;

use crate::batch::{Output, Parameter};
use crate::error::{Error, Result};
use crate::numeric::random;
use crate::spec::Spec;

/// Default number of cases per partition.
const PARTITION_CASES: u64 = 65_536;

/// Study of impacts: the parameters that vary, and their values.
#[derive(Clone, Debug)]
pub struct Study {
    title: String,
    base: Spec,
    /// Parameter of each axis.
    parameters: Vec<Parameter>,
    variation: Variation,
    outputs: Vec<Output>,
    figure: Option<Figure>,
}

/// A study of either kind.
#[derive(Clone, Debug)]
pub enum AnyStudy {
    /// Study of impacts: it has the table `[impact]`.
    Impacts(Box<Study>),
    /// Study of a scene: it has the table `[scene]`.
    Scene(Box<SceneStudy>),
}

/// Kind of figure of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Figure {
    /// Force over indentation, one loop per case, one panel per label.
    Loops,
    /// Outputs over the longest axis, as lines.
    Lines,
    /// Outputs over two axes, as colours.
    Map,
    /// Distributions of the outputs.
    Distribution,
}

names! {
    Figure { Loops = "loops", Lines = "lines", Map = "map", Distribution = "distribution", }
    parsed as "figure"
}

/// Returns a hash of the text as 32 hexadecimal digits, which is the same on every machine.
pub fn fingerprint(text: &str) -> String {
    format!("{:016x}{:016x}", random::key(0, text), random::key(1, text))
}

impl AnyStudy {
    /// Reads a study of either kind from TOML; `law_name` as for [`Study::from_toml_with`].
    ///
    /// # Errors
    /// As [`Study::from_toml`].
    pub fn from_toml_with(text: &str, law_name: &dyn Fn(&str) -> Result<String>) -> Result<Self> {
        text::read(text, law_name)
    }
}

impl Study {
    /// Reads a study of impacts from TOML; `docs/how-to/sweeps.md` explains its keys.
    ///
    /// # Errors
    /// With the line number, when the text is not TOML, or contains an unknown key, an unknown parameter or a wrong
    /// unit.
    pub fn from_toml(text: &str) -> Result<Self> {
        Self::from_toml_with(text, &|law| Ok(law.to_string()))
    }

    /// Reads a study like [`Study::from_toml`]; `law_name` returns the name of each law, for example
    /// [`own_law::name_of`](crate::own_law::name_of) for laws in files.
    ///
    /// # Errors
    /// As [`Study::from_toml`], and those of `law_name`.
    pub fn from_toml_with(text: &str, law_name: &dyn Fn(&str) -> Result<String>) -> Result<Self> {
        match text::read(text, law_name)? {
            AnyStudy::Impacts(study) => Ok(*study),
            AnyStudy::Scene(_) => Err(Error::unsupported(
                "a study with [scene]",
                "here a study has [impact]: what does not vary, such as law and mass",
            )),
        }
    }

    /// Returns the title, which may be empty.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the axes and the order of cases.
    pub fn variation(&self) -> &Variation {
        &self.variation
    }

    /// Returns the outputs.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// Returns the number of cases.
    pub fn cases(&self) -> u64 {
        self.variation.cases()
    }

    /// Returns a hash that distinguishes studies with different results: it includes everything on which the results
    /// depend, also the version of carom, and nothing else (neither comments, nor the order of keys, nor the title).
    pub fn fingerprint(&self) -> String {
        let outputs: Vec<_> = self.outputs.iter().map(|output| output.name).collect();
        // The formulas of own laws are included, because a user may change them without changing the name.
        let axes = self.variation.axes().iter().filter(|axis| axis.name() == "law");
        let laws = axes.flat_map(|axis| match axis.points() {
            Points::Words(laws) => laws.as_slice(),
            _ => &[],
        });
        let laws = laws.chain(std::iter::once(&self.base.law));
        let own: Vec<&str> =
            laws.filter_map(|law| Some(crate::model(law).ok()?.own?.source)).collect();
        let version = env!("CARGO_PKG_VERSION");
        fingerprint(&format!("{version} {own:?} {:?} {:?} {outputs:?}", self.base, self.variation))
    }

    /// Returns case number `index` as a description for `carom impact`.
    pub fn spec(&self, index: u64) -> Result<Spec> {
        self.variation.check(index)?;
        let mut values = Vec::new();
        self.variation.values(index, &mut values);
        Ok(self.spec_of(&values))
    }

    /// Returns the description with these values of the axes.
    fn spec_of(&self, values: &[Value]) -> Spec {
        let mut spec = self.base.clone();
        for ((parameter, axis), value) in
            self.parameters.iter().zip(self.variation.axes()).zip(values)
        {
            match (axis.number(*value), axis.word(*value)) {
                (Some(number), _) => parameter.put(&mut spec, number.into()),
                (None, Some(word)) => parameter.put_word(&mut spec, word),
                (None, None) => {}
            }
        }
        spec
    }

    /// Prepares the computation: examines some cases to find the exponents that occur often.
    pub fn plan(&self) -> Plan<Impacts> {
        Plan::new(Impacts::new(self.clone()))
    }
}
