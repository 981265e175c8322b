//! Numbers for people: five significant digits and a prefix that fits.

use super::grammar;

/// An SI value in `unit` for a table: at most five significant digits, trailing zeros dropped.
///
/// A bare SI unit gets an engineering prefix; a compound one stays as it is, in scientific notation
/// when the number is large or small; a unit such as `mm`, `%` or `deg` is converted to and kept.
/// A `unit` that carom does not know is only appended.
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
        return join(text.to_string(), "", unit);
    }
    match unit {
        // The kilogram carries a prefix already: grams below 1 kg, kilograms from there on.
        "kg" if rounded(value).1 < 0 => engineering(value * 1e3, "g").unwrap_or(plain(value, unit)),
        "kg" | "rad" | "P" | "bar" => plain(value, unit),
        // Kiloseconds confuse more than they help.
        "s" if rounded(value).1 >= 3 => plain(value, unit),
        _ if grammar::takes_prefix(unit) => {
            engineering(in_unit(value, unit), unit).unwrap_or(plain(value, unit))
        }
        _ => plain(in_unit(value, unit), unit),
    }
}

/// The SI value as a number of `unit`s; unchanged when the unit is unknown or the result overflows.
fn in_unit(value: f64, unit: &str) -> f64 {
    let factor = grammar::unit(unit).map_or(1.0, |unit| unit.factor());
    let converted = value / factor;
    if converted.is_finite() && converted != 0.0 { converted } else { value }
}

/// Digits and power of ten of a number rounded to five significant digits: (−1.2346, 3) → ("-12346", 3).
fn rounded(value: f64) -> (String, i32) {
    let text = std::format!("{value:.4e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
}

/// With an engineering prefix from p to T; nothing beyond them, where scientific notation reads better.
fn engineering(value: f64, unit: &str) -> Option<String> {
    let (digits, exponent) = rounded(value);
    let group = exponent.div_euclid(3) * 3;
    let prefix = match group {
        0 => "",
        -12..=12 => grammar::prefix(group)?,
        _ => return None,
    };
    Some(join(with_point(&digits, exponent - group), prefix, unit))
}

/// Without prefix; scientific below 0.001 and from 100 000 on.
fn plain(value: f64, unit: &str) -> String {
    let (digits, exponent) = rounded(value);
    let text = match exponent {
        -3..=4 => with_point(&digits, exponent),
        _ => std::format!("{}e{exponent}", with_point(&digits, 0)),
    };
    join(text, "", unit)
}

/// Sets the decimal point after `whole` + 1 digits and drops trailing zeros.
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

fn join(number: String, prefix: &str, unit: &str) -> String {
    match unit.is_empty() {
        true => number,
        false => std::format!("{number} {prefix}{unit}"),
    }
}
