//! Python with NumPy: the arguments may be numbers or arrays.

use super::{Binary, Binding, Notation, Piece, Unary};

pub(super) struct Python;

impl Notation for Python {
    fn number(&self, value: f64) -> Piece {
        match value {
            f64::INFINITY => Piece::atom("np.inf"),
            f64::NEG_INFINITY => Piece::new("-np.inf", Binding::Sign),
            value if value.is_nan() => Piece::atom("np.nan"),
            value if value.is_sign_negative() => Piece::new(format!("{value:?}"), Binding::Sign),
            value => Piece::atom(format!("{value:?}")),
        }
    }

    fn unary(&self, function: Unary, x: Piece) -> Piece {
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
            Unary::Atan => "arctan",
            Unary::Abs => "abs",
        };
        Piece::atom(format!("np.{name}({})", x.text))
    }

    fn binary(&self, function: Binary, a: Piece, b: Piece) -> Piece {
        match function {
            Binary::Add => a.infix(" + ", b, Binding::Sum, true),
            Binary::Subtract => a.infix(" - ", b, Binding::Sum, false),
            Binary::Multiply => a.infix(" * ", b, Binding::Product, false),
            Binary::Divide => a.infix(" / ", b, Binding::Product, false),
            Binary::Power => {
                let (base, exponent) = (a.within(Binding::Atom), b.within(Binding::Atom));
                Piece::new(format!("{base}**{exponent}"), Binding::Power)
            }
            Binary::CopySign => Piece::atom(format!("np.copysign({}, {})", a.text, b.text)),
        }
    }

    fn less(&self, a: Piece, b: Piece, or_equal: bool) -> Piece {
        let symbol = if or_equal { " <= " } else { " < " };
        a.infix(symbol, b, Binding::Comparison, false)
    }

    // Arrays have no `and`; & binds tighter than a comparison.
    fn and(&self, a: Piece, b: Piece) -> Piece {
        let part = |piece: &Piece| piece.within(Binding::Atom);
        Piece::new(format!("{} & {}", part(&a), part(&b)), Binding::And)
    }

    fn or(&self, a: Piece, b: Piece) -> Piece {
        let part = |piece: &Piece| piece.within(Binding::Atom);
        Piece::new(format!("{} | {}", part(&a), part(&b)), Binding::Or)
    }

    fn not(&self, a: Piece) -> Piece {
        Piece::atom(format!("np.logical_not({})", a.text))
    }

    fn choose(&self, condition: Piece, yes: Piece, no: Piece) -> Piece {
        Piece::atom(format!("np.where({}, {}, {})", condition.text, yes.text, no.text))
    }

    fn positive_part(&self, x: Piece) -> Piece {
        Piece::atom(format!("np.maximum({}, 0.0)", x.text))
    }

    fn name(&self, name: &str) -> String {
        name.to_string()
    }

    fn temporary(&self, number: usize) -> String {
        format!("t{number}")
    }

    fn declare(&self, name: &str, value: &Piece, _is_condition: bool) -> String {
        format!("    {name} = {}\n", value.text)
    }

    fn function(
        &self,
        name: &str,
        inputs: &[&String],
        lines: &[String],
        outputs: &[(String, Piece)],
    ) -> String {
        let results: Vec<_> = outputs.iter().map(|(_, value)| value.text.as_str()).collect();
        let body = lines.concat();
        let inputs: Vec<_> = inputs.iter().map(|input| input.as_str()).collect();
        format!("def {name}({}):\n{body}    return {}\n", inputs.join(", "), results.join(", "))
    }
}
