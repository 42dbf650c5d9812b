//! Compresses blocks, with tables that are kept between them.

use super::algorithm::Compress;
use super::{Codec, ColumnType, Framing, NOT_A_CODEC};
use crate::error::{Error, Result};
use crate::storage::values::held::Held;

/// Compresses blocks with one codec.
pub(super) struct Compressor {
    codec: Codec,
    algorithm: Box<dyn Compress>,
}

impl Compressor {
    /// Uses the codec's default where it does not have the level.
    pub(super) fn new(codec: Codec, framing: Framing, level: Option<i32>) -> Result<Self> {
        let level = level.filter(|level| codec.levels().is_some_and(|levels| levels.contains(level)));
        let compressor = framing.compressor(codec)?;
        match compressor(level) {
            Ok(algorithm) => Ok(Self { codec, algorithm }),
            Err(message) => Err(failed(codec, &message)),
        }
    }

    /// Replaces `out` by the compressed form of a block.
    pub(super) fn compress(
        &mut self,
        block: Uncompressed<'_>,
        column_type: ColumnType,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        out.clear();
        let done = match block {
            Uncompressed::Bytes(block) => self.algorithm.compress_values(block, column_type, out),
            Uncompressed::Values(held) => self.algorithm.compress_held(held, column_type, out),
        };
        done.map_err(|message| failed(self.codec, &message))
    }
}

/// A block before the codec.
#[derive(Clone, Copy)]
pub(crate) enum Uncompressed<'a> {
    Bytes(&'a [u8]),
    /// For codecs that encode values.
    Values(&'a Held),
}

/// Compressing can fail only where the crate or a library has a fault.
#[cold]
fn failed(codec: Codec, message: &str) -> Error {
    Error::internal(format!("codec {} failed to compress: {message}", codec.name()))
}

/// One compressor for each codec that has been asked for, shared by all columns.
#[derive(Default)]
pub(crate) struct Compressors {
    framing: Framing,
    level: Option<i32>,
    used: Vec<Compressor>,
    /// Where blocks are compressed to, before they are copied to memory of just their size.
    scratch: Vec<u8>,
}

impl Compressors {
    pub(crate) fn new(framing: Framing, level: Option<i32>) -> Self {
        Self { framing, level, ..Self::default() }
    }

    /// The compressed form of any bytes, in memory that has room for `more` bytes after it.
    pub(crate) fn compress(&mut self, codec: Codec, bytes: &[u8], more: usize) -> Result<Vec<u8>> {
        self.compress_block(codec, Uncompressed::Bytes(bytes), ColumnType::BYTES, more)
    }

    /// The compressed form of a block, in memory that has room for `more` bytes after it.
    pub(crate) fn compress_block(
        &mut self,
        codec: Codec,
        block: Uncompressed<'_>,
        column_type: ColumnType,
        more: usize,
    ) -> Result<Vec<u8>> {
        let stored = match (codec, block) {
            (Codec::Null, Uncompressed::Bytes(block)) => block,
            _ => {
                self.compress_to_scratch(codec, block, column_type)?;
                &self.scratch
            }
        };
        let mut out = Vec::with_capacity(stored.len() + more);
        out.extend_from_slice(stored);
        Ok(out)
    }

    /// The number of bytes that a block takes after a codec.
    pub(super) fn compressed_size(
        &mut self,
        codec: Codec,
        block: &[u8],
        column_type: ColumnType,
    ) -> Result<usize> {
        self.compress_to_scratch(codec, Uncompressed::Bytes(block), column_type)?;
        Ok(self.scratch.len())
    }

    fn compress_to_scratch(
        &mut self,
        codec: Codec,
        block: Uncompressed<'_>,
        column_type: ColumnType,
    ) -> Result<()> {
        let position = match self.used.iter().position(|used| used.codec == codec) {
            Some(position) => position,
            None => {
                self.used.push(Compressor::new(codec, self.framing, self.level)?);
                self.used.len() - 1
            }
        };
        let compressor = self.used.get_mut(position).ok_or_else(|| Error::internal(NOT_A_CODEC))?;
        compressor.compress(block, column_type, &mut self.scratch)
    }
}
