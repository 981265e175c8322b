//! The outcome of an impact as a function of ε for fixed exponents, tabulated once for millions of impacts.
//!
//! For fixed (n, m, q) and a fixed exit of contact an impact is a function of ε alone. A batch therefore needs the
//! dimensionless impact only at the nodes of an interpolating polynomial. The axis y = ln ε is divided into equal
//! pieces. A piece is interpolated at Chebyshev points when it is first needed, and checked between them. If its
//! error exceeds 5e-12 there (because of kinks of the largest force, or close to creeping), it is halved. If halving
//! does not help, impacts are integrated directly.
//!
//! The contents of a piece depend on the exponents alone, not on the first request, so that results are the same in
//! any order and on any number of threads.

use super::{Exponents, Outcome, closed, outcome};
use crate::error::{self, Result};
use crate::law::Exit;
use std::sync::OnceLock;

/// Number of Chebyshev points in a piece.
const NODE_COUNT: usize = 16;
/// Width of a piece in y = ln ε.
const PIECE_WIDTH: f64 = 0.8;
/// Value of ln ε at which the first piece begins, ε ≈ 1e-9; impacts with weaker damping are integrated directly.
const FIRST_LN_EPSILON: f64 = -20.8;
/// Number of pieces; the last ends at ε ≈ 3e35.
const PIECE_COUNT: usize = 128;
/// Largest relative error of a piece at the points where it is checked; elsewhere the error is about twice as large.
const MAX_RELATIVE_ERROR: f64 = 5e-12;
/// Number of halvings after which impacts of a piece are integrated directly.
const MAX_HALVINGS: usize = 5;
/// Number of quantities of an outcome.
const QUANTITY_COUNT: usize = 7;

/// Table of the impacts of one set of exponents with one exit of contact. Its relative error is 2e-11, except for the
/// time of the largest force, where the force is stationary: the error of this time is 1e-10 of the duration.
///
/// ```
/// use carom::exact::{Curve, Exponents};
/// use carom::Exit;
/// let curve = Curve::new(Exponents::new(1.5, 1.2, 0.9)?, Exit::ZeroForce);
/// let epsilon = curve.epsilon(0.7)?;
/// let outcome = curve.outcome(epsilon)?.expect("it separates");
/// assert!((outcome.restitution - 0.7).abs() < 1e-10);
/// # Ok::<(), carom::Error>(())
/// ```
pub struct Curve {
    exponents: Exponents,
    exit: Exit,
    pieces: Box<[OnceLock<Piece>]>,
}

/// A piece of the curve.
enum Piece {
    /// Chebyshev coefficients of all quantities, interleaved.
    Series(Box<[[f64; QUANTITY_COUNT]; NODE_COUNT]>),
    /// Two halves of the piece.
    Halves(Box<[Piece; 2]>),
    /// The curve is not smooth enough, or the bodies never separate: impacts are integrated directly.
    Direct,
}

fn quantities(o: &Outcome) -> [f64; QUANTITY_COUNT] {
    [
        o.restitution,
        o.duration,
        o.indentation_max,
        o.time_of_indentation_max,
        o.force_max,
        o.time_of_force_max,
        o.residual_indentation,
    ]
}

impl Curve {
    /// Creates an empty curve; its pieces are computed when they are needed.
    pub fn new(exponents: Exponents, exit: Exit) -> Self {
        let pieces = std::iter::repeat_with(OnceLock::new).take(PIECE_COUNT).collect();
        Self { exponents, exit, pieces }
    }

    /// Returns the exponents.
    pub fn exponents(&self) -> Exponents {
        self.exponents
    }

    /// Returns the exit of contact.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// Computes all results of the impact with this ε; `None` if the bodies never separate.
    #[inline]
    pub fn outcome(&self, epsilon: f64) -> Result<Option<Outcome>> {
        match self.find_series(epsilon.ln()) {
            Some((series, x, _)) => {
                let value = clenshaw(series, x);
                Ok(Some(Outcome {
                    restitution: value[0],
                    duration: value[1],
                    indentation_max: value[2],
                    time_of_indentation_max: value[3],
                    force_max: value[4],
                    time_of_force_max: value[5],
                    residual_indentation: value[6],
                }))
            }
            None => outcome(self.exponents, self.exit, epsilon),
        }
    }

    /// Computes the ε that delivers the restitution `e`.
    pub fn epsilon(&self, e: f64) -> Result<f64> {
        error::check_restitution(e)?;
        if e == 1.0 {
            return Ok(0.0);
        }
        if self.exponents.is_hunt_crossley() {
            return Ok(closed::hunt_crossley(e));
        }
        // Newton's iteration for y, from the explicit formula of Hu and Guo scaled to the correct slope at e = 1.
        let mut y = ((1.0 - e) / (e * self.exponents.weak_slope())).ln();
        for _ in 0..25 {
            let Some((series, x, width)) = self.find_series(y) else { break };
            let (value, slope) = restitution_and_slope(series, x);
            let step = 0.5 * width * (value - e) / slope;
            y -= step.clamp(-1.0, 1.0);
            if step.abs() < 1e-8 {
                return Ok(y.exp());
            }
        }
        super::epsilon(self.exponents, self.exit, e)
    }

    /// Finds the series for y = ln ε, the position of y in its piece, from −1 to 1, and the width of the piece;
    /// `None` if the impact must be integrated.
    #[inline]
    fn find_series(&self, y: f64) -> Option<(&[[f64; QUANTITY_COUNT]; NODE_COUNT], f64, f64)> {
        if !(y >= FIRST_LN_EPSILON) {
            return None;
        }
        let index = ((y - FIRST_LN_EPSILON) / PIECE_WIDTH) as usize;
        let (mut left, mut width) = (FIRST_LN_EPSILON + index as f64 * PIECE_WIDTH, PIECE_WIDTH);
        let mut piece = self.pieces.get(index)?.get_or_init(|| self.piece(left, PIECE_WIDTH, 0));
        loop {
            match piece {
                Piece::Series(series) => {
                    return Some((series, 2.0 * (y - left) / width - 1.0, width));
                }
                Piece::Direct => return None,
                Piece::Halves(halves) => {
                    width *= 0.5;
                    let second = y >= left + width;
                    left += if second { width } else { 0.0 };
                    piece = &halves[usize::from(second)];
                }
            }
        }
    }

    /// Computes the piece that begins at `left` and results from `depth` halvings.
    fn piece(&self, left: f64, width: f64, depth: usize) -> Piece {
        if let Some(series) = self.series(left, width) {
            return Piece::Series(Box::new(series));
        }
        if depth == MAX_HALVINGS {
            return Piece::Direct;
        }
        let half = 0.5 * width;
        let halves = [self.piece(left, half, depth + 1), self.piece(left + half, half, depth + 1)];
        // If both halves would be integrated directly, so is the whole piece.
        match halves {
            [Piece::Direct, Piece::Direct] => Piece::Direct,
            halves => Piece::Halves(Box::new(halves)),
        }
    }

    /// Computes the outcome at a position x of a piece, from −1 to 1.
    fn at(&self, left: f64, width: f64, x: f64) -> Option<[f64; QUANTITY_COUNT]> {
        let epsilon = (left + 0.5 * width * (x + 1.0)).exp();
        outcome(self.exponents, self.exit, epsilon).ok()?.map(|o| quantities(&o))
    }

    /// Interpolates a piece and checks it; `None` if it is not accurate enough.
    fn series(&self, left: f64, width: f64) -> Option<[[f64; QUANTITY_COUNT]; NODE_COUNT]> {
        let n = NODE_COUNT as f64;
        let mut values = [[0.0; QUANTITY_COUNT]; NODE_COUNT];
        for (k, value) in values.iter_mut().enumerate() {
            let x = (std::f64::consts::PI * (k as f64 + 0.5) / n).cos();
            *value = self.at(left, width, x)?;
        }
        let mut series = [[0.0; QUANTITY_COUNT]; NODE_COUNT];
        for (j, row) in series.iter_mut().enumerate() {
            for (k, value) in values.iter().enumerate() {
                let factor = (std::f64::consts::PI * j as f64 * (k as f64 + 0.5) / n).cos();
                for i in 0..QUANTITY_COUNT {
                    row[i] += factor * value[i] * if j == 0 { 1.0 } else { 2.0 } / n;
                }
            }
        }
        // Check points lie between the nodes, and near the ends, where the interpolation is worst.
        for x in [-0.999, -0.93, -0.62, -0.31, 0.07, 0.47, 0.79, 0.985] {
            let exact = self.at(left, width, x)?;
            let found = clenshaw(&series, x);
            for i in 0..QUANTITY_COUNT {
                // The errors of times and of the residual indentation are relative to the duration and to the largest
                // indentation.
                let size = match i {
                    3 | 5 => exact[1],
                    6 => exact[2],
                    _ => exact[i],
                };
                if !((found[i] - exact[i]).abs() <= MAX_RELATIVE_ERROR * size) {
                    return None;
                }
            }
        }
        Some(series)
    }
}

/// Evaluates all quantities at x by Clenshaw's recurrence.
#[inline(always)]
fn clenshaw(series: &[[f64; QUANTITY_COUNT]; NODE_COUNT], x: f64) -> [f64; QUANTITY_COUNT] {
    let mut b1 = [0.0; QUANTITY_COUNT];
    let mut b2 = [0.0; QUANTITY_COUNT];
    for row in series[1..].iter().rev() {
        for i in 0..QUANTITY_COUNT {
            let b0 = 2.0 * x * b1[i] - b2[i] + row[i];
            b2[i] = b1[i];
            b1[i] = b0;
        }
    }
    let mut out = series[0];
    for i in 0..QUANTITY_COUNT {
        out[i] += x * b1[i] - b2[i];
    }
    out
}

/// Evaluates the restitution and its derivative with respect to x.
fn restitution_and_slope(series: &[[f64; QUANTITY_COUNT]; NODE_COUNT], x: f64) -> (f64, f64) {
    // Recurrences for Tₖ and for T′ₖ = k·Uₖ₋₁.
    let (mut t0, mut t1) = (1.0, x);
    let (mut u0, mut u1) = (0.0, 1.0);
    let (mut value, mut slope) = (series[0][0], 0.0);
    for (k, row) in series.iter().enumerate().skip(1) {
        value += row[0] * t1;
        slope += row[0] * k as f64 * u1;
        (t0, t1) = (t1, 2.0 * x * t1 - t0);
        (u0, u1) = (u1, 2.0 * x * u1 - u0);
    }
    (value, slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_repeats_the_direct_path_everywhere() {
        for (n, m, q) in
            [(1.5, 1.5, 1.0), (1.5, 1.2, 0.9), (1.5, 0.0, 1.0), (2.0, 3.0, 1.7), (1.0, 0.25, 0.8)]
        {
            for exit in [Exit::ZeroForce, Exit::ZeroIndentation] {
                let exponents = Exponents::new(n, m, q).unwrap();
                let curve = Curve::new(exponents, exit);
                for i in 0..60 {
                    let epsilon = 1e-3 * 1e5f64.powf(i as f64 / 60.0);
                    let direct = outcome(exponents, exit, epsilon).unwrap();
                    let tabled = curve.outcome(epsilon).unwrap();
                    let (Some(a), Some(b)) = (direct, tabled) else {
                        assert_eq!(direct.is_some(), tabled.is_some());
                        continue;
                    };
                    for (a, b) in quantities(&a).into_iter().zip(quantities(&b)).take(5) {
                        assert!((a / b - 1.0).abs() < 1e-10, "{n} {m} {q} {epsilon}: {a} {b}");
                    }
                }
                for e in [0.999, 0.8, 0.3, 0.05] {
                    let epsilon = curve.epsilon(e).unwrap();
                    let delivered = super::super::restitution(exponents, exit, epsilon).unwrap();
                    assert!((delivered - e).abs() < 1e-10, "{n} {m} {q} {e}: {delivered}");
                }
            }
        }
    }
}
