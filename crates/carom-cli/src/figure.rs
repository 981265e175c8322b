//! Figures as data, and one renderer for all of them.
//!
//! A [`Figure`] describes what is shown (panels, axes, curves, dots), independently of how it is drawn. Each command's figure is
//! built in a file of its own (`figure/impact.rs`, …) from the library's results. [`Figure::svg`] renders SVG; PNG is that SVG
//! rasterised (`figure/png.rs`), PDF that SVG converted to one page (`figure/pdf.rs`). Only `figure/file.rs` writes files.
//!
//! All figures follow the same rules: SI prefixes are chosen per axis from the data; ticks are 1, 2 or 5 times a power of ten;
//! spatial coordinates have equal scales on both axes; the plots of a row have equal heights; curves differ in colour, dashes *and*
//! width; text remains text, in a font that is embedded in the figure; the reader's system setting decides between light and dark.
//! The output depends only on data and options, so that figures can be compared byte by byte.

mod advise;
mod bifurcation;
mod compare;
mod contact_laws;
mod curves;
mod dot_plot;
mod drop;
mod file;
mod fit;
#[cfg(feature = "png")]
mod font;
mod frame;
mod grains;
mod heat_map;
mod impact;
mod laws;
mod markers;
mod model;
mod options;
mod page;
#[cfg(feature = "png")]
mod pdf;
#[cfg(feature = "png")]
mod png;
mod regimes;
mod scale;
mod sensitivity;
mod simplify;
mod simulate;
mod style;
mod svg;
mod sweep;

pub use advise::advise;
pub use bifurcation::{Diagram, DiagramCase, bifurcation};
pub use compare::{LawsOnExperiment, compare};
pub use contact_laws::{ContactForces, contact_laws};
pub use drop::{drop, fitted_restitution};
pub use file::{FigureFormat, Plot, Target};
pub use fit::{fit, fit_together, ranking};
pub use frame::PlotArea;
pub use grains::{LEDGER as GRAIN_LEDGER, grain_figures, grains};
pub use impact::{conditions, impact};
pub use laws::{LawTrajectory, Measured, laws};
pub use model::{SteelBallImpacts, model};
pub use options::FigureOptions;
pub use regimes::regimes;
pub use scale::finite_bounds;
pub use sensitivity::sensitivity;
pub use simulate::{LEDGER, scene_figures, simulate};
pub use svg::escape;
pub use sweep::{sweep, sweep_of};

use carom::Law;
use carom::impact::{Conditions, Trajectory};
use std::borrow::Cow;

/// Rows of panels under a title.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// Line at the top.
    pub title: String,
    /// Input data of the computation, below the title.
    pub subtitle: String,
    /// Rows of panels, from the top.
    pub rows: Vec<Vec<Panel>>,
    /// Text below the panels.
    pub caption: String,
}

/// One coordinate system.
#[derive(Clone, Debug)]
pub enum Panel {
    /// Curves over two axes.
    Curves(Curves),
    /// Curves over two spatial coordinates: equal unit and equal scale on both axes, so that a circle is round.
    EqualAspect(Curves),
    /// Labelled values on one axis.
    DotPlot(DotPlot),
    /// A quantity over two axes as colours.
    HeatMap(HeatMap),
}

/// A quantity over two axes as colours.
#[derive(Clone, Debug, Default)]
pub struct HeatMap {
    /// Bold line above.
    pub title: String,
    /// The quantity that the colours show.
    pub value: Axis,
    /// Horizontal axis and the values of the columns. All columns have the same width.
    pub x: (Axis, Vec<f64>),
    /// Vertical axis and the values of the rows.
    pub y: (Axis, Vec<f64>),
    /// Values row by row from the bottom; cells that are not finite stay blank.
    pub cells: Vec<f64>,
}

/// Curves over two axes, with a legend below.
#[derive(Clone, Debug, Default)]
pub struct Curves {
    /// Bold line above; may be empty.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// The curves, in the order of the legend; the first is drawn first, below the others.
    pub series: Vec<Series>,
    /// Reference lines: measured values, or the ideal.
    pub guides: Vec<Guide>,
}

/// The quantity along an axis, its unit and its range.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// Name of the quantity.
    pub label: Cow<'static, str>,
    /// SI unit without a prefix; empty for pure numbers.
    pub unit: Cow<'static, str>,
    /// A fixed range; the range of the data by default.
    pub range: Option<(f64, f64)>,
    /// Logarithmic, if all values are positive; linear otherwise.
    pub log: bool,
}

/// A curve, or points that are not connected.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Entry in the legend; none if empty.
    pub name: String,
    /// Points in SI units; points that are not finite interrupt the curve.
    pub points: Vec<(f64, f64)>,
    /// Number of its colour and dash pattern.
    pub style: usize,
    /// Whether the points are drawn as dots that are not connected, as for measurements.
    pub scattered: bool,
    /// Outline of its confidence band, filled below all curves; empty for none.
    pub band: Vec<(f64, f64)>,
}

/// A reference line across a panel.
#[derive(Clone, Debug)]
pub enum Guide {
    /// At a value of the y axis, with its label.
    Horizontal(f64, String),
    /// At a value of the x axis, with its label.
    Vertical(f64, String),
    /// y = x, with its entry in the legend.
    Diagonal(String),
}

/// A dot plot (Cleveland): labelled values on one axis, each joined to a target value.
#[derive(Clone, Debug, Default)]
pub struct DotPlot {
    /// Bold line above; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub axis: Axis,
    /// Value with which all dots are compared, and its label.
    pub target: Option<(f64, String)>,
    /// The values, from top to bottom.
    pub dots: Vec<Dot>,
    /// Whether a legend below explains the markers.
    pub legend: bool,
}

/// A labelled value.
#[derive(Clone, Debug)]
pub struct Dot {
    /// Text on the left.
    pub label: String,
    /// Tooltip; may be empty.
    pub about: String,
    /// Position on the axis.
    pub value: f64,
    /// Text on the right.
    pub remark: String,
    /// Shape of the dot.
    pub marker: Marker,
    /// Style of the curve elsewhere in the figure that belongs to this value.
    pub style: Option<usize>,
}

/// Shape of a dot, which indicates how its value was obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// Filled circle.
    Filled,
    /// Open circle.
    Open,
    /// Diamond.
    Diamond,
    /// Filled circle without an entry in the legend.
    Plain,
}

impl Marker {
    /// Entries of the legend, in order: marker and meaning.
    const ALL: [(Self, &'static str); 3] = [
        (Self::Filled, "published formula"),
        (Self::Open, "exact calibration"),
        (Self::Diamond, "no restitution asked for"),
    ];
}

impl Figure {
    /// Creates a figure without a caption.
    pub fn new(
        title: impl Into<String>,
        subtitle: impl Into<String>,
        rows: Vec<Vec<Panel>>,
    ) -> Self {
        Self { title: title.into(), subtitle: subtitle.into(), rows, caption: String::new() }
    }
}

/// Arranges panels in rows of two.
pub fn two_per_row(panels: &[Panel]) -> Vec<Vec<Panel>> {
    panels.chunks(2).map(<[Panel]>::to_vec).collect()
}

/// Computes force over indentation of an impact at this number of instants.
pub fn force_loop(law: &Law, speed: f64, instants: usize) -> carom::Result<Vec<(f64, f64)>> {
    let trajectory = Trajectory::new(law, speed, &Conditions::default(), instants)?;
    Ok(trajectory.indentation.into_iter().zip(trajectory.force).collect())
}

impl Axis {
    /// Creates an axis whose range follows from the data.
    pub fn new(label: impl Into<Cow<'static, str>>, unit: impl Into<Cow<'static, str>>) -> Self {
        Self { label: label.into(), unit: unit.into(), range: None, log: false }
    }

    /// Creates an axis with a fixed range.
    pub fn fixed(
        label: impl Into<Cow<'static, str>>,
        unit: impl Into<Cow<'static, str>>,
        low: f64,
        high: f64,
    ) -> Self {
        Self { range: Some((low, high)), ..Self::new(label, unit) }
    }
}

impl Panel {
    /// Creates a panel of curves over two axes, without reference lines.
    pub fn curves(title: impl Into<String>, x: Axis, y: Axis, series: Vec<Series>) -> Self {
        Self::Curves(Curves::new(title, x, y, series))
    }
}

impl Curves {
    /// Creates curves without reference lines.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis, series: Vec<Series>) -> Self {
        Self { title: title.into(), x, y, series, guides: Vec::new() }
    }
}

impl Series {
    /// Creates a curve from columns of equal length.
    pub fn new(name: impl Into<String>, x: &[f64], y: &[f64], style: usize) -> Self {
        Self::through(name, x.iter().copied().zip(y.iter().copied()).collect(), style)
    }

    /// Creates a curve through points.
    pub fn through(name: impl Into<String>, points: Vec<(f64, f64)>, style: usize) -> Self {
        Self { name: name.into(), points, style, ..Self::default() }
    }

    /// Returns this series with a confidence band of this outline.
    pub fn with_band(self, band: Vec<(f64, f64)>) -> Self {
        Self { band, ..self }
    }

    /// Returns this series with its points drawn as dots that are not connected.
    pub fn scattered(self) -> Self {
        Self { scattered: true, ..self }
    }
}
