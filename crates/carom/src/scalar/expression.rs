//! Recorder of formulas: a number type that records the operations computed with it.
//!
//! A law evaluated with [`Term`]s records its formula in a [`Graph`]: a list of operations, whose operands are
//! constants or results of earlier operations. Equal operations are recorded once. A [`Function`] is the part of a
//! graph that certain results need; it can be evaluated with any [`Scalar`] and printed as code ([`crate::code`]).
//!
//! ```
//! use carom::scalar::{Scalar, expression::Function};
//!
//! let spring = Function::record(["stiffness", "delta"], |[stiffness, delta]| {
//!     [("force", stiffness * delta * delta.sqrt())]
//! });
//! assert_eq!(spring.evaluate(&[2.0, 4.0]), [16.0]);
//! ```

use super::Scalar;
use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// Operand of an operation.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A constant.
    Constant(f64),
    /// Result of the operation at this position in the list.
    Result(usize),
}

impl PartialEq for Operand {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            // The comparison is by bits: 0 and −0 differ, and NaN equals itself.
            (Self::Constant(a), Self::Constant(b)) => a.to_bits() == b.to_bits(),
            (Self::Result(a), Self::Result(b)) => a == b,
            _ => false,
        }
    }
}

/// Functions of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unary {
    Negate,
    Sqrt,
    Cbrt,
    Exp,
    ExpM1,
    Ln,
    Ln1p,
    Sin,
    Cos,
    Tanh,
    Atan,
    Abs,
}

/// Functions of two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    CopySign,
}

/// An operation of a formula. Operands named `condition` and the operands of logical operations are results of
/// comparisons or of logical operations; all others are numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Operation {
    /// Argument of the function with this number.
    Input(usize),
    Unary(Unary, Operand),
    Binary(Binary, Operand, Operand),
    Less(Operand, Operand),
    LessOrEqual(Operand, Operand),
    And(usize, usize),
    Or(usize, usize),
    Not(usize),
    Choose {
        condition: usize,
        yes: Operand,
        no: Operand,
    },
}

impl Operation {
    /// Iterates over the earlier operations whose results this operation needs.
    pub fn needs(&self) -> impl Iterator<Item = usize> {
        let result = |operand: &Operand| match operand {
            Operand::Result(index) => Some(*index),
            Operand::Constant(_) => None,
        };
        let found = match self {
            Self::Input(_) => [None; 3],
            Self::Unary(_, a) => [result(a), None, None],
            Self::Binary(_, a, b) | Self::Less(a, b) | Self::LessOrEqual(a, b) => {
                [result(a), result(b), None]
            }
            Self::And(a, b) | Self::Or(a, b) => [Some(*a), Some(*b), None],
            Self::Not(a) => [Some(*a), None, None],
            Self::Choose { condition, yes, no } => [Some(*condition), result(yes), result(no)],
        };
        found.into_iter().flatten()
    }

    /// Returns this operation with the positions of its operands mapped.
    fn renumbered(self, number: impl Fn(usize) -> usize) -> Self {
        let result = |operand: Operand| match operand {
            Operand::Result(index) => Operand::Result(number(index)),
            constant => constant,
        };
        match self {
            Self::Input(index) => Self::Input(index),
            Self::Unary(function, a) => Self::Unary(function, result(a)),
            Self::Binary(function, a, b) => Self::Binary(function, result(a), result(b)),
            Self::Less(a, b) => Self::Less(result(a), result(b)),
            Self::LessOrEqual(a, b) => Self::LessOrEqual(result(a), result(b)),
            Self::And(a, b) => Self::And(number(a), number(b)),
            Self::Or(a, b) => Self::Or(number(a), number(b)),
            Self::Not(a) => Self::Not(number(a)),
            Self::Choose { condition, yes, no } => {
                Self::Choose { condition: number(condition), yes: result(yes), no: result(no) }
            }
        }
    }
}

/// Operations recorded so far.
#[derive(Debug, Default)]
pub struct Graph {
    operations: RefCell<Vec<Operation>>,
}

impl Graph {
    /// Records an operation and returns its position, or returns its position if it has already been recorded.
    fn note(&self, operation: Operation) -> usize {
        let mut operations = self.operations.borrow_mut();
        if let Some(known) = operations.iter().rposition(|known| *known == operation) {
            return known;
        }
        operations.push(operation);
        operations.len() - 1
    }

    /// Returns the argument of the function with this number.
    pub fn input(&self, index: usize) -> Term<'_> {
        Term { graph: Some(self), operand: Operand::Result(self.note(Operation::Input(index))) }
    }
}

/// A number that records the operations computed with it.
#[derive(Clone, Copy, Debug)]
pub struct Term<'g> {
    /// Graph in which the number is recorded; constants need no graph.
    graph: Option<&'g Graph>,
    operand: Operand,
}

impl<'g> Term<'g> {
    fn constant(self) -> Option<f64> {
        match self.operand {
            Operand::Constant(value) => Some(value),
            Operand::Result(_) => None,
        }
    }

    fn unary(self, function: Unary) -> Self {
        match (self.graph, self.operand) {
            (_, Operand::Constant(value)) => Self::of(apply_unary(function, value)),
            (Some(graph), operand) => Self {
                graph: Some(graph),
                operand: Operand::Result(graph.note(Operation::Unary(function, operand))),
            },
            (None, _) => self,
        }
    }

    fn binary(self, function: Binary, other: Self) -> Self {
        let graph = match (self.constant(), other.constant(), self.graph.or(other.graph)) {
            (Some(a), Some(b), _) => return Self::of(apply_binary(function, a, b)),
            (_, _, Some(graph)) => graph,
            (_, _, None) => return self,
        };
        // Operations with neutral elements are omitted.
        match (function, self.constant(), other.constant()) {
            (Binary::Add, Some(0.0), _) | (Binary::Multiply, Some(1.0), _) => return other,
            (Binary::Add | Binary::Subtract, _, Some(0.0))
            | (Binary::Multiply | Binary::Divide | Binary::Power, _, Some(1.0)) => return self,
            _ => {}
        }
        let operation = Operation::Binary(function, self.operand, other.operand);
        Self { graph: Some(graph), operand: Operand::Result(graph.note(operation)) }
    }

    fn compare(
        self,
        other: Self,
        known: impl Fn(f64, f64) -> bool,
        operation: impl Fn(Operand, Operand) -> Operation,
    ) -> Condition<'g> {
        match (self.constant(), other.constant(), self.graph.or(other.graph)) {
            (Some(a), Some(b), _) => Condition::Known(known(a, b)),
            (_, _, Some(graph)) => {
                Condition::Noted(graph, graph.note(operation(self.operand, other.operand)))
            }
            (_, _, None) => Condition::Known(false),
        }
    }
}

pub(crate) fn apply_unary<S: Scalar>(function: Unary, x: S) -> S {
    match function {
        Unary::Negate => -x,
        Unary::Sqrt => x.sqrt(),
        Unary::Cbrt => x.cbrt(),
        Unary::Exp => x.exp(),
        Unary::ExpM1 => x.exp_m1(),
        Unary::Ln => x.ln(),
        Unary::Ln1p => x.ln_1p(),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tanh => x.tanh(),
        Unary::Atan => x.atan(),
        Unary::Abs => x.abs(),
    }
}

pub(crate) fn apply_binary<S: Scalar>(function: Binary, a: S, b: S) -> S {
    match function {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::Power => a.powf(b),
        Binary::CopySign => a.copysign(b),
    }
}

/// Result of a comparison of terms: known for constants, recorded otherwise.
#[derive(Clone, Copy, Debug)]
pub enum Condition<'g> {
    /// The known result.
    Known(bool),
    /// Position of the comparison in the list of operations.
    Noted(&'g Graph, usize),
}

impl BitAnd for Condition<'_> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(true), it) | (it, Self::Known(true)) => it,
            (Self::Known(false), _) | (_, Self::Known(false)) => Self::Known(false),
            (Self::Noted(graph, a), Self::Noted(_, b)) => {
                Self::Noted(graph, graph.note(Operation::And(a, b)))
            }
        }
    }
}

impl BitOr for Condition<'_> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(false), it) | (it, Self::Known(false)) => it,
            (Self::Known(true), _) | (_, Self::Known(true)) => Self::Known(true),
            (Self::Noted(graph, a), Self::Noted(_, b)) => {
                Self::Noted(graph, graph.note(Operation::Or(a, b)))
            }
        }
    }
}

impl Not for Condition<'_> {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::Known(answer) => Self::Known(!answer),
            Self::Noted(graph, index) => Self::Noted(graph, graph.note(Operation::Not(index))),
        }
    }
}

impl Neg for Term<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.unary(Unary::Negate)
    }
}

/// Implements an operator between terms, and between a term and a number.
macro_rules! operator {
    ($trait:ident, $function:ident, $binary:ident) => {
        impl $trait for Term<'_> {
            type Output = Self;
            fn $function(self, other: Self) -> Self {
                self.binary(Binary::$binary, other)
            }
        }
        impl $trait<f64> for Term<'_> {
            type Output = Self;
            fn $function(self, other: f64) -> Self {
                self.binary(Binary::$binary, Self::of(other))
            }
        }
    };
}

operator!(Add, add, Add);
operator!(Sub, sub, Subtract);
operator!(Mul, mul, Multiply);
operator!(Div, div, Divide);

/// Implements functions of one argument.
macro_rules! functions {
    ($($name:ident: $unary:ident),*) => {
        $(
            fn $name(self) -> Self {
                self.unary(Unary::$unary)
            }
        )*
    };
}

impl<'g> Scalar for Term<'g> {
    type Mask = Condition<'g>;

    fn of(value: f64) -> Self {
        Self { graph: None, operand: Operand::Constant(value) }
    }
    functions!(
        sqrt: Sqrt, cbrt: Cbrt, exp: Exp, exp_m1: ExpM1, ln: Ln, ln_1p: Ln1p,
        sin: Sin, cos: Cos, tanh: Tanh, atan: Atan, abs: Abs
    );
    fn powf(self, exponent: Self) -> Self {
        self.binary(Binary::Power, exponent)
    }
    fn copysign(self, sign: Self) -> Self {
        self.binary(Binary::CopySign, sign)
    }
    fn lt(self, other: Self) -> Condition<'g> {
        self.compare(other, |a, b| a < b, Operation::Less)
    }
    fn le(self, other: Self) -> Condition<'g> {
        self.compare(other, |a, b| a <= b, Operation::LessOrEqual)
    }
    fn choose(mask: Condition<'g>, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        let (graph, condition) = match mask {
            Condition::Known(true) => return yes(),
            Condition::Known(false) => return no(),
            Condition::Noted(graph, condition) => (graph, condition),
        };
        let (yes, no) = (yes().operand, no().operand);
        if yes == no {
            let graph = matches!(yes, Operand::Result(_)).then_some(graph);
            return Self { graph, operand: yes };
        }
        let operation = Operation::Choose { condition, yes, no };
        Self { graph: Some(graph), operand: Operand::Result(graph.note(operation)) }
    }
    fn any(_mask: Condition<'g>) -> bool {
        true
    }
}

/// A formula with named arguments, operations and named results.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Names of the arguments.
    pub inputs: Vec<String>,
    /// Operations in the order of evaluation.
    pub operations: Vec<Operation>,
    /// Results with their names.
    pub outputs: Vec<(String, Operand)>,
}

impl Function {
    /// Records what `body` computes from its arguments. Operations that no result needs are omitted.
    pub fn record<const N: usize, const M: usize>(
        inputs: [&str; N],
        body: impl for<'g> FnOnce([Term<'g>; N]) -> [(&'static str, Term<'g>); M],
    ) -> Self {
        let names: Vec<String> = inputs.map(str::to_string).to_vec();
        Self::record_all(names, |terms| {
            let mut given = terms.iter().copied();
            let terms = [(); N].map(|()| given.next().unwrap_or(Term::of(f64::NAN)));
            body(terms).map(|(name, term)| (name.to_string(), term)).to_vec()
        })
    }

    /// Does the same as [`Function::record`] for lists whose lengths are not known at compile time.
    pub fn record_all(
        inputs: Vec<String>,
        body: impl for<'g> FnOnce(&[Term<'g>]) -> Vec<(String, Term<'g>)>,
    ) -> Self {
        let graph = Graph::default();
        let terms: Vec<_> = (0..inputs.len()).map(|index| graph.input(index)).collect();
        let outputs: Vec<_> =
            body(&terms).into_iter().map(|(name, term)| (name, term.operand)).collect();
        let operations = graph.operations.take();
        Self { inputs, operations, outputs }.without_dead_operations()
    }

    /// Returns whether the function has an argument of this name.
    pub fn takes(&self, name: &str) -> bool {
        self.inputs.iter().any(|input| input == name)
    }

    /// Removes operations whose results are not needed; the arguments are kept.
    fn without_dead_operations(self) -> Self {
        let mut needed = vec![false; self.operations.len()];
        for (_, operand) in &self.outputs {
            if let Operand::Result(index) = operand {
                needed[*index] = true;
            }
        }
        for index in (0..self.operations.len()).rev() {
            if needed[index] {
                self.operations[index].needs().for_each(|other| needed[other] = true);
            }
        }
        let mut number = vec![0; needed.len()];
        let mut count = 0;
        for (number, needed) in number.iter_mut().zip(&needed) {
            *number = count;
            count += usize::from(*needed);
        }
        let kept = self.operations.into_iter().zip(&needed).filter(|(_, needed)| **needed);
        let operations = kept.map(|(operation, _)| operation.renumbered(|i| number[i])).collect();
        let outputs = self.outputs.into_iter().map(|(name, operand)| match operand {
            Operand::Result(index) => (name, Operand::Result(number[index])),
            constant => (name, constant),
        });
        Self { inputs: self.inputs, operations, outputs: outputs.collect() }
    }

    /// Computes the results for these arguments; a missing argument is NaN.
    pub fn evaluate<S: Scalar>(&self, arguments: &[S]) -> Vec<S> {
        enum Slot<S: Scalar> {
            Number(S),
            Answer(S::Mask),
        }
        let mut slots: Vec<Slot<S>> = Vec::with_capacity(self.operations.len());
        let number = |slots: &[Slot<S>], operand: Operand| match operand {
            Operand::Constant(value) => S::of(value),
            Operand::Result(index) => match slots.get(index) {
                Some(Slot::Number(number)) => *number,
                _ => S::of(f64::NAN),
            },
        };

        let answer = |slots: &[Slot<S>], index: usize| match slots.get(index) {
            Some(Slot::Answer(answer)) => *answer,
            _ => S::of(0.0).lt(S::of(0.0)),
        };
        for operation in &self.operations {
            let slot = match *operation {
                Operation::Input(index) => {
                    Slot::Number(arguments.get(index).copied().unwrap_or(S::of(f64::NAN)))
                }
                Operation::Unary(function, a) => {
                    Slot::Number(apply_unary(function, number(&slots, a)))
                }
                Operation::Binary(function, a, b) => {
                    Slot::Number(apply_binary(function, number(&slots, a), number(&slots, b)))
                }
                Operation::Less(a, b) => Slot::Answer(number(&slots, a).lt(number(&slots, b))),
                Operation::LessOrEqual(a, b) => {
                    Slot::Answer(number(&slots, a).le(number(&slots, b)))
                }
                Operation::And(a, b) => Slot::Answer(answer(&slots, a) & answer(&slots, b)),
                Operation::Or(a, b) => Slot::Answer(answer(&slots, a) | answer(&slots, b)),
                Operation::Not(a) => Slot::Answer(!answer(&slots, a)),
                Operation::Choose { condition, yes, no } => Slot::Number(S::choose(
                    answer(&slots, condition),
                    || number(&slots, yes),
                    || number(&slots, no),
                )),
            };
            slots.push(slot);
        }
        self.outputs.iter().map(|(_, operand)| number(&slots, *operand)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Dual, Lanes};
    use super::*;

    /// Computes a formula that contains every operation.
    fn everything<S: Scalar>(x: S, y: S) -> S {
        let roots = x.sqrt() + y.cbrt() * x.powf(y) - (x / (y + 3.0)).exp();
        let more = x.exp_m1() / 7.0 + y.ln() - x.ln_1p() + x.sin() * y.cos() + y.tanh() - x.atan();
        let inside = x.lt(y) & y.le(S::of(5.0)) | !x.gt(S::of(1.0));
        let chosen = S::choose(inside, || roots, || more);
        (-chosen).abs().copysign(x - y) + x.max(y) - x.min(S::of(2.0)) + more * 0.5
    }

    #[test]
    fn a_recorded_formula_evaluates_as_the_formula_itself() {
        let function = Function::record(["x", "y"], |[x, y]| [("value", everything(x, y))]);
        for (x, y) in [(0.5, 2.0), (2.0, 0.5), (1.5, 6.0), (3.0, 4.0)] {
            assert_eq!(function.evaluate(&[x, y]), [everything(x, y)]);
            let (dx, dy) = (Dual::<2>::variable(x, 0), Dual::variable(y, 1));
            assert_eq!(function.evaluate(&[dx, dy]), [everything(dx, dy)]);
        }
        let (x, y) = (Lanes([0.5, 2.0, 1.5, 3.0]), Lanes([2.0, 0.5, 6.0, 4.0]));
        let lanes = everything(x, y);
        for i in 0..4 {
            assert_eq!(lanes.0[i], everything(x.0[i], y.0[i]));
        }
        assert_eq!(function.evaluate(&[x, y]), [lanes]);
    }

    #[test]
    fn equal_operations_are_noted_once_and_unneeded_ones_are_dropped() {
        let function = Function::record(["x"], |[x]| {
            let _unused = x.sin();
            [("value", (x + 1.0) * (x + 1.0) * 1.0 + 0.0)]
        });
        assert_eq!(function.operations.len(), 3);
    }
}
