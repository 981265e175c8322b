//! Colours of text on a terminal.

use anstyle::{AnsiColor, Style};

/// Titles and headings.
pub const STRONG: Style = Style::new().bold();
/// Labels and remarks.
pub const FAINT: Style = Style::new().dimmed();
/// Names of laws and materials.
pub const NAME: Style = AnsiColor::Cyan.on_default();
/// Measured values.
pub const MEASURED: Style = Style::new().bold();
/// Results that meet the request.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// Results that nearly meet the request.
pub const FAIR: Style = AnsiColor::Yellow.on_default();
/// Results that miss the request.
pub const POOR: Style = AnsiColor::Red.on_default();
/// The word `error`.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// The word `note`.
pub const NOTE: Style = AnsiColor::Yellow.on_default().bold();

/// Returns the colour of a restitution by its relative error: good to 0.1 %, fair to 2 %.
pub fn by_error(error: f64) -> Style {
    match error.abs() {
        ..=0.001 => GOOD,
        ..=0.02 => FAIR,
        _ => POOR,
    }
}

/// Returns `text` in a style.
pub fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Formats a relative error in per cent, with two decimals and no minus sign before zero.
pub fn percent(error: f64) -> String {
    let percent = 100.0 * error;
    match percent {
        p if !p.is_finite() => "-".to_string(),
        p if p.abs() < 0.005 => "0.00".to_string(),
        p => format!("{p:+.2}"),
    }
}
