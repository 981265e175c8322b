//! Notation of C99, C++ and CUDA.

use super::program::Spelling;
use super::{Binary, Binding, Notation, TextPart, Unary};

const SPELLING: Spelling = Spelling {
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
    fn number(&self, value: f64) -> TextPart {
        SPELLING.number(value)
    }

    fn unary(&self, function: Unary, x: TextPart) -> TextPart {
        SPELLING.unary(function, x)
    }

    fn binary(&self, function: Binary, a: TextPart, b: TextPart) -> TextPart {
        SPELLING.binary(function, a, b)
    }

    fn and(&self, a: TextPart, b: TextPart) -> TextPart {
        a.infix(" && ", b, Binding::And, true)
    }

    fn or(&self, a: TextPart, b: TextPart) -> TextPart {
        // Compilers warn about && within || without parentheses.
        let part = |piece: &TextPart| piece.within(Binding::Comparison);
        TextPart::new(format!("{} || {}", part(&a), part(&b)), Binding::Or)
    }

    fn not(&self, a: TextPart) -> TextPart {
        TextPart::new(format!("!{}", a.within(Binding::Atom)), Binding::Sign)
    }

    fn choose(&self, condition: TextPart, yes: TextPart, no: TextPart) -> TextPart {
        let part = |piece: &TextPart| piece.within(Binding::Or);
        TextPart::new(
            format!("{} ? {} : {}", part(&condition), part(&yes), part(&no)),
            Binding::Choice,
        )
    }

    fn positive_part(&self, x: TextPart) -> TextPart {
        TextPart::atom(format!("fmax({}, 0.0)", x.text))
    }

    fn declare(&self, name: &str, value: &TextPart, is_condition: bool) -> String {
        let kind = if is_condition { "int" } else { "double" };
        format!("    const {kind} {name} = {};\n", value.text)
    }

    fn function(
        &self,
        name: &str,
        inputs: &[&String],
        lines: &[String],
        outputs: &[(String, TextPart)],
    ) -> String {
        let mut arguments: Vec<_> = inputs.iter().map(|input| format!("double {input}")).collect();
        // A single result is returned; several results are written through pointers.
        let (kind, end) = match outputs {
            [(_, value)] => ("double", format!("    return {};\n", value.text)),
            _ => {
                arguments.extend(outputs.iter().map(|(name, _)| format!("double *{name}_out")));
                let write = |(name, value): &(String, TextPart)| {
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
