//! Trevni column files from Apache Parquet, and back, through record batches.
//!
//! ```
//! use trevni::{AtomicFile, Codec, Reader, Writer};
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
//! let sink = AtomicFile::create(&column_file)?;
//! trevni_parquet::to_trevni(reader, Writer::builder().codec(Codec::Deflate), sink)?.commit()?;
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
//! | values of the type VARIANT as JSON | [`ParquetReaderBuilder::variants`] |
//! | schema, row groups and metadata of a Parquet file, values with their levels | [`ParquetFile`] |
//!
//! Both ways stream: of the rows, a batch is in memory, and what a row group or a writer's buffer holds.
//!
//! # Design
//!
//! Batches pass through `trevni-arrow`; `convert` moves them between the Parquet library and ours. Around that library
//! is mended what users of the format expect otherwise:
//!
//! * it reads ENUM as bytes (`read/types.rs`), wraps INT96 around beyond nanoseconds (`read/int96.rs` reads these
//!   columns again with microseconds and compares), and loses months of spans (`spans`);
//! * a footer of 0 rows, as an old writer has it, hides all rows: the row groups count instead;
//! * it keeps the meanings JSON, VARIANT, GEOMETRY and GEOGRAPHY as extension types of fields, but not that a time of day is in UTC
//!   (`read/types.rs`); its variants may be nested so deep that it would overflow the stack (`read/variants`);
//! * it panics on some damaged files and on types that it lacks (`guard.rs`), and ends row groups by rows, not bytes
//!   (`write`).
//!
//! **Hostile bytes.** It makes room by numbers of the file, and a failed allocation ends the process, so it gets no
//! byte that was not looked at. `footer` walks the Thrift of a footer field by field and compares counts, lengths,
//! nesting and memory first. `read/chunks.rs` refuses chunks that overlap, leave the file, or disagree with their row
//! group. `read/source.rs` hands over a page when its header has been checked against the chunk and the limits, and
//! decompresses it: the library's gzip, brotli and LZ4 go on beyond the stated size, so its metadata say that nothing
//! is compressed. Each page is read and decompressed once. Memory counts beyond 16 bytes per byte of the file. Wide
//! values and long strings of a dictionary make batches small: the reader begins again at the row where it was.
//!
//! **Schemas of the reader** (`resolve`): the written and the wanted schema are compared once, which gives the columns
//! to read and a tree of steps. Steps work on vectors, not arrays: there are fewer kinds, logical types are numbers,
//! and values that may be null have no gaps.

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
pub use guard::{guarded, is_guarded};
pub use read::{
    Entry, Int96, ParquetBatches, ParquetFile, ParquetReader, ParquetReaderBuilder, Stored, Variants,
};
pub use write::{PageEncoding, ParquetOptions, PropertyError, Statistics};

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
