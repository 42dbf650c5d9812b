//! From JSON, CSV and other text to typed columns.
//!
//! It is for `trevni`, and promises no interface. A text is read twice:
//!
//! ```text
//! text ── chunks of rows ──▶ counts ── settle ──▶ plan ── rows of the text, once more ──▶ Writer
//! ```
//!
//! [`counts`] makes a tree that does not depend on how threads cut the text; [`counts::settle`] makes a [`plan::Plan`] of
//! it, which has the shape. `plan::compare` knows neither, so a check does not repeat their errors.

#![forbid(unsafe_code)]

pub mod counts;
mod error;
pub mod numbers;
pub mod plan;
pub mod text;

pub use error::{Error, ErrorKind};

use trevni_print::{drawing, human, rows, shown};
