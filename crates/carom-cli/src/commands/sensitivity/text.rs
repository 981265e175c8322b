//! Renders a sensitivity analysis as text.

use crate::output::report::note;
use crate::output::style::{self, paint};
use crate::output::table::{Cell, TextTable};
use carom::sweep::sensitivity::{Sensitivity, Shares};
use carom::units::format;

/// Returns a table for every grid point, with a heading for every output and a row for every input.
pub fn render(found: &Sensitivity) -> String {
    let mut text = match found.title.as_str() {
        "" => String::new(),
        title => paint(style::STRONG, title) + "\n",
    };
    let percent = 100.0 * found.confidence;
    text += &paint(
        style::FAINT,
        format!("Sobol' indices from {} impacts, with intervals of {percent} %", found.impacts),
    );
    text += "\n";
    for group in &found.groups {
        let at: Vec<String> =
            group.at.iter().map(|(name, value)| format!("{name} {value}")).collect();
        text += "\n";
        if !at.is_empty() {
            text += &format!("{}\n", paint(style::NAME, at.join(", ")));
        }
        let mut table = TextTable::new()
            .left(["input"])
            .right(["first order"])
            .left(["interval"])
            .right(["total"])
            .left(["interval"]);
        for shares in &group.outputs {
            table.heading(shares.output.replace('_', " "), spread(shares));
            for share in &shares.parameters {
                let i = &share.index;
                let interval = |low: f64, high: f64| match low.is_finite() && high.is_finite() {
                    true => Cell::styled(format!("{low:.3} to {high:.3}"), style::FAINT),
                    false => Cell::from(""),
                };
                let number = |value: f64| match value.is_finite() {
                    true => Cell::from(format!("{:.3}", value + 0.0)),
                    false => Cell::from("-"),
                };
                table.row([
                    Cell::from(share.parameter.clone()),
                    number(i.first),
                    interval(i.first_low, i.first_high),
                    number(i.total),
                    interval(i.total_low, i.total_high),
                ]);
            }
        }
        text += &table.render(2);
        if group.dropped > 0 {
            text += &note(&format!(
                "{} of {} rows are left out because one of their impacts is impossible or never ends",
                group.dropped, found.samples
            ));
        }
    }
    text
}

fn spread(shares: &Shares) -> String {
    let relative = 100.0 * shares.deviation / shares.mean.abs();
    let mean = format(shares.mean, &shares.unit);
    if relative.is_finite() { format!("{mean} ± {relative:.2} %") } else { mean }
}
