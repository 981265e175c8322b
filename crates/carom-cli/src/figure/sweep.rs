//! Figure of a sweep: force–indentation loops, lines, a heat map or distributions, depending on the study.

use super::{Axis, Curves, Figure, HeatMap, Panel, Series, two_per_row};
use carom::Error;
use carom::impact::Trajectory;
use carom::sweep::{self, Evaluate, Impacts, Plan, Points, Study, Variation};
use carom_store::Column;

/// Largest number of cases in a figure.
const MAX_CASES: u64 = 200_000;
/// Largest number of loops in a figure, and of curves in a panel.
const MAX_LOOPS: u64 = 120;
const MAX_CURVES: usize = 12;
/// Number of points of a loop.
const LOOP_POINTS: usize = 400;

/// Returns the figure of a study of impacts with these results.
pub fn sweep(plan: &Plan<Impacts>, columns: Vec<Column>) -> carom::Result<Figure> {
    if plan.evaluator().figure() != Some(sweep::Figure::Loops) {
        return sweep_of(plan, columns);
    }
    check_case_count(plan.variation(), MAX_LOOPS)?;
    Ok(Figure { title: study_title(plan), ..loop_figure(plan.study())? })
}

/// Returns the figure of a study with these results.
pub fn sweep_of<E: Evaluate>(plan: &Plan<E>, columns: Vec<Column>) -> carom::Result<Figure> {
    let variation = plan.variation();
    check_case_count(variation, MAX_CASES)?;
    let results = SweepResults { columns, variation };
    let figure = match plan.evaluator().figure().unwrap_or_else(|| default_kind(variation)) {
        sweep::Figure::Map => results.map_figure()?,
        sweep::Figure::Distribution => results.distribution_figure(),
        sweep::Figure::Lines => results.line_figure()?,
        _ => {
            let advice = "a sweep of impacts has force loops; write figure = \"lines\"";
            return Err(Error::unsupported("a figure of loops of a scene", advice));
        }
    };
    Ok(Figure { title: study_title(plan), ..figure })
}

fn study_title<E: Evaluate>(plan: &Plan<E>) -> String {
    match plan.evaluator().title() {
        "" => "Sweep".to_string(),
        title => title.to_string(),
    }
}

/// Refuses more cases than a figure can show.
fn check_case_count(study: &Variation, max: u64) -> carom::Result<()> {
    if study.cases() > max {
        return Err(Error::invalid(
            "number of cases",
            study.cases(),
            format!("at most {max} in this kind of figure"),
            "draw the results with other tools, or make a smaller study for the figure",
        ));
    }
    Ok(())
}

/// Returns the indices of the axes that are lists or ranges of at least `min_count` numbers.
fn numeric_axes(study: &Variation, min_count: u64) -> Vec<usize> {
    let long = |&i: &usize| {
        study.axes().get(i).is_some_and(|axis| {
            matches!(axis.points(), Points::Numbers(_)) && axis.count().unwrap_or(0) >= min_count
        })
    };
    (0..study.axes().len()).filter(long).collect()
}

/// Returns the kind of figure to use if the study does not name one.
fn default_kind(study: &Variation) -> sweep::Figure {
    let two = numeric_axes(study, 3);
    let product: u64 = two.iter().filter_map(|&i| study.axes().get(i)?.count()).product();
    match two.len() {
        2 if product == study.grid() => sweep::Figure::Map,
        0 if study.sampling().count() > 1 => sweep::Figure::Distribution,
        _ => sweep::Figure::Lines,
    }
}

/// Plots force over indentation: one panel per label, one loop per case.
fn loop_figure(study: &Study) -> carom::Result<Figure> {
    let mut panels: Vec<(String, Curves)> = Vec::new();
    for index in 0..study.cases() {
        let spec = study.spec(index)?;
        let case = spec.case()?;
        let trajectory = Trajectory::new(&case.law()?, case.speed, &case.conditions, LOOP_POINTS)?;
        let mut label = String::new();
        let mut name = Vec::new();
        let mut about = Vec::new();
        let variation = study.variation();
        for (axis, value) in variation.axes().iter().zip(variation.words(index)) {
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
                x: Axis::new("indentation", loop_unit(study, "m")),
                y: Axis::new("force", loop_unit(study, "N")),
                ..Curves::default()
            };
            panels.push((label, curves));
        }
        if let Some((_, curves)) = panels.last_mut() {
            let style = curves.series.len();
            curves.series.push(Series::new(
                name.join(", "),
                &trajectory.indentation,
                &trajectory.force,
                style,
            ));
        }
    }
    let panels: Vec<Panel> = panels.into_iter().map(|(_, curves)| Panel::Curves(curves)).collect();
    Ok(Figure { rows: two_per_row(&panels), ..Figure::default() })
}

/// Returns the unit of an axis of the loops; empty if mass, stiffness and speed are all 1, as in dimensionless studies.
fn loop_unit(study: &Study, si: &'static str) -> &'static str {
    let one = |spec: &carom::spec::Spec| {
        let is = |value: &Option<carom::spec::Quantity>| *value == Some(1.0.into());
        is(&spec.mass) && is(&spec.stiffness) && is(&spec.speed)
    };
    match study.spec(0) {
        Ok(spec) if one(&spec) => "",
        _ => si,
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Returns whether sorted values have equal ratios and span at least a factor of 3: ranges with `spacing = "log"`, and lists like
/// 0.1, 1, 10.
fn has_equal_ratios(values: &[f64]) -> bool {
    let [first, second, .., last] = values else { return false };
    let ratio = second / first;
    *first > 0.0
        && last / first >= 3.0
        && values.windows(2).all(|two| ((two[1] / two[0]) / ratio - 1.0).abs() < 1e-6)
}

/// All results of a study.
struct SweepResults<'a> {
    columns: Vec<Column>,
    variation: &'a Variation,
}

impl SweepResults<'_> {
    fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    fn number(&self, column: usize, row: usize) -> f64 {
        self.columns.get(column).and_then(|column| column.values.real(row)).unwrap_or(f64::NAN)
    }

    /// Returns the indices of the output columns, which are between those of the axes and the status.
    fn outputs(&self) -> impl Iterator<Item = usize> + '_ {
        1 + self.variation.axes().len()..self.columns.len().saturating_sub(1)
    }

    fn axis(&self, column: usize) -> Axis {
        match self.columns.get(column) {
            Some(column) => Axis::new(column.name.replace('_', " "), column.unit.clone()),
            None => Axis::default(),
        }
    }

    /// Returns the name and rows of every curve: rows with equal values of all listed axes other than `x`. At most one curve more
    /// than is drawn is returned, to show that there are more.
    fn groups(&self, x: Option<usize>) -> Vec<(String, Vec<usize>)> {
        let axes: Vec<usize> = (0..self.variation.axes().len())
            .filter(|&i| {
                Some(i) != x && self.variation.axes().get(i).is_some_and(|a| a.count().is_some())
            })
            .collect();
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        for row in 0..self.rows() {
            let words: Vec<String> = axes.iter().map(|&i| self.axis_value(i, row)).collect();
            let name = words.join(", ");
            if let Some((_, rows)) = groups.iter_mut().find(|(known, _)| *known == name) {
                rows.push(row);
            } else if groups.len() <= MAX_CURVES {
                groups.push((name, vec![row]));
            }
        }
        groups
    }

    fn axis_value(&self, axis: usize, row: usize) -> String {
        let Some(column) = self.columns.get(axis + 1) else { return String::new() };
        match column.values.text(row) {
            Some(word) => word.to_string(),
            None => {
                let value = carom::units::format(self.number(axis + 1, row), &column.unit);
                format!("{} {value}", column.name.replace('_', " "))
            }
        }
    }

    /// Returns the distinct values of an axis, sorted.
    fn distinct(&self, axis: usize) -> Vec<f64> {
        let mut values: Vec<f64> = (0..self.rows()).map(|row| self.number(axis + 1, row)).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    }

    fn caption(&self, groups: usize, sampled: &str) -> String {
        let mut sentences = Vec::new();
        if groups > MAX_CURVES {
            sentences.push(format!("The first {MAX_CURVES} curves of more."));
        }
        if self.variation.sampling().count() > 1 {
            sentences.push(format!("{sampled} {} samples.", self.variation.sampling().count()));
        }
        sentences.join(" ")
    }

    fn line_figure(&self) -> carom::Result<Figure> {
        let longest = numeric_axes(self.variation, 2)
            .into_iter()
            .max_by_key(|&i| self.variation.axes().get(i).and_then(|axis| axis.count()));
        let Some(x) = longest else {
            return Err(Error::missing(
                "an axis to draw over",
                "give an axis at least two numbers, or write figure = \"loops\" or \"distribution\" into the study",
            ));
        };
        let groups = self.groups(Some(x));
        let log = has_equal_ratios(&self.distinct(x));
        let panels = self.outputs().map(|output| {
            let series = groups.iter().take(MAX_CURVES).enumerate().map(|(style, (name, rows))| {
                let point = |&row: &usize| (self.number(x + 1, row), self.number(output, row));
                let mut all: Vec<(f64, f64)> = rows.iter().map(point).collect();
                all.sort_by(|a, b| a.0.total_cmp(&b.0));
                let same_x = all.chunk_by(|a, b| a.0 == b.0);
                let points = same_x.filter_map(|points| {
                    let mut values: Vec<f64> = points.iter().map(|point| point.1).collect();
                    Some((points.first()?.0, median(&mut values)))
                });
                Series::through(name.clone(), points.collect(), style)
            });
            Panel::curves("", Axis { log, ..self.axis(x + 1) }, self.axis(output), series.collect())
        });
        let rows = two_per_row(&panels.collect::<Vec<_>>());
        Ok(Figure { rows, caption: self.caption(groups.len(), "Medians of"), ..Figure::default() })
    }

    fn distribution_figure(&self) -> Figure {
        let groups = self.groups(None);
        let panels = self.outputs().map(|output| {
            let series = groups.iter().take(MAX_CURVES).enumerate().map(|(style, (name, rows))| {
                let mut values: Vec<f64> = rows
                    .iter()
                    .map(|&row| self.number(output, row))
                    .filter(|value| value.is_finite())
                    .collect();
                values.sort_by(f64::total_cmp);
                let count = values.len() as f64;
                // At most 1000 quantiles are drawn, enough for a smooth curve.
                let step = values.len().div_ceil(1000).max(1);
                let points = values.iter().enumerate().step_by(step);
                let points = points.map(|(k, &value)| (value, (k as f64 + 0.5) / count)).collect();
                Series::through(name.clone(), points, style)
            });
            Panel::curves(
                "",
                self.axis(output),
                Axis::fixed("share of cases below", "", 0.0, 1.0),
                series.collect(),
            )
        });
        let rows = two_per_row(&panels.collect::<Vec<_>>());
        Figure { rows, caption: self.caption(groups.len(), "From"), ..Figure::default() }
    }

    fn map_figure(&self) -> carom::Result<Figure> {
        let [y, x] = numeric_axes(self.variation, 2)[..] else {
            return Err(Error::unsupported(
                "a map of this study",
                "a map needs exactly two axes of numbers (lists or ranges); write figure = \"lines\"",
            ));
        };
        let (xs, ys) = (self.distinct(x), self.distinct(y));
        let index_of = |values: &[f64], value: f64| {
            values.binary_search_by(|known| known.total_cmp(&value)).unwrap_or(0)
        };
        let panels = self.outputs().map(|output| {
            let mut cells: Vec<Vec<f64>> = vec![Vec::new(); xs.len() * ys.len()];
            for row in 0..self.rows() {
                let (i, j) = (
                    index_of(&xs, self.number(x + 1, row)),
                    index_of(&ys, self.number(y + 1, row)),
                );
                if let Some(cell) = cells.get_mut(j * xs.len() + i) {
                    cell.push(self.number(output, row));
                }
            }
            let value = self.axis(output);
            Panel::HeatMap(HeatMap {
                title: value.label.to_string(),
                value,
                x: (self.axis(x + 1), xs.clone()),
                y: (self.axis(y + 1), ys.clone()),
                cells: cells.iter_mut().map(|values| median(values)).collect(),
            })
        });
        let rows = two_per_row(&panels.collect::<Vec<_>>());
        Ok(Figure { rows, caption: self.caption(0, "Medians of"), ..Figure::default() })
    }
}
