//! Measurement and formatting of times.

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Number of repeats; odd, so that the median is one of the measurements.
const REPEATS: usize = 9;
/// Shortest duration of a repeat, long compared with the resolution of the clock.
const MIN_MEASURING_TIME: Duration = Duration::from_millis(10);

/// Returns the median time of one call of `work` (s).
pub fn seconds<T>(mut work: impl FnMut() -> T) -> f64 {
    let mut calls = 1u32;
    loop {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(work());
        }
        let spent = start.elapsed();
        if spent >= MIN_MEASURING_TIME {
            break;
        }
        calls = match spent.as_nanos() {
            0..1000 => calls * 100,
            spent => (calls as f64 * 1.3 * MIN_MEASURING_TIME.as_nanos() as f64 / spent as f64)
                .ceil() as u32,
        };
    }
    let repeat = |_| {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(work());
        }
        start.elapsed().as_secs_f64() / f64::from(calls)
    };
    median((0..REPEATS).map(repeat).collect())
}

/// Returns the processor time of this process so far, summed over all threads (s), where Linux provides it; otherwise the elapsed
/// time.
///
/// Its resolution is a hundredth of a second, so that it is suited to longer measurements only.
fn processor(begun: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit(')').next().unwrap_or_default();
    let ticks = |field: usize| after.split_whitespace().nth(field)?.parse::<f64>().ok();
    match (ticks(11), ticks(12)) {
        (Some(user), Some(system)) => (user + system) / 100.0,
        _ => begun.elapsed().as_secs_f64(),
    }
}

/// Returns the least processor time of one call of `work` (s) among five batches of a third of a second. The least is affected
/// least by other work on the machine.
pub fn processor_seconds<T>(mut work: impl FnMut() -> T) -> f64 {
    let begun = Instant::now();
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        let (start, mut calls, mut size) = (processor(begun), 0.0, 1u32);
        loop {
            for _ in 0..size {
                black_box(work());
            }
            calls += f64::from(size);
            let spent = processor(begun) - start;
            if spent >= 0.3 {
                least = least.min(spent / calls);
                break;
            }
            size = if spent < 0.03 { size.saturating_mul(2) } else { size };
        }
    }
    least
}

pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Formats a time, such as `12.3 µs`.
pub fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        ..1e-6 => (seconds * 1e9, "ns"),
        1e-6..1e-3 => (seconds * 1e6, "µs"),
        1e-3..1.0 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

/// Formats a relative error, such as `3e-10`, or `< 1e-12` beyond the accuracy of the reference values.
pub fn error(relative: f64) -> String {
    match relative.abs() {
        ..1e-12 => "< 1e-12".into(),
        size => format!("{size:.0e}"),
    }
}

/// Formats a ratio, such as `17 ×`.
pub fn ratio(value: f64) -> String {
    let digits = match value {
        ..1.0 => 2,
        1.0..10.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} ×")
}

/// A Markdown table with aligned columns, so that its source is readable as well.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<const N: usize>(head: [&str; N]) -> Self {
        Self { rows: vec![head.map(String::from).to_vec()] }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub fn write(&self, out: &mut String) {
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
        };
        for (i, row) in self.rows.iter().enumerate() {
            let mut line = String::from("|");
            let mut rule = String::from("|");
            for (column, cell) in row.iter().enumerate() {
                let width = width(column).unwrap_or(0);
                // The first column contains words, the others numbers.
                let _ = match column {
                    0 => write!(line, " {cell:<width$} |"),
                    _ => write!(line, " {cell:>width$} |"),
                };
                let _ = match column {
                    0 => write!(rule, "{}|", "-".repeat(width + 2)),
                    _ => write!(rule, "{}:|", "-".repeat(width + 1)),
                };
            }
            let _ = writeln!(out, "{line}");
            if i == 0 {
                let _ = writeln!(out, "{rule}");
            }
        }
        out.push('\n');
    }
}
