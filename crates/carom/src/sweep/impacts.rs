//! Computes a study of impacts; intermediate results that many cases share are computed once.
//!
//! Two methods reduce the cost of a case. With neither of them does a result depend on the order in which cases are
//! computed:
//!
//! - **Templates.** Words, exponents and bodies determine names, units and checks; masses, speeds and restitutions
//!   are numbers in a finished [`Case`]. Therefore the case of a grid point is made from its words once, and the
//!   numbers are inserted into it. If such a case fails, it is computed again from its [`Spec`](crate::spec::Spec),
//!   and the error of that computation is reported.
//! - **Curves** (`batch/curves.rs`). The exponents for which a curve is computed are determined beforehand, from a
//!   fixed selection of cases.

use super::plan::{Evaluate, Plan};
use super::{Figure, Study, Value, Variation};
use crate::batch::{CurveKey, Curves, EvaluatedCase, calibrates_by_theory, elastic};
use crate::error::Result;
use crate::model::{Damping, Model};
use crate::numeric::random;
use crate::spec::{Case, Spec};
use std::collections::HashMap;

/// Largest number of cases that are examined beforehand.
const MAX_PROBES: u64 = 1024;
/// Largest number of cases of a model that are examined for its kind of calibration.
const MAX_CALIBRATION_PROBES: u32 = 8;
/// Smallest number of cases for which a curve saves more time than it takes.
const MIN_CURVE_CASES: u64 = 64;
/// Largest number of templates in memory.
const MAX_TEMPLATES: usize = 512;

/// Evaluator of the impacts of a study; see the module comment of `sweep/impacts.rs`.
pub struct Impacts {
    study: Study,
    /// Axes whose values are part of a template.
    structural: Vec<usize>,
    /// Axes whose values are inserted into a template.
    numeric: Vec<usize>,
    /// False if some axis is neither; every case is then made from its description.
    templated: bool,
    curves: Curves,
}

/// Templates that one thread reuses from case to case.
#[derive(Default)]
pub struct Scratch {
    templates: HashMap<Vec<u64>, Option<Case>>,
    key: Vec<u64>,
}

impl Impacts {
    /// Creates the evaluator: examines some cases to find the exponents that occur often.
    pub(super) fn new(study: Study) -> Self {
        let mut impacts = Self {
            structural: Vec::new(),
            numeric: Vec::new(),
            templated: true,
            curves: Curves::default(),
            study,
        };
        let axes = impacts.study.variation.axes().iter().zip(&impacts.study.parameters);
        for (i, (axis, parameter)) in axes.enumerate() {
            match parameter.is_number_of_case() {
                true => impacts.numeric.push(i),
                false if axis.distribution().is_none() => impacts.structural.push(i),
                false => impacts.templated = false,
            }
        }
        impacts.probe();
        impacts
    }

    /// Finds the exponents that occur often enough for a curve.
    fn probe(&mut self) {
        let cases = self.study.cases();
        let probes = cases.min(MAX_PROBES);
        let mut values = Vec::new();
        let mut seen: HashMap<CurveKey, u64> = HashMap::new();
        let mut models: HashMap<&'static str, (&'static Model, u32, bool)> = HashMap::new();
        for i in 0..probes {
            // All cases of a small study are examined, otherwise a sample of them.
            let index = if cases == probes { i } else { random::bits(0, i) % cases };
            self.study.variation.values(index, &mut values);
            let Ok(case) = self.study.spec_of(&values).case() else { continue };
            if case.conditions.external_force != 0.0 {
                continue;
            }
            let exact = matches!(case.damping, Damping::Exact(_));
            if exact {
                let (_, count, by_theory) =
                    models.entry(case.model.id).or_insert((case.model, 0, true));
                if *count < MAX_CALIBRATION_PROBES {
                    *count += 1;
                    *by_theory = *by_theory && calibrates_by_theory(&case);
                }
            }
            let law = if exact { elastic(&case) } else { case.law() };
            if let Some(key) = law.ok().as_ref().and_then(CurveKey::of) {
                *seen.entry(key).or_insert(0) += 1;
            }
        }
        let by_theory = models.into_values().filter(|(_, _, by_theory)| *by_theory);
        let often = seen.into_iter().filter(|(_, count)| {
            let expected = count.saturating_mul(cases) / probes.max(1);
            *count > 1 && expected >= MIN_CURVE_CASES
        });
        self.curves = Curves::new(often.map(|(key, _)| key), by_theory.map(|(model, ..)| model));
    }

    /// Returns the model, the law and the impact with these values of the axes.
    fn impact(&self, values: &[Value], scratch: &mut Scratch) -> Result<EvaluatedCase> {
        if self.templated
            && let Some(found) = self.evaluate_template(values, scratch)
        {
            return Ok(found);
        }
        self.curves.collide(&self.study.spec_of(values).case()?)
    }

    /// Evaluates the case by a template; `None` if it must be made from its description.
    fn evaluate_template(&self, values: &[Value], scratch: &mut Scratch) -> Option<EvaluatedCase> {
        scratch.key.clear();
        for &i in &self.structural {
            scratch.key.push(match values.get(i)? {
                Value::Number(number) => number.to_bits(),
                Value::Word(k) => u64::from(*k),
            });
        }
        if !scratch.templates.contains_key(scratch.key.as_slice()) {
            if scratch.templates.len() >= MAX_TEMPLATES {
                scratch.templates.clear();
            }
            let template = self.template(values);
            scratch.templates.insert(scratch.key.clone(), template);
        }
        let case = scratch.templates.get_mut(scratch.key.as_slice())?.as_mut()?;
        for &i in &self.numeric {
            let Value::Number(value) = *values.get(i)? else { return None };
            self.study.parameters.get(i)?.put_into_case(case, value)?;
        }
        self.curves.collide(case).ok()
    }

    /// Returns the case with the words of these values, and with placeholders for its numbers that every law accepts.
    fn template(&self, values: &[Value]) -> Option<Case> {
        let mut spec: Spec = self.study.spec_of(values);
        for &i in &self.numeric {
            let parameter = self.study.parameters.get(i)?;
            parameter.put(&mut spec, parameter.placeholder().into());
        }
        spec.case().ok()
    }
}

impl Plan<Impacts> {
    /// Returns the study.
    pub fn study(&self) -> &Study {
        &self.evaluator().study
    }
}

impl Evaluate for Impacts {
    type Scratch = Scratch;

    fn variation(&self) -> &Variation {
        &self.study.variation
    }

    fn title(&self) -> &str {
        &self.study.title
    }

    fn figure(&self) -> Option<Figure> {
        self.study.figure
    }

    fn outputs(&self) -> Vec<(String, String)> {
        self.study.outputs.iter().map(|output| (output.name.into(), output.unit.into())).collect()
    }

    fn evaluate(
        &self,
        values: &[Value],
        scratch: &mut Scratch,
        rows: &mut Vec<f64>,
    ) -> Result<&'static str> {
        let evaluated = self.impact(values, scratch)?;
        rows.extend(self.study.outputs.iter().map(|output| output.of(&evaluated)));
        Ok(if evaluated.2.duration.is_finite() { "ok" } else { "never_separates" })
    }

    fn fingerprint(&self) -> String {
        self.study.fingerprint()
    }
}
