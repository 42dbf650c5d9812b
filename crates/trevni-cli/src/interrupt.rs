//! Ctrl-C: work ends at its next step, so that nothing half done remains.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a program that was interrupted, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Minds Ctrl-C from now on; the second one ends the program at once.
pub(crate) fn listen() {
    let asked = || {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED.into());
        }
    };
    // Without a handler, Ctrl-C ends the program as usual.
    let _ = ctrlc::set_handler(asked);
}

/// An error where the user has pressed Ctrl-C. Asked by all that reads or writes.
pub(crate) fn check() -> io::Result<()> {
    if ASKED.load(Ordering::Relaxed) { Err(io::Error::other(Interrupted)) } else { Ok(()) }
}

/// Whether an error is that of [`check`].
pub(crate) fn is_interrupt(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Interrupted>())
}

#[derive(Debug)]
struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl Error for Interrupted {}
