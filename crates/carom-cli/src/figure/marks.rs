//! Marks on curves that lie on each other.
//!
//! Colour, dashes and width do not tell five curves apart where they coincide: the last that is drawn covers the
//! others. There every curve gets marks of its own form, and they are set alternately along the way, so that
//! each curve can be found and followed to its end.

use super::style;
use super::svg::{Svg, number};

/// A curve in px, in pieces.
pub type Pieces = Vec<Vec<(f64, f64)>>;

/// Curves are looked at in so many places,
const SAMPLES: usize = 60;
/// and lie on each other where they are as close as this, in px,
const NEAR: f64 = 1.5;
/// in this share of the places.
const SHARE: f64 = 0.4;
/// Marks along a curve, and their radius in px.
const MARKS: usize = 6;
const RADIUS: f64 = 3.2;

/// More curves than this would be hidden by their marks.
const MOST: usize = 8;

/// Forms as corners in units of the radius; the first is a circle.
const FORMS: [&[(f64, f64)]; MOST] = [
    &[],
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
    &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
    &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
    &[(-1.3, -0.5), (1.3, -0.5), (1.3, 0.5), (-1.3, 0.5)],
    &[(-1.2, 0.0), (0.8, -1.1), (0.8, 1.1)],
    &[(1.2, 0.0), (-0.8, -1.1), (-0.8, 1.1)],
];

/// Whether two of these curves lie on each other for a good part of their way, and there are not too many of them.
pub fn coincide(curves: &[Pieces]) -> bool {
    if curves.len() > MOST {
        return false;
    }
    let samples: Vec<Vec<(f64, f64)>> =
        curves.iter().map(|curve| along(curve, &places(0.5, SAMPLES))).collect();
    let near = |point: &(f64, f64), curve: &Pieces| {
        let segments = curve.iter().flat_map(|piece| piece.windows(2));
        segments.into_iter().any(|two| super::thin::distance(*point, two[0], two[1]) < NEAR)
    };
    samples.iter().enumerate().any(|(i, points)| {
        curves.iter().enumerate().filter(|(j, _)| *j != i).any(|(_, other)| {
            let close = points.iter().filter(|point| near(point, other)).count();
            !points.is_empty() && close as f64 > SHARE * SAMPLES as f64
        })
    })
}

/// Sets the marks of the `rank`-th of so many curves.
pub fn set(svg: &mut Svg, style: usize, (rank, count): (usize, usize), curve: &Pieces) {
    let shift = (rank as f64 + 0.5) / count.max(1) as f64;
    for point in along(curve, &places(shift, MARKS)) {
        one(svg, style, rank, point);
    }
}

/// One mark.
pub fn one(svg: &mut Svg, style: usize, rank: usize, (x, y): (f64, f64)) {
    let class = format!("mark {} open", style::dot(Some(style)));
    let form = FORMS[rank % FORMS.len()];
    if form.is_empty() {
        let [x, y, r] = [x, y, RADIUS].map(number);
        svg.raw(&format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>\n"));
        return;
    }
    let corners =
        form.iter().map(|(a, b)| format!("{} {}", number(x + RADIUS * a), number(y + RADIUS * b)));
    let corners: Vec<_> = corners.collect();
    svg.raw(&format!("<path class=\"{class}\" d=\"M{}Z\"/>\n", corners.join("L")));
}

/// So many shares of a way, the first at `shift` of the distance between two.
fn places(shift: f64, count: usize) -> Vec<f64> {
    (0..count).map(|k| (k as f64 + shift) / count as f64).collect()
}

/// The points at these shares of the length of a curve.
fn along(curve: &Pieces, shares: &[f64]) -> Vec<(f64, f64)> {
    let steps = || curve.iter().flat_map(|piece| piece.windows(2)).map(|two| (two[0], two[1]));
    let length = |((ax, ay), (bx, by)): ((f64, f64), (f64, f64))| (bx - ax).hypot(by - ay);
    let whole: f64 = steps().map(length).sum();
    let mut found = Vec::new();
    let (mut walked, mut wanted) = (0.0, shares.iter().map(|share| share * whole).peekable());
    for (a, b) in steps() {
        let step = length((a, b));
        while let Some(&at) = wanted.peek()
            && at <= walked + step
            && step > 0.0
        {
            let t = (at - walked) / step;
            found.push((a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1)));
            wanted.next();
        }
        walked += step;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(shift: f64) -> Pieces {
        vec![
            (0..=100)
                .map(|i| (f64::from(i), 50.0 + shift + 20.0 * (0.1 * f64::from(i)).sin()))
                .collect(),
        ]
    }

    #[test]
    fn curves_that_lie_on_each_other_are_told_from_those_that_do_not() {
        assert!(coincide(&[line(0.0), line(30.0), line(0.5)]));
        assert!(!coincide(&[line(0.0), line(10.0), line(20.0)]));
        // A crossing is no overlap, and nothing lies on nothing.
        let across: Pieces = vec![vec![(0.0, 0.0), (100.0, 100.0)]];
        assert!(!coincide(&[line(0.0), across]) && !coincide(&[vec![], vec![]]) && !coincide(&[]));
    }

    #[test]
    fn marks_of_equal_curves_do_not_cover_each_other() {
        let mut places: Vec<(f64, f64)> = Vec::new();
        for rank in 0..5 {
            let found = along(&line(0.0), &super::places((f64::from(rank) + 0.5) / 5.0, MARKS));
            assert_eq!(found.len(), MARKS);
            for point in found {
                let near =
                    places.iter().any(|other| (other.0 - point.0).hypot(other.1 - point.1) < 2.0);
                assert!(!near, "{rank}: {point:?}");
                places.push(point);
            }
        }
    }
}
