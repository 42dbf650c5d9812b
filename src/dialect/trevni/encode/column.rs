//! Writes one column: values and lengths into blocks.

use super::super::Ends;
use super::lengths::Run;
use super::values::{self, Bits, Nothing, Values, Visit};
use crate::bytes::reader::Bytes;
use crate::checksum::Checksum;
use crate::codec::{Codec, Compressors};
use crate::error::{Error, Result};
use crate::value_type::ValueType;
use crate::vector::{Offsets, Vector};
use std::ops::Range;

/// How a column is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnSettings {
    pub(crate) codec: Codec,
    pub(crate) checksum: Checksum,
    /// A block is full when it has this many bytes.
    pub(crate) block_size: usize,
    /// Whether runs of lengths are joined.
    pub(crate) runs: bool,
    /// Whether descriptors hold the first value of their block.
    pub(crate) first_values: bool,
}

/// A block that is complete.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) rows: u32,
    /// Lengths of an array column, values of another.
    pub(super) entries: u64,
    /// Bytes before the codec.
    pub(super) size: u32,
    /// Bytes after the codec, without the checksum.
    pub(super) compressed: u32,
    /// The first value, where descriptors hold it.
    pub(super) first: Vec<u8>,
    /// Compressed bytes and checksum.
    pub(super) stored: Vec<u8>,
}

/// Collects the blocks of one column.
pub(super) struct ColumnEncoder {
    pub(super) value_type: ValueType,
    pub(super) array: bool,
    pub(super) settings: ColumnSettings,
    pub(super) blocks: Vec<Block>,
    /// Sum of all lengths.
    pub(super) total: u64,
    rows: u32,
    entries: u64,
    buffer: Vec<u8>,
    run: Run,
    bits: Bits,
}

impl ColumnEncoder {
    pub(super) fn new(value_type: ValueType, array: bool, settings: ColumnSettings) -> Self {
        Self {
            value_type,
            array,
            settings,
            blocks: Vec::new(),
            total: 0,
            rows: 0,
            entries: 0,
            buffer: Vec::new(),
            run: Run::default(),
            bits: Bits::default(),
        }
    }

    /// Begins with rows that have no values: `entries` lengths of `length`, which is 0 or 1.
    pub(super) fn begin(mut self, rows: u64, length: u32, entries: u64) -> Result<Self> {
        self.rows = u32::try_from(rows).map_err(|_| too_many_rows())?;
        if self.array {
            self.entries = entries;
            self.total = entries * u64::from(length);
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
        compressors: &mut Compressors,
        values: &Vector,
        ends: Ends<'_>,
    ) -> Result<()> {
        if self.value_type == ValueType::Null {
            self.rows = self.rows.checked_add(ends.rows() as u32).ok_or_else(too_many_rows)?;
            self.entries += ends.entries(ends.rows()) as u64;
            return Ok(());
        }
        values::visit(values, AppendValues { column: self, compressors, ends })
    }

    /// Appends the lengths of rows, each with its values, if they are in this column.
    pub(super) fn append_arrays(
        &mut self,
        compressors: &mut Compressors,
        offsets: &[u32],
        values: Option<&Vector>,
        ends: Ends<'_>,
    ) -> Result<()> {
        let append = AppendArrays { column: self, compressors, offsets, ends };
        match values {
            Some(values) => values::visit(values, append),
            None => append.visit(&Nothing),
        }
    }

    /// Appends the lengths of some entries, each with its values.
    #[inline]
    fn append_entries<V: Values>(
        &mut self,
        offsets: &[u32],
        values: &V,
        entries: Range<usize>,
    ) -> Result<()> {
        let Some(offsets) = offsets.get(entries.start..=entries.end) else {
            return Err(Error::value("more arrays than offsets"));
        };
        for pair in offsets.windows(2) {
            if let [start, end] = *pair {
                self.push_length(end.wrapping_sub(start));
                if start < end {
                    values.encode(start as usize, end as usize, &mut self.bits, &mut self.buffer);
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn push_length(&mut self, length: u32) {
        let alone = !self.settings.runs || (length == 1 && self.value_type != ValueType::Null);
        self.run.push(length, alone, &mut self.buffer);
        self.entries += 1;
        self.total += u64::from(length);
        self.bits.restart();
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
        let append = AppendEntries { column: self, offsets };
        match values {
            Some(values) => values::visit(values, append),
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
        values::visit(values, AppendPlain { column: self, count: values.len() });
    }

    #[inline]
    fn seal_if_full(&mut self, compressors: &mut Compressors) -> Result<()> {
        if self.buffer.len() >= self.settings.block_size || self.rows >= i32::MAX as u32 {
            self.seal(compressors)
        } else {
            Ok(())
        }
    }

    /// Ends the block; does nothing where it has no rows.
    pub(super) fn seal(&mut self, compressors: &mut Compressors) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        self.run.end(&mut self.buffer);
        self.bits.restart();
        if self.buffer.len() > i32::MAX as usize {
            return Err(Error::option("one row has more than 2 GiB in one column"));
        }
        let first = if self.settings.first_values { self.first_value()? } else { Vec::new() };
        let size = self.buffer.len();
        let mut stored = Vec::new();
        if self.settings.codec == Codec::Null {
            // The buffer itself becomes the block.
            let next = Vec::with_capacity(size.min(self.settings.block_size) + 64);
            stored = std::mem::replace(&mut self.buffer, next);
            let checksum = {
                let mut bytes = Vec::new();
                self.settings.checksum.append(&stored, &mut bytes);
                bytes
            };
            stored.extend_from_slice(&checksum);
        } else {
            compressors.compress(self.settings.codec, &self.buffer, &mut stored)?;
            self.settings.checksum.append(&self.buffer, &mut stored);
            stored.shrink_to_fit();
        }
        let compressed = stored.len() - self.settings.checksum.size();
        self.blocks.push(Block {
            rows: self.rows,
            entries: self.entries,
            size: size as u32,
            compressed: u32::try_from(compressed).map_err(|_| too_many_rows())?,
            first,
            stored,
        });
        self.rows = 0;
        self.entries = 0;
        self.buffer.clear();
        Ok(())
    }

    /// The first value of the block, as the type encodes it.
    fn first_value(&self) -> Result<Vec<u8>> {
        let mut bytes = Bytes::new(&self.buffer);
        let length = match self.value_type {
            ValueType::Null => 0,
            ValueType::Boolean => {
                return Ok(self.buffer.first().map(|byte| vec![byte & 1]).unwrap_or_default());
            }
            ValueType::Int | ValueType::Long => bytes.long().map(|_| bytes.position()).unwrap_or_default(),
            ValueType::Fixed32 | ValueType::Float => 4,
            ValueType::Fixed64 | ValueType::Double => 8,
            ValueType::String | ValueType::Bytes => {
                bytes.prefixed().map(|_| bytes.position()).unwrap_or_default()
            }
        };
        let first = self.buffer.get(..length).ok_or_else(|| Error::value("a block without values"))?;
        Ok(first.to_vec())
    }

    /// Bytes of the column in the file: block count, descriptors, blocks.
    pub(super) fn file_size(&self) -> u64 {
        let blocks = self.blocks.iter().map(|block| 12 + block.first.len() + block.stored.len());
        4 + blocks.map(|bytes| bytes as u64).sum::<u64>()
    }

    /// Appends block count and descriptors.
    pub(super) fn encode_descriptors(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.blocks.len() as u32).to_le_bytes());
        for block in &self.blocks {
            out.extend_from_slice(&block.rows.to_le_bytes());
            out.extend_from_slice(&block.size.to_le_bytes());
            out.extend_from_slice(&block.compressed.to_le_bytes());
            out.extend_from_slice(&block.first);
        }
    }
}

/// [`ColumnEncoder::append_values`], the type of the values known.
struct AppendValues<'a> {
    column: &'a mut ColumnEncoder,
    compressors: &'a mut Compressors,
    ends: Ends<'a>,
}

impl Visit for AppendValues<'_> {
    type Out = Result<()>;

    fn visit<V: Values>(self, values: &V) -> Result<()> {
        let Self { column, compressors, ends } = self;
        let rows = ends.rows();
        let most = V::MOST.filter(|_| matches!(ends, Ends::Each(_)));
        let mut row = 0;
        while row < rows {
            column.seal_if_full(compressors)?;
            // As many rows as fit for sure.
            let room = column.settings.block_size.saturating_sub(column.buffer.len());
            let next = match most {
                Some(most) => rows.min(row + (room / most).max(1)),
                None => row + 1,
            };
            let (start, end) = (ends.entries(row), ends.entries(next));
            values.encode(start, end, &mut column.bits, &mut column.buffer);
            column.entries += (end - start) as u64;
            column.rows += (next - row) as u32;
            row = next;
        }
        Ok(())
    }
}

/// [`ColumnEncoder::append_arrays`], the type of the values known.
struct AppendArrays<'a> {
    column: &'a mut ColumnEncoder,
    compressors: &'a mut Compressors,
    offsets: &'a [u32],
    ends: Ends<'a>,
}

impl Visit for AppendArrays<'_> {
    type Out = Result<()>;

    fn visit<V: Values>(self, values: &V) -> Result<()> {
        let Self { column, compressors, offsets, ends } = self;
        for row in 0..ends.rows() {
            column.seal_if_full(compressors)?;
            column.rows += 1;
            column.append_entries(offsets, values, ends.entries(row)..ends.entries(row + 1))?;
        }
        Ok(())
    }
}

/// [`ColumnEncoder::append_rows`], the type of the values known.
struct AppendEntries<'a> {
    column: &'a mut ColumnEncoder,
    offsets: &'a Offsets,
}

impl Visit for AppendEntries<'_> {
    type Out = Result<()>;

    fn visit<V: Values>(self, values: &V) -> Result<()> {
        self.column.append_entries(self.offsets.as_slice(), values, 0..self.offsets.len())
    }
}

/// [`ColumnEncoder::append_plain`], the type of the values known.
struct AppendPlain<'a> {
    column: &'a mut ColumnEncoder,
    count: usize,
}

impl Visit for AppendPlain<'_> {
    type Out = ();

    fn visit<V: Values>(self, values: &V) {
        values.encode(0, self.count, &mut self.column.bits, &mut self.column.buffer);
    }
}

#[cold]
fn too_many_rows() -> Error {
    Error::option("more than 4,294,967,295 rows in one block")
}
