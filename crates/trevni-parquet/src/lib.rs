//! Trevni column files from Apache Parquet, and back, through record batches.
//!
//! ```
//! use trevni::{Codec, Reader, Writer};
//! use trevni_parquet::{ParquetOptions, ParquetReader};
//!
//! # let folder = std::env::temp_dir().join(format!("trevni-parquet-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let (parquet, column_file) = (folder.join("flights.parquet"), folder.join("flights.trv"));
//! let file = trevni::to_vec([("AA", Some(12)), ("UA", None)])?;
//! let rows = trevni_parquet::to_parquet(&Reader::from_slice(&file)?, ParquetOptions::new(), Vec::new())?;
//! std::fs::write(&parquet, rows)?;
//!
//! let reader = ParquetReader::open(&parquet)?;
//! trevni_parquet::to_trevni(reader, Writer::builder().codec(Codec::Deflate), &column_file)?;
//! let rows: Vec<(String, Option<i32>)> = trevni::from_reader(std::fs::File::open(&column_file)?)?;
//! assert_eq!(rows, [("AA".to_owned(), Some(12)), ("UA".to_owned(), None)]);
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | for | use |
//! |---|---|
//! | a Parquet file to record batches | [`ParquetReader`] |
//! | by a schema of the reader | [`ParquetReaderBuilder::projection_schema`], [`ParquetReaderBuilder::read_schema`] |
//! | a Parquet file to a column file | [`to_trevni`] |
//! | a Parquet file to batches of the core crate, for any writer | [`ParquetReader::into_batches`] |
//! | a column file to Parquet | [`to_parquet`], [`ParquetOptions`] |
//! | schema, row groups and metadata of a Parquet file, values with their levels | [`ParquetFile`] |
//!
//! Both ways stream: of the rows, a batch is in memory, and what a row group or a writer's buffer holds.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod convert;
mod error;
mod footer;
mod guard;
mod read;
mod resolve;
mod spans;
mod write;

pub use convert::{to_parquet, to_trevni};
pub use error::{Error, Result};
pub use footer::{ColumnChunk, RowGroup};
pub use guard::is_guarded;
pub use read::{Entry, Int96, ParquetBatches, ParquetFile, ParquetReader, ParquetReaderBuilder, Stored};
pub use write::{ParquetOptions, PropertyError};

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
