//! Derivatives of a law along a motion: with respect to indentation, indentation rate, memory and parameters.
//!
//! The law is evaluated with dual numbers, so one evaluation yields the value and all derivatives, exact to rounding
//! errors; at a kink (a dent, the largest indentation) they are the derivatives on that side on which the point lies.
//! The law is built from the parameters of the description by further formulas: a damping ratio that delivers a
//! restitution, an equivalent stiffness, a search at touch. Some of them are iterations, and none is available for
//! dual numbers. Therefore the *numbers* of the law, and the quantities that it fixes at touch, are differentiated by
//! finite differences; this takes two laws per parameter, independent of the number of points.

use super::probe;
use crate::impact::{ContactMotion, ContactState};
use crate::law::{Force, Law, Memory, Response, Work};
use crate::scalar::Dual;

/// Number of state variables of a contact: δ, δ̇, internal state, largest indentation, time.
const STATE: usize = 5;
/// Number of parameters with respect to which one evaluation differentiates.
const PARAMETERS_AT_ONCE: usize = 3;

/// Value with its derivatives with respect to the state and to some parameters.
type Number = Dual<{ STATE + PARAMETERS_AT_ONCE }>;

/// A law with one parameter changed, and the memory that it initialises at touch.
#[derive(Clone, Copy)]
pub(super) struct ChangedLaw {
    pub law: Law,
    pub touch: Memory,
}

/// Laws with one parameter changed by `step` in both directions; at the limit of its range, in one direction only.
pub(super) struct Variation {
    pub plus: Option<ChangedLaw>,
    pub minus: Option<ChangedLaw>,
    pub step: f64,
    /// Derivative ∂v₀/∂p of the approach speed.
    pub speed: f64,
    /// Derivative ∂m/∂p of the effective mass.
    pub mass: f64,
    /// Derivative ∂f/∂p of the external force.
    pub external: f64,
}

impl Variation {
    /// Returns the derivative of a quantity that depends on the law and has the value `here` for the unchanged
    /// parameter. `ask` receives the changed law and the change of the parameter.
    pub fn derivative(&self, here: f64, ask: impl Fn(&ChangedLaw, f64) -> f64) -> f64 {
        let side = |changed: &Option<ChangedLaw>, step: f64| {
            changed.as_ref().map_or((here, 0.0), |changed| (ask(changed, step), self.step))
        };
        let ((plus, above), (minus, below)) =
            (side(&self.plus, self.step), side(&self.minus, -self.step));
        if above + below > 0.0 { finite_or_zero((plus - minus) / (above + below)) } else { 0.0 }
    }
}

/// Derivative of the state of a contact with respect to a parameter or to time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StateDerivative {
    pub delta: f64,
    pub rate: f64,
    pub internal: f64,
    pub peak: f64,
    pub time: f64,
}

impl StateDerivative {
    /// Returns the derivative along the motion with respect to time, for the given force.
    pub fn time(motion: &ContactMotion, point: &ContactState, force: f64, internal: f64) -> Self {
        let rate = (motion.external - force) / motion.mass;
        Self { delta: point.rate, rate, internal, peak: 0.0, time: 1.0 }
    }

    /// Returns the point displaced by `amount` times this derivative.
    pub fn moved(&self, point: &ContactState, amount: f64) -> ContactState {
        let mut memory = point.memory;
        memory.internal += amount * self.internal;
        memory.peak += amount * self.peak;
        memory.time += amount * self.time;
        let (delta, rate) = (point.delta + amount * self.delta, point.rate + amount * self.rate);
        ContactState { delta, rate, memory }
    }

    /// Returns the directional derivative of a quantity whose derivatives with respect to the state are `slopes`.
    pub fn directional_derivative(&self, slopes: &[f64; STATE]) -> f64 {
        let along = [self.delta, self.rate, self.internal, self.peak, self.time];
        along.iter().zip(slopes).map(|(along, slope)| along * slope).sum()
    }
}

/// Derivatives with respect to one parameter: of the numbers of the law, of the damping at touch and of the speed at
/// touch.
type ParameterSlopes = (Vec<f64>, f64, f64);

/// Derivatives of the numbers of a law with respect to the parameters.
pub(super) struct LawSlopes {
    /// Whether exponents that a form treats specially (3/2, …) are evaluated as general numbers, because one of them
    /// varies.
    exponents: bool,
    /// Derivatives for each parameter.
    by: Vec<ParameterSlopes>,
}

impl LawSlopes {
    /// Computes the derivatives; `damping` is that of the unchanged law at touch.
    pub fn new(law: &Law, variations: &[Variation], damping: f64) -> Self {
        let numbers_of = |exponents: bool| {
            let here = law_numbers(law, exponents);
            let changed = |it: &Option<ChangedLaw>| match it {
                Some(changed) => law_numbers(&changed.law, exponents),
                None => here.clone(),
            };
            let sides = variations.iter().map(|it| [changed(&it.plus), changed(&it.minus)]);
            (here.len(), sides.collect::<Vec<_>>())
        };
        let (mut count, mut sides) = numbers_of(false);
        let exponents = sides.iter().flatten().any(|numbers| numbers.len() != count);
        if exponents {
            (count, sides) = numbers_of(true);
        }
        let by = variations.iter().zip(&sides).map(|(variation, [plus, minus])| {
            let width = [&variation.plus, &variation.minus].into_iter().flatten().count();
            let width = variation.step * width.max(1) as f64;
            let at = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(0.0);
            let slope = |i: usize| finite_or_zero((at(plus, i) - at(minus, i)) / width);
            let damping = variation.derivative(damping, |changed, _| changed.touch.damping);
            ((0..count).map(slope).collect(), damping, variation.speed)
        });
        Self { exponents, by: by.collect() }
    }

    /// Returns the derivatives with respect to one of the parameters only.
    pub fn one(&self, parameter: usize) -> Self {
        Self {
            exponents: self.exponents,
            by: self.by.get(parameter).cloned().into_iter().collect(),
        }
    }
}

/// Returns the numbers of a law in the order in which its form lists them.
fn law_numbers(law: &Law, exponents: bool) -> Vec<f64> {
    struct List(bool);
    impl Work for List {
        type Output = Vec<f64>;
        fn run<F: Force>(self, form: F) -> Vec<f64> {
            let form = if self.0 { form.with_plain_exponents() } else { form };
            let mut numbers = Vec::new();
            form.over(|_, value| {
                numbers.push(value);
                value
            });
            numbers
        }
    }
    law.with(List(exponents))
}

/// Quantity that is differentiated.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Quantity {
    Force,
    /// The force as it is before it is limited to zero.
    Signed,
    /// The rate of the internal state.
    InternalRate,
    /// The value that the law stores as the largest indentation after an accepted step.
    Peak,
}

/// A quantity at some points, with its derivatives.
#[derive(Default)]
pub(super) struct Derivatives {
    pub values: Vec<f64>,
    /// Derivatives with respect to δ, δ̇, internal state, largest indentation and time.
    pub state: Vec<[f64; STATE]>,
    /// Derivatives with respect to each parameter, one value per point.
    pub parameters: Vec<Vec<f64>>,
}

/// Returns a quantity of the law at some points, with its derivatives.
pub(super) fn derivatives(
    law: &Law,
    quantity: Quantity,
    slopes: &LawSlopes,
    points: &[ContactState],
) -> Derivatives {
    law.with(Differentiate { quantity, slopes, points })
}

struct Differentiate<'a> {
    quantity: Quantity,
    slopes: &'a LawSlopes,
    points: &'a [ContactState],
}

impl Work for Differentiate<'_> {
    type Output = Derivatives;
    fn run<F: Force>(self, form: F) -> Derivatives {
        let form = if self.slopes.exponents { form.with_plain_exponents() } else { form };
        let mut found = Derivatives::default();
        // One group is evaluated even without parameters, because the derivatives with respect to the state are
        // needed.
        let groups = self.slopes.by.len().div_ceil(PARAMETERS_AT_ONCE).max(1);
        for first in (0..groups).map(|group| PARAMETERS_AT_ONCE * group) {
            let group = self.slopes.by.get(first..).unwrap_or_default();
            let group = &group[..group.len().min(PARAMETERS_AT_ONCE)];
            let varied = |value: f64, slope: &dyn Fn(&ParameterSlopes) -> f64| {
                let mut number = Number { value, slopes: [0.0; STATE + PARAMETERS_AT_ONCE] };
                for (own, parameter) in number.slopes[STATE..].iter_mut().zip(group) {
                    *own = slope(parameter);
                }
                number
            };
            let mut place = 0;
            let form = form.over(|_, value| {
                place += 1;
                varied(value, &|(numbers, ..)| numbers.get(place - 1).copied().unwrap_or(0.0))
            });
            let mut columns = vec![Vec::with_capacity(self.points.len()); group.len()];
            for point in self.points {
                let (delta, rate) = (Dual::variable(point.delta, 0), Dual::variable(point.rate, 1));
                let memory = Memory {
                    speed: varied(point.memory.speed, &|(_, _, speed)| *speed),
                    damping: varied(point.memory.damping, &|(_, damping, _)| *damping),
                    internal: Dual::variable(point.memory.internal, 2),
                    peak: Dual::variable(point.memory.peak, 3),
                    time: Dual::variable(point.memory.time, 4),
                };
                let Number { value, slopes } = match self.quantity {
                    Quantity::Force => form.force(delta, rate, &memory),
                    Quantity::Signed => form.signed(delta, rate, &memory),
                    Quantity::InternalRate => form.internal_rate(delta, rate, &memory),
                    Quantity::Peak => form.peak_after(delta, rate, &memory),
                };
                for (column, slope) in columns.iter_mut().zip(&slopes[STATE..]) {
                    column.push(finite_or_zero(*slope));
                }
                if first == 0 {
                    found.values.push(value);
                    found.state.push(std::array::from_fn(|i| finite_or_zero(slopes[i])));
                }
            }
            found.parameters.append(&mut columns);
        }
        found
    }
}

/// Replaces ∂F/∂δ by its mean ΔF/Δδ over the last part (of `parts`) of the last step, if that step is short.
///
/// If contact ends with an infinite tangent (δᵐ at δ = 0 with m < 1, the limit point of an adhesive neck), the steps
/// of the motion become shorter, but ∫ δᵐ⁻¹ dt over a step decreases much more slowly than its length. During such a
/// step hardly anything but the indentation changes, so the mean is sufficient.
pub(super) fn soften_end(
    motion: &ContactMotion,
    law: &Law,
    parts: usize,
    force: &mut Derivatives,
    internal: &mut Derivatives,
) {
    let last = motion.len().saturating_sub(1);
    let Some((start, end)) = motion.span(last) else { return };
    if end - start > 1e-4 * motion.end {
        return;
    }
    let from = end - (end - start) / parts as f64;
    let (Some(a), Some(b)) = (motion.within(last, from), motion.within(last, end)) else { return };
    let two = [ContactState { delta: a.delta, ..b }, b];
    let mean = |values: Vec<f64>| finite_or_zero((values[0] - values[1]) / (a.delta - b.delta));
    let by_delta = [mean(probe::forces(law, &two)), mean(probe::internal_rates(law, &two))];
    for (derivatives, by_delta) in [force, internal].into_iter().zip(by_delta) {
        for state in derivatives.state.iter_mut().rev().take(3) {
            state[0] = by_delta;
        }
    }
}

/// Replaces an infinite derivative (δᵐ at δ = 0, m < 1) by 0; such derivatives occur at single points only.
pub(super) fn finite_or_zero(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}
