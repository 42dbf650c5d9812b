//! What the commands of trevni share: one source and one sink, rows that are chosen, sorted and printed, and what went
//! wrong.
//!
//! It is for `trevni`, and promises no interface. Data flows one way:
//!
//! ```text
//! files ── input ──▶ Reader ── selecting ──▶ batches ── sorter, rows ──▶ output
//! ```

#![cfg_attr(
    not(feature = "parquet"),
    allow(clippy::infallible_destructuring_match, reason = "files are of one kind more with Parquet")
)]
#![forbid(unsafe_code)]

pub mod dialect;
pub mod failure;
pub mod format;
pub mod input;
pub mod interrupt;
pub mod limits;
pub mod output;
mod packing;
pub mod parallel;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod reading;
pub mod remote;
pub mod rows;
pub mod schema_text;
pub mod selecting;
pub mod sorter;
pub mod text;

use trevni_print::{drawing, human, progress, shown, type_name};
