//! The rows that the benchmarks write and read.

#![allow(dead_code, reason = "each benchmark uses one of the two data sets")]

use criterion::{BatchSize, Bencher};

pub(crate) mod flights;
pub(crate) mod mail;

/// How many rows to use: `full`, or few of them when criterion only tries
/// whether the benchmarks run (`cargo bench -- --test`).
pub(crate) fn rows_for_this_run(full: usize) -> usize {
    if std::env::args().any(|arg| arg == "--test") { full / 100 } else { full }
}

/// Times `routine`, but not the dropping of what it returns, and keeps only one
/// such value at a time.
pub(crate) fn untimed_drop<T>(bencher: &mut Bencher<'_>, mut routine: impl FnMut() -> T) {
    bencher.iter_batched(|| (), |()| routine(), BatchSize::PerIteration);
}
