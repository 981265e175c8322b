//! Templates, number formats and headers of the files that are written.

use super::{Engine, Export, File, Match, Setting};
use crate::advise::at_most;
use crate::error::{Error, Result};
use crate::spec::Case;
use crate::units::format;

/// Formats a number in plain ASCII such that reading it returns the same number.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    match value == 0.0 || (1e-3..1e5).contains(&size) {
        // The decimal point is kept for integers, because some programs distinguish 0 from 0.0.
        true => format!("{value:?}"),
        // The mantissa has a decimal point as well, which Fortran programs expect.
        false => {
            let text = format!("{value:e}");
            match text.split_once('e') {
                Some((mantissa, power)) if !mantissa.contains('.') => {
                    format!("{mantissa}.0e{power}")
                }
                _ => text,
            }
        }
    }
}

/// Formats a number of steps.
pub(super) fn count(value: f64) -> String {
    format!("{:.0}", value.ceil())
}

/// Creates a file from a template, in which each `{{name}}` is replaced by its value.
///
/// # Errors
/// When a value is not a finite number, and when a name of the template has no value, which is an error in carom that
/// a test detects.
pub(super) fn fill(name: &str, template: &str, values: &[(&str, String)]) -> Result<File> {
    let mut text = template.to_string();
    for (key, value) in values {
        if value.parse::<f64>().is_ok_and(|number| !number.is_finite()) {
            return Err(not_finite_error(&key.replace('_', " "), value));
        }
        text = text.replace(&format!("{{{{{key}}}}}"), value);
    }
    match text.split_once("{{") {
        None => Ok(File { name: name.to_string(), text }),
        Some((_, rest)) => Err(Error::numerical(
            "writing the input",
            format!("`{}` has no value in {name}", rest.split("}}").next().unwrap_or(rest)),
            "please report it",
        )),
    }
}

/// Returns the error for a number that is not finite.
#[cold]
pub(super) fn not_finite_error(name: &str, value: impl std::fmt::Display) -> Error {
    Error::numerical(
        "writing the input",
        format!("{name} is {value}"),
        "the numbers are too large or too small: check the units of mass, stiffness and speed",
    )
}

/// Creates a setting.
pub(super) fn setting(name: &'static str, value: f64, unit: impl Into<String>) -> Setting {
    Setting { name, value, unit: unit.into() }
}

/// Returns the lines of the comment at the top of every file.
pub(super) fn header(engine: &Engine, case: &Case, export: &Export) -> Vec<String> {
    let law = &export.expresses;
    let delivers = &export.delivers;
    let mut lines = vec![
        format!("carom: {} for {} ({})", case.model.id, engine.title, engine.version),
        match law.exit {
            Some(exit) => format!("law: {}, contact ends at zero {}", law.equation, exit.name()),
            None => format!("law: {}", law.equation),
        },
        match law.matches {
            Match::Exact => "this is the law that was asked for".to_string(),
            Match::Damping => "the spring that was asked for, with another damper".to_string(),
            Match::Spring => "another spring and damper than were asked for".to_string(),
            Match::Restitution => {
                "rigid contacts: of the law that was asked for, its restitution".to_string()
            }
        },
    ];
    lines.extend(export.lost.iter().map(|what| format!("lost: {what}")));
    let asked = match delivers.requested {
        Some(e) => format!(" (asked for {e})"),
        None => String::new(),
    };
    let part = |name: &str, value: Option<f64>, unit: &str| match value {
        Some(value) => format!("{name} {}, ", format(value, unit)),
        None => String::new(),
    };
    lines.push(format!(
        "delivers: restitution {:.6}{asked}, {}{}at {}",
        delivers.restitution,
        part("peak force", delivers.force_max, "N"),
        part("duration", delivers.duration, "s"),
        format(case.speed, "m/s"),
    ));
    let chosen = if export.step.calibrated { "; the damping was chosen for it" } else { "" };
    let error = match export.step.restitution_error {
        Some(error) => format!(", error of the restitution below {}{chosen}", at_most(error)),
        None => String::new(),
    };
    let steps = match delivers.duration {
        Some(_) => format!(", {:.0} in a contact", export.step.per_contact),
        None => String::new(),
    };
    lines.push(format!("step: {:e} s{steps}{error}", export.step.size));
    lines.extend(export.over_speeds.iter().map(|at| {
        let speed = format(at.speed, "m/s");
        format!("at {speed}: restitution {:.4} delivered, {:.4} by the law", at.delivered, at.asked)
    }));
    lines.push("units: SI unless said otherwise".to_string());
    // Some of these programs read only ASCII.
    lines.iter().map(|line| to_ascii(line)).collect()
}

/// Replaces Greek letters and special signs by ASCII words.
pub(super) fn to_ascii(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        match letter {
            'µ' => plain.push('u'),
            'δ' => plain.push_str("delta"),
            'ε' => plain.push_str("epsilon"),
            '·' | '×' => plain.push('*'),
            '−' | '–' => plain.push('-'),
            '…' => plain.push_str("..."),
            '’' => plain.push('\''),
            _ if letter.is_ascii() => plain.push(letter),
            _ => plain.push('?'),
        }
    }
    plain
}

/// Returns a file with the header as a comment in the language that the ending of its name indicates.
pub(super) fn with_header(name: &str, text: &str, lines: &[String]) -> String {
    let (open, each, close) = match name.rsplit('.').next().unwrap_or("") {
        "xml" | "sdf" | "osim" => ("<!--\n", "  ", "-->\n"),
        "cpp" | "cu" | "mjs" => ("", "// ", ""),
        "adm" | "fun" => ("", "! ", ""),
        // The first line must be a file name, so no comment is possible.
        "acf" => return text.to_string(),
        _ => ("", "# ", ""),
    };
    let mut comment = open.to_string();
    for line in lines {
        // Two hyphens end a comment in XML.
        let line = match open.is_empty() {
            true => line.clone(),
            false => line.replace("--", "- -"),
        };
        let mut column = 0;
        for word in line.split(' ') {
            // Some programs read at most 80 columns.
            let long = each.len() + column + 1 + word.len() > 80;
            comment += &match (column, long) {
                (0, _) => format!("{each}{word}"),
                (_, true) => format!("\n{each}  {word}"),
                (_, false) => format!(" {word}"),
            };
            column = if long { 2 + word.len() } else { column + 1 + word.len() };
        }
        comment.push('\n');
    }
    comment += close;
    // Some formats require a certain first line.
    match text.split_once('\n') {
        Some((first, rest))
            if first.starts_with("<?xml")
                || first.starts_with("#usda")
                || first.starts_with("ADAMS/View model") =>
        {
            format!("{first}\n{comment}{rest}")
        }
        _ => comment + text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back_as_they_were() {
        for value in [0.0, 1.0, -0.7568, 2.4144e10, 1.0 / 3.0, 5e-324, f64::MAX, 99999.9] {
            assert_eq!(number(value).parse::<f64>().unwrap(), value);
            assert!(number(value).is_ascii() && number(value).len() < 25);
        }
    }

    #[test]
    fn a_template_without_a_value_is_a_sentence() {
        let error = fill("a.py", "x = {{x}}\ny = {{y}}", &[("x", number(1.0))]).unwrap_err();
        assert!(error.to_string().contains("`y` has no value in a.py"));
    }

    #[test]
    fn a_number_that_is_none_is_a_sentence() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let error = fill("a.py", "x = {{x_y}}", &[("x_y", number(value))]).unwrap_err();
            assert!(error.to_string().contains("x y is"), "{error}");
        }
    }

    #[test]
    fn headers_keep_to_eighty_columns() {
        let line = ["a header of many words"; 20].join(" and ");
        let text = with_header("a.py", "", std::slice::from_ref(&line));
        assert!(text.lines().all(|line| line.len() <= 80 && line.starts_with("# ")), "{text}");
        let words: Vec<_> = text.split_whitespace().filter(|word| *word != "#").collect();
        assert_eq!(words.join(" "), line);
    }

    #[test]
    fn headers_are_comments_of_the_language() {
        let lines = ["two -- hyphens".to_string()];
        assert_eq!(with_header("a.py", "x\n", &lines), "# two -- hyphens\nx\n");
        let xml = with_header("a.xml", "<?xml version=\"1.0\"?>\n<a/>\n", &lines);
        assert_eq!(xml, "<?xml version=\"1.0\"?>\n<!--\n  two - - hyphens\n-->\n<a/>\n");
    }
}
