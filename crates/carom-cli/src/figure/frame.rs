//! Rectangles of a panel on the page and of the plot between its axes.

/// Position of a panel on the page, in units of the drawing.
#[derive(Clone, Copy)]
pub struct PanelFrame {
    /// Upper left corner of the panel.
    pub x: f64,
    pub y: f64,
    pub width: f64,
    /// Space above the plot, for the title and the name of an axis.
    pub above: f64,
    /// Height of the plot itself.
    pub plot_height: f64,
    /// Space left of a plot of curves, for the numbers at its axis.
    pub left: f64,
}

impl PanelFrame {
    /// Returns the upper and the lower edge of the plot.
    pub fn plot(&self) -> (f64, f64) {
        (self.y + self.above, self.y + self.above + self.plot_height)
    }
}

/// Rectangle between the axes of a plot in pixels, and the ranges of values along x and y in SI units.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct PlotArea {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    pub x: (f64, f64),
    pub y: (f64, f64),
}
