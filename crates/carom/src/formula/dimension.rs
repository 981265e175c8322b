//! Dimensions of formulas: which quantities may be added, compared and raised to a power.

use super::Expression;
use super::expression::{Reading, name_of};
use crate::error::{Error, Result};
use crate::scalar::expression::{Binary, Unary};
use crate::units::Dimension;

/// The variables of a formula, for the check of its dimensions.
pub struct Variables<'a> {
    /// Names of the variables.
    pub names: &'a [&'a str],
    /// Dimensions of the variables.
    pub dimensions: &'a [Dimension],
    /// Values of the variables, where known. Variables in an exponent need a value.
    pub values: &'a [Option<f64>],
}

/// Returns the dimension of a formula, or `None` for the number 0, which may be a quantity of any dimension.
///
/// `key` is the name of the formula in errors.
///
/// # Errors
/// When quantities of different dimensions are added or compared, when the argument of a function is not a pure
/// number, or when a quantity with a dimension is raised to an unknown power.
pub fn dimension(
    key: &str,
    expression: &Expression,
    variables: &Variables,
) -> Result<Option<Dimension>> {
    let dimension_of = |part: &Expression| dimension(key, part, variables);
    let written = |part: &Expression| part.written(variables.names).to_string();
    let number = |what: &str, part: &Expression| -> Result<Option<Dimension>> {
        match dimension_of(part)? {
            Some(found) if !found.same(Dimension::NUMBER) => Err(Error::invalid(
                key,
                format!("`{}`", written(expression)),
                "a formula whose dimensions agree",
                format!("{what} takes a pure number, and `{}` is in {found}", written(part)),
            )),
            _ => Ok(Some(Dimension::NUMBER)),
        }
    };
    let same = |what: &str, a: &Expression, b: &Expression| -> Result<Option<Dimension>> {
        match (dimension_of(a)?, dimension_of(b)?) {
            (Some(left), Some(right)) if !left.same(right) => Err(Error::invalid(
                key,
                format!("`{}`", written(expression)),
                "a formula whose dimensions agree",
                format!(
                    "it {what} `{}` in {} and `{}` in {}; check the units of its parameters",
                    written(a),
                    format_unit(left),
                    written(b),
                    format_unit(right)
                ),
            )),
            (left, right) => Ok(left.or(right)),
        }
    };
    match expression {
        Expression::Number(0.0) => Ok(None),
        Expression::Number(_) => Ok(Some(Dimension::NUMBER)),
        Expression::Variable(index) => Ok(variables.dimensions.get(*index).copied()),
        // A measured curve is a force as a function of a length; a normalised one is a pure number as a function of a
        // pure number.
        Expression::Curve(_, reading, argument) => Ok(match (dimension_of(argument)?, reading) {
            (Some(share), _) if share.same(Dimension::NUMBER) => Some(share),
            (_, Reading::Value) => Some(Dimension::FORCE),
            (_, Reading::Integral) => Some(Dimension::ENERGY),
        }),
        Expression::Unary(function, a) => match function {
            Unary::Negate | Unary::Abs => dimension_of(a),
            Unary::Sqrt => Ok(dimension_of(a)?.map(|it| it.powf(0.5))),
            Unary::Cbrt => Ok(dimension_of(a)?.map(|it| it.powf(1.0 / 3.0))),
            _ => number(&format!("`{}`", name_of(*function)), a),
        },
        Expression::Binary(function, a, b) => match function {
            Binary::Add => same("adds", a, b),
            Binary::Subtract => same("subtracts", a, b),
            Binary::Multiply => {
                Ok(dimension_of(a)?.zip(dimension_of(b)?).map(|(left, right)| left * right))
            }
            Binary::Divide => {
                Ok(dimension_of(a)?.zip(dimension_of(b)?).map(|(left, right)| left / right))
            }
            Binary::CopySign => dimension_of(a),
            Binary::Power => {
                number("an exponent", b)?;
                let Some(base) = dimension_of(a)? else { return Ok(None) };
                if base.same(Dimension::NUMBER) {
                    return Ok(Some(base));
                }
                let values: Vec<f64> =
                    variables.values.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
                let exponent = b.evaluate(&values);
                match exponent.is_finite() {
                    true => Ok(Some(base.powf(exponent))),
                    false => Err(Error::invalid(
                        key,
                        format!("`{}`", written(expression)),
                        "a formula whose dimensions are known",
                        format!(
                            "`{}` is in {}, so that the exponent `{}` must not change during contact; \
                             divide by a quantity of the same unit first",
                            written(a),
                            format_unit(base),
                            written(b)
                        ),
                    )),
                }
            }
        },
        Expression::Choose { condition, yes, no } => {
            same("compares", &condition.left, &condition.right)?;
            same("chooses between", yes, no)
        }
    }
}

/// Returns the unit of a dimension as text, or "no unit" for a pure number.
fn format_unit(dimension: Dimension) -> String {
    match dimension.same(Dimension::NUMBER) {
        true => "no unit".to_string(),
        false => dimension.to_string(),
    }
}

/// Checks that a formula has the dimension `wanted`.
///
/// # Errors
/// When the dimensions of its parts do not agree, or when it has another dimension.
pub fn check(
    key: &str,
    expression: &Expression,
    variables: &Variables,
    wanted: Dimension,
) -> Result<()> {
    match dimension(key, expression, variables)? {
        Some(found) if !found.same(wanted) => Err(Error::invalid(
            key,
            format!("`{}`", expression.written(variables.names)),
            format!("a formula in {}", format_unit(wanted)),
            format!("this one is in {}; check the units of its parameters", format_unit(found)),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn checked(text: &str) -> Result<()> {
        let names = ["delta", "rate", "K", "n", "c"];
        let dimensions = [
            Dimension::LENGTH,
            Dimension::SPEED,
            Dimension::stiffness(1.5),
            Dimension::NUMBER,
            Dimension::damping(0.0, 1.0),
        ];
        let values = [None, None, Some(1e9), Some(1.5), None];
        let variables = Variables { names: &names, dimensions: &dimensions, values: &values };
        check("spring", &parse("spring", text, &names)?, &variables, Dimension::FORCE)
    }

    #[test]
    fn forces_are_accepted() {
        for text in [
            "K*delta^n",
            "K*delta*sqrt(delta)",
            "K*delta^n + c*rate",
            "max(0, K*delta^1.5)",
            "if(delta > 0, c*rate, 0)",
            "K*delta^n*(1 + tanh(2*n))",
            "c*rate*exp(-K*delta^n/(c*rate))",
        ] {
            assert!(checked(text).is_ok(), "{text}: {:?}", checked(text));
        }
    }

    #[test]
    fn the_sentence_says_which_parts_do_not_agree() {
        for (text, words) in [
            ("K*delta^n + c", "adds `K*delta^n` in N and `c` in N s/m"),
            ("K*delta^2", "this one is in"),
            ("exp(delta)*K*delta^n", "`exp` takes a pure number, and `delta` is in m"),
            ("K*delta^(n*delta)", "an exponent takes a pure number"),
            ("if(delta < 1, K*delta^n, 0)", "compares `delta` in m and `1` in no unit"),
            ("K*delta^(rate/rate)", "must not change during contact"),
        ] {
            let error = checked(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
