//! Common parts of the notations of C and Python: numbers, names of functions, infix operators.

use super::{Binary, Binding, Piece, Unary};

/// The words of a programming language.
pub(super) struct Words {
    pub infinity: &'static str,
    pub not_a_number: &'static str,
    /// Prefix of the name of every function.
    pub prefix: &'static str,
    pub arctangent: &'static str,
    pub absolute: &'static str,
    pub power: &'static str,
}

impl Words {
    /// Returns the shortest decimal number that is read back as the same value.
    pub fn number(&self, value: f64) -> Piece {
        match value {
            f64::INFINITY => Piece::atom(self.infinity),
            f64::NEG_INFINITY => Piece::new(format!("-{}", self.infinity), Binding::Sign),
            value if value.is_nan() => Piece::atom(self.not_a_number),
            value if value.is_sign_negative() => Piece::new(format!("{value:?}"), Binding::Sign),
            value => Piece::atom(format!("{value:?}")),
        }
    }

    /// Returns a function of one argument.
    pub fn unary(&self, function: Unary, x: Piece) -> Piece {
        let name = match function {
            Unary::Negate => {
                return Piece::new(format!("-{}", x.within(Binding::Power)), Binding::Sign);
            }
            Unary::Sqrt => "sqrt",
            Unary::Cbrt => "cbrt",
            Unary::Exp => "exp",
            Unary::ExpM1 => "expm1",
            Unary::Ln => "log",
            Unary::Ln1p => "log1p",
            Unary::Sin => "sin",
            Unary::Cos => "cos",
            Unary::Tanh => "tanh",
            Unary::Atan => self.arctangent,
            Unary::Abs => self.absolute,
        };
        Piece::atom(format!("{}{name}({})", self.prefix, x.text))
    }

    /// Returns an operator between its arguments, or a function of two arguments.
    pub fn binary(&self, function: Binary, a: Piece, b: Piece) -> Piece {
        let call = |name: &str, a: Piece, b: Piece| {
            Piece::atom(format!("{}{name}({}, {})", self.prefix, a.text, b.text))
        };
        match function {
            Binary::Add => a.infix(" + ", b, Binding::Sum, true),
            Binary::Subtract => a.infix(" - ", b, Binding::Sum, false),
            // Products are not regrouped, because rounding would then differ from that of the library.
            Binary::Multiply => a.infix(" * ", b, Binding::Product, false),
            Binary::Divide => a.infix(" / ", b, Binding::Product, false),
            Binary::Power => call(self.power, a, b),
            Binary::CopySign => call("copysign", a, b),
        }
    }
}
