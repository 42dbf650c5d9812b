//! The lengths and values of an open block as they are, for a codec that encodes values: no bytes are made of them first.

use super::encode::{Bits, Lists, Nothing, Values, encode_lists, show};
use super::kept::Kept;
use super::lengths::encode::Run;
use super::narrow::Narrow;
use crate::bytes::buffer::Buffer;
use crate::storage::value_type::ValueType;
use crate::vector::Offsets;
use std::ops::Range;

/// The most bytes of memory that held lengths and values take.
pub(crate) const HELD_BYTES: usize = 2 << 20;

/// Values of one type, and the lengths of the arrays that they are in.
#[derive(Debug)]
pub(crate) struct Held {
    value_type: ValueType,
    array: bool,
    /// Whether runs of lengths are joined in the bytes.
    runs: bool,
    values: Kept,
    lengths: Narrow,
    /// The bytes that they take in the block, without lengths that are pending in a run.
    size: usize,
    /// The lengths that were appended last, as they are in the block.
    last: Buffer,
    /// Whether no length is pending, since the block has all of them.
    is_ended: bool,
}

impl Held {
    /// Holds values of this type; `None` for those whose bytes are what codecs read.
    pub(crate) fn from_value_type(value_type: ValueType, array: bool, runs: bool) -> Option<Self> {
        let (values, lengths, last) = (Kept::new(value_type)?, Narrow::default(), Buffer::default());
        Some(Self { value_type, array, runs, values, lengths, size: 0, last, is_ended: false })
    }

    /// Whether it holds what a column of this form has.
    pub(crate) fn is_of(&self, value_type: ValueType, array: bool, runs: bool) -> bool {
        (self.value_type, self.array, self.runs) == (value_type, array, runs)
    }

    pub(crate) fn values(&self) -> &Kept {
        &self.values
    }

    /// Whether some lengths are joined.
    pub(crate) fn has_runs(&self) -> bool {
        self.runs && self.lengths.has_zeros_in_a_row()
    }

    /// The bytes that they take in the block, without lengths that are pending in a run.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The bytes of memory that they take.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        self.values.memory() + self.lengths.memory()
    }

    /// Appends values; false where they are not of the type, or take too much memory.
    pub(crate) fn append(&mut self, values: &dyn Values, range: Range<usize>) -> bool {
        let size = values.hold(range, &mut self.values, HELD_BYTES.saturating_sub(self.lengths.memory()));
        self.size += size.unwrap_or_default();
        size.is_some()
    }

    /// Appends lists, as [`encode_lists`] does; returns how many have no values. `None` where the values are not of the
    /// type, or they take too much memory: then nothing is appended.
    pub(crate) fn append_lists(
        &mut self,
        values: &dyn Values,
        offsets: &[u32],
        run: &mut Run,
        joined: [bool; 2],
    ) -> Option<u64> {
        let range = *offsets.first()? as usize..*offsets.last()? as usize;
        let lengths: Vec<i64> = offsets.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]).into()).collect();
        let before = self.lengths.len();
        self.lengths.extend(&lengths, HELD_BYTES.saturating_sub(self.values.memory()))?;
        if !self.append(values, range) {
            self.lengths.truncate(before);
            return None;
        }
        let mut lists = Lists { run, joined, bits: &mut Bits::default(), out: &mut self.last, empty: 0 };
        encode_lists(&Nothing, offsets, &mut lists);
        let empty = lists.empty;
        self.count_lengths();
        Some(empty)
    }

    /// Counts the bytes of lengths that are pending; the block has no more.
    pub(crate) fn end(&mut self, run: &mut Run) {
        run.end(&mut self.last);
        self.count_lengths();
        self.is_ended = true;
    }

    fn count_lengths(&mut self) {
        self.size += self.last.len();
        self.last.clear();
    }

    /// Appends the bytes of the block, without lengths that are pending in a run.
    pub(crate) fn encode(&self, out: &mut Buffer) {
        let (bits, run) = (&mut Bits::default(), &mut Run::default());
        let mut lists = Lists { run, joined: [self.runs, false], bits, out, empty: 0 };
        let (values, mut offsets) = (self.values.to_vector(self.value_type), Offsets::default());
        let fits = offsets.push_lengths(&self.lengths());
        debug_assert!(fits.is_some(), "there are more items than the values in memory");
        show(self.value_type, Some(&values), &mut |shown| match self.array {
            true => encode_lists(shown, offsets.as_slice(), &mut lists),
            false => shown.encode(0..values.len(), lists.bits, lists.out),
        });
        if self.is_ended {
            run.end(out);
        }
    }

    /// Values of each array.
    pub(crate) fn lengths(&self) -> Vec<i64> {
        self.lengths.to_longs()
    }

    /// Forgets all values.
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.lengths.clear();
        (self.size, self.is_ended) = (0, false);
    }
}
