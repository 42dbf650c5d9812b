//! Decompresses blocks, with tables that are kept between them.

use super::algorithm::Decompress;
use super::{Codec, ColumnType, Cursor, Framing, typed};
use crate::error::{Error, ErrorKind, Result};
use std::sync::Mutex;

/// Decompresses blocks with one codec.
pub(crate) struct Decompressor {
    codec: Codec,
    algorithm: Box<dyn Decompress>,
}

impl Decompressor {
    pub(crate) fn new(codec: Codec, framing: Framing) -> Result<Self> {
        let decompressor = framing.decompressor(codec)?;
        match decompressor() {
            Ok(algorithm) => Ok(Self { codec, algorithm }),
            Err(message) => Err(Error::internal(format!("codec {} cannot start: {message}", codec.name()))),
        }
    }

    /// Replaces `out` by the first `size` bytes of what `stored` holds.
    ///
    /// A stream may hold more (bzip2 of Avro 1.7.4 to 1.9.2 does); one that holds less is an error.
    /// Memory is taken as the bytes come, never by `size` alone.
    pub(crate) fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        self.algorithm.decompress(stored, size, out).map_err(|message| failed(self.codec, message))?;
        // Without a codec there is nothing to decompress: the block has the bytes that it has.
        if self.codec == Codec::Null {
            return Ok(());
        }
        check_size(self.codec, size, out)
    }

    /// Replaces `out` by all that `stored` holds, where no one says how many bytes these are. `hint` is how many
    /// they may be; it costs time where it is wrong, and little memory. The limit comes with the option that sets it.
    ///
    /// # Errors
    ///
    /// As [`Decompressor::decompress`]; more than `limit` bytes.
    pub(crate) fn decompress_all(
        &mut self,
        stored: &[u8],
        hint: u64,
        (limit, option): (u64, &'static str),
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let most = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
        let likely = stored.len().saturating_mul(LIKELY_RATIO).saturating_add(ROOM);
        // One byte more than there may be: what leaves it free has ended.
        let mut size = usize::try_from(hint).unwrap_or(usize::MAX).saturating_add(1).min(likely).min(most);
        loop {
            out.clear();
            self.algorithm.decompress(stored, size, out).map_err(|message| failed(self.codec, message))?;
            if out.len() < size {
                return Ok(());
            }
            if size == most {
                let what = "the size of a stream after decompression";
                let value = out.len() as u64;
                return Err(ErrorKind::Limit { what, value, limit, option }.into());
            }
            size = size.saturating_mul(4).max(ROOM).min(most);
        }
    }
}

/// Of a stream of unknown size, how many bytes of one stored byte are not surprising, and bytes that are few.
const LIKELY_RATIO: usize = 64;
const ROOM: usize = 1 << 10;

/// Cuts off what comes after the bytes of a block; fewer are an error.
fn check_size(codec: Codec, size: usize, block: &mut Vec<u8>) -> Result<()> {
    if block.len() < size {
        return Err(failed(codec, format!("{size} bytes expected, {} found", block.len())));
    }
    block.truncate(size);
    Ok(())
}

#[cold]
fn failed(codec: Codec, message: String) -> Error {
    ErrorKind::Decompress { codec: codec.name().to_owned(), message }.into()
}

/// Reserves bytes of memory, including the bytes reserved before.
pub(crate) type TakeRoom<'a> = dyn FnMut(usize) -> Result<()> + 'a;

/// The memory of what a typed codec has made of values, beside what is stored.
fn held(codec: Codec, encoded: &[u8]) -> usize {
    if codec == Codec::TypedZstandard { encoded.len() } else { 0 }
}

/// The memory that decompressing takes beside the block.
fn beside(codec: Codec, stored: &[u8], size: usize) -> usize {
    if codec == Codec::Archive { typed::memory(stored, size) } else { 0 }
}

/// Decompressors that nobody uses at the moment, for all columns of a file: their tables are large
/// beside the blocks of small columns.
#[derive(Default)]
pub(crate) struct Decompressors {
    framing: Framing,
    free: Mutex<Vec<Decompressor>>,
}

impl Decompressors {
    pub(crate) fn new(framing: Framing) -> Self {
        Self { framing, free: Mutex::default() }
    }

    /// As [`Decompressor::decompress`], with one that is free, or a new one. `room` is called with the memory that this takes
    /// before it is taken.
    pub(crate) fn decompress(
        &self,
        codec: Codec,
        stored: &[u8],
        size: usize,
        out: &mut Vec<u8>,
        room: &mut TakeRoom<'_>,
    ) -> Result<()> {
        if !codec.encodes_values() {
            let block = codec.most(stored.len()).min(size).max(out.capacity());
            room(block.saturating_add(beside(codec, stored, size)))?;
            return self.with(codec, |decompressor| decompressor.decompress(stored, size, out));
        }
        let mut data = Vec::new();
        let encoded = self.encoded(codec, stored, size, &mut data, room)?;
        Self::decode(codec, encoded, size, out, room)
    }

    /// Begins to read a typed block: of its stored bytes, or of `data`, if the codec compresses what it made of the
    /// values. `None` where it is no form for columns of this type: `data` has its bytes before the codec then. `room` is called
    /// with the memory that this takes before it is taken.
    pub(crate) fn open(
        &self,
        codec: Codec,
        stored: &[u8],
        column_type: ColumnType,
        size: usize,
        data: &mut Vec<u8>,
        room: &mut TakeRoom<'_>,
    ) -> Result<Option<Cursor>> {
        let encoded = self.encoded(codec, stored, size, data, room)?;
        let cursor = Cursor::open(encoded, column_type, size);
        match cursor.map_err(|message| failed(codec, message.to_owned()))? {
            Some(cursor) => {
                cursor.hold(encoded, held(codec, encoded), room)?;
                Ok(Some(cursor))
            }
            None => {
                let mut block = Vec::new();
                Self::decode(codec, encoded, size, &mut block, room)?;
                *data = block;
                Ok(None)
            }
        }
    }

    /// What a typed codec has made of the values of a block: all that is stored, or `data`, of which it has been compressed.
    fn encoded<'a>(
        &self,
        codec: Codec,
        stored: &'a [u8],
        size: usize,
        data: &'a mut Vec<u8>,
        room: &mut TakeRoom<'_>,
    ) -> Result<&'a [u8]> {
        if codec != Codec::TypedZstandard {
            return Ok(stored);
        }
        data.clear();
        let most = size.saturating_add(typed::MORE);
        room(Codec::Zstandard.most(stored.len()).min(most).max(data.capacity()))?;
        self.with(Codec::Zstandard, |zstandard| {
            let done = zstandard.algorithm.decompress(stored, most, data);
            done.map_err(|message| failed(codec, message))
        })?;
        Ok(data)
    }

    /// Replaces `out` by the bytes of a typed block before the codec.
    fn decode(
        codec: Codec,
        encoded: &[u8],
        size: usize,
        out: &mut Vec<u8>,
        room: &mut TakeRoom<'_>,
    ) -> Result<()> {
        out.clear();
        let done = typed::decode(encoded, size, out, held(codec, encoded), room)?;
        done.map_err(|message| failed(codec, message.to_owned()))?;
        check_size(codec, size, out)
    }

    /// As [`Decompressor::decompress_all`], with one that is free, or a new one.
    pub(crate) fn decompress_all(
        &self,
        codec: Codec,
        stored: &[u8],
        hint: u64,
        limit: (u64, &'static str),
        out: &mut Vec<u8>,
    ) -> Result<()> {
        self.with(codec, |decompressor| decompressor.decompress_all(stored, hint, limit, out))
    }

    fn with(&self, codec: Codec, decompress: impl FnOnce(&mut Decompressor) -> Result<()>) -> Result<()> {
        let free = self.free.lock().ok().and_then(|mut free| {
            let position = free.iter().position(|free| free.codec == codec)?;
            Some(free.swap_remove(position))
        });
        let mut decompressor = match free {
            Some(free) => free,
            None => Decompressor::new(codec, self.framing)?,
        };
        let done = decompress(&mut decompressor);
        if let Ok(mut free) = self.free.lock() {
            free.push(decompressor);
        }
        done
    }
}
