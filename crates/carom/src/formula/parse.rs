//! Parser of the text of a formula.
//!
//! A formula may contain numbers, names, `+ - * / ^` (also `**`), parentheses, the functions of [`FUNCTIONS`], `pi`,
//! and `if(condition, value, other)` with `<`, `<=`, `>`, `>=`, `and`, `or`, `not`. As in mathematics, `-a^b` is
//! −(aᵇ) and `a^b^c` is a^(bᶜ).

use super::expression::UNARY_FUNCTIONS;
use super::{Comparison, Expression};
use crate::error::{Error, Result};
use crate::scalar::expression::{Binary, Unary};

/// Largest length of the text of a formula (bytes).
const MAX_LENGTH: usize = 4096;
/// Largest depth of nested parentheses and operators.
const MAX_DEPTH: usize = 64;
/// Largest number of operations.
const MAX_SIZE: usize = 1000;

/// The functions that may be used.
pub const FUNCTIONS: &str = "sqrt, cbrt, exp, expm1, ln, ln1p, log10, sin, cos, tan, sinh, cosh, tanh, atan, abs, sign, \
                             min, max, if";

/// Parses a formula. `key` is its name in errors, and `names` are the names of its variables by index; a variable
/// with an empty name cannot be used.
///
/// ```
/// use carom::formula::parse;
/// let spring = parse("spring", "K*delta^n + K3*delta^3", &["delta", "K", "n", "K3"])?;
/// assert_eq!(spring.evaluate(&[2.0, 1.0, 2.0, 0.5]), 8.0);
/// let error = parse("spring", "K*delta^", &["delta", "K"]).unwrap_err().to_string();
/// assert!(error.contains("spring") && error.contains("ends"));
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// When the text is not a formula, is too long, or contains an unknown name.
pub fn parse(key: &str, text: &str, names: &[&str]) -> Result<Expression> {
    if text.len() > MAX_LENGTH {
        let advice = format!("write it with at most {MAX_LENGTH} characters");
        return Err(Error::invalid(key, format!("{} bytes", text.len()), "a formula", advice));
    }
    let mut parser = Parser { key, text, names, tokens: tokens(key, text)?, next: 0, depth: 0 };
    let expression = parser.sum()?;
    match parser.peek() {
        Token::End => {}
        token => return Err(parser.unexpected(&token, "an operator or the end")),
    }
    match expression.size() > MAX_SIZE {
        true => Err(parser.too_large()),
        false => Ok(expression),
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Name(String),
    /// An operator, parenthesis or comma.
    Sign(&'static str),
    End,
}

/// Operators and separators. Those of two characters are first, so that they are found before their first character
/// alone.
const SIGNS: [&str; 13] = ["**", "<=", ">=", "+", "-", "*", "/", "^", "(", ")", ",", "<", ">"];

fn tokens(key: &str, text: &str) -> Result<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() || first == '.' {
            let length = number_length(rest);
            let digits = rest.get(..length).unwrap_or_default();
            let value: f64 = digits.parse().map_err(|_| {
                Error::invalid(key, digits, "a number", "write numbers like 1.5 or 2e-3")
            })?;
            if !value.is_finite() {
                return Err(Error::invalid(key, digits, "a finite number", "it is too large"));
            }
            tokens.push(Token::Number(value));
            length
        } else if first.is_alphabetic() || first == '_' {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
            tokens.push(Token::Name(rest.get(..length).unwrap_or_default().to_string()));
            length
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push(Token::Sign(if *sign == "**" { "^" } else { sign }));
            sign.len()
        } else {
            let advice =
                "use numbers, names, + - * / ^, parentheses and functions; multiply with *";
            return Err(Error::invalid(key, format!("`{first}`"), "part of a formula", advice));
        };
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    tokens.push(Token::End);
    Ok(tokens)
}

/// Returns the length of the number at the beginning of a text: digits, a decimal point and an exponent.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count()
    };
    let mantissa = digits(0);
    let tail = text.get(mantissa..).unwrap_or_default();
    let sign = match tail.as_bytes() {
        [b'e' | b'E', b'+' | b'-', digit, ..] if digit.is_ascii_digit() => 2,
        [b'e' | b'E', digit, ..] if digit.is_ascii_digit() => 1,
        _ => return mantissa,
    };
    digits(mantissa + sign)
}

struct Parser<'a> {
    key: &'a str,
    text: &'a str,
    names: &'a [&'a str],
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

/// A condition: comparisons combined by `and`, `or`, `not`.
enum Condition {
    Compare(Comparison),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

impl Condition {
    /// Returns the choice between two values as nested choices with one comparison each.
    fn choose(self, yes: Expression, no: Expression) -> Expression {
        match self {
            Self::Compare(comparison) => Expression::choose(comparison, yes, no),
            Self::Not(inner) => inner.choose(no, yes),
            Self::And(a, b) => a.choose(b.choose(yes, no.clone()), no),
            Self::Or(a, b) => a.choose(yes.clone(), b.choose(yes, no)),
        }
    }
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.tokens.get(self.next).cloned().unwrap_or(Token::End)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(it) if it == sign);
        self.next += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Name(it) if it == word);
        self.next += usize::from(found);
        found
    }

    fn require(&mut self, sign: &'static str) -> Result<()> {
        match self.take(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&self.peek(), &format!("`{sign}`"))),
        }
    }

    /// Returns the text in quotation marks, shortened if it is long.
    fn quoted(&self) -> String {
        match self.text.char_indices().nth(60) {
            Some((end, _)) => format!("`{}…`", self.text.get(..end).unwrap_or_default()),
            None => format!("`{}`", self.text.trim()),
        }
    }

    fn unexpected(&self, token: &Token, wanted: &str) -> Error {
        let advice = match token {
            Token::End => format!("the formula ends where {wanted} is expected"),
            Token::Number(value) => format!("{value} stands where {wanted} is expected"),
            Token::Name(name) => {
                format!("`{name}` stands where {wanted} is expected; multiply with *")
            }
            Token::Sign(sign) => format!("`{sign}` stands where {wanted} is expected"),
        };
        Error::invalid(self.key, self.quoted(), "a formula", advice)
    }

    fn too_large(&self) -> Error {
        let advice = format!(
            "use at most {MAX_SIZE} operations; min, max and sign count their arguments twice"
        );
        Error::invalid(self.key, self.quoted(), "a formula of moderate size", advice)
    }

    /// Increases the depth of nesting while `read` parses a nested part.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let advice = format!("nest at most {MAX_DEPTH} levels deep");
            return Err(Error::invalid(self.key, self.quoted(), "a formula", advice));
        }
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn sum(&mut self) -> Result<Expression> {
        self.chain([("+", Binary::Add), ("-", Binary::Subtract)], Self::product)
    }

    fn product(&mut self) -> Result<Expression> {
        self.chain([("*", Binary::Multiply), ("/", Binary::Divide)], Self::signed)
    }

    /// Parses operands that are combined by these operators, from left to right.
    fn chain(
        &mut self,
        operators: [(&str, Binary); 2],
        operand: fn(&mut Self) -> Result<Expression>,
    ) -> Result<Expression> {
        let mut left = operand(self)?;
        while let Some((_, function)) = operators.iter().find(|(sign, _)| self.take(sign)) {
            left = Expression::binary(*function, left, operand(self)?);
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Expression> {
        match () {
            () if self.take("-") => {
                let value = self.nested(Self::signed)?;
                Ok(Expression::unary(Unary::Negate, value))
            }
            () if self.take("+") => self.nested(Self::signed),
            () => self.power(),
        }
    }

    fn power(&mut self) -> Result<Expression> {
        let base = self.atom()?;
        if !self.take("^") {
            return Ok(base);
        }
        let exponent = self.nested(Self::signed)?;
        Ok(Expression::binary(Binary::Power, base, exponent))
    }

    fn atom(&mut self) -> Result<Expression> {
        let token = self.peek();
        match &token {
            Token::Number(value) => {
                self.next += 1;
                Ok(Expression::Number(*value))
            }
            Token::Sign("(") => {
                self.next += 1;
                let value = self.nested(Self::sum)?;
                self.require(")")?;
                Ok(value)
            }
            Token::Name(name) => {
                self.next += 1;
                if let Some(index) = self.names.iter().position(|known| known == name) {
                    return Ok(Expression::Variable(index));
                }
                match self.take("(") {
                    true => {
                        let value = self.nested(|parser| parser.call(name))?;
                        self.require(")")?;
                        Ok(value)
                    }
                    false if name == "pi" => Ok(Expression::Number(std::f64::consts::PI)),
                    false => Err(self.unknown(name)),
                }
            }
            Token::Sign(_) | Token::End => Err(self.unexpected(&token, "a number or a name")),
        }
    }

    fn call(&mut self, name: &str) -> Result<Expression> {
        use Expression as E;
        if name == "if" {
            let condition = self.condition()?;
            self.require(",")?;
            let yes = self.sum()?;
            self.require(",")?;
            let no = self.sum()?;
            if yes.size() + no.size() > MAX_SIZE / 2 {
                return Err(self.too_large());
            }
            return Ok(condition.choose(yes, no));
        }
        let x = self.sum()?;
        if let Some((_, function)) = UNARY_FUNCTIONS.iter().find(|(known, _)| *known == name) {
            return Ok(E::unary(*function, x));
        }
        let exp_m1 = |x: &E| E::unary(Unary::ExpM1, x.clone());
        let minus = |x: &E| E::unary(Unary::Negate, x.clone());
        let half = |x: E| E::binary(Binary::Multiply, E::Number(0.5), x);
        let divided = |a: E, b: E| E::binary(Binary::Divide, a, b);
        Ok(match name {
            "log10" => divided(E::unary(Unary::Ln, x), E::Number(std::f64::consts::LN_10)),
            "tan" => divided(E::unary(Unary::Sin, x.clone()), E::unary(Unary::Cos, x)),
            // (eˣ − e⁻ˣ)/2, computed from functions that avoid cancellation near 0.
            "sinh" => half(E::binary(Binary::Subtract, exp_m1(&x), exp_m1(&minus(&x)))),
            "cosh" => {
                let falling = E::unary(Unary::Exp, minus(&x));
                half(E::binary(Binary::Add, E::unary(Unary::Exp, x), falling))
            }
            "sign" => {
                if x.size() > MAX_SIZE / 2 {
                    return Err(self.too_large());
                }
                let zero = E::Number(0.0);
                let below = Comparison { left: x.clone(), right: zero.clone(), or_equal: false };
                let above = Comparison { left: zero.clone(), right: x, or_equal: false };
                E::choose(below, E::Number(-1.0), E::choose(above, E::Number(1.0), zero))
            }
            "min" | "max" => {
                self.require(",")?;
                let y = self.sum()?;
                // Both arguments occur twice in the result. The limit prevents nested calls from doubling the size at
                // every level.
                if x.size() + y.size() > MAX_SIZE / 2 {
                    return Err(self.too_large());
                }
                if name == "min" { x.min(y) } else { x.max(y) }
            }
            "log" => {
                let advice =
                    "write `ln(x)` for the natural logarithm, `log10(x)` for the decimal one";
                return Err(Error::invalid(self.key, "`log`", "a function", advice));
            }
            _ => return Err(self.unknown(name)),
        })
    }

    fn condition(&mut self) -> Result<Condition> {
        let mut left = self.conjunction()?;
        while self.take_word("or") {
            left = Condition::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Condition> {
        let mut left = self.comparison()?;
        while self.take_word("and") {
            left = Condition::And(Box::new(left), Box::new(self.comparison()?));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Condition> {
        if self.take_word("not") {
            let inner = self.nested(Self::comparison)?;
            return Ok(Condition::Not(Box::new(inner)));
        }
        // A parenthesis may contain a condition or a number; the parser tries the condition first.
        let start = self.next;
        if self.take("(")
            && let Ok(inner) = self.nested(Self::condition)
            && self.take(")")
        {
            return Ok(inner);
        }
        self.next = start;
        let left = self.sum()?;
        let (greater, or_equal) = match () {
            () if self.take("<=") => (false, true),
            () if self.take("<") => (false, false),
            () if self.take(">=") => (true, true),
            () if self.take(">") => (true, false),
            () => return Err(self.unexpected(&self.peek(), "a comparison (<, <=, >, >=)")),
        };
        let right = self.sum()?;
        let (left, right) = if greater { (right, left) } else { (left, right) };
        Ok(Condition::Compare(Comparison { left, right, or_equal }))
    }

    fn unknown(&self, name: &str) -> Error {
        let names: Vec<&str> = self.names.iter().copied().filter(|name| !name.is_empty()).collect();
        let advice = format!(
            "`{}` may use {}, and the functions {FUNCTIONS}; declare others in [parameters]",
            self.key,
            names.join(", ")
        );
        Error::unknown("name", name, names, advice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> f64 {
        parse("spring", text, &["x", "y"]).unwrap().evaluate(&[2.0, 3.0])
    }

    #[test]
    fn operators_bind_as_in_mathematics() {
        for (text, expected) in [
            ("1 + 2*3", 7.0),
            ("-x^2", -4.0),
            ("2^3^2", 512.0),
            ("x**y", 8.0),
            ("8/4/2", 1.0),
            ("1 - 2 - 3", -4.0),
            ("2*-x", -4.0),
            ("x^-1", 0.5),
            ("1.5e1*x", 30.0),
            ("(1+x)*y", 9.0),
            ("2 * pi", std::f64::consts::TAU),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn functions_and_conditions() {
        for (text, expected) in [
            ("max(x, y) + min(x, y)", 5.0),
            ("if(x < y, 1, 2)", 1.0),
            ("if(x >= y or x > 1 and not y < 3, 1, 2)", 1.0),
            ("if((x > 1) and (y > 1), 1, 2)", 1.0),
            ("if((x + 1)*2 > y, 1, 2)", 1.0),
            ("sign(-x) + sign(0) + sign(y)", 0.0),
            ("abs(-x)", 2.0),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
        // A parenthesis that is first read as a condition and then as a number leaves the depth of nesting as it was.
        let many = format!("if({} > y, 1, 2)", ["(x)"; 3 * MAX_DEPTH].join(" + "));
        assert_eq!(value(&many), 1.0);
        let conditions = format!("if({}, 1, 2)", ["(x) < y"; 3 * MAX_DEPTH].join(" and "));
        assert_eq!(value(&conditions), 1.0);
        for (text, expected) in [
            ("sinh(x)", 2f64.sinh()),
            ("cosh(x)", 2f64.cosh()),
            ("tan(x)", 2f64.tan()),
            ("log10(x)", 2f64.log10()),
            ("exp(x) - 1", 2f64.exp_m1()),
            ("ln(1 + x)", 2f64.ln_1p()),
        ] {
            assert!((value(text) / expected - 1.0).abs() < 1e-15, "{text}");
        }
        // The replaced functions keep their digits near 0.
        let small = parse("spring", "exp(x) - 1 + sinh(x)", &["x"]).unwrap().evaluate(&[1e-12]);
        assert!((small / 2e-12 - 1.0).abs() < 1e-11);
    }

    #[test]
    fn what_is_no_formula_is_refused_with_one_sentence() {
        let deep = "(".repeat(3_000);
        let signs = "-".repeat(3000) + "x";
        let long = "x+".repeat(1_000_000) + "x";
        let branches = "min(".repeat(20) + "x" + &",y)".repeat(20);
        for (text, words) in [
            ("", "ends"),
            ("x +", "ends"),
            ("2x", "multiply with *"),
            ("x y", "multiply with *"),
            ("x)", "`)`"),
            ("z", "z"),
            ("log(x)", "ln(x)"),
            ("if(x, 1, 2)", "comparison"),
            ("x = 3", "`=`"),
            ("1..2", "number"),
            ("1e999", "finite"),
            ("spring + 1", "spring"),
            (&deep, "levels"),
            (&signs, "levels"),
            (&long, "characters"),
            (&branches, "operations"),
        ] {
            let error = parse("spring", text, &["x", "y"]).unwrap_err().to_string();
            assert!(error.contains(words), "{words}: {error}");
            assert!(error.len() < 600 && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_formula_can_be_written_again() {
        for text in ["x^1.5*y - (x - y)", "-(x + y)^2/x", "if(x < y, sqrt(x), (-x)^y)", "x/(y*x)"] {
            let first = parse("spring", text, &["x", "y"]).unwrap();
            let written = first.written(&["x", "y"]).to_string();
            assert_eq!(parse("spring", &written, &["x", "y"]).unwrap(), first, "{text}: {written}");
        }
    }
}
