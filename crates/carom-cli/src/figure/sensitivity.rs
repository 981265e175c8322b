//! Figure of a sensitivity analysis: Sobol' indices, and outputs over one input at a time.

use super::{Axis, Dot, DotPlot, Figure, Marker, Panel, Series};
use carom::sweep::sensitivity::{Group, Sensitivity, Shares};

/// Largest number of rows of panels in a figure.
const MAX_ROWS: usize = 8;

/// Returns the figure of an analysis, with one row of panels for every output.
pub fn sensitivity(analysis: &Sensitivity) -> Figure {
    let mut rows = Vec::new();
    let mut left_out = 0;
    for group in &analysis.groups {
        for shares in &group.outputs {
            match rows.len() < MAX_ROWS {
                true => rows
                    .push(vec![index_panel(group, shares), conditional_mean_panel(group, shares)]),
                false => left_out += 1,
            }
        }
    }
    let more = match left_out {
        0 => String::new(),
        n => format!(" {n} more are in the table."),
    };
    Figure {
        title: match analysis.title.as_str() {
            "" => "Sensitivity".to_string(),
            title => format!("{title}: sensitivity"),
        },
        subtitle: format!(
            "Sobol' indices from {} impacts; intervals of {} % in the table. Right: one input from its 1 % to \
             its 99 % quantile, the others at their medians.",
            analysis.impacts,
            100.0 * analysis.confidence
        ),
        rows,
        caption: format!(
            "Full: total index, what stays when all others are known. Open: first order, what goes when this \
             one is known.{more}"
        ),
    }
}

fn output_label(group: &Group, shares: &Shares) -> String {
    let at: Vec<String> = group.at.iter().map(|(name, value)| format!("{name} {value}")).collect();
    match at.is_empty() {
        true => shares.output.replace('_', " "),
        false => format!("{}: {}", shares.output.replace('_', " "), at.join(", ")),
    }
}

fn index_panel(group: &Group, shares: &Shares) -> Panel {
    let dots = shares.parameters.iter().enumerate().flat_map(|(style, share)| {
        let about = |kind: &str, value: f64, low: f64, high: f64| {
            format!("{} {kind} {value:.3} ({low:.3} to {high:.3})", share.parameter)
        };
        let dot = |label: &str, value: f64, about: String, marker| Dot {
            label: label.to_string(),
            about,
            value,
            remark: format!("{value:.3}"),
            marker,
            style: Some(style),
        };
        let i = &share.index;
        let total = about("total", i.total, i.total_low, i.total_high);
        let first = about("first order", i.first, i.first_low, i.first_high);
        [
            dot(&share.parameter, i.total, total, Marker::Filled),
            dot("", i.first, first, Marker::Open),
        ]
    });
    Panel::DotPlot(DotPlot {
        title: output_label(group, shares),
        axis: Axis::new("share of the variance", ""),
        target: Some((0.0, String::new())),
        dots: dots.collect(),
        legend: false,
    })
}

fn conditional_mean_panel(group: &Group, shares: &Shares) -> Panel {
    let series = group.curves.iter().enumerate().map(|(style, alone)| {
        let values = alone.outputs.get(&shares.output).map_or(&[][..], Vec::as_slice);
        Series::new(alone.parameter.clone(), &alone.quantile, values, style)
    });
    Panel::curves(
        "",
        Axis::fixed("quantile of the input", "", 0.0, 1.0),
        Axis::new(shares.output.replace('_', " "), shares.unit.clone()),
        series.collect(),
    )
}
