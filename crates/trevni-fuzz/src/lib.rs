//! What fuzzers do with bytes: a function for each target, which panics where a promise is broken.
//!
//! `fuzz/` calls these functions from libFuzzer; `tests/replay.rs` calls them with mutations of a corpus that are the same
//! in every run. The corpus is made from the golden files of the repository ([`corpus`]). Generators need no corpus: the bytes choose
//! what is made (`tests/generators.rs`).

#![forbid(unsafe_code)]

pub mod bombs;
mod cell;
mod choices;
mod codec;
mod compact;
mod conditions;
mod container;
pub mod corpus;
mod datasets;
mod expressions;
mod folder;
mod importers;
mod literals;
mod messages;
mod metadata;
mod mutate;
mod read;
mod redelm;
mod round_trip;
mod rows;
mod table;
mod texts;
mod typed;

pub use compact::compact;
pub use conditions::conditions;
pub use datasets::datasets;
pub use expressions::expressions;
pub use importers::importers;
pub use literals::literals;
pub use messages::messages;
pub use mutate::{damaged, mended};
pub use read::read;
pub use round_trip::round_trip;
pub use texts::texts;
pub use typed::typed;

use trevni::{Category, Error, Limits};

/// A target: what is done with bytes.
pub type Target = fn(&[u8]);

/// All targets by their names.
pub const TARGETS: [(&str, Target); 12] = [
    ("read", read),
    ("mended", read),
    ("round_trip", round_trip),
    ("importers", importers),
    ("expressions", expressions),
    ("texts", texts),
    ("typed", typed),
    ("compact", compact),
    ("datasets", datasets),
    ("conditions", conditions),
    ("messages", messages),
    ("literals", literals),
];

/// Those of them that make something of their own of bytes: they take any.
pub const GENERATORS: [&str; 6] = ["typed", "compact", "datasets", "conditions", "messages", "literals"];

/// Bytes for a generator.
fn chosen(seed: u64) -> Vec<u8> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..rng.usize(0..100)).map(|_| rng.u8(..)).collect()
}

/// An input of a target, changed as a seed says.
#[must_use]
pub fn mutated(target: &str, bytes: &[u8], seed: u64) -> Vec<u8> {
    match target {
        "mended" => mended(bytes, seed),
        _ if GENERATORS.contains(&target) => chosen(seed),
        _ => damaged(bytes, seed),
    }
}

/// The file that a generator of files makes, and whether no number in it is wrong; `None` of another target.
#[must_use]
pub fn made(target: &str, bytes: &[u8]) -> Option<(Vec<u8>, bool)> {
    let (_, file, is_right) = match target {
        "typed" => typed::made(bytes),
        "compact" => compact::made(bytes),
        _ => return None,
    };
    Some((file, is_right))
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
