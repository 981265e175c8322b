//! Notation of C99, C++ and CUDA.

use super::program::Words;
use super::{Binary, Binding, Notation, Piece, Unary};

const WORDS: Words = Words {
    infinity: "INFINITY",
    not_a_number: "NAN",
    prefix: "",
    arctangent: "atan",
    absolute: "fabs",
    power: "pow",
};

/// The notation of C, with these words before every function.
pub(super) struct C {
    pub prefix: &'static str,
}

impl Notation for C {
    fn number(&self, value: f64) -> Piece {
        WORDS.number(value)
    }

    fn unary(&self, function: Unary, x: Piece) -> Piece {
        WORDS.unary(function, x)
    }

    fn binary(&self, function: Binary, a: Piece, b: Piece) -> Piece {
        WORDS.binary(function, a, b)
    }

    fn and(&self, a: Piece, b: Piece) -> Piece {
        a.infix(" && ", b, Binding::And, true)
    }

    fn or(&self, a: Piece, b: Piece) -> Piece {
        // Compilers warn about && within || without parentheses.
        let part = |piece: &Piece| piece.within(Binding::Comparison);
        Piece::new(format!("{} || {}", part(&a), part(&b)), Binding::Or)
    }

    fn not(&self, a: Piece) -> Piece {
        Piece::new(format!("!{}", a.within(Binding::Atom)), Binding::Sign)
    }

    fn choose(&self, condition: Piece, yes: Piece, no: Piece) -> Piece {
        let part = |piece: &Piece| piece.within(Binding::Or);
        Piece::new(
            format!("{} ? {} : {}", part(&condition), part(&yes), part(&no)),
            Binding::Choice,
        )
    }

    fn positive_part(&self, x: Piece) -> Piece {
        Piece::atom(format!("fmax({}, 0.0)", x.text))
    }

    fn declare(&self, name: &str, value: &Piece, is_condition: bool) -> String {
        let kind = if is_condition { "int" } else { "double" };
        format!("    const {kind} {name} = {};\n", value.text)
    }

    fn function(
        &self,
        name: &str,
        inputs: &[&String],
        lines: &[String],
        outputs: &[(String, Piece)],
    ) -> String {
        let mut arguments: Vec<_> = inputs.iter().map(|input| format!("double {input}")).collect();
        // A single result is returned; several results are written through pointers.
        let (kind, end) = match outputs {
            [(_, value)] => ("double", format!("    return {};\n", value.text)),
            _ => {
                arguments.extend(outputs.iter().map(|(name, _)| format!("double *{name}_out")));
                let write = |(name, value): &(String, Piece)| {
                    format!("    *{name}_out = {};\n", value.text)
                };
                ("void", outputs.iter().map(write).collect())
            }
        };
        // All laws have the same signature, so a function may have arguments that it does not use.
        let body = lines.concat() + &end;
        let unused = |input: &&&String| !contains_word(&body, input);
        let silent: String =
            inputs.iter().filter(unused).map(|input| format!("    (void)({input});\n")).collect();
        let prefix = self.prefix;
        format!("{prefix} {kind} {name}({})\n{{\n{silent}{body}}}\n", arguments.join(", "))
    }
}

/// Returns whether an identifier occurs in a text.
fn contains_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c: char| !part(c)).any(|found| found == word)
}
