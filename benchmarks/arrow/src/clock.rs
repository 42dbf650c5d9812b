//! CPU time of calls that take turns.

use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

/// Milliseconds of CPU time that a call takes; what it returns is dropped after the clock has stopped.
fn time<T>(call: &mut dyn FnMut() -> T) -> f64 {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    };
    let start = now();
    let result = black_box(call());
    let taken = now() - start;
    drop(result);
    taken
}

/// The medians of two calls that take turns, in milliseconds.
pub(crate) fn medians<A, B>(
    turns: usize,
    mut one: impl FnMut() -> A,
    mut two: impl FnMut() -> B,
) -> (f64, f64) {
    let (mut ones, mut twos) = (Vec::new(), Vec::new());
    for _ in 0..turns {
        ones.push(time(&mut one));
        twos.push(time(&mut two));
    }
    (median(ones), median(twos))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}
