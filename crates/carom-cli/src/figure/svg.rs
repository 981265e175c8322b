//! SVG markup: elements, coordinates, text with superscripts and subscripts.

use std::fmt::Write;

/// SVG markup under construction.
#[derive(Default)]
pub struct Svg(String);

/// Point of a text that is placed at its coordinates.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    /// Appends raw markup.
    pub fn raw(&mut self, markup: &str) {
        self.0 += markup;
    }

    /// Draws a straight line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.0,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        );
    }

    /// Draws polylines as one path.
    pub fn path(&mut self, class: &str, pieces: &[Vec<(f64, f64)>]) {
        let mut data = String::new();
        for piece in pieces {
            for (i, &(x, y)) in piece.iter().enumerate() {
                let letter = match i {
                    0 => "M",
                    1 => "L",
                    _ => " ",
                };
                let _ = write!(data, "{letter}{} {}", number(x), number(y));
            }
        }
        if !data.is_empty() {
            let _ = writeln!(self.0, "<path class=\"{class}\" d=\"{data}\"/>");
        }
    }

    /// Draws a filled, translucent area.
    pub fn area(&mut self, class: &str, outline: Vec<(f64, f64)>) {
        let corner = |(x, y): &(f64, f64)| format!("{} {}", number(*x), number(*y));
        let corners: Vec<String> = outline.iter().map(corner).collect();
        let data = corners.join(" ");
        let _ = writeln!(
            self.0,
            "<path class=\"{class}\" fill-opacity=\"0.2\" stroke=\"none\" d=\"M{data}Z\"/>"
        );
    }

    /// Draws one line of text.
    pub fn text(&mut self, class: &str, anchor: Anchor, at: (f64, f64), words: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y, words) = (number(at.0), number(at.1), to_markup(words));
        let _ =
            writeln!(self.0, "<text class=\"{class}\"{anchor} x=\"{x}\" y=\"{y}\">{words}</text>");
    }

    /// Returns the markup.
    pub fn finish(self) -> String {
        self.0
    }
}

/// Vertical position of a part of a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextLevel {
    Baseline,
    Superscript,
    Subscript,
}

impl TextLevel {
    /// Returns the offset below the baseline, in px.
    fn shift(self) -> i32 {
        match self {
            Self::Baseline => 0,
            Self::Superscript => -4,
            Self::Subscript => 3,
        }
    }
}

/// Unicode subscript and superscript letters, which few fonts have, and the ordinary letters that are drawn smaller instead. All
/// fonts have subscript and superscript digits.
const SMALL_LETTERS: [(TextLevel, &str, &str); 2] = [
    (TextLevel::Subscript, "ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "aehijklmnoprstuvx"),
    (TextLevel::Superscript, "ᵃᵇᵏᵐⁿᵖ", "abkmnp"),
];

/// Converts text to markup: exponents after a caret (`m^1.5`, `x^(5/2)`) become superscripts, indices subscripts.
fn to_markup(words: &str) -> String {
    let mut markup = String::new();
    let mut shift = 0;
    for (level, piece) in split_levels(words) {
        let (moved, piece) = (level.shift() - shift, escape(&piece));
        shift = level.shift();
        // Writing to a string cannot fail.
        let _ = match (level, moved) {
            (TextLevel::Baseline, 0) => write!(markup, "{piece}"),
            (TextLevel::Baseline, _) => write!(markup, "<tspan dy=\"{moved}\">{piece}</tspan>"),
            _ => write!(markup, "<tspan class=\"raised\" dy=\"{moved}\">{piece}</tspan>"),
        };
    }
    markup
}

/// Splits a text at changes of the level.
fn split_levels(words: &str) -> Vec<(TextLevel, String)> {
    let mut found: Vec<(TextLevel, String)> = Vec::new();
    let mut rest = words;
    let mut letters = words.chars();
    while let Some(first) = letters.next() {
        let after = letters.as_str();
        let small = SMALL_LETTERS.iter().find_map(|(level, small, plain)| {
            let index = small.chars().position(|letter| letter == first)?;
            Some((*level, plain.get(index..=index)?))
        });
        let (level, piece, length) = match (first, exponent_length(after), small) {
            ('^', length @ 1.., _) => {
                let raised = after.get(..length).unwrap_or(after);
                let bare = raised.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
                (TextLevel::Superscript, bare.unwrap_or(raised), length + 1)
            }
            ('_', ..) if after.starts_with("max") => (TextLevel::Subscript, "max", 4),
            (_, _, Some((level, plain))) => (level, plain, first.len_utf8()),
            _ => (TextLevel::Baseline, rest.strip_suffix(after).unwrap_or(rest), first.len_utf8()),
        };
        match found.last_mut() {
            Some((last, text)) if *last == level => *text += piece,
            _ => found.push((level, piece.to_string())),
        }
        rest = rest.get(length..).unwrap_or_default();
        letters = rest.chars();
    }
    found
}

/// Returns the length in bytes of the exponent at the beginning of a text: a number, a name, or an expression in parentheses.
fn exponent_length(text: &str) -> usize {
    if text.starts_with('(') {
        let mut open = 0;
        let closes = |(_, c): &(usize, char)| {
            open += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            open == 0
        };
        return text.char_indices().find(closes).map_or(0, |(end, _)| end + 1);
    }
    let unsigned = text.strip_prefix(['-', '−', '+']).unwrap_or(text);
    let sign = text.len() - unsigned.len();
    let part_of_a_number = |(i, c): &(usize, char)| {
        c.is_ascii_digit()
            || (*c == '.' && unsigned.as_bytes().get(i + 1).is_some_and(u8::is_ascii_digit))
    };
    let number =
        unsigned.char_indices().take_while(part_of_a_number).map(|(_, c)| c.len_utf8()).sum();
    let length: usize = match number {
        0 => unsigned.chars().take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum(),
        number => number,
    };
    if length == 0 { 0 } else { sign + length }
}

/// Formats a coordinate to 0.01 px, as short as possible.
pub fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    match rounded.is_finite() {
        // Adding zero turns −0 into 0.
        true => (rounded + 0.0).to_string(),
        false => "0".to_string(),
    }
}

/// Escapes a text for XML; control characters, which XML does not allow, become spaces.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_raised_and_other_carets_stay() {
        let raised = |words| {
            let only = split_levels(words)
                .into_iter()
                .filter(|(level, _)| *level == TextLevel::Superscript);
            only.map(|(_, piece)| piece).collect::<Vec<_>>()
        };
        for (words, expected) in [
            ("K = 2.4e10 N/m^1.5, n = 1.5.", vec!["1.5"]),
            ("N s/m^2.5", vec!["2.5"]),
            ("10^−5 and m^-1", vec!["−5", "-1"]),
            ("|rate|^q sgn rate", vec!["q"]),
            ("(n+1)^(1/(n+1)) and on", vec!["1/(n+1)"]),
            ("x^(5/2)", vec!["5/2"]),
            ("s/m^lambda", vec!["lambda"]),
            ("m^2. A sentence", vec!["2"]),
            ("a ^ b, a^", vec![]),
        ] {
            assert_eq!(raised(words), expected, "{words}");
        }
        assert_eq!(
            to_markup("mₑv"),
            "m<tspan class=\"raised\" dy=\"3\">e</tspan><tspan dy=\"-3\">v</tspan>"
        );
        assert_eq!(split_levels("δ_max")[1], (TextLevel::Subscript, "max".to_string()));
        assert_eq!(
            to_markup("m^2/s<"),
            "m<tspan class=\"raised\" dy=\"-4\">2</tspan><tspan dy=\"4\">/s&lt;</tspan>"
        );
    }

    #[test]
    fn numbers_are_short_and_words_harmless() {
        assert_eq!([1.0, -0.001, 2.346, f64::NAN].map(number), ["1", "0", "2.35", "0"]);
        assert_eq!(escape("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot; ");
    }
}
