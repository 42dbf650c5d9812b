//! Avro container files, read into [Trevni](trevni) columns and written from them.
//!
//! A [`Reader`] takes the rows of a file one by one; each [`Value`] implements `Serialize`, so that a writer of columns
//! takes it without a value between. A [`Writer`] encodes rows of batches where they lie. Both follow a [`Schema`],
//! which keeps what serde knows beyond Avro: integers without sign, tuples, variants of enums.
//!
//! ```
//! use serde::Serialize;
//! use trevni_avro::{Compression, Reader, Writer, schema_of};
//!
//! #[derive(Serialize)]
//! struct Flight {
//!     carrier: &'static str,
//!     delay: Option<i32>,
//! }
//!
//! let flights = [Flight { carrier: "AA", delay: Some(80) }, Flight { carrier: "UA", delay: None }];
//! let columns = trevni::to_vec(flights)?;
//!
//! // Columns to Avro.
//! let reader = trevni::Reader::from_slice(&columns)?;
//! let schema = schema_of(&reader, reader.shape());
//! let mut writer = Writer::new(&schema, Compression::Snappy, &[], Vec::new())?;
//! for batch in reader.batches()? {
//!     writer.write_batch(&batch?)?;
//! }
//! let avro = writer.finish()?;
//!
//! // And back.
//! let mut rows = Reader::new(&*avro)?;
//! let mut writer = trevni::Writer::builder().schema(rows.schema()).build(Vec::new())?;
//! rows.each(|row| writer.write(row).map(|()| true))?;
//! assert_eq!(writer.finish()?, columns);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The order of the entries of maps is kept, blocks without rows are passed, and damaged bytes are an error, whatever
//! they are: nothing panics, and no memory is taken for what a file only claims to have.
//!
//! # Design
//!
//! The code is the crate's own. apache-avro (0.22) was looked at: its values lose the order of maps, blocks without
//! rows end a file, values cut at the end of a block become null, a file's metadata can make it panic, and it brings 69
//! crates.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod codec;
mod compare;
mod decode;
mod encode;
mod error;
mod kind;
mod read;
mod schema;
mod value;
mod write;

pub use codec::Compression;
pub use decode::Bytes;
pub use error::Error;
pub use read::{Reader, Row};
pub use schema::Schema;
pub use value::{Source, Value, ValueError};
pub use write::Writer;

use trevni::Shape;

/// The first bytes of an Avro file.
pub const MAGIC: [u8; 4] = *b"Obj\x01";
/// The key of the schema in a file's metadata, for Avro and for Trevni.
pub const SCHEMA: &str = "avro.schema";
/// The key of the codec in a file's metadata.
const CODEC: &str = "avro.codec";
/// Bytes of the mark after each block.
const SYNC: usize = 16;

/// The text of the schema for rows of a Trevni file: as it is in the file, as long as it is that of `shape`.
pub fn schema_of(file: &trevni::Reader<'_>, shape: &Shape) -> String {
    match file.metadata().get_str(SCHEMA) {
        Some(text) if Shape::from_avro(text).is_ok_and(|known| known == *shape) => text.to_owned(),
        _ => shape.to_avro(),
    }
}

/// The examples of the README, which run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
