//! Ctrl-C as a flag.
//!
//! A long computation checks it between two steps, writes what it has, and says how to resume. A second Ctrl-C ends the
//! program at once.

use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether Ctrl-C was pressed since it was made.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. Where that is not possible, Ctrl-C ends the program.
    pub fn listen() -> Self {
        let pressed = Arc::new(AtomicBool::new(false));
        // In this order: the first Ctrl-C finds the flag unset and sets it, the second finds it set and ends the program.
        let listens = flag::register_conditional_default(SIGINT, Arc::clone(&pressed));
        if listens.is_ok() {
            let _ = flag::register(SIGINT, Arc::clone(&pressed));
        }
        Self(pressed)
    }

    /// Whether Ctrl-C was pressed.
    pub fn pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
