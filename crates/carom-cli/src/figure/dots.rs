//! Named numbers on one axis: a row a name, a stem from what was asked for to what came out.

use super::scale::Scale;
use super::style::{self, SMALL};
use super::svg::{Anchor, Svg, escape};
use super::{Dot, Dots, Frame, Mark};

const ROW: f64 = 17.0;
/// Above the rows: title and the label of the target.
pub const ABOVE: f64 = 44.0;
/// Below them: numbers, name of the axis, legend.
pub const BELOW: f64 = 60.0;
/// The widest label that is not cut.
const LABEL: f64 = 230.0;
const RADIUS: f64 = 4.0;

/// How high the rows want to be.
pub fn core(dots: &Dots) -> f64 {
    ROW * dots.rows.len().max(4) as f64
}

/// Draws it into its frame.
pub fn draw(dots: &Dots, svg: &mut Svg, frame: Frame) {
    let widest = |text: fn(&Dot) -> &str| {
        dots.rows.iter().map(|row| style::width(text(row), SMALL)).fold(0.0, f64::max)
    };
    let names = widest(|row| &row.label).min(LABEL);
    let (left, right) =
        (frame.x + names + 12.0, frame.x + frame.width - widest(|row| &row.remark) - 12.0);
    let (top, bottom) = frame.plot();
    let target = dots.target.as_ref().map(|(value, _)| *value);
    let values: Vec<f64> = dots.rows.iter().map(|row| row.value).chain(target).collect();
    let x = Scale::across(&dots.axis, &values, (left, right));

    svg.text("head", Anchor::Start, (frame.x, frame.y + 11.0), &dots.title);
    for (place, label) in &x.ticks {
        svg.line("grid", (*place, top), (*place, bottom));
        svg.text("small", Anchor::Middle, (*place, bottom + 16.0), label);
    }
    svg.text("small faint", Anchor::End, (right, bottom + 33.0), &x.label);
    svg.line("axis", (left, bottom), (right, bottom));
    if let Some((value, label)) = &dots.target {
        let at = x.at(*value);
        svg.line("guide solid", (at, top - 4.0), (at, bottom));
        svg.text("small", Anchor::Middle, (at, top - 9.0), label);
    }
    let step = (bottom - top) / dots.rows.len().max(1) as f64;
    for (i, row) in dots.rows.iter().enumerate() {
        let y = top + step * (i as f64 + 0.5);
        svg.raw("<g>");
        if !row.about.is_empty() {
            svg.raw(&format!("<title>{}</title>\n", escape(&row.about)));
        }
        let label = style::fit(&row.label, SMALL, LABEL);
        svg.text("small", Anchor::End, (left - 12.0, y + 4.0), &label);
        if row.value.is_finite() {
            let class = style::dot(row.style);
            if let Some(target) = target {
                svg.line(&format!("stem {class}"), (x.at(target), y), (x.at(row.value), y));
            }
            mark(svg, row.mark, &class, (x.at(row.value), y));
        }
        let at = (frame.x + frame.width, y + 4.0);
        svg.text("small faint", Anchor::End, at, &row.remark);
        svg.raw("</g>\n");
    }
    if dots.legend {
        legend(dots, svg, (frame.x, bottom + BELOW - 9.0));
    }
}

fn mark(svg: &mut Svg, mark: Mark, class: &str, (x, y): (f64, f64)) {
    // An open circle shows the paper; a diamond is a square on its corner.
    let (radius, class) = match mark {
        Mark::Full | Mark::Plain => (RADIUS, format!("mark {class}")),
        Mark::Open => (RADIUS, format!("mark {class} open")),
        Mark::Diamond => (RADIUS + 1.0, format!("mark {class}")),
    };
    let [left, right, up, down] =
        [x - radius, x + radius, y - radius, y + radius].map(super::svg::number);
    let (cx, cy) = (super::svg::number(x), super::svg::number(y));
    svg.raw(&match mark {
        Mark::Diamond => {
            format!(
                "<path class=\"{class}\" d=\"M{left} {cy}L{cx} {up} {right} {cy} {cx} {down}Z\"/>\n"
            )
        }
        _ => format!("<circle class=\"{class}\" cx=\"{cx}\" cy=\"{cy}\" r=\"{RADIUS}\"/>\n"),
    });
}

/// What the marks that occur mean.
fn legend(dots: &Dots, svg: &mut Svg, (mut x, y): (f64, f64)) {
    for (kind, meaning) in Mark::ALL {
        if dots.rows.iter().any(|row| row.mark == kind) {
            mark(svg, kind, "none", (x + RADIUS + 1.0, y));
            svg.text("small faint", Anchor::Start, (x + 15.0, y + 4.0), meaning);
            x += 15.0 + style::width(meaning, SMALL) + 16.0;
        }
    }
}
