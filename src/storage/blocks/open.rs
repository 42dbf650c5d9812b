//! The block of a column that is open: it takes values until it is full, and is sealed then.

use super::seal::{Content, Sealer};
use super::store::BlockId;
use crate::bytes::buffer::Buffer;
use crate::error::{Error, Result};
use crate::storage::checksum::Checksum;
use crate::storage::codec::{Codec, ColumnType};
use crate::storage::value_type::ValueType;
use crate::storage::values::encode::{Bits, Lists, Values, encode_lists};
use crate::storage::values::lengths::encode::Run;
use crate::storage::zone_map::{OpenZone, Zone};
use std::ops::Range;

/// The most rows of a block, and the most bytes before the codec: readers in Java count both by an `int`.
const BLOCK_COUNT_MAX: u32 = i32::MAX as u32;

/// Rows, their bytes so far, and what is known of their values.
#[derive(Debug)]
pub(crate) struct OpenBlock {
    rows: u32,
    /// Lengths of an array column, values of another.
    entries: u64,
    content: Content,
    bits: Bits,
    /// `None` where there is no zone map.
    zone: Option<Box<OpenZone>>,
}

/// A block that is complete.
#[derive(Clone, Debug)]
pub(crate) struct SealedBlock {
    pub(crate) rows: u32,
    /// Lengths of an array column, values of another.
    pub(crate) entries: u64,
    /// Bytes before the codec.
    pub(crate) size: u32,
    /// What is known of the values, where there is a zone map.
    pub(crate) zone: Zone,
    /// Where the store has the compressed bytes and the checksum.
    pub(crate) id: BlockId,
}

impl OpenBlock {
    /// A block without rows; `zones` says whether there is a zone map.
    pub(crate) fn new(zones: bool) -> Self {
        Self {
            rows: 0,
            entries: 0,
            content: Content::default(),
            bits: Bits::default(),
            zone: zones.then(Box::default),
        }
    }

    pub(crate) fn rows(&self) -> u32 {
        self.rows
    }

    /// Lengths of an array column, values of another.
    pub(crate) fn entries(&self) -> u64 {
        self.entries
    }

    /// Number of bytes so far.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.content.len()
    }

    /// The bytes so far, where no values are held.
    pub(crate) fn as_slice(&self) -> &[u8] {
        self.content.as_slice()
    }

    /// The bytes so far, for what is between the values; no values are held after this.
    #[inline]
    pub(crate) fn bytes(&mut self) -> &mut Buffer {
        self.content.bytes()
    }

    /// Puts the same rows, encoded in another way, in place of the bytes so far; returns these.
    pub(crate) fn replace(&mut self, bytes: Buffer) -> Buffer {
        std::mem::replace(self.bytes(), bytes)
    }

    /// Holds the values of the next rows as they are, where the block has no rows yet: the codec encodes values.
    #[inline]
    pub(crate) fn hold(&mut self, value_type: ValueType, array: bool, runs: bool) {
        if self.rows == 0 && self.entries == 0 {
            self.content.hold(value_type, array, runs);
        }
    }

    /// Whether the values of all blocks ascend so far; `None` where there is no zone map.
    pub(crate) fn ascending(&self) -> Option<bool> {
        self.zone.as_ref().map(|zone| zone.ascending)
    }

    /// Whether the block has as many bytes as it should have, or as many rows as it can.
    #[inline]
    pub(crate) fn is_full(&self, block_size: usize) -> bool {
        self.len() >= block_size || self.rows >= BLOCK_COUNT_MAX
    }

    /// How many of the next `rows` rows surely begin in this block; at least one. `most` says how many bytes
    /// the first of them, this many, take at most.
    pub(crate) fn rows_that_fit(
        &self,
        block_size: usize,
        rows: usize,
        most: &dyn Fn(usize) -> usize,
    ) -> usize {
        let room = block_size.saturating_sub(self.len());
        let mut count = rows.min(BLOCK_COUNT_MAX.saturating_sub(self.rows) as usize);
        while count > 1 {
            let most = most(count);
            if most < room {
                break;
            }
            // As if all rows had the same size; fewer next time, in any case.
            let share = count as u64 * room as u64 / most as u64;
            count = (share as usize).min(count - 1);
        }
        count.max(1)
    }

    /// Counts rows and entries whose values are appended.
    #[inline]
    pub(crate) fn count(&mut self, rows: u32, entries: u64) {
        self.rows += rows;
        self.entries += entries;
    }

    /// Whether some more rows can be in this block.
    pub(crate) fn has_room_for(&self, rows: u64) -> bool {
        rows.saturating_add(u64::from(self.rows)) <= u64::from(BLOCK_COUNT_MAX)
    }

    /// Counts rows and entries of which there may be too many, because they take no bytes.
    ///
    /// # Errors
    ///
    /// More rows than a block can have.
    pub(crate) fn count_without_bytes(&mut self, rows: u64, entries: u64) -> Result<()> {
        let rows = rows.saturating_add(u64::from(self.rows));
        self.rows = u32::try_from(rows).ok().filter(|rows| *rows <= BLOCK_COUNT_MAX).ok_or_else(|| {
            Error::too_large("the number of rows in a block", rows, u64::from(BLOCK_COUNT_MAX))
        })?;
        self.entries += entries;
        Ok(())
    }

    /// Appends values and takes note of them.
    #[inline]
    pub(crate) fn append(&mut self, values: &dyn Values, range: Range<usize>) {
        let is_held = self.content.held().is_some_and(|held| held.append(values, range.clone()));
        if !is_held {
            values.encode(range.clone(), &mut self.bits, self.content.bytes());
        }
        self.observe(values, range);
    }

    /// Appends lists, their lengths of 0 and of 1 joined to runs or not; returns how many have no values.
    pub(crate) fn append_lists(
        &mut self,
        values: &dyn Values,
        offsets: &[u32],
        run: &mut Run,
        joined: [bool; 2],
    ) -> u64 {
        if let Some(held) = self.content.held()
            && let Some(empty) = held.append_lists(values, offsets, run, joined)
        {
            return empty;
        }
        let mut lists = Lists { run, joined, bits: &mut self.bits, out: self.content.bytes(), empty: 0 };
        encode_lists(values, offsets, &mut lists);
        lists.empty
    }

    /// Appends lengths that are pending in a run.
    pub(crate) fn end_run(&mut self, run: &mut Run) {
        match self.content.held() {
            Some(held) => held.end(run),
            None => run.end(self.content.bytes()),
        }
    }

    /// Begins a new byte with the next bit.
    #[inline]
    pub(crate) fn restart_bits(&mut self) {
        self.bits.restart();
    }

    /// Takes note of values for the zone map.
    #[inline]
    pub(crate) fn observe(&mut self, values: &dyn Values, range: Range<usize>) {
        if let Some(zone) = &mut self.zone {
            zone.values += range.len() as u64;
            values.observe(range, zone);
        }
    }

    /// Takes note of lengths of 0, and of values of which nothing more is known.
    #[inline]
    pub(crate) fn observe_counts(&mut self, nulls: u64, values: u64) {
        if let Some(zone) = &mut self.zone {
            zone.nulls += nulls;
            zone.values += values;
        }
    }

    /// Checks that the bytes can be a block.
    ///
    /// # Errors
    ///
    /// One row that takes too many bytes.
    pub(crate) fn check_size(&self) -> Result<()> {
        if self.len() > BLOCK_COUNT_MAX as usize {
            let what = "the number of bytes of a row in one column";
            return Err(Error::too_large(what, self.len() as u64, u64::from(BLOCK_COUNT_MAX)));
        }
        Ok(())
    }

    /// Gives the block away; the next one begins. `column` is the first block of the column.
    pub(crate) fn seal(
        &mut self,
        sealer: &mut Sealer,
        codec: Codec,
        checksum: Checksum,
        column: Option<BlockId>,
        (value_type, array): (ValueType, bool),
    ) -> Result<SealedBlock> {
        let size = self.len() as u32;
        let column_type = ColumnType { value_type: Some(value_type), array };
        let id = sealer.seal(codec, column_type, checksum, column, &mut self.content)?;
        let zone = self.end_zone(value_type);
        let (rows, entries) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.entries));
        Ok(SealedBlock { rows, entries, size, zone, id })
    }

    /// The bytes before the codec, and the zone.
    pub(crate) fn finish(mut self, value_type: ValueType) -> (Buffer, Zone) {
        let zone = self.end_zone(value_type);
        (std::mem::take(self.bytes()), zone)
    }

    /// The zone of the block; nothing is known of it where there is no zone map.
    fn end_zone(&mut self, value_type: ValueType) -> Zone {
        self.zone.as_mut().map(|zone| zone.end(value_type)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::values::encode::show;
    use crate::storage::values::held::HELD_BYTES;
    use crate::vector::{Binaries, Offsets, Span, Vector};
    use proptest::prelude::*;

    #[test]
    fn rows_that_fit_are_fewer_than_a_block_holds() {
        let mut block = OpenBlock::new(false);
        let fit = |block: &OpenBlock, rows| block.rows_that_fit(100, rows, &|count| 10 * count);
        assert_eq!([fit(&block, 5), fit(&block, 9), fit(&block, 10), fit(&block, 5000)], [5, 9, 9, 9]);
        block.bytes().extend(&[0; 60]);
        assert_eq!([fit(&block, 3), fit(&block, 5000)], [3, 3]);
        // One row is taken even where there is no room.
        block.bytes().extend(&[0; 60]);
        assert!(block.is_full(100));
        assert_eq!(fit(&block, 5000), 1);
    }

    /// Lists of integers or of strings, appended one batch after the other.
    type Lists = Vec<(Vec<u32>, Vector)>;

    fn lists() -> impl Strategy<Value = (ValueType, Lists)> {
        prop_oneof![lists_of(ValueType::Long), lists_of(ValueType::Bytes)]
    }

    fn lists_of(value_type: ValueType) -> impl Strategy<Value = (ValueType, Lists)> {
        let length =
            prop_oneof![3 => 0u32..2, 1 => 0u32..9, 1 => Just(HELD_BYTES as u32 / 40), 1 => Just(70_000)];
        let lengths = prop_oneof![
            4 => prop::collection::vec(length, 0..40),
            1 => Just(vec![1; 200_000]),
            1 => Just(vec![0; 200_000]),
        ];
        let values = (lengths, any::<u32>(), 0u32..4).prop_map(move |(lengths, seed, form)| {
            let value = |at: u32| (at ^ seed).wrapping_mul(seed) as i32 >> (at % 32);
            let values = (0..lengths.iter().sum()).map(value);
            let values = match form {
                _ if value_type == ValueType::Bytes => {
                    // Long ones have no length before them, and one after the other none has.
                    let most = [3, 9, 60, 200][form as usize];
                    let lengths = values.map(|value| value.unsigned_abs() as usize % (most + 1));
                    let (mut strings, bytes) = (Binaries::default(), [seed as u8; 200]);
                    assert!(lengths.map(|length| &bytes[..length]).all(|string| strings.push(string)));
                    if seed % 2 == 0 {
                        let (mut data, mut spans) = (Vec::new(), Vec::new());
                        for string in strings.iter() {
                            let start = data.len() as u32;
                            data.extend_from_slice(string);
                            spans.push(Span { start, end: data.len() as u32 });
                        }
                        strings = Binaries::try_from_parts(data, spans).unwrap();
                    }
                    Vector::Bytes(strings)
                }
                0 => Vector::Int(values.map(|value| value >> 26).collect()),
                1 => Vector::Long(values.map(|value| i64::from(value) << 7).collect()),
                _ => Vector::Int(values.collect()),
            };
            (lengths, values)
        });
        prop::collection::vec(values, 1..9).prop_map(move |lists| (value_type, lists))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn held_values_have_the_bytes_of_the_block((value_type, lists) in lists(), array in any::<bool>(), runs in any::<bool>()) {
            let mut blocks = [OpenBlock::new(true), OpenBlock::new(true)];
            let mut states = [Run::default(); 2];
            blocks[0].hold(value_type, array, runs);
            for (lengths, values) in &lists {
                let offsets = Offsets::from_lengths(lengths.iter().copied()).unwrap();
                let empty = [0, 1].map(|at| {
                    let (block, run, mut empty) = (&mut blocks[at], &mut states[at], 0);
                    show(value_type, Some(values), &mut |values| match array {
                        true => empty = block.append_lists(values, offsets.as_slice(), run, [runs, false]),
                        false => block.append(values, 0..offsets.total()),
                    });
                    empty
                });
                prop_assert_eq!(empty[0], empty[1]);
                prop_assert_eq!(blocks[0].len(), blocks[1].len());
                prop_assert!(blocks[0].content.memory() <= HELD_BYTES.max(blocks[0].len()));
                prop_assert!(blocks[0].content.held().is_none() || blocks[0].content.memory() <= HELD_BYTES);
            }
            for (block, run) in blocks.iter_mut().zip(&mut states) {
                block.end_run(run);
            }
            prop_assert_eq!(blocks[0].len(), blocks[1].len());
            let [held, encoded] = blocks.map(|block| block.finish(value_type).0);
            prop_assert!(held.as_slice() == encoded.as_slice());
        }
    }

    #[test]
    fn a_block_has_as_many_rows_as_an_int_counts() {
        let mut block = OpenBlock::new(true);
        block.count_without_bytes(u64::from(BLOCK_COUNT_MAX), 7).unwrap();
        assert!(block.is_full(100));
        let error = block.count_without_bytes(1, 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the number of rows in a block is 2147483648, and can be 2147483647 at most"
        );
        assert_eq!((block.rows(), block.entries()), (BLOCK_COUNT_MAX, 7));
    }
}
