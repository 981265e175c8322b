//! All roots of a smooth function of ε that need not be monotone.
//!
//! The axis is scanned from ε = 0 to the strongest damping of interest, densely towards the end, where
//! the curves of laws that creep become steep. A change of sign is a root; where the distance to the
//! target has a minimum between neighbours that it might cross, the extremum is looked up first, so
//! that two close roots are not missed.

use crate::error::Result;

/// Points of the scan.
const POINTS: usize = 128;
/// The first ε of the scan above 0.
const LOWEST: f64 = 1e-8;
/// How much denser the points stand at the end: steps grow as w of ε = ε_max·e^(−w).
const CROWDING: f64 = 10.0;
/// A miss of the target that is rounding.
const ROUNDING: f64 = 2e-14;

/// What a search found.
pub struct Found {
    /// Every root, increasing.
    pub roots: Vec<f64>,
    /// Least and largest value of the function in the range searched, where there is no root.
    pub range: (f64, f64),
}

/// Every ε in [0, `highest`] at which `curve` is `target`.
pub fn all(curve: impl Fn(f64) -> Result<f64>, target: f64, highest: f64) -> Result<Found> {
    let miss = |epsilon: f64| Ok(curve(epsilon)? - target);
    let span = (highest / LOWEST).ln();
    let mut points = vec![(0.0, miss(0.0)?)];
    for j in (0..POINTS).rev() {
        let t = j as f64 / (POINTS - 1) as f64;
        let epsilon = highest * (-span * (CROWDING * t).sinh() / CROWDING.sinh()).exp();
        points.push((epsilon, miss(epsilon)?));
    }
    let mut extended = points.clone();
    for window in points.windows(3) {
        let [a, b, c] = [window[0], window[1], window[2]];
        let sign = b.1.signum();
        let least = sign * b.1 < sign * a.1 && sign * b.1 <= sign * c.1;
        let near = b.1.abs() < (a.1 - b.1).abs().max((c.1 - b.1).abs());
        if least && near && sign * a.1 > 0.0 && sign * c.1 > 0.0 {
            let extremum = minimum(|epsilon| Ok(sign * miss(epsilon)?), a.0, c.0, 0.0)?;
            extended.push((extremum.0, sign * extremum.1));
        }
    }
    extended.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut roots: Vec<f64> = Vec::new();
    for (i, &(epsilon, value)) in extended.iter().enumerate() {
        // At a point: exactly, or so nearly that the rest is rounding and no change of sign follows.
        let crosses = |other: Option<&(f64, f64)>| other.is_some_and(|o| o.1 * value < 0.0);
        let next = extended.get(i + 1);
        let before = i.checked_sub(1).and_then(|i| extended.get(i));
        let lone = value.abs() < ROUNDING && !crosses(next) && !crosses(before);
        if value == 0.0 || lone {
            roots.push(epsilon);
        } else if let Some(&end) = next
            && crosses(next)
        {
            roots.push(root(miss, (epsilon, value), end)?);
        }
    }
    roots.dedup_by(|b, a| (*b - *a).abs() <= 1e-12 * *b);
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    if roots.is_empty() {
        let least = extreme(miss, &points, 1.0)?;
        range = (target + least, target - extreme(miss, &points, -1.0)?);
    }
    Ok(Found { roots, range })
}

/// The least value of `sign`·f, between the neighbours of the point where it is least.
fn extreme(f: impl Fn(f64) -> Result<f64>, points: &[(f64, f64)], sign: f64) -> Result<f64> {
    let value = |point: &(f64, f64)| sign * point.1;
    let at = (0..points.len()).min_by(|&i, &j| value(&points[i]).total_cmp(&value(&points[j])));
    let at = at.unwrap_or(0);
    let (low, high) = (at.saturating_sub(1), (at + 1).min(points.len() - 1));
    let function = |epsilon: f64| Ok(sign * f(epsilon)?);
    let inside = minimum(function, points[low].0, points[high].0, f64::NEG_INFINITY)?;
    Ok(inside.1.min(value(&points[at])))
}

/// Ridders' method between two points of opposite sign.
fn root(f: impl Fn(f64) -> Result<f64>, mut a: (f64, f64), mut b: (f64, f64)) -> Result<f64> {
    for _ in 0..120 {
        let middle = 0.5 * (a.0 + b.0);
        if middle <= a.0 || middle >= b.0 || b.0 - a.0 <= 4.0 * f64::EPSILON * b.0 {
            break;
        }
        let m = (middle, f(middle)?);
        if m.1 == 0.0 {
            return Ok(middle);
        }
        let scale = (m.1 * m.1 - a.1 * b.1).sqrt();
        let x = middle + (middle - a.0) * (a.1 - b.1).signum() * m.1 / scale;
        let r = match x > a.0 && x < b.0 {
            true => (x, f(x)?),
            false => m,
        };
        if r.1 == 0.0 {
            return Ok(r.0);
        }
        // The narrowest bracket among the four points.
        let mut ordered = [a, m, r, b];
        ordered.sort_by(|p, q| p.0.total_cmp(&q.0));
        for pair in ordered.windows(2) {
            if pair[0].1 * pair[1].1 < 0.0 {
                (a, b) = (pair[0], pair[1]);
                break;
            }
        }
    }
    Ok(if a.1.abs() < b.1.abs() { a.0 } else { b.0 })
}

/// The least value between two points, or one below `enough`, by golden sections.
fn minimum(
    f: impl Fn(f64) -> Result<f64>,
    mut a: f64,
    mut b: f64,
    enough: f64,
) -> Result<(f64, f64)> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let mut c = b - GOLDEN * (b - a);
    let mut d = a + GOLDEN * (b - a);
    let (mut fc, mut fd) = (f(c)?, f(d)?);
    for _ in 0..60 {
        if fc < enough || fd < enough {
            break;
        }
        if fc < fd {
            (b, d, fd) = (d, c, fc);
            c = b - GOLDEN * (b - a);
            fc = f(c)?;
        } else {
            (a, c, fc) = (c, d, fd);
            d = a + GOLDEN * (b - a);
            fd = f(d)?;
        }
    }
    Ok(if fc < fd { (c, fc) } else { (d, fd) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_roots_of_a_dip_between_points_are_found() {
        // (ε−1)² has its minimum between points of the scan.
        let dip = |x: f64| Ok((x - 1.0) * (x - 1.0));
        for gap in [0.3, 1e-2, 1e-4] {
            let found = all(dip, gap * gap, 50.0).unwrap();
            assert_eq!(found.roots.len(), 2, "{:?}", found.roots);
            assert!((found.roots[0] - 1.0 + gap).abs() < 1e-9);
            assert!((found.roots[1] - 1.0 - gap).abs() < 1e-9);
        }
        let found = all(dip, -0.1, 50.0).unwrap();
        assert!(found.roots.is_empty());
        assert!(found.range.0.abs() < 1e-9 && (found.range.1 - 2401.0).abs() < 1e-9);
    }

    #[test]
    fn the_undamped_end_is_a_root_of_its_own() {
        let found = all(|x| Ok(3.0 + x), 3.0, 10.0).unwrap();
        assert_eq!(found.roots, [0.0]);
        let found = all(|x| Ok(3.0 + x), 3.0 + 1e-10, 10.0).unwrap();
        assert!((found.roots[0] - 1e-10).abs() < 1e-14, "{:?}", found.roots);
    }
}
