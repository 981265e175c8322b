//! Markers on curves that coincide.
//!
//! Colour, dashes and width do not distinguish five curves that coincide, because the last one drawn covers the others. If any
//! curves of a panel coincide, every curve gets markers with a shape of its own, offset along the curve from those of the others.

use super::style;
use super::svg::{Svg, number};

/// A curve in px, as polylines; the curve is interrupted between them.
pub type Polylines = Vec<Vec<(f64, f64)>>;

/// Criterion of coincidence: more than this fraction of the sample points of one curve are closer to the other curve than this
/// distance, in px.
const COINCIDENT_SHARE: f64 = 0.4;
const COINCIDENT_PX: f64 = 1.5;
/// Number of sample points per curve.
const COINCIDENCE_SAMPLES: usize = 60;
/// Number of markers per curve, and their radius in px.
const MARKERS_PER_CURVE: usize = 6;
const MARKER_RADIUS: f64 = 3.2;

/// Largest number of curves with markers; more curves would be hidden by their markers.
const MAX_CURVES: usize = 8;

/// Corners of the marker shapes in units of the radius; the first shape is a circle.
const SHAPES: [&[(f64, f64)]; MAX_CURVES] = [
    &[],
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
    &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
    &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
    &[(-1.3, -0.5), (1.3, -0.5), (1.3, 0.5), (-1.3, 0.5)],
    &[(-1.2, 0.0), (0.8, -1.1), (0.8, 1.1)],
    &[(1.2, 0.0), (-0.8, -1.1), (-0.8, 1.1)],
];

/// Returns whether any two of these curves coincide and there are few enough curves for markers.
pub fn curves_coincide(curves: &[Polylines]) -> bool {
    if curves.len() > MAX_CURVES {
        return false;
    }
    let samples: Vec<Vec<(f64, f64)>> = curves
        .iter()
        .map(|curve| points_at(curve, &even_shares(0.5, COINCIDENCE_SAMPLES)))
        .collect();
    let near = |point: &(f64, f64), curve: &Polylines| {
        let segments = curve.iter().flat_map(|piece| piece.windows(2));
        segments
            .into_iter()
            .any(|two| super::simplify::distance_to_segment(*point, two[0], two[1]) < COINCIDENT_PX)
    };
    samples.iter().enumerate().any(|(i, points)| {
        curves.iter().enumerate().filter(|(j, _)| *j != i).any(|(_, other)| {
            let close = points.iter().filter(|point| near(point, other)).count();
            !points.is_empty() && close as f64 > COINCIDENT_SHARE * COINCIDENCE_SAMPLES as f64
        })
    })
}

/// Draws the markers of the curve with index `rank` of `count`.
pub fn draw_along(svg: &mut Svg, style: usize, (rank, count): (usize, usize), curve: &Polylines) {
    let shift = (rank as f64 + 0.5) / count.max(1) as f64;
    for point in points_at(curve, &even_shares(shift, MARKERS_PER_CURVE)) {
        draw_marker(svg, style, rank, point);
    }
}

/// Draws the marker of the curve with index `rank` at a point.
pub fn draw_marker(svg: &mut Svg, style: usize, rank: usize, (x, y): (f64, f64)) {
    let class = format!("mark {} open", style::marker_class(Some(style)));
    let shape = SHAPES[rank % SHAPES.len()];
    if shape.is_empty() {
        let [x, y, r] = [x, y, MARKER_RADIUS].map(number);
        svg.raw(&format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>\n"));
        return;
    }
    let corners = shape.iter().map(|(a, b)| {
        format!("{} {}", number(x + MARKER_RADIUS * a), number(y + MARKER_RADIUS * b))
    });
    let corners: Vec<_> = corners.collect();
    svg.raw(&format!("<path class=\"{class}\" d=\"M{}Z\"/>\n", corners.join("L")));
}

/// Returns `count` equally spaced fractions of the length of a curve, the first at `shift` of the distance between two.
fn even_shares(shift: f64, count: usize) -> Vec<f64> {
    (0..count).map(|k| (k as f64 + shift) / count as f64).collect()
}

/// Returns the points of a curve at these fractions of its length.
fn points_at(curve: &Polylines, shares: &[f64]) -> Vec<(f64, f64)> {
    let steps = || curve.iter().flat_map(|piece| piece.windows(2)).map(|two| (two[0], two[1]));
    let length = |((ax, ay), (bx, by)): ((f64, f64), (f64, f64))| (bx - ax).hypot(by - ay);
    let whole: f64 = steps().map(length).sum();
    let mut found = Vec::new();
    let (mut length_before, mut positions) =
        (0.0, shares.iter().map(|share| share * whole).peekable());
    for (a, b) in steps() {
        let step = length((a, b));
        while let Some(&at) = positions.peek()
            && at <= length_before + step
            && step > 0.0
        {
            let t = (at - length_before) / step;
            found.push((a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1)));
            positions.next();
        }
        length_before += step;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(shift: f64) -> Polylines {
        vec![
            (0..=100)
                .map(|i| (f64::from(i), 50.0 + shift + 20.0 * (0.1 * f64::from(i)).sin()))
                .collect(),
        ]
    }

    #[test]
    fn coinciding_curves_are_found() {
        assert!(curves_coincide(&[line(0.0), line(30.0), line(0.5)]));
        assert!(!curves_coincide(&[line(0.0), line(10.0), line(20.0)]));
        // Curves that cross do not coincide, nor do empty ones.
        let across: Polylines = vec![vec![(0.0, 0.0), (100.0, 100.0)]];
        assert!(
            !curves_coincide(&[line(0.0), across])
                && !curves_coincide(&[vec![], vec![]])
                && !curves_coincide(&[])
        );
    }

    #[test]
    fn markers_of_equal_curves_do_not_cover_each_other() {
        let mut places: Vec<(f64, f64)> = Vec::new();
        for rank in 0..5 {
            let found = points_at(
                &line(0.0),
                &super::even_shares((f64::from(rank) + 0.5) / 5.0, MARKERS_PER_CURVE),
            );
            assert_eq!(found.len(), MARKERS_PER_CURVE);
            for point in found {
                let near =
                    places.iter().any(|other| (other.0 - point.0).hypot(other.1 - point.1) < 2.0);
                assert!(!near, "{rank}: {point:?}");
                places.push(point);
            }
        }
    }
}
