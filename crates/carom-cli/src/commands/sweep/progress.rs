//! A bar with rate and time left, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::io::IsTerminal;

/// The bar; hidden where standard error is no terminal.
pub struct Bar {
    bar: Option<ProgressBar>,
    started: Cell<bool>,
}

impl Bar {
    /// A bar over so many cases.
    pub fn new(cases: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(
                "{wide_bar} {percent:>3} %  {human_pos}/{human_len}  {per_sec}  {eta} left",
            )
            .unwrap_or_else(|_| ProgressStyle::default_bar());
            let target = ProgressDrawTarget::stderr_with_hz(8);
            ProgressBar::with_draw_target(Some(cases), target).with_style(style)
        });
        Self { bar, started: Cell::new(false) }
    }

    /// Shows the number of cases written.
    pub fn show(&self, cases: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(cases);
            // Cases of an earlier run do not count for the rate of this one.
            if !self.started.replace(true) {
                bar.reset_eta();
            }
        }
    }

    /// Clears the line.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
