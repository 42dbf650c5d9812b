//! **The columnar file format for serde.** Derive `Serialize` on a struct, call [`to_writer`], and
//! have a compressed, checksummed column file. Call [`from_reader`] with a struct that has fewer
//! fields, and only those columns are read.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Flight {
//!     carrier: String,
//!     origin: String,
//!     dep_delay: Option<f32>,
//!     stops: Vec<String>,
//! }
//!
//! # let flight = |carrier: &str, dep_delay| Flight {
//! #     carrier: carrier.into(), origin: "JFK".into(), dep_delay, stops: vec![],
//! # };
//! let flights = vec![flight("AA", Some(2.0)), flight("UA", None)];
//! let mut file = Vec::new();
//! trevni::to_writer(&mut file, &flights)?;
//!
//! #[derive(Deserialize)]
//! struct Delay {
//!     carrier: String,
//!     dep_delay: Option<f32>,
//! }
//!
//! // Two of the four columns are read.
//! let delays: Vec<Delay> = trevni::from_slice(&file)?;
//! assert_eq!((delays[0].carrier.as_str(), delays[0].dep_delay), ("AA", Some(2.0)));
//! # Ok::<(), trevni::Error>(())
//! ```
//!
//! The format is Trevni, the column format of [Apache Avro](https://avro.apache.org): Avro's Java
//! implementation reads the files written here, and the other way round. The schema of the rows
//! stands in the file, so any file can be read into [`serde_json::Value`] or into a struct written
//! years later.
//!
//! # Which call when
//!
//! | you have or want | call |
//! |---|---|
//! | rows that are all there, a file or memory | [`to_writer`], [`to_vec`] |
//! | rows that come one by one | [`Writer::create`], [`Writer::write`], [`Writer::finish`] |
//! | another codec or level, metadata, a given Avro schema, smaller blocks, … | [`Writer::builder`] |
//! | a file larger than memory, several threads to compress it | [`WriterBuilder::memory_limit`], [`WriterBuilder::threads`] |
//! | all rows at once | [`from_reader`], [`from_slice`] |
//! | rows one after the other, in little memory | [`Reader::open`], [`Reader::rows`] |
//! | some fields, by type | the same, with a struct that has only these |
//! | some fields, by name | [`Reader::project`] |
//! | one row, by its number | [`Reader::row`] |
//! | some rows, by their numbers | [`Reader::select`] |
//! | some rows, by what is in them | [`Reader::filter`], with [`col`] |
//! | the numbers of these rows | [`Reader::matching`] |
//! | which blocks that reads | [`Reader::explain`] |
//! | one column as a `Vec` | [`Reader::column`] |
//! | rows that borrow texts, or typed vectors | [`Reader::batches`] |
//! | data that is in columns already | [`Batch::try_new`], [`Writer::write_batch`] |
//! | the columns of a type before its first row | [`Shape::of`], [`WriterBuilder::shape`] |
//! | values without a Rust type | [`Batch::values`], [`ValueRef`] |
//! | repetition and definition levels | [`levels`] |
//! | several threads that decode, limits, files of others that are sorted | [`Reader::builder`] |
//! | bytes from elsewhere than a file or memory | a [`Source`] of your own, [`Reader::new`] |
//! | many files of one size, one after the other | [`DatasetWriter`] |
//! | many files as if they were one | [`Dataset::open`] |
//! | files in one, without decoding them | [`merge`](fn@merge), [`Merge`] |
//! | a file in parts | [`split`], [`Split`] |
//! | what a file holds | [`Reader::shape`], [`Reader::columns`], [`Reader::metadata`], [`Reader::blocks`] |
//! | a file without a schema | the same; its shape comes from its columns ([`Reader::untyped`]) |
//!
//! The [`guide`] has chapters on [types](guide::types), [finding rows](guide::filtering), [random access](guide::random_access),
//! [columns](guide::columns), [batches](guide::batches), [sources](guide::sources), [large files](guide::large_files),
//! [datasets](guide::datasets) and [merging](guide::merging).
//!
//! # What comes back
//!
//! Whatever was written with `Serialize` comes back equal through `Deserialize`, with all of serde's
//! attributes: enums in the four taggings, `flatten`, `skip_serializing_if`, maps with any keys,
//! `Option<Option<T>>`, recursive types (to a depth of [`MAX_DEPTH`] nodes), `u64`, `i128`, rows of
//! [`serde_json::Value`] that all differ. It comes back as [`serde_json::Value`] too, equal to what
//! `serde_json::to_value` makes of the row.
//!
//! Reading is by name. Fields may come in another order, be left out, be added with
//! `#[serde(default)]`, be renamed with `#[serde(alias)]`, and be widened (`i32` to `i64`, `f32` to
//! `f64`, `T` to `Option<T>`).
//!
//! * The **shape** of the rows grows while they are written: `None`, an empty list or a variant that
//!   has not been seen leaves a place open, a field that shows up late is absent before. Numbers
//!   that do not widen without loss, or texts beside numbers, become a union.
//! * **Maps** with text keys become Avro maps. Where the row itself is a map (as a JSON object is),
//!   it and the maps in it become records, with a column for each key; so do structs with flattened
//!   fields. `#[serde(flatten)]` reads all columns, because serde does not say which it wants.
//! * **Tuples** and arrays of up to 16 items have a column for each item, longer arrays are lists.
//! * **Variants** with data have a column of their own each, those without share one of symbols.
//! * Types that have a text form and a binary form use the text, as they do in JSON.
//! * Bytes read without a type come as a sequence of numbers, as they do in JSON.
//!
//! # Files from elsewhere
//!
//! Bytes of a file are not trusted: whatever they are, reading gives rows or an [`Error`] that says
//! where, never a panic, and takes no memory that the file cannot justify ([`Limits`]).
//!
//! # Features
//!
//! | feature | codec |
//! |---|---|
//! | – | [`Codec::Null`], [`Codec::Deflate`], [`Codec::Snappy`] |
//! | `bzip2` | [`Codec::Bzip2`], read by Avro's Java too |
//! | `zstandard` | [`Codec::Zstandard`], read by this crate only |
//! | `lz4` | [`Codec::Lz4`], read by this crate only |
//!
//! [`Codec::Auto`] chooses among them for each column, by trial.

mod batch;
mod bytes;
mod dataset;
mod de;
mod dialect;
mod error;
#[cfg(doc)]
pub mod guide;
pub mod levels;
mod limits;
mod merge;
mod metadata;
mod predicate;
mod reader;
mod schema;
mod selection;
mod ser;
mod shape;
mod storage;
mod stray;
mod trace;
mod tree;
mod value;
mod vector;
mod writer;

pub use batch::{Batch, BatchRows};
pub use dataset::{Dataset, DatasetBatches, DatasetPart, DatasetRows, DatasetWriter, DatasetWriterBuilder};
pub use dialect::trevni::version::Version;
pub use dialect::{BlockInfo, ColumnInfo, Dialect, FirstValue};
pub use error::{Category, Error, ErrorKind, Location, Result};
pub use limits::Limits;
pub use merge::{Merge, Merged, Split, merge, split};
pub use metadata::Metadata;
pub use predicate::{Col, Literal, Predicate, col, item};
pub use reader::{Batches, Explain, ExplainColumn, FromColumn, Nested, Reader, ReaderBuilder, Rows};
pub use selection::RowSelection;
pub use shape::{
    EnumShape, FieldShape, FixedShape, Form, MAX_DEPTH, MapShape, Name, Null, OptionalShape, RecordShape,
    Shape,
};
pub use storage::checksum::Checksum;
pub use storage::codec::Codec;
pub use storage::source::{Seekable, Source};
pub use storage::value_type::ValueType;
pub use storage::zone_map::{Bound, Zone, ZoneMap};
pub use value::{ListRef, MapRef, RecordRef, SomeRef, ValueRef};
pub use vector::{
    Binaries, Blobs, Element, Lazy, ListVector, MapVector, Offsets, RecordVector, Span, Strings, UnionVector,
    Vector,
};
pub use writer::{AtomicFile, Writer, WriterBuilder};

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{Read, Seek, Write};

/// Writes rows into a sink, with the defaults of [`WriterBuilder`]: snappy and checksums.
///
/// ```
/// let mut file = Vec::new();
/// trevni::to_writer(&mut file, [("one", 1), ("two", 2)])?;
/// assert!(file.starts_with(b"Trv\x02"));
/// # Ok::<(), trevni::Error>(())
/// ```
///
/// # Errors
///
/// As [`Writer::write`] and [`Writer::finish`].
pub fn to_writer<W, I>(writer: W, rows: I) -> Result<()>
where
    W: Write,
    I: IntoIterator,
    I::Item: Serialize,
{
    let mut writer = Writer::new(writer)?;
    writer.write_all(rows)?;
    writer.finish().map(|_| ())
}

/// Writes rows into memory, as [`to_writer`] does.
///
/// # Errors
///
/// As [`Writer::write`].
pub fn to_vec<I>(rows: I) -> Result<Vec<u8>>
where
    I: IntoIterator,
    I::Item: Serialize,
{
    let mut bytes = Vec::new();
    to_writer(&mut bytes, rows)?;
    Ok(bytes)
}

/// Reads all rows into any type that deserializes from a sequence, mostly a `Vec` of structs.
///
/// ```
/// let file = std::io::Cursor::new(trevni::to_vec([("one", 1), ("two", 2)])?);
/// let rows: Vec<(String, i64)> = trevni::from_reader(file)?;
/// assert_eq!(rows[1], ("two".to_owned(), 2));
/// # Ok::<(), trevni::Error>(())
/// ```
///
/// # Errors
///
/// As [`Reader::open`] and [`Reader::rows`], and rows that do not fit the type.
pub fn from_reader<R, C>(reader: R) -> Result<C>
where
    R: Read + Seek + Send,
    C: DeserializeOwned,
{
    reader::collect(&Reader::from_seekable(reader)?)
}

/// Reads all rows of a file in memory, as [`from_reader`] does.
///
/// # Errors
///
/// As [`from_reader`].
pub fn from_slice<C: DeserializeOwned>(bytes: &[u8]) -> Result<C> {
    reader::collect(&Reader::from_slice(bytes)?)
}

/// The examples of the front page compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
