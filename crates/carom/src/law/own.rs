//! Laws defined by users: formulas for a spring, a damper, an unloading branch and an internal state.
//!
//! F = spring(δ) + damper(δ, δ̇); below the largest indentation so far, F = max(0, unloading(δ, δ_max)) + damper.
//! Each part is an [`Expression`] in the [variables](variable) and the parameters of the law ([`Definition`]). The
//! parts are combined and compiled into [`Program`]s, which run with any scalar, so that tangents, generated code and
//! vector lanes work as for the forms written in Rust.
//!
//! A spring without a damper gets the [linear-equivalent damper](super::curve::equivalent_damper) if damping is
//! requested.

use super::{Calibration, Force, Form, Memory, Response};
use crate::error::{Error, Result};
use crate::formula::integral::{integral, tables, thresholds};
use crate::formula::{Comparison, Expression, MonotoneCubic, Program};
use crate::scalar::expression::{Binary, Unary};
use crate::scalar::{Lanes, Scalar};
use std::sync::Mutex;

/// Largest number of parameters of an own law.
pub const MAX_PARAMETERS: usize = 12;

/// Indices of the variables of own laws; the parameters follow from [`variable::FIRST_PARAMETER`] on.
pub mod variable {
    /// Indentation δ.
    pub const DELTA: usize = 0;
    /// Indentation rate δ̇.
    pub const RATE: usize = 1;
    /// Approach speed v₀.
    pub const SPEED: usize = 2;
    /// Damping coefficient c.
    pub const DAMPING: usize = 3;
    /// Largest indentation so far.
    pub const PEAK: usize = 4;
    /// Time since onset.
    pub const TIME: usize = 5;
    /// Internal state.
    pub const STATE: usize = 6;
    /// Effective mass.
    pub const MASS: usize = 7;
    /// Requested restitution.
    pub const RESTITUTION: usize = 8;
    /// Force of the spring at the largest indentation so far.
    pub const PEAK_FORCE: usize = 9;
    /// First parameter of the law.
    pub const FIRST_PARAMETER: usize = 10;
    /// Names of the variables in formulas.
    pub const NAMES: [&str; FIRST_PARAMETER] = [
        "delta",
        "rate",
        "speed",
        "c",
        "delta_max",
        "time",
        "state",
        "mass",
        "restitution",
        "force_max",
    ];
}

/// Formulas of an own law.
#[derive(Debug)]
pub struct Definition {
    /// Elastic force, a formula in δ; 0 at δ = 0.
    pub spring: Expression,
    /// Force of the damper, a formula in δ and δ̇.
    pub damper: Option<Expression>,
    /// Elastic force below the largest indentation so far.
    pub unloading: Option<Expression>,
    /// Rate of the internal state, which is 0 at onset.
    pub state_rate: Option<Expression>,
    /// Damping coefficient c at onset for the requested restitution.
    pub damping: Option<Expression>,
    /// Names of the parameters.
    pub parameters: Vec<&'static str>,
    /// Indentation (m) up to which the law is intended to hold.
    pub limit: Option<f64>,
    /// Programs that have been compiled so far.
    compiled: Mutex<Vec<(RecognisedExponents, &'static Programs)>>,
}

/// For each parameter, the bits of its value if it is an exponent that is compiled into the program.
type RecognisedExponents = Vec<Option<u64>>;

/// Compiled formulas of an own law.
#[derive(Debug)]
struct Programs {
    force: Program,
    /// The spring with the linear-equivalent damper, if the elastic force is a function of the indentation alone.
    equivalent: Option<Program>,
    /// Energy that unloading from the present indentation returns.
    stored: Program,
    state_rate: Option<Program>,
    damping: Option<Program>,
    /// Indentations at which a formula changes from one case to another.
    thresholds: Vec<Program>,
    /// Measured curves, evaluated at a·δ + b, with the programs of a and b.
    tables: Vec<(&'static MonotoneCubic, [Program; 2])>,
    unloads: bool,
    /// For each parameter, whether it is an exponent that was recognised and compiled into the programs.
    recognised: Vec<bool>,
}

/// Exponents that are compiled into a program of their own, because products and roots can replace the power.
const CHEAP_EXPONENTS: [f64; 9] = [0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0];

fn variable(index: usize) -> Expression {
    Expression::Variable(index)
}

/// Returns δ for δ ≥ 0 and 0 otherwise. At δ = 0 the derivative is that of δ, so that the tangents are those of a
/// contact that begins.
fn depth() -> Expression {
    let (zero, delta) = (Expression::Number(0.0), variable(variable::DELTA));
    let condition = Comparison { left: zero.clone(), right: delta.clone(), or_equal: true };
    Expression::choose(condition, delta, zero)
}

/// Returns `yes` where the variable `left` is less than the expression `right`, and `no` elsewhere.
fn where_less(left: usize, right: Expression, yes: Expression, no: Expression) -> Expression {
    Expression::choose(Comparison { left: variable(left), right, or_equal: false }, yes, no)
}

impl Definition {
    /// Creates a law that consists of a spring only.
    pub fn new(spring: Expression, parameters: Vec<&'static str>) -> Self {
        Self {
            spring,
            damper: None,
            unloading: None,
            state_rate: None,
            damping: None,
            parameters,
            limit: None,
            compiled: Mutex::default(),
        }
    }

    /// Returns all formulas with their names.
    pub fn formulas(&self) -> impl Iterator<Item = (&'static str, &Expression)> {
        let optional = [
            ("damper", &self.damper),
            ("unloading", &self.unloading),
            ("state", &self.state_rate),
            ("damping", &self.damping),
        ];
        let given = optional.into_iter().filter_map(|(key, it)| Some((key, it.as_ref()?)));
        std::iter::once(("spring", &self.spring)).chain(given)
    }

    /// Returns whether the law consists of an elastic spring only.
    pub fn is_elastic(&self) -> bool {
        self.damper.is_none() && self.unloading.is_none() && self.state_rate.is_none()
    }

    /// Builds the elastic force at δ ≥ 0; below the largest indentation so far it is the unloading branch.
    fn elastic_force(&self) -> Expression {
        let spring = self.spring.with(variable::DELTA, &depth());
        let Some(unloading) = self.unloading_branch() else { return spring };
        let unloading = unloading.with(variable::DELTA, &depth());
        let peak = || variable(variable::PEAK);
        // At the largest indentation itself the rate determines which branch follows.
        let at_peak =
            where_less(variable::RATE, Expression::Number(0.0), unloading.clone(), spring.clone());
        let below = where_less(variable::DELTA, peak(), unloading, at_peak);
        where_less(variable::PEAK, variable(variable::DELTA), spring, below)
    }

    /// Builds the unloading branch, with the force at the largest indentation inserted and limited to non-negative
    /// values.
    fn unloading_branch(&self) -> Option<Expression> {
        let top = self.spring.with(variable::DELTA, &variable(variable::PEAK));
        let unloading = self.unloading.as_ref()?;
        let branch = unloading.with(variable::PEAK_FORCE, &top);
        // The tabulated factor of a measured branch is never negative; without `max` the branch has a closed
        // integral.
        match unloading {
            Expression::Binary(Binary::Multiply, _, share)
                if matches!(**share, Expression::Curve(..)) =>
            {
                Some(branch)
            }
            _ => Some(branch.max(Expression::Number(0.0))),
        }
    }

    /// Builds the energy that unloading from δ returns.
    fn stored_energy(&self) -> Expression {
        let (zero, end) = (Expression::Number(0.0), depth());
        match self.unloading_branch() {
            None => integral(&self.spring, variable::DELTA, &zero, &end),
            Some(branch) => {
                // On the loading curve this is the energy of the branch that begins at δ.
                let energy = integral(&branch, variable::DELTA, &zero, &end);
                energy.with(variable::PEAK, &variable(variable::PEAK).max(depth()))
            }
        }
    }

    /// Builds spring + c·spring/√(2U)·δ̇, with c = 2ζ·√m.
    fn equivalent_force(&self) -> Expression {
        // The quotient is 0/0 at δ = 0 and is therefore evaluated at a small indentation, as in
        // `curve::equivalent_damper`.
        let depth = variable(variable::DELTA).max(Expression::Number(super::curve::MIN_DEPTH));
        let energy = integral(&self.spring, variable::DELTA, &Expression::Number(0.0), &depth);
        let product = |a, b| Expression::binary(Binary::Multiply, a, b);
        let root = Expression::unary(Unary::Sqrt, product(Expression::Number(2.0), energy));
        let force = self.spring.with(variable::DELTA, &depth);
        let weight = Expression::binary(Binary::Divide, force, root);
        let damping = product(variable(variable::DAMPING), variable(variable::RATE));
        Expression::binary(Binary::Add, self.elastic_force(), product(damping, weight))
    }

    /// Compiles the programs for these values of the parameters, or returns those compiled before. With `recognise`,
    /// exponents whose powers are cheap to compute are compiled into the program as constants.
    fn programs(
        &'static self,
        values: &[f64; MAX_PARAMETERS],
        recognise: bool,
    ) -> Result<&'static Programs> {
        let known_exponent = |parameter: usize| {
            let value = values.get(parameter).copied().filter(|_| recognise)?;
            let cheap = self.is_exponent(parameter) && CHEAP_EXPONENTS.contains(&value);
            cheap.then_some(value)
        };
        let key: RecognisedExponents =
            (0..self.parameters.len()).map(|it| known_exponent(it).map(f64::to_bits)).collect();
        let mut compiled = self.compiled.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((_, programs)) = compiled.iter().find(|(other, _)| *other == key) {
            return Ok(programs);
        }
        let with_exponents = |it: &Expression| {
            it.substitute(&|index| {
                known_exponent(index.checked_sub(variable::FIRST_PARAMETER)?)
                    .map(Expression::Number)
            })
        };
        let elastic = self.elastic_force();
        let force = match &self.damper {
            None => elastic,
            Some(damper) => {
                let damper = damper.with(variable::DELTA, &depth());
                Expression::binary(Binary::Add, elastic, damper)
            }
        };
        let program = |key: &str, it: &Expression| Program::new(key, &with_exponents(it));
        let optional =
            |key: &str, it: &Option<Expression>| it.as_ref().map(|it| program(key, it)).transpose();
        let programs: &'static Programs = Box::leak(Box::new(Programs {
            force: program("spring", &force)?,
            equivalent: match self.unloading.is_none() && self.state_rate.is_none() {
                true => Some(program("spring", &self.equivalent_force())?),
                false => None,
            },
            stored: program("spring", &self.stored_energy())?,
            state_rate: optional("state", &self.state_rate)?,
            damping: optional("damping", &self.damping)?,
            thresholds: self
                .formulas()
                .filter(|(key, _)| *key != "damping")
                .flat_map(|(_, formula)| thresholds(formula, variable::DELTA))
                .map(|threshold| program("spring", &threshold))
                .collect::<Result<_>>()?,
            tables: self
                .formulas()
                .flat_map(|(_, formula)| tables(formula, variable::DELTA))
                .map(|(table, [slope, constant])| {
                    Ok((table, [program("curve", &slope)?, program("curve", &constant)?]))
                })
                .collect::<Result<_>>()?,
            unloads: self.unloading.is_some(),
            recognised: key.iter().map(Option::is_some).collect(),
        }));
        compiled.push((key, programs));
        Ok(programs)
    }

    /// Returns whether the parameter occurs in an exponent of a formula.
    pub fn is_exponent(&self, parameter: usize) -> bool {
        let index = variable::FIRST_PARAMETER + parameter;
        let mut found = false;
        for (_, formula) in self.formulas() {
            formula.visit(&mut |part| {
                if let Expression::Binary(Binary::Power, _, exponent) = part {
                    found |= exponent.contains(index);
                }
            });
        }
        found
    }
}

/// An own law with the values of its parameters. With `STATE` it has an internal state.
#[derive(Clone, Copy, Debug)]
pub struct Own<const STATE: bool, S = f64> {
    programs: &'static Programs,
    definition: &'static Definition,
    values: [S; MAX_PARAMETERS],
    damping: OwnDamping,
}

/// Source of the damping coefficient of an own law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OwnDamping {
    /// c is given, or found by shooting.
    Calibrated(Calibration),
    /// c follows from the law's own formula for this restitution.
    Published(f64),
    /// The damper is the linear-equivalent one with this damping ratio.
    DampingRatio(f64),
}

/// Creates the form of an own law with these values of its parameters.
///
/// # Errors
/// If a formula is too large, or the damping does not fit the law.
pub fn form(
    definition: &'static Definition,
    values: [f64; MAX_PARAMETERS],
    damping: OwnDamping,
) -> Result<Form> {
    let programs = definition.programs(&values, true)?;
    if matches!(damping, OwnDamping::DampingRatio(_)) && programs.equivalent.is_none() {
        return Err(Error::unsupported(
            "the linear-equivalent damper of a law with an unloading branch or an internal state",
            "leave these out, or give the law a damper with the coefficient `c`",
        ));
    }
    Ok(match definition.state_rate {
        Some(_) => Form::OwnWithState(Own { programs, definition, values, damping }),
        None => Form::Own(Own { programs, definition, values, damping }),
    })
}

impl<const STATE: bool> Own<STATE> {
    /// Returns the formulas.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// Returns the values of the parameters, in the order of [`Definition::parameters`].
    pub fn values(&self) -> &[f64; MAX_PARAMETERS] {
        &self.values
    }

    /// Returns whether the force depends on the time since onset.
    pub(super) fn uses_time(&self) -> bool {
        let Definition { spring, damper, unloading, .. } = self.definition;
        let force = [Some(spring), damper.as_ref(), unloading.as_ref()];
        force.into_iter().flatten().any(|formula| formula.contains(variable::TIME))
    }

    /// Returns the spring with the linear-equivalent damper of this damping ratio, if the elastic force is a function
    /// of the indentation alone.
    pub fn with_equivalent_damper(&self, ratio: f64) -> Option<Self> {
        self.programs.equivalent.as_ref()?;
        Some(Self { damping: OwnDamping::DampingRatio(ratio), ..*self })
    }

    /// Computes the force of the spring at δ (N).
    pub fn spring(&self, delta: f64) -> f64 {
        let memory = Memory { peak: delta, ..Memory::default() };
        self.definition.spring.evaluate(&self.arguments(delta, 0.0, &memory))
    }

    fn arguments(&self, delta: f64, rate: f64, memory: &Memory) -> Vec<f64> {
        let count = variable::FIRST_PARAMETER + MAX_PARAMETERS;
        (0..count).map(|index| self.argument(index, delta, rate, memory)).collect()
    }
}

impl<const STATE: bool, S: Scalar> Own<STATE, S> {
    #[inline(always)]
    fn argument(&self, index: usize, delta: S, rate: S, memory: &Memory<S>) -> S {
        match index {
            variable::DELTA => delta,
            variable::RATE => rate,
            variable::SPEED => memory.speed,
            variable::DAMPING => memory.damping,
            variable::PEAK => memory.peak,
            variable::TIME => memory.time,
            variable::STATE => memory.internal,
            _ => self.parameter(index),
        }
    }

    #[inline(always)]
    fn parameter(&self, index: usize) -> S {
        let parameter = index.checked_sub(variable::FIRST_PARAMETER);
        parameter.and_then(|it| self.values.get(it)).copied().unwrap_or(S::of(f64::NAN))
    }

    /// Returns the program of the force.
    #[inline(always)]
    fn force_program(&self) -> &'static Program {
        match (&self.programs.equivalent, self.damping) {
            (Some(equivalent), OwnDamping::DampingRatio(_)) => equivalent,
            _ => &self.programs.force,
        }
    }
}

impl<const STATE: bool, S: Scalar> Response<S> for Own<STATE, S> {
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        self.force_program().evaluate(|index| self.argument(index, delta, rate, memory))
    }

    fn internal_rate(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        match &self.programs.state_rate {
            Some(program) => program.evaluate(|index| self.argument(index, delta, rate, memory)),
            None => S::of(0.0),
        }
    }

    fn damping_at_touch(&self, mass: S, speed: S) -> Option<S> {
        match self.damping {
            OwnDamping::Calibrated(calibration) => calibration.known(),
            OwnDamping::DampingRatio(ratio) => Some(mass.sqrt() * (2.0 * ratio)),
            OwnDamping::Published(restitution) => {
                let program = self.programs.damping.as_ref()?;
                Some(program.evaluate(|index| match index {
                    variable::SPEED => speed,
                    variable::MASS => mass,
                    variable::RESTITUTION => S::of(restitution),
                    _ => self.parameter(index),
                }))
            }
        }
    }
}

impl<const STATE: bool> Force for Own<STATE> {
    type Over<S: Scalar> = Own<STATE, S>;
    const INTERNAL: bool = STATE;

    fn over<S: Scalar>(&self, mut convert: impl FnMut(&'static str, f64) -> S) -> Own<STATE, S> {
        let mut values = [S::of(f64::NAN); MAX_PARAMETERS];
        let given = self.definition.parameters.iter().zip(self.values);
        for ((value, (name, number)), recognised) in
            values.iter_mut().zip(given).zip(&self.programs.recognised)
        {
            *value = if *recognised { S::of(number) } else { convert(name, number) };
        }
        Own { programs: self.programs, definition: self.definition, values, damping: self.damping }
    }

    fn with_plain_exponents(&self) -> Self {
        // Compilation cannot fail here, because the same formulas were compiled before.
        let programs = self.definition.programs(&self.values, false).unwrap_or(self.programs);
        Self { programs, ..*self }
    }

    fn calibration(&self) -> Option<Calibration> {
        match self.damping {
            OwnDamping::Calibrated(calibration) => Some(calibration),
            OwnDamping::Published(_) | OwnDamping::DampingRatio(_) => None,
        }
    }

    fn forces(&self, delta: &[f64], rate: &[f64], memory: &[Memory], force: &mut [f64]) {
        // The instructions are decoded once for eight contacts.
        const WIDTH: usize = 8;
        let form = self.over(|_, value| Lanes::<WIDTH>::of(value));
        let lanes = |numbers: &[f64]| {
            let mut given = numbers.iter().copied();
            Lanes([(); WIDTH].map(|()| given.next().unwrap_or(f64::NAN)))
        };
        let parts = delta.chunks(WIDTH).zip(rate.chunks(WIDTH)).zip(memory.chunks(WIDTH));
        for (force, ((delta, rate), memory)) in force.chunks_mut(WIDTH).zip(parts) {
            let one = |read: fn(&Memory) -> f64| {
                let mut given = memory.iter().map(read);
                Lanes([(); WIDTH].map(|()| given.next().unwrap_or(f64::NAN)))
            };
            let memory = Memory {
                speed: one(|it| it.speed),
                damping: one(|it| it.damping),
                peak: one(|it| it.peak),
                time: one(|it| it.time),
                internal: one(|it| it.internal),
            };
            let found = form.force(lanes(delta), lanes(rate), &memory);
            force.iter_mut().zip(found.0).for_each(|(force, value)| *force = value);
        }
    }

    fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        self.programs.stored.evaluate(|index| self.argument(index, delta, 0.0, memory))
    }

    fn tolerance_factor(&self) -> f64 {
        match self.damping {
            OwnDamping::DampingRatio(_) => super::curve::TOLERANCE_FACTOR,
            OwnDamping::Calibrated(_) | OwnDamping::Published(_) => 1.0,
        }
    }

    fn kink(&self, loading: bool, memory: &Memory) -> f64 {
        self.next_kink(memory.peak, loading, memory)
    }

    fn next_kink(&self, delta: f64, loading: bool, memory: &Memory) -> f64 {
        let reload = self.programs.unloads.then_some(memory.peak);
        let value =
            |program: &Program| program.evaluate(|index| self.argument(index, delta, 0.0, memory));
        let thresholds = self.programs.thresholds.iter().map(value);
        let points = self.programs.tables.iter().flat_map(|(table, [slope, constant])| {
            let (slope, constant) = (value(slope), value(constant));
            let points = table.points_around(slope * delta + constant);
            points.iter().map(move |point| (point - constant) / slope)
        });
        // Kinks within rounding errors of δ have already been reached.
        let ahead = thresholds.chain(points).chain(reload).filter(|kink| match loading {
            true => *kink > delta * (1.0 + 1e-12),
            false => *kink < delta * (1.0 - 1e-12),
        });
        match loading {
            true => ahead.fold(f64::NAN, f64::min),
            false => ahead.fold(f64::NAN, f64::max),
        }
    }
}
