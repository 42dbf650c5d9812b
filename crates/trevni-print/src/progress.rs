//! How far long work is, and what it came to: on standard error, for people.

use crate::drawing::drawing;
use crate::shown::tell;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

static QUIET: AtomicBool = AtomicBool::new(false);
static BARS: AtomicBool = AtomicBool::new(true);
/// Milliseconds: work that is done sooner needs no bar.
static SOON: AtomicU64 = AtomicU64::new(500);

/// Says what may be on standard error beside errors. Bars only are where it is a terminal.
pub fn configure(quiet: bool, no_progress: bool, after: Option<u64>) {
    QUIET.store(quiet, Ordering::Relaxed);
    if let Some(milliseconds) = after {
        SOON.store(milliseconds, Ordering::Relaxed);
    }
    BARS.store(!quiet && !no_progress && std::io::stderr().is_terminal(), Ordering::Relaxed);
}

/// Tells something that is no data, such as what was written, unless all is to be quiet.
pub fn note(text: impl Display) {
    if !QUIET.load(Ordering::Relaxed) {
        tell("", &text.to_string());
    }
}

/// A progress bar, which clones share. It shows up when the work takes longer, and goes when the last clone
/// is dropped.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Bar>>);

struct Bar {
    bar: ProgressBar,
    shown: AtomicBool,
    done: AtomicU64,
    start: Instant,
}

impl Progress {
    /// Counts bytes of `total`, or of an unknown number where that is 0.
    pub fn bytes(label: &'static str, total: u64) -> Self {
        Self::new(label, total, "{binary_bytes} / {binary_total_bytes}", "{binary_bytes}")
    }

    /// Counts rows of `total`, or of an unknown number where that is 0.
    pub fn rows(label: &'static str, total: u64) -> Self {
        Self::new(label, total, "{human_pos} / {human_len} rows", "{human_pos} rows")
    }

    fn new(label: &'static str, total: u64, of: &str, alone: &str) -> Self {
        if !BARS.load(Ordering::Relaxed) {
            return Self(None);
        }
        let (bar, template) = match total {
            0 => (ProgressBar::no_length(), format!("{{prefix:>9}} {{spinner}} {alone}")),
            _ => (ProgressBar::new(total), format!("{{prefix:>9}} {{bar:32.cyan/dim}} {of}  eta {{eta}}")),
        };
        bar.set_draw_target(ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars(drawing().progress));
        }
        bar.set_prefix(label);
        let (shown, done) = (AtomicBool::new(false), AtomicU64::new(0));
        Self(Some(Arc::new(Bar { bar, shown, done, start: Instant::now() })))
    }

    /// Some more is done.
    pub fn add(&self, count: u64) {
        if let Some(bar) = &self.0 {
            let done = bar.done.fetch_add(count, Ordering::Relaxed) + count;
            bar.show(done);
        }
    }

    /// So much is done in all.
    pub fn set(&self, done: u64) {
        if let Some(bar) = &self.0 {
            bar.done.store(done, Ordering::Relaxed);
            bar.show(done);
        }
    }
}

impl Bar {
    fn show(&self, done: u64) {
        if !self.shown.load(Ordering::Relaxed) {
            if self.start.elapsed() < Duration::from_millis(SOON.load(Ordering::Relaxed))
                || self.shown.swap(true, Ordering::Relaxed)
            {
                return;
            }
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
