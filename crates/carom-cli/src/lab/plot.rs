//! `POST plot`: draws curves that the page sends as columns, with the renderer of all figures.

use super::limits;
use crate::failure::Failure;
use crate::figure::{Axis, Curves, Figure, FigureFormat, FigureOptions, Panel, PlotArea, Series};
use carom::Error;
use serde::{Deserialize, Serialize};

/// Largest numbers in one request: of panels, of curves in a panel, and of points in total.
const MAX_PANELS: usize = 8;
const MAX_SERIES: usize = 100;
const MAX_POINTS: usize = 400_000;

/// Body of the request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    width: f64,
    panels: Vec<PanelRequest>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PanelRequest {
    #[serde(default)]
    title: String,
    x: AxisRequest,
    y: AxisRequest,
    series: Vec<Columns>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AxisRequest {
    label: String,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    range: Option<(f64, f64)>,
}

/// A curve, which nulls interrupt.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Columns {
    name: String,
    x: Vec<Option<f64>>,
    y: Vec<Option<f64>>,
    /// Index of its colour and dash pattern; by default the position of the curve.
    #[serde(default)]
    style: Option<usize>,
    /// Whether the points are drawn unconnected.
    #[serde(default)]
    dots: bool,
    /// Corners of its confidence band.
    #[serde(default)]
    band: Vec<(f64, f64)>,
}

/// A plot and the position of its axes.
#[derive(Debug, Serialize)]
pub struct DrawnPlot {
    svg: String,
    frame: Option<PlotArea>,
}

/// Draws the panels.
pub fn plot(request: Request) -> Result<Vec<DrawnPlot>, Error> {
    let width = request.width;
    let plots = request.figure()?.plots(width).into_iter();
    Ok(plots.map(|(svg, frame)| DrawnPlot { svg, frame }).collect())
}

/// Draws the panels as a file.
pub fn file(request: Request, kind: FigureFormat) -> Result<Vec<u8>, Failure> {
    request.figure()?.render(kind, &FigureOptions::default())
}

impl Request {
    fn figure(self) -> Result<Figure, Error> {
        self.check()?;
        let panels: Result<Vec<Panel>, Error> =
            self.panels.into_iter().map(PanelRequest::panel).collect();
        let rows = panels?.into_iter().map(|panel| vec![panel]).collect();
        Ok(Figure { rows, ..Figure::default() })
    }

    fn check(&self) -> Result<(), Error> {
        let limit = |name, given, most| limits::check_at_most(name, given, most, "send less");
        limit("the number of panels", self.panels.len(), MAX_PANELS)?;
        let series = || self.panels.iter().flat_map(|panel| &panel.series);
        limit("the number of points", series().map(|s| s.x.len()).sum(), MAX_POINTS)?;
        for panel in &self.panels {
            limit("the number of curves", panel.series.len(), MAX_SERIES)?;
        }
        limits::check_plot_width(self.width)?;
        if let Some(odd) = series().find(|s| s.x.len() != s.y.len()) {
            let allowed = format!("{} numbers, as in x", odd.x.len());
            let name = format!("y of `{}`", odd.name);
            return Err(Error::invalid(name, odd.y.len(), allowed, "send columns of equal length"));
        }
        Ok(())
    }
}

impl PanelRequest {
    fn panel(self) -> Result<Panel, Error> {
        let number = |value: &Option<f64>| value.unwrap_or(f64::NAN);
        let series = self.series.into_iter().enumerate().map(|(style, columns)| {
            let x: Vec<f64> = columns.x.iter().map(number).collect();
            let y: Vec<f64> = columns.y.iter().map(number).collect();
            let style = columns.style.unwrap_or(style);
            let series = Series::new(columns.name, &x, &y, style).with_band(columns.band);
            if columns.dots { series.scattered() } else { series }
        });
        let series = series.collect();
        let (x, y) = (self.x.axis()?, self.y.axis()?);
        Ok(Panel::Curves(Curves { title: self.title, x, y, series, ..Curves::default() }))
    }
}

impl AxisRequest {
    fn axis(self) -> Result<Axis, Error> {
        if let Some((low, high)) = self.range
            && !(low < high && low.is_finite() && high.is_finite())
        {
            let value = format!("{low} to {high}");
            return Err(Error::invalid("range", value, "rising", "give the lower end first"));
        }
        Ok(Axis { range: self.range, ..Axis::new(self.label, self.unit) })
    }
}
