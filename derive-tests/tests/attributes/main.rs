//! Every serde attribute keeps its meaning in a file.

#![allow(unreachable_pub, reason = "what modules of a test share is `pub`")]

mod bounds_and_strictness;
mod conversions;
mod defaults_and_skips;
mod flatten;
mod names;
mod tagging;

use derive_tests::write;
use serde::Serialize;
use serde_json::Value;

fn as_json<T: Serialize>(rows: &[T]) -> Value {
    trevni::from_slice(&write(rows)).unwrap()
}
