//! What the programs share: how they run, say what they do, and end.

use datafusion::error::DataFusionError;
use std::io::Write;
use std::process::ExitCode;

/// Memory of a thread's stack: plans are trees that are walked by recursion.
const STACK_BYTES: usize = 32 << 20;

/// Runs a program to its end; an error goes to standard error in one line.
pub fn run(name: &str, program: impl Future<Output = Result<(), DataFusionError>>) -> ExitCode {
    let threads =
        tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK_BYTES).build();
    let done = match threads {
        Ok(threads) => {
            let done = threads.block_on(program);
            threads.shutdown_background();
            done
        }
        Err(error) => Err(error.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{name}: {}", error.strip_backtrace());
            ExitCode::FAILURE
        }
    }
}

/// Prints a line to standard output, at once. That nobody reads it is no reason to end.
pub fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Waits until the process is told to end: by Ctrl-C, or SIGTERM where there is such.
pub async fn told_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut interrupt), Ok(mut end)) =
            (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = end.recv() => {}
        }
    }
    #[cfg(not(unix))]
    {
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// A level of the log by its name.
///
/// # Errors
///
/// An unknown name.
pub fn log_level(text: &str) -> Result<log::LevelFilter, String> {
    text.parse().map_err(|_| format!("there is no level {text:?}"))
}

/// Writes to standard error what is logged, from a level on.
pub fn log_from(level: log::LevelFilter) {
    static LOG: Log = Log;
    if log::set_logger(&LOG).is_ok() {
        log::set_max_level(level);
    }
}

/// A log on standard error, a line each.
struct Log;

impl log::Log for Log {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target().starts_with("ballista") || metadata.target().starts_with("trevni")
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            let now = chrono::Utc::now().format("%Y-%m-%dT%H:%M:%S%.3fZ");
            let (level, target) = (record.level(), record.target());
            let _ = writeln!(std::io::stderr(), "{now} {level:5} {target}: {}", record.args());
        }
    }

    fn flush(&self) {}
}
