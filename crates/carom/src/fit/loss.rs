//! Robust loss functions, which limit the influence of outliers.
//!
//! With z = (r/s)² and s the spread of the residuals without outliers, the sum of s²·ρ(z) is minimised:
//!
//! | loss | ρ(z) | a large residual counts as |
//! |---|---|---|
//! | squares | z | its square |
//! | huber | z below 1, 2√z − 1 above | its absolute value |
//! | soft-l1 | 2(√(1+z) − 1) | its absolute value |
//! | cauchy | ln(1 + z) | its logarithm |
//!
//! Reference: P. J. Huber, Robust Statistics, Wiley 1981; the functions are those of B. Triggs et al., Bundle
//! adjustment: a modern synthesis, LNCS 1883 (2000) 298.

use crate::numeric::median::median;
use serde::{Deserialize, Serialize};

/// Loss function, which determines how much a residual counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Loss {
    /// The square of the residual: best for normally distributed noise.
    #[default]
    Squares,
    /// The square of small residuals, the absolute value of large ones.
    Huber,
    /// A smooth transition from the square to the absolute value.
    SoftL1,
    /// The logarithm of large residuals: outliers have little influence.
    Cauchy,
}

names! {
    Loss { Squares = "squares", Huber = "huber", SoftL1 = "soft-l1", Cauchy = "cauchy", }
    parsed as "loss"
}

impl Loss {
    /// Returns ρ and its derivative.
    fn value_and_slope(self, z: f64) -> (f64, f64) {
        match self {
            Self::Squares => (z, 1.0),
            Self::Huber if z <= 1.0 => (z, 1.0),
            Self::Huber => (2.0 * z.sqrt() - 1.0, 1.0 / z.sqrt()),
            Self::SoftL1 => (2.0 * ((1.0 + z).sqrt() - 1.0), 1.0 / (1.0 + z).sqrt()),
            Self::Cauchy => (z.ln_1p(), 1.0 / (1.0 + z)),
        }
    }

    /// Returns the cost Σ s²·ρ.
    pub(super) fn cost(self, residuals: &[f64], scale: f64) -> f64 {
        let square = scale * scale;
        match self {
            Self::Squares => residuals.iter().map(|r| r * r).sum(),
            _ => residuals.iter().map(|r| square * self.value_and_slope(r * r / square).0).sum(),
        }
    }

    /// Returns Σψ²/(N − k)/(mean of ψ′)², with ψ = r·ρ′(z) the influence of a residual: the variance that replaces s²
    /// in the covariance of the parameters (Huber 1981, section 7.6). For squares it is Σr²/(N − k).
    pub(super) fn variance(self, residuals: &[f64], scale: f64, free: usize) -> f64 {
        let spare = (residuals.len() as f64 - free as f64).max(1.0);
        let (mut pulls, mut slopes) = (0.0, 0.0);
        for r in residuals {
            let z = (r / scale).powi(2);
            let slope = self.value_and_slope(z).1;
            pulls += (r * slope).powi(2);
            // ψ′ = ρ′ + 2z·ρ″.
            slopes += match self {
                Self::Squares => 1.0,
                Self::Huber => f64::from(u8::from(z <= 1.0)),
                Self::SoftL1 => slope.powi(3),
                Self::Cauchy => (1.0 - z) * slope * slope,
            };
        }
        let mean = (slopes / residuals.len().max(1) as f64).max(1e-3);
        pulls / spare / (mean * mean)
    }

    /// Returns √ρ′ of every residual; `None` if all weights are 1.
    pub(super) fn weights(self, residuals: &[f64], scale: f64) -> Option<Vec<f64>> {
        let square = scale * scale;
        match self {
            Self::Squares => None,
            _ => Some(
                residuals.iter().map(|r| self.value_and_slope(r * r / square).1.sqrt()).collect(),
            ),
        }
    }
}

/// Returns residuals, or a column of their derivatives, multiplied by the weights.
pub(super) fn weight_rows(column: &[f64], weights: Option<&[f64]>) -> Vec<f64> {
    match weights {
        Some(weights) => column.iter().zip(weights).map(|(x, weight)| x * weight).collect(),
        None => column.to_vec(),
    }
}

/// Returns the spread of the residuals by their median, 1.4826·median|r|, which tolerates up to half of them being
/// outliers.
pub(super) fn robust_deviation(residuals: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = residuals.iter().map(|r| r.abs()).collect();
    1.4826 * median(&mut sizes)
}
