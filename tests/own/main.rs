//! Files that versions of this crate wrote stay readable (`tests/data/own`).
//!
//! The files are never written again. `make` says how they were made.

mod kinds;
mod make;
mod reading;

use std::path::PathBuf;

/// The folder of the files.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/own/0.1")
}
