//! Aligned text tables.

use super::style;
use anstyle::Style;

/// Spaces between columns.
const GAP: usize = 2;
/// A column that gives way keeps at least this many characters.
const LEAST: usize = 12;

/// A table: columns, and rows or headings between them.
pub struct Table {
    columns: Vec<Column>,
    lines: Vec<Line>,
}

/// A column: its title, and how its cells stand.
pub struct Column {
    title: String,
    right: bool,
    gives_way: bool,
}

/// A cell: plain text and its colour.
pub struct Cell {
    text: String,
    style: Style,
}

enum Line {
    Heading { title: String, about: String },
    Row(Vec<Cell>),
}

impl Column {
    /// For words.
    pub fn left(title: impl Into<String>) -> Self {
        Self { title: title.into(), right: false, gives_way: false }
    }

    /// For numbers.
    pub fn right(title: impl Into<String>) -> Self {
        Self { right: true, ..Self::left(title) }
    }

    /// For words that are cut where the terminal is too narrow.
    pub fn gives_way(self) -> Self {
        Self { gives_way: true, ..self }
    }
}

impl Cell {
    /// Text in a style.
    pub fn styled(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::styled(text, Style::new())
    }
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl Into<Vec<Column>>) -> Self {
        Self { columns: columns.into(), lines: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        self.lines.push(Line::Row(cells.into()));
    }

    /// Adds a heading between rows.
    pub fn heading(&mut self, title: impl Into<String>, about: impl Into<String>) {
        self.lines.push(Line::Heading { title: title.into(), about: about.into() });
    }

    /// The table as text, each line indented; columns that give way are cut to fit into `width`.
    pub fn render(&self, indent: usize, width: Option<usize>) -> String {
        let widths = self.widths(indent, width);
        let titles: Vec<_> =
            self.columns.iter().map(|c| (c.title.as_str(), style::FAINT)).collect();
        let mut text = self.line(&titles, &widths, indent);
        for line in &self.lines {
            match line {
                Line::Heading { title, about } => {
                    let (title, about) =
                        (style::paint(style::STRONG, title), style::paint(style::FAINT, about));
                    text += &format!("\n{}{title}  {about}\n", " ".repeat(indent));
                }
                Line::Row(cells) => {
                    let cells: Vec<_> = cells.iter().map(|c| (c.text.as_str(), c.style)).collect();
                    text += &self.line(&cells, &widths, indent);
                }
            }
        }
        text
    }

    fn widths(&self, indent: usize, limit: Option<usize>) -> Vec<usize> {
        let mut widths: Vec<_> = self.columns.iter().map(|c| length(&c.title)).collect();
        for line in &self.lines {
            if let Line::Row(cells) = line {
                for (width, cell) in widths.iter_mut().zip(cells) {
                    *width = length(&cell.text).max(*width);
                }
            }
        }
        let total = indent + widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        let mut excess = total.saturating_sub(limit.unwrap_or(usize::MAX));
        for (width, column) in widths.iter_mut().zip(&self.columns) {
            if column.gives_way {
                let cut = excess.min(width.saturating_sub(LEAST));
                *width -= cut;
                excess -= cut;
            }
        }
        widths
    }

    fn line(&self, cells: &[(&str, Style)], widths: &[usize], indent: usize) -> String {
        let mut text = " ".repeat(indent);
        let last = cells.len().saturating_sub(1);
        for (i, ((cell, style), width)) in cells.iter().zip(widths).enumerate() {
            let cell = cut(cell, *width);
            let space = " ".repeat(width - length(&cell));
            let painted = style::paint(*style, &cell);
            let right = self.columns.get(i).is_some_and(|column| column.right);
            text += &match (right, i == last) {
                (true, _) => space + &painted,
                (false, true) => painted,
                (false, false) => painted + &space,
            };
            if i < last {
                text += &" ".repeat(GAP);
            }
        }
        text.truncate(text.trim_end().len());
        text + "\n"
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// The text, or as much of it as fits with an ellipsis.
fn cut(text: &str, width: usize) -> String {
    if length(text) <= width {
        return text.to_string();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(table: &Table, width: Option<usize>) -> String {
        anstream::adapter::strip_str(&table.render(0, width)).to_string()
    }

    fn example() -> Table {
        let mut table = Table::new([
            Column::left("name"),
            Column::left("about").gives_way(),
            Column::right("e"),
        ]);
        table.row(["a".into(), Cell::from("a long description of it"), "0.5".into()]);
        table.row(["bc".into(), Cell::styled("short", style::GOOD), "0.75".into()]);
        table
    }

    #[test]
    fn words_stand_left_and_numbers_right() {
        let expected = "name  about                        e\n\
                        a     a long description of it   0.5\n\
                        bc    short                     0.75\n";
        assert_eq!(plain(&example(), None), expected);
    }

    #[test]
    fn what_gives_way_is_cut_to_the_width_and_no_further() {
        let expected = "name  about               e\n\
                        a     a long descrip…   0.5\n\
                        bc    short            0.75\n";
        assert_eq!(plain(&example(), Some(27)), expected);
        assert!(plain(&example(), Some(5)).contains("a long desc…"));
    }

    #[test]
    fn colours_do_not_move_columns() {
        let text = example().render(0, None);
        assert!(text.contains("\u{1b}[32mshort\u{1b}[0m"));
    }
}
