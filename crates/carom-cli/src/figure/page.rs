//! A figure on its page: title, rows of panels, caption.

use super::style::{self, SMALL};
use super::svg::{Anchor, Svg, escape, number};
use super::{Figure, Panel, curves, dots, map};

/// Width of every figure, in px; the height follows from what it shows.
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 24.0;
/// The margin of a panel on its own.
const NARROW: f64 = 10.0;
/// Between panels, sideways and down.
const GAP: (f64, f64) = (36.0, 26.0);
/// Between lines of the caption.
const LINE: f64 = 16.0;

impl Figure {
    /// The figure as an SVG document.
    pub fn svg(&self) -> String {
        self.draw(WIDTH, MARGIN).0
    }

    /// Every panel as an SVG document of its own, `width` px wide, and where its axes lie: for a page
    /// that lays the panels out itself and answers the pointer.
    pub fn plots(&self, width: f64) -> Vec<(String, Option<Placed>)> {
        let panels = self.rows.iter().flatten();
        panels
            .map(|panel| {
                let lone = Self { rows: vec![vec![panel.clone()]], ..Self::default() };
                let (svg, placed) = lone.draw(width, NARROW);
                (svg, placed.into_iter().next())
            })
            .collect()
    }

    /// The document, and where the axes of its curves lie.
    fn draw(&self, whole: f64, margin: f64) -> (String, Vec<Placed>) {
        let mut body = Svg::default();
        let mut placed = Vec::new();
        let room = whole - 2.0 * margin;
        let mut y = margin;
        if !self.title.is_empty() {
            y += 12.0;
            body.text("title", Anchor::Start, (margin, y), &self.title);
            y += 10.0;
        }
        for line in style::wrap(&self.subtitle, SMALL, room) {
            y += LINE - 2.0;
            body.text("small faint", Anchor::Start, (margin, y), &line);
        }
        for row in self.rows.iter().filter(|row| !row.is_empty()) {
            y += GAP.1;
            // On a page of full width a lone panel is no wider than one of two.
            let columns = row.len().max(if whole < WIDTH { 1 } else { 2 }) as f64;
            let width = (room - GAP.0 * (columns - 1.0)) / columns;
            let height = row.iter().map(|panel| panel.height(width)).fold(0.0, f64::max);
            for (i, panel) in row.iter().enumerate() {
                let x = margin + (width + GAP.0) * i as f64;
                placed.extend(panel.draw(&mut body, Frame { x, y, width, height }));
            }
            y += height;
        }
        let caption = style::wrap(&self.caption, SMALL, room);
        if !caption.is_empty() {
            y += 12.0;
        }
        for line in caption {
            y += LINE;
            body.text("small faint", Anchor::Start, (margin, y), &line);
        }
        let (w, h) = (number(whole), number((y + margin).ceil()));
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
        (svg.finish(), placed)
    }
}

/// Where the axes of a panel lie: pixels, and the values there in SI units.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Placed {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    pub x: (f64, f64),
    pub y: (f64, f64),
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

    fn draw(&self, svg: &mut Svg, frame: Frame) -> Option<Placed> {
        match self {
            Self::Curves(curves) => Some(curves::draw(curves, svg, frame)),
            Self::Dots(dots) => {
                dots::draw(dots, svg, frame);
                None
            }
            Self::Map(map) => {
                map::draw(map, svg, frame);
                None
            }
        }
    }
}
