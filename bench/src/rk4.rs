//! The method of the papers: the classical Runge–Kutta method with a fixed step.

use crate::problem::{Metrics, Scaled, ScaledForce};

#[inline(always)]
fn step(pull: &impl ScaledForce, x: f64, u: f64, h: f64) -> (f64, f64) {
    let a1 = -pull.force(x, u);
    let (x2, u2) = (x + 0.5 * h * u, u + 0.5 * h * a1);
    let a2 = -pull.force(x2, u2);
    let (x3, u3) = (x + 0.5 * h * u2, u + 0.5 * h * a2);
    let a3 = -pull.force(x3, u3);
    let (x4, u4) = (x + h * u3, u + h * a3);
    let a4 = -pull.force(x4, u4);
    (x + h / 6.0 * (u + 2.0 * (u2 + u3) + u4), u + h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4))
}

/// Computes an impact with steps of `seconds` until the force no longer pushes; the largest values are those at the steps.
pub fn impact(pull: &impl ScaledForce, scaled: &Scaled, seconds: f64) -> Metrics {
    let h = seconds / scaled.time;
    let (mut x, mut u, mut steps) = (0.0f64, 1.0f64, 0u32);
    let (mut deepest, mut strongest) = (0.0f64, 0.0f64);
    loop {
        let (next_x, next_u) = step(pull, x, u, h);
        let force = pull.force(next_x, next_u);
        if next_u < 0.0 && force <= 0.0 {
            // The end lies within this step, which is so short that linear interpolation suffices.
            let (before, after) = (pull.end(x, u), pull.end(next_x, next_u));
            let part = before / (before - after);
            let end = u + part * (next_u - u);
            let duration = (f64::from(steps) + part) * h;
            return scaled.metrics(-end, duration, strongest, deepest);
        }
        (x, u) = (next_x, next_u);
        deepest = deepest.max(x);
        strongest = strongest.max(force);
        steps += 1;
    }
}

/// Computes the motion at `points` equally spaced instants, with `fine` steps between two of them.
pub fn motion(
    pull: &impl ScaledForce,
    scaled: &Scaled,
    duration: f64,
    points: usize,
    fine: usize,
) -> Vec<f64> {
    let h = duration / scaled.time / ((points - 1) * fine) as f64;
    let (mut x, mut u) = (0.0, 1.0);
    let mut out = vec![0.0];
    for _ in 1..points {
        for _ in 0..fine {
            (x, u) = step(pull, x, u, h);
        }
        out.push(x * scaled.length);
    }
    out
}

/// Number of impacts computed side by side with the same steps, so that the compiler uses vector instructions.
pub const LANE_COUNT: usize = 16;

/// Returns e, largest force and largest indentation of `LANE_COUNT` impacts with n = m = 3/2 and q = 1.
///
/// The durations are given, so that the end of contact need not be located in each lane. There are no branches, and no powers
/// except a square root.
#[inline(always)]
pub fn lanes(
    epsilon: &[f64; LANE_COUNT],
    duration: &[f64; LANE_COUNT],
    steps: usize,
) -> [[f64; LANE_COUNT]; 3] {
    let accelerate = |x: f64, u: f64, epsilon: f64| {
        let depth = if x > 0.0 { x } else { 0.0 };
        -depth * depth.sqrt() * (1.0 + epsilon * u)
    };
    let (mut x, mut u) = ([0.0; LANE_COUNT], [1.0; LANE_COUNT]);
    let (mut deepest, mut strongest) = ([0.0f64; LANE_COUNT], [0.0f64; LANE_COUNT]);
    let mut h = [0.0; LANE_COUNT];
    for i in 0..LANE_COUNT {
        h[i] = duration[i] / steps as f64;
    }
    for _ in 0..steps {
        for i in 0..LANE_COUNT {
            let (h, epsilon) = (h[i], epsilon[i]);
            let a1 = accelerate(x[i], u[i], epsilon);
            let (x2, u2) = (x[i] + 0.5 * h * u[i], u[i] + 0.5 * h * a1);
            let a2 = accelerate(x2, u2, epsilon);
            let (x3, u3) = (x[i] + 0.5 * h * u2, u[i] + 0.5 * h * a2);
            let a3 = accelerate(x3, u3, epsilon);
            let (x4, u4) = (x[i] + h * u3, u[i] + h * a3);
            let a4 = accelerate(x4, u4, epsilon);
            strongest[i] = if -a1 > strongest[i] { -a1 } else { strongest[i] };
            x[i] += h / 6.0 * (u[i] + 2.0 * (u2 + u3) + u4);
            u[i] += h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
            deepest[i] = if x[i] > deepest[i] { x[i] } else { deepest[i] };
        }
    }
    [u.map(|u| -u), strongest, deepest]
}
