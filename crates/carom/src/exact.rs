//! Exact restitution: ε(e) and e(ε) for every power law.

use crate::error::{Result, within};
use crate::law::Exit;

/// The exponents of K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponents {
    /// n, in [1, 5].
    pub n: f64,
    /// m, in [0, 5].
    pub m: f64,
    /// q, in (0, 3].
    pub q: f64,
}

impl Exponents {
    /// Checks the ranges.
    pub fn new(n: f64, m: f64, q: f64) -> Result<Self> {
        within("exponent", n, 1.0, 5.0, "n of K*delta^n; 3/2 is Hertz's point contact")?;
        within("damping_exponent", m, 0.0, 5.0, "m of c*delta^m*rate^q; m = n for Hunt-Crossley laws")?;
        within("rate_exponent", q, 1e-3, 3.0, "q of c*delta^m*rate^q; 1 is viscous")?;
        Ok(Self { n, m, q })
    }
}

/// The ε that delivers the restitution `e` under this exit.
pub fn epsilon(_exponents: Exponents, _exit: Exit, _e: f64) -> Result<f64> {
    Err(crate::Error::unsupported("exact", "work in progress"))
}

/// The ε that delivers `e` when the damper acts in compression only.
pub fn compression_epsilon(_exponents: Exponents, _e: f64) -> Result<f64> {
    Err(crate::Error::unsupported("exact", "work in progress"))
}
