//! Figures: what is to be seen as data, and one way of drawing it.
//!
//! A [`Figure`] says what is shown (panels, axes, curves, dots) and nothing about how. The `figures` of
//! the commands are made in a file each (`figure/impact.rs`, …) from what the library computes; SVG is
//! written by [`Figure::svg`], and PNG and PDF are that SVG painted (`figure/png.rs`) or written as a page
//! (`figure/pdf.rs`). Only `figure/file.rs` knows that there are files.
//!
//! The same rules for all: SI prefixes chosen per axis from the data, ticks at 1, 2 or 5 times a power
//! of ten, one scale on both axes where space is drawn, plots of a row of equal height, curves told apart by
//! colour *and* dashes *and* width, text as text in a font that travels with the figure, light paper or dark
//! screen decided by the reader's own setting. The output depends on the data and the options only, so that
//! figures can be compared.

mod advise;
mod compare;
mod curves;
mod dots;
mod file;
mod fit;
#[cfg(feature = "png")]
mod font;
mod grains;
mod impact;
mod laws;
mod look;
mod map;
mod marks;
mod model;
mod page;
#[cfg(feature = "png")]
mod pdf;
#[cfg(feature = "png")]
mod png;
mod regimes;
mod scale;
mod sensitivity;
mod simulate;
mod style;
mod svg;
mod sweep;
mod thin;

pub use advise::advise;
pub use compare::{Compared, compare};
pub use file::{Kind, Plot, Target};
pub use fit::{fit, ranking};
pub use grains::{LEDGER as GRAIN_LEDGER, grain_figures, grains};
pub use impact::{conditions, impact};
pub use laws::{Course, Measured, laws};
pub use look::Look;
pub use model::model;
pub use regimes::regimes;
pub use sensitivity::sensitivity;
pub use svg::escape;
pub use sweep::sweep;

pub use simulate::{scene_figures, simulate};
use std::borrow::Cow;

/// What is shown: rows of panels under a title.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// One line on top.
    pub title: String,
    /// What it was computed from, below the title.
    pub subtitle: String,
    /// Panels side by side, row by row.
    pub rows: Vec<Vec<Panel>>,
    /// What to know about it, at the foot.
    pub caption: String,
}

/// One coordinate system.
#[derive(Clone, Debug)]
pub enum Panel {
    /// Curves over two axes.
    Curves(Curves),
    /// Curves in space: both axes have the same unit and the same scale, so that a circle is round.
    Space(Curves),
    /// Named numbers on one axis.
    Dots(Dots),
    /// A number over two axes, as colours.
    Map(Map),
}

/// A number over two axes, as colours.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// Bold line above.
    pub title: String,
    /// What is shown.
    pub value: Axis,
    /// To the right, and the values there; equal widths whatever their distances.
    pub x: (Axis, Vec<f64>),
    /// Upwards.
    pub y: (Axis, Vec<f64>),
    /// Row by row from the bottom; what is not finite stays blank.
    pub cells: Vec<f64>,
}

/// Curves over two axes, with a legend below.
#[derive(Clone, Debug, Default)]
pub struct Curves {
    /// Bold line above; may be empty.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// The curves, in the order of the legend; the first is drawn on top.
    pub series: Vec<Series>,
    /// Lines across, for what was measured or would be ideal.
    pub guides: Vec<Guide>,
}

/// What an axis shows, in which SI unit.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// Name of the quantity.
    pub label: Cow<'static, str>,
    /// SI unit without a prefix; empty for pure numbers.
    pub unit: Cow<'static, str>,
    /// The range where it does not follow from the data.
    pub range: Option<(f64, f64)>,
    /// Equal ratios are equal distances, where all values are positive.
    pub log: bool,
}

/// A curve.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// In the legend; a series without a name has no entry.
    pub name: String,
    /// Points in SI units; those that are not finite interrupt the curve.
    pub points: Vec<(f64, f64)>,
    /// Colour and dashes, by number.
    pub style: usize,
    /// Points of a measurement, not joined.
    pub scattered: bool,
}

/// A line across a panel.
#[derive(Clone, Debug)]
pub enum Guide {
    /// At a height.
    Horizontal(f64, String),
    /// At a place on the x axis.
    Vertical(f64, String),
    /// y = x.
    Diagonal(String),
}

/// Named numbers on one axis, beside the number that was asked for.
#[derive(Clone, Debug, Default)]
pub struct Dots {
    /// Bold line above; may be empty.
    pub title: String,
    /// The axis below.
    pub axis: Axis,
    /// What all dots are compared with.
    pub target: Option<(f64, String)>,
    /// From top to bottom.
    pub rows: Vec<Dot>,
    /// Whether the usual meaning of the marks stands below.
    pub legend: bool,
}

/// A named number.
#[derive(Clone, Debug)]
pub struct Dot {
    /// On the left.
    pub label: String,
    /// Shown when the pointer rests on the row; may be empty.
    pub about: String,
    /// Its place on the axis.
    pub value: f64,
    /// On the right.
    pub remark: String,
    /// Its form.
    pub mark: Mark,
    /// The colour of a curve elsewhere in the figure that belongs to it.
    pub style: Option<usize>,
}

/// The form of a dot, which says where a number came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Filled circle.
    Full,
    /// Open circle.
    Open,
    /// Diamond.
    Diamond,
    /// Filled circle that needs no explanation.
    Plain,
}

impl Mark {
    /// In the order of a legend, with its meaning.
    const ALL: [(Self, &'static str); 3] = [
        (Self::Full, "published formula"),
        (Self::Open, "exact calibration"),
        (Self::Diamond, "no restitution asked for"),
    ];
}

impl Axis {
    /// An axis whose range follows from the data.
    pub fn new(label: impl Into<Cow<'static, str>>, unit: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), unit: unit.into(), range: None, log: false }
    }

    /// An axis with a fixed range.
    pub fn fixed(
        label: impl Into<Cow<'static, str>>,
        unit: impl Into<Cow<'static, str>>,
        low: f64,
        high: f64,
    ) -> Self {
        Self { range: Some((low, high)), ..Self::new(label, unit) }
    }
}

impl Series {
    /// A curve through columns of equal length.
    pub fn new(name: impl Into<String>, x: &[f64], y: &[f64], style: usize) -> Self {
        let points = x.iter().copied().zip(y.iter().copied()).collect();
        Self { name: name.into(), points, style, scattered: false }
    }

    /// Measured points.
    pub fn scattered(name: impl Into<String>, x: &[f64], y: &[f64], style: usize) -> Self {
        Self { scattered: true, ..Self::new(name, x, y, style) }
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

/// Where a panel is drawn: its upper left corner, its width, the room above the plot and the height of the plot itself.
#[derive(Clone, Copy)]
struct Frame {
    x: f64,
    y: f64,
    width: f64,
    above: f64,
    core: f64,
    /// Left of a plot of curves, for its numbers.
    left: f64,
}

impl Frame {
    /// The upper and the lower edge of the plot.
    fn plot(&self) -> (f64, f64) {
        (self.y + self.above, self.y + self.above + self.core)
    }
}
