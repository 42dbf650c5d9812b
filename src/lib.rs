//! **The columnar file format for serde.** Rows of any serde type become a compressed, checksummed column file
//! that describes itself; read all of it, some fields, or the rows that match a filter.
//!
//! ```sh
//! cargo add trevni
//! cargo add serde --features derive
//! ```
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
//! implementation reads files written by this crate, and vice versa. The schema of the rows is stored
//! in the file, so any file can be read into [`serde_json::Value`] or into a struct written years
//! later.
//!
//! # Which call when
//!
//! | you have or want | call |
//! |---|---|
//! | all rows at hand, a file or memory | [`to_writer`], [`to_vec`] |
//! | rows one at a time | [`Writer::create`], [`Writer::write`], [`Writer::finish`] |
//! | another codec or level, metadata, an Avro schema, smaller blocks, … | [`Writer::builder`] |
//! | a file larger than memory, several compression threads | [`WriterBuilder::memory_limit`], [`WriterBuilder::threads`] |
//! | all rows at once | [`from_reader`], [`from_slice`] |
//! | rows one at a time, in constant memory | [`Reader::open`], [`Reader::rows`] |
//! | some fields, by type | the same, with a struct of only these fields |
//! | some fields, by name | [`Reader::project`]; [`path`] says how fields are named |
//! | one row, by number | [`Reader::row`] |
//! | some rows, by number | [`Reader::select`] |
//! | some rows, by value | [`Reader::filter`], with [`col`] |
//! | the numbers of the matching rows | [`Reader::matching`] |
//! | the blocks this reads | [`Reader::explain`] |
//! | one column as a `Vec` | [`Reader::column`] |
//! | rows that borrow strings, or typed vectors | [`Reader::batches`] |
//! | instants, dates, decimals, UUIDs, IP addresses as such | [`WriterBuilder::logical`], [`with::timestamp_micros`] and its siblings |
//! | the same, detected in columns of strings | [`WriterBuilder::detect_logical`], [`LogicalDetector`] |
//! | columnar data | [`Batch::try_new`], [`Writer::write_batch`] |
//! | the columns of a type before its first row | [`Shape::from_type`], [`WriterBuilder::shape`] |
//! | values without a Rust type | [`Batch::values`], [`ValueRef`] |
//! | repetition and definition levels | [`levels`] |
//! | decoding threads, limits, columns known to be sorted | [`Reader::builder`] |
//! | bytes from an object store or another place | your own [`Source`], [`Reader::new`] |
//! | a series of files of about one size | [`DatasetWriter`] |
//! | many files read as one | [`Dataset::open`] |
//! | the same where fields were renamed or added | [`Dataset::alias`], [`Dataset::optional`] |
//! | several files concatenated, without decoding them | [`merge`](fn@merge), [`Merge`](merge::Merge) |
//! | a file split into parts | [`merge::split`](fn@merge::split), [`Split`](merge::Split) |
//! | whether a file is whole, and what is wrong with it | [`Verify`](verify::Verify) |
//! | the contents of a file: shape, columns, metadata, blocks | [`Reader::shape`], [`Reader::columns`], [`Reader::metadata`], [`Reader::blocks`] |
//! | a file without a schema | the same; the shape comes from the columns ([`Reader::untyped`]) |
//! | a file of Impala or of RedElm | the same: readers know the format; to write one: [`WriterBuilder::dialect`] |
//!
//! The items that most programs name are here; the others are in a module each:
//!
//! | module | what |
//! |---|---|
//! | [`with`] | what `#[serde(with = "…")]` names |
//! | [`shape`], [`vector`], [`value`] | the parts of [`Shape`], [`Vector`] and [`ValueRef`] |
//! | [`reader`], [`dataset`] | iterators, and what else [`Reader`] and [`Dataset`] give |
//! | [`column`](mod@column), [`formats`] | what a file says of its columns; what only some formats have |
//! | [`merge`](mod@merge), [`verify`] | concatenating, splitting and verifying files |
//! | [`predicate`], [`path`], [`levels`] | conditions, paths, repetition and definition levels |
//! | [`avro`] | what an Avro schema says beyond a [`Shape`] |
//! | [`error`] | where an error happened |
//!
//! The [`guide`] has chapters:
//!
//! | | |
//! |---|---|
//! | start | [from CSV, JSON, Parquet, bincode](guide::from), [questions](guide::faq), [types](guide::types), [logical types](guide::logical), [schema evolution](guide::evolution) |
//! | read | [finding rows](guide::filtering), [rows by number](guide::random_access), [paths](guide::paths), [columns](guide::columns), [batches](guide::batches), [sources](guide::sources), [services](guide::services) |
//! | write | [large files](guide::large_files), [datasets](guide::datasets), [logs: append and flush](guide::logs), [merging and splitting](guide::merging) |
//! | promises | [reliability](guide::reliability), [stability](guide::stability), [the formats of the family](guide::dialects) |
//!
//! Other crates: [`trevni-cli`](https://crates.io/crates/trevni-cli), the command line;
//! [`trevni-object-store`](https://docs.rs/trevni-object-store) for S3, HTTP and async; [`trevni-arrow`](https://docs.rs/trevni-arrow),
//! [`trevni-parquet`](https://docs.rs/trevni-parquet), [`trevni-avro`](https://docs.rs/trevni-avro) and
//! [`trevni-protobuf`](https://docs.rs/trevni-protobuf) for other formats; [`trevni-datafusion`](https://docs.rs/trevni-datafusion) for SQL.
//!
//! # Round trips
//!
//! Whatever you write with `Serialize` comes back equal through `Deserialize`, with all of serde's
//! attributes: enums in the four taggings, `flatten`, `skip_serializing_if`, maps with any keys,
//! `Option<Option<T>>`, recursive types (to a depth of [`MAX_DEPTH`](shape::MAX_DEPTH) nodes), `u64`, `i128`,
//! heterogeneous rows of [`serde_json::Value`]. Rows can also be read as [`serde_json::Value`]; the
//! result equals `serde_json::to_value` of the row. Integers of more than 64 bits become strings in untyped reads.
//!
//! Fields are matched by name. They may be reordered, dropped, added with `#[serde(default)]`, renamed
//! with `#[serde(alias)]`, and widened (`i32` to `i64`, `f32` to `f64`, `T` to `Option<T>`).
//!
//! * The **shape** of the rows is inferred while they are written: `None`, an empty list or an unseen
//!   variant leaves the type undecided; a field first seen in a later row is absent in earlier rows.
//!   Numbers that do not widen without loss, or strings mixed with numbers, become a union.
//! * **Maps** with string keys become Avro maps. If the row itself is a map (such as a JSON object),
//!   the row and the maps in it become records with one column per key; so do structs with flattened
//!   fields. `#[serde(flatten)]` reads all columns, because serde does not reveal which it needs.
//! * **Tuples** and arrays of up to 16 items have one column per item; longer arrays are lists.
//! * **Variants** with data have one column each; unit variants share one column of symbols.
//! * Types with a human-readable and a binary form use the human-readable one, as in JSON.
//! * Bytes read without a type are a sequence of numbers, as in JSON.
//!
//! # Untrusted files
//!
//! Any input gives rows or an [`Error`] with its location, never a panic. Memory is bounded by
//! [`Limits`]: 256 MiB for what a reader holds at once, unless it is told otherwise.
//!
//! # Features
//!
//! | feature | codec |
//! |---|---|
//! | – | [`Codec::Null`], [`Codec::Snappy`] |
//! | `deflate`, on by default | [`Codec::Deflate`] |
//! | `typed`, on by default | [`Codec::Typed`], which picks an encoding for each block, read by this crate only |
//! | `bzip2` | [`Codec::Bzip2`], also read by Avro's Java |
//! | `zstandard` | [`Codec::Zstandard`], and with `typed` [`Codec::TypedZstandard`], read by this crate only |
//! | `lz4` | [`Codec::Lz4`], read by this crate only |
//! | `archive` | [`Codec::Archive`], the smallest, slow to write, read by this crate only |
//!
//! [`Codec::Auto`] tries some of them on the first block of each column and picks one, which may be one that only this
//! crate reads.
//!
//! Other features; a small program can turn off the default ones (`default-features = false`):
//!
//! | feature | what needs it |
//! |---|---|
//! | `detect` | [`WriterBuilder::detect_logical`], [`LogicalDetector`] |
//! | `files` | [`Dataset`], [`DatasetWriter`], [`merge`](fn@merge), [`Merge`](merge::Merge), [`Split`](merge::Split), [`Verify`](verify::Verify), [`ReaderBuilder::salvage`] |
//! | `predicates` | [`col`], [`item`], [`Reader::filter`], [`Reader::matching`], [`Reader::first_matching`], [`Dataset::filter`], [`Dataset::matching`] |
//! | `threads` | [`WriterBuilder::threads`], [`ReaderBuilder::threads`] |
//! | `levels`, off by default | files of [`Dialect::Levels`] and [`Dialect::RedElm`]; without it, to open or to write one is an error |
// docs.rs shows the feature that an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_debug_implementations, missing_docs)]
// Without a feature, what only it uses is dead code. With all of them, there is no dead code.
#![cfg_attr(
    not(all(
        feature = "deflate",
        feature = "detect",
        feature = "files",
        feature = "levels",
        feature = "predicates",
        feature = "typed"
    )),
    allow(dead_code, unreachable_pub, unused_imports)
)]

pub mod avro;
mod batch;
mod bytes;
pub mod column;
mod convert;
#[cfg(feature = "files")]
pub mod dataset;
mod de;
mod dialect;
pub mod error;
pub mod formats;
#[cfg(doc)]
pub mod guide;
pub mod levels;
mod limits;
mod logical;
mod marked;
#[cfg(feature = "files")]
pub mod merge;
mod metadata;
mod outlined;
pub mod path;
#[cfg(feature = "predicates")]
pub mod predicate;
mod private;
pub mod reader;
mod schema;
mod selection;
mod ser;
pub mod shape;
mod sort;
mod storage;
mod trace;
mod tree;
pub mod value;
pub mod vector;
#[cfg(feature = "files")]
pub mod verify;
pub mod with;
mod writer;

pub use batch::Batch;
#[cfg(feature = "files")]
pub use dataset::whole::Dataset;
#[cfg(feature = "files")]
pub use dataset::writer::DatasetWriter;
pub use dialect::{BlockInfo, Dialect};
pub use error::kind::ErrorKind;
pub use error::whole::Category;
pub use error::whole::{Error, Result};
pub use limits::Limits;
#[cfg(feature = "detect")]
pub use logical::LogicalDetector;
#[cfg(feature = "files")]
pub use merge::files::merge;
pub use metadata::Metadata;
#[cfg(feature = "predicates")]
pub use predicate::place::{Predicate, col, item};
pub use reader::builder::ReaderBuilder;
pub use reader::open::Reader;
pub use selection::RowSelection;
pub use shape::kinds::Shape;
pub use storage::checksum::Checksum;
pub use storage::codec::Codec;
pub use storage::source::{Seekable, Source};
pub use value::kinds::ValueRef;
pub use vector::kinds::Vector;
pub use vector::strings::{Binaries, Strings};
pub use writer::{AtomicFile, Writer, WriterBuilder};

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{Read, Seek, Write};

/// Writes rows to a sink, with the defaults of [`WriterBuilder`]: snappy and checksums.
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

/// Writes rows to a byte vector, as [`to_writer`] does.
///
/// ```
/// let file = trevni::to_vec(["a", "b"])?;
/// assert_eq!(trevni::from_slice::<Vec<String>>(&file)?, ["a", "b"]);
/// # Ok::<(), trevni::Error>(())
/// ```
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

/// Reads all rows into any type that deserializes from a sequence, usually a `Vec` of structs.
///
/// ```
/// let file = std::io::Cursor::new(trevni::to_vec([("one", 1), ("two", 2)])?);
/// let rows: Vec<(String, i64)> = trevni::from_reader(file)?;
/// assert_eq!(rows[1], ("two".to_owned(), 2));
/// # Ok::<(), trevni::Error>(())
/// ```
///
/// Types may borrow strings and bytes while they are made, as a `Deserialize` does that calls `<&str>::deserialize`. From
/// the first row on that does, strings are kept until all rows are read; [`Reader::rows`] needs no copies of them.
///
/// # Errors
///
/// As [`Reader::open`] and [`Reader::rows`], and a row that does not fit the type.
pub fn from_reader<R, C>(reader: R) -> Result<C>
where
    R: Read + Seek + Send,
    C: DeserializeOwned,
{
    reader::collect(&Reader::new(Seekable::new(reader))?)
}

/// Reads all rows of a file in memory, as [`from_reader`] does.
///
/// ```
/// let file = trevni::to_vec([1, 2, 3])?;
/// assert_eq!(trevni::from_slice::<Vec<i32>>(&file)?, [1, 2, 3]);
/// # Ok::<(), trevni::Error>(())
/// ```
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
