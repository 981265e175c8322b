//! SVG text: elements, numbers, escaped words.

use std::fmt::Write;

/// An SVG document as it grows.
#[derive(Default)]
pub struct Svg(String);

/// Where a text stands relative to its point.
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

    /// A straight line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
        // Writing to a string does not fail.
        let _ = writeln!(
            self.0,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        );
    }

    /// A line through points, in pieces.
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

    /// A text on one line.
    pub fn text(&mut self, class: &str, anchor: Anchor, at: (f64, f64), words: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y, words) = (number(at.0), number(at.1), escape(words));
        let _ =
            writeln!(self.0, "<text class=\"{class}\"{anchor} x=\"{x}\" y=\"{y}\">{words}</text>");
    }

    /// The markup so far.
    pub fn finish(self) -> String {
        self.0
    }
}

/// A coordinate to 0.01 px, as short as it can be written.
pub fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    match rounded.is_finite() {
        // Adding zero turns −0 into 0.
        true => (rounded + 0.0).to_string(),
        false => "0".to_string(),
    }
}

/// Text that means itself in XML; control characters, which XML cannot hold, become spaces.
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
    fn numbers_are_short_and_words_harmless() {
        assert_eq!([1.0, -0.001, 2.346, f64::NAN].map(number), ["1", "0", "2.35", "0"]);
        assert_eq!(escape("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot; ");
    }
}
