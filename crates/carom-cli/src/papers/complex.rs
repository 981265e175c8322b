//! Impacts with a fractional power of a negative rate, computed in complex arithmetic.
//!
//! In restitution δ̇ < 0, and δ̇^q has no real value unless q is an integer; the law requires |δ̇|^q·sgn δ̇. A program that
//! computes with complex numbers obtains (−|v|)^q = |v|^q·(cos πq + i·sin πq) without an error message and continues with a complex
//! motion; taking the modulus at the end hides the error. This module repeats that error, because printed tables depend on it: for
//! q = 0.9 and 1.1 the damping force in restitution is multiplied by −cos πq = 0.951, for q = 3/2 by zero.

use carom::exact::{Exponents, outcome};
use carom::{Exit, Result};
use num_complex::Complex64 as Complex;

/// End of the motion x″ + xⁿ + ε·xᵐ·(x′)^q = 0 with a complex power.
pub struct ComplexImpact {
    /// |x′| at the return of Re x to 0; the approach speed is 1.
    pub restitution: f64,
    /// Time of that return.
    pub duration: f64,
    /// Re x and the real part of the force during restitution.
    pub unloading: Vec<(f64, f64)>,
}

/// Number of integration steps during restitution; the result has four digits more than the tables print.
const STEPS: usize = 2000;

/// Computes restitution and duration of an impact whose restitution phase is computed with complex powers.
///
/// The compression phase is real and comes from the library. The restitution phase is integrated with the classical Runge–Kutta
/// method in s = √t, since v^q is not smooth at the largest indentation.
pub fn impact(exponents: Exponents, epsilon: f64) -> Result<Option<ComplexImpact>> {
    let Some(turn) = outcome(exponents, Exit::ZeroIndentation, epsilon)? else { return Ok(None) };
    let Exponents { n, m, q } = exponents;
    let force = |x: Complex, v: Complex| x.powf(n) + x.powf(m) * v.powf(q) * epsilon;
    // With t = s², so that the first steps are short: dx/ds = 2s·v, dv/ds = −2s·F.
    let slope = |s: f64, [x, v]: [Complex; 2]| [v * (2.0 * s), force(x, v) * (-2.0 * s)];
    let rest = turn.duration - turn.time_of_indentation_max;
    let h = (2.0 * rest).sqrt() / STEPS as f64;
    let along =
        |[x, v]: [Complex; 2], [dx, dv]: [Complex; 2], step: f64| [x + dx * step, v + dv * step];
    let mut state = [Complex::from(turn.indentation_max), Complex::from(0.0)];
    let mut unloading = Vec::new();
    for i in 0..4 * STEPS {
        let s = h * i as f64;
        if i % 20 == 0 {
            unloading.push((state[0].re, force(state[0], state[1]).re));
        }
        let a = slope(s, state);
        let b = slope(s + 0.5 * h, along(state, a, 0.5 * h));
        let c = slope(s + 0.5 * h, along(state, b, 0.5 * h));
        let d = slope(s + h, along(state, c, h));
        let mean = [0, 1].map(|k| (a[k] + (b[k] + c[k]) * 2.0 + d[k]) * (1.0 / 6.0));
        let next = along(state, mean, h);
        if next[0].re <= 0.0 {
            // Linear interpolation within the last step is accurate to seven digits.
            let share = state[0].re / (state[0].re - next[0].re);
            let speed = state[1] * (1.0 - share) + next[1] * share;
            let s = s + share * h;
            unloading.push((0.0, 0.0));
            return Ok(Some(ComplexImpact {
                restitution: speed.norm(),
                duration: turn.time_of_indentation_max + s * s,
                unloading,
            }));
        }
        state = next;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn for_viscous_damping_the_complex_power_is_the_real_one() {
        let exponents = Exponents::new(1.5, 1.2, 1.0).unwrap();
        let real = outcome(exponents, Exit::ZeroIndentation, 0.4).unwrap().unwrap();
        let end = impact(exponents, 0.4).unwrap().unwrap();
        assert!((end.restitution - real.restitution).abs() < 1e-6, "{}", end.restitution);
        assert!((end.duration / real.duration - 1.0).abs() < 1e-6, "{}", end.duration);
    }

    #[test]
    fn fractional_powers_lose_damping_as_found_by_an_independent_integration() {
        // n = 3/2; m, q, ε and |e|, the last recomputed with another integrator.
        for (m, q, epsilon, e) in [
            (1.2, 0.9, 0.160040, 0.88856),
            (1.2, 1.1, 0.173189, 0.88802),
            (1.8, 0.9, 0.516810, 0.76654),
            (1.8, 1.1, 0.570786, 0.76731),
        ] {
            let end = impact(Exponents::new(1.5, m, q).unwrap(), epsilon).unwrap().unwrap();
            assert!((end.restitution - e).abs() < 1.1e-5, "{m} {q}: {}", end.restitution);
        }
    }
}
