//! What encoding a block takes with it: how its bytes are to lie, and memory that is kept.

use super::super::snappy;
use super::integers::Table;
use super::section::put_count;
use super::symbols::{Counts, Finder};

/// How integers lie in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// In as few bits as they need, in lanes; nothing compresses them afterwards.
    Alone,
    /// In as few bits as they need, one after the other.
    Bits,
    /// In whole bytes, in which another codec finds what repeats.
    Bytes,
    /// As [`Layout::Bytes`], and floats as [`super::floats`] splits them: all their lowest bytes, then the next ones.
    Split,
    /// As [`Layout::Bits`], and strings as if nothing compressed them afterwards.
    Strings,
}

impl Layout {
    /// Whether integers take whole bytes.
    pub(super) fn has_bytes(self) -> bool {
        matches!(self, Self::Bytes | Self::Split)
    }

    /// Whether strings are as short as symbols make them.
    pub(super) fn has_symbols(self) -> bool {
        matches!(self, Self::Alone | Self::Strings)
    }
}

pub(super) struct Context {
    pub(super) layout: Layout,
    pub(super) table: Table,
    counts: Option<Counts>,
    /// Tables of symbols, of which nothing is found again.
    pub(super) finder: Option<Box<Finder>>,
    encoder: snap::raw::Encoder,
    compressed: Vec<u8>,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            layout: Layout::Alone,
            table: Table::default(),
            counts: None,
            finder: None,
            encoder: snap::raw::Encoder::new(),
            compressed: Vec::new(),
        }
    }
}

impl Context {
    /// Appends bytes after snappy, as a section; `None` where they are too many for it.
    pub(super) fn put_snappy(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Option<()> {
        snappy::compress(&mut self.encoder, bytes, &mut self.compressed).ok()?;
        put_count(self.compressed.len() as u64, out);
        out.extend_from_slice(&self.compressed);
        Some(())
    }

    /// What symbols are counted with.
    pub(super) fn counts(&mut self) -> &mut Counts {
        self.counts.get_or_insert_default()
    }

    /// About how many bits some bytes of text take in the end.
    pub(super) fn text_bits(&self, bytes: usize) -> u64 {
        bytes as u64 * if self.layout.has_symbols() { 8 } else { 3 }
    }
}
