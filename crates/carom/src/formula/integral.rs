//! Integral of a formula with respect to one of its variables.
//!
//! The energy U = ∫ F dδ of a spring is needed wherever the force is evaluated, so it must be a formula too:
//!
//! - The integral of a sum of powers a·δᵖ, with a and p independent of δ, is the antiderivative.
//! - A choice that depends on δ, `if(delta < a, f, g)`, is integrated piecewise.
//! - A table has a known integral.
//! - All other formulas are integrated by the 16-point Gauss–Legendre rule in two halves of s, with δ = low + (high −
//!   low)·s³. This substitution removes the singular derivatives that powers such as δ^1.3 have at 0.

use super::expression::Reading;
use super::{Comparison, Expression, MonotoneCubic};
use crate::numeric::quadrature::unit_rule;
use crate::scalar::expression::{Binary, Unary};

/// Largest number of terms when products of sums are expanded.
const MAX_TERMS: usize = 32;
/// Largest depth of nested choices that are integrated piecewise.
const MAX_CHOICES: usize = 5;

fn number(value: f64) -> Expression {
    Expression::Number(value)
}
fn sum(a: Expression, b: Expression) -> Expression {
    Expression::binary(Binary::Add, a, b)
}
fn difference(a: Expression, b: Expression) -> Expression {
    match a {
        Expression::Number(0.0) => Expression::unary(Unary::Negate, b),
        a => Expression::binary(Binary::Subtract, a, b),
    }
}
fn product(a: Expression, b: Expression) -> Expression {
    match (&a, &b) {
        (Expression::Number(0.0), _) | (_, Expression::Number(0.0)) => number(0.0),
        _ => Expression::binary(Binary::Multiply, a, b),
    }
}
fn quotient(a: Expression, b: Expression) -> Expression {
    Expression::binary(Binary::Divide, a, b)
}
fn power(a: Expression, b: Expression) -> Expression {
    match (a, b) {
        (_, Expression::Number(0.0)) | (Expression::Number(1.0), _) => number(1.0),
        (a, b) => Expression::binary(Binary::Power, a, b),
    }
}

/// Returns ∫ f dx from `low` to `high`, where x is the variable with this index.
pub fn integral(
    f: &Expression,
    variable: usize,
    low: &Expression,
    high: &Expression,
) -> Expression {
    Integrand { variable, choices: 0 }.integrate(f, low, high)
}

/// Returns the values of a variable at which the formula changes from one choice to another, for comparisons whose
/// sides differ by a·x + b.
pub fn thresholds(f: &Expression, variable: usize) -> Vec<Expression> {
    let integrand = Integrand { variable, choices: 0 };
    let mut found = Vec::new();
    f.visit(&mut |part| {
        if let Some((_, slope, constant)) = integrand.affine_condition(part) {
            found.push(quotient(Expression::unary(Unary::Negate, constant), slope));
        }
    });
    found
}

/// Returns the tables of a formula whose argument is a·x + b, with a and b. The curvature of the formula jumps where
/// a·x + b is one of the points of the table.
pub fn tables(f: &Expression, variable: usize) -> Vec<(&'static MonotoneCubic, [Expression; 2])> {
    let integrand = Integrand { variable, choices: 0 };
    let mut found = Vec::new();
    f.visit(&mut |part| {
        if let Expression::Curve(table, _, argument) = part
            && let Some((slope, constant)) = integrand.affine(argument)
        {
            found.push((*table, [slope, constant]));
        }
    });
    found
}

#[derive(Clone, Copy)]
struct Integrand {
    variable: usize,
    /// Number of enclosing choices that have already been decided.
    choices: usize,
}

/// A power a·xᵖ, with a and p independent of x.
pub struct Monomial {
    /// Factor a.
    pub factor: Expression,
    /// Exponent p.
    pub exponent: Expression,
}

/// Returns the formula as a power of the variable with this index, if it is one.
pub fn monomial(f: &Expression, variable: usize) -> Option<Monomial> {
    Integrand { variable, choices: 0 }.monomial(f)
}

impl Integrand {
    fn integrate(self, f: &Expression, low: &Expression, high: &Expression) -> Expression {
        if let Some(terms) = self.terms(f)
            && let Some(monomials) =
                terms.iter().map(|term| self.monomial(term)).collect::<Option<Vec<_>>>()
        {
            let one = |monomial: &Monomial| self.antiderivative(monomial, low, high);
            return monomials.iter().map(one).fold(number(0.0), sum);
        }
        match f {
            Expression::Binary(function @ (Binary::Add | Binary::Subtract), a, b) => {
                let (a, b) = (self.integrate(a, low, high), self.integrate(b, low, high));
                return match function {
                    Binary::Subtract => difference(a, b),
                    _ => sum(a, b),
                };
            }
            Expression::Binary(Binary::Multiply, a, b) if !a.contains(self.variable) => {
                return product((**a).clone(), self.integrate(b, low, high));
            }
            Expression::Binary(Binary::Multiply | Binary::Divide, a, b)
                if !b.contains(self.variable) =>
            {
                let a = self.integrate(a, low, high);
                return match f {
                    Expression::Binary(Binary::Multiply, ..) => product(a, (**b).clone()),
                    _ => quotient(a, (**b).clone()),
                };
            }
            Expression::Unary(Unary::Negate, a) => {
                return Expression::unary(Unary::Negate, self.integrate(a, low, high));
            }
            _ => {}
        }
        if let Expression::Curve(table, Reading::Value, argument) = f
            && let Some(Monomial { factor, exponent: Expression::Number(1.0) }) =
                self.monomial(argument)
        {
            // ∫ T(a·x) dx = I(a·x)/a.
            let at = |x: &Expression| {
                let argument = product(factor.clone(), x.clone());
                Expression::Curve(table, Reading::Integral, Box::new(argument))
            };
            return quotient(difference(at(high), at(low)), factor.clone());
        }
        if self.choices < MAX_CHOICES
            && let Some(condition) = self.first_condition(f)
        {
            return self.piecewise(f, &condition, low, high);
        }
        self.quadrature(f, low, high)
    }

    /// Returns the terms of a sum after expanding products of sums, or `None` if there are too many.
    fn terms(self, f: &Expression) -> Option<Vec<Expression>> {
        let pairs = |a: Vec<Expression>, b: Vec<Expression>| {
            let all = a.iter().flat_map(|x| b.iter().map(|y| product(x.clone(), y.clone())));
            (a.len() * b.len() <= MAX_TERMS).then(|| all.collect())
        };
        let terms: Vec<Expression> = match f {
            Expression::Binary(Binary::Add, a, b) => {
                self.terms(a)?.into_iter().chain(self.terms(b)?).collect()
            }
            Expression::Binary(Binary::Subtract, a, b) => {
                let minus = |term| product(number(-1.0), term);
                self.terms(a)?.into_iter().chain(self.terms(b)?.into_iter().map(minus)).collect()
            }
            Expression::Unary(Unary::Negate, a) => {
                self.terms(a)?.into_iter().map(|term| product(number(-1.0), term)).collect()
            }
            Expression::Binary(Binary::Multiply, a, b) => pairs(self.terms(a)?, self.terms(b)?)?,
            Expression::Binary(Binary::Divide, a, b) if !b.contains(self.variable) => {
                self.terms(a)?.into_iter().map(|term| quotient(term, (**b).clone())).collect()
            }
            Expression::Binary(Binary::Power, a, b) if **b == number(2.0) => {
                pairs(self.terms(a)?, self.terms(a)?)?
            }
            other => vec![other.clone()],
        };
        (terms.len() <= MAX_TERMS).then_some(terms)
    }

    fn monomial(self, f: &Expression) -> Option<Monomial> {
        if !f.contains(self.variable) {
            return Some(Monomial { factor: f.clone(), exponent: number(0.0) });
        }
        match f {
            Expression::Variable(_) => {
                Some(Monomial { factor: number(1.0), exponent: number(1.0) })
            }
            Expression::Unary(Unary::Negate, a) => {
                let a = self.monomial(a)?;
                Some(Monomial { factor: product(number(-1.0), a.factor), ..a })
            }
            Expression::Unary(function @ (Unary::Sqrt | Unary::Cbrt), a) => {
                let a = self.monomial(a)?;
                let degree = if *function == Unary::Sqrt { 2.0 } else { 3.0 };
                Some(Monomial {
                    factor: Expression::unary(*function, a.factor),
                    exponent: quotient(a.exponent, number(degree)),
                })
            }
            Expression::Binary(Binary::Multiply, a, b) => {
                let (a, b) = (self.monomial(a)?, self.monomial(b)?);
                Some(Monomial {
                    factor: product(a.factor, b.factor),
                    exponent: sum(a.exponent, b.exponent),
                })
            }
            Expression::Binary(Binary::Divide, a, b) => {
                let (a, b) = (self.monomial(a)?, self.monomial(b)?);
                Some(Monomial {
                    factor: quotient(a.factor, b.factor),
                    exponent: difference(a.exponent, b.exponent),
                })
            }
            Expression::Binary(Binary::Power, a, p) if !p.contains(self.variable) => {
                let a = self.monomial(a)?;
                Some(Monomial {
                    factor: power(a.factor, (**p).clone()),
                    exponent: product(a.exponent, (**p).clone()),
                })
            }
            _ => None,
        }
    }

    /// Returns ∫ a·xᵖ dx from `low` to `high`.
    fn antiderivative(
        self,
        monomial: &Monomial,
        low: &Expression,
        high: &Expression,
    ) -> Expression {
        let next = sum(monomial.exponent.clone(), number(1.0));
        let at = |x: &Expression| power(x.clone(), next.clone());
        let change = match low {
            Expression::Number(0.0) => at(high),
            low => difference(at(high), at(low)),
        };
        product(monomial.factor.clone(), quotient(change, next.clone()))
    }

    /// Returns a and b if the formula is a·x + b.
    fn affine(self, f: &Expression) -> Option<(Expression, Expression)> {
        let (mut slope, mut constant) = (number(0.0), number(0.0));
        for term in self.terms(f)? {
            let monomial = self.monomial(&term)?;
            match monomial.exponent {
                Expression::Number(1.0) => slope = sum(slope, monomial.factor),
                Expression::Number(0.0) => constant = sum(constant, monomial.factor),
                _ => return None,
            }
        }
        Some((slope, constant))
    }

    /// Returns the comparison of a choice whose sides differ by a·x + b, with a and b; `None` for other formulas.
    fn affine_condition(self, f: &Expression) -> Option<(Comparison, Expression, Expression)> {
        let Expression::Choose { condition, .. } = f else { return None };
        let sides = difference(condition.left.clone(), condition.right.clone());
        let (slope, constant) =
            sides.contains(self.variable).then(|| self.affine(&sides)).flatten()?;
        Some(((**condition).clone(), slope, constant))
    }

    /// Returns the first [`Integrand::affine_condition`] among the parts of a formula.
    fn first_condition(self, f: &Expression) -> Option<(Comparison, Expression, Expression)> {
        let mut found = None;
        f.visit(&mut |part| {
            if found.is_none() {
                found = self.affine_condition(part);
            }
        });
        found
    }

    /// Returns the integral as the sum of two pieces, below and above the value of x at which the comparison changes.
    fn piecewise(
        self,
        f: &Expression,
        (condition, slope, constant): &(Comparison, Expression, Expression),
        low: &Expression,
        high: &Expression,
    ) -> Expression {
        let next = Self { choices: self.choices + 1, ..self };
        let (yes, no) = (simplify_choice(f, condition, true), simplify_choice(f, condition, false));
        // The comparison a·x + b < 0 changes at x = −b/a.
        let turn = quotient(Expression::unary(Unary::Negate, constant.clone()), slope.clone());
        let turn = turn.max(low.clone()).min(high.clone());
        // A piece of zero length must not be evaluated, because its formula may be undefined there.
        let piece = |f: &Expression, low: &Expression, high: &Expression| {
            let length = Comparison { left: low.clone(), right: high.clone(), or_equal: false };
            Expression::choose(length, next.integrate(f, low, high), number(0.0))
        };
        let pieces = |first: &Expression, second: &Expression| {
            sum(piece(first, low, &turn), piece(second, &turn, high))
        };
        let rising = Comparison { left: number(0.0), right: slope.clone(), or_equal: false };
        match slope.number() {
            Some(slope) if slope > 0.0 => pieces(&yes, &no),
            Some(_) => pieces(&no, &yes),
            None => Expression::choose(rising, pieces(&yes, &no), pieces(&no, &yes)),
        }
    }

    /// Returns the integral by the Gauss–Legendre rule described in the module comment.
    fn quadrature(self, f: &Expression, low: &Expression, high: &Expression) -> Expression {
        let length = difference(high.clone(), low.clone());
        let length = if *low == number(0.0) { high.clone() } else { length };
        let halves = unit_rule()
            .flat_map(|(s, weight)| [(0.5 * s, 0.5 * weight), (0.5 + 0.5 * s, 0.5 * weight)]);
        let terms = halves.map(|(s, weight)| {
            let x = sum(low.clone(), product(number(s * s * s), length.clone()));
            product(number(3.0 * s * s * weight), f.with(self.variable, &x))
        });
        product(length.clone(), terms.fold(number(0.0), sum))
    }
}

/// Returns the formula simplified for a comparison whose result `holds` is known.
fn simplify_choice(f: &Expression, known: &Comparison, holds: bool) -> Expression {
    match f {
        Expression::Choose { condition, yes, no } if **condition == *known => {
            simplify_choice(if holds { yes } else { no }, known, holds)
        }
        _ => f.with_parts(|part| simplify_choice(part, known, holds)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use crate::numeric::quadrature::integrate;

    #[test]
    fn integrals_agree_with_a_fine_quadrature() {
        let names = ["x", "a", "p"];
        let values = |x: f64| [x, 0.3, 1.3];
        for text in [
            "a*x^p",
            "a*x^p + 5*x^3 - x/a",
            "x*(1 + a*x)^2",
            "(x/a)^p",
            "sqrt(x)*x",
            "exp(x/a) - 1",
            "tanh(x/a)",
            "x/(a + x)",
            "sinh(x/a)*x^p",
            "ln(1 + x/a)",
            "if(x < a, x, a + 3*(x - a))",
            "if(x/a > 1, x^p, x*a^(p - 1))",
            "max(0, x - a)^1.5 + x",
            "max(0, x - a)^1.5*exp(x) + x",
            "min(x, a)",
            "if(x < a, if(x < 0.1, x, 2*x - 0.1), exp(x) - exp(a) + 2*a - 0.1)",
            "if(a > 0.2, x^2, x)",
        ] {
            let f = parse("spring", text, &names).unwrap();
            let energy = integral(&f, 0, &Expression::Number(0.0), &Expression::Variable(0));
            for end in [1e-6, 0.05, 0.29, 0.31, 1.0] {
                // Panels that end at the kinks, in a variable as a function of which the powers are smooth.
                let mut cuts = vec![0.0, 0.1, 0.3, end];
                cuts.retain(|cut| *cut <= end);
                let panels = cuts.windows(2).map(|cut| {
                    let (low, length) = (cut[0], cut[1] - cut[0]);
                    let piece = |i: i32| {
                        let s = f64::from(i) / 20.0;
                        integrate(s, s + 0.05, |s: f64| {
                            4.0 * s.powi(3) * length * f.evaluate(&values(low + length * s.powi(4)))
                        })
                    };
                    (0..20).map(piece).sum::<f64>()
                });
                let expected: f64 = panels.sum();
                let found = energy.evaluate(&values(end));
                assert!(
                    (found / expected - 1.0).abs() < 1e-11,
                    "{text} to {end}: {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn sums_of_powers_have_a_closed_form() {
        let f = parse("spring", "K*x^n + 2*x", &["x", "K", "n"]).unwrap();
        let energy = integral(&f, 0, &Expression::Number(0.0), &Expression::Variable(0));
        let names = ["x", "K", "n"];
        assert_eq!(energy.written(&names).to_string(), "K*x^(n + 1)/(n + 1) + 2*x^2/2");
    }
}
