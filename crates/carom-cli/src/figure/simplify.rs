//! Simplification of polylines (Ramer, Douglas & Peucker).

/// Largest distance of a removed point from the simplified curve, in px; invisible in print.
const TOLERANCE: f64 = 0.06;

/// Returns the points that are needed to draw the curve within the tolerance, including the first and the last.
pub fn simplify(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let last = points.len().saturating_sub(1);
    let mut keep = vec![false; points.len()];
    for end in [0, last] {
        if let Some(end) = keep.get_mut(end) {
            *end = true;
        }
    }
    let mut open = vec![(0, last)];
    while let Some((a, b)) = open.pop() {
        let far = (a + 1..b)
            .map(|i| (distance_to_segment(points[i], points[a], points[b]), i))
            .max_by(|x, y| x.0.total_cmp(&y.0));
        if let Some((far, i)) = far
            && far > TOLERANCE
        {
            keep[i] = true;
            open.extend([(a, i), (i, b)]);
        }
    }
    points.iter().zip(keep).filter(|(_, keep)| *keep).map(|(point, _)| *point).collect()
}

/// Computes the distance from the point `p` to the segment from `a` to `b`.
pub fn distance_to_segment(p: (f64, f64), a: (f64, f64), b: (f64, f64)) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let square = dx * dx + dy * dy;
    let along = match square > 0.0 {
        true => (((p.0 - a.0) * dx + (p.1 - a.1) * dy) / square).clamp(0.0, 1.0),
        false => 0.0,
    };
    (p.0 - a.0 - along * dx).hypot(p.1 - a.1 - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_lines_need_two_points_and_loops_keep_their_shape() {
        let straight: Vec<_> = (0..1000).map(|i| (i as f64, 2.0 * i as f64)).collect();
        assert_eq!(simplify(&straight).len(), 2);
        let circle: Vec<_> = (0..=5000)
            .map(|i| std::f64::consts::TAU * i as f64 / 5000.0)
            .map(|a| (100.0 * a.cos(), 100.0 * a.sin()))
            .collect();
        let few = simplify(&circle);
        assert!(few.len() > 40 && few.len() < 200, "{}", few.len());
        assert_eq!(simplify(&[]), []);
        assert_eq!(simplify(&[(1.0, 1.0)]).len(), 1);
    }
}
