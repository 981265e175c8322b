//! A progress bar on standard error; indicatif draws it on a terminal only.

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicBool, Ordering};

/// A progress bar.
pub struct Progress {
    bar: ProgressBar,
    begun: AtomicBool,
}

impl Progress {
    /// Creates a bar of this length, drawn according to an indicatif template.
    pub fn new(length: u64, template: &str) -> Self {
        let style = ProgressStyle::with_template(template);
        let bar = ProgressBar::new(length);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, begun: AtomicBool::new(false) }
    }

    /// Sets the position. The first one is where the work begins; the work of an earlier run does not count for the rate.
    pub fn show(&self, position: u64) {
        self.bar.set_position(position);
        if !self.begun.swap(true, Ordering::Relaxed) {
            self.bar.reset_eta();
        }
    }

    /// Sets the text of `{wide_msg}`.
    pub fn message(&self, text: &str) {
        self.bar.set_message(text.to_string());
    }

    /// Clears the line.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
