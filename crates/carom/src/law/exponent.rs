//! Powers whose common exponents are computed by products and square roots.
//!
//! Powers dominate the cost of a contact law: x·√x takes about a nanosecond, `powf` ten to twenty-five. The exponents
//! that are common in the literature (0, ¼, ½, 1, 3/2, 2) are therefore recognised when a law is created.

use crate::scalar::Scalar;

/// An exponent ≥ 0; common values are recognised at construction.
///
/// ```
/// use carom::law::Exponent;
/// let p = Exponent::new(1.5);
/// assert_eq!(p.of(4.0), 8.0);
/// assert_eq!(p.value(), 1.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exponent<S = f64> {
    /// x⁰ = 1, also at x = 0.
    Zero,
    /// x^¼.
    Quarter,
    /// √x.
    Half,
    /// x.
    One,
    /// x·√x (Hertz).
    ThreeHalves,
    /// x².
    Two,
    /// Any other power.
    Any(S),
}

impl Exponent {
    /// Creates the exponent and recognises common values.
    pub fn new(value: f64) -> Self {
        match value {
            0.0 => Self::Zero,
            0.25 => Self::Quarter,
            0.5 => Self::Half,
            1.0 => Self::One,
            1.5 => Self::ThreeHalves,
            2.0 => Self::Two,
            _ => Self::Any(value),
        }
    }

    /// Converts the exponent to another kind of scalar. A recognised exponent is part of the formula and stays as it
    /// is; any other is a number that `convert` maps. [`Exponent::as_plain_number`] makes every exponent a number, for
    /// derivatives with respect to it.
    pub fn over<S>(self, convert: impl FnOnce(f64) -> S) -> Exponent<S> {
        match self {
            Self::Zero => Exponent::Zero,
            Self::Quarter => Exponent::Quarter,
            Self::Half => Exponent::Half,
            Self::One => Exponent::One,
            Self::ThreeHalves => Exponent::ThreeHalves,
            Self::Two => Exponent::Two,
            Self::Any(value) => Exponent::Any(convert(value)),
        }
    }

    /// Returns the exponent as a plain number, so that derivatives with respect to it can be computed.
    pub fn as_plain_number(self) -> Self {
        Self::Any(self.value())
    }
}

impl<S: Scalar> Exponent<S> {
    /// Returns the value of the exponent.
    #[inline(always)]
    pub fn value(self) -> S {
        match self {
            Self::Zero => S::of(0.0),
            Self::Quarter => S::of(0.25),
            Self::Half => S::of(0.5),
            Self::One => S::of(1.0),
            Self::ThreeHalves => S::of(1.5),
            Self::Two => S::of(2.0),
            Self::Any(value) => value,
        }
    }

    /// Computes xᵖ for x ≥ 0. For x < 0, where integrators may evaluate it, the result is the value at 0.
    #[inline(always)]
    pub fn of(self, x: S) -> S {
        self.raise(x.positive_part())
    }

    /// Computes xᵖ for a number that cannot be negative.
    #[inline(always)]
    pub fn raise(self, x: S) -> S {
        let [power] = self.raise_all([x]);
        power
    }

    /// Computes this power of several numbers, none of which can be negative; the exponent is matched only once.
    #[inline(always)]
    pub fn raise_all<const N: usize>(self, x: [S; N]) -> [S; N] {
        match self {
            Self::Zero => [S::of(1.0); N],
            Self::Quarter => x.map(|x| x.sqrt().sqrt()),
            Self::Half => x.map(|x| x.sqrt()),
            Self::One => x,
            Self::ThreeHalves => x.map(|x| x * x.sqrt()),
            Self::Two => x.map(|x| x * x),
            Self::Any(value) => x.map(|x| x.powf(value)),
        }
    }

    /// Computes the derivative d(xᵖ)/dx for x > 0.
    #[inline(always)]
    pub fn slope(self, x: S) -> S {
        match self {
            Self::Zero => S::of(0.0),
            Self::One => S::of(1.0),
            Self::ThreeHalves => x.sqrt() * 1.5,
            Self::Two => x * 2.0,
            _ => self.value() * x.powf(self.value() - 1.0),
        }
    }
}
