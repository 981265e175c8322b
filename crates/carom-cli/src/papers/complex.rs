//! What a negative rate to a broken power does in complex arithmetic.
//!
//! In restitution δ̇ < 0, and δ̇^q for a q that is no integer has no real value: the law needs
//! |δ̇|^q·sgn δ̇. A program that computes with complex numbers gives instead, without a complaint,
//! (−|v|)^q = |v|^q·(cos πq + i·sin πq), carries a complex motion on, and a modulus at the end hides
//! it. This module commits that error on purpose, because printed tables depend on it: for q = 0.9 and
//! 1.1 the damper does cos πq = −0.951 of its work in restitution, for q = 3/2 none at all.

use carom::exact::{Exponents, outcome};
use carom::{Exit, Result};
use num_complex::Complex64 as Complex;

/// The end of x″ + xⁿ + ε·xᵐ·(x′)^q = 0 with a complex power.
pub struct End {
    /// |x′| where Re x returns to 0, over the impact speed of 1.
    pub restitution: f64,
    /// When that is.
    pub duration: f64,
    /// Re x and the real part of the force on the way back.
    pub course: Vec<(f64, f64)>,
}

/// Steps of restitution; four digits more than the tables print.
const STEPS: usize = 2000;

/// Restitution and duration of an impact whose restitution is computed with complex powers.
///
/// Compression is real and taken from the library; restitution is followed by Runge and Kutta's
/// classical method in the time of its square, since v^q is not smooth at the turn.
pub fn impact(exponents: Exponents, epsilon: f64) -> Result<Option<End>> {
    let Some(turn) = outcome(exponents, Exit::ZeroIndentation, epsilon)? else { return Ok(None) };
    let Exponents { n, m, q } = exponents;
    let force = |x: Complex, v: Complex| x.powf(n) + x.powf(m) * v.powf(q) * epsilon;
    // t = s², so that the first steps are short: dx/ds = 2s·v, dv/ds = −2s·F.
    let slope = |s: f64, [x, v]: [Complex; 2]| [v * (2.0 * s), force(x, v) * (-2.0 * s)];
    let rest = turn.duration - turn.time_of_indentation_max;
    let h = (2.0 * rest).sqrt() / STEPS as f64;
    let along =
        |[x, v]: [Complex; 2], [dx, dv]: [Complex; 2], step: f64| [x + dx * step, v + dv * step];
    let mut state = [Complex::from(turn.indentation_max), Complex::from(0.0)];
    let mut course = Vec::new();
    for i in 0..4 * STEPS {
        let s = h * i as f64;
        if i % 20 == 0 {
            course.push((state[0].re, force(state[0], state[1]).re));
        }
        let a = slope(s, state);
        let b = slope(s + 0.5 * h, along(state, a, 0.5 * h));
        let c = slope(s + 0.5 * h, along(state, b, 0.5 * h));
        let d = slope(s + h, along(state, c, h));
        let mean = [0, 1].map(|k| (a[k] + (b[k] + c[k]) * 2.0 + d[k]) * (1.0 / 6.0));
        let next = along(state, mean, h);
        if next[0].re <= 0.0 {
            // Within the last step the motion is straight to seven digits.
            let share = state[0].re / (state[0].re - next[0].re);
            let speed = state[1] * (1.0 - share) + next[1] * share;
            let s = s + share * h;
            course.push((0.0, 0.0));
            return Ok(Some(End {
                restitution: speed.norm(),
                duration: turn.time_of_indentation_max + s * s,
                course,
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
    fn broken_powers_lose_damping_as_found_by_an_independent_integration() {
        // n = 3/2, m, q, ε, |e|: recomputed with another integrator.
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
