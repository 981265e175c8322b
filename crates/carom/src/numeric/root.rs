//! Roots in a bracket.
//!
//! The method is that of T. R. Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a
//! nonlinear function without using derivatives", Advances in Engineering Software 28 (1997) 145–149: inverse
//! quadratic interpolation where the last three points indicate convergence, otherwise bisection. It needs only a few
//! evaluations where the function is smooth, and remains reliable where it is flat, steep or has a kink.

use std::convert::Infallible;

/// Limit of evaluations, which is more than any bracket of normal numbers needs.
const MAX_EVALUATIONS: usize = 200;

/// Two arguments between which a function changes sign, each with its value.
///
/// One value is positive and the other is not; zero is regarded as not positive. An interval on which the function is
/// exactly zero (such as a vanished force) therefore belongs to the side that is not positive, and its boundary is a
/// root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// One end: argument and value.
    pub a: (f64, f64),
    /// The other end: argument and value.
    pub b: (f64, f64),
}

impl Bracket {
    /// Creates the bracket between two arguments; `None` if the function does not change sign.
    pub fn new(a: (f64, f64), b: (f64, f64)) -> Option<Self> {
        ((a.1 > 0.0) != (b.1 > 0.0)).then_some(Self { a, b })
    }

    /// Returns the end with the smaller absolute value, which is the better estimate of the root.
    pub fn best(&self) -> f64 {
        if self.a.1.abs() < self.b.1.abs() { self.a.0 } else { self.b.0 }
    }

    /// Narrows the bracket until it is not wider than `width`, or than rounding allows (4·10⁻¹⁶ of the argument). `a`
    /// and `b` keep the signs of their values.
    #[inline]
    pub fn narrow(self, width: f64, f: impl FnMut(f64) -> f64) -> Self {
        self.narrow_until(width, 0.0, f)
    }

    /// Does the same as [`Bracket::narrow`] but also stops at an absolute value below `small`, which saves the
    /// evaluations that would only narrow the bracket around a sufficiently accurate root.
    #[inline]
    pub fn narrow_until(self, width: f64, small: f64, mut f: impl FnMut(f64) -> f64) -> Self {
        match self.try_narrow(width, small, |x| Ok::<f64, Infallible>(f(x))) {
            Ok(bracket) => bracket,
            Err(never) => match never {},
        }
    }

    /// Does the same as [`Bracket::narrow_until`] for a function that may fail; its first error is returned.
    #[inline]
    pub fn try_narrow<E>(
        self,
        width: f64,
        small: f64,
        mut f: impl FnMut(f64) -> Result<f64, E>,
    ) -> Result<Self, E> {
        // In the paper's notation x1 is the newest point, x2 the other end of the bracket, and x3 the previous point.
        let (mut new, mut opposite) = (self.a, self.b);
        let mut new_is_a = true;
        // The first point is that of the secant.
        let mut t = new.1 / (new.1 - opposite.1);
        for _ in 0..MAX_EVALUATIONS {
            let best = if new.1.abs() < opposite.1.abs() { new.0 } else { opposite.0 };
            let smallest = 0.5 * width.max(4.0 * f64::EPSILON * best.abs());
            let limit = smallest / (opposite.0 - new.0).abs();
            if !(limit < 0.5) {
                break;
            }
            // The point must not be closer to the ends than the requested width; NaN (from equal or infinite values)
            // leads to bisection.
            let share = if t.is_nan() { 0.5 } else { t.clamp(limit, 1.0 - limit) };
            let x = new.0 + share * (opposite.0 - new.0);
            let next = (x, f(x)?);
            let before;
            if (next.1 > 0.0) == (new.1 > 0.0) {
                before = new;
            } else {
                before = opposite;
                opposite = new;
                new_is_a = !new_is_a;
            }
            new = next;
            if new.1.abs() < small {
                break;
            }
            t = interpolated_fraction(new, opposite, before);
        }
        Ok(if new_is_a { Self { a: new, b: opposite } } else { Self { a: opposite, b: new } })
    }
}

/// Computes the fraction of the distance from `new` to `opposite` at which the root is expected.
fn interpolated_fraction(new: (f64, f64), opposite: (f64, f64), before: (f64, f64)) -> f64 {
    let ((x1, f1), (x2, f2), (x3, f3)) = (new, opposite, before);
    let xi = (x1 - x2) / (x3 - x2);
    let phi = (f1 - f2) / (f3 - f2);
    // Chandrupatla's criterion: the inverse quadratic through the three points is monotone in the bracket.
    if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
        f1 / (f2 - f1) * (f3 / (f2 - f3))
            + (x3 - x1) / (x2 - x1) * (f1 / (f3 - f1)) * (f2 / (f3 - f2))
    } else {
        0.5
    }
}

/// Finds the root between `low` and `high` of a function that changes sign there, to within `width` (0: to rounding).
/// Returns `None` if the values at both ends have the same sign.
///
/// ```
/// let root = carom::numeric::root::find(0.0, 2.0, 1e-14, |x| x * x - 2.0);
/// assert!((root.unwrap() - 2f64.sqrt()).abs() < 1e-14);
/// assert_eq!(carom::numeric::root::find(2.0, 3.0, 1e-14, |x| x * x - 2.0), None);
/// ```
pub fn find(low: f64, high: f64, width: f64, mut f: impl FnMut(f64) -> f64) -> Option<f64> {
    let bracket = Bracket::new((low, f(low)), (high, f(high)))?;
    Some(bracket.narrow(width, f).best())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the final bracket and the number of evaluations.
    fn count(low: f64, high: f64, width: f64, f: impl Fn(f64) -> f64) -> (Bracket, usize) {
        let mut evaluations = 2;
        let bracket = Bracket::new((low, f(low)), (high, f(high))).unwrap();
        let found = bracket.narrow(width, |x| {
            evaluations += 1;
            f(x)
        });
        (found, evaluations)
    }

    #[test]
    fn roots_of_smooth_flat_and_steep_functions() {
        type Case = (f64, f64, fn(f64) -> f64, f64, usize);
        let cases: [Case; 7] = [
            (0.0, 2.0, |x| x * x - 2.0, 2f64.sqrt(), 12),
            (-6.0, 4.0, |x| x.exp() - 1e-2, 1e-2f64.ln(), 16),
            // Functions that are flat or infinitely steep at the root.
            (0.0, 1.0, |x| (x - 0.3).powi(9), 0.3, 140),
            (0.0, 1.0, |x| (x - 0.3).cbrt(), 0.3, 70),
            // A small value at one end does not slow down the secant.
            (0.0, 1.0, |x| 1e-14 + x * (0.7 - x), 0.7, 20),
            // Functions with a kink and with a step.
            (0.0, 1.0, |x| if x < 0.6 { 0.6 - x } else { 50.0 * (0.6 - x) }, 0.6, 70),
            (0.0, 1.0, |x| if x < 0.6 { 1.0 } else { -1e9 }, 0.6, 60),
        ];
        for (i, (low, high, f, root, evaluations)) in cases.into_iter().enumerate() {
            let (found, taken) = count(low, high, 1e-13, f);
            assert!((found.b.0 - found.a.0).abs() <= 1.01e-13, "{i}: {found:?} {taken}");
            assert!((found.best() - root).abs() < 2e-13, "{i}: {found:?}");
            assert!(taken <= evaluations, "{i}: {taken} evaluations");
        }
    }

    #[test]
    fn the_boundary_of_a_plateau_of_zeros_is_found() {
        let (found, _) = count(0.0, 1.0, 1e-13, |x| (0.4 - x).max(0.0));
        assert!(found.a.1 > 0.0 && found.b.1 == 0.0 && (found.b.0 - 0.4).abs() < 2e-13);
    }

    #[test]
    fn sides_are_kept_and_errors_are_returned() {
        let (found, _) = count(3.0, 0.0, 0.0, |x| x - 1.0);
        assert!(found.a.1 > 0.0 && found.b.1 <= 0.0 && found.best() == 1.0, "{found:?}");
        let bracket = Bracket::new((0.0, -1.0), (1.0, 1.0)).unwrap();
        assert_eq!(bracket.try_narrow(0.0, 0.0, |_| Err("fails")), Err("fails"));
        // NaN is regarded as not positive.
        assert_eq!(find(0.0, 1.0, 1e-9, |_| f64::NAN), None);
        let found = find(0.0, 1.0, 1e-9, |x| if x < 0.5 { 1.0 } else { f64::NAN });
        assert!((found.unwrap() - 0.5).abs() < 1e-8);
    }
}
