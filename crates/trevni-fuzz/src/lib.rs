//! What fuzzers do with bytes: a function for each target, which panics where a promise is broken.
//!
//! `fuzz/` calls these functions from libFuzzer; `tests/replay.rs` calls them with mutations of a corpus that are the same
//! in every run. The corpus is made from the golden files of the repository ([`corpus`]).

#![forbid(unsafe_code)]

mod codec;
mod container;
pub mod corpus;
mod expressions;
mod importers;
mod metadata;
mod mutate;
mod read;
mod redelm;
mod round_trip;
mod rows;
mod texts;

pub use expressions::expressions;
pub use importers::importers;
pub use mutate::{damaged, mended};
pub use read::read;
pub use round_trip::round_trip;
pub use texts::texts;

use trevni::{Category, Error, Limits};

/// A target: what is done with bytes.
pub type Target = fn(&[u8]);

/// All targets by their names.
pub const TARGETS: [(&str, Target); 6] = [
    ("read", read),
    ("mended", read),
    ("round_trip", round_trip),
    ("importers", importers),
    ("expressions", expressions),
    ("texts", texts),
];

/// An input of a target, changed as a seed says.
#[must_use]
pub fn mutated(target: &str, bytes: &[u8], seed: u64) -> Vec<u8> {
    if target == "mended" { mended(bytes, seed) } else { damaged(bytes, seed) }
}

/// Limits that keep a single input cheap.
fn limits() -> Limits {
    Limits::DEFAULT.block_bytes(1 << 20).memory(16 << 20).rows_without_bytes(1 << 14)
}

/// The result, if there is one. Errors are expected, except internal ones.
fn done<T>(result: Result<T, Error>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            assert!(error.category() != Category::Internal, "{error}");
            assert!(!error.to_string().is_empty());
            None
        }
    }
}
