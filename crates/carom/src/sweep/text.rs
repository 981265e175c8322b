//! Reads a study from TOML; errors state the line.
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
//!
//! A study of a scene has `[scene]` instead of `[impact]`, and the parameters of its axes are keys of the scene:
//!
//! ```toml
//! outputs = ["force_max", "friction(wrist pin)", "last(trajectory.x_m, slider)"]
//!
//! [scene]
//! file = "slider-crank.toml"
//! set = ["wrist pin.law=flores-2011"]
//!
//! [[axis]]
//! parameter = "wrist pin.clearance"
//! from = "0.1 mm"
//! to = "1 mm"
//! count = 10
//! ```

mod axis;
mod short;

use super::axis::{Axis, Points};
use super::sample::{Method, Sampling};
use super::variation::CASE_LIMIT;
use super::{AnyStudy, Figure, PARTITION_CASES, SceneStudy, Study, Variation};
use crate::batch::{DEFAULT_OUTPUTS, Output, Parameter};
use crate::error::{Error, Result};
use crate::spec::{Quantity, Spec};
use crate::units::Dimension;
use axis::{AllowedValues, AxisText};
use serde::Deserialize;
use toml::Spanned;

/// A whole study.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Text {
    /// One line that names the study.
    title: Option<String>,
    /// Names of the results of each case that are kept; unless given, those marked below.
    outputs: Option<Spanned<Vec<String>>>,
    /// Number of cases that are computed and written together; 65536 unless given, for scenes a thousandth of all
    /// cases.
    partition: Option<Spanned<u64>>,
    /// Kind of figure: `loops`, `lines`, `map` or `distribution`; unless given, one that suits the axes.
    figure: Option<Spanned<String>>,
    /// Description of the impact without the parameters that vary; a study has this or `scene`.
    impact: Option<Spanned<Spec>>,
    /// Scene whose runs are the cases.
    scene: Option<Spanned<SceneText>>,
    /// Sampling of the distributions.
    sampling: Option<Spanned<SamplingText>>,
    /// Parameters that vary.
    #[serde(default)]
    axis: Vec<Spanned<AxisText>>,
}

/// Scene whose runs are the cases of a study.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct SceneText {
    /// File of the scene, a TOML file in the folder of the study; needed.
    file: String,
    /// Keys that are changed in all cases, each as `"TABLE.KEY=VALUE"`.
    #[serde(default)]
    set: Vec<String>,
    /// Time before which results are ignored, while a transient decays; 0 s unless given.
    from: Option<Quantity>,
}

/// Sampling of the distributions.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct SamplingText {
    /// Sampling method: `sobol`, `latin-hypercube` or `random`; `sobol` unless given.
    method: Option<String>,
    /// Number of samples; needed if an axis has a distribution.
    count: Option<u64>,
    /// Seed of the random numbers; 0 unless given.
    #[serde(default)]
    seed: u64,
    /// Whether a `sobol` sequence is scrambled with the seed; `true` unless given.
    scramble: Option<bool>,
}

/// Returns the line of a byte offset in a text.
fn line(source: &str, at: usize) -> String {
    let before = source.get(..at).unwrap_or(source);
    format!("line {}", before.matches('\n').count() + 1)
}

/// Reads a study.
pub(super) fn read(source: &str, law_name: &dyn Fn(&str) -> Result<String>) -> Result<AnyStudy> {
    let line = |at: usize| line(source, at);
    let text: Text = toml::from_str(source).map_err(|why| {
        // The message of the parser has several lines; an error of carom has one.
        let reason = why.message().trim().replace('\n', " ");
        let error = Error::unreadable("the study", reason);
        match why.span() {
            Some(span) => error.at(line(span.start)),
            None => error,
        }
    })?;
    match (&text.impact, &text.scene) {
        (Some(impact), None) => {
            let study = text.impacts(source, impact, law_name)?;
            Ok(AnyStudy::Impacts(Box::new(study)))
        }
        (None, Some(scene)) => {
            let study = text.of_scene(source, scene)?;
            Ok(AnyStudy::Scene(Box::new(study)))
        }
        (Some(_), Some(scene)) => {
            let advice = "a study is of impacts or of a scene; leave one of them out";
            let both = Error::unsupported("[impact] and [scene] together", advice);
            Err(both.at(line(scene.span().start)))
        }
        (None, None) => Err(Error::missing(
            "[impact] or [scene]",
            "write [impact] with what does not vary, as law and mass, or [scene] with file = \"scene.toml\"",
        )),
    }
}

impl Text {
    fn impacts(
        &self,
        source: &str,
        impact: &Spanned<Spec>,
        law_name: &dyn Fn(&str) -> Result<String>,
    ) -> Result<Study> {
        let line = |at: usize| line(source, at);
        let mut base = impact.get_ref().clone();
        base.law = law_name(&base.law).map_err(|error| error.at(line(impact.span().start)))?;
        let mut parameters = Vec::new();
        let axes = self.axes(source, |text| {
            let parameter = Parameter::find(&text.parameter)?;
            let allowed = AllowedValues::of_impact(&parameter, &base);
            let mut axis = text.axis(parameter.name(), &allowed)?;
            if axis.name() == "law"
                && let Points::Words(laws) = &mut axis.points
            {
                for law in laws {
                    *law = law_name(law)?;
                }
            }
            parameters.push(parameter);
            Ok(axis)
        })?;
        let outputs = match &self.outputs {
            Some(names) => {
                let found: Result<Vec<_>> =
                    names.get_ref().iter().map(|n| Output::find(n)).collect();
                found.map_err(|error| error.at(line(names.span().start)))?
            }
            None => DEFAULT_OUTPUTS.iter().map(|name| Output::find(name)).collect::<Result<_>>()?,
        };
        self.refuse_repeated(source, &outputs, |output| output.name)?;
        // A word that is wrong in every case is an error of the study; words of an axis have been checked with the
        // axis.
        let law = match axes.iter().any(|axis| axis.name() == "law") {
            true => "hertz-1881".into(),
            false => base.law.clone(),
        };
        let (calibration, exit) = (base.calibration.clone(), base.exit.clone());
        Spec { law, calibration, exit, ..Spec::default() }.words()?;
        let variation = self.variation(source, axes, |_| PARTITION_CASES)?;
        let (title, figure) = (self.title.clone().unwrap_or_default(), self.figure(source)?);
        Ok(Study { title, base, parameters, variation, outputs, figure })
    }

    fn of_scene(&self, source: &str, scene: &Spanned<SceneText>) -> Result<SceneStudy> {
        let SceneText { file, set, from } = scene.get_ref();
        let from = from.as_ref().map_or(Ok(0.0), |from| from.si("from", Dimension::TIME));
        let from = from.map_err(|error| error.at(line(source, scene.span().start)))?;
        let axes = self.axes(source, AxisText::of_scene)?;
        let outputs = self.outputs.as_ref().map_or(Vec::new(), |names| names.get_ref().clone());
        self.refuse_repeated(source, &outputs, String::as_str)?;
        Ok(SceneStudy {
            title: self.title.clone().unwrap_or_default(),
            file: file.clone(),
            set: set.clone(),
            from,
            outputs,
            variation: self.variation(source, axes, scene_partition)?,
            figure: self.figure(source)?,
        })
    }

    /// Returns the axes as made by `make`; errors state the line.
    fn axes(
        &self,
        source: &str,
        mut make: impl FnMut(&AxisText) -> Result<Axis>,
    ) -> Result<Vec<Axis>> {
        let mut axes: Vec<Axis> = Vec::new();
        for text in &self.axis {
            let at_line = |error: Error| error.at(line(source, text.span().start));
            let axis = make(text.get_ref()).map_err(at_line)?;
            refuse_second_axis(&axes, &axis).map_err(at_line)?;
            axes.push(axis);
        }
        Ok(axes)
    }

    /// Refuses an output that is named twice.
    fn refuse_repeated<T: PartialEq>(
        &self,
        source: &str,
        outputs: &[T],
        name: fn(&T) -> &str,
    ) -> Result<()> {
        let again = |(i, output): &(usize, &T)| outputs[..*i].contains(output);
        let Some((i, twice)) = outputs.iter().enumerate().find(again) else { return Ok(()) };
        let what = format!("output {} twice (as number {})", name(twice), i + 1);
        let at = self.outputs.as_ref().map_or(0, |names| names.span().start);
        Err(Error::unsupported(what, "name every output once").at(line(source, at)))
    }

    fn figure(&self, source: &str) -> Result<Option<Figure>> {
        let Some(name) = &self.figure else { return Ok(None) };
        let found = name.get_ref().parse::<Figure>();
        found.map(Some).map_err(|error| error.at(line(source, name.span().start)))
    }

    /// Returns the axes with the order of cases; `default_partition` returns the number of cases per partition for a
    /// number of cases.
    fn variation(
        &self,
        source: &str,
        axes: Vec<Axis>,
        default_partition: fn(u64) -> u64,
    ) -> Result<Variation> {
        let line = |at: usize| line(source, at);
        let sampling = match &self.sampling {
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
            let advice = format!(
                "{} has a distribution; write [sampling] with count = 1000, and seed and method if you like",
                axis.name()
            );
            return Err(Error::missing("sampling.count", advice));
        }
        let given = match &self.partition {
            Some(rows) if !(1..=10_000_000).contains(rows.get_ref()) => {
                let advice = "a partition is computed and written as a whole; leave it out for the usual size";
                let allowed = "1 to 10000000 cases";
                let error = Error::invalid("partition", rows.get_ref(), allowed, advice);
                return Err(error.at(line(rows.span().start)));
            }
            rows => rows.as_ref().map(|rows| *rows.get_ref()),
        };
        Variation::new(axes, sampling, |cases| given.unwrap_or_else(|| default_partition(cases)))
    }
}

/// Returns the number of cases per partition of a study of a scene. It is small, because a case may take minutes and
/// an interruption should cost little.
fn scene_partition(cases: u64) -> u64 {
    cases.div_ceil(1000)
}

/// Refuses a second axis for a parameter.
fn refuse_second_axis(axes: &[Axis], axis: &Axis) -> Result<()> {
    match axes.iter().any(|other| other.name() == axis.name()) {
        true => Err(Error::unsupported(
            format!("a second axis for {}", axis.name()),
            "name every parameter once; a list of values may hold them all",
        )),
        false => Ok(()),
    }
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
            let advice = "give an axis a distribution (uniform, log-uniform, normal, lognormal), or leave [sampling] out";
            return Err(Error::unsupported("sampling without a distribution", advice));
        }
        if self.scramble.is_some() && method != Method::Sobol {
            let advice = "only `sobol` is scrambled; leave it out";
            return Err(Error::unsupported(format!("scramble of {}", method.name()), advice));
        }
        Sampling::new(method, count, self.seed, self.scramble.unwrap_or(true), axes)
    }
}
