//! Anderson's acceleration of a fixed-point iteration (D. G. Anderson, Journal of the ACM 12 (1965) 547–560).
//!
//! Gauss–Seidel is a map g from impulses to impulses whose fixed point is wanted. In a stack, or where a block just does not slide, it
//! converges by small steps along a few slow directions. The last steps show these directions: of the residuals f = g(p) − p a combination is
//! sought that would have vanished if g were linear, and the iteration goes on from the same combination of the g(p).

use carom::numeric::linear::PivotedCholesky;

/// Steps that are remembered.
const WINDOW: usize = 10;
/// Directions that agree to this share with others are left out.
const ROUNDING: f64 = 1e-12;
/// Residuals that grow by this factor over the smallest so far mean that g is another map now, since contacts slide that stuck: it
/// begins anew.
const GROWTH: f64 = 2.0;

/// What is remembered of an iteration.
#[derive(Clone, Debug)]
pub(super) struct Acceleration {
    /// Differences of successive residuals and of successive values.
    steps: Vec<(Vec<f64>, Vec<f64>)>,
    last: Option<(Vec<f64>, Vec<f64>)>,
    smallest: f64,
    factor: PivotedCholesky,
}

impl Default for Acceleration {
    fn default() -> Self {
        let factor = PivotedCholesky::default();
        Self { steps: Vec::new(), last: None, smallest: f64::INFINITY, factor }
    }
}

impl Acceleration {
    /// Where to go on from, after the map took `argument` to `value`.
    pub fn next(&mut self, argument: &[f64], value: &[f64]) -> Vec<f64> {
        let difference =
            |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };
        let residual = difference(value, argument);
        let size = dot(&residual, &residual).sqrt();
        if size > GROWTH * self.smallest {
            (self.steps, self.last, self.smallest) = (Vec::new(), None, size);
            return value.to_vec();
        }
        self.smallest = self.smallest.min(size);
        if let Some((residual_before, value_before)) = &self.last {
            if self.steps.len() == WINDOW {
                self.steps.remove(0);
            }
            let step = (difference(&residual, residual_before), difference(value, value_before));
            self.steps.push(step);
        }
        let mut next = value.to_vec();
        let weights = self.weights(&residual);
        for (weight, (_, change)) in weights.iter().zip(&self.steps) {
            for (next, change) in next.iter_mut().zip(change) {
                *next -= weight * change;
            }
        }
        self.last = Some((residual, value.to_vec()));
        next
    }

    /// The combination of steps that takes most of a residual away.
    fn weights(&mut self, residual: &[f64]) -> Vec<f64> {
        let count = self.steps.len();
        let products = self.factor.matrix(count);
        for (i, (one, _)) in self.steps.iter().enumerate() {
            for (j, (two, _)) in self.steps.iter().enumerate() {
                products[i * count + j] = dot(one, two);
            }
        }
        self.factor.decompose(ROUNDING);
        let mut weights: Vec<f64> = self.steps.iter().map(|(one, _)| dot(one, residual)).collect();
        self.factor.solve(&mut weights);
        weights
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear map of four numbers with contractions up to 0.999 is solved in a few steps, which alone would take tens of thousands.
    #[test]
    fn slow_directions_are_found() {
        let rates = [0.999, -0.5, 0.9, 0.3];
        let fixed = [1.0, -2.0, 0.5, 3.0];
        let map = |p: &[f64]| -> Vec<f64> {
            (0..4).map(|i| fixed[i] + rates[i] * (p[i] - fixed[i])).collect()
        };
        let (mut acceleration, mut p) = (Acceleration::default(), vec![0.0; 4]);
        for _ in 0..20 {
            p = acceleration.next(&p, &map(&p));
        }
        let left = p.iter().zip(fixed).map(|(p, fixed)| (p - fixed).abs()).fold(0.0, f64::max);
        assert!(left < 1e-9, "{p:?}");
    }
}
