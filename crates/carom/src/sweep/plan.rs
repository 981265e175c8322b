//! Computing a study: what is the same in many cases is done once.
//!
//! Two things make a case cheap, and neither lets a result depend on the order in which cases are computed:
//!
//! - **Templates.** Words, exponents and bodies determine names, units and checks; masses, speeds and restitutions
//!   are numbers in a finished [`Case`]. So the case of a grid point is made from its words once, and the numbers
//!   are put into it. A case that fails in this way is computed again from its [`Spec`](crate::spec::Spec), whose
//!   error counts.
//! - **Curves** (`batch/curves.rs`). Which exponents get a curve is decided beforehand, from a fixed choice of cases.

use super::{Points, Study, Value};
use crate::batch::{Curves, Evaluated, Key, calibrates_by_theory, elastic};
use crate::error::{Error, Result};
use crate::model::{Damping, Model};
use crate::numeric::random;
use crate::spec::{Case, Spec};
use carom_store::{Column, Source, Values};
use std::collections::HashMap;
use std::ops::Range;

/// Cases that are examined beforehand.
const PROBES: u64 = 1024;
/// Cases of a model that are examined for how it calibrates.
const CALIBRATION_PROBES: u32 = 8;
/// Smallest number of cases for which a curve takes less time than it saves.
const CURVE_CASES: u64 = 64;
/// Largest number of templates in memory.
const TEMPLATES: usize = 512;

/// Outcomes of a case; the first two have results.
const STATUS: [&str; 9] = [
    "ok",
    "never_separates",
    "invalid",
    "unknown",
    "missing",
    "unsupported",
    "unreachable",
    "numerical",
    "unreadable",
];

/// A study, ready to compute; see the module comment of `sweep/plan.rs`.
pub struct Plan {
    study: Study,
    /// Axes whose values are part of a template.
    structural: Vec<usize>,
    /// Axes whose values are put into a template.
    numeric: Vec<usize>,
    /// False where some axis is neither: every case is then made from its description.
    templated: bool,
    curves: Curves,
}

/// Data that one thread reuses from case to case.
#[derive(Default)]
pub(super) struct Scratch {
    templates: HashMap<Vec<u64>, Option<Case>>,
    key: Vec<u64>,
}

impl Plan {
    pub(super) fn new(study: Study) -> Self {
        let mut plan = Self {
            structural: Vec::new(),
            numeric: Vec::new(),
            templated: true,
            curves: Curves::default(),
            study,
        };
        for (i, axis) in plan.study.axes.iter().enumerate() {
            match axis.parameter.is_number_of_case() {
                true => plan.numeric.push(i),
                false if axis.distribution().is_none() => plan.structural.push(i),
                false => plan.templated = false,
            }
        }
        plan.probe();
        plan
    }

    /// The study.
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// Finds the exponents that occur often enough for a curve.
    fn probe(&mut self) {
        let cases = self.study.cases();
        let probes = cases.min(PROBES);
        let mut values = Vec::new();
        let mut seen: HashMap<Key, u64> = HashMap::new();
        let mut models: HashMap<&'static str, (&'static Model, u32, bool)> = HashMap::new();
        for i in 0..probes {
            // All cases of a small study, else a sample of them.
            let index = if cases == probes { i } else { random::bits(0, i) % cases };
            self.study.values(index, &mut values);
            let Ok(case) = self.study.spec_of(&values).case() else { continue };
            if case.conditions.external_force != 0.0 {
                continue;
            }
            let exact = matches!(case.damping, Damping::Exact(_));
            if exact {
                let (_, count, by_theory) =
                    models.entry(case.model.id).or_insert((case.model, 0, true));
                if *count < CALIBRATION_PROBES {
                    *count += 1;
                    *by_theory = *by_theory && calibrates_by_theory(&case);
                }
            }
            let law = if exact { elastic(&case) } else { case.law() };
            if let Some(key) = law.ok().as_ref().and_then(Key::of) {
                *seen.entry(key).or_insert(0) += 1;
            }
        }
        let by_theory = models.into_values().filter(|(_, _, by_theory)| *by_theory);
        let often = seen.into_iter().filter(|(_, count)| {
            let expected = count.saturating_mul(cases) / probes.max(1);
            *count > 1 && expected >= CURVE_CASES
        });
        self.curves = Curves::new(often.map(|(key, _)| key), by_theory.map(|(model, ..)| model));
    }

    /// A partition of the study as columns: `case`, the axes, the outputs, `status`.
    ///
    /// Pure: the columns depend on the study and the number alone.
    pub fn partition(&self, partition: u64) -> Vec<Column> {
        self.cases(self.study.partition_cases(partition))
    }

    /// Any contiguous cases, as the columns of a partition.
    pub fn cases(&self, cases: Range<u64>) -> Vec<Column> {
        let study = &self.study;
        let last = study.cases();
        let cases = cases.start.min(last)..cases.end.clamp(cases.start.min(last), last);
        let count = (cases.end - cases.start) as usize;
        let mut axes: Vec<Vec<f64>> = vec![Vec::with_capacity(count); study.axes.len()];
        let mut words: Vec<Vec<u32>> = vec![Vec::new(); study.axes.len()];
        let mut outputs: Vec<Vec<f64>> = vec![Vec::with_capacity(count); study.outputs.len()];
        let mut status = Vec::with_capacity(count);
        let mut scratch = Scratch::default();
        let mut values = Vec::new();
        for index in cases.clone() {
            study.values(index, &mut values);
            for (i, value) in values.iter().enumerate() {
                match value {
                    Value::Number(number) => axes[i].push(*number),
                    Value::Word(k) => words[i].push(*k),
                }
            }
            let found = self.evaluate(&values, &mut scratch);
            let kind = match &found {
                Ok((_, _, impact)) if impact.duration.is_finite() => "ok",
                Ok(_) => "never_separates",
                Err(error) => error.kind(),
            };
            status.push(STATUS.iter().position(|known| *known == kind).unwrap_or(0) as u32);
            for (column, output) in outputs.iter_mut().zip(&study.outputs) {
                column.push(match &found {
                    Ok(evaluated) => output.of(evaluated),
                    Err(_) => f64::NAN,
                });
            }
        }
        let mut columns = vec![Column::new("case", "", Values::Integer(cases.collect()))];
        for ((axis, numbers), index) in study.axes.iter().zip(axes).zip(words) {
            let values = match &axis.points {
                Points::Words(list) => Values::Text { list: list.clone(), index },
                _ => Values::Real(numbers),
            };
            columns.push(Column::new(axis.name(), axis.parameter.unit(&study.base), values));
        }
        for (output, numbers) in study.outputs.iter().zip(outputs) {
            columns.push(Column::new(output.name, output.unit, Values::Real(numbers)));
        }
        let list = STATUS.iter().map(|word| word.to_string()).collect();
        columns.push(Column::new("status", "", Values::Text { list, index: status }));
        columns
    }

    /// The model, the law and the impact with these values of the axes.
    pub(super) fn evaluate(&self, values: &[Value], scratch: &mut Scratch) -> Result<Evaluated> {
        if self.templated
            && let Some(found) = self.evaluate_template(values, scratch)
        {
            return Ok(found);
        }
        self.curves.collide(&self.study.spec_of(values).case()?)
    }

    /// The case from a template; `None` where it must be made from its description.
    fn evaluate_template(&self, values: &[Value], scratch: &mut Scratch) -> Option<Evaluated> {
        scratch.key.clear();
        for &i in &self.structural {
            scratch.key.push(match values.get(i)? {
                Value::Number(number) => number.to_bits(),
                Value::Word(k) => u64::from(*k),
            });
        }
        if !scratch.templates.contains_key(scratch.key.as_slice()) {
            if scratch.templates.len() >= TEMPLATES {
                scratch.templates.clear();
            }
            let template = self.template(values);
            scratch.templates.insert(scratch.key.clone(), template);
        }
        let case = scratch.templates.get_mut(scratch.key.as_slice())?.as_mut()?;
        for &i in &self.numeric {
            let Value::Number(value) = *values.get(i)? else { return None };
            self.study.axes.get(i)?.parameter.put_into_case(case, value)?;
        }
        self.curves.collide(case).ok()
    }

    /// The case of these words, with numbers that are allowed for every law.
    fn template(&self, values: &[Value]) -> Option<Case> {
        let mut spec: Spec = self.study.spec_of(values);
        for &i in &self.numeric {
            let parameter = &self.study.axes.get(i)?.parameter;
            parameter.put(&mut spec, parameter.placeholder().into());
        }
        spec.case().ok()
    }

    /// The error of a case; `None` if it has a result.
    pub fn error(&self, index: u64) -> Option<Error> {
        let mut values = Vec::new();
        self.study.values(index, &mut values);
        self.evaluate(&values, &mut Scratch::default()).err()
    }
}

impl Source for Plan {
    fn partitions(&self) -> u64 {
        self.study.partitions()
    }
    fn partition(&self, number: u64) -> Vec<Column> {
        Plan::partition(self, number)
    }
    fn fingerprint(&self) -> String {
        self.study.fingerprint()
    }
    fn fields(&self) -> Vec<carom_store::Field> {
        // A range without cases has the columns all the same.
        self.cases(0..0).iter().map(Column::field).collect()
    }
}
