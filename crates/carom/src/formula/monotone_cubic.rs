//! Tabulated functions: measured points, interpolated by a monotone cubic with a continuous slope.
//!
//! The slopes at the points are those of Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5 (1984) 300–304), in the
//! form for unequal spacing: a weighted harmonic mean of the neighbouring secants, and 0 at an extremum. Between two
//! points the values of the curve are between those of the points. Beyond the last point the curve is continued with
//! its last slope.

use crate::scalar::Scalar;

/// A function given by points.
#[derive(Debug, PartialEq)]
pub struct MonotoneCubic {
    knots: Vec<f64>,
    /// Coefficients of the polynomials in x − knot, one polynomial for each knot; the last one is a straight line.
    pieces: Vec<[f64; 5]>,
    /// Coefficients of the polynomials of the integral from the first knot.
    integrals: Vec<[f64; 5]>,
}

impl MonotoneCubic {
    /// Creates the table from points with increasing x. Returns `None` for fewer than two points or if x does not
    /// increase.
    pub fn new(points: &[(f64, f64)]) -> Option<Self> {
        let rising = points.windows(2).all(|pair| matches!(pair, [a, b] if a.0 < b.0));
        if points.len() < 2 || !rising {
            return None;
        }
        let slopes = slopes(points);
        let mut pieces = Vec::with_capacity(points.len());
        for (pair, slope) in points.windows(2).zip(slopes.windows(2)) {
            let ([(x0, y0), (x1, y1)], [d0, d1]) = (pair, slope) else { continue };
            let h = x1 - x0;
            let secant = (y1 - y0) / h;
            let (second, third) =
                ((3.0 * secant - 2.0 * d0 - d1) / h, (d0 + d1 - 2.0 * secant) / (h * h));
            pieces.push([*y0, *d0, second, third, 0.0]);
        }
        let end = (points.last()?.1, *slopes.last()?);
        pieces.push([end.0, end.1, 0.0, 0.0, 0.0]);
        let knots: Vec<f64> = points.iter().map(|point| point.0).collect();
        let mut sum = 0.0;
        let mut integrals = Vec::with_capacity(pieces.len());
        for (index, [a, b, c, d, _]) in pieces.iter().enumerate() {
            let integral = [sum, *a, b / 2.0, c / 3.0, d / 4.0];
            if let (Some(low), Some(high)) = (knots.get(index), knots.get(index + 1)) {
                sum = (high - low).piecewise(&[0.0], &[integral]);
            }
            integrals.push(integral);
        }
        Some(Self { knots, pieces, integrals })
    }

    /// Evaluates the function at x.
    pub fn evaluate<S: Scalar>(&self, x: S) -> S {
        x.piecewise(&self.knots, &self.pieces)
    }

    /// Evaluates the integral of the function from the first point to x.
    pub fn integral<S: Scalar>(&self, x: S) -> S {
        x.piecewise(&self.knots, &self.integrals)
    }

    /// Returns the two points before and the two points after x, as far as they exist.
    pub fn points_around(&self, x: f64) -> &[f64] {
        let next = self.knots.partition_point(|knot| *knot <= x);
        let end = (next + 2).min(self.knots.len());
        self.knots.get(next.saturating_sub(2)..end).unwrap_or_default()
    }

    /// Returns the largest x.
    pub fn end(&self) -> f64 {
        self.knots.last().copied().unwrap_or(f64::NAN)
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.knots.len()
    }

    /// Returns whether the table has no points, which [`MonotoneCubic::new`] excludes.
    pub fn is_empty(&self) -> bool {
        self.knots.is_empty()
    }
}

/// Computes the slopes at the points.
fn slopes(points: &[(f64, f64)]) -> Vec<f64> {
    let parts: Vec<(f64, f64)> = points
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] => Some((b.0 - a.0, (b.1 - a.1) / (b.0 - a.0))),
            _ => None,
        })
        .collect();
    let inner = parts.windows(2).map(|pair| match pair {
        [(h0, s0), (h1, s1)] if s0 * s1 > 0.0 => {
            let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
            (w0 + w1) / (w0 / s0 + w1 / s1)
        }
        _ => 0.0,
    });
    // The slopes at the ends are those of a parabola through three points, limited to between 0 and three times the
    // secant.
    let end = |near: Option<&(f64, f64)>, next: Option<&(f64, f64)>| match (near, next) {
        (Some((h0, s0)), Some((h1, s1))) => {
            let slope = ((2.0 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
            match () {
                () if slope * s0 <= 0.0 => 0.0,
                () if slope.abs() > 3.0 * s0.abs() => 3.0 * s0,
                () => slope,
            }
        }
        (Some((_, s0)), None) => *s0,
        _ => 0.0,
    };
    let first = end(parts.first(), parts.get(1));
    let last = end(parts.last(), parts.len().checked_sub(2).and_then(|index| parts.get(index)));
    std::iter::once(first).chain(inner).chain(std::iter::once(last)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::quadrature::integrate;
    use crate::scalar::{Dual, Lanes, expression::Function};

    fn hertz() -> MonotoneCubic {
        let points: Vec<(f64, f64)> =
            (0..40).map(|i| f64::from(i) * 0.025).map(|x| (x, x.powf(1.5))).collect();
        MonotoneCubic::new(&points).unwrap()
    }

    #[test]
    fn the_curve_passes_through_its_points_and_rises_between_them() {
        let table = hertz();
        let mut last = 0.0;
        for i in 1..2000 {
            let x = f64::from(i) * 4.8e-4;
            let y = table.evaluate(x);
            assert!(y > last && (y - x.powf(1.5)).abs() < 1e-3, "{x}: {y}");
            last = y;
        }
        // The slope is continuous, and the curve is continued beyond its end.
        for knot in [0.025, 0.5, 0.975] {
            let slope = |x: f64| table.evaluate(Dual::<1>::variable(x, 0)).slopes[0];
            assert!((slope(knot - 1e-12) - slope(knot + 1e-12)).abs() < 1e-9);
        }
        assert!((table.end() - 0.975).abs() < 1e-12);
        assert!(table.evaluate(2.0) > table.evaluate(1.0));
    }

    #[test]
    fn the_integral_is_that_of_the_pieces() {
        let table = hertz();
        for x in [0.01, 0.4, 0.975, 1.3] {
            let steps: f64 = (0..60)
                .map(|i| {
                    let cut = |k: i32| (f64::from(k) * 0.025).min(x);
                    integrate(cut(i), cut(i + 1), |x| table.evaluate(x))
                })
                .sum();
            assert!((table.integral(x) / steps - 1.0).abs() < 1e-13, "{x}");
        }
    }

    #[test]
    fn every_scalar_finds_its_piece() {
        let table = hertz();
        let recorded = Function::record(["x"], |[x]| [("y", table.evaluate(x))]);
        for x in [-0.1, 0.0, 0.03, 0.5, 0.975, 2.0] {
            let y = table.evaluate(x);
            assert_eq!(table.evaluate(Lanes([x, 0.1])).0[0], y);
            assert_eq!(table.evaluate(Dual::<1>::variable(x, 0)).value, y);
            assert_eq!(recorded.evaluate(&[x]), [y]);
        }
    }

    #[test]
    fn points_must_rise() {
        assert!(MonotoneCubic::new(&[(0.0, 0.0)]).is_none());
        assert!(MonotoneCubic::new(&[(0.0, 0.0), (0.0, 1.0)]).is_none());
        assert!(MonotoneCubic::new(&[(0.0, 0.0), (f64::NAN, 1.0)]).is_none());
    }
}
