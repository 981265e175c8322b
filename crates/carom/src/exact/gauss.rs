//! Gauss–Legendre collocation on the unit interval.

use std::sync::OnceLock;

/// Number of points of a panel.
pub(super) const POINTS: usize = 12;

/// Values at the nodes of a panel.
pub(super) type NodeValues = [f64; POINTS];

/// Nodes, weights and integration matrix on the unit interval.
pub(super) struct Rule {
    pub nodes: NodeValues,
    weights: NodeValues,
    /// Column j holds ∫₀^(xᵢ) ℓⱼ for every i, so that an integration is a sum of columns.
    columns: [NodeValues; POINTS],
    /// Rows that give the two highest Legendre coefficients when multiplied by the values.
    highest: [NodeValues; 2],
    /// Barycentric weights.
    barycentric: NodeValues,
}

/// Computes the Legendre polynomials P₀ … P_(COUNT−1) at x.
pub(super) fn legendre<const COUNT: usize>(x: f64) -> [f64; COUNT] {
    let mut p = [1.0; COUNT];
    p[1] = x;
    for k in 1..COUNT - 1 {
        let degree = k as f64;
        p[k + 1] = ((2.0 * degree + 1.0) * x * p[k] - degree * p[k - 1]) / (degree + 1.0);
    }
    p
}

/// Returns the rule, which is computed once.
#[inline(always)]
pub(super) fn rule() -> &'static Rule {
    static RULE: OnceLock<Rule> = OnceLock::new();
    RULE.get_or_init(|| {
        let n = POINTS as f64;
        let mut roots = [0.0; POINTS];
        let mut weights = [0.0; POINTS];
        for (i, root) in roots.iter_mut().enumerate() {
            // Newton's iteration from Tricomi's estimate, beginning with the smallest root.
            let mut x = -(std::f64::consts::PI * (i as f64 + 0.75) / (n + 0.5)).cos();
            for _ in 0..20 {
                let p: [f64; POINTS + 1] = legendre(x);
                let slope = n * (x * p[POINTS] - p[POINTS - 1]) / (x * x - 1.0);
                x -= p[POINTS] / slope;
            }
            let p: [f64; POINTS + 1] = legendre(x);
            let slope = n * (x * p[POINTS] - p[POINTS - 1]) / (x * x - 1.0);
            *root = x;
            weights[i] = 2.0 / ((1.0 - x * x) * slope * slope);
        }
        let values = roots.map(legendre::<{ POINTS + 1 }>);
        let mut columns = [[0.0; POINTS]; POINTS];
        let mut highest = [[0.0; POINTS]; 2];
        let mut barycentric = [0.0; POINTS];
        for j in 0..POINTS {
            for i in 0..POINTS {
                // ℓⱼ = Σ_k (2k+1)/2·wⱼ·P_k(xⱼ)·P_k and ∫P_k = (P_(k+1) − P_(k−1))/(2k+1).
                let mut sum = 0.5 * (1.0 + roots[i]);
                for k in 1..POINTS {
                    sum += 0.5 * values[j][k] * (values[i][k + 1] - values[i][k - 1]);
                }
                columns[j][i] = 0.5 * weights[j] * sum;
            }
            for (row, k) in [(0, POINTS - 1), (1, POINTS - 2)] {
                highest[row][j] = 0.5 * (2 * k + 1) as f64 * weights[j] * values[j][k];
            }
            let alternate = if j % 2 == 0 { 1.0 } else { -1.0 };
            barycentric[j] = alternate * ((1.0 - roots[j] * roots[j]) * weights[j]).sqrt();
        }
        Rule {
            nodes: roots.map(|x| 0.5 * (1.0 + x)),
            weights: weights.map(|w| 0.5 * w),
            columns,
            highest,
            barycentric,
        }
    })
}

impl Rule {
    /// Computes start + h·∫₀^(xᵢ) of the polynomial through `slope`, at every node xᵢ.
    #[inline(always)]
    pub fn integrate(&self, start: f64, h: f64, slope: &NodeValues) -> NodeValues {
        let mut out = [0.0; POINTS];
        for j in 0..POINTS {
            for i in 0..POINTS {
                out[i] += self.columns[j][i] * slope[j];
            }
        }
        out.map(|sum| start + h * sum)
    }

    /// Computes ∫₀¹ of the polynomial through `slope`.
    #[inline(always)]
    pub fn total(&self, slope: &NodeValues) -> f64 {
        let mut sum = 0.0;
        for j in 0..POINTS {
            sum += self.weights[j] * slope[j];
        }
        sum
    }

    /// Computes the sum of the magnitudes of the two highest Legendre coefficients, an estimate of what the panel
    /// does not resolve.
    #[inline(always)]
    pub fn highest_coefficients(&self, slope: &NodeValues) -> f64 {
        let (mut a, mut b) = (0.0, 0.0);
        for j in 0..POINTS {
            a += self.highest[0][j] * slope[j];
            b += self.highest[1][j] * slope[j];
        }
        f64::abs(a) + f64::abs(b)
    }

    /// Evaluates the polynomial through the values at x in [0, 1].
    pub fn interpolate(&self, values: &NodeValues, x: f64) -> f64 {
        let (mut above, mut below) = (0.0, 0.0);
        for j in 0..POINTS {
            let distance = x - self.nodes[j];
            if distance == 0.0 {
                return values[j];
            }
            let weight = self.barycentric[j] / distance;
            above += weight * values[j];
            below += weight;
        }
        above / below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_integrates_and_interpolates_polynomials() {
        let rule = rule();
        for degree in 0..2 * POINTS {
            let values = rule.nodes.map(|x| x.powi(degree as i32));
            let exact = 1.0 / (degree + 1) as f64;
            assert!((rule.total(&values) - exact).abs() < 1e-15, "degree {degree}");
            if degree < POINTS {
                let integrals = rule.integrate(0.0, 1.0, &values);
                for (x, integral) in rule.nodes.iter().zip(integrals) {
                    assert!((integral - exact * x.powi(degree as i32 + 1)).abs() < 1e-15);
                }
                let at = rule.interpolate(&values, 0.3);
                assert!((at - 0.3f64.powi(degree as i32)).abs() < 1e-14, "degree {degree}");
            }
        }
    }
}
