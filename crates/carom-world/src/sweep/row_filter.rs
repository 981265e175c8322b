//! Selection of rows of a table by words: names of bodies and contacts, and kinds of events.

use carom::{Error, Result};
use carom_store::{Column, Values};

/// Index of a text column, and the index of a word in its list.
pub(super) type WordFilter = (usize, u32);

/// Finds words among the texts of a table.
///
/// # Errors
/// When a word does not occur in any text column.
pub(super) fn word_filters(
    table: &str,
    columns: &[Column],
    words: &[String],
) -> Result<Vec<WordFilter>> {
    let lists = || {
        columns.iter().enumerate().filter_map(|(i, column)| match &column.values {
            Values::Text { list, .. } => Some((i, list)),
            _ => None,
        })
    };
    let find = |word: &String| {
        let place = |(i, list): (usize, &Vec<String>)| {
            Some((i, list.iter().position(|known| known == word)? as u32))
        };
        lists().find_map(place).ok_or_else(|| {
            let known = || lists().flat_map(|(_, list)| list.iter().map(String::as_str));
            let all: Vec<&str> = known().collect();
            let otherwise = format!("`{table}` has {}", all.join(", "));
            Error::unknown("name", word, known(), &otherwise)
        })
    };
    words.iter().map(find).collect()
}

/// Returns the index of a table, and its columns.
///
/// # Errors
/// When there is no such table.
pub(super) fn find_table<'t>(
    tables: &'t [(&'static str, Vec<Column>)],
    name: &str,
) -> Result<(usize, &'t [Column])> {
    let found = tables.iter().enumerate().find(|(_, (known, _))| *known == name);
    let missing = || Error::missing(format!("table {name}"), "this scene does not have it");
    found.map(|(number, (_, columns))| (number, columns.as_slice())).ok_or_else(missing)
}

/// Returns whether a row contains these words.
pub(super) fn row_matches(columns: &[Column], filters: &[WordFilter], row: usize) -> bool {
    filters.iter().all(|(column, word)| match columns.get(*column).map(|column| &column.values) {
        Some(Values::Text { index, .. }) => index.get(row) == Some(word),
        _ => false,
    })
}
