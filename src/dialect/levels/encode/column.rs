//! Writes one column: levels and values into blocks.

use super::super::bits::{self, Packed};
use super::settings::ColumnOptions;
use crate::bytes::buffer::Buffer;
use crate::bytes::reader::Bytes;
use crate::bytes::varint::encode_long;
use crate::dialect::dremel::Field;
use crate::dialect::{Dialect, Layout};
use crate::error::{Error, Result};
use crate::levels::{LevelsRef, Place, count};
use crate::storage::blocks::DESCRIPTOR_BYTES;
use crate::storage::blocks::{OpenBlock, SealedBlock, Sealer, Store};
use crate::storage::codec::{Codec, ColumnType};
use crate::storage::value_type::ValueType;
use crate::storage::values::encode::{self as values, Bits, Values, show};
use crate::storage::values::next_value;
use crate::storage::zone_map;
use crate::vector::Vector;

/// Collects the blocks of one column.
pub(super) struct ColumnEncoder {
    pub(super) value_type: ValueType,
    pub(super) options: ColumnOptions,
    greatest: Place,
    /// Values of each entry.
    width: usize,
    layout: Layout,
    /// Whether integers may still get a fixed width: none have been written but into the open block.
    pub(super) undecided: bool,
    /// Values; rows are those of the file.
    pub(super) open: OpenBlock,
    /// Number of values in the open block.
    pub(super) open_values: usize,
    definition: Packed,
    repetition: Packed,
    pub(super) blocks: Vec<SealedBlock>,
    pub(super) first_values: Vec<Vec<u8>>,
    /// Whether there are foreign blocks, so that nothing is known of the order of all values.
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
            undecided: options.column.fixed_integers,
            open: OpenBlock::new(options.column.zones),
            open_values: 0,
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
        let mut at = Some(Position::default());
        if let Some(vector) = values {
            self.check_width(vector, levels)?;
        }
        // Where a block that ends changes how values are written, the others follow in that way.
        while let Some(from) = at {
            let mut next = Ok(None);
            values::show(self.value_type, values, &mut |values| {
                next = self.append_typed(sealer, levels, values, from);
            });
            at = next?;
        }
        Ok(())
    }

    /// Checks that integers are as narrow as the type that was asked for.
    fn check_width(&self, values: &Vector, levels: LevelsRef<'_>) -> Result<()> {
        let (least, most) = match self.value_type {
            ValueType::Fixed8 => (i32::from(i8::MIN), i32::from(i8::MAX)),
            ValueType::Fixed16 => (i32::from(i16::MIN), i32::from(i16::MAX)),
            _ => return Ok(()),
        };
        let Vector::Int(values) = values else {
            return Ok(());
        };
        let Some(at) = values.iter().position(|value| !(least..=most).contains(value)) else {
            return Ok(());
        };
        let value = values[at];
        let entry = levels.entry_of(at / self.width.max(1), self.greatest.definition);
        let error = Error::option(format!("{value} does not fit into {}", self.value_type));
        Err(error.in_row(levels.row_of(entry) as u64))
    }

    fn block_size(&self) -> usize {
        let column = &self.options.column;
        column.block_size.unwrap_or_else(|| self.codec().block_size())
    }

    /// Bytes of the open block.
    pub(super) fn open_size(&self) -> usize {
        self.open.len() + self.definition.size() + self.repetition.size()
    }

    /// Approximate bytes of the levels of a number of entries.
    fn size_of_levels(&self, entries: usize) -> usize {
        let Place { repetition, definition } = self.greatest;
        [definition, repetition].map(|greatest| bits::size(bits::width(greatest), entries)).iter().sum()
    }

    /// Number of values of some entries.
    fn values_of(&self, levels: LevelsRef<'_>, from: usize, to: usize) -> usize {
        let present = match self.greatest.definition {
            0 => to - from,
            most => count(&levels.definition[from..to], most),
        };
        present * self.width
    }

    /// Ends the block if it is full.
    fn seal_if_full(&mut self, sealer: &mut Sealer) -> Result<()> {
        let is_full = self.open_size() >= self.block_size() && self.open.rows() > 0
            || self.options.block_rows.is_some_and(|rows| self.open.rows() >= rows)
            || self.open.entries() >= u64::from(BLOCK_ENTRIES_MAX);
        if is_full { self.seal(sealer) } else { Ok(()) }
    }

    /// Ends the block; does nothing where it has no rows.
    pub(super) fn seal(&mut self, sealer: &mut Sealer) -> Result<()> {
        if self.open.rows() == 0 {
            return Ok(());
        }
        if self.undecided {
            self.decide_width()?;
        }
        self.open_values = 0;
        if self.options.column.first_values {
            self.first_values.push(self.first_value()?);
        }
        let values = self.put_levels(sealer);
        self.open.restart_bits();
        self.open.check_size()?;
        if self.options.column.codec == Codec::Auto {
            let (block, codecs) = (self.open.as_slice(), Dialect::Levels.codecs());
            let is_whole = block.len() < self.block_size();
            let codec = sealer.compressors().choose(block, ColumnType::BYTES, is_whole, codecs)?;
            self.options.column.codec = codec;
        }
        let column = self.blocks.first().map(|block| block.id);
        let (codec, checksum) = (self.codec(), self.options.column.checksum);
        self.blocks.push(self.open.seal(sealer, codec, checksum, column, (self.value_type, false))?);
        if let Some(mut values) = values {
            // Their memory takes the values of the next block.
            values.clear();
            sealer.keep(self.open.replace(values));
        }
        Ok(())
    }

    /// Puts the levels of the open block to its values. Returns the buffer that these had before, where they are in
    /// another one now.
    fn put_levels(&mut self, sealer: &mut Sealer) -> Option<Buffer> {
        let levels = [self.definition.take(), self.repetition.take()];
        let size = levels.iter().map(Vec::len).sum::<usize>();
        if size == 0 {
            return None;
        }
        match self.layout {
            Layout::ValuesFirst => {
                levels.iter().for_each(|levels| self.open.bytes().extend(levels));
                None
            }
            Layout::LevelsFirst => {
                let mut block = sealer.buffer();
                block.reserve(size + self.open.len() + self.options.column.checksum.size());
                levels.iter().for_each(|levels| block.extend(levels));
                block.extend(self.open.as_slice());
                Some(self.open.replace(block))
            }
        }
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
            // Not all columns have first values.
            if let Some(first) = self.first_values.get(number) {
                out.extend_from_slice(first);
            }
        }
        out
    }

    /// The bytes of the zone map; `None` where there are no blocks, or none is wanted.
    pub(super) fn zone_map(&self) -> Option<Vec<u8>> {
        let ascending = self.open.ascending().filter(|_| !self.blocks.is_empty())?;
        let ascending = ascending && !self.is_joined && self.value_type != ValueType::Null;
        let blocks = self.blocks.iter().map(|block| (&block.zone, [block.entries as u32, block.size]));
        Some(zone_map::encode(ascending, self.value_type, blocks))
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

/// The most entries of a block: readers count them by 31 bits.
const BLOCK_ENTRIES_MAX: u32 = 1 << 30;

/// How many rows are asked for at first, which show how large rows are.
const FIRST_ROWS: usize = 64;

impl ColumnEncoder {
    /// [`ColumnEncoder::append`], the type of the values known. Gives how far values have been appended, if not all have.
    fn append_typed(
        &mut self,
        sealer: &mut Sealer,
        levels: LevelsRef<'_>,
        values: &dyn Values,
        from: Position,
    ) -> Result<Option<Position>> {
        let value_type = self.value_type;
        let rows = levels.rows();
        let (mut at, mut likely) = (from, FIRST_ROWS);
        while at.row < rows {
            self.seal_if_full(sealer)?;
            if self.value_type != value_type {
                return Ok(Some(at));
            }
            let most = |count: usize| {
                let end = levels.after_rows(at.entry, count);
                let present = self.values_of(levels, at.entry, end);
                self.size_of_levels(end - at.entry) + 2 + values.most(at.value..at.value + present)
            };
            let levels_so_far = self.definition.size() + self.repetition.size();
            let room = self.block_size().saturating_sub(levels_so_far);
            let mut asked = likely.min(rows - at.row);
            if let Some(most) = self.options.block_rows {
                asked = asked.min(most.saturating_sub(self.open.rows()).max(1) as usize);
            }
            let count = self.open.rows_that_fit(room, asked, &most);
            // Entries are counted for each answer, so no more are asked for than may fit.
            likely = if count == likely { likely.saturating_mul(2) } else { count.max(FIRST_ROWS) };
            let next = levels.after_rows(at.entry, count);
            let present = self.values_of(levels, at.entry, next);
            let end = Position { row: at.row + count, entry: next, value: at.value + present };
            self.push(levels, values, at, end);
            at = end;
        }
        Ok(None)
    }

    /// Appends some rows to the open block.
    fn push(&mut self, levels: LevelsRef<'_>, values: &dyn Values, from: Position, to: Position) {
        let entries = from.entry..to.entry;
        // There are no levels where all are 0.
        if self.greatest.definition > 0 {
            self.definition.extend(&levels.definition[entries.clone()]);
        }
        if self.greatest.repetition > 0 {
            self.repetition.extend(&levels.repetition[entries]);
        }
        let entries = to.entry - from.entry;
        self.open_values += to.value - from.value;
        let present = (to.value - from.value) / self.width;
        self.open.append(values, from.value..to.value);
        self.open.observe_counts((entries - present) as u64, 0);
        self.open.count((to.row - from.row) as u32, entries as u64);
    }
}

impl ColumnEncoder {
    /// Stores integers at a fixed width if that makes the open block, the first of the column, smaller.
    /// Before there are values nothing is decided.
    pub(super) fn decide_width(&mut self) -> Result<()> {
        let Some((fixed, width)) = self.value_type.fixed() else {
            return Ok(());
        };
        let count = self.open_values;
        if count == 0 {
            return Ok(());
        }
        self.undecided = false;
        if self.open.len() <= width * count {
            return Ok(());
        }
        let mut bytes = Bytes::new(self.open.as_slice());
        let (mut ints, mut longs) = (Vec::new(), Vec::new());
        let read = match fixed {
            ValueType::Fixed32 => bytes.integers(count, &mut ints),
            _ => bytes.integers(count, &mut longs),
        };
        read.map_err(|error| error.of("the values of an open block"))?;
        let values = if fixed == ValueType::Fixed32 { Vector::Int(ints) } else { Vector::Long(longs) };
        let mut block = Buffer::default();
        show(fixed, Some(&values), &mut |values| values.encode(0..count, &mut Bits::default(), &mut block));
        self.value_type = fixed;
        self.open.replace(block);
        Ok(())
    }
}
