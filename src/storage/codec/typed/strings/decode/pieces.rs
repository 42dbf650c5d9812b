//! Strings that have been compressed piece by piece.

use super::super::super::super::snappy;
use super::super::super::section::{Read, Section, section};
use super::FEWER;
use crate::bytes::reader::Bytes;
use std::sync::Arc;

/// Pieces, each of whole strings, that are decompressed when a text of theirs is read.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// The bytes of all strings of a piece, and where the next text is.
    piece: Arc<Vec<u8>>,
    next: usize,
    /// The most bytes that the pieces after it may have.
    left: usize,
}

/// Bytes that are decompressed in the time of decoding one text.
pub(super) const BYTES_FOR_ONE: u64 = 16;

impl Pieces {
    /// Pieces that have `most` bytes at most.
    pub(super) fn new(most: usize) -> Self {
        Self { piece: Arc::default(), next: 0, left: most }
    }

    /// The next piece as it is stored, and what comes after it.
    fn stored<'a>(block: &'a [u8], packed: &Section) -> Read<(&'a [u8], Bytes<'a>)> {
        let mut rest = packed.bytes(block);
        if rest.remaining() == 0 {
            return Err(FEWER);
        }
        let stored = section(&mut rest)?.bytes(block).rest();
        Ok((stored, rest))
    }

    /// Calls with the next strings, some at a time: their lengths, and their bytes one after the other. Returns the work of it.
    pub(super) fn each(
        &mut self,
        block: &[u8],
        packed: &mut Section,
        mut lengths: &[i32],
        mut call: impl FnMut(&[i32], &[u8]) -> Read<()>,
    ) -> Read<u64> {
        let mut work = 0;
        while !lengths.is_empty() {
            let here = &self.piece[self.next..];
            let (mut count, mut bytes) = (0, 0);
            for length in lengths {
                let end = bytes + *length as usize;
                if end > here.len() {
                    break;
                }
                (count, bytes) = (count + 1, end);
            }
            if count == 0 {
                work += self.decompress(block, packed)?;
                continue;
            }
            let (some, rest) = lengths.split_at(count);
            call(some, &here[..bytes])?;
            self.next += bytes;
            lengths = rest;
        }
        Ok(work)
    }

    /// Passes over strings that have a number of bytes; pieces that have no other strings are not decompressed. Returns the work of
    /// it.
    pub(super) fn skip(&mut self, block: &[u8], packed: &mut Section, mut bytes: usize) -> Read<u64> {
        let mut work = 0;
        loop {
            let here = bytes.min(self.piece.len() - self.next);
            (self.next, bytes) = (self.next + here, bytes - here);
            if bytes == 0 {
                return Ok(work);
            }
            let (stored, rest) = Self::stored(block, packed)?;
            let len = snappy::decompressed_len(stored, self.left)?;
            if len > bytes {
                work += self.decompress(block, packed)?;
            } else {
                packed.advance(&rest);
                work += 1;
                (self.left, bytes) = (self.left - len, bytes - len);
            }
        }
    }

    /// Decompresses the next piece, after all strings of the one before. Returns the work of it.
    fn decompress(&mut self, block: &[u8], packed: &mut Section) -> Read<u64> {
        if self.next < self.piece.len() {
            return Err("a string is longer than its piece");
        }
        let (stored, rest) = Self::stored(block, packed)?;
        // Others may still read the one before. It is gone, too, where this one cannot be decompressed.
        self.next = 0;
        let mut piece = match Arc::get_mut(&mut self.piece) {
            Some(piece) => std::mem::take(piece),
            None => {
                self.piece = Arc::default();
                Vec::new()
            }
        };
        snappy::decompress(stored, self.left, &mut piece)?;
        packed.advance(&rest);
        self.left -= piece.len();
        let work = 1 + piece.len() as u64 / BYTES_FOR_ONE;
        self.piece = Arc::new(piece);
        Ok(work)
    }
}
