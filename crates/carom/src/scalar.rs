//! Kinds of numbers with which a force law can be evaluated.
//!
//! A law is implemented once, generically over a [`Scalar`]. Evaluated with
//!
//! - `f64` it gives the force;
//! - [`Lanes`] it gives the forces of several contacts at once, in the vector registers of the processor;
//! - [`Dual`] it gives the force and its derivatives (the tangents ∂F/∂δ and ∂F/∂δ̇, or derivatives with respect to
//!   the parameters);
//! - [`Term`] it gives the formula, as an [`expression::Graph`] from which code in C, CUDA and Python and the
//!   equation in LaTeX are generated.
//!
//! Lanes and terms cannot be compared in an `if`: the lanes may have different results, and a term has no value. A
//! law therefore chooses between two values by [`Scalar::choose`], of which a recorder records both. For the same
//! reason an iteration inside a law has a fixed bound; it may end earlier if [`Scalar::any`] shows that no lane needs
//! to continue.
//!
//! ```
//! use carom::scalar::{Dual, Scalar};
//!
//! /// Hertz's spring: K·δ^(3/2), and 0 where there is no contact.
//! fn hertz<S: Scalar>(stiffness: S, delta: S) -> S {
//!     S::choose(delta.gt(S::of(0.0)), || stiffness * delta * delta.sqrt(), || S::of(0.0))
//! }
//!
//! assert_eq!(hertz(2.0, 4.0), 16.0);
//! // The same function gives its derivative by δ: (3/2)·K·√δ.
//! let force = hertz(Dual::<1>::of(2.0), Dual::variable(4.0, 0));
//! assert_eq!((force.value, force.slopes), (16.0, [6.0]));
//! ```

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

mod dual;
pub mod expression;
mod lanes;

pub use dual::Dual;
pub use expression::Term;
pub use lanes::Lanes;

/// Restricts the implementations of [`Scalar`] to the types of this crate.
mod sealed {
    /// Marker that prevents other crates from implementing [`Scalar`](super::Scalar).
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl<const N: usize> Sealed for super::Dual<N> {}
    impl<const N: usize> Sealed for super::Lanes<N> {}
    impl Sealed for super::Term<'_> {}
}

/// A number with which a law can be evaluated; see the [module](self).
///
/// The functions have the names and meanings of those of `f64`. The trait is sealed, so that functions can be added
/// to it.
pub trait Scalar:
    sealed::Sealed
    + Copy
    + Debug
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// Result of a comparison.
    type Mask: Copy
        + BitAnd<Output = Self::Mask>
        + BitOr<Output = Self::Mask>
        + Not<Output = Self::Mask>;

    /// Creates a constant.
    fn of(value: f64) -> Self;

    /// Computes √x.
    fn sqrt(self) -> Self;
    /// Computes ∛x.
    fn cbrt(self) -> Self;
    /// Computes x^p for x ≥ 0.
    fn powf(self, exponent: Self) -> Self;
    /// Computes eˣ.
    fn exp(self) -> Self;
    /// Computes eˣ − 1 without cancellation near 0.
    fn exp_m1(self) -> Self;
    /// Computes ln x.
    fn ln(self) -> Self;
    /// Computes ln(1 + x) without cancellation near 0.
    fn ln_1p(self) -> Self;
    /// Computes sin x.
    fn sin(self) -> Self;
    /// Computes cos x.
    fn cos(self) -> Self;
    /// Computes tanh x.
    fn tanh(self) -> Self;
    /// Computes arctan x.
    fn atan(self) -> Self;
    /// Computes |x|.
    fn abs(self) -> Self;
    /// Computes |x| with the sign of another number.
    fn copysign(self, sign: Self) -> Self;

    /// Compares x < y.
    fn lt(self, other: Self) -> Self::Mask;
    /// Compares x ≤ y.
    fn le(self, other: Self) -> Self::Mask;
    /// Compares x > y.
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }
    /// Compares x ≥ y.
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        other.le(self)
    }

    /// Compares x > y; if they are equal, the result is that of `tie`.
    #[inline(always)]
    fn gt_or(self, other: Self, tie: impl FnOnce() -> Self::Mask) -> Self::Mask {
        self.gt(other) | (self.ge(other) & tie())
    }

    /// Returns the first value where the mask holds and the second elsewhere.
    ///
    /// A plain number only computes the value that is needed. A recorder computes both, as do lanes, so that neither
    /// closure may have side effects. The value that is not chosen may be NaN.
    fn choose(mask: Self::Mask, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self;

    /// Returns whether a mask holds in any lane. An iteration may end if it does not. A recorder, which does not know
    /// the values, always returns `true` and records all steps.
    fn any(mask: Self::Mask) -> bool;

    /// Returns the smaller of two numbers.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::choose(self.lt(other), || self, || other)
    }
    /// Returns the larger of two numbers.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::choose(self.gt(other), || self, || other)
    }
    /// Returns x if it is not negative, otherwise 0. At x = 0 the result is x itself, so that its derivative there is
    /// that from the right; NaN becomes 0.
    #[inline(always)]
    fn positive_part(self) -> Self {
        Self::choose(self.ge(Self::of(0.0)), || self, || Self::of(0.0))
    }
    /// Limits x to the range between two bounds.
    #[inline(always)]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }
    /// Evaluates a piecewise polynomial. Piece i holds from knot i on and is a polynomial of fourth degree in x −
    /// knot i; the first piece also holds below its knot.
    ///
    /// This implementation is a tree of choices, which may compute every piece; plain numbers look up their piece
    /// instead.
    fn piecewise(self, knots: &[f64], pieces: &[[f64; 5]]) -> Self {
        match (knots, pieces) {
            ([knot], [piece]) => horner(self - *knot, piece),
            (_, []) | ([], _) => Self::of(f64::NAN),
            _ => {
                let middle = knots.len().min(pieces.len()) / 2;
                let (low, high) = knots.split_at(middle);
                let (low_pieces, high_pieces) = pieces.split_at(middle);
                Self::choose(
                    self.lt(Self::of(high.first().copied().unwrap_or(f64::NAN))),
                    || self.piecewise(low, low_pieces),
                    || self.piecewise(high, high_pieces),
                )
            }
        }
    }
    /// Computes an integer power by products.
    #[inline(always)]
    fn powi(self, exponent: u32) -> Self {
        let mut power = Self::of(1.0);
        for _ in 0..exponent {
            power = power * self;
        }
        power
    }
}

/// Evaluates a polynomial given with the constant term first.
#[inline(always)]
fn horner<S: Scalar>(x: S, coefficients: &[f64; 5]) -> S {
    let [a, b, c, d, e] = *coefficients;
    (((x * e + d) * x + c) * x + b) * x + a
}

/// Returns the knot and the polynomial that hold at x.
fn piece<'a>(x: f64, knots: &[f64], pieces: &'a [[f64; 5]]) -> Option<(f64, &'a [f64; 5])> {
    let index = knots.partition_point(|knot| *knot <= x).saturating_sub(1);
    Some((*knots.get(index)?, pieces.get(index)?))
}

/// Implements functions of one argument by those of `f64`.
macro_rules! functions {
    ($($name:ident),*) => {
        $(
            #[inline(always)]
            fn $name(self) -> Self {
                f64::$name(self)
            }
        )*
    };
}

impl Scalar for f64 {
    type Mask = bool;

    fn piecewise(self, knots: &[f64], pieces: &[[f64; 5]]) -> Self {
        let found = piece(self, knots, pieces);
        found.map_or(f64::NAN, |(knot, piece)| horner(self - knot, piece))
    }

    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }
    functions!(sqrt, cbrt, exp, exp_m1, ln, ln_1p, sin, cos, tanh, atan, abs);
    #[inline(always)]
    fn powf(self, exponent: Self) -> Self {
        f64::powf(self, exponent)
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        f64::copysign(self, sign)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn le(self, other: Self) -> bool {
        self <= other
    }
    #[inline(always)]
    fn gt_or(self, other: Self, tie: impl FnOnce() -> bool) -> bool {
        // Otherwise the compiler evaluates both comparisons at once, together with everything they need, and the
        // integration of a contact takes a tenth longer.
        let tie = || {
            unlikely();
            tie()
        };
        self > other || (self == other && tie())
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

/// Marks a branch as unlikely, so that the compiler does not compute any part of it in advance.
#[cold]
fn unlikely() {}
