//! Notation of Python with NumPy: the arguments may be numbers or arrays.
//!
//! `np.where` computes both of its values, including the one that is not chosen. In the latter, a division by zero
//! must cause neither an exception nor a warning, and a power of a negative number must not become complex. For this
//! reason all numbers are those of NumPy.

use super::program::Words;
use super::{Binary, Binding, Notation, Piece, Unary};

const WORDS: Words = Words {
    infinity: "np.inf",
    not_a_number: "np.nan",
    prefix: "np.",
    arctangent: "arctan",
    absolute: "abs",
    power: "power",
};

pub(super) struct Python;

impl Notation for Python {
    fn number(&self, value: f64) -> Piece {
        WORDS.number(value)
    }

    fn unary(&self, function: Unary, x: Piece) -> Piece {
        WORDS.unary(function, x)
    }

    fn binary(&self, function: Binary, a: Piece, b: Piece) -> Piece {
        WORDS.binary(function, a, b)
    }

    // Arrays do not support `and`; & binds more strongly than a comparison.
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

    fn declare(&self, name: &str, value: &Piece, _is_condition: bool) -> String {
        format!("    {name} = {}\n", value.text)
    }

    fn constant(&self, name: &str, value: f64) -> String {
        format!("    {name} = np.float64({})\n", self.number(value).text)
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
        let (arguments, results) = (inputs.join(", "), results.join(", "));
        let arrays: String =
            inputs.iter().map(|it| format!("    {it} = np.asarray({it}, dtype=float)\n")).collect();
        format!(
            "@np.errstate(all=\"ignore\")\ndef {name}({arguments}):\n{arrays}{body}    return {results}\n"
        )
    }
}
