//! Measures trevni against Vortex, and both against Parquet: sizes of files, random rows, full reads.
//!
//! All give record batches of one Arrow schema, with views for strings, as Vortex has them in memory. Vortex 0.90 has the same
//! major version of Arrow as this repository. To build it takes libclang: `libclang-14-dev` of Debian 12.

#![forbid(unsafe_code)]

pub mod agree;
pub mod contestants;
pub mod measure;
pub mod report;
pub mod table;
