//! Wrapping of text.

use super::text_width;
use unicode_width::UnicodeWidthStr;

/// Wraps paragraphs (separated by empty lines) for the terminal, each line indented.
pub fn paragraphs(text: &str, indent: usize) -> String {
    let wrapped: Vec<_> =
        text.split("\n\n").map(|paragraph| fill(paragraph, indent, indent)).collect();
    wrapped.join("\n")
}

/// Wraps one paragraph for the terminal; the first line begins at `first`, the others at `rest`.
pub fn fill(text: &str, first: usize, rest: usize) -> String {
    fill_within(text_width(), text, first, rest)
}

/// Wraps one paragraph for the terminal, and omits the indentation of its first line, where a label is written.
pub fn fill_beside(text: &str, indent: usize) -> String {
    fill(text, indent, indent).trim_start().to_string()
}

/// Wraps one paragraph at `width`; the first line begins at `first`, the others at `rest`.
pub fn fill_within(width: usize, text: &str, first: usize, rest: usize) -> String {
    let mut lines = String::new();
    let mut line = " ".repeat(first);
    let mut length = first;
    let mut empty = true;
    for word in text.split_whitespace() {
        let word_width = word.width();
        if !empty && length + 1 + word_width > width {
            lines += line.trim_end();
            lines.push('\n');
            line = " ".repeat(rest);
            length = rest;
            empty = true;
        }
        if !empty {
            line.push(' ');
            length += 1;
        }
        line += word;
        length += word_width;
        empty = false;
    }
    lines + line.trim_end() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_filled_and_long_words_kept_whole() {
        assert_eq!(fill_within(8, "one two three", 0, 2), "one two\n  three\n");
        assert_eq!(fill_within(6, "a incomprehensible b", 0, 0), "a\nincomprehensible\nb\n");
        assert_eq!(paragraphs("a b\nc\n\nd", 2), "  a b c\n\n  d\n");
    }
}
