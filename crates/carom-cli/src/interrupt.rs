//! Handles Ctrl-C as a flag.
//!
//! A long computation checks the flag between two steps, writes its results so far, and prints how to resume. A second Ctrl-C ends
//! the program at once.

use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Flag that is set when Ctrl-C is pressed after its creation.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts listening. If that is not possible, Ctrl-C ends the program.
    pub fn listen() -> Self {
        let pressed = Arc::new(AtomicBool::new(false));
        // The order matters: the first Ctrl-C finds the flag unset and sets it; the second finds it set and ends the program.
        let listens = flag::register_conditional_default(SIGINT, Arc::clone(&pressed));
        if listens.is_ok() {
            let _ = flag::register(SIGINT, Arc::clone(&pressed));
        }
        Self(pressed)
    }

    /// Returns whether Ctrl-C was pressed.
    pub fn pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
