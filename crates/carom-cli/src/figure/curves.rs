//! Curves over two axes.

use super::marks::{self, Pieces};
use super::scale::Scale;
use super::style::{self, SIZE, SMALL};
use super::svg::{Anchor, Svg, number};
use super::thin::thin;
use super::{Curves, Frame, Guide, Placed, Series};

/// Height of the plot itself where nothing beside it is taller.
pub const PLOT: f64 = 230.0;
/// Left of the plot, for the numbers: at least so much.
const LEFT: f64 = 44.0;
/// Right of the plot, for half of the last number.
const RIGHT: f64 = 10.0;
/// Below the plot: numbers and the name of the axis.
const BELOW: f64 = 38.0;
/// A row of the legend, and its line samples.
const ENTRY: f64 = 18.0;
const SAMPLE: f64 = 34.0;

/// Room above the plot: title and the name of the axis.
pub fn above(curves: &Curves) -> f64 {
    if curves.title.is_empty() { 18.0 } else { 44.0 }
}

/// Room below the plot: numbers, the name of the axis, the legend.
pub fn below(curves: &Curves, width: f64) -> f64 {
    BELOW + legend_height(curves, width)
}

/// Room left of a plot in a panel of this width and a plot of this height: as wide as its numbers.
pub fn left(curves: &Curves, space: bool, (width, core): (f64, f64)) -> f64 {
    let (_, y) = scales(curves, space, (LEFT, width - RIGHT), (core, 0.0));
    let widest = y.ticks.iter().map(|(_, label)| style::width(label, SMALL)).fold(0.0, f64::max);
    (widest + 10.0).max(LEFT)
}

/// The two axes over their pixels.
fn scales(curves: &Curves, space: bool, across: (f64, f64), up: (f64, f64)) -> (Scale, Scale) {
    let points = || curves.series.iter().flat_map(|series| &series.points);
    if space {
        let points: Vec<_> = points().copied().collect();
        return Scale::in_space((&curves.x, &curves.y), &points, across, up);
    }
    let horizontal = curves.guides.iter().filter_map(|guide| match guide {
        Guide::Horizontal(value, _) => Some(*value),
        _ => None,
    });
    let vertical = curves.guides.iter().filter_map(|guide| match guide {
        Guide::Vertical(value, _) => Some(*value),
        _ => None,
    });
    let xs: Vec<f64> = points().map(|p| p.0).chain(vertical).collect();
    let x = Scale::across(&curves.x, &xs, across);
    let y = Scale::new(&curves.y, points().map(|p| p.1).chain(horizontal), up, 54.0);
    (x, y)
}

/// Draws it into its frame and says where its axes lie.
pub fn draw(curves: &Curves, space: bool, svg: &mut Svg, frame: Frame) -> Placed {
    let (left, right) = (frame.x + frame.left, frame.x + frame.width - RIGHT);
    let (top, bottom) = frame.plot();
    let (x, y) = scales(curves, space, (left, right), (bottom, top));

    if !curves.title.is_empty() {
        let title = style::fit(&curves.title, 1.1 * SIZE, frame.width);
        svg.text("head", Anchor::Start, (frame.x, frame.y + 11.0), &title);
    }
    svg.text("small faint", Anchor::Start, (frame.x, top - 9.0), &y.label);
    svg.text("small faint", Anchor::End, (right, bottom + 33.0), &x.label);
    for (place, label) in &x.ticks {
        svg.line("grid", (*place, top), (*place, bottom));
        svg.text("small", Anchor::Middle, (*place, bottom + 16.0), label);
    }
    for (place, label) in &y.ticks {
        svg.line("grid", (left, *place), (right, *place));
        svg.text("small", Anchor::End, (left - 7.0, *place + 4.0), label);
    }
    // The axes cross at zero where it is shown.
    let ground = if y.shows(0.0) { y.at(0.0) } else { bottom };
    svg.line("axis", (left, ground), (right, ground));
    svg.line("axis", (left, top), (left, bottom));

    // The first curve lies at the bottom and is the broadest; measured points lie on top.
    let lines: Vec<&Series> = curves.series.iter().filter(|series| !series.scattered).collect();
    let placed: Vec<Pieces> = lines.iter().map(|series| pieces(series, &x, &y)).collect();
    for (rank, (series, pieces)) in lines.iter().zip(&placed).enumerate() {
        svg.path(&style::curve(series.style, rank, lines.len()), pieces);
    }
    let marked = marks::coincide(&placed);
    for (rank, (series, pieces)) in lines.iter().zip(&placed).enumerate().filter(|_| marked) {
        marks::set(svg, series.style, (rank, lines.len()), pieces);
    }
    for series in curves.series.iter().filter(|series| series.scattered) {
        scatter(svg, series, &x, &y);
    }
    for guide in &curves.guides {
        draw_guide(svg, guide, (&x, &y), (left, right, top, bottom));
    }
    legend(curves, svg, frame, bottom + BELOW, marked);
    Placed { left, right, top, bottom, x: x.bounds(), y: y.bounds() }
}

fn draw_guide(
    svg: &mut Svg,
    guide: &Guide,
    (x, y): (&Scale, &Scale),
    (left, right, top, bottom): (f64, f64, f64, f64),
) {
    match guide {
        Guide::Horizontal(value, label) => {
            let at = y.at(*value);
            svg.line("guide", (left, at), (right, at));
            svg.text("small", Anchor::Start, (left + 6.0, at - 5.0), label);
        }
        Guide::Vertical(value, label) => {
            let at = x.at(*value);
            svg.line("guide", (at, top), (at, bottom));
            // Above the zero line where that is not the lower edge.
            let ground = if y.shows(0.0) { y.at(0.0) } else { bottom };
            svg.text("small", Anchor::End, (at - 5.0, ground - 6.0), label);
        }
        // Both axes run from 0 to 1 where this is used; its name stands in the legend.
        Guide::Diagonal(_) => {
            svg.line("guide", (x.at(0.0), y.at(0.0)), (x.at(1.0), y.at(1.0)));
        }
    }
}

/// Small circles, no two on the same pixel.
fn scatter(svg: &mut Svg, series: &Series, x: &Scale, y: &Scale) {
    let mut drawn = std::collections::HashSet::new();
    let class = style::dot(Some(series.style));
    for &(a, b) in series.points.iter().filter(|(a, b)| a.is_finite() && b.is_finite()) {
        let (px, py) = (x.at(a), y.at(b));
        if drawn.insert(((px * 2.0) as i64, (py * 2.0) as i64)) {
            circle(svg, &class, (px, py));
        }
    }
}

fn circle(svg: &mut Svg, class: &str, (x, y): (f64, f64)) {
    let (x, y) = (number(x), number(y));
    svg.raw(&format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"1.3\"/>\n"));
}

/// The curve in px, interrupted where it is not finite.
fn pieces(series: &Series, x: &Scale, y: &Scale) -> Pieces {
    series
        .points
        .split(|(x, y)| !(x.is_finite() && y.is_finite()))
        .map(|piece| {
            let placed: Vec<_> = piece.iter().map(|&(a, b)| (x.at(a), y.at(b))).collect();
            thin(&placed)
        })
        .filter(|piece| piece.len() > 1)
        .collect()
}

/// What the legend explains.
struct Entry<'a> {
    class: String,
    name: &'a str,
    /// Circles instead of a line.
    scattered: bool,
    /// Style and rank of a curve, for its mark.
    mark: Option<(usize, usize)>,
}

fn entries(curves: &Curves) -> Vec<Entry<'_>> {
    let broad = curves.series.iter().filter(|series| !series.scattered).count();
    let mut rank = 0;
    let mut named = Vec::new();
    for series in &curves.series {
        let class = match series.scattered {
            true => style::dot(Some(series.style)),
            false => style::curve(series.style, rank, broad),
        };
        if !series.name.is_empty() {
            let mark = (!series.scattered).then_some((series.style, rank));
            named.push(Entry { class, name: &series.name, scattered: series.scattered, mark });
        }
        rank += usize::from(!series.scattered);
    }
    let guides = curves.guides.iter().filter_map(|guide| match guide {
        Guide::Diagonal(name) => {
            Some(Entry { class: "guide".into(), name, scattered: false, mark: None })
        }
        _ => None,
    });
    named.into_iter().chain(guides).collect()
}

/// Columns of the legend and the width of one.
fn columns(entries: &[Entry], width: f64) -> (usize, f64) {
    let widest = entries.iter().map(|entry| style::width(entry.name, SMALL)).fold(0.0, f64::max);
    let column = SAMPLE + 7.0 + widest + 14.0;
    let fit = ((width - LEFT + 14.0) / column).floor().max(1.0) as usize;
    (fit.min(entries.len().max(1)), column)
}

fn legend_height(curves: &Curves, width: f64) -> f64 {
    let entries = entries(curves);
    match entries.len() {
        0 => 0.0,
        n => 8.0 + ENTRY * n.div_ceil(columns(&entries, width).0) as f64,
    }
}

/// Samples and names below the plot, column by column, from `top` on; `marked` when the curves have marks.
fn legend(curves: &Curves, svg: &mut Svg, frame: Frame, top: f64, marked: bool) {
    let entries = entries(curves);
    let (columns, column) = columns(&entries, frame.width);
    let rows = entries.len().div_ceil(columns).max(1);
    let top = top + 8.0;
    for (i, Entry { class, name, scattered, mark }) in entries.iter().enumerate() {
        let x = frame.x + LEFT + column * (i / rows) as f64;
        let y = top + ENTRY * ((i % rows) as f64 + 0.5);
        match scattered {
            true => {
                [0.2, 0.5, 0.8].iter().for_each(|part| circle(svg, class, (x + part * SAMPLE, y)))
            }
            false => svg.line(class, (x, y), (x + SAMPLE, y)),
        }
        if let Some((style, rank)) = mark.filter(|_| marked) {
            marks::one(svg, style, rank, (x + 0.5 * SAMPLE, y));
        }
        let name = style::fit(name, SMALL, frame.width - LEFT - SAMPLE);
        svg.text("small", Anchor::Start, (x + SAMPLE + 7.0, y + 4.0), &name);
    }
}
