//! Ctrl-C as a question: was it pressed?
//!
//! Something long asks between two steps, keeps what it has, and says how to go on. A second Ctrl-C ends the program at
//! once, as without this. Where there are no signals of this kind, the answer is always no and Ctrl-C ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static PRESSED: AtomicBool = AtomicBool::new(false);

/// Listens from now on.
pub fn listen() {
    #[cfg(unix)]
    {
        extern "C" fn heard(signal: libc::c_int) {
            PRESSED.store(true, Ordering::Relaxed);
            // SAFETY: `signal` may be called in a handler of signals (POSIX); the next one ends the program.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        let handler = heard as extern "C" fn(libc::c_int) as libc::sighandler_t;
        // SAFETY: the handler only stores to an atomic and resets itself, both of which are safe in a handler. A program
        // that was started with the signal ignored (`nohup`) goes on ignoring it.
        unsafe {
            if libc::signal(libc::SIGINT, handler) == libc::SIG_IGN {
                libc::signal(libc::SIGINT, libc::SIG_IGN);
            }
        }
    }
}

/// Whether Ctrl-C was pressed since.
pub fn pressed() -> bool {
    PRESSED.load(Ordering::Relaxed)
}
