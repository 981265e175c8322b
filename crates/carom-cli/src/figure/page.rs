//! Layout of a figure on its page: title, rows of panels, caption. Lengths are in units of the drawing (px).

use super::frame::{PanelFrame, PlotArea};
use super::options::{FigureOptions, WIDTH};
use super::style::{self, SMALL_TEXT_SIZE};
use super::svg::{Anchor, Svg, escape, number};
use super::{Figure, Panel, curves, dot_plot, heat_map};
use crate::failure::Failure;
use carom::Error;

/// Margin of a figure of the usual size, and of one for a paper or a web page, which has its own margins.
const MARGIN: f64 = 24.0;
const NARROW_MARGIN: f64 = 10.0;
/// Horizontal and vertical distance between panels.
const PANEL_GAP: (f64, f64) = (36.0, 26.0);
/// Distance between the lines of the caption.
const CAPTION_LINE_HEIGHT: f64 = 16.0;
/// Width below which panels are placed below each other instead.
const MIN_PANEL_WIDTH: f64 = 250.0;
const MIN_PLOT_HEIGHT: f64 = 60.0;

/// A rendered figure.
struct DrawnFigure {
    /// SVG elements of the page.
    body: String,
    /// Width and height.
    size: (f64, f64),
    /// Rectangles between the axes of its plots of curves.
    plot_areas: Vec<PlotArea>,
}

impl Figure {
    /// Returns the figure as an SVG document of the usual size, with its font embedded.
    pub fn svg(&self) -> String {
        // Only options can cause an error, and the default options cause none.
        self.svg_as(&FigureOptions::default()).unwrap_or_default()
    }

    /// Returns the figure as an SVG document with these options.
    pub fn svg_as(&self, options: &FigureOptions) -> Result<String, Failure> {
        let figure = options.apply(self)?;
        let drawn = figure.lay_out(options)?;
        let css = style::style_sheet(cfg!(feature = "png"));
        #[cfg(feature = "png")]
        let css = super::png::font_face_rules(&drawn.body, options) + &css;
        Ok(document(&figure.title, &drawn, options.size.map(|_| options.scale()), &css))
    }

    /// Returns every panel as an SVG document of its own, `width` px wide, and the rectangle between its axes. A web page uses it
    /// that lays out the panels itself, has its own font and reads values under the pointer.
    pub fn plots(&self, width: f64) -> Vec<(String, Option<PlotArea>)> {
        let panels = self.rows.iter().flatten();
        panels
            .map(|panel| {
                let lone = Self { rows: vec![vec![panel.clone()]], ..Self::default() };
                let drawn =
                    lone.draw(&PageLayout { width, margin: NARROW_MARGIN, columns: 1 }, 0.0);
                let svg = document("", &drawn, None, &style::style_sheet(false));
                (svg, drawn.plot_areas.into_iter().next())
            })
            .collect()
    }

    /// Lays out the figure on a page of the size that the options give.
    fn lay_out(&self, options: &FigureOptions) -> Result<DrawnFigure, Failure> {
        let (width, height) = options.size_in_units();
        let mut page = PageLayout { width, margin: NARROW_MARGIN, columns: usize::MAX };
        if options.size.is_none() {
            page.margin = MARGIN;
            // A page with single panels chosen by the user is as wide as one of two panels side by side.
            let half = 0.5 * (WIDTH - 2.0 * MARGIN - PANEL_GAP.0);
            if !options.panels.is_empty() && self.rows.iter().all(|row| row.len() < 2) {
                page.width = half + 2.0 * MARGIN;
            }
        }
        let natural = self.draw(&page, 0.0);
        let Some(height) = height else { return Ok(natural) };
        // The difference to the requested height is distributed equally over the rows.
        let rows = self.panel_rows(&page).len().max(1) as f64;
        let extra = (height - natural.size.1) / rows;
        let lowest = self
            .panel_rows(&page)
            .iter()
            .flatten()
            .map(|panel| panel.plot_height())
            .fold(f64::MAX, f64::min);
        if lowest + extra < MIN_PLOT_HEIGHT {
            let least =
                (natural.size.1 + rows * (MIN_PLOT_HEIGHT - lowest)) * options.scale() * 25.4
                    / 72.0;
            return Err(Error::invalid(
                "plot-size",
                format!("a height of {:.0} mm", height * options.scale() * 25.4 / 72.0),
                format!("at least {:.0} mm for this figure at this width", least.ceil()),
                "leave the height out, choose panels with --plot-panel, or a smaller --plot-text",
            )
            .into());
        }
        Ok(self.draw(&page, extra))
    }

    /// Returns the panels in rows that fit the width of the page.
    fn panel_rows(&self, page: &PageLayout) -> Vec<Vec<&Panel>> {
        let room = page.width - 2.0 * page.margin;
        let columns = (((room + PANEL_GAP.0) / (MIN_PANEL_WIDTH + PANEL_GAP.0)).floor().max(1.0)
            as usize)
            .min(page.columns);
        let rows = self.rows.iter().filter(|row| !row.is_empty());
        rows.flat_map(|row| {
            let chunks = row.chunks(columns.min(row.len()));
            chunks.map(|chunk| chunk.iter().collect()).collect::<Vec<_>>()
        })
        .collect()
    }

    /// Draws the figure, with every row higher by `extra` than its natural height.
    fn draw(&self, page: &PageLayout, extra: f64) -> DrawnFigure {
        let mut body = Svg::default();
        let mut plot_areas = Vec::new();
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
        for line in style::wrap(&self.subtitle, SMALL_TEXT_SIZE, room) {
            y += CAPTION_LINE_HEIGHT - 2.0;
            body.text("small faint", Anchor::Start, (margin, y), &line);
        }
        let rows = self.panel_rows(page);
        let headed = !(self.title.is_empty() && self.subtitle.is_empty());
        for (k, row) in rows.iter().enumerate() {
            y += if k > 0 || headed || page.margin > NARROW_MARGIN { PANEL_GAP.1 } else { 0.0 };
            // On a page of full width a single panel is as wide as one of two.
            let columns = row.len().max(if whole < WIDTH { 1 } else { 2 }) as f64;
            let width = (room - PANEL_GAP.0 * (columns - 1.0)) / columns;
            // All plots of a row have the same upper and lower edges.
            let largest =
                |of: &dyn Fn(&Panel) -> f64| row.iter().map(|panel| of(panel)).fold(0.0, f64::max);
            let above = largest(&|panel| panel.space_above());
            let below = largest(&|panel| panel.space_below(width));
            let plot_height = largest(&|panel| panel.plot_height()) + extra;
            for (i, panel) in row.iter().enumerate() {
                // Plots below each other have the same left edge.
                let column = rows
                    .iter()
                    .filter(|other| other.len() == row.len())
                    .filter_map(|row| row.get(i));
                let left =
                    column.map(|panel| panel.space_left(width, plot_height)).fold(0.0, f64::max);
                let x = margin + (width + PANEL_GAP.0) * i as f64;
                let frame = PanelFrame { x, y, width, above, plot_height, left };
                plot_areas.extend(panel.draw(&mut body, frame));
            }
            y += above + plot_height + below;
        }
        let caption = style::wrap(&self.caption, SMALL_TEXT_SIZE, room);
        if !caption.is_empty() {
            y += 12.0;
        }
        for line in caption {
            y += CAPTION_LINE_HEIGHT;
            body.text("small faint", Anchor::Start, (margin, y), &line);
        }
        DrawnFigure { body: body.finish(), size: (whole, (y + margin).ceil()), plot_areas }
    }
}

/// Width, margin and number of columns of a page.
struct PageLayout {
    width: f64,
    margin: f64,
    /// Largest number of panels side by side.
    columns: usize,
}

/// Returns the SVG document; `scale` is the number of points per unit of the drawing, if the figure has a size on paper.
fn document(title: &str, drawn: &DrawnFigure, scale: Option<f64>, css: &str) -> String {
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
    /// Returns the title of the panel.
    #[cfg(test)]
    pub fn title(&self) -> &str {
        match self {
            Self::Curves(curves) | Self::EqualAspect(curves) => &curves.title,
            Self::DotPlot(dots) => &dots.title,
            Self::HeatMap(map) => &map.title,
        }
    }

    /// Returns the space above the plot, for title and axis label.
    fn space_above(&self) -> f64 {
        match self {
            Self::Curves(curves) | Self::EqualAspect(curves) => curves::space_above(curves),
            Self::DotPlot(_) => dot_plot::SPACE_ABOVE,
            Self::HeatMap(_) => heat_map::SPACE_ABOVE,
        }
    }

    /// Returns the natural height of the plot itself.
    fn plot_height(&self) -> f64 {
        match self {
            Self::Curves(_) | Self::EqualAspect(_) => curves::PLOT_HEIGHT,
            Self::DotPlot(dots) => dot_plot::plot_height(dots),
            Self::HeatMap(_) => heat_map::PLOT_HEIGHT,
        }
    }

    /// Returns the space below the plot, for tick labels, axis label and legend.
    fn space_below(&self, width: f64) -> f64 {
        match self {
            Self::Curves(curves) | Self::EqualAspect(curves) => curves::space_below(curves, width),
            Self::DotPlot(_) => dot_plot::SPACE_BELOW,
            Self::HeatMap(_) => heat_map::SPACE_BELOW,
        }
    }

    /// Returns the space left of a plot of curves, for tick labels; other panels reserve it within their width.
    fn space_left(&self, width: f64, plot_height: f64) -> f64 {
        match self {
            Self::Curves(curves) => curves::space_left(curves, false, (width, plot_height)),
            Self::EqualAspect(curves) => curves::space_left(curves, true, (width, plot_height)),
            Self::DotPlot(_) | Self::HeatMap(_) => 0.0,
        }
    }

    fn draw(&self, svg: &mut Svg, frame: PanelFrame) -> Option<PlotArea> {
        match self {
            Self::Curves(curves) => Some(curves::draw(curves, false, svg, frame)),
            Self::EqualAspect(curves) => Some(curves::draw(curves, true, svg, frame)),
            Self::DotPlot(dots) => {
                dot_plot::draw(dots, svg, frame);
                None
            }
            Self::HeatMap(map) => {
                heat_map::draw(map, svg, frame);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Series};

    fn panel(title: &str, names: usize, highest: f64) -> Panel {
        let series = |i: usize| Series::new(format!("law {i}"), &[0.0, 1.0], &[0.0, highest], i);
        Panel::curves(
            title,
            Axis::new("time", ""),
            Axis::new("share", ""),
            (0..names).map(series).collect(),
        )
    }

    #[test]
    fn plots_of_a_row_and_of_a_column_are_aligned() {
        // Guards against two errors: a long legend made its plot lower than the one beside it, and wide numbers were cut off.
        let figure = Figure {
            rows: vec![
                vec![panel("a", 9, 1.0), panel("", 1, 0.22918712)],
                vec![panel("c", 2, 123_456.0), panel("d", 2, 1.0)],
            ],
            ..Figure::default()
        };
        let drawn = figure.lay_out(&FigureOptions::default()).unwrap();
        let [a, b, c, d] = drawn.plot_areas.as_slice() else { panic!("four panels") };
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
        let options =
            FigureOptions { size: Some((480.0, Some(300.0))), ..FigureOptions::default() };
        let size = figure.lay_out(&options).unwrap().size;
        assert!((size.1 * options.scale() - 300.0).abs() < 1.0, "{size:?}");
        let flat = FigureOptions { size: Some((480.0, Some(60.0))), ..FigureOptions::default() };
        assert!(figure.lay_out(&flat).is_err());
    }
}
