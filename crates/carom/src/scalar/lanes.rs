//! Several numbers processed at once: arrays whose loops the compiler converts to vector instructions.

use super::Scalar;
use std::array::from_fn;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// N numbers that are processed in parallel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes<const N: usize>(pub [f64; N]);

/// Results of N comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneMask<const N: usize>(pub [bool; N]);

impl<const N: usize> BitAnd for LaneMask<N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const N: usize> BitOr for LaneMask<N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const N: usize> Not for LaneMask<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|answer| !answer))
    }
}

impl<const N: usize> Neg for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

/// Implements an operator between lanes, and between lanes and one number.
macro_rules! operator {
    ($trait:ident, $function:ident, $symbol:tt) => {
        impl<const N: usize> $trait for Lanes<N> {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(from_fn(|i| self.0[i] $symbol other.0[i]))
            }
        }
        impl<const N: usize> $trait<f64> for Lanes<N> {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: f64) -> Self {
                Self(self.0.map(|x| x $symbol other))
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

/// Implements functions of one argument, applied to each lane.
macro_rules! functions {
    ($($name:ident),*) => {
        $(
            #[inline(always)]
            fn $name(self) -> Self {
                Self(self.0.map(f64::$name))
            }
        )*
    };
}

impl<const N: usize> Scalar for Lanes<N> {
    type Mask = LaneMask<N>;

    #[inline(always)]
    fn of(value: f64) -> Self {
        Self([value; N])
    }
    fn piecewise(self, knots: &[f64], pieces: &[[f64; 5]]) -> Self {
        Self(self.0.map(|x| x.piecewise(knots, pieces)))
    }
    functions!(sqrt, cbrt, exp, exp_m1, ln, ln_1p, sin, cos, tanh, atan, abs);
    #[inline(always)]
    fn powf(self, exponent: Self) -> Self {
        Self(from_fn(|i| self.0[i].powf(exponent.0[i])))
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        Self(from_fn(|i| self.0[i].copysign(sign.0[i])))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> LaneMask<N> {
        LaneMask(from_fn(|i| self.0[i] < other.0[i]))
    }
    #[inline(always)]
    fn le(self, other: Self) -> LaneMask<N> {
        LaneMask(from_fn(|i| self.0[i] <= other.0[i]))
    }
    #[inline(always)]
    fn choose(mask: LaneMask<N>, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        let (yes, no) = (yes(), no());
        Self(from_fn(|i| if mask.0[i] { yes.0[i] } else { no.0[i] }))
    }
    #[inline(always)]
    fn any(mask: LaneMask<N>) -> bool {
        mask.0.contains(&true)
    }
}
