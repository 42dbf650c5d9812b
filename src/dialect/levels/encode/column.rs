//! Writes one column: levels and values into blocks.

use super::super::bits::{self, Packed};
use super::super::{DESCRIPTOR_BYTES, Layout};
use super::settings::ColumnOptions;
use crate::bytes::buffer::Buffer;
use crate::bytes::reader::Bytes;
use crate::bytes::varint::encode_long;
use crate::dialect::dremel::{Field, LevelsRef, Place, count};
use crate::error::{Error, Result};
use crate::storage::blocks::{OpenBlock, SealedBlock, Sealer, Store};
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;
use crate::storage::values::encode::{self as values, Nothing, Values, Visit};
use crate::storage::values::first::next_value;
use crate::storage::zone_map::{self, ZoneMap};
use crate::vector::Vector;

/// Collects the blocks of one column.
pub(super) struct ColumnEncoder {
    pub(super) value_type: ValueType,
    pub(super) options: ColumnOptions,
    greatest: Place,
    /// Values of each entry.
    width: usize,
    layout: Layout,
    /// Values; rows are those of the file.
    open: OpenBlock,
    definition: Packed,
    repetition: Packed,
    pub(super) blocks: Vec<SealedBlock>,
    pub(super) first_values: Vec<Vec<u8>>,
    /// Whether there are blocks of others, so that nothing is known of the order of all values.
    pub(super) is_joined: bool,
}

/// How far a batch has been appended.
#[derive(Clone, Copy, Default)]
struct Position {
    row: usize,
    entry: usize,
    value: usize,
}

impl ColumnEncoder {
    pub(super) fn new(field: &Field, value_type: ValueType, options: ColumnOptions, layout: Layout) -> Self {
        let Place { repetition, definition } = field.greatest;
        Self {
            value_type,
            options,
            greatest: field.greatest,
            width: field.width.unwrap_or(1),
            layout,
            open: OpenBlock::new(options.column.zones),
            definition: Packed::new(definition),
            repetition: Packed::new(repetition),
            blocks: Vec::new(),
            first_values: Vec::new(),
            is_joined: false,
        }
    }

    /// Appends the entries of some rows, and their values; none for a group.
    pub(super) fn append(
        &mut self,
        sealer: &mut Sealer,
        levels: LevelsRef<'_>,
        values: Option<&Vector>,
    ) -> Result<()> {
        match values {
            Some(vector) => {
                let value_type = self.value_type;
                check_width(value_type, vector)?;
                values::visit(value_type, vector, Append { column: self, sealer, levels })
            }
            None => Append { column: self, sealer, levels }.visit(&Nothing),
        }
    }

    fn block_size(&self) -> usize {
        let column = &self.options.column;
        column.block_size.unwrap_or_else(|| column.codec.block_size())
    }

    /// Bytes of the open block.
    fn open_size(&self) -> usize {
        self.open.len() + self.definition.size() + self.repetition.size()
    }

    /// Bytes of the levels of so many entries, about.
    fn size_of_levels(&self, entries: usize) -> usize {
        let Place { repetition, definition } = self.greatest;
        [definition, repetition].map(|greatest| bits::size(bits::width(greatest), entries)).iter().sum()
    }

    /// Number of values of some entries.
    fn values_of(&self, levels: LevelsRef<'_>, from: usize, to: usize) -> usize {
        let present = match self.greatest.definition {
            0 => to - from,
            most => count(levels.definition.get(from..to).unwrap_or_default(), most),
        };
        present * self.width
    }

    /// Ends the block if it is full.
    fn seal_if_full(&mut self, sealer: &mut Sealer) -> Result<()> {
        let is_full = self.open_size() >= self.block_size() && self.open.rows() > 0
            || self.options.block_rows.is_some_and(|rows| self.open.rows() >= rows)
            || self.open.entries() >= u64::from(MOST_ENTRIES);
        if is_full { self.seal(sealer) } else { Ok(()) }
    }

    /// Ends the block; does nothing where it has no rows.
    pub(super) fn seal(&mut self, sealer: &mut Sealer) -> Result<()> {
        if self.open.rows() == 0 {
            return Ok(());
        }
        if self.options.column.first_values {
            self.first_values.push(self.first_value()?);
        }
        let levels = [self.definition.take(), self.repetition.take()].concat();
        if !levels.is_empty() {
            match self.layout {
                Layout::ValuesFirst => self.open.bytes().extend(&levels),
                Layout::LevelsFirst => {
                    let mut block = Buffer::default();
                    block.extend(&levels);
                    block.extend(self.open.as_slice());
                    self.open.replace(block);
                }
            }
        }
        self.open.restart_bits();
        self.open.check_size()?;
        if self.options.column.codec == Codec::Auto {
            self.options.column.codec = match sealer.choose(self.open.as_slice())? {
                // Zstandard is not among the codecs.
                Codec::Zstandard => Codec::Deflate,
                codec => codec,
            };
        }
        let column = self.blocks.first().map(|block| block.id);
        let (codec, checksum) = (self.codec(), self.options.column.checksum);
        self.blocks.push(self.open.seal(sealer, codec, checksum, column, self.value_type)?);
        Ok(())
    }

    /// The codec of the blocks, which for [`Codec::Auto`] the first one has decided on.
    pub(super) fn codec(&self) -> Codec {
        match self.options.column.codec {
            Codec::Auto => Codec::Null,
            codec => codec,
        }
    }

    /// The first value of the open block, as the type encodes it.
    fn first_value(&self) -> Result<Vec<u8>> {
        match (next_value(&mut Bytes::new(self.open.as_slice()), self.value_type), self.value_type) {
            (Ok([byte]), ValueType::Boolean) => Ok(vec![byte & 1]),
            (Ok(first), _) => Ok(first.to_vec()),
            (Err(_), _) => Err(Error::internal("a block of a column with first values has no values")),
        }
    }

    /// Block count and descriptors.
    pub(super) fn descriptors(&self, store: &Store) -> Vec<u8> {
        let mut out = Vec::with_capacity(4 + DESCRIPTOR_BYTES as usize * self.blocks.len());
        out.extend_from_slice(&(self.blocks.len() as u32).to_le_bytes());
        let checksum = self.options.column.checksum.size() as u64;
        for (number, block) in self.blocks.iter().enumerate() {
            let compressed = store.size(block.id).saturating_sub(checksum) as u32;
            for number in [block.entries as u32, block.size, compressed] {
                out.extend_from_slice(&number.to_le_bytes());
            }
            out.extend_from_slice(self.first_values.get(number).map_or(&[], |first| first));
        }
        out
    }

    /// Bytes of the column in the file: block count, descriptors, blocks.
    pub(super) fn file_size(&self, store: &Store) -> u64 {
        let blocks: u64 = self.blocks.iter().map(|block| DESCRIPTOR_BYTES + store.size(block.id)).sum();
        let first_values: u64 = self.first_values.iter().map(|first| first.len() as u64).sum();
        4 + blocks + first_values
    }

    /// Bytes that the column has come to so far: the open block takes as much as those before it did.
    pub(super) fn size(&self, store: &Store) -> u64 {
        let stored = self.file_size(store);
        let size: u64 = self.blocks.iter().map(|block| u64::from(block.size)).sum();
        let open = self.open_size() as u64;
        let share = u128::from(open) * u128::from(stored) / u128::from(size.max(1));
        stored + if size == 0 { open } else { share as u64 }
    }

    /// The bytes of the zone map; none where there are no blocks, or none is wanted.
    pub(super) fn zone_map(&self) -> Option<Vec<u8>> {
        let ascending = self.open.ascending().filter(|_| !self.blocks.is_empty())?;
        let ascending = ascending && !self.is_joined && self.value_type != ValueType::Null;
        let map = ZoneMap { ascending, zones: self.blocks.iter().map(|block| block.zone.clone()).collect() };
        let sizes = self.blocks.iter().map(|block| [block.entries as u32, block.size]);
        Some(zone_map::encode(&map, self.value_type, &sizes.collect::<Vec<_>>()))
    }

    /// The number of rows of each block, where a row may have several entries.
    pub(super) fn block_rows(&self) -> Option<Vec<u8>> {
        let wanted = self.options.column.zones && self.greatest.repetition > 0 && self.blocks.len() > 1;
        wanted.then(|| {
            let mut out = Vec::new();
            self.blocks.iter().for_each(|block| encode_long(&mut out, i64::from(block.rows)));
            out
        })
    }
}

/// Checks that integers are as narrow as the type that was asked for.
fn check_width(value_type: ValueType, values: &Vector) -> Result<()> {
    let (least, most) = match value_type {
        ValueType::Fixed8 => (i32::from(i8::MIN), i32::from(i8::MAX)),
        ValueType::Fixed16 => (i32::from(i16::MIN), i32::from(i16::MAX)),
        _ => return Ok(()),
    };
    match values {
        Vector::Int(values) => match values.iter().find(|value| !(least..=most).contains(*value)) {
            Some(value) => Err(Error::option(format!("{value} does not fit into {value_type}"))),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

/// The most entries of a block: readers count them by 31 bits.
const MOST_ENTRIES: u32 = 1 << 30;

/// [`ColumnEncoder::append`], the type of the values known.
struct Append<'a, 'l> {
    column: &'a mut ColumnEncoder,
    sealer: &'a mut Sealer,
    levels: LevelsRef<'l>,
}

impl Visit for Append<'_, '_> {
    type Out = Result<()>;

    fn visit<V: Values>(self, values: &V) -> Result<()> {
        let Self { column, sealer, levels } = self;
        let starts: Vec<u32> = match column.greatest.repetition {
            0 => Vec::new(),
            _ => (0..).zip(levels.repetition).filter(|(_, level)| **level == 0).map(|(at, _)| at).collect(),
        };
        let rows = if starts.is_empty() { levels.entries } else { starts.len() };
        let is_flat = starts.is_empty();
        let entry = |row: usize| match is_flat {
            true => row,
            false => starts.get(row).map_or(levels.entries, |start| *start as usize),
        };
        let mut at = Position::default();
        while at.row < rows {
            column.seal_if_full(sealer)?;
            let most = |count: usize| {
                let end = entry(at.row + count);
                let present = column.values_of(levels, at.entry, end);
                column.size_of_levels(end - at.entry) + 2 + values.most(at.value..at.value + present)
            };
            let levels_so_far = column.definition.size() + column.repetition.size();
            let room = column.block_size().saturating_sub(levels_so_far);
            let mut count = column.open.rows_that_fit(room, rows - at.row, most);
            if let Some(most) = column.options.block_rows {
                count = count.min(most.saturating_sub(column.open.rows()).max(1) as usize);
            }
            let next = entry(at.row + count);
            let present = column.values_of(levels, at.entry, next);
            let end = Position { row: at.row + count, entry: next, value: at.value + present };
            column.push(levels, values, at, end);
            at = end;
        }
        Ok(())
    }
}

impl ColumnEncoder {
    /// Appends some rows to the open block.
    fn push<V: Values>(&mut self, levels: LevelsRef<'_>, values: &V, from: Position, to: Position) {
        let entries = from.entry..to.entry;
        self.definition.extend(levels.definition.get(entries.clone()).unwrap_or_default());
        self.repetition.extend(levels.repetition.get(entries).unwrap_or_default());
        let entries = to.entry - from.entry;
        let present = (to.value - from.value) / self.width;
        self.open.append(values, from.value..to.value);
        self.open.observe_counts((entries - present) as u64, 0);
        self.open.count((to.row - from.row) as u32, entries as u64);
    }
}
