//! Numbers for display: five significant digits and a suitable prefix.

use super::grammar;

/// Returns an SI value in `unit` for a table: at most five significant digits without trailing zeros.
///
/// For a single SI unit an engineering prefix is chosen. A compound unit is not changed, and large or small numbers
/// are then in scientific notation. For a unit such as `mm`, `%` or `deg` the value is converted to this unit. A
/// `unit` that carom does not know is appended without conversion.
///
/// ```
/// use carom::units::format;
/// assert_eq!(format(2.6174e-4, "s"), "261.74 µs");
/// assert_eq!(format(2.1e11, "Pa"), "210 GPa");
/// assert_eq!(format(2.4144e10, "N/m^1.5"), "2.4144e10 N/m^1.5");
/// assert_eq!(format(0.3, "m/s"), "0.3 m/s");
/// assert_eq!(format(0.0127, "in"), "0.5 in");
/// assert_eq!(format(0.75684, ""), "0.75684");
/// ```
pub fn format(value: f64, unit: &str) -> String {
    let unit = unit.trim();
    if value.is_nan() {
        return "NaN".to_string();
    }
    if value.is_infinite() || value == 0.0 {
        let text = match value {
            f64::INFINITY => "∞",
            f64::NEG_INFINITY => "-∞",
            _ => "0",
        };
        return join_number_and_unit(text.to_string(), "", unit);
    }
    match unit {
        // The kilogram already has a prefix: grams are used below 1 kg, and kilograms from 1 kg.
        "kg" if round_to_digits(value).1 < 0 => {
            format_with_prefix(value * 1e3, "g").unwrap_or(format_plain(value, unit))
        }
        "kg" | "rad" | "P" | "bar" => format_plain(value, unit),
        // Kiloseconds are unusual and would be confusing.
        "s" if round_to_digits(value).1 >= 3 => format_plain(value, unit),
        _ if grammar::takes_prefix(unit) => {
            format_with_prefix(in_unit(value, unit), unit).unwrap_or(format_plain(value, unit))
        }
        _ => format_plain(in_unit(value, unit), unit),
    }
}

/// Converts an SI value to a number of `unit`s. The value is returned unchanged if the unit is unknown, or if the
/// result overflows or underflows.
fn in_unit(value: f64, unit: &str) -> f64 {
    let factor = grammar::unit(unit).map_or(1.0, |unit| unit.factor());
    let converted = value / factor;
    if converted.is_finite() && converted != 0.0 { converted } else { value }
}

/// Returns digits and power of ten of a number rounded to five significant digits: −1234.56 gives ("-12346", 3).
fn round_to_digits(value: f64) -> (String, i32) {
    let text = std::format!("{value:.4e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
}

/// Returns the number with an engineering prefix from p to T, or `None` outside this range, where scientific notation
/// is easier to read.
fn format_with_prefix(value: f64, unit: &str) -> Option<String> {
    let (digits, exponent) = round_to_digits(value);
    let group = exponent.div_euclid(3) * 3;
    let prefix = match group {
        0 => "",
        -12..=12 => grammar::prefix(group)?,
        _ => return None,
    };
    Some(join_number_and_unit(with_point(&digits, exponent - group), prefix, unit))
}

/// Returns the number without a prefix, in scientific notation below 0.001 and from 100 000.
fn format_plain(value: f64, unit: &str) -> String {
    let (digits, exponent) = round_to_digits(value);
    let text = match exponent {
        -3..=4 => with_point(&digits, exponent),
        _ => std::format!("{}e{exponent}", with_point(&digits, 0)),
    };
    join_number_and_unit(text, "", unit)
}

/// Places the decimal point after `whole` + 1 digits and removes trailing zeros.
fn with_point(digits: &str, whole: i32) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits),
    };
    let padded = match whole < 0 {
        true => "0".repeat(whole.unsigned_abs() as usize) + digits,
        false => digits.to_string(),
    };
    let (before, after) = padded.split_at((whole.max(0) as usize + 1).min(padded.len()));
    match after.trim_end_matches('0') {
        "" => std::format!("{sign}{before}"),
        after => std::format!("{sign}{before}.{after}"),
    }
}

fn join_number_and_unit(number: String, prefix: &str, unit: &str) -> String {
    match unit.is_empty() {
        true => number,
        false => std::format!("{number} {prefix}{unit}"),
    }
}
