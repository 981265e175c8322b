//! A law as functions: its force, the memory of its contact, and what is determined at onset.

use super::{Language, function_with_constants};
use crate::law::{Force, Law, Memory, Response, Work};
use crate::scalar::expression::{Function, Operation};
use crate::scalar::{Scalar, Term};

/// The quantities that a contact may remember, in the order of the arguments of the printed functions.
pub(crate) const MEMORY: [&str; 5] = ["speed", "damping", "peak", "time", "internal"];

/// The formulas of a law. Their arguments are those of δ, δ̇ and the memory that they need, followed by the numbers
/// of the law.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// Numbers of the law, by name.
    pub numbers: Vec<(&'static str, f64)>,
    /// `force(delta, rate, …)` (N).
    pub force: Function,
    /// `peak(delta, rate, …)`: the value that the law stores as its largest indentation after an accepted step;
    /// `None` if it stores none.
    pub peak: Option<Function>,
    /// `internal_rate(delta, rate, …)`: the rate of the internal state, if there is one.
    pub internal_rate: Option<Function>,
    /// `touch(speed)`: the damping that is determined at onset; `None` if it is found by a search or not needed.
    pub touch: Option<Function>,
}

impl Formulas {
    /// Records the formulas of a law.
    ///
    /// ```
    /// use carom::code::Formulas;
    /// use carom::law::{Exit, Law, Power};
    /// let hertz = Law::new(0.54, Exit::ZeroForce, Power::elastic(2.4144e10, 1.5));
    /// let formulas = Formulas::of(&hertz);
    /// assert_eq!(formulas.numbers, [("stiffness", 2.4144e10)]);
    /// ```
    pub fn of(law: &Law) -> Self {
        law.with(RecordFormulas { mass: law.mass })
    }

    /// Returns the arguments of one of these functions that are not numbers of the law.
    pub fn arguments<'a>(&'a self, function: &'a Function) -> impl Iterator<Item = &'a str> {
        let varies = |input: &&str| !self.numbers.iter().any(|(name, _)| name == input);
        function.inputs.iter().map(String::as_str).filter(varies)
    }

    /// Prints the formulas as functions whose names begin with `name`. [`Formulas::numbers`] are constants within
    /// them.
    pub fn print(&self, name: &str, language: Language) -> String {
        let functions = [
            ("touch", self.touch.as_ref()),
            ("force", Some(&self.force)),
            ("peak", self.peak.as_ref()),
            ("internal_rate", self.internal_rate.as_ref()),
        ];
        let printed = functions.into_iter().filter_map(|(suffix, function)| {
            let name = format!("{name}_{suffix}");
            Some(function_with_constants(&name, function?, &self.numbers, language))
        });
        let between = if language == Language::Python { "\n\n" } else { "\n" };
        printed.collect::<Vec<_>>().join(between)
    }
}

struct RecordFormulas {
    mass: f64,
}

impl Work for RecordFormulas {
    type Output = Formulas;
    fn run<F: Force>(self, form: F) -> Formulas {
        let mut numbers = Vec::new();
        form.over(|name, value| {
            numbers.push((name, value));
            value
        });
        let names: Vec<String> = numbers.iter().map(|(name, _)| name.to_string()).collect();
        // Records a function of δ, δ̇ and the whole memory, and removes the arguments that it does not use.
        let at_state = |result: &str, of: Recorded| {
            let inputs = ["delta", "rate"].iter().chain(&MEMORY).map(|name| name.to_string());
            let function = Function::record_all(inputs.chain(names.clone()).collect(), |terms| {
                let (state, numbers) = terms.split_at(2 + MEMORY.len());
                let form = with_terms(form, numbers);
                let (delta, rate) = (state[0], state[1]);
                let memory = Memory {
                    speed: state[2],
                    damping: state[3],
                    peak: state[4],
                    time: state[5],
                    internal: state[6],
                };
                let value = match of {
                    Recorded::Force => form.force(delta, rate, &memory),
                    Recorded::Peak => form.peak_after(delta, rate, &memory),
                    Recorded::InternalRate => form.internal_rate(delta, rate, &memory),
                };
                vec![(result.to_string(), value)]
            });
            remove_unused_inputs(function, 2)
        };
        let force = at_state("force", Recorded::Force);
        let touch =
            force.takes("damping").then(|| form.damping_at_touch(self.mass, 1.0)).flatten().map(
                |_| {
                    let inputs = ["speed", "mass"].iter().map(|name| name.to_string());
                    let function =
                        Function::record_all(inputs.chain(names.clone()).collect(), |terms| {
                            let (given, numbers) = terms.split_at(2);
                            let damping =
                                with_terms(form, numbers).damping_at_touch(given[1], given[0]);
                            let damping = damping.unwrap_or(Term::of(f64::NAN));
                            vec![("damping".to_string(), damping)]
                        });
                    remove_unused_inputs(function, 1)
                },
            );
        let mut all = numbers;
        if touch.as_ref().is_some_and(|touch| touch.takes("mass")) {
            all.push(("mass", self.mass));
        }
        Formulas {
            peak: force.takes("peak").then(|| at_state("peak", Recorded::Peak)),
            internal_rate: F::INTERNAL.then(|| at_state("internal_rate", Recorded::InternalRate)),
            numbers: all,
            force,
            touch,
        }
    }
}

/// The quantity that is recorded at a state of the contact.
#[derive(Clone, Copy)]
enum Recorded {
    Force,
    Peak,
    InternalRate,
}

/// Returns the form with terms in place of its numbers, in the order in which the form requests them.
fn with_terms<'g, F: Force>(form: F, numbers: &[Term<'g>]) -> F::Over<Term<'g>> {
    let mut given = numbers.iter().copied();
    form.over(|_, value| given.next().unwrap_or(Term::of(value)))
}

/// Removes the arguments that the function does not use, except the first `keep` of them.
fn remove_unused_inputs(function: Function, keep: usize) -> Function {
    let used =
        |index: usize| index < keep || function.operations.contains(&Operation::Input(index));
    let kept: Vec<usize> = (0..function.inputs.len()).filter(|&index| used(index)).collect();
    let inputs = kept.iter().map(|&index| function.inputs[index].clone()).collect();
    let operations = function.operations.iter().map(|operation| match operation {
        Operation::Input(index) => {
            Operation::Input(kept.iter().position(|old| old == index).unwrap_or(*index))
        }
        other => *other,
    });
    Function { inputs, operations: operations.collect(), outputs: function.outputs.clone() }
}

/// Returns a law as functions whose names begin with `name`: `…_touch(speed)`, `…_force(delta, rate, …)` and, if the
/// law needs them, `…_peak` and `…_internal_rate`.
///
/// ```
/// use carom::code::{self, Language};
/// use carom::law::{Exit, Law, Power};
/// let hertz = Law::new(0.54, Exit::ZeroForce, Power::elastic(2.4144e10, 1.5));
/// let text = code::law("hertz", &hertz, Language::Python);
/// assert!(text.contains("def hertz_force(delta, rate, damping):"));
/// ```
pub fn law(name: &str, law: &Law, language: Language) -> String {
    Formulas::of(law).print(name, language)
}
