//! A bar over the time of a scene, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// Parts of the bar.
const PARTS: f64 = 10_000.0;

/// The bar; hidden where standard error is no terminal.
pub struct Progress {
    bar: Option<ProgressBar>,
    duration: f64,
    shown: u64,
}

impl Progress {
    /// A run of this duration (s), of which a part is done.
    pub fn new(title: &str, duration: f64, done: f64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style =
                ProgressStyle::with_template("{prefix} {wide_bar} {percent:>3} %  {eta} left")
                    .unwrap_or_else(|_| ProgressStyle::default_bar());
            let target = ProgressDrawTarget::stderr_with_hz(8);
            let bar = ProgressBar::with_draw_target(Some(PARTS as u64), target).with_style(style);
            bar.set_prefix(title.chars().take(30).collect::<String>());
            bar.set_position((PARTS * done / duration) as u64);
            // The part of an earlier run does not count for the rate of this one.
            bar.reset_eta();
            bar
        });
        Self { bar, duration, shown: 0 }
    }

    /// Shows the time reached.
    pub fn show(&mut self, time: f64) {
        let at = (PARTS * (time / self.duration).clamp(0.0, 1.0)) as u64;
        if let Some(bar) = &self.bar
            && at != self.shown
        {
            bar.set_position(at);
            self.shown = at;
        }
    }

    /// Clears the line.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
