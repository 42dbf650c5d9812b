//! The footer of a file: what its row groups are, and blocks of metadata of any names.

use crate::error::{Error, ErrorKind, Result};
use crate::schema::message::Primitive;
use crate::storage::codec::{Codec, Compressors, Decompressor, Framing};
use std::sync::Arc;

mod blocks;
mod java;
mod json;
#[cfg(test)]
mod tests;

pub(super) use blocks::{BLOCKS_MAX, Block, Blocks, read_text, write_text};

/// The name of the block that each file has.
pub(super) const NAME: &str = "RedElm";

/// How the block named `RedElm` of a footer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RedElmFooter {
    /// JSON text, as the format's description plans it.
    #[default]
    Json,
    /// JSON text, compressed with gzip.
    GzippedJson,
    /// A serialized Java object, byte for byte as the Java implementation of 2012 wrote it, which reads no other.
    Java,
}

impl RedElmFooter {
    /// How a block is written that can be read.
    pub(super) fn new(bytes: &[u8]) -> Self {
        match bytes {
            [0x1f, 0x8b, ..] => Self::GzippedJson,
            [0xac, 0xed, ..] => Self::Java,
            _ => Self::Json,
        }
    }
}

/// What the block named `RedElm` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Footer {
    /// The text of the schema.
    pub(super) schema: String,
    /// The Java class of the codec.
    pub(super) codec: Option<String>,
    pub(super) groups: Vec<RowGroup>,
}

/// Some rows, column after column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RowGroup {
    /// Position of the first byte.
    pub(super) start: u64,
    /// Position after the last byte.
    pub(super) end: u64,
    pub(super) rows: u32,
    pub(super) chunks: Vec<Chunk>,
}

/// The bytes of a column in a row group: repetition levels, definition levels and values, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chunk {
    /// The names of the fields on the way to the column.
    pub(super) path: Vec<Arc<str>>,
    pub(super) primitive: Primitive,
    /// Number of pairs of levels.
    pub(super) entries: u32,
    /// Where repetition levels, definition levels and values begin, and where these end.
    pub(super) borders: [u64; 4],
    /// Bytes of repetition levels, definition levels and values before compression.
    pub(super) uncompressed: [u64; 3],
}

impl Primitive {
    /// The name of a type in a footer.
    fn footer_name(self) -> &'static str {
        match self {
            Self::String => "STRING",
            Self::Int64 => "INT64",
            Self::Int32 => "INT32",
            Self::Boolean => "BOOLEAN",
            Self::Binary => "BINARY",
            Self::Float => "FLOAT",
            Self::Double => "DOUBLE",
        }
    }

    /// The type of this name in a footer.
    fn from_footer(name: &str) -> Result<Self> {
        let known = Self::from_name(name).filter(|known| known.footer_name() == name);
        known.ok_or_else(|| Error::metadata(format!("the footer names {name:?}, which is not a type")))
    }
}

impl Footer {
    /// Reads the bytes of the block, whichever way they are written; they say it themselves.
    ///
    /// # Errors
    ///
    /// Bytes that are neither, or lack something, or hold more bytes than the limit, which comes with the option
    /// that sets it; and those of which more memory is made than four times as much.
    pub(super) fn read(bytes: &[u8], limit: (u64, &'static str)) -> Result<Self> {
        match bytes {
            [0x1f, 0x8b, ..] => {
                let mut out = Vec::new();
                let mut gzip = Decompressor::new(Codec::Gzip, Framing::Hadoop)?;
                gzip.decompress_all(bytes, bytes.len() as u64 * 4, limit, &mut out)?;
                match out.as_slice() {
                    [0x1f, 0x8b, ..] => Err(Error::metadata("the footer is compressed twice")),
                    other => Self::read(other, limit),
                }
            }
            [0xac, 0xed, ..] => java::read(bytes, &mut Held::new(limit)),
            _ if bytes.trim_ascii_start().first() == Some(&b'{') => json::read(bytes, &mut Held::new(limit)),
            _ => Err(Error::metadata(
                "the footer is neither JSON, nor gzipped, nor a Java serialization stream",
            )),
        }
    }

    /// The bytes of the block.
    pub(super) fn write(&self, form: RedElmFooter) -> Result<Vec<u8>> {
        match form {
            RedElmFooter::Json => Ok(json::write(self).into_bytes()),
            RedElmFooter::GzippedJson => {
                let json = json::write(self);
                Compressors::new(Framing::Hadoop, None).compress(Codec::Gzip, json.as_bytes(), 0)
            }
            RedElmFooter::Java => java::write(self),
        }
    }
}

/// A number of a footer that counts something.
fn count(what: &'static str, value: i64) -> Result<u64> {
    u64::try_from(value).map_err(|_| Error::metadata(format!("{what} in the footer is negative: {value}")))
}

/// A number of a footer that counts rows or entries.
fn small_count(what: &'static str, value: i64) -> Result<u32> {
    let value = count(what, value)?;
    i32::try_from(value)
        .map(i32::cast_unsigned)
        .map_err(|_| Error::metadata(format!("{what} in the footer is more than 31 bits: {value}")))
}

/// How often the most bytes of a footer may be made of it.
const TIMES: u64 = 4;

/// About how many bytes of nodes and names a byte of a message of many groups becomes.
const MESSAGE_TIMES: usize = 16;

/// The memory that is made of a footer: few bytes may say much, or mention it often.
#[derive(Debug)]
struct Held {
    bytes: u64,
    limit: u64,
    option: &'static str,
}

impl Held {
    /// For a footer of at most this number of bytes, which an option sets.
    fn new((bytes, option): (u64, &'static str)) -> Self {
        Self { bytes: 0, limit: bytes.saturating_mul(TIMES), option }
    }

    /// Counts what is made of a message, before it is read.
    fn take_message(&mut self, text: &str) -> Result<()> {
        self.take::<u8>(text.len().saturating_mul(MESSAGE_TIMES))
    }

    /// Counts a thing with a number of bytes of its own elsewhere, before it is made.
    fn take<T>(&mut self, bytes: usize) -> Result<()> {
        self.bytes = self.bytes.saturating_add((size_of::<T>() + bytes) as u64);
        if self.bytes <= self.limit {
            return Ok(());
        }
        let (value, limit, option) = (self.bytes, self.limit, self.option);
        Err(ErrorKind::Limit { what: "the memory that the footer takes", value, limit, option }.into())
    }
}
