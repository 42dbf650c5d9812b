//! Counts the bytes that a test allocates.

use peak_alloc::PeakAlloc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

static ALONE: Mutex<()> = Mutex::new(());

pub(crate) const MIB: usize = 1 << 20;

/// So long takes what hangs, and nothing else on any machine.
const HANGS: Duration = Duration::from_secs(600);

/// Keeps other tests from running: the counter is the process's. The first thing in each test here.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls, and checks that this took at most `most` bytes beyond those in use before.
#[track_caller]
pub(crate) fn within<T>(most: usize, call: impl FnOnce() -> T) -> T {
    assert!(ALONE.try_lock().is_err(), "other tests would be counted too");
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let start = Instant::now();
    let result = call();
    let (peak, time) = (ALLOCATOR.peak_usage().saturating_sub(before), start.elapsed());
    assert!(peak <= most, "{peak} bytes allocated, {most} allowed");
    assert!(time < HANGS, "it took {time:?}");
    result
}
