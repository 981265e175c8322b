//! CSV from anything that serialises: nested names are joined with `_`, lists with `;`.

use crate::failure::Failure;
use serde::Serialize;
use serde_json::Value;

/// A header row and one row a value. All values must have the same shape.
pub fn rows<T: Serialize>(values: &[T]) -> Result<String, Failure> {
    let mut text = String::new();
    for (i, value) in values.iter().enumerate() {
        let value = serde_json::to_value(value)
            .map_err(|why| Failure::System(format!("cannot write the result as CSV: {why}")))?;
        let mut cells = Vec::new();
        flatten("", &value, &mut cells);
        if i == 0 {
            text += &line(cells.iter().map(|(name, _)| name.as_str()));
        }
        text += &line(cells.iter().map(|(_, value)| value.as_str()));
    }
    Ok(text)
}

/// One row.
pub fn line<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let cells: Vec<_> = cells.into_iter().map(quote).collect();
    cells.join(",") + "\n"
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
        other => other.to_string(),
    }
}

/// Quoted only where a comma, quote or line break makes it necessary (RFC 4180).
fn quote(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nested_names_are_joined_and_only_awkward_cells_quoted() {
        let value = json!({"b": {"x": 1.5, "y": null}, "a": ["p", "q"], "c": "say \"1, 2\""});
        let text = rows(&[value]).unwrap();
        assert_eq!(text, "b_x,b_y,a,c\n1.5,,p;q,\"say \"\"1, 2\"\"\"\n");
    }
}
