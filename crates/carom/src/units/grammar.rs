//! The units that carom knows, and the parser of products of units.

use super::Dimension;
use crate::error::Error;

/// A unit: its value in SI is `coefficient`·10^`decade`.
///
/// The power of ten is separate so that prefixes are exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub coefficient: f64,
    pub decade: f64,
    pub dimension: Dimension,
}

/// The reason why a text is not a unit.
#[derive(Debug)]
pub(super) enum UnitError {
    /// This name is not a unit.
    Unknown(String),
    /// The text is not a product of units; the advice says what to write.
    Syntax(String),
}

/// A symbol: its name, its value in SI as coefficient·10^decade, its dimension, and whether it may have a prefix.
type Symbol = (&'static str, f64, i32, Dimension, bool);

/// All symbols, the SI ones first. Conversion factors are the exact definitions of NIST SP 811, rounded if they have
/// infinitely many digits.
const SYMBOLS: &[Symbol] = &[
    ("m", 1.0, 0, Dimension::LENGTH, true),
    ("g", 1.0, -3, Dimension::MASS, true),
    ("s", 1.0, 0, Dimension::TIME, true),
    ("N", 1.0, 0, Dimension::FORCE, true),
    ("Pa", 1.0, 0, Dimension::PRESSURE, true),
    ("J", 1.0, 0, Dimension::ENERGY, true),
    ("W", 1.0, 0, Dimension::POWER, true),
    ("Hz", 1.0, 0, Dimension::FREQUENCY, true),
    ("rad", 1.0, 0, Dimension::NUMBER, true),
    ("bar", 1.0, 5, Dimension::PRESSURE, true),
    ("P", 1.0, -1, Dimension::VISCOSITY, true),
    ("deg", std::f64::consts::PI / 180.0, 0, Dimension::NUMBER, false),
    ("°", std::f64::consts::PI / 180.0, 0, Dimension::NUMBER, false),
    ("%", 1.0, -2, Dimension::NUMBER, false),
    ("min", 60.0, 0, Dimension::TIME, false),
    ("h", 3600.0, 0, Dimension::TIME, false),
    ("t", 1.0, 3, Dimension::MASS, false),
    ("in", 0.0254, 0, Dimension::LENGTH, false),
    ("mil", 2.54e-5, 0, Dimension::LENGTH, false),
    ("ft", 0.3048, 0, Dimension::LENGTH, false),
    ("yd", 0.9144, 0, Dimension::LENGTH, false),
    ("mph", 0.44704, 0, Dimension::SPEED, false),
    ("lb", 0.45359237, 0, Dimension::MASS, false),
    ("lbm", 0.45359237, 0, Dimension::MASS, false),
    ("oz", 0.028349523125, 0, Dimension::MASS, false),
    ("slug", 14.593902937206365, 0, Dimension::MASS, false),
    ("lbf", 4.4482216152605, 0, Dimension::FORCE, false),
    ("kgf", 9.80665, 0, Dimension::FORCE, false),
    ("dyn", 1.0, -5, Dimension::FORCE, false),
    ("psi", 6894.757293168361, 0, Dimension::PRESSURE, false),
    ("ksi", 6894757.293168361, 0, Dimension::PRESSURE, false),
    ("atm", 101325.0, 0, Dimension::PRESSURE, false),
];

/// SI prefixes. The prefix `µ` may be the micro sign, the Greek letter mu or `u`.
const PREFIXES: &[(&str, i32)] = &[
    ("da", 1),
    ("h", 2),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("µ", -6),
    ("μ", -6),
    ("u", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("a", -18),
];

/// Largest exponent. Larger ones are typing errors and might overflow.
const MAX_EXPONENT: f64 = 20.0;
/// Largest depth of nested parentheses, so that no text can exhaust the stack.
const MAX_DEPTH: usize = 8;

impl Unit {
    /// The unit of pure numbers.
    pub const ONE: Self = Self { coefficient: 1.0, decade: 0.0, dimension: Dimension::NUMBER };

    fn times(self, other: Self) -> Self {
        Self {
            coefficient: self.coefficient * other.coefficient,
            decade: self.decade + other.decade,
            dimension: self.dimension * other.dimension,
        }
    }

    fn powf(self, power: f64) -> Self {
        Self {
            coefficient: self.coefficient.powf(power),
            decade: self.decade * power,
            dimension: self.dimension.powf(power),
        }
    }

    /// Returns the value of the unit in SI.
    pub fn factor(&self) -> f64 {
        self.coefficient * 10f64.powf(self.decade)
    }
}

/// Returns the unit of a symbol with or without a prefix.
fn symbol(name: &str) -> Option<Unit> {
    let find = |name: &str| SYMBOLS.iter().find(|(known, ..)| *known == name);
    let unit = |&(_, coefficient, decade, dimension, _): &Symbol, prefix: i32| Unit {
        coefficient,
        decade: f64::from(decade + prefix),
        dimension,
    };
    if let Some(found) = find(name) {
        return Some(unit(found, 0));
    }
    PREFIXES.iter().find_map(|&(prefix, decade)| {
        let found = find(name.strip_prefix(prefix)?)?;
        found.4.then(|| unit(found, decade))
    })
}

/// Returns the prefix for a power of ten.
pub(super) fn prefix(decade: i32) -> Option<&'static str> {
    PREFIXES.iter().find(|prefix| prefix.1 == decade).map(|prefix| prefix.0)
}

/// Returns whether this is a symbol without a prefix that may have one, so that `format` may choose it.
pub(super) fn takes_prefix(name: &str) -> bool {
    SYMBOLS.iter().any(|symbol| symbol.0 == name && symbol.4)
}

/// Returns the error for a name that is not a unit. It suggests the same letters in another case, two units that were
/// written without a space, or a similar name.
#[cold]
pub(super) fn unknown(name: &str) -> Error {
    // Usually only SI units are written without a space between them (Ns, Nm, Pas); `lbs` is a plural.
    let si = |text: &str| {
        symbol(text).is_some() && SYMBOLS.iter().all(|symbol| symbol.4 || symbol.0 != text)
    };
    let run_together = name.char_indices().rev().find_map(|(at, _)| {
        let (first, second) = name.split_at(at);
        (si(first) && si(second)).then(|| format!("{first} {second}"))
    });
    // If two units differ only in case (MPa, mPa), the one whose prefix is first in this list is more likely.
    let prefixes = ["", "M", "G", "k"].into_iter().chain(PREFIXES.iter().map(|p| p.0));
    let written = prefixes.flat_map(|p| SYMBOLS.iter().map(move |s| format!("{p}{}", s.0)));
    let lower = name.to_lowercase();
    let same_letters =
        || written.into_iter().find(|text| text.to_lowercase() == lower && symbol(text).is_some());
    let otherwise = "carom knows m, g, s, N, Pa, J, W, Hz, rad, bar with SI prefixes, and %, deg, \
                     min, h, t, in, ft, lb, lbf, psi and a few more; or give the plain SI number";
    let best = run_together.or_else(same_letters);
    match best {
        Some(best) => Error::unknown("unit", name, [best.as_str()], otherwise),
        None => {
            let near = SYMBOLS.iter().map(|s| s.0).filter(|s| s.len() > 1 && name.len() > 1);
            Error::unknown("unit", name, near, otherwise)
        }
    }
}

/// Returns the longest beginning of `text` that is a decimal number, if there is one.
pub(super) fn number(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let sign = text.chars().next().filter(|c| ['+', '-', '\u{2212}'].contains(c));
    let mut end = sign.map_or(0, char::len_utf8);
    let whole = digits(end);
    end += whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    // An `e` belongs to the number only if digits follow.
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + signed);
        if exponent > 0 {
            end += 1 + signed + exponent;
        }
    }
    text.get(..end)
}

/// Parses a product of units; `text` must not be empty.
pub(super) fn unit(text: &str) -> Result<Unit, UnitError> {
    let mut reader = Reader { rest: text };
    let unit = reader.product(0)?;
    match reader.rest.is_empty() {
        true => Ok(unit),
        false => syntax_error("there is a closing parenthesis too many"),
    }
}

fn syntax_error<T>(advice: &str) -> Result<T, UnitError> {
    Err(UnitError::Syntax(advice.to_string()))
}

/// The remaining text of the parser.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Skips white space.
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Consumes one of these tokens if the remaining text begins with it.
    fn take(&mut self, tokens: &[&str]) -> bool {
        let rest = tokens.iter().find_map(|token| self.rest.strip_prefix(token));
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Consumes and returns characters as long as they are wanted.
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Parses factors separated by `*`, `·`, a space or `/`, up to the end or to a closing parenthesis.
    fn product(&mut self, depth: usize) -> Result<Unit, UnitError> {
        if depth > MAX_DEPTH {
            return syntax_error("it has too many nested parentheses");
        }
        let mut product = Unit::ONE;
        self.skip();
        let mut divide = self.take(&["/"]);
        loop {
            self.skip();
            let factor = self.factor(depth)?;
            product = product.times(factor.powf(if divide { -1.0 } else { 1.0 }));
            self.skip();
            if matches!(self.peek(), None | Some(')')) {
                return Ok(product);
            }
            divide = self.take(&["/"]);
            if !divide {
                self.take(&["*", "·", "⋅", "×"]);
            }
        }
    }

    /// Parses one unit, or a product in parentheses, with its exponent.
    fn factor(&mut self, depth: usize) -> Result<Unit, UnitError> {
        let base = match self.peek() {
            Some('(') => {
                self.take(&["("]);
                let inner = self.product(depth + 1)?;
                if !self.take(&[")"]) {
                    return syntax_error("a closing parenthesis is missing");
                }
                inner
            }
            Some(c) if c.is_ascii_digit() || c == '.' => return self.unit_numerator(),
            Some(c) if is_letter(c) => {
                let name = self.take_while(is_letter);
                if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    let digits = self.take_while(|c| c.is_ascii_digit());
                    return syntax_error(&format!("write `{name}^{digits}` for the power"));
                }
                symbol(name).ok_or_else(|| UnitError::Unknown(name.to_string()))?
            }
            Some(c) => {
                return syntax_error(&format!("`{c}` cannot stand there; write it like `N s/m^2`"));
            }
            None => return syntax_error("a unit is missing at its end"),
        };
        Ok(base.powf(self.exponent()?))
    }

    /// Parses the 1 of `1/s`. A unit may contain no other number.
    fn unit_numerator(&mut self) -> Result<Unit, UnitError> {
        let number = self.take_while(|c| c.is_ascii_digit() || c == '.');
        self.skip();
        match number == "1" && self.peek() == Some('/') {
            true => Ok(Unit::ONE),
            false => syntax_error(&format!(
                "`{number}` is a number inside the unit; write a fractional power as `m^(3/2)` or `m^1.5`"
            )),
        }
    }

    /// Parses `^1.5`, `**2`, `^(3/2)` or `²`; without any of these the exponent is 1.
    fn exponent(&mut self) -> Result<f64, UnitError> {
        let raised = self.take_while(|c| superscript(c).is_some());
        if !raised.is_empty() {
            let plain: String = raised.chars().filter_map(superscript).collect();
            return check_exponent(plain.parse().ok());
        }
        self.skip();
        if !self.take(&["^", "**"]) {
            return Ok(1.0);
        }
        self.skip();
        if !self.take(&["("]) {
            return check_exponent(self.decimal());
        }
        self.skip();
        let mut value = self.decimal();
        self.skip();
        if self.take(&["/"]) {
            self.skip();
            let below = self.decimal();
            value = value.zip(below).map(|(above, below)| above / below);
            self.skip();
        }
        if !self.take(&[")"]) {
            return syntax_error("an exponent in parentheses is a number or a fraction, `m^(3/2)`");
        }
        check_exponent(value)
    }

    /// Parses a decimal number without an exponent.
    fn decimal(&mut self) -> Option<f64> {
        let sign = match self.take(&["-", "\u{2212}"]) {
            true => -1.0,
            false => {
                self.take(&["+"]);
                1.0
            }
        };
        let digits = self.take_while(|c| c.is_ascii_digit() || c == '.');
        digits.parse::<f64>().ok().map(|value| sign * value)
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '%' || c == '°'
}

/// Returns an exponent if it is a number of reasonable size.
fn check_exponent(exponent: Option<f64>) -> Result<f64, UnitError> {
    match exponent {
        Some(value) if value.abs() <= MAX_EXPONENT => Ok(value),
        Some(_) => syntax_error("its exponent is out of range"),
        None => syntax_error("an exponent is a number or a fraction: `m^2`, `m^1.5`, `m^(3/2)`"),
    }
}

fn superscript(c: char) -> Option<char> {
    let raised = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺";
    raised.chars().position(|known| known == c).and_then(|at| "0123456789-+".chars().nth(at))
}
