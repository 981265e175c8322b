//! Draws curves over two axes, with a legend. Lengths are in px.

use super::frame::{PanelFrame, PlotArea};
use super::markers::{self, Polylines};
use super::scale::Scale;
use super::simplify::simplify;
use super::style::{self, SMALL_TEXT_SIZE, TEXT_SIZE};
use super::svg::{Anchor, Svg, number};
use super::{Curves, Guide, Series};

/// Natural height of the plot itself.
pub const PLOT_HEIGHT: f64 = 230.0;
/// Smallest space left of the plot, for tick labels.
const SPACE_LEFT: f64 = 44.0;
/// Space right of the plot, for half of the last tick label.
const SPACE_RIGHT: f64 = 10.0;
/// Space below the plot, for tick labels and axis label.
const SPACE_BELOW: f64 = 38.0;
/// Height of a line of the legend, and width of the line samples in it.
const ENTRY_HEIGHT: f64 = 18.0;
const SAMPLE_WIDTH: f64 = 34.0;

/// Returns the space above the plot, for title and axis label.
pub fn space_above(curves: &Curves) -> f64 {
    if curves.title.is_empty() { 18.0 } else { 44.0 }
}

/// Returns the space below the plot, for tick labels, axis label and legend.
pub fn space_below(curves: &Curves, width: f64) -> f64 {
    SPACE_BELOW + legend_height(curves, width)
}

/// Returns the space left of the plot for its tick labels, in a panel of this width with a plot of this height.
pub fn space_left(curves: &Curves, equal_aspect: bool, (width, plot_height): (f64, f64)) -> f64 {
    let (_, y) =
        scales(curves, equal_aspect, (SPACE_LEFT, width - SPACE_RIGHT), (plot_height, 0.0));
    let widest = y
        .ticks
        .iter()
        .map(|(_, label)| style::text_width(label, SMALL_TEXT_SIZE))
        .fold(0.0, f64::max);
    (widest + 10.0).max(SPACE_LEFT)
}

/// Returns the scales of the two axes.
fn scales(
    curves: &Curves,
    equal_aspect: bool,
    x_pixels: (f64, f64),
    y_pixels: (f64, f64),
) -> (Scale, Scale) {
    let points =
        || curves.series.iter().flat_map(|series| series.points.iter().chain(&series.band));
    if equal_aspect {
        let points: Vec<_> = points().copied().collect();
        return Scale::equal_aspect((&curves.x, &curves.y), &points, x_pixels, y_pixels);
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
    let x = Scale::horizontal(&curves.x, &xs, x_pixels);
    let y = Scale::new(&curves.y, points().map(|p| p.1).chain(horizontal), y_pixels, 54.0);
    (x, y)
}

/// Draws the curves into their frame and returns the rectangle between the axes.
pub fn draw(curves: &Curves, equal_aspect: bool, svg: &mut Svg, frame: PanelFrame) -> PlotArea {
    let (left, right) = (frame.x + frame.left, frame.x + frame.width - SPACE_RIGHT);
    let (top, bottom) = frame.plot();
    let (x, y) = scales(curves, equal_aspect, (left, right), (bottom, top));

    if !curves.title.is_empty() {
        let title = style::ellipsize(&curves.title, 1.1 * TEXT_SIZE, frame.width);
        svg.text("head", Anchor::Start, (frame.x, frame.y + 11.0), &title);
    }
    svg.text("small faint", Anchor::Start, (frame.x, top - 9.0), &y.label);
    svg.text("small faint", Anchor::End, (right, bottom + 33.0), &x.label);
    for (pixel, label) in &x.ticks {
        svg.line("grid", (*pixel, top), (*pixel, bottom));
        svg.text("small", Anchor::Middle, (*pixel, bottom + 16.0), label);
    }
    for (pixel, label) in &y.ticks {
        svg.line("grid", (left, *pixel), (right, *pixel));
        svg.text("small", Anchor::End, (left - 7.0, *pixel + 4.0), label);
    }
    // The horizontal axis is at y = 0 if that is within the range.
    let zero_line = if y.contains(0.0) { y.pixel(0.0) } else { bottom };
    svg.line("axis", (left, zero_line), (right, zero_line));
    svg.line("axis", (left, top), (left, bottom));

    for series in curves.series.iter().filter(|series| series.band.len() > 2) {
        let outline = series.band.iter().map(|&(a, b)| (x.pixel(a), y.pixel(b))).collect();
        svg.area(&style::fill_class(series.style), outline);
    }
    // The first curve is drawn first, below the others, and is the widest; measured points are drawn last.
    let lines: Vec<&Series> = curves.series.iter().filter(|series| !series.scattered).collect();
    let in_pixels: Vec<Polylines> = lines.iter().map(|series| polylines(series, &x, &y)).collect();
    for (rank, (series, polylines)) in lines.iter().zip(&in_pixels).enumerate() {
        svg.path(&style::curve_class(series.style, rank, lines.len()), polylines);
    }
    let with_markers = markers::curves_coincide(&in_pixels);
    for (rank, (series, polylines)) in
        lines.iter().zip(&in_pixels).enumerate().filter(|_| with_markers)
    {
        markers::draw_along(svg, series.style, (rank, lines.len()), polylines);
    }
    for series in curves.series.iter().filter(|series| series.scattered) {
        draw_points(svg, series, &x, &y);
    }
    for guide in &curves.guides {
        draw_guide(svg, guide, (&x, &y), (left, right, top, bottom));
    }
    draw_legend(curves, svg, frame, bottom + SPACE_BELOW, with_markers);
    PlotArea { left, right, top, bottom, x: x.bounds(), y: y.bounds() }
}

fn draw_guide(
    svg: &mut Svg,
    guide: &Guide,
    (x, y): (&Scale, &Scale),
    (left, right, top, bottom): (f64, f64, f64, f64),
) {
    match guide {
        Guide::Horizontal(value, label) => {
            let at = y.pixel(*value);
            svg.line("guide", (left, at), (right, at));
            svg.text("small", Anchor::Start, (left + 6.0, at - 5.0), label);
        }
        Guide::Vertical(value, label) => {
            let at = x.pixel(*value);
            svg.line("guide", (at, top), (at, bottom));
            // The label is just above the horizontal axis.
            let zero_line = if y.contains(0.0) { y.pixel(0.0) } else { bottom };
            svg.text("small", Anchor::End, (at - 5.0, zero_line - 6.0), label);
        }
        // The diagonal is used only with axes from 0 to 1; its name is in the legend.
        Guide::Diagonal(_) => {
            svg.line("guide", (x.pixel(0.0), y.pixel(0.0)), (x.pixel(1.0), y.pixel(1.0)));
        }
    }
}

/// Largest number of points that are drawn as circles. More would be a solid area, so they are drawn as dots with this radius, as
/// is usual in bifurcation diagrams.
const MAX_CIRCLES: usize = 1000;
const DOT_RADIUS: f64 = 1.1;

/// Draws small circles, or dots where there are many points, at most one per half pixel.
fn draw_points(svg: &mut Svg, series: &Series, x: &Scale, y: &Scale) {
    let mut drawn = std::collections::HashSet::new();
    let class = style::marker_class(Some(series.style));
    let mut dots = String::new();
    for &(a, b) in series.points.iter().filter(|(a, b)| a.is_finite() && b.is_finite()) {
        let (px, py) = (x.pixel(a), y.pixel(b));
        if !drawn.insert(((px * 2.0) as i64, (py * 2.0) as i64)) {
            continue;
        }
        match series.points.len() > MAX_CIRCLES {
            true => {
                let (left, top) = (number(px - 0.5 * DOT_RADIUS), number(py - 0.5 * DOT_RADIUS));
                dots += &format!("M{left} {top}h{DOT_RADIUS}v{DOT_RADIUS}h-{DOT_RADIUS}z");
            }
            false => draw_circle(svg, &class, (px, py)),
        }
    }
    if !dots.is_empty() {
        let class = style::fill_class(series.style);
        svg.raw(&format!("<path class=\"{class}\" d=\"{dots}\"/>\n"));
    }
}

fn draw_circle(svg: &mut Svg, class: &str, (x, y): (f64, f64)) {
    let (x, y) = (number(x), number(y));
    svg.raw(&format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"1.3\"/>\n"));
}

/// Returns the curve in px, interrupted where it is not finite.
fn polylines(series: &Series, x: &Scale, y: &Scale) -> Polylines {
    series
        .points
        .split(|(x, y)| !(x.is_finite() && y.is_finite()))
        .map(|piece| {
            let in_pixels: Vec<_> = piece.iter().map(|&(a, b)| (x.pixel(a), y.pixel(b))).collect();
            simplify(&in_pixels)
        })
        .filter(|piece| piece.len() > 1)
        .collect()
}

/// An entry of the legend.
struct LegendEntry<'a> {
    class: String,
    name: &'a str,
    /// Whether the sample consists of circles instead of a line.
    scattered: bool,
    /// Style and rank of a curve, which determine its marker.
    marker: Option<(usize, usize)>,
}

fn legend_entries(curves: &Curves) -> Vec<LegendEntry<'_>> {
    let broad = curves.series.iter().filter(|series| !series.scattered).count();
    let mut rank = 0;
    let mut named = Vec::new();
    for series in &curves.series {
        let class = match series.scattered {
            true => style::marker_class(Some(series.style)),
            false => style::curve_class(series.style, rank, broad),
        };
        if !series.name.is_empty() {
            let marker = (!series.scattered).then_some((series.style, rank));
            named.push(LegendEntry {
                class,
                name: &series.name,
                scattered: series.scattered,
                marker,
            });
        }
        rank += usize::from(!series.scattered);
    }
    let guides = curves.guides.iter().filter_map(|guide| match guide {
        Guide::Diagonal(name) => {
            Some(LegendEntry { class: "guide".into(), name, scattered: false, marker: None })
        }
        _ => None,
    });
    named.into_iter().chain(guides).collect()
}

/// Returns the number of columns of the legend, and their width.
fn legend_columns(entries: &[LegendEntry], width: f64) -> (usize, f64) {
    let widest = entries
        .iter()
        .map(|entry| style::text_width(entry.name, SMALL_TEXT_SIZE))
        .fold(0.0, f64::max);
    let column = SAMPLE_WIDTH + 7.0 + widest + 14.0;
    let fit = ((width - SPACE_LEFT + 14.0) / column).floor().max(1.0) as usize;
    (fit.min(entries.len().max(1)), column)
}

fn legend_height(curves: &Curves, width: f64) -> f64 {
    let entries = legend_entries(curves);
    match entries.len() {
        0 => 0.0,
        n => 8.0 + ENTRY_HEIGHT * n.div_ceil(legend_columns(&entries, width).0) as f64,
    }
}

/// Draws the legend below `top`, column by column; `with_markers` if the curves have markers.
fn draw_legend(curves: &Curves, svg: &mut Svg, frame: PanelFrame, top: f64, with_markers: bool) {
    let entries = legend_entries(curves);
    let (columns, column) = legend_columns(&entries, frame.width);
    let rows = entries.len().div_ceil(columns).max(1);
    let top = top + 8.0;
    for (i, LegendEntry { class, name, scattered, marker }) in entries.iter().enumerate() {
        let x = frame.x + SPACE_LEFT + column * (i / rows) as f64;
        let y = top + ENTRY_HEIGHT * ((i % rows) as f64 + 0.5);
        match scattered {
            true => [0.2, 0.5, 0.8]
                .iter()
                .for_each(|part| draw_circle(svg, class, (x + part * SAMPLE_WIDTH, y))),
            false => svg.line(class, (x, y), (x + SAMPLE_WIDTH, y)),
        }
        if let Some((style, rank)) = marker.filter(|_| with_markers) {
            markers::draw_marker(svg, style, rank, (x + 0.5 * SAMPLE_WIDTH, y));
        }
        let name = style::ellipsize(name, SMALL_TEXT_SIZE, frame.width - SPACE_LEFT - SAMPLE_WIDTH);
        svg.text("small", Anchor::Start, (x + SAMPLE_WIDTH + 7.0, y + 4.0), &name);
    }
}
