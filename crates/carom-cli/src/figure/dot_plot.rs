//! Draws dot plots: one row per value, with a stem from the target to the value. Lengths are in px.

use super::frame::PanelFrame;
use super::scale::Scale;
use super::style::{self, SMALL_TEXT_SIZE};
use super::svg::{Anchor, Svg, escape};
use super::{Dot, DotPlot, Marker};

const ROW_HEIGHT: f64 = 17.0;
/// Space above the rows, for the title and the label of the target.
pub const SPACE_ABOVE: f64 = 44.0;
/// Space below the rows, for tick labels, axis label and legend.
pub const SPACE_BELOW: f64 = 60.0;
/// Width to which longer labels are cut.
const MAX_LABEL_WIDTH: f64 = 230.0;
/// Radius of a marker.
const MARKER_RADIUS: f64 = 4.0;

/// Returns the height of all rows.
pub fn plot_height(plot: &DotPlot) -> f64 {
    ROW_HEIGHT * plot.dots.len().max(4) as f64
}

/// Draws the dot plot into its frame.
pub fn draw(plot: &DotPlot, svg: &mut Svg, frame: PanelFrame) {
    let widest = |text: fn(&Dot) -> &str| {
        plot.dots
            .iter()
            .map(|dot| style::text_width(text(dot), SMALL_TEXT_SIZE))
            .fold(0.0, f64::max)
    };
    let names = widest(|dot| &dot.label).min(MAX_LABEL_WIDTH);
    let (left, right) =
        (frame.x + names + 12.0, frame.x + frame.width - widest(|dot| &dot.remark) - 12.0);
    let (top, bottom) = frame.plot();
    let target = plot.target.as_ref().map(|(value, _)| *value);
    let values: Vec<f64> = plot.dots.iter().map(|dot| dot.value).chain(target).collect();
    let x = Scale::horizontal(&plot.axis, &values, (left, right));

    svg.text("head", Anchor::Start, (frame.x, frame.y + 11.0), &plot.title);
    for (pixel, label) in &x.ticks {
        svg.line("grid", (*pixel, top), (*pixel, bottom));
        svg.text("small", Anchor::Middle, (*pixel, bottom + 16.0), label);
    }
    svg.text("small faint", Anchor::End, (right, bottom + 33.0), &x.label);
    svg.line("axis", (left, bottom), (right, bottom));
    if let Some((value, label)) = &plot.target {
        let at = x.pixel(*value);
        svg.line("guide solid", (at, top - 4.0), (at, bottom));
        svg.text("small", Anchor::Middle, (at, top - 9.0), label);
    }
    let step = (bottom - top) / plot.dots.len().max(1) as f64;
    for (i, dot) in plot.dots.iter().enumerate() {
        let y = top + step * (i as f64 + 0.5);
        svg.raw("<g>");
        if !dot.about.is_empty() {
            svg.raw(&format!("<title>{}</title>\n", escape(&dot.about)));
        }
        let label = style::ellipsize(&dot.label, SMALL_TEXT_SIZE, MAX_LABEL_WIDTH);
        svg.text("small", Anchor::End, (left - 12.0, y + 4.0), &label);
        if dot.value.is_finite() {
            let class = style::marker_class(dot.style);
            if let Some(target) = target {
                svg.line(&format!("stem {class}"), (x.pixel(target), y), (x.pixel(dot.value), y));
            }
            draw_marker(svg, dot.marker, &class, (x.pixel(dot.value), y));
        }
        let at = (frame.x + frame.width, y + 4.0);
        svg.text("small faint", Anchor::End, at, &dot.remark);
        svg.raw("</g>\n");
    }
    if plot.legend {
        draw_legend(plot, svg, (frame.x, bottom + SPACE_BELOW - 9.0));
    }
}

fn draw_marker(svg: &mut Svg, marker: Marker, class: &str, (x, y): (f64, f64)) {
    let (radius, class) = match marker {
        Marker::Filled | Marker::Plain => (MARKER_RADIUS, format!("mark {class}")),
        Marker::Open => (MARKER_RADIUS, format!("mark {class} open")),
        Marker::Diamond => (MARKER_RADIUS + 1.0, format!("mark {class}")),
    };
    let [left, right, up, down] =
        [x - radius, x + radius, y - radius, y + radius].map(super::svg::number);
    let (cx, cy) = (super::svg::number(x), super::svg::number(y));
    svg.raw(&match marker {
        Marker::Diamond => {
            format!(
                "<path class=\"{class}\" d=\"M{left} {cy}L{cx} {up} {right} {cy} {cx} {down}Z\"/>\n"
            )
        }
        _ => format!("<circle class=\"{class}\" cx=\"{cx}\" cy=\"{cy}\" r=\"{MARKER_RADIUS}\"/>\n"),
    });
}

/// Draws a legend of the markers that occur.
fn draw_legend(plot: &DotPlot, svg: &mut Svg, (mut x, y): (f64, f64)) {
    for (kind, meaning) in Marker::ALL {
        if plot.dots.iter().any(|dot| dot.marker == kind) {
            draw_marker(svg, kind, "none", (x + MARKER_RADIUS + 1.0, y));
            svg.text("small faint", Anchor::Start, (x + 15.0, y + 4.0), meaning);
            x += 15.0 + style::text_width(meaning, SMALL_TEXT_SIZE) + 16.0;
        }
    }
}
