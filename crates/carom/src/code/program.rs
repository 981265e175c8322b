//! Common parts of the notations of C and Python: numbers, names of functions, infix operators.

use super::{Binary, Binding, TextPart, Unary};

/// The words of a programming language.
pub(super) struct Spelling {
    pub infinity: &'static str,
    pub not_a_number: &'static str,
    /// Prefix of the name of every function.
    pub prefix: &'static str,
    pub arctangent: &'static str,
    pub absolute: &'static str,
    pub power: &'static str,
}

impl Spelling {
    /// Returns the shortest decimal number that is read back as the same value.
    pub fn number(&self, value: f64) -> TextPart {
        match value {
            f64::INFINITY => TextPart::atom(self.infinity),
            f64::NEG_INFINITY => TextPart::new(format!("-{}", self.infinity), Binding::Sign),
            value if value.is_nan() => TextPart::atom(self.not_a_number),
            value if value.is_sign_negative() => TextPart::new(format!("{value:?}"), Binding::Sign),
            value => TextPart::atom(format!("{value:?}")),
        }
    }

    /// Returns a function of one argument.
    pub fn unary(&self, function: Unary, x: TextPart) -> TextPart {
        let name = match function {
            Unary::Negate => {
                return TextPart::new(format!("-{}", x.within(Binding::Power)), Binding::Sign);
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
        TextPart::atom(format!("{}{name}({})", self.prefix, x.text))
    }

    /// Returns an operator between its arguments, or a function of two arguments.
    pub fn binary(&self, function: Binary, a: TextPart, b: TextPart) -> TextPart {
        let call = |name: &str, a: TextPart, b: TextPart| {
            TextPart::atom(format!("{}{name}({}, {})", self.prefix, a.text, b.text))
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
