//! Trevni column files as Apache Arrow record batches, and back.
//!
//! [`ArrowReader`] gives the rows of a file as record batches: those rows and fields that a [`trevni::Reader`] reads.
//! [`ArrowWriter`] writes record batches to a file, which keeps their schema, so that the same types come back. Numbers
//! move from the file's vectors to arrays without a copy.
//!
//! ```
//! use arrow_array::record_batch;
//! use trevni::{Reader, col};
//! use trevni_arrow::{ArrowReader, ArrowWriter};
//!
//! let batch = record_batch!(
//!     ("carrier", Utf8, ["AA", "UA", "B6"]),
//!     ("distance", Float32, [Some(1089.0), None, Some(944.0)])
//! )
//! .unwrap();
//! let mut writer = ArrowWriter::new(Vec::new(), batch.schema())?;
//! writer.write(&batch)?;
//! let file = writer.finish()?;
//!
//! let reader = Reader::from_slice(&file)?;
//! assert_eq!(ArrowReader::new(&reader)?.next().unwrap()?, batch);
//!
//! // Options of the reader choose fields and rows.
//! let far = reader.project(["carrier"])?.filter(col("distance").gt(1000.0))?;
//! let rows = ArrowReader::new(&far)?.next().unwrap()?;
//! assert_eq!(rows, record_batch!(("carrier", Utf8, ["AA"])).unwrap());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | for | use |
//! |---|---|
//! | a file to record batches | [`ArrowReader`] |
//! | record batches to a file | [`ArrowWriter`] |
//! | one column | [`column()`] |
//! | one batch | [`record_batch_of_batch`], [`record_batch_of_batch_as`], [`batch_of_record_batch`], [`batch_of_record_batch_as`] |
//! | libraries without unions | [`Simplify`] |
//! | files whose types differ | [`join_schemas`], [`cast_record_batch`], [`cast_array`] |
//! | schemas | [`schema_of_reader`], [`schema_of_shape`], [`shape_of_schema`], [`schema_of_avro`], [`avro_of_schema`] |
//!
//! The page `docs/arrow.md` of the repository has a table of all Arrow types: what is stored of each, and what comes
//! back.
//!
//! # Design
//!
//! * **Numbers move without a copy**, and so do strings that lie one directly after the other. Arrow checks the buffer
//!   of strings as UTF-8 once, so the reader below does not (`Reader::texts_as_bytes`); views are made from the checked
//!   array, or they would be checked one by one.
//! * **Dictionaries stay until an array needs them**: for views, places in a dictionary become an array by a `take` of
//!   its values. For `Utf8` it is less work to put the strings one after the other at once.
//! * **Dictionaries are data**: their values are one more file in the metadata (`kept`), so any type can be kept, and is
//!   read with the same limits. They are collected while batches are written, and a missing or damaged file costs the
//!   order of values alone.
//! * **Nulls are the bits of the file** where a block has them as bits, or else running sums of the places that have a
//!   value, which compose from parent to child. No child is copied to make room for nulls.
//! * **The exact Arrow schema is a hint** in the file's metadata (`arrow.schema`), so types that a shape does not tell
//!   apart come back: dictionaries, views, widths. It is JSON of its own: it depends on no version of Arrow, and
//!   hostile bytes cannot make it panic. Where it does not fit the columns it is ignored, node by node. Foreign files
//!   carry their shape to Arrow and back as `avro.schema` in the metadata of the schema.
//! * **Only crates for arrays** (`arrow-array`, `arrow-select` and below): no compute, no file formats.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod array;
mod column;
mod error;
mod kept;
mod memory;
mod reader;
mod schema;
mod writer;

pub use array::{
    Simplify, Unions, batch_of_record_batch, batch_of_record_batch_as, cast_array, cast_record_batch,
    record_batch_of_batch, record_batch_of_batch_as,
};
pub use column::column;
pub use error::{Error, ErrorKind, Result};
pub use kept::{ARROW_DICTIONARIES, DictionaryCache, OrderedDictionaries};
pub use reader::{ArrowReader, ArrowReaderBuilder, part_of_schema, schema_of_reader};
pub use schema::stored::ARROW_SCHEMA;
pub use schema::{
    AVRO_SCHEMA, avro_of_schema, join_schemas, logical_of_extension, schema_of_avro, schema_of_shape,
    shape_of_schema,
};
pub use writer::{ArrowWriter, options_for_schema};

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
