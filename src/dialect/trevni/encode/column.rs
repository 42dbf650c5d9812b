//! Writes one column: values and lengths into blocks.

use super::super::Ends;
use super::encode_block::EncodedBlock;
use crate::bytes::reader::Bytes;
use crate::dialect::{ColumnSettings, Dialect};
use crate::error::{Error, Result};
use crate::storage::blocks::{OpenBlock, SealedBlock, Sealer};
use crate::storage::codec::{Codec, ColumnType};
use crate::storage::value_type::ValueType;
use crate::storage::values::encode::{self as values, Values};
use crate::storage::values::lengths::encode::Run;
use crate::storage::values::next_value;
use crate::storage::zone_map;
use crate::vector::{Offsets, Vector};
use std::ops::Range;

impl ColumnSettings {
    /// The bytes of a full block.
    #[inline]
    fn block_size(&self) -> usize {
        self.block_size.unwrap_or_else(|| self.codec.block_size())
    }
}

/// The most bytes of a block of most codecs.
const LONG_BLOCK: usize = 1 << 20;

/// Collects the blocks of one column.
pub(super) struct ColumnEncoder {
    /// What is written; where the schema says an integer, its width may be fixed ([`ValueType::fits`]).
    pub(super) value_type: ValueType,
    /// Whether integers may still get a fixed width: none have been written but into the open block.
    pub(super) undecided: bool,
    pub(super) array: bool,
    pub(super) settings: ColumnSettings,
    pub(super) blocks: Vec<SealedBlock>,
    /// The first values of all blocks, where descriptors hold them; else none.
    pub(super) first_values: Vec<Vec<u8>>,
    /// Sum of all lengths.
    pub(super) total: u64,
    /// Lengths that have been given, but are not in the open block yet.
    run: Run,
    pub(super) open: OpenBlock,
    /// Its one block before the codec, which the beginning of a compact file may have instead of the column.
    pub(super) kept: Option<Vec<u8>>,
}

impl ColumnEncoder {
    pub(super) fn new(value_type: ValueType, array: bool, settings: ColumnSettings) -> Box<Self> {
        Box::new(Self {
            value_type,
            undecided: settings.fixed_integers,
            array,
            settings,
            blocks: Vec::new(),
            first_values: Vec::new(),
            total: 0,
            run: Run::default(),
            open: OpenBlock::new(settings.zones && (array || value_type != ValueType::Null)),
            kept: None,
        })
    }

    /// Begins with rows that have no values: `entries` lengths of `length`, which is 0 or 1.
    pub(super) fn begin(mut self: Box<Self>, rows: u64, length: u32, entries: u64) -> Result<Box<Self>> {
        self.open.count_without_bytes(rows, if self.array { entries } else { 0 })?;
        if self.array {
            self.total = entries * u64::from(length);
            self.open.observe_counts(entries - self.total, self.total);
            self.run = Run::new(length, entries);
            if !self.settings.runs {
                self.run.end_plain(self.open.bytes());
            }
        }
        Ok(self)
    }

    /// Appends the values of rows, without lengths.
    pub(super) fn append_values(
        &mut self,
        sealer: &mut Sealer,
        values: &Vector,
        ends: Ends<'_>,
    ) -> Result<()> {
        if self.value_type == ValueType::Null {
            let (rows, entries) = (ends.rows() as u64, ends.entries(ends.rows()) as u64);
            if !self.open.has_room_for(rows) {
                self.seal(sealer)?;
            }
            return self.open.count_without_bytes(rows, entries);
        }
        let mut row = 0;
        while row < ends.rows() {
            let mut next = Ok(row);
            values::show(self.value_type, Some(values), &mut |values| {
                next = self.append_typed(sealer, values, ends, row);
            });
            row = next?;
        }
        Ok(())
    }

    /// Appends the lengths of rows, each with its values, if they are in this column.
    pub(super) fn append_arrays(
        &mut self,
        sealer: &mut Sealer,
        offsets: &[u32],
        values: Option<&Vector>,
        ends: Ends<'_>,
    ) -> Result<()> {
        let mut row = 0;
        while row < ends.rows() {
            let mut next = Ok(row);
            values::show(self.value_type, values, &mut |values| {
                next = self.append_typed_arrays(sealer, offsets, values, ends, row);
            });
            row = next?;
        }
        Ok(())
    }

    /// Appends the lengths of some entries, each with its values.
    pub(super) fn append_entries(
        &mut self,
        offsets: &[u32],
        values: &dyn Values,
        entries: Range<usize>,
    ) -> Result<()> {
        let Some(offsets) = offsets.get(entries.start..=entries.end) else {
            return Err(Error::internal("a list has more items than offsets"));
        };
        self.open.count(0, entries.len() as u64);
        let joined = |length: u32| {
            self.settings.runs && (length == 0 || length == 1 && self.value_type == ValueType::Null)
        };
        let joined = [joined(0), joined(1)];
        let (start, end) = (offsets[0], offsets[entries.len()]);
        self.total += u64::from(end - start);
        self.open.observe(values, start as usize..end as usize);
        let empty = self.open.append_lists(values, offsets, &mut self.run, joined);
        self.open.observe_counts(empty, 0);
        Ok(())
    }

    /// Appends rows with their lengths, and their values where they are in this column, all into the
    /// open block.
    pub(super) fn append_rows(
        &mut self,
        rows: u32,
        offsets: &Offsets,
        values: Option<&Vector>,
    ) -> Result<()> {
        self.open.count(rows, 0);
        let mut done = Ok(());
        values::show(self.value_type, values, &mut |values| {
            done = self.append_entries(offsets.as_slice(), values, 0..offsets.len());
        });
        done
    }

    /// Appends rows whose entries are arrays of one value each, all into the open block.
    pub(super) fn append_ones(&mut self, rows: u32, values: &Vector) -> Result<()> {
        self.append_rows(rows, &Offsets::ones(values.len()), Some(values))
    }

    /// Appends rows with values but without lengths, all into the open block.
    pub(super) fn append_plain(&mut self, rows: u32, values: &Vector) {
        self.open.count(rows, values.len() as u64);
        let count = values.len();
        values::show(self.value_type, Some(values), &mut |values| self.open.append(values, 0..count));
    }

    /// The end of as many rows from `row` on as surely begin in the open block; at least one. `most`
    /// says how many bytes some entries take at most.
    pub(super) fn rows_for_sure(
        &self,
        row: usize,
        ends: Ends<'_>,
        most: &dyn Fn(Range<usize>) -> usize,
    ) -> usize {
        let start = ends.entries(row);
        let most = |count| most(start..ends.entries(row + count));
        row + self.open.rows_that_fit(self.settings.block_size(), ends.rows() - row, &most)
    }

    #[inline]
    pub(super) fn seal_if_full(&mut self, sealer: &mut Sealer) -> Result<()> {
        if self.open.is_full(self.settings.block_size()) { self.seal(sealer) } else { Ok(()) }
    }

    /// The bytes of the open block, if it is longer than those of most codecs, and no size was requested.
    pub(super) fn long_bytes(&self) -> usize {
        let (len, settings) = (self.open.len(), &self.settings);
        if len > LONG_BLOCK && settings.block_size.is_none() { len } else { 0 }
    }

    /// Seals the open block if it is full. The next one holds its values where the codec encodes these, and nothing else needs
    /// bytes.
    fn make_room(&mut self, sealer: &mut Sealer) -> Result<()> {
        self.seal_if_full(sealer)?;
        if self.settings.codec.encodes_values() && !self.settings.first_values && !self.undecided {
            self.open.hold(self.value_type, self.array, self.settings.runs);
        }
        Ok(())
    }

    /// Ends a block that is a block of another column, written again. One that is to decide on the codec takes more rows.
    pub(super) fn seal_again(&mut self, sealer: &mut Sealer) -> Result<()> {
        if self.settings.codec == Codec::Auto { self.seal_if_full(sealer) } else { self.seal(sealer) }
    }

    /// Ends the block; does nothing where it has no rows.
    pub(super) fn seal(&mut self, sealer: &mut Sealer) -> Result<()> {
        if self.open.rows() == 0 {
            return Ok(());
        }
        let first = self.close()?;
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(self.open.bytes().as_slice());
        }
        if self.settings.codec == Codec::Auto {
            let column_type = ColumnType { value_type: Some(self.value_type), array: self.array };
            let is_whole = !self.open.is_full(self.settings.block_size());
            let (block, codecs) = (self.open.as_slice(), Dialect::Trevni.codecs());
            self.settings.codec = sealer.compressors().choose(block, column_type, is_whole, codecs)?;
        }
        let column = self.blocks.first().map(|block| block.id);
        let ColumnSettings { codec, checksum, .. } = self.settings;
        self.blocks.push(self.open.seal(sealer, codec, checksum, column, (self.value_type, self.array))?);
        self.first_values.extend(first);
        Ok(())
    }

    /// Writes what is pending in the open block; returns its first value, where descriptors hold it.
    fn close(&mut self) -> Result<Option<Vec<u8>>> {
        self.open.end_run(&mut self.run);
        self.open.restart_bits();
        self.open.check_size()?;
        if self.undecided {
            self.decide_width()?;
        }
        if self.settings.first_values { self.open_first_value().map(Some) } else { Ok(None) }
    }

    /// The open block before the codec.
    pub(super) fn into_open_block(mut self) -> Result<EncodedBlock> {
        let first = self.close()?.unwrap_or_default();
        let ascending = self.open.ascending().unwrap_or_default();
        let (data, zone) = self.open.finish(self.value_type);
        Ok(EncodedBlock { data, first, zone, ascending })
    }

    /// The codec of the blocks, which for [`Codec::Auto`] the first one has decided on.
    pub(super) fn codec(&self) -> Codec {
        match self.settings.codec {
            Codec::Auto => Codec::Null,
            codec => codec,
        }
    }

    /// The first value of the open block, as the type encodes it.
    fn open_first_value(&self) -> Result<Vec<u8>> {
        let mut bytes = Bytes::new(self.open.as_slice());
        match (next_value(&mut bytes, self.value_type), self.value_type) {
            (Ok([byte]), ValueType::Boolean) => Ok(vec![byte & 1]),
            (Ok(first), _) => Ok(first.to_vec()),
            (Err(_), _) => Err(Error::internal("a block of a column with first values has no values")),
        }
    }

    /// The bytes of the zone map; `None` where there are no blocks, or none is wanted.
    pub(super) fn zone_map(&self) -> Option<Vec<u8>> {
        let ascending = self.open.ascending().filter(|_| !self.blocks.is_empty())?;
        let ascending = ascending && self.value_type != ValueType::Null;
        let blocks = self.blocks.iter().map(|block| (&block.zone, [block.rows, block.size]));
        Some(zone_map::encode(ascending, self.value_type, blocks))
    }
}

impl ColumnEncoder {
    /// [`ColumnEncoder::append_values`], the type of the values known: from `row` on, to the end or to where
    /// the column has got another type. Gives the row after.
    pub(super) fn append_typed(
        &mut self,
        sealer: &mut Sealer,
        values: &dyn Values,
        ends: Ends<'_>,
        mut row: usize,
    ) -> Result<usize> {
        let value_type = self.value_type;
        while row < ends.rows() {
            self.make_room(sealer)?;
            if self.value_type != value_type {
                break;
            }
            let next = self.rows_for_sure(row, ends, &|entries| values.most(entries));
            let (start, end) = (ends.entries(row), ends.entries(next));
            self.open.append(values, start..end);
            self.open.count((next - row) as u32, (end - start) as u64);
            row = next;
        }
        Ok(row)
    }

    /// [`ColumnEncoder::append_arrays`], the type of the values known: from `row` on, to the end or to where
    /// the column has got another type. Gives the row after.
    pub(super) fn append_typed_arrays(
        &mut self,
        sealer: &mut Sealer,
        offsets: &[u32],
        values: &dyn Values,
        ends: Ends<'_>,
        mut row: usize,
    ) -> Result<usize> {
        let value_type = self.value_type;
        let offset = |at: usize| offsets.get(at).map_or(0, |offset| *offset as usize);
        // A length takes five bytes at most, and so does the run before the first one.
        let most = |entries: Range<usize>| {
            5 * (1 + entries.len()) + values.most(offset(entries.start)..offset(entries.end))
        };
        while row < ends.rows() {
            self.make_room(sealer)?;
            if self.value_type != value_type {
                break;
            }
            let next = self.rows_for_sure(row, ends, &most);
            self.append_entries(offsets, values, ends.entries(row)..ends.entries(next))?;
            self.open.count((next - row) as u32, 0);
            row = next;
        }
        Ok(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::blocks::{BlockForm, Resources};
    use crate::storage::checksum::Checksum;

    const SETTINGS: ColumnSettings = ColumnSettings {
        codec: Codec::Null,
        checksum: Checksum::Null,
        block_size: None,
        runs: true,
        first_values: false,
        zones: true,
        fixed_integers: false,
    };

    #[test]
    fn nulls_of_any_number_are_several_blocks() {
        let beside = std::env::temp_dir().join("trevni-column");
        let mut sealer = Sealer::new(
            Resources { level: None, threads: 1, memory: 100, row_group: 100, beside },
            BlockForm::default(),
        );
        let most = i32::MAX as u64;
        let mut column = ColumnEncoder::new(ValueType::Null, false, SETTINGS).begin(most - 3, 0, 0).unwrap();
        for _ in 0..2 {
            column.append_values(&mut sealer, &Vector::Null(3), Ends::Each(3)).unwrap();
        }
        column.seal(&mut sealer).unwrap();
        let rows: Vec<u32> = column.blocks.iter().map(|block| block.rows).collect();
        assert_eq!(rows, [i32::MAX as u32, 3]);
        let late = ColumnEncoder::new(ValueType::Int, true, SETTINGS).begin(most + 1, 0, most + 1);
        assert_eq!(late.err().unwrap().category(), crate::error::Category::Shape);
    }
}
