//! Writes one column: values and lengths into blocks.

use super::super::Ends;
use super::append::{AppendArrays, AppendEntries, AppendPlain, AppendValues};
use super::header;
use super::lengths::Run;
use crate::bytes::buffer::Buffer;
use crate::bytes::reader::Bytes;
use crate::error::{Error, Result};
use crate::storage::blocks::Sealer;
use crate::storage::blocks::{BlockId, Store};
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;
use crate::storage::values::encode::{self as values, Bits, Nothing, Values, Visit};
use crate::storage::zone_map::OpenZone;
use crate::storage::zone_map::{self, Zone, ZoneMap};
use crate::vector::{Offsets, Vector};
use std::ops::Range;

/// How a column is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnSettings {
    pub(crate) codec: Codec,
    pub(crate) checksum: Checksum,
    /// A block is full when it has this many bytes; none for what suits the codec.
    pub(crate) block_size: Option<usize>,
    /// Whether runs of lengths are joined.
    pub(crate) runs: bool,
    /// Whether descriptors hold the first value of their block.
    pub(crate) first_values: bool,
    /// Whether there is a zone map.
    pub(crate) zones: bool,
    /// Whether integers have a fixed width where that is smaller.
    pub(crate) fixed_integers: bool,
}

impl ColumnSettings {
    /// The bytes of a full block.
    #[inline]
    fn block_size(&self) -> usize {
        self.block_size.unwrap_or_else(|| self.codec.block_size())
    }
}

/// Bytes of a descriptor without first value.
const DESCRIPTOR: u64 = 12;

/// A block that is complete.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) rows: u32,
    /// Lengths of an array column, values of another.
    pub(super) entries: u64,
    /// Bytes before the codec.
    pub(super) size: u32,
    /// The first value, where descriptors hold it.
    pub(super) first: Vec<u8>,
    /// What is known of the values, where there is a zone map.
    pub(super) zone: Zone,
    /// Where the store has the compressed bytes and the checksum.
    pub(super) id: BlockId,
}

/// Collects the blocks of one column.
pub(super) struct ColumnEncoder {
    /// What is written; where the schema says an integer, its width may be fixed ([`ValueType::fits`]).
    pub(super) value_type: ValueType,
    /// Whether integers may still get a fixed width: none have been written but into the open block.
    pub(super) undecided: bool,
    pub(super) array: bool,
    pub(super) settings: ColumnSettings,
    pub(super) blocks: Vec<Block>,
    /// Sum of all lengths.
    pub(super) total: u64,
    pub(super) rows: u32,
    pub(super) entries: u64,
    pub(super) buffer: Buffer,
    pub(super) run: Run,
    pub(super) bits: Bits,
    /// None where there is no zone map.
    pub(super) zone: Option<Box<OpenZone>>,
}

impl ColumnEncoder {
    pub(super) fn new(value_type: ValueType, array: bool, settings: ColumnSettings) -> Self {
        Self {
            value_type,
            undecided: settings.fixed_integers,
            array,
            settings,
            blocks: Vec::new(),
            total: 0,
            rows: 0,
            entries: 0,
            buffer: Buffer::default(),
            run: Run::default(),
            bits: Bits::default(),
            zone: (settings.zones && (array || value_type != ValueType::Null)).then(Box::default),
        }
    }

    /// Begins with rows that have no values: `entries` lengths of `length`, which is 0 or 1.
    pub(super) fn begin(mut self, rows: u64, length: u32, entries: u64) -> Result<Self> {
        self.rows = u32::try_from(rows).map_err(|_| too_many_rows())?;
        if self.array {
            self.entries = entries;
            self.total = entries * u64::from(length);
            if let Some(zone) = &mut self.zone {
                zone.values = self.total;
                zone.nulls = entries - self.total;
            }
            self.run = Run::of(length, entries);
            if !self.settings.runs {
                self.run.end_plain(&mut self.buffer);
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
            self.rows = self.rows.checked_add(ends.rows() as u32).ok_or_else(too_many_rows)?;
            self.entries += ends.entries(ends.rows()) as u64;
            return Ok(());
        }
        let mut row = 0;
        while row < ends.rows() {
            let append = AppendValues { column: self, sealer, ends, row };
            row = values::visit(append.column.value_type, values, append)?;
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
            let append = AppendArrays { column: self, sealer, offsets, ends, row };
            row = match values {
                Some(values) => values::visit(append.column.value_type, values, append),
                None => append.visit(&Nothing),
            }?;
        }
        Ok(())
    }

    /// Appends the lengths of some entries, each with its values.
    pub(super) fn append_entries<V: Values>(
        &mut self,
        offsets: &[u32],
        values: &V,
        entries: Range<usize>,
    ) -> Result<()> {
        let Some(offsets) = offsets.get(entries.start..=entries.end) else {
            return Err(Error::internal("a list has more items than offsets"));
        };
        self.entries += entries.len() as u64;
        let joined = |length: u32| {
            self.settings.runs && (length == 0 || length == 1 && self.value_type == ValueType::Null)
        };
        let joined = [joined(0), joined(1)];
        let (mut at, mut start) = (0, offsets.first().copied().unwrap_or_default());
        let last = offsets.last().copied().unwrap_or_default();
        self.total += u64::from(last - start);
        self.tell(values, start as usize..last as usize);
        let mut nulls = 0;
        while let Some(end) = offsets.get(at + 1) {
            let length = end.wrapping_sub(start);
            if length > 1 {
                self.run.push_alone(length, &mut self.buffer);
                values.encode(start as usize..*end as usize, &mut self.bits, &mut self.buffer);
                (at, start) = (at + 1, *end);
            } else {
                let more =
                    offsets[at + 1..].windows(2).take_while(|pair| pair[1].wrapping_sub(pair[0]) == length);
                let count = 1 + more.count();
                nulls += if length == 0 { count as u64 } else { 0 };
                let next = start + length * count as u32;
                if joined[length as usize] {
                    self.run.push(length, count as u64, &mut self.buffer);
                } else if length == 1 {
                    self.run.end(&mut self.buffer);
                    values.encode_ones(start as usize..next as usize, &mut self.bits, &mut self.buffer);
                } else {
                    (0..count).for_each(|_| self.run.push_alone(0, &mut self.buffer));
                }
                (at, start) = (at + count, next);
            }
            self.bits.restart();
        }
        if let Some(zone) = &mut self.zone {
            zone.nulls += nulls;
        }
        Ok(())
    }

    /// Tells the zone of values that are appended.
    pub(super) fn tell<V: Values>(&mut self, values: &V, range: Range<usize>) {
        if let Some(zone) = &mut self.zone {
            zone.values += range.len() as u64;
            values.tell(range, zone);
        }
    }

    /// Appends rows with their lengths, and their values where they are in this column, all into the
    /// open block.
    pub(super) fn append_rows(
        &mut self,
        rows: u32,
        offsets: &Offsets,
        values: Option<&Vector>,
    ) -> Result<()> {
        self.rows += rows;
        let value_type = self.value_type;
        let append = AppendEntries { column: self, offsets };
        match values {
            Some(values) => values::visit(value_type, values, append),
            None => append.visit(&Nothing),
        }
    }

    /// Appends rows whose entries are arrays of one value each, all into the open block.
    pub(super) fn append_ones(&mut self, rows: u32, values: &Vector) -> Result<()> {
        self.append_rows(rows, &Offsets::ones(values.len()), Some(values))
    }

    /// Appends rows with values but without lengths, all into the open block.
    pub(super) fn append_plain(&mut self, rows: u32, values: &Vector) {
        self.rows += rows;
        self.entries += values.len() as u64;
        values::visit(self.value_type, values, AppendPlain { column: self, count: values.len() });
    }

    /// The end of as many rows from `row` on as surely begin in the open block; at least one. `most`
    /// says how many bytes some entries take at most.
    pub(super) fn rows_for_sure(
        &self,
        row: usize,
        ends: Ends<'_>,
        most: impl Fn(Range<usize>) -> usize,
    ) -> usize {
        let room = self.settings.block_size().saturating_sub(self.buffer.len());
        let start = ends.entries(row);
        let mut count = (ends.rows() - row).min((i32::MAX as u32).saturating_sub(self.rows) as usize);
        while count > 1 {
            let most = most(start..ends.entries(row + count));
            if most < room {
                break;
            }
            // As if all rows had the same size; fewer next time, in any case.
            let share = count as u64 * room as u64 / most as u64;
            count = (share as usize).min(count - 1);
        }
        row + count.max(1)
    }

    #[inline]
    pub(super) fn seal_if_full(&mut self, sealer: &mut Sealer) -> Result<()> {
        if self.buffer.len() >= self.settings.block_size() || self.rows >= i32::MAX as u32 {
            self.seal(sealer)
        } else {
            Ok(())
        }
    }

    /// Ends the block; does nothing where it has no rows.
    pub(super) fn seal(&mut self, sealer: &mut Sealer) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let first = self.close()?;
        let size = self.buffer.len();
        let block = self.buffer.as_slice();
        if self.settings.codec == Codec::Auto {
            self.settings.codec = sealer.choose(block)?;
        }
        let column = self.blocks.first().map(|block| block.id);
        let ColumnSettings { codec, checksum, .. } = self.settings;
        let id = sealer.seal(codec, checksum, column, &mut self.buffer)?;
        let zone = self.end_zone();
        let (rows, entries, size) = (self.rows, self.entries, size as u32);
        self.blocks.push(Block { rows, entries, size, first, zone, id });
        self.rows = 0;
        self.entries = 0;
        Ok(())
    }

    /// The zone of the open block; nothing is known of it where there is no zone map.
    fn end_zone(&mut self) -> Zone {
        self.zone.as_mut().map(|zone| zone.end(self.value_type)).unwrap_or_default()
    }

    /// Writes what is pending in the open block; returns its first value, where descriptors hold it.
    fn close(&mut self) -> Result<Vec<u8>> {
        self.run.end(&mut self.buffer);
        self.bits.restart();
        if self.buffer.len() > i32::MAX as usize {
            return Err(Error::too_large("the size of a block", self.buffer.len() as u64, i32::MAX as u64));
        }
        if self.undecided {
            self.decide_width()?;
        }
        if self.settings.first_values { self.first_value() } else { Ok(Vec::new()) }
    }

    /// The open block, before the codec, its first value and its zone.
    pub(super) fn into_open_block(mut self) -> Result<(Buffer, Vec<u8>, Zone)> {
        let first = self.close()?;
        let zone = self.end_zone();
        Ok((self.buffer, first, zone))
    }

    /// The codec of the blocks, which for [`Codec::Auto`] the first one has decided on.
    pub(super) fn codec(&self) -> Codec {
        match self.settings.codec {
            Codec::Auto => Codec::Null,
            codec => codec,
        }
    }

    /// The first value of the block, as the type encodes it.
    fn first_value(&self) -> Result<Vec<u8>> {
        let block = self.buffer.as_slice();
        let mut bytes = Bytes::new(block);
        let length = match self.value_type {
            ValueType::Null => 0,
            ValueType::Boolean => {
                return Ok(block.first().map(|byte| vec![byte & 1]).unwrap_or_default());
            }
            ValueType::Int | ValueType::Long => bytes.long().map(|_| bytes.position()).unwrap_or_default(),
            ValueType::Fixed32 | ValueType::Float => 4,
            ValueType::Fixed64 | ValueType::Double => 8,
            ValueType::String | ValueType::Bytes => {
                bytes.prefixed().map(|_| bytes.position()).unwrap_or_default()
            }
        };
        let first = block
            .get(..length)
            .ok_or_else(|| Error::internal("a block of a column with first values has no values"))?;
        Ok(first.to_vec())
    }

    /// Bytes of the column in the file: block count, descriptors, blocks.
    pub(super) fn file_size(&self, store: &Store) -> u64 {
        let blocks =
            self.blocks.iter().map(|block| DESCRIPTOR + block.first.len() as u64 + store.size(block.id));
        4 + blocks.sum::<u64>()
    }

    /// Bytes that the column has come to so far: the open block takes as much as those before it did.
    pub(super) fn size(&self, store: &Store) -> u64 {
        let stored = self.file_size(store);
        let size: u64 = self.blocks.iter().map(|block| u64::from(block.size)).sum();
        let open = self.buffer.len() as u64;
        let share = u128::from(open) * u128::from(stored) / u128::from(size.max(1));
        stored + if size == 0 { open } else { share as u64 }
    }

    /// The bytes of the zone map; none where there are no blocks, or none is wanted.
    pub(super) fn zone_map(&self) -> Option<Vec<u8>> {
        let zone = self.zone.as_ref().filter(|_| !self.blocks.is_empty())?;
        let ascending = zone.ascending && self.value_type != ValueType::Null;
        let map = ZoneMap { ascending, zones: self.blocks.iter().map(|block| block.zone.clone()).collect() };
        let blocks: Vec<[u32; 2]> = self.blocks.iter().map(|block| [block.rows, block.size]).collect();
        Some(zone_map::encode(&map, self.value_type, &blocks))
    }

    /// Block count and descriptors.
    pub(super) fn descriptors(&self, store: &Store) -> Vec<u8> {
        let mut out = Vec::with_capacity(4 + 12 * self.blocks.len());
        out.extend_from_slice(&(self.blocks.len() as u32).to_le_bytes());
        for block in &self.blocks {
            let compressed = store.size(block.id).saturating_sub(self.settings.checksum.size() as u64) as u32;
            header::encode_descriptor(block.rows, block.size, compressed, &block.first, &mut out);
        }
        out
    }
}

#[cold]
fn too_many_rows() -> Error {
    Error::too_large("the number of rows in a block", u64::from(u32::MAX) + 1, u64::from(u32::MAX))
}
