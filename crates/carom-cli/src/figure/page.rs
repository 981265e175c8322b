//! A figure on its page: title, rows of panels, caption.

use super::style::{self, SMALL};
use super::svg::{Anchor, Svg, escape, number};
use super::{Figure, Panel, curves, dots, map};

/// Width of every figure, in px; the height follows from what it shows.
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 24.0;
/// Between panels, sideways and down.
const GAP: (f64, f64) = (36.0, 26.0);
/// Between lines of the caption.
const LINE: f64 = 16.0;

impl Figure {
    /// The figure as an SVG document.
    pub fn svg(&self) -> String {
        let mut body = Svg::default();
        let room = WIDTH - 2.0 * MARGIN;
        let mut y = MARGIN;
        if !self.title.is_empty() {
            y += 12.0;
            body.text("title", Anchor::Start, (MARGIN, y), &self.title);
            y += 10.0;
        }
        for line in style::wrap(&self.subtitle, SMALL, room) {
            y += LINE - 2.0;
            body.text("small faint", Anchor::Start, (MARGIN, y), &line);
        }
        for row in self.rows.iter().filter(|row| !row.is_empty()) {
            y += GAP.1;
            // A lone panel is no wider than one of two.
            let columns = row.len().max(2) as f64;
            let width = (room - GAP.0 * (columns - 1.0)) / columns;
            let height = row.iter().map(|panel| panel.height(width)).fold(0.0, f64::max);
            for (i, panel) in row.iter().enumerate() {
                let x = MARGIN + (width + GAP.0) * i as f64;
                panel.draw(&mut body, Frame { x, y, width, height });
            }
            y += height;
        }
        let caption = style::wrap(&self.caption, SMALL, room);
        if !caption.is_empty() {
            y += 12.0;
        }
        for line in caption {
            y += LINE;
            body.text("small faint", Anchor::Start, (MARGIN, y), &line);
        }
        let (w, h) = (number(WIDTH), number((y + MARGIN).ceil()));
        let mut svg = Svg::default();
        svg.raw(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"carom\" role=\"img\" \
             width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">\n<title>{}</title>\n",
            escape(&self.title)
        ));
        svg.raw(&format!("<style>\n{}</style>\n", style::sheet()));
        svg.raw(&format!("<rect class=\"paper\" width=\"{w}\" height=\"{h}\"/>\n"));
        svg.raw(&body.finish());
        svg.raw("</svg>\n");
        svg.finish()
    }
}

/// Where a panel is drawn.
#[derive(Clone, Copy)]
pub struct Frame {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Panel {
    fn height(&self, width: f64) -> f64 {
        match self {
            Self::Curves(curves) => curves::height(curves, width),
            Self::Dots(dots) => dots::height(dots),
            Self::Map(_) => map::HEIGHT,
        }
    }

    fn draw(&self, svg: &mut Svg, frame: Frame) {
        match self {
            Self::Curves(curves) => curves::draw(curves, svg, frame),
            Self::Dots(dots) => dots::draw(dots, svg, frame),
            Self::Map(map) => map::draw(map, svg, frame),
        }
    }
}
