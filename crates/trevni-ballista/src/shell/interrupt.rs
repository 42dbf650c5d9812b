//! Signals that ask statements, or the program, to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;
use tokio::sync::watch;

/// How long a step may take after a signal; then a program that is to end does so without waiting for it. A full pipe that
/// nobody reads has no end.
const PATIENCE: Duration = Duration::from_secs(5);
/// Signals that end the shell where the first one stops no statement.
const INSISTENT: u64 = 3;

/// What signals do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    /// Ctrl-C stops a statement.
    Shell,
    /// Each ends the program.
    Script,
}

/// Waits for signals.
#[derive(Clone)]
pub(super) struct Interrupts {
    /// The exit code of the last signal, and how many came.
    came: watch::Receiver<(u8, u64)>,
    /// How many had come when the statement began.
    before: Arc<AtomicU64>,
}

impl Interrupts {
    /// Minds signals from now on. In a script, the second signal ends the program at once, and so does a step that takes
    /// long; a thread of its own sees to that, whatever the others wait for.
    pub(super) fn listen(mode: Mode) -> Self {
        let (send, came) = watch::channel((0, 0));
        let before = Arc::new(AtomicU64::new(0));
        let start = Arc::clone(&before);
        let asked = move |code: u8| {
            send.send_modify(|came| *came = (code, came.1 + 1));
            let count = send.borrow().1 - start.load(Ordering::Relaxed);
            match mode {
                Mode::Shell if count >= INSISTENT => exit(code),
                Mode::Script if count > 1 => exit(code),
                Mode::Shell => {}
                Mode::Script => {
                    let end = move || {
                        thread::sleep(PATIENCE);
                        exit(code);
                    };
                    let _ = thread::Builder::new().spawn(end);
                }
            }
        };
        // Without handlers, signals end the program as usual.
        let _ = listen(mode, asked);
        Self { came, before }
    }

    /// A statement begins: signals that came before mean nothing to it.
    pub(super) fn begin(&self) {
        self.before.store(self.came.borrow().1, Ordering::Relaxed);
    }

    /// The exit code where a signal came since the statement began.
    pub(super) fn code(&self) -> Option<u8> {
        let came = *self.came.borrow();
        (came.1 > self.before.load(Ordering::Relaxed)).then_some(came.0)
    }

    /// Waits until a signal comes.
    pub(super) async fn wait(&mut self) {
        let before = self.before.load(Ordering::Relaxed);
        if self.came.wait_for(|came| came.1 > before).await.is_err() {
            // No signal comes any more.
            std::future::pending().await
        }
    }
}

/// Ends the program at once. `std::process::exit` may wait for standard output, which a pipe that nobody reads holds.
pub(super) fn exit(code: u8) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(code.into());
    #[cfg(not(unix))]
    std::process::exit(code.into())
}

#[cfg(unix)]
fn listen(mode: Mode, mut asked: impl FnMut(u8) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let signals: &[i32] = if mode == Mode::Shell { &[SIGINT] } else { &[SIGINT, SIGTERM, SIGHUP] };
    let ignored = ignored();
    let minded = signals.iter().filter(|signal| ignored >> (**signal - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(minded)?;
    let wait = move || signals.forever().for_each(|signal| asked(128 | signal as u8));
    thread::Builder::new().spawn(wait).map(drop)
}

/// The signals that the program was told to ignore, as by `nohup`, one bit each; 0 where that is unknown.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    bits.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
fn listen(_: Mode, mut asked: impl FnMut(u8) + Send + 'static) -> std::io::Result<()> {
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            asked(130);
        }
    });
    Ok(())
}
