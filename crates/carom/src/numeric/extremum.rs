//! Minima and maxima in a bracket.
//!
//! The method is that of R. P. Brent, *Algorithms for Minimization Without Derivatives*, Prentice-Hall 1973, chapter
//! 5: parabolas through the last three points, and golden sections where these do not converge.

use std::convert::Infallible;

/// Fraction of an interval at which its golden section lies.
const GOLDEN: f64 = 0.381_966_011_250_105_2;

/// Limit of evaluations, which is more than golden sections alone need for an interval of normal size.
const MAX_EVALUATIONS: usize = 100;

/// An extremum: argument and value.
pub type Point = (f64, f64);

/// Finds the maximum between `low` and `high` of a function with one maximum there, to within `width` of the argument
/// (the accuracy is limited to about 10⁻⁸, because the function is flat at the maximum). The search begins at
/// `start`, or at a golden section if that is not given.
///
/// ```
/// use carom::numeric::extremum::maximum;
/// let (x, value) = maximum(0.0, 3.0, None, 1e-8, f64::sin);
/// assert!((x - std::f64::consts::FRAC_PI_2).abs() < 1e-7 && (value - 1.0).abs() < 1e-14);
/// ```
pub fn maximum(
    low: f64,
    high: f64,
    start: Option<f64>,
    width: f64,
    mut f: impl FnMut(f64) -> f64,
) -> Point {
    let negative = |x: f64| Ok::<f64, Infallible>(-f(x));
    match try_minimum(low, high, start, width, f64::NEG_INFINITY, negative) {
        Ok((x, value)) => (x, -value),
        Err(never) => match never {},
    }
}

/// Finds the minimum of a function that may fail, or the first value below `enough`.
pub fn try_minimum<E>(
    low: f64,
    high: f64,
    start: Option<f64>,
    width: f64,
    enough: f64,
    mut f: impl FnMut(f64) -> Result<f64, E>,
) -> Result<Point, E> {
    let (mut a, mut b) = (low, high);
    let x = start.filter(|x| *x > a && *x < b).unwrap_or(a + GOLDEN * (b - a));
    let mut best = (x, f(x)?);
    let (mut second, mut third) = (best, best);
    let (mut step, mut step_before) = (0.0f64, 0.0f64);
    for _ in 0..MAX_EVALUATIONS {
        let middle = 0.5 * (a + b);
        let min_distance = 0.5 * width + 1e-15 * best.0.abs();
        let arrived = (best.0 - middle).abs() <= 2.0 * min_distance - 0.5 * (b - a);
        if arrived || best.1 < enough {
            break;
        }
        // The minimum of the parabola through the three best points, as a step p/q from the best one.
        let r = (best.0 - second.0) * (best.1 - third.1);
        let q = (best.0 - third.0) * (best.1 - second.1);
        let p = (best.0 - third.0) * q - (best.0 - second.0) * r;
        let q = 2.0 * (q - r);
        let (p, q) = if q > 0.0 { (-p, q) } else { (p, -q) };
        let shrinks = p.abs() < (0.5 * q * step_before).abs();
        let inside = p > q * (a - best.0) && p < q * (b - best.0);
        if step_before.abs() > min_distance && shrinks && inside {
            step_before = step;
            step = p / q;
            // The step must not end too close to the ends of the interval.
            let x = best.0 + step;
            if x - a < 2.0 * min_distance || b - x < 2.0 * min_distance {
                step = min_distance.copysign(middle - best.0);
            }
        } else {
            step_before = if best.0 < middle { b - best.0 } else { a - best.0 };
            step = GOLDEN * step_before;
        }
        let x =
            best.0 + if step.abs() >= min_distance { step } else { min_distance.copysign(step) };
        let next = (x, f(x)?);
        if next.1 <= best.1 {
            if x < best.0 {
                b = best.0
            } else {
                a = best.0
            }
            (third, second, best) = (second, best, next);
        } else {
            if x < best.0 {
                a = x
            } else {
                b = x
            }
            if next.1 <= second.1 || second.0 == best.0 {
                (third, second) = (second, next);
            } else if next.1 <= third.1 || third.0 == best.0 || third.0 == second.0 {
                third = next;
            }
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maxima_within_and_at_the_ends() {
        let mut evaluations = 0;
        let (x, value) = maximum(0.0, 1.0, None, 1e-8, |x: f64| {
            evaluations += 1;
            (-(x - 0.37) * (x - 0.37)).exp()
        });
        assert!((x - 0.37).abs() < 1e-7 && value <= 1.0 && value > 1.0 - 1e-14);
        assert!(evaluations < 15, "{evaluations}");
        let (x, _) = maximum(0.0, 1.0, Some(0.5), 1e-8, |x| x);
        assert!(x > 1.0 - 1e-7);
        let (x, value) = maximum(0.0, 1.0, None, 1e-8, |x: f64| -(x - 0.2).abs());
        assert!((x - 0.2).abs() < 1e-7 && value > -1e-7);
    }

    #[test]
    fn a_search_stops_where_the_value_is_enough() {
        let mut evaluations = 0;
        let found = try_minimum(-1.0, 1.0, Some(0.5), 0.0, 0.3, |x: f64| {
            evaluations += 1;
            Ok::<f64, ()>(x * x)
        });
        assert_eq!((found, evaluations), (Ok((0.5, 0.25)), 1));
    }
}
