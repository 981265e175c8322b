//! Aligned text tables.

use super::{style, terminal_width};
use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Spaces between columns.
const GAP: usize = 2;
/// Smallest width to which a column is cut.
const COLUMN_WIDTH_MIN: usize = 12;

/// A table: columns, and rows with headings between them.
pub struct TextTable {
    columns: Vec<Column>,
    lines: Vec<Line>,
}

/// A column: its title and alignment.
struct Column {
    title: String,
    right: bool,
    /// Whether its cells are cut if the terminal is too narrow.
    shrinkable: bool,
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

impl Cell {
    /// Creates a cell with text in a style.
    pub fn styled(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::styled(text, Style::new())
    }
}

impl TextTable {
    /// Creates a table without columns and rows.
    pub fn new() -> Self {
        Self { columns: Vec::new(), lines: Vec::new() }
    }

    /// Returns this table with additional columns of words, aligned left.
    pub fn left<T: Into<String>>(self, titles: impl IntoIterator<Item = T>) -> Self {
        self.with(titles, false, false)
    }

    /// Returns this table with additional columns of numbers, aligned right.
    pub fn right<T: Into<String>>(self, titles: impl IntoIterator<Item = T>) -> Self {
        self.with(titles, true, false)
    }

    /// Returns this table with an additional column of words, whose cells are cut if the terminal is too narrow.
    pub fn shrinkable(self, title: impl Into<String>) -> Self {
        self.with([title], false, true)
    }

    fn with<T: Into<String>>(
        mut self,
        titles: impl IntoIterator<Item = T>,
        right: bool,
        shrinkable: bool,
    ) -> Self {
        let column = |title: T| Column { title: title.into(), right, shrinkable };
        self.columns.extend(titles.into_iter().map(column));
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        self.lines.push(Line::Row(cells.into()));
    }

    /// Adds a heading between rows.
    pub fn heading(&mut self, title: impl Into<String>, about: impl Into<String>) {
        self.lines.push(Line::Heading { title: title.into(), about: about.into() });
    }

    /// Returns the table as text for the terminal, each line indented.
    pub fn render(&self, indent: usize) -> String {
        self.render_within(terminal_width(), indent)
    }

    /// Returns the table as text, each line indented. If it is wider than `width`, shrinkable columns are cut first; if that is not
    /// enough, the remaining columns are placed below, where the first column is repeated.
    pub fn render_within(&self, width: Option<usize>, indent: usize) -> String {
        // Without a width there is room for everything.
        let room = width.map_or(usize::MAX, |width| width.saturating_sub(indent));
        let natural = self.widths();
        let blocks = self.blocks(&natural, room);
        let parts = blocks.iter().map(|columns| self.block(columns, &natural, indent, room));
        parts.collect::<Vec<_>>().join("\n")
    }

    /// Renders some of the columns as a table of their own.
    fn block(&self, columns: &[usize], natural: &[usize], indent: usize, room: usize) -> String {
        let widths = self.widths_in_room(columns, natural, room);
        let titles: Vec<_> =
            columns.iter().map(|&i| (self.columns[i].title.as_str(), style::FAINT)).collect();
        let mut text = self.line(columns, &titles, &widths, indent);
        for line in &self.lines {
            match line {
                Line::Heading { title, about } => {
                    let about = truncate(about, room.saturating_sub(display_width(title) + GAP));
                    let (title, about) =
                        (style::paint(style::STRONG, title), style::paint(style::FAINT, about));
                    text += &format!("\n{}{title}  {about}\n", " ".repeat(indent));
                }
                Line::Row(cells) => {
                    let cells = columns.iter().map(|&i| match cells.get(i) {
                        Some(cell) => (cell.text.as_str(), cell.style),
                        None => ("", Style::new()),
                    });
                    text += &self.line(columns, &cells.collect::<Vec<_>>(), &widths, indent);
                }
            }
        }
        text
    }

    /// Returns the widths of the columns in which no cell is cut.
    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<_> = self.columns.iter().map(|c| display_width(&c.title)).collect();
        for line in &self.lines {
            if let Line::Row(cells) = line {
                for (width, cell) in widths.iter_mut().zip(cells) {
                    *width = display_width(&cell.text).max(*width);
                }
            }
        }
        widths
    }

    /// Returns the columns of each block, of which the first is always column 0: as many as fit side by side when shrinkable
    /// columns are cut.
    fn blocks(&self, natural: &[usize], room: usize) -> Vec<Vec<usize>> {
        let least = |i: usize| self.width_min(i, natural, room);
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        let mut used = 0;
        for i in 0..self.columns.len() {
            match blocks.last_mut() {
                Some(block) if used + GAP + least(i) <= room || block.len() == 1 => {
                    block.push(i);
                    used += GAP + least(i);
                }
                Some(_) => {
                    blocks.push(vec![0, i]);
                    used = least(0) + GAP + least(i);
                }
                None => {
                    blocks.push(vec![i]);
                    used = least(i);
                }
            }
        }
        blocks
    }

    /// Returns the smallest width of a column before another block begins. The first column identifies the rows and keeps more.
    fn width_min(&self, column: usize, natural: &[usize], room: usize) -> usize {
        match (self.columns[column].shrinkable, column) {
            (false, _) => natural[column],
            (true, 0) => natural[column].min(COLUMN_WIDTH_MIN.max(room / 2)),
            (true, _) => natural[column].min(COLUMN_WIDTH_MIN),
        }
    }

    /// Returns the widths of the columns of a block: shrinkable columns are cut first, then the others if that is not enough.
    fn widths_in_room(&self, columns: &[usize], natural: &[usize], room: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = columns.iter().map(|&i| natural[i]).collect();
        let total = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        let mut excess = total.saturating_sub(room);
        for only_shrinkable in [true, false] {
            for (width, &i) in widths.iter_mut().zip(columns) {
                let least = match only_shrinkable {
                    true => self.width_min(i, natural, room),
                    false => COLUMN_WIDTH_MIN,
                };
                let cut = excess.min(width.saturating_sub(least));
                *width -= cut;
                excess -= cut;
            }
        }
        widths
    }

    fn line(
        &self,
        columns: &[usize],
        cells: &[(&str, Style)],
        widths: &[usize],
        indent: usize,
    ) -> String {
        let mut text = " ".repeat(indent);
        let last = cells.len().saturating_sub(1);
        for (i, ((cell, style), width)) in cells.iter().zip(widths).enumerate() {
            let cell = truncate(cell, *width);
            let space = " ".repeat(width - display_width(&cell));
            let painted = style::paint(*style, &cell);
            let right = columns.get(i).is_some_and(|&column| self.columns[column].right);
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

/// Returns the width of a text on a terminal.
fn display_width(text: &str) -> usize {
    text.width()
}

/// Returns the text, or as much of it as fits with an ellipsis.
fn truncate(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_string();
    }
    let mut room = width.saturating_sub(1);
    let fits = |letter: &char| {
        let wide = letter.width().unwrap_or(0);
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    };
    let start: String = text.chars().take_while(fits).collect();
    format!("{}…", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(table: &TextTable, width: Option<usize>) -> String {
        anstream::adapter::strip_str(&table.render_within(width, 0)).to_string()
    }

    fn example() -> TextTable {
        let mut table = TextTable::new().left(["name"]).shrinkable("about").right(["e"]);
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
    fn shrinkable_columns_are_cut_to_the_width_and_no_further() {
        let expected = "name  about               e\n\
                        a     a long descrip…   0.5\n\
                        bc    short            0.75\n";
        assert_eq!(plain(&example(), Some(27)), expected);
        assert!(plain(&example(), Some(5)).contains("a long desc…"));
    }

    #[test]
    fn a_table_too_wide_for_the_terminal_goes_on_below_itself() {
        // Guards against numbers beyond the edge of a narrow terminal, where their lines would break in the middle.
        let mut table = TextTable::new().left(["law"]).right(["restitution", "duration", "force"]);
        table.row(["hertz".into(), Cell::from("1.0000"), "0.5 ms".into(), "12.5 N".into()]);
        let expected = "law    restitution  duration\n\
                        hertz       1.0000    0.5 ms\n\
                        \n\
                        law     force\n\
                        hertz  12.5 N\n";
        assert_eq!(plain(&table, Some(30)), expected);
        assert_eq!(plain(&table, Some(36)).lines().count(), 2);
    }

    #[test]
    fn wide_and_combining_letters_are_counted_as_terminals_show_them() {
        assert_eq!((display_width("δ̇"), display_width("鋼球"), display_width("µm")), (1, 4, 2));
        assert_eq!(truncate("鋼球鋼球", 5), "鋼球…");
    }

    #[test]
    fn colours_do_not_move_columns() {
        let text = example().render_within(None, 0);
        assert!(text.contains("\u{1b}[32mshort\u{1b}[0m"));
    }
}
