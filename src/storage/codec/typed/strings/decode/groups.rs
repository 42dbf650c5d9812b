//! Strings that symbols encode, in groups: all of a group are decoded together, and a reader that passes over some decodes their
//! last group alone.

use super::super::super::integers::Integers;
use super::super::super::section::{Read, Section, section};
use super::super::super::symbols::Decoder;
use super::super::GROUP;
use super::{FEWER, Room, TOO_LONG};
use crate::bytes::reader::Bytes;
use std::sync::Arc;

const OTHER_BYTES: &str = "a group has more or fewer bytes than its strings";

/// Where in the groups a reader is.
#[derive(Debug)]
pub(super) struct Groups {
    decoder: Arc<Decoder>,
    /// The encoded bytes of each group that has not been read, and how many strings these have.
    sizes: Integers,
    left: u64,
    /// The group that was read last: its encoded bytes, its strings that have not been given, and the bytes of the others.
    encoded: Section,
    ready: u64,
    given: usize,
    /// What is decoded, up to `end`: that group from `start` on, others before it. Nothing where it must be decoded again.
    decoded: Vec<u8>,
    start: usize,
    end: usize,
    /// The most bytes of all strings.
    most: u64,
}

impl Clone for Groups {
    /// The same place. The group is decoded again before it is used.
    fn clone(&self) -> Self {
        let Self { ref decoder, ref sizes, left, encoded, ready, given, most, .. } = *self;
        let (decoder, sizes) = (Arc::clone(decoder), sizes.clone());
        Self { decoder, sizes, left, encoded, ready, given, decoded: Vec::new(), start: 0, end: 0, most }
    }
}

impl Groups {
    /// Groups of a number of strings, which have `most` bytes at most.
    pub(super) fn read(block: &[u8], bytes: &mut Bytes<'_>, strings: u64, most: usize) -> Read<Self> {
        let sizes = Integers::new(block, section(bytes)?)?;
        if sizes.left() != strings.div_ceil(GROUP) {
            return Err("there are more or fewer groups than its strings need");
        }
        Ok(Self {
            decoder: Arc::new(Decoder::read(bytes)?),
            sizes,
            left: strings,
            encoded: Section::default(),
            ready: 0,
            given: 0,
            decoded: Vec::new(),
            start: 0,
            end: 0,
            most: most as u64,
        })
    }

    /// Goes back to the first string, where `start` still is.
    pub(super) fn rewind(&mut self, start: &Self) {
        self.sizes.rewind(&start.sizes);
        (self.left, self.encoded, self.ready, self.given) =
            (start.left, start.encoded, start.ready, start.given);
        (self.start, self.end) = (0, 0);
    }

    /// The next strings, which have a number of bytes, one after the other; and the bytes decoded again, of the group that they are in.
    pub(super) fn next(
        &mut self,
        block: &[u8],
        packed: &mut Section,
        count: usize,
        bytes: usize,
    ) -> Read<(&[u8], usize)> {
        let mut again = 0;
        if self.ready == 0 {
            // All of the group has been given, or passed over before it was decoded.
            (self.given, self.start, self.end) = (0, 0, 0);
        } else if self.end == 0 {
            self.load(block)?;
            again = self.end;
        }
        let mut next = self.start + self.given;
        if let Some(more) = (count as u64).checked_sub(self.ready).filter(|more| *more > 0) {
            let groups = more.div_ceil(GROUP);
            if groups > self.sizes.left() {
                return Err(FEWER);
            }
            let left = self.end.checked_sub(next).ok_or(OTHER_BYTES)?;
            self.decoded.copy_within(next..self.end, 0);
            (self.end, next) = (left, 0);
            for groups in [groups - 1, 1] {
                self.pass(block, packed, groups)?;
                self.load(block)?;
            }
        }
        let end = next + bytes;
        self.ready = self.ready.checked_sub(count as u64).ok_or(FEWER)?;
        if end > self.end || self.ready == 0 && end < self.end {
            return Err(OTHER_BYTES);
        }
        self.given = end.checked_sub(self.start).ok_or(OTHER_BYTES)?;
        Ok((self.decoded.get(next..end).unwrap_or_default(), again))
    }

    /// Passes over the next strings. None is decoded.
    pub(super) fn skip(
        &mut self,
        block: &[u8],
        packed: &mut Section,
        lengths: &mut Integers,
        mut count: u64,
        room: &mut Room,
    ) -> Read<()> {
        if count > self.ready {
            let whole = if count >= self.ready + self.left {
                self.left
            } else {
                (count - self.ready) / GROUP * GROUP
            };
            let passed = self.ready + whole;
            room.take(passed, lengths.skip_lengths(block, passed)?)?;
            self.pass(block, packed, whole.div_ceil(GROUP))?;
            count -= passed;
            self.ready = 0;
            if count > 0 {
                self.pass(block, packed, 1)?;
            }
            (self.given, self.start, self.end) = (0, 0, 0);
        }
        let bytes = lengths.skip_lengths(block, count)?;
        room.take(count, bytes)?;
        self.ready = self.ready.checked_sub(count).ok_or(FEWER)?;
        self.given = self.given.saturating_add(usize::try_from(bytes).map_err(|_| TOO_LONG)?);
        Ok(())
    }

    /// Goes on after some groups, which are not decoded.
    fn pass(&mut self, block: &[u8], packed: &mut Section, groups: u64) -> Read<()> {
        let bytes = usize::try_from(self.sizes.skip_lengths(block, groups)?).map_err(|_| TOO_LONG)?;
        self.encoded = *packed;
        packed.take(block, bytes)?;
        self.encoded = self.encoded.before(packed);
        let strings = self.left.min(groups.saturating_mul(GROUP));
        (self.left, self.ready) = (self.left - strings, self.ready + strings);
        Ok(())
    }

    /// Decodes the groups that were passed last.
    fn load(&mut self, block: &[u8]) -> Read<()> {
        self.start = self.end;
        let encoded = self.encoded.bytes(block).rest();
        let most = self.most.saturating_sub(self.end as u64);
        self.end = self.decoder.decode(encoded, self.end, most, &mut self.decoded)?;
        Ok(())
    }
}
