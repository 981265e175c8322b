//! Figures of a fit (law, data and residuals) and of a ranking of laws.

use super::{Axis, Curves, Dot, DotPlot, Figure, Guide, Marker, Panel, Series};
use carom::fit::{Criterion, FitReport, FittedParameter, JointReport, Kind, Outcome, Ranking};
use carom::model;
use carom::units::format;

/// Largest number of curves in the figure of a ranking.
const MAX_CURVES: usize = 5;
/// Largest number of rows in the figure of a ranking.
const MAX_ROWS: usize = 28;
/// Style of measured points: grey.
const MEASURED_STYLE: usize = 7;

fn x_axis(kind: Kind) -> Axis {
    match kind {
        Kind::ForceIndentation => Axis::new("indentation", "m"),
        _ => Axis::new("time", "s"),
    }
}

/// Plots measured points and the curves of fitted laws.
fn fitted_panel(fit: &FitReport, title: &str, laws: &[&FitReport]) -> Panel {
    let curve = &fit.curve;
    let mut series = Vec::new();
    for (style, law) in laws.iter().enumerate() {
        let (x, y): (Vec<f64>, Vec<f64>) = law.curve.law.iter().copied().unzip();
        // The outline follows the lower edge and returns along the upper one.
        let band = law.curve.lower.iter().chain(law.curve.upper.iter().rev());
        let band = band.copied().collect();
        series.push(Series::new(law.impact.law, &x, &y, style).with_band(band));
    }
    series.push(Series::new("measured", &curve.x, &curve.measured, MEASURED_STYLE).scattered());
    Panel::curves(title, x_axis(fit.data.kind), Axis::new("force", "N"), series)
}

/// Returns the figure of one fit: law and measured points, and residuals.
pub fn fit(fit: &FitReport) -> Figure {
    let title = model(fit.impact.law).map_or(fit.impact.law, |model| model.title);
    let rows = match fit.data.kind {
        Kind::Outcomes => vec![outcomes(fit)],
        kind => {
            let curve = &fit.curve;
            let residuals = Panel::Curves(Curves {
                x: x_axis(kind),
                y: Axis::new("fitted − measured", "N"),
                series: vec![
                    Series::new("", &curve.x, &curve.residuals, MEASURED_STYLE).scattered(),
                ],
                guides: vec![Guide::Horizontal(0.0, String::new())],
                ..Curves::default()
            });
            vec![vec![fitted_panel(fit, "", &[fit]), residuals]]
        }
    };
    let s = &fit.statistics;
    let caption = match fit.data.kind {
        Kind::Outcomes => format!("Root mean square error {:.2} %.", 100.0 * s.residual_rms),
        _ => format!(
            "{} points, root mean square {} ({:.2} % of the peak), R² = {:.5}.",
            s.points,
            format(s.residual_rms, "N"),
            100.0 * s.relative_rms,
            s.r_squared
        ),
    };
    Figure { title: title.to_string(), subtitle: parameter_values(&fit.parameters), rows, caption }
}

/// Returns the residuals relative to the peak of the record, in per cent.
fn relative_residuals(fit: &FitReport, shift: f64, style: usize) -> Series {
    let curve = &fit.curve;
    let peak = fit.statistics.residual_rms / fit.statistics.relative_rms;
    let points = curve.x.iter().zip(&curve.residuals);
    Series::through("", points.map(|(x, r)| (x - shift, 100.0 * r / peak)).collect(), style)
        .scattered()
}

/// Returns the figure of several records fitted together: every record with the law, both from the time of touch on, its residuals,
/// and the shared parameters beside the values that each record alone gives.
pub fn fit_together(found: &JointReport) -> Figure {
    let title = model(found.law).map_or(found.law, |model| model.title);
    let (mut laws, mut points, mut residuals) = (Vec::new(), Vec::new(), Vec::new());
    let mut axis = None;
    for (i, record) in found.records.iter().enumerate() {
        let fit = &record.fit;
        // Curves over time and over indentation cannot share a panel; only records of the first kind that occurs are drawn.
        if fit.data.kind == Kind::Outcomes || axis.is_some_and(|kind| kind != fit.data.kind) {
            continue;
        }
        axis = Some(fit.data.kind);
        let style = i % MEASURED_STYLE;
        let touch = fit.parameters.iter().find(|p| p.name == "touch").map_or(0.0, |p| p.value);
        let moved = |points: &mut dyn Iterator<Item = (f64, f64)>| -> Vec<(f64, f64)> {
            points.map(|(x, y)| (x - touch, y)).collect()
        };
        let curve = &fit.curve;
        laws.push(Series::through(
            record.name.as_str(),
            moved(&mut curve.law.iter().copied()),
            style,
        ));
        let mut measured = curve.x.iter().copied().zip(curve.measured.iter().copied());
        points.push(Series::through("", moved(&mut measured), style).scattered());
        residuals.push(relative_residuals(fit, touch, style));
    }
    let mut rows = Vec::new();
    if let Some(kind) = axis {
        let x = || match kind {
            Kind::ForceIndentation => x_axis(kind),
            _ => Axis::new("time since touch", "s"),
        };
        points.extend(laws);
        let residuals = Panel::Curves(Curves {
            guides: vec![Guide::Horizontal(0.0, String::new())],
            ..Curves::new("", x(), Axis::new("fitted − measured, % of the peak", ""), residuals)
        });
        rows.push(vec![Panel::curves("", x(), Axis::new("force", "N"), points), residuals]);
    }
    rows.push(found.shared.iter().map(|shared| alone_panel(found, shared)).collect());
    Figure {
        title: format!("{title}: {} records together", found.records.len()),
        subtitle: parameter_values(&found.shared),
        rows,
        caption: "Below, what each record alone gives, as a deviation from the shared number."
            .to_string(),
    }
}

/// Plots a shared parameter as each record alone determines it.
fn alone_panel(found: &JointReport, shared: &FittedParameter) -> Panel {
    let dot = |(i, record): (usize, &carom::fit::JointRecord)| {
        let alone = record.alone.iter().find(|alone| alone.name == shared.name)?;
        let percent = |value: f64| 100.0 * value / shared.value.abs();
        Some(Dot {
            label: record.name.clone(),
            about: format(alone.value, &alone.unit),
            value: percent(alone.value - shared.value),
            remark: match alone.standard_error.is_finite() {
                true => format!("± {:.2} %", percent(alone.standard_error)),
                false => "not determined".to_string(),
            },
            marker: Marker::Plain,
            style: Some(i % MEASURED_STYLE),
        })
    };
    Panel::DotPlot(DotPlot {
        title: shared.name.replace('_', " "),
        axis: Axis::new("alone − shared, %", ""),
        target: Some((0.0, "shared".to_string())),
        legend: false,
        dots: found.records.iter().enumerate().filter_map(dot).collect(),
    })
}

/// Formats parameters as `stiffness = 24.1 GN/m^1.5 ± 0.3 %, …`.
fn parameter_values(parameters: &[FittedParameter]) -> String {
    let one = |p: &FittedParameter| {
        let error = match p.standard_error.is_finite() {
            true => format!(" ± {:.2} %", 100.0 * (p.standard_error / p.value).abs()),
            false => " (not determined)".to_string(),
        };
        format!("{} = {}{error}", p.name.replace('_', " "), format(p.value, &p.unit))
    };
    let own = parameters.iter().filter(|p| p.name != "touch" && p.name != "offset");
    own.map(one).collect::<Vec<_>>().join(", ")
}

/// Plots the relative errors of the fitted outcomes of impacts, beside those for the reference values.
fn outcomes(fit: &FitReport) -> Vec<Panel> {
    let largest = |errors: &mut dyn Iterator<Item = f64>| errors.map(f64::abs).fold(0.0, f64::max);
    let reference_error = |o: &Outcome| o.reference_error.unwrap_or(0.0);
    let range = 110.0
        * largest(&mut fit.outcomes.iter().map(|o| o.error))
            .max(largest(&mut fit.outcomes.iter().map(reference_error)));
    let panel = |title: String, error: &dyn Fn(&Outcome) -> f64, style: usize| {
        let dot = |o: &Outcome| Dot {
            label: format!("impact {}, {}", o.row, o.name.replace('_', " ")),
            about: String::new(),
            value: 100.0 * error(o),
            remark: format!("{:+.2} %", 100.0 * error(o)),
            marker: Marker::Plain,
            style: Some(style),
        };
        Panel::DotPlot(DotPlot {
            title,
            axis: Axis::fixed("error in %", "", -range, range),
            target: Some((0.0, "measured".to_string())),
            legend: false,
            dots: fit.outcomes.iter().map(dot).collect(),
        })
    };
    let mut panels = vec![panel("Fitted".to_string(), &|o| o.error, 0)];
    if let Some(reference) = &fit.reference {
        let one = |(name, value): &(String, f64)| format!("{} = {value}", name.replace('_', " "));
        let values: Vec<_> = reference.values.iter().map(one).collect();
        panels.push(panel(format!("With {}", values.join(", ")), &reference_error, 1));
    }
    panels
}

/// Returns the figure of a ranking: the curves of the best laws, and the residuals of all.
pub fn ranking(ranking: &Ranking) -> Figure {
    let distinct: Vec<usize> =
        (0..ranking.laws.len()).filter(|&i| ranking.laws[i].same_as.is_none()).collect();
    let best: Vec<&FitReport> =
        distinct.iter().take(MAX_CURVES).filter_map(|&i| ranking.fits.get(i)).collect();
    let same_force = |id: &str| ranking.laws.iter().filter(|law| law.same_as == Some(id)).count();
    let dot = |(rank, &i): (usize, &usize)| {
        let law = &ranking.laws[i];
        let label = match same_force(law.law) {
            0 => law.law.to_string(),
            n => format!("{} and {n} more", law.law),
        };
        Dot {
            label,
            about: law.title.to_string(),
            value: 100.0 * if law.relative_rms.is_finite() { law.relative_rms } else { f64::NAN },
            remark: match (law.delta, law.leave_one_out) {
                (Some(delta), _) => format!("Δ {delta:.1}"),
                (None, Some(rms)) => format!("{:.2} %", 100.0 * rms),
                (None, None) => String::new(),
            },
            marker: Marker::Plain,
            style: (rank < MAX_CURVES).then_some(rank),
        }
    };
    let (order, remark) = match ranking.criterion {
        Criterion::Aicc => (", in the order of AICc", "; Δ is the distance in AICc to the best"),
        Criterion::LeaveOneOut => (
            ", in the order of leave-one-out",
            "; at the right the error with which each number is predicted from the others",
        ),
        Criterion::None => ("", "; too few numbers to order them"),
    };
    let dots = DotPlot {
        title: format!("Residuals{order}"),
        axis: Axis::new("root mean square, % of the peak", ""),
        target: None,
        legend: false,
        dots: distinct.iter().enumerate().take(MAX_ROWS).map(dot).collect(),
    };
    let mut panels = Vec::new();
    if let Some(first) = best.first().filter(|fit| fit.data.kind != Kind::Outcomes) {
        panels.push(fitted_panel(first, "The best laws", &best));
    }
    panels.push(Panel::DotPlot(dots));
    let hidden = distinct.len().saturating_sub(MAX_ROWS);
    let more = match hidden {
        0 => String::new(),
        n => format!(" {n} more curves are not shown."),
    };
    Figure {
        title: "Which law explains the data".to_string(),
        subtitle: format!(
            "{} laws with {} different curves fitted{remark}.",
            ranking.laws.len(),
            distinct.len()
        ),
        rows: vec![panels],
        caption: format!(
            "Laws with the same force have the same curve when their damping is free.{more} {} laws could not be fitted.",
            ranking.failed.len()
        ),
    }
}
