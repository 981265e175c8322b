//! Converts serialised values to CSV rows: names of nested fields are joined with `_`, items of lists with `;`. `carom_store::csv`
//! writes the cells.

use crate::failure::Failure;
use carom_store::csv::{line, number};
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;

/// Returns a header row and one row for each value; a field that a value does not have is an empty cell.
pub fn rows<T: Serialize>(values: &[T]) -> Result<String, Failure> {
    let mut names: Vec<String> = Vec::new();
    let mut indices: HashMap<String, usize> = HashMap::new();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for value in values {
        let mut row = vec![String::new(); names.len()];
        for (name, cell) in cells(value)? {
            let index = *indices.entry(name.clone()).or_insert_with(|| {
                names.push(name);
                names.len() - 1
            });
            row.resize(names.len().max(row.len()), String::new());
            row[index] = cell;
        }
        rows.push(row);
    }
    // A field that is null in one value and an object in another has columns for its parts, and none of its own.
    let has_parts = |name: &str| names.iter().any(|other| other.starts_with(&format!("{name}_")));
    let empty = |index: usize| rows.iter().all(|row| row.get(index).is_none_or(String::is_empty));
    let kept: Vec<usize> =
        (0..names.len()).filter(|&index| !(has_parts(&names[index]) && empty(index))).collect();
    let mut text = line(kept.iter().map(|&index| names[index].as_str()));
    for row in &rows {
        text += &line(kept.iter().map(|&index| row.get(index).map_or("", String::as_str)));
    }
    Ok(text)
}

/// Returns the header of rows like this one.
pub fn header<T: Serialize>(example: &T) -> Result<String, Failure> {
    Ok(line(cells(example)?.iter().map(|(name, _)| name.as_str())))
}

/// Returns the names and cells of a value.
fn cells<T: Serialize>(value: &T) -> Result<Vec<(String, String)>, Failure> {
    let value = serde_json::to_value(value)
        .map_err(|why| Failure::System(format!("cannot write the result as CSV: {why}")))?;
    let mut cells = Vec::new();
    flatten("", &value, &mut cells);
    Ok(cells)
}

fn flatten(name: &str, value: &Value, cells: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                let name = match name {
                    "" => field.clone(),
                    _ => format!("{name}_{field}"),
                };
                flatten(&name, value, cells);
            }
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(scalar).collect();
            cells.push((name.to_string(), items.join(";")));
        }
        _ => cells.push((name.to_string(), scalar(value))),
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(value) if value.is_f64() => number(value.as_f64().unwrap_or(f64::NAN)),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_of_different_shapes_have_the_same_columns() {
        // For example, an uncertainty that only one of two solutions has must not be one cell in one row and three in the other.
        let values = [json!({"a": 1, "u": null}), json!({"a": 2, "u": {"x": 3, "y": 4}})];
        assert_eq!(rows(&values).unwrap(), "a,u_x,u_y\n1,,\n2,3,4\n");
        assert_eq!(header(&json!({"a": 1, "b": {"c": 2}})).unwrap(), "a,b_c\n");
    }

    #[test]
    fn nested_names_are_joined_and_only_awkward_cells_quoted() {
        let value = json!({"b": {"x": 1.5, "y": null}, "a": ["p", "q"], "c": "say \"1, 2\""});
        let text = rows(&[value]).unwrap();
        assert_eq!(text, "b_x,b_y,a,c\n1.5,,p;q,\"say \"\"1, 2\"\"\"\n");
    }
}
