//! One line on a terminal that says how far a run is.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How far a run is; silent where standard error is not a terminal.
pub struct Progress {
    title: String,
    duration: f64,
    begun: Instant,
    shown: Option<Instant>,
    terminal: bool,
}

impl Progress {
    /// A run of this duration (s).
    pub fn new(title: &str, duration: f64) -> Self {
        let title: String = title.chars().take(30).collect();
        let terminal = std::io::stderr().is_terminal();
        Self { title, duration, begun: Instant::now(), shown: None, terminal }
    }

    /// Shows how far it is, a few times a second and not in the first second.
    pub fn show(&mut self, time: f64) {
        let often = self.shown.is_some_and(|at| at.elapsed() < Duration::from_millis(200));
        if !self.terminal || often || self.begun.elapsed() < Duration::from_secs(1) {
            return;
        }
        self.shown = Some(Instant::now());
        let share = (time / self.duration).clamp(0.0, 1.0);
        let full = (share * 24.0) as usize;
        let bar = "#".repeat(full) + &"-".repeat(24 - full);
        let left = self.begun.elapsed().as_secs_f64() * (1.0 - share) / share.max(1e-9);
        let left = if left < 1e5 { format!("{left:.0} s left") } else { String::new() };
        let line = format!("\r{} [{bar}] {:5.1} % {left:<16}", self.title, 100.0 * share);
        // A terminal that cannot be written to is no reason to stop.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }

    /// Clears the line.
    pub fn done(&mut self) {
        if self.shown.is_some() {
            let _ = std::io::stderr().write_all(format!("\r{:80}\r", "").as_bytes());
        }
    }
}
