//! Strings that symbols encode, in groups: a reader that passes over some begins with a group.

use super::super::super::integers::Integers;
use super::super::super::section::{Read, Section, section};
use super::super::super::symbols::Decoder;
use super::super::GROUP;
use super::{Room, TOO_LONG};
use crate::bytes::reader::Bytes;
use std::sync::Arc;

/// Where in the groups a reader is.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    decoder: Arc<Decoder>,
    /// The encoded bytes of each group from one on, the number of that group, and where it begins.
    sizes: Integers,
    group: u64,
    start: Section,
    /// The next string.
    next: u64,
    decoded: Vec<u8>,
}

impl Groups {
    pub(super) fn read(block: &[u8], bytes: &mut Bytes<'_>) -> Read<Self> {
        let sizes = Integers::new(block, section(bytes)?)?;
        let decoder = Arc::new(Decoder::read(bytes)?);
        Ok(Self { decoder, sizes, group: 0, start: Section::rest(bytes), next: 0, decoded: Vec::new() })
    }

    /// Goes back to the first string, where `start` still is.
    pub(super) fn rewind(&mut self, start: &Self) {
        self.sizes.rewind(&start.sizes);
        (self.group, self.start, self.next) = (start.group, start.start, start.next);
    }

    /// The next strings, which have so many bytes, one after the other.
    pub(super) fn next(
        &mut self,
        block: &[u8],
        encoded: &mut Section,
        count: usize,
        bytes: usize,
    ) -> Read<&[u8]> {
        let taken = self.decoder.decode(encoded.bytes(block).rest(), bytes, &mut self.decoded)?;
        encoded.take(block, taken)?;
        self.next += count as u64;
        Ok(self.decoded.get(..bytes).unwrap_or_default())
    }

    /// Passes over the next strings. Those of their last group are decoded; returns their bytes.
    pub(super) fn skip(
        &mut self,
        block: &[u8],
        encoded: &mut Section,
        lengths: &mut Integers,
        count: u64,
        room: &mut Room,
    ) -> Read<u64> {
        let end = self.next.saturating_add(count);
        let group = end / GROUP;
        if group > self.next / GROUP {
            let passed = group * GROUP - self.next;
            room.take(passed, lengths.skip_lengths(block, passed)?)?;
            let bytes = self.sizes.skip_lengths(block, group - self.group)?;
            self.start.take(block, usize::try_from(bytes).map_err(|_| TOO_LONG)?)?;
            (self.group, self.next, *encoded) = (group, group * GROUP, self.start);
        }
        let rest = end - self.next;
        let bytes = lengths.skip_lengths(block, rest)?;
        room.take(rest, bytes)?;
        self.next(block, encoded, rest as usize, usize::try_from(bytes).map_err(|_| TOO_LONG)?)?;
        Ok(bytes)
    }
}
