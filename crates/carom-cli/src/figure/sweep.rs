//! A sweep as a figure: loops, lines, a map or distributions, by what the study is.

use super::{Axis, Curves, Figure, Map, Panel, Series};
use carom::Error;
use carom::impact::Trajectory;
use carom::sweep::{self, Plan, Points, Study};
use carom_store::Column;

/// More cases than this are not computed again for a figure.
const MOST_CASES: u64 = 200_000;
/// Loops in a figure, and curves in a panel.
const MOST_LOOPS: u64 = 120;
const MOST_CURVES: usize = 12;
const INSTANTS: usize = 400;

/// The figure of a study.
pub fn sweep(plan: &Plan) -> carom::Result<Figure> {
    let study = plan.study();
    let kind = study.figure().unwrap_or_else(|| usual(study));
    let most = if kind == sweep::Figure::Loops { MOST_LOOPS } else { MOST_CASES };
    if study.cases() > most {
        return Err(Error::invalid(
            "number of cases",
            study.cases(),
            format!("at most {most} in this kind of figure"),
            "draw the results with other tools, or make a smaller study for the figure",
        ));
    }
    let mut figure = match kind {
        sweep::Figure::Loops => loops(study)?,
        _ => {
            let rows = Rows { columns: plan.cases(0..study.cases()), study };
            match kind {
                sweep::Figure::Map => rows.map()?,
                sweep::Figure::Distribution => rows.distribution(),
                _ => rows.lines()?,
            }
        }
    };
    figure.title = match study.title() {
        "" => "Sweep".to_string(),
        title => title.to_string(),
    };
    Ok(figure)
}

/// Axes that are numbers in a list or range, with at least so many of them.
fn numeric(study: &Study, least: u64) -> Vec<usize> {
    let long = |&i: &usize| {
        study.axes().get(i).is_some_and(|axis| {
            matches!(axis.points(), Points::Numbers(_)) && axis.count().unwrap_or(0) >= least
        })
    };
    (0..study.axes().len()).filter(long).collect()
}

fn usual(study: &Study) -> sweep::Figure {
    let two = numeric(study, 3);
    let product: u64 = two.iter().filter_map(|&i| study.axes().get(i)?.count()).product();
    match two.len() {
        2 if product == study.grid() => sweep::Figure::Map,
        0 if study.sampling().count() > 1 => sweep::Figure::Distribution,
        _ => sweep::Figure::Lines,
    }
}

/// Force over indentation: a panel for every label, a loop for every case.
fn loops(study: &Study) -> carom::Result<Figure> {
    let mut panels: Vec<(String, Curves)> = Vec::new();
    for index in 0..study.cases() {
        let spec = study.spec(index)?;
        let case = spec.case()?;
        let course = Trajectory::new(&case.law()?, case.speed, &case.conditions, INSTANTS)?;
        let mut label = String::new();
        let mut name = Vec::new();
        let mut about = Vec::new();
        for (axis, value) in study.axes().iter().zip(study.words(index)) {
            match axis.name() {
                "label" => label = value,
                "damping_exponent" => name.push(format!("m = {value}")),
                "rate_exponent" => name.push(format!("q = {value}")),
                "exponent" => about.push(format!("n = {value}")),
                "restitution" => about.push(format!("e = {value}")),
                other => name.push(format!("{other} {value}")),
            }
        }
        if panels.last().is_none_or(|(last, _)| *last != label) {
            let title = match label.as_str() {
                "" => about.join(", "),
                label => format!("({label})  {}", about.join(", ")),
            };
            let curves = Curves {
                title,
                x: Axis::new("indentation", unit(study, "m")),
                y: Axis::new("force", unit(study, "N")),
                ..Curves::default()
            };
            panels.push((label, curves));
        }
        if let Some((_, curves)) = panels.last_mut() {
            let style = curves.series.len();
            curves.series.push(Series::new(
                name.join(", "),
                &course.indentation,
                &course.force,
                style,
            ));
        }
    }
    let panels: Vec<Panel> = panels.into_iter().map(|(_, curves)| Panel::Curves(curves)).collect();
    Ok(Figure { rows: pairs(panels), ..Figure::default() })
}

/// The unit of a loop; none where mass, stiffness and speed are all one, which is how studies without
/// units are written.
fn unit(study: &Study, si: &'static str) -> &'static str {
    let one = |spec: &carom::spec::Spec| {
        let is = |value: &Option<carom::spec::Quantity>| *value == Some(1.0.into());
        is(&spec.mass) && is(&spec.stiffness) && is(&spec.speed)
    };
    match study.spec(0) {
        Ok(spec) if one(&spec) => "",
        _ => si,
    }
}

/// Two panels side by side.
fn pairs(panels: Vec<Panel>) -> Vec<Vec<Panel>> {
    let mut rows: Vec<Vec<Panel>> = Vec::new();
    for panel in panels {
        match rows.last_mut() {
            Some(row) if row.len() < 2 => row.push(panel),
            _ => rows.push(vec![panel]),
        }
    }
    rows
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Whether values in order follow each other by equal ratios, at least threefold in all: the ranges with
/// `spacing = "log"`, and lists like 0.1, 1, 10.
fn geometric(values: &[f64]) -> bool {
    let [first, second, .., last] = values else { return false };
    let ratio = second / first;
    *first > 0.0
        && last / first >= 3.0
        && values.windows(2).all(|two| ((two[1] / two[0]) / ratio - 1.0).abs() < 1e-6)
}

/// All results of a study.
struct Rows<'a> {
    columns: Vec<Column>,
    study: &'a Study,
}

impl Rows<'_> {
    fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    fn number(&self, column: usize, row: usize) -> f64 {
        self.columns.get(column).and_then(|column| column.values.real(row)).unwrap_or(f64::NAN)
    }

    /// Axes are columns 1, 2, …; outputs follow.
    fn outputs(&self) -> impl Iterator<Item = usize> + '_ {
        let first = 1 + self.study.axes().len();
        first..first + self.study.outputs().len()
    }

    fn axis(&self, column: usize) -> Axis {
        match self.columns.get(column) {
            Some(column) => Axis::new(column.name.replace('_', " "), column.unit.clone()),
            None => Axis::default(),
        }
    }

    /// Rows that belong to one curve, by the values of the axes that are lists but not `x`.
    fn groups(&self, x: Option<usize>) -> Vec<(String, Vec<usize>)> {
        let axes: Vec<usize> = (0..self.study.axes().len())
            .filter(|&i| {
                Some(i) != x && self.study.axes().get(i).is_some_and(|a| a.count().is_some())
            })
            .collect();
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        for row in 0..self.rows() {
            let words: Vec<String> = axes.iter().map(|&i| self.said(i, row)).collect();
            let name = words.join(", ");
            let room = groups.len() <= MOST_CURVES;
            if let Some((_, rows)) = groups.iter_mut().find(|(known, _)| *known == name) {
                rows.push(row);
            } else if room {
                groups.push((name, vec![row]));
            }
        }
        groups
    }

    fn said(&self, axis: usize, row: usize) -> String {
        let Some(column) = self.columns.get(axis + 1) else { return String::new() };
        match column.values.text(row) {
            Some(word) => word.to_string(),
            None => {
                let value = carom::units::format(self.number(axis + 1, row), &column.unit);
                format!("{} {value}", column.name.replace('_', " "))
            }
        }
    }

    /// The values of an axis in order, each once.
    fn distinct(&self, axis: usize) -> Vec<f64> {
        let mut values: Vec<f64> = (0..self.rows()).map(|row| self.number(axis + 1, row)).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    }

    fn caption(&self, groups: usize, sampled: &str) -> String {
        let mut sentences = Vec::new();
        if groups > MOST_CURVES {
            sentences.push(format!("The first {MOST_CURVES} curves of more."));
        }
        if self.study.sampling().count() > 1 {
            sentences.push(format!("{sampled} {} samples.", self.study.sampling().count()));
        }
        sentences.join(" ")
    }

    fn lines(&self) -> carom::Result<Figure> {
        let longest = numeric(self.study, 2)
            .into_iter()
            .max_by_key(|&i| self.study.axes().get(i).and_then(|axis| axis.count()));
        let Some(x) = longest else {
            return Err(Error::missing(
                "an axis to draw over",
                "give an axis at least two numbers, or write figure = \"loops\" or \"distribution\" into the study",
            ));
        };
        let groups = self.groups(Some(x));
        let log = geometric(&self.distinct(x));
        let panels = self.outputs().map(|output| {
            let series =
                groups.iter().take(MOST_CURVES).enumerate().map(|(style, (name, rows))| {
                    let mut at: Vec<(f64, Vec<f64>)> = Vec::new();
                    for &row in rows {
                        let (place, value) = (self.number(x + 1, row), self.number(output, row));
                        match at.last_mut().filter(|(last, _)| *last == place) {
                            Some((_, values)) => values.push(value),
                            None => match at.iter_mut().find(|(known, _)| *known == place) {
                                Some((_, values)) => values.push(value),
                                None => at.push((place, vec![value])),
                            },
                        }
                    }
                    at.sort_by(|a, b| a.0.total_cmp(&b.0));
                    let points = at.into_iter().map(|(x, mut values)| (x, median(&mut values)));
                    Series {
                        name: name.clone(),
                        points: points.collect(),
                        style,
                        ..Series::default()
                    }
                });
            Panel::Curves(Curves {
                x: Axis { log, ..self.axis(x + 1) },
                y: self.axis(output),
                series: series.collect(),
                ..Curves::default()
            })
        });
        let rows = pairs(panels.collect());
        Ok(Figure { rows, caption: self.caption(groups.len(), "Medians of"), ..Figure::default() })
    }

    fn distribution(&self) -> Figure {
        let groups = self.groups(None);
        let panels = self.outputs().map(|output| {
            let series =
                groups.iter().take(MOST_CURVES).enumerate().map(|(style, (name, rows))| {
                    let mut values: Vec<f64> = rows
                        .iter()
                        .map(|&row| self.number(output, row))
                        .filter(|value| value.is_finite())
                        .collect();
                    values.sort_by(f64::total_cmp);
                    let count = values.len() as f64;
                    // A thousand quantiles are a smooth curve.
                    let step = values.len().div_ceil(1000).max(1);
                    let points = values.iter().enumerate().step_by(step);
                    let points =
                        points.map(|(k, &value)| (value, (k as f64 + 0.5) / count)).collect();
                    Series { name: name.clone(), points, style, ..Series::default() }
                });
            Panel::Curves(Curves {
                x: self.axis(output),
                y: Axis::fixed("share of cases below", "", 0.0, 1.0),
                series: series.collect(),
                ..Curves::default()
            })
        });
        let rows = pairs(panels.collect());
        Figure { rows, caption: self.caption(groups.len(), "From"), ..Figure::default() }
    }

    fn map(&self) -> carom::Result<Figure> {
        let [y, x] = numeric(self.study, 2)[..] else {
            return Err(Error::unsupported(
                "a map of this study",
                "a map needs exactly two axes of numbers (lists or ranges); write figure = \"lines\"",
            ));
        };
        let (xs, ys) = (self.distinct(x), self.distinct(y));
        let place = |values: &[f64], value: f64| {
            values.binary_search_by(|known| known.total_cmp(&value)).unwrap_or(0)
        };
        let panels = self.outputs().map(|output| {
            let mut cells: Vec<Vec<f64>> = vec![Vec::new(); xs.len() * ys.len()];
            for row in 0..self.rows() {
                let (i, j) =
                    (place(&xs, self.number(x + 1, row)), place(&ys, self.number(y + 1, row)));
                if let Some(cell) = cells.get_mut(j * xs.len() + i) {
                    cell.push(self.number(output, row));
                }
            }
            let value = self.axis(output);
            Panel::Map(Map {
                title: value.label.to_string(),
                value,
                x: (self.axis(x + 1), xs.clone()),
                y: (self.axis(y + 1), ys.clone()),
                cells: cells.iter_mut().map(|values| median(values)).collect(),
            })
        });
        let rows = pairs(panels.collect());
        Ok(Figure { rows, caption: self.caption(0, "Medians of"), ..Figure::default() })
    }
}
