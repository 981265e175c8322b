//! Dual numbers: a value together with its derivatives with respect to N variables.
//!
//! A dual number is x + x₁·ε₁ + … with εᵢ·εⱼ = 0. Its arithmetic follows the rules of differentiation, so that a
//! function evaluated with dual numbers also gives its exact derivatives (forward-mode differentiation; see A.
//! Griewank, A. Walther, Evaluating Derivatives, SIAM 2008).
//!
//! An infinite derivative (that of √x, of x^p with p < 1 and of ln x at x = 0) is replaced by 0, because integrators
//! and solvers evaluate tangents at δ = 0, where a law such as c·δ^¼·δ̇ has none, and need a finite result.

use super::Scalar;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value and its derivatives with respect to N variables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const N: usize> {
    /// The value.
    pub value: f64,
    /// Derivatives of the value.
    pub slopes: [f64; N],
}

impl<const N: usize> Dual<N> {
    /// Creates the variable number `index` with this value; its derivative with respect to itself is 1.
    pub fn variable(value: f64, index: usize) -> Self {
        let mut slopes = [0.0; N];
        if let Some(slope) = slopes.get_mut(index) {
            *slope = 1.0;
        }
        Self { value, slopes }
    }

    /// Applies the chain rule, given f and f′ at the value.
    #[inline(always)]
    fn chain(self, value: f64, slope: f64) -> Self {
        // Avoids 0·∞ if the argument does not vary or the derivative does not exist.
        let scaled = |own: f64| if own == 0.0 || !slope.is_finite() { 0.0 } else { slope * own };
        Self { value, slopes: self.slopes.map(scaled) }
    }

    /// Combines the derivatives as a·self + b·other.
    #[inline(always)]
    fn combine(self, other: Self, value: f64, a: f64, b: f64) -> Self {
        let mut slopes = [0.0; N];
        for i in 0..N {
            slopes[i] = a * self.slopes[i] + b * other.slopes[i];
        }
        Self { value, slopes }
    }
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { value: -self.value, slopes: self.slopes.map(|slope| -slope) }
    }
}

/// Implements an operator between dual numbers, given its value and its partial derivatives with respect to the two
/// values.
macro_rules! operator {
    ($trait:ident, $function:ident: |$a:ident, $b:ident| ($value:expr, $by_a:expr, $by_b:expr)) => {
        impl<const N: usize> $trait for Dual<N> {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                let ($a, $b) = (self.value, other.value);
                self.combine(other, $value, $by_a, $by_b)
            }
        }
    };
}

operator!(Add, add: |a, b| (a + b, 1.0, 1.0));
operator!(Sub, sub: |a, b| (a - b, 1.0, -1.0));
operator!(Mul, mul: |a, b| (a * b, b, a));
operator!(Div, div: |a, b| (a / b, 1.0 / b, -(a / b) / b));

impl<const N: usize> Add<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: f64) -> Self {
        Self { value: self.value + other, ..self }
    }
}

impl<const N: usize> Sub<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: f64) -> Self {
        Self { value: self.value - other, ..self }
    }
}

impl<const N: usize> Mul<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: f64) -> Self {
        Self { value: self.value * other, slopes: self.slopes.map(|slope| slope * other) }
    }
}

impl<const N: usize> Div<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: f64) -> Self {
        Self { value: self.value / other, slopes: self.slopes.map(|slope| slope / other) }
    }
}

/// Implements functions y of one number x, given their derivative with respect to x.
macro_rules! functions {
    ($($name:ident: |$x:ident, $y:ident| $slope:expr;)*) => {
        $(
            #[inline(always)]
            fn $name(self) -> Self {
                let value = self.value.$name();
                let ($x, $y) = (self.value, value);
                self.chain(value, $slope)
            }
        )*
    };
}

impl<const N: usize> Scalar for Dual<N> {
    type Mask = bool;

    fn piecewise(self, knots: &[f64], pieces: &[[f64; 5]]) -> Self {
        let found = super::piece(self.value, knots, pieces);
        found.map_or(Self::of(f64::NAN), |(knot, piece)| super::horner(self - knot, piece))
    }

    #[inline(always)]
    fn of(value: f64) -> Self {
        Self { value, slopes: [0.0; N] }
    }
    functions! {
        sqrt: |_x, y| 0.5 / y;
        cbrt: |_x, y| 1.0 / (3.0 * y * y);
        exp: |_x, y| y;
        exp_m1: |x, _y| x.exp();
        ln: |x, _y| 1.0 / x;
        ln_1p: |x, _y| 1.0 / (1.0 + x);
        sin: |x, _y| x.cos();
        cos: |x, _y| -x.sin();
        tanh: |_x, y| 1.0 - y * y;
        atan: |x, _y| 1.0 / (1.0 + x * x);
        abs: |x, _y| 1f64.copysign(x);
    }
    #[inline(always)]
    fn powf(self, exponent: Self) -> Self {
        let power = self.value.powf(exponent.value);
        let by_base = self.chain(power, exponent.value * self.value.powf(exponent.value - 1.0));
        // The derivative x^p·ln x tends to 0 with x.
        let by_exponent = if self.value > 0.0 { power * self.value.ln() } else { 0.0 };
        let by_exponent = exponent.chain(0.0, by_exponent);
        Self { value: power, ..by_base + by_exponent }
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        let value = self.value.copysign(sign.value);
        let same = value.is_sign_negative() == self.value.is_sign_negative();
        self.chain(value, if same { 1.0 } else { -1.0 })
    }
    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self.value < other.value
    }
    #[inline(always)]
    fn le(self, other: Self) -> bool {
        self.value <= other.value
    }
    #[inline(always)]
    fn choose(mask: bool, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        if mask { yes() } else { no() }
    }
    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that the derivative of a function agrees with central differences.
    fn agrees(f: impl Fn(Dual<1>) -> Dual<1>, x: f64) {
        let h = 1e-6 * x.abs().max(1.0);
        let difference = (f(Dual::of(x + h)).value - f(Dual::of(x - h)).value) / (2.0 * h);
        let slope = f(Dual::variable(x, 0)).slopes[0];
        assert!(
            (slope - difference).abs() < 1e-7 * (1.0 + difference.abs()),
            "{slope} {difference}"
        );
    }

    #[test]
    fn derivatives_of_every_function_agree_with_differences() {
        for x in [0.3, 1.7, 4.0] {
            agrees(Scalar::sqrt, x);
            agrees(Scalar::cbrt, x);
            agrees(Scalar::exp, x);
            agrees(Scalar::exp_m1, x);
            agrees(Scalar::ln, x);
            agrees(Scalar::ln_1p, x);
            agrees(Scalar::sin, x);
            agrees(Scalar::cos, x);
            agrees(Scalar::tanh, x);
            agrees(Scalar::atan, x);
            agrees(|x| x.powf(Dual::of(1.3)), x);
            agrees(|x| Dual::of(1.9).powf(x), x);
            agrees(|x| x.powf(x), x);
            agrees(|x| (x * x + x) / (x + 2.0) - x * 3.0, x);
            agrees(|x| Dual::of(2.0) - x / 4.0, x);
            agrees(|x| x.powi(3) / x, x);
            for sign in [-1.0, 1.0] {
                agrees(|x| (x * sign).abs(), x);
                agrees(|x| x.copysign(Dual::of(sign)), x);
                agrees(|x| (-x).copysign(Dual::of(sign)), x);
            }
            agrees(|x| x.min(Dual::of(2.0)) + x.max(Dual::of(1.0)), x);
        }
    }

    #[test]
    fn derivatives_are_finite_where_they_do_not_exist() {
        let zero = Dual::<1>::variable(0.0, 0);
        assert_eq!(zero.sqrt().slopes, [0.0]);
        assert_eq!(zero.powf(Dual::of(0.25)).slopes, [0.0]);
        assert_eq!((zero * zero.sqrt()).slopes, [0.0]);
        assert_eq!(zero.powf(Dual::of(1.0)).slopes, [1.0]);
    }
}
