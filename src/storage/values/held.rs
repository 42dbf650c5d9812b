//! The lengths and numbers of an open block as they are, for a codec that encodes values: no bytes are made of them first.

use super::encode::{Bits, Lists, Nothing, Values, encode_lists, show};
use super::lengths::encode::Run;
use crate::bytes::buffer::Buffer;
use crate::storage::value_type::ValueType;
use crate::vector::{Offsets, Vector};
use std::ops::Range;

/// Numbers of one type, and the lengths of the arrays that they are in.
#[derive(Debug)]
pub(crate) struct Held {
    value_type: ValueType,
    array: bool,
    /// Whether runs of lengths are joined in the bytes.
    runs: bool,
    values: Vector,
    lengths: Vec<u16>,
    /// The bytes that they take in the block, without lengths that are pending in a run.
    size: usize,
    /// The lengths that were appended last, as they are in the block.
    last: Buffer,
    /// Whether no length is pending, since the block has all of them.
    is_ended: bool,
}

impl Held {
    /// Holds numbers of this type; `None` for other values, whose bytes are what codecs read.
    pub(crate) fn from_value_type(value_type: ValueType, array: bool, runs: bool) -> Option<Self> {
        let values = match value_type {
            ValueType::Int | ValueType::Fixed32 => Vector::Int(Vec::new()),
            ValueType::Long | ValueType::Fixed64 => Vector::Long(Vec::new()),
            ValueType::Float => Vector::Float(Vec::new()),
            ValueType::Double => Vector::Double(Vec::new()),
            _ => return None,
        };
        let (lengths, last) = (Vec::new(), Buffer::default());
        Some(Self { value_type, array, runs, values, lengths, size: 0, last, is_ended: false })
    }

    /// Whether it holds what a column of this form has.
    pub(crate) fn is_of(&self, value_type: ValueType, array: bool, runs: bool) -> bool {
        (self.value_type, self.array, self.runs) == (value_type, array, runs)
    }

    pub(crate) fn values(&self) -> &Vector {
        &self.values
    }

    /// Whether some lengths are joined.
    pub(crate) fn has_runs(&self) -> bool {
        self.runs && self.lengths.windows(2).any(|pair| pair == [0, 0])
    }

    /// The bytes that they take in the block, without lengths that are pending in a run.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The bytes of memory that they take.
    #[inline]
    pub(crate) fn memory(&self) -> usize {
        self.values.size() + size_of_val(&*self.lengths)
    }

    /// Appends values; false where they are not of the type.
    pub(crate) fn append(&mut self, values: &dyn Values, range: Range<usize>) -> bool {
        let is_held = values.hold(range.clone(), &mut self.values);
        self.size += if is_held { values.size(range) } else { 0 };
        is_held
    }

    /// Appends lists, as [`encode_lists`] does; returns how many have no values. `None` where the values are not of the
    /// type, or a list is too long.
    pub(crate) fn append_lists(
        &mut self,
        values: &dyn Values,
        offsets: &[u32],
        run: &mut Run,
        joined: [bool; 2],
    ) -> Option<u64> {
        let lengths = offsets.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]));
        let longest = lengths.clone().fold(0, |all, length| all | length);
        u16::try_from(longest).ok()?;
        let range = *offsets.first()? as usize..*offsets.last()? as usize;
        if !self.append(values, range) {
            return None;
        }
        self.lengths.extend(lengths.map(|length| length as u16));
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
        show(self.value_type, Some(&self.values), &mut |values| match self.array {
            true => encode_lists(values, self.offsets().as_slice(), &mut lists),
            false => values.encode(0..self.values.len(), lists.bits, lists.out),
        });
        if self.is_ended {
            run.end(out);
        }
    }

    /// Where each array begins and ends.
    pub(crate) fn offsets(&self) -> Offsets {
        let mut offsets = Offsets::default();
        let fits = offsets.push_lengths(&self.lengths);
        debug_assert!(fits.is_some(), "there are more items than the values in memory");
        offsets
    }

    /// Forgets all values.
    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.lengths.clear();
        (self.size, self.is_ended) = (0, false);
    }
}
