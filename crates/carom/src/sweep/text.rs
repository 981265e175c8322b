//! Reads a study from TOML; errors name the line.
//!
//! ```toml
//! title = "Steel ball"                    # optional
//! outputs = ["restitution", "force_max"]  # four by default
//!
//! [impact]                                # as `carom impact`: what does not vary
//! law = "hunt-crossley-1975"
//! mass = "0.54 kg"
//! stiffness = "2.4144e10 N/m^1.5"
//! calibration = "exact"
//!
//! [sampling]                              # for axes with a distribution
//! method = "sobol"                        # or latin-hypercube, random
//! count = 1024
//! seed = 1
//!
//! [[axis]]
//! parameter = "speed"
//! from = "1 cm/s"
//! to = "1 m/s"
//! count = 20
//! spacing = "log"
//!
//! [[axis]]
//! parameter = "restitution"
//! distribution = "normal"
//! mean = 0.75
//! deviation = 0.02
//! ```

mod axis;

use super::axis::{Axis, Points};
use super::sample::{Method, Sampling};
use super::{CASE_LIMIT, Figure, PARTITION_CASES, Study};
use crate::batch::{DEFAULT_OUTPUTS, Output};
use crate::error::{Error, Result};
use crate::spec::Spec;
use axis::AxisText;
use serde::Deserialize;
use toml::Spanned;

/// A whole study.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Text {
    /// One line that names the study.
    title: Option<String>,
    /// Numbers of each impact that are kept; unless given, those marked below.
    outputs: Option<Spanned<Vec<String>>>,
    /// Number of cases that are computed and written as one piece; 65536 unless given.
    partition: Option<Spanned<u64>>,
    /// What a figure shows: `loops`, `lines`, `map` or `distribution`; unless given, what suits the axes.
    figure: Option<Spanned<String>>,
    /// What does not vary; needed.
    impact: Spanned<Spec>,
    /// How distributions are sampled.
    sampling: Option<Spanned<SamplingText>>,
    /// The parameters that vary.
    #[serde(default)]
    axis: Vec<Spanned<AxisText>>,
}

/// How distributions are sampled.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct SamplingText {
    /// How points are chosen: `sobol`, `latin-hypercube` or `random`; `sobol` unless given.
    method: Option<String>,
    /// Number of samples; needed where an axis has a distribution.
    count: Option<u64>,
    /// Starts the random numbers; 0 unless given.
    #[serde(default)]
    seed: u64,
    /// Whether a `sobol` sequence is scrambled by the seed; `true` unless given.
    scramble: Option<bool>,
}

/// Reads a study.
pub(super) fn read(source: &str, law_name: &dyn Fn(&str) -> Result<String>) -> Result<Study> {
    let line = |at: usize| {
        let before = source.get(..at).unwrap_or(source);
        format!("line {}", before.matches('\n').count() + 1)
    };
    let text: Text = toml::from_str(source).map_err(|why| {
        // The message of the parser has several lines; an error here has one.
        let reason = why.message().trim().replace('\n', " ");
        let error = Error::unreadable("the study", reason);
        match why.span() {
            Some(span) => error.at(line(span.start)),
            None => error,
        }
    })?;
    let mut base = text.impact.get_ref().clone();
    base.law = law_name(&base.law).map_err(|error| error.at(line(text.impact.span().start)))?;
    let mut axes: Vec<Axis> = Vec::new();
    for axis in &text.axis {
        let place = || line(axis.span().start);
        let mut made = axis.get_ref().axis(&base).map_err(|error| error.at(place()))?;
        if made.name() == "law"
            && let Points::Words(laws) = &mut made.points
        {
            for law in laws {
                *law = law_name(law).map_err(|error| error.at(place()))?;
            }
        }
        if axes.iter().any(|other| other.parameter == made.parameter) {
            let advice = "name every parameter once; a list of values may hold them all";
            let twice = Error::unsupported(format!("a second axis for {}", made.name()), advice);
            return Err(twice.at(place()));
        }
        axes.push(made);
    }
    let sampling = match &text.sampling {
        Some(sampling) => {
            let random = axes.iter().filter(|axis| axis.distribution().is_some());
            let names: Vec<&str> = random.map(Axis::name).collect();
            let made = sampling.get_ref().sampling(&names);
            made.map_err(|error| error.at(line(sampling.span().start)))?
        }
        None => Sampling::default(),
    };
    if let Some(axis) = axes.iter().find(|axis| axis.distribution().is_some())
        && sampling.count() == 0
    {
        return Err(Error::missing(
            "sampling.count",
            format!(
                "{} has a distribution; write [sampling] with count = 1000, and seed and method if you like",
                axis.name()
            ),
        ));
    }
    let outputs = match &text.outputs {
        Some(names) => {
            let found: Result<Vec<_>> = names.get_ref().iter().map(|n| Output::find(n)).collect();
            let found = found.map_err(|error| error.at(line(names.span().start)))?;
            if let Some((i, twice)) =
                found.iter().enumerate().find(|(i, output)| found[..*i].contains(output))
            {
                let what = format!("output {} twice (as number {})", twice.name, i + 1);
                let error = Error::unsupported(what, "name every output once");
                return Err(error.at(line(names.span().start)));
            }
            found
        }
        None => DEFAULT_OUTPUTS.iter().map(|name| Output::find(name)).collect::<Result<_>>()?,
    };
    let rows = match &text.partition {
        Some(rows) if !(1..=10_000_000).contains(rows.get_ref()) => {
            let advice =
                "a partition is computed and written as a whole; leave it out for the usual size";
            let error = Error::invalid("partition", rows.get_ref(), "1 to 10000000 cases", advice);
            return Err(error.at(line(rows.span().start)));
        }
        Some(rows) => *rows.get_ref(),
        None => PARTITION_CASES,
    };
    let figure = match &text.figure {
        Some(name) => {
            let found = name.get_ref().parse::<Figure>();
            Some(found.map_err(|error| error.at(line(name.span().start)))?)
        }
        None => None,
    };
    // A word that is wrong in every case is an error of the study; words of an axis were checked with the axis.
    let law = match axes.iter().any(|axis| axis.name() == "law") {
        true => "hertz-1881".into(),
        false => base.law.clone(),
    };
    Spec { law, calibration: base.calibration.clone(), exit: base.exit.clone(), ..Spec::default() }
        .words()?;
    let title = text.title.clone().unwrap_or_default();
    let study = Study::new(title, base, axes, sampling, outputs, rows)?;
    Ok(Study { figure, ..study })
}

impl SamplingText {
    fn sampling(&self, axes: &[&str]) -> Result<Sampling> {
        let method: Method = self.method.as_deref().unwrap_or("sobol").parse()?;
        let count = self.count.unwrap_or(0);
        if self.count == Some(0) || count > CASE_LIMIT {
            let allowed = format!("1 to {CASE_LIMIT}");
            return Err(Error::invalid("count", count, allowed, "it is the number of samples"));
        }
        if axes.is_empty() && self.count.is_some() {
            return Err(Error::unsupported(
                "sampling without a distribution",
                "give an axis a distribution (uniform, log-uniform, normal, lognormal), or leave [sampling] out",
            ));
        }
        if self.scramble.is_some() && method != Method::Sobol {
            let advice = "only `sobol` is scrambled; leave it out";
            return Err(Error::unsupported(format!("scramble of {}", method.name()), advice));
        }
        Sampling::new(method, count, self.seed, self.scramble.unwrap_or(true), axes)
    }
}
