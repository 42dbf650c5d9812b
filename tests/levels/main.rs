//! Trevni with levels: files of an independent implementation and of Impala, and what this crate promises of its own.
//!
//! `tests/data/levels/PROVENANCE.md` says what the files are.

mod data;
mod json;

mod bombs;
mod contradictions;
mod damaged;
mod golden;
mod paper;
mod reading;
mod writing;
