//! Notation of Python with NumPy: the arguments may be numbers or arrays.
//!
//! `np.where` computes both of its values, including the one that is not chosen. In the latter, a division by zero
//! must cause neither an exception nor a warning, and a power of a negative number must not become complex. For this
//! reason all numbers are those of NumPy.

use super::program::Spelling;
use super::{Binary, Binding, Notation, TextPart, Unary};

const SPELLING: Spelling = Spelling {
    infinity: "np.inf",
    not_a_number: "np.nan",
    prefix: "np.",
    arctangent: "arctan",
    absolute: "abs",
    power: "power",
};

pub(super) struct Python;

impl Notation for Python {
    fn number(&self, value: f64) -> TextPart {
        SPELLING.number(value)
    }

    fn unary(&self, function: Unary, x: TextPart) -> TextPart {
        SPELLING.unary(function, x)
    }

    fn binary(&self, function: Binary, a: TextPart, b: TextPart) -> TextPart {
        SPELLING.binary(function, a, b)
    }

    // Arrays do not support `and`; & binds more strongly than a comparison.
    fn and(&self, a: TextPart, b: TextPart) -> TextPart {
        let part = |piece: &TextPart| piece.within(Binding::Atom);
        TextPart::new(format!("{} & {}", part(&a), part(&b)), Binding::And)
    }

    fn or(&self, a: TextPart, b: TextPart) -> TextPart {
        let part = |piece: &TextPart| piece.within(Binding::Atom);
        TextPart::new(format!("{} | {}", part(&a), part(&b)), Binding::Or)
    }

    fn not(&self, a: TextPart) -> TextPart {
        TextPart::atom(format!("np.logical_not({})", a.text))
    }

    fn choose(&self, condition: TextPart, yes: TextPart, no: TextPart) -> TextPart {
        TextPart::atom(format!("np.where({}, {}, {})", condition.text, yes.text, no.text))
    }

    fn positive_part(&self, x: TextPart) -> TextPart {
        TextPart::atom(format!("np.maximum({}, 0.0)", x.text))
    }

    fn declare(&self, name: &str, value: &TextPart, _is_condition: bool) -> String {
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
        outputs: &[(String, TextPart)],
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
