//! Sweeps: one description, millions of impacts.
//!
//! A [`Study`] says what varies and how: lists and ranges, crossed or side by side, and distributions
//! sampled by chance, by Latin hypercube or along a Sobol' sequence. It is read from TOML
//! ([`Study::from_toml`]); names and units are those of [`spec`](crate::spec), so every parameter
//! of every law, materials and the law itself can be an axis.
//!
//! **Case number i is a pure function of the study and i.** Nothing is drawn from a generator with a
//! state, so cases can be computed in any order, on any thread or machine, again after an interruption,
//! and come out bit for bit the same. [`Plan::partition`] computes a contiguous range of them as
//! [`Column`](carom_store::Column)s; whoever stores them (the command, Python on a cluster) needs to know nothing else.
//!
//! A case that is not possible (a mass below zero from a wide distribution, a restitution that no damping
//! delivers) does not stop a sweep: its row has no numbers, and its status is the kind of the error.
//! [`Plan::error`] gives the error itself.
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
//! The first axis of the file changes slowest, the last fastest, samples fastest of all: every point of
//! the grid gets the *same* samples, so that laws or materials are compared under the same conditions.

mod axis;
pub mod builtin;
mod estimate;
mod plan;
mod sample;
pub mod sensitivity;
mod sobol;
mod text;

pub use axis::{Axis, Distribution, Points};
pub use plan::Plan;
pub use sample::{Method, Sampling};

use crate::batch::Output;
use crate::error::{Error, Result};
use crate::numeric::random;
use crate::spec::Spec;
use std::ops::Range;

/// Default number of cases in a partition.
const PARTITION_CASES: u64 = 65_536;
/// Largest number of cases: they take a million seconds at a million cases per second.
const CASE_LIMIT: u64 = 1_000_000_000_000;

/// The parameters that vary and their values.
#[derive(Clone, Debug)]
pub struct Study {
    title: String,
    base: Spec,
    axes: Vec<Axis>,
    /// For every axis its place in the order of cases.
    places: Vec<Place>,
    grid: u64,
    sampling: Sampling,
    outputs: Vec<Output>,
    rows: u64,
    figure: Option<Figure>,
}

/// Kind of figure of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Figure {
    /// Force over indentation, one loop a case, one panel a label.
    Loops,
    /// Outputs over the longest axis.
    Lines,
    /// Outputs over two axes, as colours.
    Map,
    /// How outputs are distributed.
    Distribution,
}

impl std::str::FromStr for Figure {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "loops" => Ok(Self::Loops),
            "lines" => Ok(Self::Lines),
            "map" => Ok(Self::Map),
            "distribution" => Ok(Self::Distribution),
            _ => {
                let known = ["loops", "lines", "map", "distribution"];
                let otherwise = "use loops, lines, map or distribution";
                Err(Error::unknown("figure", text, known, otherwise))
            }
        }
    }
}

/// A word of 32 hexadecimal digits that differs between different texts: a hash, the same on every machine.
pub fn fingerprint(text: &str) -> String {
    format!("{:016x}{:016x}", random::key(0, text), random::key(1, text))
}

/// Place of an axis in the order of cases.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Value (grid index / stride) mod count.
    Grid { stride: u64, count: u64 },
    /// Coordinate of the samples.
    Sample(usize),
}

/// The value of an axis in one case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    /// Place in the list of words.
    Word(u32),
}

impl Study {
    /// Reads a study from TOML; `docs/how-to/sweeps.md` explains its keys.
    ///
    /// # Errors
    /// A sentence with the line: what is not TOML, not a key, not a parameter, not the right unit.
    pub fn from_toml(text: &str) -> Result<Self> {
        Self::from_toml_with(text, &|law| Ok(law.to_string()))
    }

    /// [`Study::from_toml`] where `law_name` has the name of each law, such as [`own_law::name_of`](crate::own_law::name_of)
    /// for laws in files.
    ///
    /// # Errors
    /// As [`Study::from_toml`], and those of `law_name`.
    pub fn from_toml_with(text: &str, law_name: &dyn Fn(&str) -> Result<String>) -> Result<Self> {
        text::read(text, law_name)
    }

    fn new(
        title: String,
        base: Spec,
        axes: Vec<Axis>,
        sampling: Sampling,
        outputs: Vec<Output>,
        rows: u64,
    ) -> Result<Self> {
        // One dimension for every list or range, and one for all that are zipped together.
        let mut dimensions: Vec<(Option<&str>, u64)> = Vec::new();
        let mut of_axis = Vec::new();
        let mut samples = 0;
        for axis in &axes {
            let Some(count) = axis.count() else {
                of_axis.push(None);
                continue;
            };
            let zip = axis.zip.as_deref();
            let known = dimensions.iter().position(|(name, _)| name.is_some() && *name == zip);
            match known.and_then(|k| dimensions.get(k).map(|d| (k, d.1))) {
                Some((_, other)) if other != count => {
                    return Err(Error::invalid(
                        format!("number of values of {}", axis.name()),
                        count,
                        format!("{other}, as on the other axes of zip `{}`", zip.unwrap_or("")),
                        "axes that advance together have equally many values",
                    ));
                }
                Some((k, _)) => of_axis.push(Some(k)),
                None => {
                    of_axis.push(Some(dimensions.len()));
                    dimensions.push((zip, count));
                }
            }
        }
        let mut grid = 1u64;
        let mut strides = vec![0; dimensions.len()];
        for (stride, (_, count)) in strides.iter_mut().zip(&dimensions).rev() {
            *stride = grid;
            grid = grid.saturating_mul(*count);
        }
        let cases = grid.saturating_mul(sampling.count().max(1));
        if cases > CASE_LIMIT {
            let advice = "give the axes fewer values, or sample them: distribution = \"uniform\"";
            return Err(Error::invalid(
                "number of cases",
                cases,
                format!("at most {CASE_LIMIT}"),
                advice,
            ));
        }
        let places = of_axis.iter().map(|dimension| match dimension {
            Some(k) => Place::Grid {
                stride: strides.get(*k).copied().unwrap_or(1),
                count: dimensions.get(*k).map_or(1, |d| d.1),
            },
            None => {
                samples += 1;
                Place::Sample(samples - 1)
            }
        });
        let places = places.collect();
        Ok(Self { title, base, axes, places, grid, sampling, outputs, rows, figure: None })
    }

    /// Its title; may be empty.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Kind of figure, where the study gives it.
    pub fn figure(&self) -> Option<Figure> {
        self.figure
    }

    /// What varies.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// How distributions are sampled.
    pub fn sampling(&self) -> &Sampling {
        &self.sampling
    }

    /// The outputs.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// Number of cases.
    pub fn cases(&self) -> u64 {
        self.grid * self.sampling.count().max(1)
    }

    /// Points of the grid of lists and ranges, each of which gets all samples.
    pub fn grid(&self) -> u64 {
        self.grid
    }

    /// Number of partitions.
    pub fn partitions(&self) -> u64 {
        self.cases().div_ceil(self.rows)
    }

    /// The cases of a partition.
    pub fn partition_cases(&self, partition: u64) -> Range<u64> {
        let start = partition.saturating_mul(self.rows).min(self.cases());
        start..start.saturating_add(self.rows).min(self.cases())
    }

    /// Tells studies with different results apart: a hash of everything that they depend on, the version
    /// of carom included, and of nothing else (not of comments, order of keys or the title).
    pub fn fingerprint(&self) -> String {
        let outputs: Vec<_> = self.outputs.iter().map(|output| output.name).collect();
        // Formulas that a user changed make another study, whatever their name.
        let laws =
            self.axes.iter().filter(|axis| axis.name() == "law").flat_map(|axis| {
                match &axis.points {
                    Points::Words(laws) => laws.as_slice(),
                    _ => &[],
                }
            });
        let laws = laws.chain(std::iter::once(&self.base.law));
        let own: Vec<&str> =
            laws.filter_map(|law| Some(crate::model(law).ok()?.own?.source)).collect();
        let all = format!(
            "{} {own:?} {:?} {:?} {:?} {:?} {}",
            env!("CARGO_PKG_VERSION"),
            self.base,
            self.axes,
            self.sampling,
            outputs,
            self.rows
        );
        fingerprint(&all)
    }

    /// Case number `index`, in the words of `carom impact`.
    pub fn spec(&self, index: u64) -> Result<Spec> {
        if index >= self.cases() {
            let allowed = format!("below {}, the number of cases", self.cases());
            return Err(Error::invalid("case", index, allowed, "cases are counted from 0"));
        }
        let mut values = Vec::new();
        self.values(index, &mut values);
        Ok(self.spec_of(&values))
    }

    /// The values of all axes in a case, in words: numbers in SI units.
    pub fn words(&self, index: u64) -> Vec<String> {
        let mut values = Vec::new();
        self.values(index, &mut values);
        let said = |(axis, value): (&Axis, &Value)| match (value, &axis.points) {
            (Value::Word(k), Points::Words(words)) => words.get(*k as usize).cloned(),
            (Value::Number(number), _) => Some(number.to_string()),
            _ => None,
        };
        let all = self.axes.iter().zip(&values);
        all.map(|pair| said(pair).unwrap_or_default()).collect()
    }

    /// The values of all axes in a case.
    fn values(&self, index: u64, values: &mut Vec<Value>) {
        let samples = self.sampling.count().max(1);
        let (point, sample) = (index / samples, index % samples);
        values.clear();
        for (axis, place) in self.axes.iter().zip(&self.places) {
            values.push(match (*place, &axis.points) {
                (Place::Sample(k), Points::Random(distribution)) => {
                    Value::Number(distribution.quantile(self.sampling.unit(k, sample)))
                }
                (Place::Grid { stride, count }, Points::Numbers(numbers)) => {
                    let k = (point / stride % count) as usize;
                    Value::Number(numbers.get(k).copied().unwrap_or(f64::NAN))
                }
                (Place::Grid { stride, count }, _) => Value::Word((point / stride % count) as u32),
                // An axis with a distribution stands among the samples.
                (Place::Sample(_), _) => Value::Number(f64::NAN),
            });
        }
    }

    /// The spec with these values of the axes.
    fn spec_of(&self, values: &[Value]) -> Spec {
        let mut spec = self.base.clone();
        for (axis, value) in self.axes.iter().zip(values) {
            match (value, &axis.points) {
                (Value::Number(number), _) => axis.parameter.put(&mut spec, (*number).into()),
                (Value::Word(k), Points::Words(words)) => {
                    axis.parameter.put_word(&mut spec, words.get(*k as usize).map_or("", |w| w));
                }
                (Value::Word(_), _) => {}
            }
        }
        spec
    }

    /// Prepares to compute: looks at some cases to see which exponents occur often.
    pub fn plan(&self) -> Plan {
        Plan::new(self.clone())
    }
}
