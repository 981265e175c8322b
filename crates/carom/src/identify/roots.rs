//! All roots of a smooth function of ε that need not be monotonic.
//!
//! The axis is scanned from ε = 0 to the strongest damping of interest, with a density that increases towards the
//! end, where the curves of laws that creep become steep. A change of sign indicates a root. If the distance to the
//! target has a minimum between neighbouring points that might cross zero, the extremum is located first, so that two
//! close roots are not missed.

use crate::error::Result;
use crate::numeric::extremum::try_minimum;
use crate::numeric::root::Bracket;

/// Number of points of the scan above ε = 0.
const SCAN_POINTS: usize = 128;
/// First ε of the scan above 0.
const MIN_EPSILON: f64 = 1e-8;
/// Measure of the increase of the density of points towards ε_max: the points are ε_max·exp(−w) with w ∝
/// sinh(CROWDING·t) and equally spaced t.
const DENSITY_INCREASE: f64 = 10.0;
/// Accuracy of the position of an extremum, as a fraction of ε; its value is stationary there and therefore exact to
/// rounding.
const EXTREMUM_TOLERANCE: f64 = 1e-9;
/// Difference from the target below which it is regarded as rounding.
const ROUNDING: f64 = 2e-14;

/// Result of a search.
pub struct RootSearch {
    /// All roots in increasing order.
    pub roots: Vec<f64>,
    /// Smallest and largest value of the function in the range searched; computed only if there is no root.
    pub range: (f64, f64),
}

/// Finds all ε in [0, `highest`] at which `curve` equals `target`.
pub fn find_roots(
    curve: impl Fn(f64) -> Result<f64>,
    target: f64,
    highest: f64,
) -> Result<RootSearch> {
    let miss = |epsilon: f64| Ok(curve(epsilon)? - target);
    let span = (highest / MIN_EPSILON).ln();
    let mut points = vec![(0.0, miss(0.0)?)];
    for j in (0..SCAN_POINTS).rev() {
        let t = j as f64 / (SCAN_POINTS - 1) as f64;
        let epsilon =
            highest * (-span * (DENSITY_INCREASE * t).sinh() / DENSITY_INCREASE.sinh()).exp();
        points.push((epsilon, miss(epsilon)?));
    }
    let mut extended = points.clone();
    for window in points.windows(3) {
        let [a, b, c] = [window[0], window[1], window[2]];
        let sign = b.1.signum();
        let is_minimum = sign * b.1 < sign * a.1 && sign * b.1 <= sign * c.1;
        let near = b.1.abs() < (a.1 - b.1).abs().max((c.1 - b.1).abs());
        if is_minimum && near && sign * a.1 > 0.0 && sign * c.1 > 0.0 {
            let width = EXTREMUM_TOLERANCE * c.0;
            let extremum =
                try_minimum(a.0, c.0, None, width, 0.0, |epsilon| Ok(sign * miss(epsilon)?))?;
            extended.push((extremum.0, sign * extremum.1));
        }
    }
    extended.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut roots: Vec<f64> = Vec::new();
    for (i, &(epsilon, value)) in extended.iter().enumerate() {
        // A point is itself a root if the value is zero, or zero within rounding without a change of sign next to it.
        let crosses = |other: Option<&(f64, f64)>| other.is_some_and(|o| o.1 * value < 0.0);
        let next = extended.get(i + 1);
        let before = i.checked_sub(1).and_then(|i| extended.get(i));
        let lone = value.abs() < ROUNDING && !crosses(next) && !crosses(before);
        if value == 0.0 || lone {
            roots.push(epsilon);
        } else if let Some(&end) = next
            && crosses(next)
        {
            let bracket = Bracket { a: (epsilon, value), b: end };
            roots.push(bracket.try_narrow(0.0, 0.0, miss)?.best());
        }
    }
    roots.dedup_by(|b, a| (*b - *a).abs() <= 1e-12 * *b);
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    if roots.is_empty() {
        let least = least_value(miss, &points, 1.0)?;
        range = (target + least, target - least_value(miss, &points, -1.0)?);
    }
    Ok(RootSearch { roots, range })
}

/// Computes the least value of `sign`·f between the neighbours of the point at which it is least.
fn least_value(f: impl Fn(f64) -> Result<f64>, points: &[(f64, f64)], sign: f64) -> Result<f64> {
    let value = |point: &(f64, f64)| sign * point.1;
    let at = (0..points.len()).min_by(|&i, &j| value(&points[i]).total_cmp(&value(&points[j])));
    let at = at.unwrap_or(0);
    let (low, high) = (at.saturating_sub(1), (at + 1).min(points.len() - 1));
    let width = EXTREMUM_TOLERANCE * points[high].0;
    let function = |epsilon: f64| Ok(sign * f(epsilon)?);
    let inside =
        try_minimum(points[low].0, points[high].0, None, width, f64::NEG_INFINITY, function)?;
    Ok(inside.1.min(value(&points[at])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_roots_of_a_dip_between_points_are_found() {
        // The function (ε−1)² has its minimum between points of the scan.
        let dip = |x: f64| Ok((x - 1.0) * (x - 1.0));
        for gap in [0.3, 1e-2, 1e-4] {
            let found = find_roots(dip, gap * gap, 50.0).unwrap();
            assert_eq!(found.roots.len(), 2, "{:?}", found.roots);
            assert!((found.roots[0] - 1.0 + gap).abs() < 1e-9);
            assert!((found.roots[1] - 1.0 - gap).abs() < 1e-9);
        }
        let found = find_roots(dip, -0.1, 50.0).unwrap();
        assert!(found.roots.is_empty());
        assert!(found.range.0.abs() < 1e-9 && (found.range.1 - 2401.0).abs() < 1e-9);
    }

    #[test]
    fn the_undamped_end_is_a_root_of_its_own() {
        let found = find_roots(|x| Ok(3.0 + x), 3.0, 10.0).unwrap();
        assert_eq!(found.roots, [0.0]);
        let found = find_roots(|x| Ok(3.0 + x), 3.0 + 1e-10, 10.0).unwrap();
        assert!((found.roots[0] - 1e-10).abs() < 1e-14, "{:?}", found.roots);
    }
}
