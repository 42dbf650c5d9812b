//! Signals that ask the program to end: work ends at its next step, so that nothing half done remains.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

/// Exit code of a program that Ctrl-C ended, as shells have it: 128 and the number of the signal.
#[cfg(not(unix))]
const INTERRUPTED: u8 = 130;
/// How long a step may take; then the program ends without waiting for it. A full pipe that nobody reads has no end.
const PATIENCE: Duration = Duration::from_secs(5);

/// The exit code of the signal that came; 0 before one came.
static ASKED: AtomicU8 = AtomicU8::new(0);

/// What is done before the program ends at once.
static BEFORE: std::sync::OnceLock<fn()> = std::sync::OnceLock::new();

/// Has something done where a signal ends the program at once: what is put right elsewhere when the work ends.
pub fn before_exit(action: fn()) {
    BEFORE.get_or_init(|| action);
}

/// Minds signals from now on; the second one ends the program at once.
pub fn listen() {
    // Without handlers, signals end the program as usual.
    #[cfg(unix)]
    let _ = unix::listen();
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(|| asked(INTERRUPTED));
}

/// What a signal does.
fn asked(code: u8) {
    if ASKED.swap(code, Ordering::SeqCst) != 0 {
        exit(code);
    }
    let end = move || {
        thread::sleep(PATIENCE);
        exit(code);
    };
    let _ = thread::Builder::new().spawn(end);
}

/// Ends the program at once. `std::process::exit` writes what standard output has kept, or waits for a thread that does
/// so, and a pipe that nobody reads holds it for ever.
fn exit(code: u8) -> ! {
    BEFORE.get().into_iter().for_each(|action| action());
    #[cfg(unix)]
    signal_hook::low_level::exit(code.into());
    #[cfg(not(unix))]
    std::process::exit(code.into())
}

/// The exit code where a signal came.
pub fn code() -> Option<u8> {
    Some(ASKED.load(Ordering::Relaxed)).filter(|code| *code != 0)
}

/// An error where a signal came. Asked by all that reads or writes.
pub fn check() -> io::Result<()> {
    match code() {
        Some(_) => Err(io::Error::other(Interrupted)),
        None => Ok(()),
    }
}

#[derive(Debug)]
struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl Error for Interrupted {}

#[cfg(unix)]
mod unix {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::{flag, iterator::Signals};
    use std::io;
    use std::sync::Arc;
    use std::thread;

    pub(super) fn listen() -> io::Result<()> {
        // A file that may grow no more is an error of the write. The signal itself would end the program.
        flag::register(SIGXFSZ, Arc::default())?;
        let ignored = ignored();
        let mut signals =
            Signals::new([SIGINT, SIGTERM, SIGHUP].iter().filter(|signal| !is_in(ignored, **signal)))?;
        let wait = move || signals.forever().for_each(|signal| super::asked(128 | signal as u8));
        thread::Builder::new().spawn(wait).map(drop)
    }

    /// The signals that the program was told to ignore, as by `nohup`, one bit each; 0 where that is unknown.
    fn ignored() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        bits.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
    }

    fn is_in(signals: u64, signal: i32) -> bool {
        signals >> (signal - 1) & 1 == 1
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_set_of_signals_has_a_bit_for_each() {
            assert!(is_in(1, SIGHUP) && !is_in(1, SIGINT) && is_in(0x4001, SIGTERM) && !is_in(0, SIGTERM));
        }
    }
}
