//! Renders the report of an impact as text.

use crate::output::report::{self, LABEL_WIDTH};
use crate::output::style::{self, paint};
use carom::Model;
use carom::report::{DampingReport, Report};
use carom::units::{Dimension, format};

/// Returns the report as text.
pub fn render(model: &Model, report: &Report) -> String {
    let mut text =
        format!("{}  {}\n\n", paint(style::NAME, model.id), paint(style::STRONG, model.title));
    let mut line = |name: &str, value: String| text += &report::line(name, value);
    let mut pair = format!("m = {}", format(report.pair.mass, "kg"));
    // The spring of an own law need not have a stiffness of this kind.
    if report.pair.stiffness.is_finite() {
        let unit = Dimension::stiffness_unit(report.pair.exponent);
        let (stiffness, exponent) = (report.pair.stiffness, report.pair.exponent);
        pair += &format!("   K = {}   n = {}", format(stiffness, &unit), format(exponent, ""));
    }
    line("pair", pair);
    line(
        "impact",
        format!("{}, contact ends at zero {}", format(report.speed, "m/s"), report.exit.name()),
    );
    line("damping", damping_line(&report.damping));
    let (first, others) = restitution_lines(report);
    line("restitution", first);
    if let Some(others) = others {
        line("", others);
    }
    line("duration", quantity_or_dash(report.duration, "s"));
    let at = |time: f64| format!("at {}", quantity_or_dash(time, "s"));
    let (depth, force) = (report.indentation_max, report.force_max);
    line("indentation", quantity_with_remark(depth, "m", at(report.time_of_indentation_max)));
    if report.residual_indentation > 0.0 {
        line(
            "",
            quantity_with_remark(report.residual_indentation, "m", "at the end of contact".into()),
        );
    }
    line("force", quantity_with_remark(force, "N", at(report.time_of_force_max)));
    let energy = &report.energy;
    // A loss below the rounding error is shown as zero.
    let lost = |loss: f64| match loss.abs() < 1e-9 * energy.initial {
        true => quantity_or_dash(0.0, "J"),
        false => quantity_or_dash(loss, "J"),
    };
    let (compression, restitution) =
        (lost(energy.lost_in_compression), lost(energy.lost_in_restitution));
    let losses = format!("{compression} lost in compression, {restitution} in restitution");
    line("energy", quantity_with_remark(energy.initial, "J", losses));
    text + &report::notes(LABEL_WIDTH, report::note_messages(&report.notes))
}

/// Formats a quantity; a dash if the impact has none.
fn quantity_or_dash(value: f64, unit: &str) -> String {
    if value.is_nan() { "-".to_string() } else { format(value, unit) }
}

/// Formats a quantity and a faint remark on it.
fn quantity_with_remark(value: f64, unit: &str, remark: String) -> String {
    match value.is_nan() {
        true => "-".to_string(),
        false => format!("{:<11} {}", format(value, unit), paint(style::FAINT, remark)),
    }
}

/// Returns the requested and the delivered restitution (Newton's), and a line with Poisson's and Stronge's if they differ from it.
fn restitution_lines(report: &Report) -> (String, Option<String>) {
    let e = &report.restitution;
    let shown = format!("{:.5}", e.newton);
    let first = match e.requested {
        Some(requested) => {
            let style = style::by_error(e.newton / requested - 1.0).bold();
            let error = 100.0 * (e.newton / requested - 1.0);
            // This avoids a minus sign before zero.
            let error = if error.abs() < 5e-4 { 0.0 } else { error };
            format!(
                "{} delivered, {requested} requested {}",
                paint(style, shown),
                paint(style::FAINT, format!("({error:+.3} %)"))
            )
        }
        None => format!("{} delivered", paint(style::STRONG, shown)),
    };
    let differ = [e.poisson, e.stronge].iter().any(|other| (other - e.newton).abs() > 1e-6);
    let rolling = e.hedrih.map_or(String::new(), |e| format!(", {e:.5} of rolling balls (Hedrih)"));
    let others = format!(
        "{:.5} by impulses (Poisson), {:.5} by energies (Stronge){rolling}",
        e.poisson, e.stronge
    );
    (first, differ.then(|| paint(style::FAINT, others)))
}

fn damping_line(damping: &DampingReport) -> String {
    let is_ratio = damping.parameter == Some("damping") && damping.unit.as_deref() == Some("");
    let mut parts = vec![
        match damping.calibration {
            "published" | "exact" if is_ratio => "linear-equivalent damper",
            "published" => "published formula",
            "exact" => "exact calibration",
            "coefficient" => "given coefficient",
            _ => "of the law",
        }
        .to_string(),
    ];
    if let Some(epsilon) = damping.epsilon {
        parts.push(format!("ε = {}", format(epsilon, "")));
    }
    if let Some(coefficient) = damping.coefficient {
        let unit = damping.unit.as_deref().unwrap_or_default();
        // Name of the option that sets the damping.
        let name = match damping.parameter {
            Some("damping") | None if unit.is_empty() => "ζ",
            Some("damping") | None => "c",
            Some(name) => name,
        };
        parts.push(format!("{name} = {}", format(coefficient, unit)));
    }
    if let (Some(m), Some(q)) = (damping.damping_exponent, damping.rate_exponent) {
        parts.push(format!("m = {m}, q = {q}"));
    }
    if damping.coefficient.is_none_or(|c| c == 0.0) && damping.calibration == "none" {
        return "none".to_string();
    }
    parts.join("   ")
}
