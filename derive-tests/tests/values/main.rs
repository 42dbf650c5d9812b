//! Untyped rows: `serde_json::Value` in and out, and typed rows read as the JSON that serde_json makes of them.

mod absence;
mod both_ways;
mod nesting;
mod numbers;
mod rows;
mod text;
mod typed;

use derive_tests::write;
use serde_json::Value;

fn read(rows: &[Value]) -> Value {
    trevni::from_slice(&write(rows)).unwrap()
}
