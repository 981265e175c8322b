//! The expression tree of a formula.

use super::MonotoneCubic;
use crate::scalar::Scalar;
use crate::scalar::expression::{Binary, Unary, apply_binary, apply_unary};
use std::fmt;

/// Functions of one argument that [`Scalar`](crate::scalar::Scalar) provides, with their names in formulas.
pub(super) const UNARY_FUNCTIONS: [(&str, Unary); 11] = [
    ("sqrt", Unary::Sqrt),
    ("cbrt", Unary::Cbrt),
    ("exp", Unary::Exp),
    ("expm1", Unary::ExpM1),
    ("ln", Unary::Ln),
    ("ln1p", Unary::Ln1p),
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tanh", Unary::Tanh),
    ("atan", Unary::Atan),
    ("abs", Unary::Abs),
];

/// Returns the name of a function of one argument.
pub(super) fn name_of(function: Unary) -> &'static str {
    UNARY_FUNCTIONS.iter().find(|(_, it)| *it == function).map_or("-", |(name, _)| name)
}

/// A formula whose variables are identified by their index.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A number.
    Number(f64),
    /// The variable with this index.
    Variable(usize),
    /// A function of one argument.
    Unary(Unary, Box<Expression>),
    /// A function of two arguments.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// The value `yes` if the comparison is true, otherwise `no`.
    Choose {
        /// The comparison.
        condition: Box<Comparison>,
        /// Value if the comparison is true.
        yes: Box<Expression>,
        /// Value if the comparison is false.
        no: Box<Expression>,
    },
    /// A tabulated function, or its integral from the first point.
    Curve(&'static MonotoneCubic, Reading, Box<Expression>),
}

/// Quantity that is taken from a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The value of the function.
    Value,
    /// The integral of the function from the first point.
    Integral,
}

impl Reading {
    /// Computes this quantity from the table at x.
    pub fn of<S: Scalar>(self, table: &MonotoneCubic, x: S) -> S {
        match self {
            Self::Value => table.evaluate(x),
            Self::Integral => table.integral(x),
        }
    }
}

/// The comparison left < right or left ≤ right.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Left side, which is the smaller one if the comparison is true.
    pub left: Expression,
    /// Right side, which is the larger one if the comparison is true.
    pub right: Expression,
    /// Whether the comparison is also true for equal sides.
    pub or_equal: bool,
}

impl Comparison {
    fn holds(&self, left: f64, right: f64) -> bool {
        if self.or_equal { left <= right } else { left < right }
    }
}

impl Expression {
    /// Returns the value if the formula is a number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// Creates a function of one argument; with a number as argument it is evaluated. `ln(1 + x)` is replaced by
    /// `ln1p(x)`, which avoids cancellation near 0.
    pub fn unary(function: Unary, argument: Self) -> Self {
        match (function, argument) {
            (_, Self::Number(x)) => Self::Number(apply_unary(function, x)),
            (Unary::Ln, Self::Binary(Binary::Add, one, x)) if *one == Self::Number(1.0) => {
                Self::Unary(Unary::Ln1p, x)
            }
            (Unary::Ln, Self::Binary(Binary::Add, x, one)) if *one == Self::Number(1.0) => {
                Self::Unary(Unary::Ln1p, x)
            }
            (_, argument) => Self::Unary(function, Box::new(argument)),
        }
    }

    /// Creates a function of two arguments; it is evaluated or simplified where possible. `exp(x) - 1` is replaced by
    /// `expm1(x)`, which avoids cancellation near 0.
    pub fn binary(function: Binary, left: Self, right: Self) -> Self {
        match (function, left, right) {
            (_, Self::Number(a), Self::Number(b)) => Self::Number(apply_binary(function, a, b)),
            (Binary::Add, Self::Number(0.0), it) | (Binary::Multiply, Self::Number(1.0), it) => it,
            (Binary::Add | Binary::Subtract, it, Self::Number(0.0))
            | (Binary::Multiply | Binary::Divide | Binary::Power, it, Self::Number(1.0)) => it,
            (Binary::Subtract, Self::Unary(Unary::Exp, x), Self::Number(1.0)) => {
                Self::Unary(Unary::ExpM1, x)
            }
            (_, left, right) => Self::Binary(function, Box::new(left), Box::new(right)),
        }
    }

    /// Creates the choice between two values; with numbers on both sides of the comparison it is decided.
    pub fn choose(condition: Comparison, yes: Self, no: Self) -> Self {
        match (condition.left.number(), condition.right.number()) {
            (Some(left), Some(right)) => {
                if condition.holds(left, right) {
                    yes
                } else {
                    no
                }
            }
            _ => Self::Choose {
                condition: Box::new(condition),
                yes: Box::new(yes),
                no: Box::new(no),
            },
        }
    }

    /// Creates the smaller of two values.
    pub fn min(self, other: Self) -> Self {
        let condition = Comparison { left: self.clone(), right: other.clone(), or_equal: false };
        Self::choose(condition, self, other)
    }

    /// Creates the larger of two values.
    pub fn max(self, other: Self) -> Self {
        let condition = Comparison { left: other.clone(), right: self.clone(), or_equal: false };
        Self::choose(condition, self, other)
    }

    /// Returns whether the variable occurs in the formula.
    pub fn contains(&self, variable: usize) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Variable(index) => *index == variable,
            Self::Unary(_, a) | Self::Curve(_, _, a) => a.contains(variable),
            Self::Binary(_, a, b) => a.contains(variable) || b.contains(variable),
            Self::Choose { condition, yes, no } => {
                [&condition.left, &condition.right, yes, no].iter().any(|it| it.contains(variable))
            }
        }
    }

    /// Calls `visitor` for the formula and for all its parts, at every depth.
    pub fn visit(&self, visitor: &mut impl FnMut(&Self)) {
        visitor(self);
        match self {
            Self::Number(_) | Self::Variable(_) => {}
            Self::Unary(_, a) | Self::Curve(_, _, a) => a.visit(visitor),
            Self::Binary(_, a, b) => {
                a.visit(visitor);
                b.visit(visitor);
            }
            Self::Choose { condition, yes, no } => {
                for part in [&condition.left, &condition.right, yes, no] {
                    part.visit(visitor);
                }
            }
        }
    }

    /// Returns the number of parts of the formula, including itself.
    pub fn size(&self) -> usize {
        let mut count = 0;
        self.visit(&mut |_| count += 1);
        count
    }

    /// Returns the formula with `part` applied to each of its direct parts.
    pub(super) fn with_parts(&self, part: impl Fn(&Self) -> Self) -> Self {
        match self {
            Self::Number(_) | Self::Variable(_) => self.clone(),
            Self::Unary(function, a) => Self::unary(*function, part(a)),
            Self::Curve(table, reading, a) => Self::Curve(table, *reading, Box::new(part(a))),
            Self::Binary(function, a, b) => Self::binary(*function, part(a), part(b)),
            Self::Choose { condition, yes, no } => {
                let (left, right) = (part(&condition.left), part(&condition.right));
                let condition = Comparison { left, right, or_equal: condition.or_equal };
                Self::choose(condition, part(yes), part(no))
            }
        }
    }

    /// Returns the formula with variables replaced. `replace` returns the replacement, or `None` if the variable is
    /// kept.
    pub fn substitute(&self, replace: &impl Fn(usize) -> Option<Self>) -> Self {
        match self {
            Self::Variable(index) => replace(*index).unwrap_or(Self::Variable(*index)),
            _ => self.with_parts(|part| part.substitute(replace)),
        }
    }

    /// Returns the formula with one variable replaced.
    pub fn with(&self, variable: usize, by: &Self) -> Self {
        self.substitute(&|index| (index == variable).then(|| by.clone()))
    }

    /// Evaluates the formula for these values of the variables; a variable without a value is NaN.
    pub fn evaluate(&self, values: &[f64]) -> f64 {
        match self {
            Self::Number(value) => *value,
            Self::Variable(index) => values.get(*index).copied().unwrap_or(f64::NAN),
            Self::Unary(function, a) => apply_unary(*function, a.evaluate(values)),
            Self::Curve(table, reading, a) => reading.of(table, a.evaluate(values)),
            Self::Binary(function, a, b) => {
                apply_binary(*function, a.evaluate(values), b.evaluate(values))
            }
            Self::Choose { condition, yes, no } => {
                let left = condition.left.evaluate(values);
                match condition.holds(left, condition.right.evaluate(values)) {
                    true => yes.evaluate(values),
                    false => no.evaluate(values),
                }
            }
        }
    }

    /// Returns the formula as text, with these names of its variables.
    pub fn written<'a>(&'a self, names: &'a [&'a str]) -> Written<'a> {
        Written { expression: self, names, binding: 0 }
    }
}

/// A formula as text; see [`Expression::written`].
pub struct Written<'a> {
    expression: &'a Expression,
    names: &'a [&'a str],
    /// Binding strength of the surrounding operator: 1 for a sum, 2 for a product, 3 for a divisor or an exponent, 4 for a base.
    binding: u8,
}

impl Written<'_> {
    fn part<'b>(&'b self, expression: &'b Expression, binding: u8) -> Written<'b> {
        Written { expression, names: self.names, binding }
    }
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.expression {
            Expression::Number(value) => write!(f, "{value}"),
            Expression::Variable(index) => write!(f, "{}", self.names.get(*index).unwrap_or(&"?")),
            Expression::Unary(Unary::Negate, a) if self.binding > 1 => {
                write!(f, "(-{})", self.part(a, 2))
            }
            Expression::Unary(Unary::Negate, a) => write!(f, "-{}", self.part(a, 2)),
            Expression::Unary(function, a) => {
                write!(f, "{}({})", name_of(*function), self.part(a, 0))
            }
            Expression::Curve(_, _, a) => write!(f, "curve({})", self.part(a, 0)),
            Expression::Binary(Binary::CopySign, a, b) => {
                write!(f, "copysign({}, {})", self.part(a, 0), self.part(b, 0))
            }
            Expression::Binary(function, a, b) => {
                let (sign, strength, right) = match function {
                    Binary::Add => (" + ", 1, 1),
                    Binary::Subtract => (" - ", 1, 2),
                    Binary::Multiply => ("*", 2, 2),
                    Binary::Divide => ("/", 2, 3),
                    Binary::Power | Binary::CopySign => ("^", 4, 3),
                };
                let (open, close) = if strength < self.binding { ("(", ")") } else { ("", "") };
                write!(f, "{open}{}{sign}{}{close}", self.part(a, strength), self.part(b, right))
            }
            Expression::Choose { condition, yes, no } => write!(
                f,
                "if({} {} {}, {}, {})",
                self.part(&condition.left, 0),
                if condition.or_equal { "<=" } else { "<" },
                self.part(&condition.right, 0),
                self.part(yes, 0),
                self.part(no, 0)
            ),
        }
    }
}
