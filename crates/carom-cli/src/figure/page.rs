//! A figure on its page: title, rows of panels, caption.

use super::look::{Look, WIDTH};
use super::style::{self, SMALL};
use super::svg::{Anchor, Svg, escape, number};
use super::{Figure, Frame, Panel, Placed, curves, dots, map};
use crate::failure::Failure;
use carom::Error;

/// Around the page of a figure that stands for itself, and of one that goes somewhere else.
const MARGIN: f64 = 24.0;
const NARROW: f64 = 10.0;
/// Between panels, sideways and down.
const GAP: (f64, f64) = (36.0, 26.0);
/// Between lines of the caption.
const LINE: f64 = 16.0;
/// Panels side by side are at least so wide; otherwise they stand below each other.
const LEAST: f64 = 250.0;
/// A plot is at least so high.
const LOWEST: f64 = 60.0;

/// A figure drawn.
struct Drawn {
    /// The elements of the page.
    body: String,
    /// Width and height in units of the drawing.
    size: (f64, f64),
    /// Where the axes of its curves lie.
    placed: Vec<Placed>,
}

impl Figure {
    /// The figure as an SVG document of the usual size, in a font that it carries.
    pub fn svg(&self) -> String {
        // Nothing is asked for, so nothing can be refused.
        self.svg_as(&Look::default()).unwrap_or_default()
    }

    /// The figure as an SVG document, as it is wanted.
    pub fn svg_as(&self, look: &Look) -> Result<String, Failure> {
        let figure = look.of(self)?;
        let drawn = figure.arranged(look)?;
        let css = style::sheet(cfg!(feature = "png"));
        #[cfg(feature = "png")]
        let css = super::png::rules(&drawn.body, look) + &css;
        Ok(document(&figure.title, &drawn, look.size.map(|_| look.scale()), &css))
    }

    /// Every panel as an SVG document of its own, `width` px wide, and where its axes lie: for a page
    /// that lays the panels out itself, has a font and answers the pointer.
    pub fn plots(&self, width: f64) -> Vec<(String, Option<Placed>)> {
        let panels = self.rows.iter().flatten();
        panels
            .map(|panel| {
                let lone = Self { rows: vec![vec![panel.clone()]], ..Self::default() };
                let drawn = lone.draw(&Page { width, margin: NARROW, columns: 1 }, 0.0);
                let svg = document("", &drawn, None, &style::sheet(false));
                (svg, drawn.placed.into_iter().next())
            })
            .collect()
    }

    /// Lays the figure out on the page that is wanted.
    fn arranged(&self, look: &Look) -> Result<Drawn, Failure> {
        let (width, height) = look.page();
        let mut page = Page { width, margin: NARROW, columns: usize::MAX };
        if look.size.is_none() {
            page.margin = MARGIN;
            // A lone panel is no wider than one of two, and when it was chosen the page is not either.
            let half = 0.5 * (WIDTH - 2.0 * MARGIN - GAP.0);
            if !look.panels.is_empty() && self.rows.iter().all(|row| row.len() < 2) {
                page.width = half + 2.0 * MARGIN;
            }
        }
        let natural = self.draw(&page, 0.0);
        let Some(height) = height else { return Ok(natural) };
        // What is missing to the height asked for is shared by the rows.
        let rows = self.arrange(&page).len().max(1) as f64;
        let extra = (height - natural.size.1) / rows;
        let lowest =
            self.arrange(&page).iter().flatten().map(|panel| panel.core()).fold(f64::MAX, f64::min);
        if lowest + extra < LOWEST {
            let least = (natural.size.1 + rows * (LOWEST - lowest)) * look.scale() * 25.4 / 72.0;
            return Err(Error::invalid(
                "plot-size",
                format!("a height of {:.0} mm", height * look.scale() * 25.4 / 72.0),
                format!("at least {:.0} mm for this figure at this width", least.ceil()),
                "leave the height out, choose panels with --plot-panel, or a smaller --plot-text",
            )
            .into());
        }
        Ok(self.draw(&page, extra))
    }

    /// The panels in rows that fit the page.
    fn arrange(&self, page: &Page) -> Vec<Vec<&Panel>> {
        let room = page.width - 2.0 * page.margin;
        let most = (((room + GAP.0) / (LEAST + GAP.0)).floor().max(1.0) as usize).min(page.columns);
        let rows = self.rows.iter().filter(|row| !row.is_empty());
        rows.flat_map(|row| {
            // Three that do not fit into one row stand two and one.
            let chunks = row.chunks(most.min(row.len()));
            chunks.map(|chunk| chunk.iter().collect()).collect::<Vec<_>>()
        })
        .collect()
    }

    /// Draws it, every row higher than it would be by `extra`.
    fn draw(&self, page: &Page, extra: f64) -> Drawn {
        let mut body = Svg::default();
        let mut placed = Vec::new();
        let (whole, margin) = (page.width, page.margin);
        let room = whole - 2.0 * margin;
        let mut y = margin;
        if !self.title.is_empty() {
            for line in style::wrap(&self.title, 15.0, room) {
                y += 12.0;
                body.text("title", Anchor::Start, (margin, y), &line);
                y += 8.0;
            }
            y += 2.0;
        }
        for line in style::wrap(&self.subtitle, SMALL, room) {
            y += LINE - 2.0;
            body.text("small faint", Anchor::Start, (margin, y), &line);
        }
        let rows = self.arrange(page);
        let headed = !(self.title.is_empty() && self.subtitle.is_empty());
        for (k, row) in rows.iter().enumerate() {
            y += if k > 0 || headed || page.margin > NARROW { GAP.1 } else { 0.0 };
            // On a page of full width a lone panel is no wider than one of two.
            let columns = row.len().max(if whole < WIDTH { 1 } else { 2 }) as f64;
            let width = (room - GAP.0 * (columns - 1.0)) / columns;
            // All plots of a row begin and end at the same height.
            let most =
                |of: &dyn Fn(&Panel) -> f64| row.iter().map(|panel| of(panel)).fold(0.0, f64::max);
            let above = most(&|panel| panel.above());
            let below = most(&|panel| panel.below(width));
            let core = most(&|panel| panel.core()) + extra;
            for (i, panel) in row.iter().enumerate() {
                // Plots below each other begin at the same place.
                let column = rows
                    .iter()
                    .filter(|other| other.len() == row.len())
                    .filter_map(|row| row.get(i));
                let left = column.map(|panel| panel.left(width, core)).fold(0.0, f64::max);
                let x = margin + (width + GAP.0) * i as f64;
                let frame = Frame { x, y, width, above, core, left };
                placed.extend(panel.draw(&mut body, frame));
            }
            y += above + core + below;
        }
        let caption = style::wrap(&self.caption, SMALL, room);
        if !caption.is_empty() {
            y += 12.0;
        }
        for line in caption {
            y += LINE;
            body.text("small faint", Anchor::Start, (margin, y), &line);
        }
        Drawn { body: body.finish(), size: (whole, (y + margin).ceil()), placed }
    }
}

/// What a figure is laid out on.
struct Page {
    width: f64,
    margin: f64,
    /// Panels side by side at most.
    columns: usize,
}

/// The SVG document; `scale` is how many points a unit of the drawing has, where it has a size on paper.
fn document(title: &str, drawn: &Drawn, scale: Option<f64>, css: &str) -> String {
    let (w, h) = (number(drawn.size.0), number(drawn.size.1));
    let size = match scale {
        None => format!("width=\"{w}\" height=\"{h}\""),
        Some(scale) => {
            let [w, h] = [drawn.size.0, drawn.size.1].map(|size| number(size * scale));
            format!("width=\"{w}pt\" height=\"{h}pt\"")
        }
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"carom\" role=\"img\" {size} viewBox=\"0 0 {w} {h}\">\n\
         <title>{}</title>\n<style>\n{css}</style>\n<rect class=\"paper\" width=\"{w}\" height=\"{h}\"/>\n{}</svg>\n",
        escape(title),
        drawn.body
    )
}

impl Panel {
    /// The bold line above.
    #[cfg(test)]
    pub fn title(&self) -> &str {
        match self {
            Self::Curves(curves) | Self::Space(curves) => &curves.title,
            Self::Dots(dots) => &dots.title,
            Self::Map(map) => &map.title,
        }
    }

    /// Room above the plot: title and the name of an axis.
    fn above(&self) -> f64 {
        match self {
            Self::Curves(curves) | Self::Space(curves) => curves::above(curves),
            Self::Dots(_) => dots::ABOVE,
            Self::Map(_) => map::ABOVE,
        }
    }

    /// How high the plot itself would like to be.
    fn core(&self) -> f64 {
        match self {
            Self::Curves(_) | Self::Space(_) => curves::PLOT,
            Self::Dots(dots) => dots::core(dots),
            Self::Map(_) => map::PLOT,
        }
    }

    /// Room below the plot: numbers, the name of an axis, the legend.
    fn below(&self, width: f64) -> f64 {
        match self {
            Self::Curves(curves) | Self::Space(curves) => curves::below(curves, width),
            Self::Dots(_) => dots::BELOW,
            Self::Map(_) => map::BELOW,
        }
    }

    /// Room left of the plot; none where a panel sees to it itself.
    fn left(&self, width: f64, core: f64) -> f64 {
        match self {
            Self::Curves(curves) => curves::left(curves, false, (width, core)),
            Self::Space(curves) => curves::left(curves, true, (width, core)),
            Self::Dots(_) | Self::Map(_) => 0.0,
        }
    }

    fn draw(&self, svg: &mut Svg, frame: Frame) -> Option<Placed> {
        match self {
            Self::Curves(curves) => Some(curves::draw(curves, false, svg, frame)),
            Self::Space(curves) => Some(curves::draw(curves, true, svg, frame)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Curves, Series};

    fn panel(title: &str, names: usize, highest: f64) -> Panel {
        let series = |i: usize| Series::new(format!("law {i}"), &[0.0, 1.0], &[0.0, highest], i);
        Panel::Curves(Curves {
            title: title.to_string(),
            x: Axis::new("time", ""),
            y: Axis::new("share", ""),
            series: (0..names).map(series).collect(),
            ..Curves::default()
        })
    }

    #[test]
    fn plots_of_a_row_and_of_a_column_are_aligned() {
        // A long legend made its plot lower than the one beside it, and wide numbers were cut off.
        let figure = Figure {
            rows: vec![
                vec![panel("a", 9, 1.0), panel("", 1, 0.22918712)],
                vec![panel("c", 2, 123_456.0), panel("d", 2, 1.0)],
            ],
            ..Figure::default()
        };
        let drawn = figure.arranged(&Look::default()).unwrap();
        let [a, b, c, d] = drawn.placed.as_slice() else { panic!("four panels") };
        for (left, right) in [(a, b), (c, d)] {
            assert_eq!((left.top, left.bottom), (right.top, right.bottom));
        }
        for (above, below) in [(a, c), (b, d)] {
            assert_eq!((above.left, above.right), (below.left, below.right));
        }
        assert!(a.bottom - a.top > 200.0);
    }

    #[test]
    fn a_height_that_is_asked_for_is_kept() {
        let figure = Figure {
            rows: vec![vec![panel("a", 3, 1.0), panel("b", 0, 1.0)]],
            ..Figure::default()
        };
        let look = Look { size: Some((480.0, Some(300.0))), ..Look::default() };
        let size = figure.arranged(&look).unwrap().size;
        assert!((size.1 * look.scale() - 300.0).abs() < 1.0, "{size:?}");
        let flat = Look { size: Some((480.0, Some(60.0))), ..Look::default() };
        assert!(figure.arranged(&flat).is_err());
    }
}
