//! Numbers printed in Ramaswamy & Humbert (University of Colorado Boulder, undated). They are data for comparison only; nothing is
//! computed from them.

/// α and β of Eq. 14.
pub const CURVATURE: [f64; 2] = [1.381, 0.451];

/// a, b, c, d, f, g, h, i, j, k of Eq. 23.
pub const DURATION: [f64; 10] =
    [0.180, 0.880, 0.853, 1.018, 0.461, 1.434, 0.864, 0.771, 0.023, 2.695];

/// "Relative error" of Eq. 17 over 0.01 ≤ e ≤ 1, in %.
pub const RESTITUTION_ERROR: &str = "0.062";

/// "Relative error" of Eq. 23 over 0 ≤ ε ≤ 10, 1 ≤ n ≤ 5, in %.
pub const DURATION_ERROR: &str = "0.237";
