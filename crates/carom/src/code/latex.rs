//! Notation of LaTeX: an equation with the intermediate results first and the results last.

use super::{Binary, Binding, Notation, TextPart, Unary};

pub(super) struct Latex;

/// Usual symbols for names in code. Other names are printed unchanged.
const SYMBOLS: &[(&str, &str)] = &[
    ("delta", r"\delta"),
    ("rate", r"\dot\delta"),
    ("force", "F"),
    ("stiffness", "K"),
    ("damping", "c"),
    ("speed", "v_0"),
    ("peak", r"\delta_{\max}"),
    ("time", "t"),
    ("internal", "a"),
    ("internal_rate", r"\dot a"),
    ("mass", "m"),
    ("stored", "U"),
    ("modulus", "E^*"),
    ("radius", "R"),
    ("exponent", "n"),
    ("relaxation", "g"),
    ("poisson", r"\nu"),
    ("viscosity", r"\eta"),
];

impl Notation for Latex {
    fn number(&self, value: f64) -> TextPart {
        let text = match value {
            f64::INFINITY => return TextPart::atom(r"\infty"),
            f64::NEG_INFINITY => return TextPart::new(r"-\infty", Binding::Sign),
            value => format!("{value}"),
        };
        let small = value != 0.0 && value.abs() < 1e-4;
        let text = match small || value.abs() >= 1e6 {
            true => {
                let digits = format!("{value:e}");
                match digits.split_once('e') {
                    Some(("1", power)) => format!("10^{{{power}}}"),
                    Some((digits, power)) => {
                        return TextPart::new(
                            format!(r"{digits} \cdot 10^{{{power}}}"),
                            Binding::Product,
                        );
                    }
                    None => digits,
                }
            }
            false => text,
        };
        let binding = if value.is_sign_negative() { Binding::Sign } else { Binding::Atom };
        TextPart::new(text, binding)
    }

    fn unary(&self, function: Unary, x: TextPart) -> TextPart {
        let text = match function {
            Unary::Negate => {
                return TextPart::new(format!("-{}", within(&x, Binding::Product)), Binding::Sign);
            }
            Unary::Sqrt => format!(r"\sqrt{{{}}}", x.text),
            Unary::Cbrt => format!(r"\sqrt[3]{{{}}}", x.text),
            Unary::Exp => return TextPart::new(format!("e^{{{}}}", x.text), Binding::Power),
            Unary::ExpM1 => return TextPart::new(format!("e^{{{}}} - 1", x.text), Binding::Sum),
            Unary::Ln => format!(r"\ln{}", parenthesised(&x)),
            Unary::Ln1p => format!(r"\ln\left(1 + {}\right)", x.text),
            Unary::Sin => format!(r"\sin{}", parenthesised(&x)),
            Unary::Cos => format!(r"\cos{}", parenthesised(&x)),
            Unary::Tanh => format!(r"\tanh{}", parenthesised(&x)),
            Unary::Atan => format!(r"\arctan{}", parenthesised(&x)),
            Unary::Abs => format!(r"\left|{}\right|", x.text),
        };
        TextPart::atom(text)
    }

    fn binary(&self, function: Binary, a: TextPart, b: TextPart) -> TextPart {
        match function {
            Binary::Add => infix(&a, " + ", &b, Binding::Sum, Binding::Sum),
            Binary::Subtract => infix(&a, " - ", &b, Binding::Sum, Binding::Product),
            Binary::Multiply => infix(&a, r" \, ", &b, Binding::Product, Binding::Power),
            Binary::Divide => TextPart::atom(format!(r"\frac{{{}}}{{{}}}", a.text, b.text)),
            Binary::Power => TextPart::new(
                format!("{{{}}}^{{{}}}", within(&a, Binding::Atom), b.text),
                Binding::Power,
            ),
            Binary::CopySign => {
                let text =
                    format!(r"\left|{}\right| \, \mathrm{{sgn}}{}", a.text, parenthesised(&b));
                TextPart::new(text, Binding::Product)
            }
        }
    }

    fn less(&self, a: TextPart, b: TextPart, or_equal: bool) -> TextPart {
        let symbol = if or_equal { r" \le " } else { " < " };
        TextPart::new(format!("{}{symbol}{}", a.text, b.text), Binding::Comparison)
    }

    fn and(&self, a: TextPart, b: TextPart) -> TextPart {
        infix(&a, r" \wedge ", &b, Binding::And, Binding::And)
    }

    fn or(&self, a: TextPart, b: TextPart) -> TextPart {
        infix(&a, r" \vee ", &b, Binding::Or, Binding::Or)
    }

    fn not(&self, a: TextPart) -> TextPart {
        TextPart::new(format!(r"\neg {}", within(&a, Binding::Atom)), Binding::Sign)
    }

    fn choose(&self, condition: TextPart, yes: TextPart, no: TextPart) -> TextPart {
        let (yes, no, condition) = (yes.text, no.text, condition.text);
        let rows = format!(r"{yes} & \text{{if }} {condition} \\ {no} & \text{{otherwise}}");
        TextPart::atom(format!(r"\begin{{cases}} {rows} \end{{cases}}"))
    }

    fn positive_part(&self, x: TextPart) -> TextPart {
        TextPart::atom(format!(r"\max\left({}, 0\right)", x.text))
    }

    fn name(&self, name: &str) -> String {
        let known = SYMBOLS.iter().find(|(word, _)| *word == name);
        known.map_or_else(
            || format!(r"\mathit{{{}}}", name.replace('_', r"\_")),
            |(_, symbol)| symbol.to_string(),
        )
    }

    fn temporary(&self, number: usize) -> String {
        format!("s_{{{number}}}")
    }

    fn declare(&self, name: &str, value: &TextPart, is_condition: bool) -> String {
        let relation = if is_condition { r"\Leftrightarrow" } else { "=" };
        format!("{name} &{relation} {} \\\\\n", value.text)
    }

    fn function(
        &self,
        _name: &str,
        _inputs: &[&String],
        lines: &[String],
        outputs: &[(String, TextPart)],
    ) -> String {
        let results: Vec<_> = outputs
            .iter()
            .map(|(name, value)| format!("{} &= {}", self.name(name), value.text))
            .collect();
        let body = lines.concat() + &results.join(" \\\\\n");
        format!("\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n")
    }
}

/// Returns the piece, in parentheses of matching height if it binds less strongly than `least`.
fn within(piece: &TextPart, least: Binding) -> String {
    if piece.binding < least { parenthesised(piece) } else { piece.text.clone() }
}

/// Combines two parts with a symbol; the second is parenthesised if it binds less strongly than `least`.
fn infix(a: &TextPart, symbol: &str, b: &TextPart, binding: Binding, least: Binding) -> TextPart {
    TextPart::new(format!("{}{symbol}{}", within(a, binding), within(b, least)), binding)
}

fn parenthesised(piece: &TextPart) -> String {
    format!(r"\left({}\right)", piece.text)
}
