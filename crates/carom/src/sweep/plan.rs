//! Computing a study: what is the same in many cases is done once.
//!
//! Three things make a case cheap, and none may change a bit of its result with the order in which
//! cases are met:
//!
//! - **Templates.** Words, exponents and bodies make names, units and checks; masses, speeds,
//!   restitutions are numbers in a finished [`Case`]. So a case is made from the words of its grid point
//!   once, and the numbers are put into it. Whatever goes wrong on this short way is computed again on the
//!   long one, through [`Spec`](crate::spec::Spec), whose error is the one that counts.
//! - **Curves.** A power law at fixed exponents is a function of ε alone ([`Curve`], good to 2e-11). Which
//!   exponents get a curve is decided beforehand, from a fixed choice of cases, never by what came first.
//! - An **exact calibration** is read from the same curve, for models where looking shows that their
//!   calibration is `exact::epsilon`.

use super::columns::{Column, Values};
use super::output::Evaluated;
use super::parameter::Number;
use super::{Points, Study, Value};
use crate::error::{Error, Result};
use crate::exact::{self, Curve, Exponents};
use crate::impact::{collide_on, collide_under};
use crate::law::{Damper, Exit, Form, Law, Phases};
use crate::model::Damping;
use crate::numeric::random;
use crate::spec::{Case, Spec};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Cases that are looked at beforehand.
const PROBES: u64 = 1024;
/// A curve is made where it will serve at least so many cases.
const WORTH: u64 = 64;
/// Templates kept at a time.
const TEMPLATES: usize = 512;

/// What became of a case.
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

/// Exponents and exit, bit by bit.
type Key = ([u64; 3], Exit);

/// A study, ready to compute; see the module comment of `sweep/plan.rs`.
pub struct Plan {
    study: Study,
    /// Axes whose values are part of a template.
    structural: Vec<usize>,
    /// Axes whose values are put into a template.
    numeric: Vec<(usize, Number)>,
    /// False where some axis fits neither: every case goes the long way.
    templated: bool,
    curves: HashMap<Key, Curve>,
    /// Models whose exact calibration is `exact::epsilon`.
    by_curve: HashSet<&'static str>,
}

/// What one thread keeps from case to case.
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
            curves: HashMap::new(),
            by_curve: HashSet::new(),
            study,
        };
        for (i, axis) in plan.study.axes.iter().enumerate() {
            match axis.parameter.number() {
                Some(
                    number @ (Number::Mass
                    | Number::Stiffness
                    | Number::Speed
                    | Number::Restitution
                    | Number::Damping
                    | Number::ExternalForce),
                ) => plan.numeric.push((i, number)),
                _ if axis.distribution().is_none() => plan.structural.push(i),
                _ => plan.templated = false,
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
        let mut models: HashMap<&'static str, (u32, bool)> = HashMap::new();
        for i in 0..probes {
            // All cases of a small study, else a scatter.
            let index = if cases == probes { i } else { random::bits(0, i) % cases };
            self.study.values(index, &mut values);
            let Ok(mut case) = self.study.spec_of(&values).case() else { continue };
            if case.conditions.external_force != 0.0 {
                continue;
            }
            let exact = matches!(case.damping, Damping::Exact(_));
            if exact {
                let (count, good) = models.entry(case.model.id).or_insert((0, true));
                if *count < 8 {
                    *count += 1;
                    *good = *good && calibrates_by_theory(&case);
                }
                // Its exponents are wanted, not its damping.
                case.damping = Damping::Exact(1.0);
            }
            if let Some((key, _)) = case.law().ok().as_ref().and_then(key) {
                *seen.entry(key).or_insert(0) += 1;
            }
        }
        let good = models.iter().filter(|(_, (_, good))| *good);
        self.by_curve = good.map(|(id, _)| *id).collect();
        for (key, count) in seen {
            let exponents = key.0.map(f64::from_bits);
            let expected = count.saturating_mul(cases) / probes.max(1);
            if count > 1
                && expected >= WORTH
                && let Ok(exponents) = Exponents::new(exponents[0], exponents[1], exponents[2])
            {
                self.curves.insert(key, Curve::new(exponents, key.1));
            }
        }
    }

    /// A partition of the study as columns: `case`, the axes, the outputs, `status`.
    ///
    /// Pure: the same columns whoever asks, whatever was asked before.
    pub fn partition(&self, partition: u64) -> Vec<Column> {
        self.cases(self.study.partition_cases(partition))
    }

    /// Any contiguous cases as the same columns.
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
        let mut columns = vec![Column::new("case", "", Values::Whole(cases.collect()))];
        for ((axis, numbers), index) in study.axes.iter().zip(axes).zip(words) {
            let values = match &axis.points {
                Points::Words(list) => Values::Word { list: list.clone(), index },
                _ => Values::Real(numbers),
            };
            columns.push(Column::new(axis.name(), axis.parameter.unit(&study.base), values));
        }
        for (output, numbers) in study.outputs.iter().zip(outputs) {
            columns.push(Column::new(output.name, output.unit, Values::Real(numbers)));
        }
        let list = STATUS.iter().map(|word| word.to_string()).collect();
        columns.push(Column::new("status", "", Values::Word { list, index: status }));
        columns
    }

    /// The model, the law and the impact with these values of the axes.
    pub(super) fn evaluate(&self, values: &[Value], scratch: &mut Scratch) -> Result<Evaluated> {
        if self.templated
            && let Some(found) = self.short_way(values, scratch)
        {
            return Ok(found);
        }
        self.run(&self.study.spec_of(values).case()?)
    }

    /// The case from a template; `None` where only the long way can tell.
    fn short_way(&self, values: &[Value], scratch: &mut Scratch) -> Option<Evaluated> {
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
        for &(i, number) in &self.numeric {
            let Value::Number(value) = *values.get(i)? else { return None };
            let positive = value.is_finite() && value > 0.0;
            match number {
                Number::Speed if positive => case.speed = value,
                Number::Mass if positive => case.pair.mass = value,
                Number::Stiffness if positive => case.pair.stiffness = value,
                Number::ExternalForce if value.is_finite() => {
                    case.conditions.external_force = value;
                }
                Number::Damping if value.is_finite() => case.damping = Damping::Coefficient(value),
                Number::Restitution if positive && value <= 1.0 => {
                    case.damping = match case.damping {
                        Damping::Restitution(_) => Damping::Restitution(value),
                        Damping::Exact(_) => Damping::Exact(value),
                        Damping::None | Damping::Coefficient(_) => return None,
                    };
                }
                _ => return None,
            }
        }
        self.run(case).ok()
    }

    /// The case of these words, with numbers that are allowed everywhere.
    fn template(&self, values: &[Value]) -> Option<Case> {
        let mut spec: Spec = self.study.spec_of(values);
        for &(i, number) in &self.numeric {
            let any = match number {
                Number::ExternalForce => 0.0,
                Number::Restitution => 0.5,
                _ => 1.0,
            };
            self.study.axes.get(i)?.parameter.put(&mut spec, any);
        }
        spec.case().ok()
    }

    /// Collides, along a curve where there is one.
    fn run(&self, case: &Case) -> Result<Evaluated> {
        if case.conditions.external_force == 0.0 && !self.curves.is_empty() {
            let exact = match case.damping {
                Damping::Exact(e) if self.by_curve.contains(case.model.id) => Some(e),
                _ => None,
            };
            let mut law = match exact {
                Some(_) => case.model.law(&case.pair, Damping::Exact(1.0), case.exit, &case.set)?,
                None => case.law()?,
            };
            if let Some(curve) = key(&law).and_then(|(key, _)| self.curves.get(&key)) {
                if let (Some(e), Form::Power(power)) = (exact, &mut law.form) {
                    power.damper = Damper::Ratio(curve.epsilon(e)?);
                }
                let impact = collide_on(curve, &law, case.speed)?;
                return Ok((case.model, law, impact));
            }
            if exact.is_none() {
                let impact = collide_under(&law, case.speed, &case.conditions)?;
                return Ok((case.model, law, impact));
            }
        }
        let law = case.law()?;
        let impact = collide_under(&law, case.speed, &case.conditions)?;
        Ok((case.model, law, impact))
    }

    /// The whole story of a case that went wrong; `None` if it did not.
    pub fn error(&self, index: u64) -> Option<Error> {
        let mut values = Vec::new();
        self.study.values(index, &mut values);
        self.evaluate(&values, &mut Scratch::default()).err()
    }
}

/// The exponents and exit of a law that can have a curve.
fn key(law: &Law) -> Option<(Key, f64)> {
    let power = law.power().filter(|power| power.phases == Phases::Both)?;
    let exponents = [power.elastic.value(), power.damping.value(), power.rate.value()];
    let epsilon = match power.damper {
        Damper::Ratio(epsilon) => epsilon,
        _ => f64::NAN,
    };
    Some(((exponents.map(f64::to_bits), law.exit), epsilon))
}

/// Whether the model calibrates this case by the theory of power laws, at exponents that do not depend
/// on the restitution.
pub(crate) fn calibrates_by_theory(case: &Case) -> bool {
    let law = |e: f64| case.model.law(&case.pair, Damping::Exact(e), case.exit, &case.set).ok();
    let (Some(elastic), Some(damped)) = (law(1.0), law(0.5)) else { return false };
    let (Some((a, _)), Some((b, epsilon))) = (key(&elastic), key(&damped)) else { return false };
    let [n, m, q] = b.0.map(f64::from_bits);
    let theory = Exponents::new(n, m, q).and_then(|exponents| exact::epsilon(exponents, b.1, 0.5));
    a == b && theory.is_ok_and(|theory| (theory / epsilon - 1.0).abs() < 1e-12)
}
