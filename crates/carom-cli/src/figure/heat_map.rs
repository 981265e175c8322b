//! Draws heat maps: a quantity over two axes as colours. Lengths are in px.
//!
//! All cells have the same size, whatever the distances between the values, so that lists and logarithmic ranges are as easy to
//! read as linear ones. The colour map is viridis, which is perceptually uniform, also in greyscale and for colour-blind readers.

use super::frame::PanelFrame;
use super::scale::finite_bounds;
use super::style::{self, SMALL_TEXT_SIZE, TEXT_SIZE};
use super::svg::{Anchor, Svg, escape, number};
use super::{Axis, HeatMap};
use crate::output::report::rounded;
use carom::units::format;

/// Natural height of all cells together.
pub const PLOT_HEIGHT: f64 = 248.0;
/// Space around the cells: left for tick labels, right for the colour key, above for title and axis label, below for tick labels
/// and axis label.
const SPACE_LEFT: f64 = 66.0;
const KEY_WIDTH: f64 = 84.0;
pub const SPACE_ABOVE: f64 = 44.0;
pub const SPACE_BELOW: f64 = 38.0;
/// Largest number of cells along a side; more could not be distinguished.
const MAX_CELLS: usize = 96;

/// Five colours of viridis; the colours between them are interpolated.
const VIRIDIS: [[f64; 3]; 5] = [
    [68.0, 1.0, 84.0],
    [59.0, 82.0, 139.0],
    [33.0, 145.0, 140.0],
    [94.0, 201.0, 98.0],
    [253.0, 231.0, 37.0],
];

fn viridis(share: f64) -> String {
    let position = share.clamp(0.0, 1.0) * 4.0;
    let k = (position as usize).min(3);
    let t = position - k as f64;
    let mix = |i: usize| (VIRIDIS[k][i] * (1.0 - t) + VIRIDIS[k + 1][i] * t).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

fn draw_rectangle(svg: &mut Svg, fill: &str, (x, y): (f64, f64), (w, h): (f64, f64), about: &str) {
    let [x, y, w, h] = [x, y, w, h].map(number);
    let at = format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"");
    match about {
        "" => svg.raw(&format!("<rect {at} fill=\"{fill}\" shape-rendering=\"crispEdges\"/>\n")),
        about => svg.raw(&format!(
            "<rect {at} fill=\"{fill}\" shape-rendering=\"crispEdges\"><title>{}</title></rect>\n",
            escape(about)
        )),
    }
}

/// Returns the indices of at most [`MAX_CELLS`] of `count` values, evenly spaced.
fn evenly_selected(count: usize) -> Vec<usize> {
    let shown = count.min(MAX_CELLS);
    (0..shown).map(|k| k * (count.max(1) - 1) / shown.saturating_sub(1).max(1)).collect()
}

/// Formats a value with at most four digits.
fn four_digits(value: f64, axis: &Axis) -> String {
    format(rounded(value, 4), &axis.unit)
}

/// Draws the heat map into its frame.
pub fn draw(map: &HeatMap, svg: &mut Svg, frame: PanelFrame) {
    let (left, right) = (frame.x + SPACE_LEFT, frame.x + frame.width - KEY_WIDTH);
    let (top, bottom) = frame.plot();
    let title = style::ellipsize(&map.title, 1.1 * TEXT_SIZE, frame.width);
    svg.text("head", Anchor::Start, (frame.x, frame.y + 11.0), &title);
    let (columns, rows) = (evenly_selected(map.x.1.len()), evenly_selected(map.y.1.len()));
    let (low, high) = finite_bounds(map.cells.iter().copied());
    let (w, h) =
        ((right - left) / columns.len().max(1) as f64, (bottom - top) / rows.len().max(1) as f64);
    for (j, &row) in rows.iter().enumerate() {
        for (i, &column) in columns.iter().enumerate() {
            let value = map.cells.get(row * map.x.1.len() + column).copied().unwrap_or(f64::NAN);
            if value.is_finite() {
                let share = if high > low { (value - low) / (high - low) } else { 0.5 };
                let at = (left + w * i as f64, bottom - h * (j + 1) as f64);
                let few = columns.len() * rows.len() <= 1024;
                let about = if few { four_digits(value, &map.value) } else { String::new() };
                // Cells are drawn slightly larger, so that no background shows between them.
                draw_rectangle(svg, &viridis(share), at, (w + 0.3, h + 0.3), &about);
            }
        }
    }
    let ends = |count: usize| match count {
        0 => vec![],
        1 => vec![0],
        2 => vec![0, 1],
        n => vec![0, n / 2, n - 1],
    };
    for i in ends(columns.len()) {
        let value = columns.get(i).and_then(|&k| map.x.1.get(k)).copied().unwrap_or(0.0);
        let at = (left + w * (i as f64 + 0.5), bottom + 16.0);
        svg.text("small", Anchor::Middle, at, &four_digits(value, &map.x.0));
    }
    for j in ends(rows.len()) {
        let value = rows.get(j).and_then(|&k| map.y.1.get(k)).copied().unwrap_or(0.0);
        let at = (left - 7.0, bottom - h * (j as f64 + 0.5) + 4.0);
        svg.text("small", Anchor::End, at, &four_digits(value, &map.y.0));
    }
    svg.text("small faint", Anchor::Start, (frame.x, top - 9.0), &map.y.0.label);
    svg.text("small faint", Anchor::End, (right, bottom + 33.0), &map.x.0.label);
    draw_colour_key(map, svg, (right + 14.0, top, bottom), (low, high));
}

/// Draws the colour key with the lowest, the middle and the highest value.
fn draw_colour_key(
    map: &HeatMap,
    svg: &mut Svg,
    (x, top, bottom): (f64, f64, f64),
    (low, high): (f64, f64),
) {
    if !(low <= high) {
        return;
    }
    let steps = 48;
    let h = (bottom - top) / f64::from(steps);
    for k in 0..steps {
        let at = (x, bottom - h * f64::from(k + 1));
        let fill = viridis((f64::from(k) + 0.5) / f64::from(steps));
        draw_rectangle(svg, &fill, at, (12.0, h + 0.3), "");
    }
    for (value, y) in [(low, bottom), (0.5 * (low + high), 0.5 * (top + bottom)), (high, top)] {
        let text =
            style::ellipsize(&four_digits(value, &map.value), SMALL_TEXT_SIZE, KEY_WIDTH - 18.0);
        svg.text("small", Anchor::Start, (x + 17.0, y + 4.0), &text);
    }
}
