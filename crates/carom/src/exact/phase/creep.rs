//! Creeping restitution: the slow manifold of strong damping.
//!
//! If damping is so strong that inertia is nearly negligible (m > n, small q and low restitution), the flow of
//! `phase.rs` follows Q → 1, D = 1 − Q ∝ c, and the number of explicit steps would be about 1/c. With ℓ = −ϑ, so that
//! c/s = e^(2ℓ), and R = D/c the manifold is smooth,
//!
//! dR/dℓ = (Q/c)·[2κQ/R − (qs − 2μc)] − 2sR,   Q = 1 − cR,   R → 2κ/q for c → 0,
//!
//! but the equation is stiff. It is therefore integrated by collocation at Radau points, which damp stiff transients
//! completely. The energy follows from the state without integration, κw = ln Q − ln ε̂₀ − μ ln s − (q/2) ln c, and
//! so does P. The previous motion has no influence, so that ∂w/∂ln ε = −1/κ.

use super::super::gauss::legendre;
use super::flow::Flow;
use crate::numeric::linear::solve;
use crate::numeric::root;
use std::sync::OnceLock;

/// Number of collocation points in a panel; the order is 2·POINTS − 1.
const POINTS: usize = 8;

type Matrix = [[f64; POINTS]; POINTS];

/// Radau points on (0, 1] and their integration matrix, whose last row contains the weights.
struct Radau {
    nodes: [f64; POINTS],
    integrate: Matrix,
}

fn radau() -> &'static Radau {
    static RADAU: OnceLock<Radau> = OnceLock::new();
    RADAU.get_or_init(|| {
        // Roots of P_N − P_(N−1) on (−1, 1]: x = 1 and one in each bracket found on a fine grid.
        let f = |x: f64| {
            let p: [f64; POINTS + 1] = legendre(x);
            p[POINTS] - p[POINTS - 1]
        };
        let mut roots = [1.0; POINTS];
        let mut found = 0;
        let grid = |i: usize| -(std::f64::consts::PI * i as f64 / 400.0).cos();
        for i in 0..399 {
            if let Some(root) = root::find(grid(i), grid(i + 1), 0.0, f)
                && found < POINTS - 1
            {
                roots[found] = root;
                found += 1;
            }
        }
        // The rows satisfy Σⱼ Aᵢⱼ P_k(xⱼ) = ∫ P_k from −1 to xᵢ, halved for the unit interval.
        let values = roots.map(legendre::<{ POINTS + 1 }>);
        let mut integrate = [[0.0; POINTS]; POINTS];
        for i in 0..POINTS {
            let mut matrix = [[0.0; POINTS]; POINTS];
            let mut right = [0.0; POINTS];
            for k in 0..POINTS {
                for j in 0..POINTS {
                    matrix[k][j] = values[j][k];
                }
                let below = if k == 0 { -1.0 } else { values[i][k - 1] };
                right[k] = 0.5 * (values[i][k + 1] - below) / (2 * k + 1) as f64;
            }
            integrate[i] = solve(matrix, right);
        }
        Radau { nodes: roots.map(|x| 0.5 * (1.0 + x)), integrate }
    })
}

/// State where the motion leaves the slow manifold.
#[derive(Clone, Copy)]
pub struct ManifoldEnd {
    pub s: f64,
    pub c: f64,
    /// (1 − Q)/c.
    pub ratio: f64,
    pub w: f64,
    /// P, the time per unit of phase.
    pub pace: f64,
    /// Time spent creeping.
    pub time: f64,
}

impl Flow {
    /// Computes the exponent by which a deviation from the manifold decays while c doubles.
    pub fn contraction(&self, c: f64) -> f64 {
        self.exponents.q * self.exponents.q / (4.0 * self.kappa * c)
    }

    /// Computes the ratio R on the manifold to first order.
    pub fn manifold_ratio(&self, c: f64) -> f64 {
        2.0 * self.kappa / (self.exponents.q - 2.0 * c)
    }

    /// Computes w = ln 2E.
    fn energy(&self, s: f64, c: f64, ratio: f64) -> f64 {
        let ln_strength = (-c * ratio).ln_1p();
        (ln_strength - self.ln_strength - self.mu * s.ln() - 0.5 * self.exponents.q * c.ln())
            / self.kappa
    }

    /// Computes P, the time per unit of phase.
    pub fn pace(&self, s: f64, c: f64, w: f64) -> f64 {
        let n1 = self.exponents.n + 1.0;
        2.0 / n1 * (0.5 * n1 * s).powf(1.0 / n1) * c.sqrt() * (-self.alpha * w).exp()
    }

    /// Follows the manifold until inertia is relevant again (c·R > 0.05 or c > 0.3); `None` if collocation fails.
    pub fn creep(&self, mut c: f64, mut ratio: f64, mut pace: f64) -> Option<ManifoldEnd> {
        let mut time = 0.0;
        // Below this c the manifold is a power law to the last digit, P ∝ c^(½+α/R).
        let power_law = 1e-17 * self.exponents.q * self.exponents.q / self.kappa;
        if c < power_law {
            ratio = 2.0 * self.kappa / self.exponents.q;
            let span = (power_law / c).ln();
            let growth = self.alpha / ratio - 0.5;
            let integral = match (growth * span).abs() < 1e-8 {
                true => span,
                false => (growth * span).exp_m1() / growth,
            };
            time += pace / (2.0 * ratio * c) * integral;
            pace *= ((growth + 1.0) * span).exp();
            c = power_law;
        }
        let mut l = 0.5 * (c / (1.0 - c)).ln();
        let mut h = 0.5;
        for _ in 0..10_000 {
            let s = 1.0 - c;
            if c * ratio > 0.05 || c > 0.3 {
                let w = self.energy(s, c, ratio);
                return Some(ManifoldEnd { s, c, ratio, w, pace, time });
            }
            match self.creep_panel(l, ratio, h) {
                None => {
                    h *= 0.5;
                    if h < 1e-4 {
                        return None;
                    }
                }
                Some((next, spent)) => {
                    time += spent;
                    l += h;
                    c = 1.0 / (1.0 + (-2.0 * l).exp());
                    ratio = next;
                    pace = self.pace(1.0 - c, c, self.energy(1.0 - c, c, ratio));
                    h = (1.5 * h).min(0.5);
                }
            }
        }
        None
    }

    /// Solves one panel from ℓ to ℓ + h; returns the ratio at its end and the time it takes.
    fn creep_panel(&self, l: f64, start: f64, h: f64) -> Option<(f64, f64)> {
        let Radau { nodes, integrate } = radau();
        let c = nodes.map(|x| 1.0 / (1.0 + (-2.0 * (l + x * h)).exp()));
        let mut ratio = [start; POINTS];
        for _ in 0..40 {
            let mut slope = [0.0; POINTS];
            let mut tangent = [0.0; POINTS];
            for j in 0..POINTS {
                let (c, s, r) = (c[j], 1.0 - c[j], ratio[j]);
                let strength = 1.0 - c * r;
                let drive =
                    2.0 * self.kappa * strength / r - (self.exponents.q * s - 2.0 * self.mu * c);
                slope[j] = strength / c * drive - 2.0 * s * r;
                tangent[j] = -drive
                    - strength / c * 2.0 * self.kappa * (strength / (r * r) + c / r)
                    - 2.0 * s;
            }
            let mut matrix = [[0.0; POINTS]; POINTS];
            let mut right = [0.0; POINTS];
            for i in 0..POINTS {
                right[i] = start - ratio[i];
                for j in 0..POINTS {
                    right[i] += h * integrate[i][j] * slope[j];
                    matrix[i][j] = -h * integrate[i][j] * tangent[j];
                }
                matrix[i][i] += 1.0;
            }
            let change = solve(matrix, right);
            let mut largest = 0.0f64;
            for j in 0..POINTS {
                // `clamp` is not used because it panics on NaN, which the check of `largest` below detects.
                let limited = change[j].max(-0.5 * ratio[j]).min(ratio[j]);
                ratio[j] += limited;
                largest = largest.max((change[j] / ratio[j]).abs());
            }
            if !largest.is_finite() {
                return None;
            }
            if largest < 1e-14 {
                break;
            }
        }
        let mut spent = 0.0;
        for j in 0..POINTS {
            let (c, s, r) = (c[j], 1.0 - c[j], ratio[j]);
            if c * r >= 1.0 {
                return None;
            }
            let pace = self.pace(s, c, self.energy(s, c, r));
            spent += h * integrate[POINTS - 1][j] * pace / (c * r);
        }
        Some((ratio[POINTS - 1], spent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radau_points_integrate_polynomials_of_full_degree() {
        let Radau { nodes, integrate } = radau();
        assert_eq!(nodes[POINTS - 1], 1.0);
        for degree in 0..2 * POINTS - 1 {
            let sum: f64 =
                (0..POINTS).map(|j| integrate[POINTS - 1][j] * nodes[j].powi(degree as i32)).sum();
            assert!((sum * (degree + 1) as f64 - 1.0).abs() < 1e-13, "degree {degree}: {sum}");
        }
    }
}
