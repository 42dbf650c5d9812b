//! What a file holds, for people and as JSON: its schema, sizes, layout and statistics, and a page of all of these.
//!
//! It is for `trevni`, and promises no interface. Each command is a module: its options, and `run`.

#![cfg_attr(
    not(feature = "parquet"),
    allow(clippy::infallible_destructuring_match, reason = "files are of one kind more with Parquet")
)]
#![forbid(unsafe_code)]

mod columns;
pub mod dump;
mod ends;
mod extents;
pub mod html;
pub mod info;
pub mod layout;
mod report;
mod report_value;
pub mod schema;
pub mod size;
pub mod stats;

#[cfg(feature = "parquet")]
use trevni_files::parquet;
use trevni_files::{dialect, failure, input, output, rows, selecting};
use trevni_print::{drawing, human, progress, shown, type_name};
