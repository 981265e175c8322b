//! Integrals of smooth functions over short intervals.

use crate::scalar::Scalar;

/// Positive nodes and their weights of the 16-point Gauss–Legendre rule on [−1, 1]; the rule is symmetric.
const GAUSS: [(f64, f64); 8] = [
    (0.09501250983763744, 0.18945061045506850),
    (0.28160355077925891, 0.18260341504492359),
    (0.45801677765722739, 0.16915651939500254),
    (0.61787624440264375, 0.14959598881657673),
    (0.75540440835500303, 0.12462897125553387),
    (0.86563120238783174, 0.09515851168249278),
    (0.94457502307323258, 0.06225352393864789),
    (0.98940093499164993, 0.02715245941175409),
];

/// Returns nodes and weights of the 16-point Gauss–Legendre rule on [0, 1].
///
/// ```
/// let area: f64 = carom::numeric::quadrature::unit_rule().map(|(x, w)| w * x * x).sum();
/// assert!((area - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn unit_rule() -> impl Iterator<Item = (f64, f64)> {
    GAUSS.into_iter().flat_map(|(x, w)| [(0.5 - 0.5 * x, 0.5 * w), (0.5 + 0.5 * x, 0.5 * w)])
}

/// Computes ∫ f(x) dx from `low` to `high` by the 16-point Gauss–Legendre rule. The result is accurate to rounding if
/// f is smooth over the length of the interval.
///
/// ```
/// let area = carom::numeric::quadrature::integrate(0.0, 1.0, |x| x * x);
/// assert!((area - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn integrate<S: Scalar>(low: S, high: S, f: impl Fn(S) -> S) -> S {
    let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
    let pair = |(x, w): (f64, f64)| (f(middle - half * x) + f(middle + half * x)) * w;
    GAUSS.into_iter().map(pair).fold(S::of(0.0), |sum, term| sum + term) * half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_and_exponentials_are_integrated_to_rounding() {
        assert!((integrate(0.0, 2.0, |x| x.powi(31)) / (2f64.powi(32) / 32.0) - 1.0).abs() < 1e-14);
        assert!((integrate(1.0, 3.0, f64::exp) - (3f64.exp() - 1f64.exp())).abs() < 1e-14);
    }
}
