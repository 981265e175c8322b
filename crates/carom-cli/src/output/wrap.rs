//! Wrapping of text at a given width.

use unicode_width::UnicodeWidthStr;

/// Wraps paragraphs (separated by empty lines) at `width`, each line indented.
pub fn paragraphs(text: &str, indent: usize, width: usize) -> String {
    let wrapped: Vec<_> =
        text.split("\n\n").map(|paragraph| fill(paragraph, indent, indent, width)).collect();
    wrapped.join("\n")
}

/// Wraps one paragraph; the first line begins at `first`, the others at `rest`.
pub fn fill(text: &str, first: usize, rest: usize, width: usize) -> String {
    let mut lines = String::new();
    let mut line = " ".repeat(first);
    let mut length = first;
    let mut empty = true;
    for word in text.split_whitespace() {
        let long = word.width();
        if !empty && length + 1 + long > width {
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
        length += long;
        empty = false;
    }
    lines + line.trim_end() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_filled_and_long_words_kept_whole() {
        assert_eq!(fill("one two three", 0, 2, 8), "one two\n  three\n");
        assert_eq!(fill("a incomprehensible b", 0, 0, 6), "a\nincomprehensible\nb\n");
        assert_eq!(paragraphs("a b\nc\n\nd", 2, 20), "  a b c\n\n  d\n");
    }
}
