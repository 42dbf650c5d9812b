//! Compatibility with Apache Avro's Java implementation: files that it wrote, read and written again.
//!
//! `tests/data/PROVENANCE.md` says what the files are. What is expected of them is computed by code
//! of these tests (`json`, `schema`, `columns`), not by the crate's.

mod data;
mod json;
mod schema;

mod blocks;
mod columns;
mod copied;
mod inferred;
mod late;
mod logical;
mod meta;
mod named;
mod projection;
mod quirks;
mod raw;
mod rows;
mod serialize;
mod untyped;
mod values;
mod write;

#[path = "../batches/random.rs"]
mod random;
