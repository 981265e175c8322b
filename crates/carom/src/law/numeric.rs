//! Two small tools: a quadrature for stored energies, a bisection for calibrations.

/// Nodes and weights of the 16-point Gauss–Legendre rule on [−1, 1], one half of them.
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

/// ∫ f from `low` to `high`, to rounding where f is smooth over the length of the interval.
pub(crate) fn integrate(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let sum: f64 =
        GAUSS.iter().map(|&(x, w)| w * (f(middle - half * x) + f(middle + half * x))).sum();
    half * sum
}

/// The root in [low, high] of a function that increases through it.
pub(crate) fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    // 200 halvings exhaust a double in any interval; most stop by the first test.
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_and_square_roots() {
        assert!((integrate(0.0, 2.0, |x| x.powi(31)) / (2f64.powi(32) / 32.0) - 1.0).abs() < 1e-14);
        assert!((integrate(1.0, 3.0, f64::exp) - (3f64.exp() - 1f64.exp())).abs() < 1e-14);
        assert_eq!(bisect(0.0, 2.0, |x| x * x - 2.0), std::f64::consts::SQRT_2);
    }
}
