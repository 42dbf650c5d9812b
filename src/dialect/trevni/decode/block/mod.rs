//! Reads the values and lengths of one block: of its bytes before the codec, or of what a codec made of the values.

use crate::bytes::reader::Bytes;
use crate::error::{Error, ErrorKind, Result};
use crate::storage::codec::{Codec, Cursor};
use crate::storage::reserved::More;
use crate::storage::value_type::ValueType;
use crate::storage::values::decode::{self as values, Bits};
use crate::storage::values::lengths::decode::Run;
use crate::storage::values::{as_blobs, skip};
use crate::vector::{Offsets, Vector};

/// A position within a block.
#[derive(Clone, Debug)]
pub(crate) enum BlockReader {
    /// In its bytes before the codec.
    Plain(PlainReader),
    /// In its typed form, which is read as it is.
    Typed(Codec, Box<Cursor>),
}

impl Default for BlockReader {
    fn default() -> Self {
        Self::Plain(PlainReader::default())
    }
}

/// What is wrong with a typed block.
#[cold]
fn typed(codec: Codec, message: &str) -> Error {
    ErrorKind::Decompress { codec: codec.name().to_owned(), message: message.to_owned() }.into()
}

impl BlockReader {
    /// The beginning of a typed block; `before` is that of a block before.
    pub(crate) fn after(codec: Codec, mut cursor: Cursor, before: &Self) -> Self {
        if let Self::Typed(_, before) = before {
            cursor.follow(before);
        }
        Self::Typed(codec, Box::new(cursor))
    }

    /// Appends the next `count` values to `out`.
    pub(crate) fn values(
        &mut self,
        data: &[u8],
        value_type: ValueType,
        count: usize,
        out: &mut Vector,
    ) -> Result<()> {
        match self {
            Self::Plain(reader) => {
                out.forget_dictionary();
                reader.values(data, value_type, count, out)
            }
            Self::Typed(codec, cursor) => with_blobs(*codec, out, |out| cursor.values(data, count, out)),
        }
    }

    /// Appends the next `count` lengths to `offsets`, and their values to `out`.
    pub(crate) fn arrays(
        &mut self,
        data: &[u8],
        value_type: ValueType,
        count: usize,
        offsets: &mut Offsets,
        out: &mut Vector,
    ) -> Result<()> {
        match self {
            Self::Plain(reader) => {
                out.forget_dictionary();
                reader.arrays(data, value_type, count, offsets.settle(), out)
            }
            Self::Typed(codec, cursor) => {
                with_blobs(*codec, out, |out| cursor.arrays(data, count, offsets, out))
            }
        }
    }

    /// Passes over the next `count` values.
    pub(crate) fn skip_values(&mut self, data: &[u8], value_type: ValueType, count: u64) -> Result<()> {
        match self {
            Self::Plain(reader) => reader.skip_values(data, value_type, count),
            Self::Typed(codec, cursor) => {
                cursor.skip_values(data, count).map_err(|message| typed(*codec, message))
            }
        }
    }

    /// Passes over the next `count` lengths and their values; returns the sum of the lengths.
    pub(crate) fn skip_arrays(&mut self, data: &[u8], value_type: ValueType, count: u64) -> Result<u64> {
        match self {
            Self::Plain(reader) => reader.skip_arrays(data, value_type, count),
            Self::Typed(codec, cursor) => {
                cursor.skip_arrays(data, count).map_err(|message| typed(*codec, message))
            }
        }
    }

    /// The most that the next `entries` values, or lists of values, can be.
    pub(crate) fn most(&self, data: &[u8], value_type: ValueType, entries: usize, lists: bool) -> More {
        let rest = self.rest(data);
        let values = More::values_of(value_type, rest);
        More {
            entries,
            values: if lists { values } else { values.min(entries) },
            data: More::data_of(value_type, rest),
        }
    }

    /// The same, counted.
    ///
    /// # Errors
    ///
    /// Bytes that cannot be passed over.
    pub(crate) fn counted(
        &self,
        data: &[u8],
        value_type: ValueType,
        entries: usize,
        lists: bool,
    ) -> Result<More> {
        let (values, bytes) = match self {
            Self::Plain(reader) => {
                let (mut after, count) = (*reader, entries as u64);
                let values = match lists {
                    true => after.skip_arrays(data, value_type, count)?,
                    false => after.skip_values(data, value_type, count).map(|()| count)?,
                };
                (values, reader.rest(data) - after.rest(data))
            }
            Self::Typed(codec, cursor) => {
                let count = entries as u64;
                let values = if lists { cursor.clone().skip_arrays(data, count) } else { Ok(count) };
                let measured = values.and_then(|values| Ok((values, cursor.text_bytes(data, values)?)));
                measured.map_err(|message| typed(*codec, message))?
            }
        };
        let values = usize::try_from(values).unwrap_or(usize::MAX);
        Ok(More { entries, values, data: More::data_of(value_type, bytes) })
    }

    /// Bytes before the codec that have not been read.
    pub(crate) fn rest(&self, data: &[u8]) -> usize {
        match self {
            Self::Plain(reader) => reader.rest(data),
            Self::Typed(_, cursor) => cursor.rest(),
        }
    }

    /// Checks that the last row has been read and nothing is left.
    pub(crate) fn finish(&self, data: &[u8]) -> Result<()> {
        match self {
            Self::Plain(reader) => reader.finish(data),
            Self::Typed(codec, cursor) if cursor.left() > 0 => {
                Err(typed(*codec, "it has more values than its rows"))
            }
            Self::Typed(..) => Ok(()),
        }
    }
}

/// Calls with byte strings in place of strings.
fn with_blobs(
    codec: Codec,
    out: &mut Vector,
    call: impl FnOnce(&mut Vector) -> Result<(), &'static str>,
) -> Result<()> {
    let mut failed = None;
    let checked = as_blobs(out, |out| {
        failed = call(out).err();
        Ok(())
    });
    match failed {
        Some(message) => Err(typed(codec, message)),
        None => checked.map_err(|error| error.of("a string")),
    }
}

/// A position within a block's uncompressed bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlainReader {
    position: usize,
    run: Run,
    bits: Bits,
}

impl PlainReader {
    /// Appends the next `count` values to `out`.
    fn values(&mut self, data: &[u8], value_type: ValueType, count: usize, out: &mut Vector) -> Result<()> {
        let mut bytes = Bytes::at(data, self.position);
        let bits = &mut self.bits;
        let done = as_blobs(out, |out| {
            values::show(value_type, out, &mut |values| values.decode(&mut bytes, bits, count))
        });
        self.position = bytes.position();
        done.map_err(|error| error.of("a value"))
    }

    /// Appends the next `count` lengths to `offsets`, and their values to `out`.
    fn arrays(
        &mut self,
        data: &[u8],
        value_type: ValueType,
        count: usize,
        offsets: &mut Offsets,
        out: &mut Vector,
    ) -> Result<()> {
        let mut bytes = Bytes::at(data, self.position);
        let Self { run, bits, .. } = &mut *self;
        let done = as_blobs(out, |out| {
            values::show(value_type, out, &mut |values| {
                values::decode_lists(values, &mut bytes, (&mut *run, &mut *bits), count, offsets)
            })
        });
        self.position = bytes.position();
        done.map_err(|error| error.of("an array"))
    }

    /// Passes over the next `count` values.
    fn skip_values(&mut self, data: &[u8], value_type: ValueType, count: u64) -> Result<()> {
        let mut bytes = Bytes::at(data, self.position);
        let done = skip::skip(&mut bytes, &mut self.bits, value_type, count);
        self.position = bytes.position();
        done.map_err(|error| error.of("a value"))
    }

    /// Passes over the next `count` lengths and their values; returns the sum of the lengths.
    fn skip_arrays(&mut self, data: &[u8], value_type: ValueType, count: u64) -> Result<u64> {
        let mut bytes = Bytes::at(data, self.position);
        let done = skip::skip_arrays(&mut bytes, &mut self.bits, &mut self.run, value_type, count);
        self.position = bytes.position();
        done.map_err(|error| error.of("an array"))
    }

    /// Bytes of the block that have not been read.
    fn rest(&self, data: &[u8]) -> usize {
        data.len().saturating_sub(self.position)
    }

    /// Checks that the last row has been read and nothing is left.
    fn finish(&self, data: &[u8]) -> Result<()> {
        match data.len().saturating_sub(self.position) {
            0 if self.run.is_done() => Ok(()),
            count => Err(ErrorKind::TrailingBytes { count }.into()),
        }
    }
}
