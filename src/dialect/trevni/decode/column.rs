//! Reads one column: blocks into values and lengths, from any row on.

use super::super::Ends;
use super::block::{BlockReader, as_blobs};
use super::file::{File, Table};
use crate::bytes::reader::Malformed;
use crate::codec::Codec;
use crate::error::{Error, Result};
use crate::schema::untyped::simple;
use crate::value_type::ValueType;
use crate::vector::{Offsets, Vector};
use std::ops::Range;
use std::sync::Arc;

/// The row of a column that stands nowhere.
const LOST: u64 = u64::MAX;

/// The most bytes that are read ahead at once.
const MOST_AHEAD: usize = 128 << 10;

/// A position in a column.
pub(super) struct ColumnReader {
    number: usize,
    value_type: ValueType,
    table: Arc<Table>,
    /// The next block to load.
    next: usize,
    /// Number of the next row.
    row: u64,
    /// Rows of the loaded block that have not been read.
    left: u32,
    block: BlockReader,
    place: Place,
    /// The loaded block where it had to be uncompressed.
    data: Vec<u8>,
    ahead: Ahead,
}

/// Where the loaded block is.
#[derive(Clone, Copy)]
enum Place {
    /// Uncompressed, in memory of its own.
    Own,
    /// As it was stored: position in the file and number of bytes.
    Stored(u64, usize),
}

/// Bytes of the file that have been read before they are needed.
#[derive(Default)]
struct Ahead {
    start: u64,
    bytes: Vec<u8>,
    /// How much to read next time; grows as reading goes on.
    window: usize,
}

impl ColumnReader {
    pub(super) fn open(file: &File<'_>, number: usize) -> Result<Self> {
        let column = file.column(number)?;
        let table = file.table(number)?;
        Ok(Self {
            number,
            value_type: column.spec.value_type,
            table,
            next: 0,
            row: 0,
            left: 0,
            block: BlockReader::default(),
            place: Place::Own,
            data: Vec::new(),
            ahead: Ahead::default(),
        })
    }

    /// Number of the next row.
    pub(super) fn row(&self) -> u64 {
        self.row
    }

    /// Appends the values of the next rows.
    pub(super) fn values(&mut self, file: &File<'_>, ends: Ends<'_>, out: &mut Vector) -> Result<()> {
        // Each value takes a byte at least.
        out.reserve(ends.entries(ends.rows()).min(usize::try_from(file.len).unwrap_or(usize::MAX)));
        self.blobs(file, out, |reader, out| {
            reader.pieces(file, ends, |reader, entries| {
                let mut block = reader.block;
                block.values(reader.loaded(file), reader.value_type, entries, out)?;
                reader.block = block;
                Ok(())
            })
        })
    }

    /// Appends the lengths of the next rows, and the values where they are in this column.
    pub(super) fn arrays(
        &mut self,
        file: &File<'_>,
        ends: Ends<'_>,
        offsets: &mut Offsets,
        out: &mut Vector,
    ) -> Result<()> {
        self.blobs(file, out, |reader, out| {
            reader.pieces(file, ends, |reader, entries| {
                let mut block = reader.block;
                block.arrays(reader.loaded(file), reader.value_type, entries, &file.limits, offsets, out)?;
                reader.block = block;
                Ok(())
            })
        })?;
        // Nothing is kept for nulls, but something may be made of each.
        let (value, limit) = (offsets.total() as u64, file.limits.entries(file.len));
        if value > limit {
            return Err(self.here(
                file,
                Malformed::Limit { value, limit }.of("the number of items in a file of this size"),
            ));
        }
        Ok(())
    }

    /// Appends the lengths of the next rows. A parent may hold values itself; these are left aside.
    pub(super) fn lengths(&mut self, file: &File<'_>, ends: Ends<'_>, offsets: &mut Offsets) -> Result<()> {
        self.arrays(file, ends, offsets, &mut Vector::of(&simple(self.value_type)))
    }

    /// Calls with byte strings in place of texts, so that these are checked once for all blocks.
    fn blobs(
        &mut self,
        file: &File<'_>,
        out: &mut Vector,
        call: impl FnOnce(&mut Self, &mut Vector) -> Result<()>,
    ) -> Result<()> {
        let mut failed = None;
        let checked = as_blobs(out, |out| {
            failed = call(self, out).err();
            Ok(())
        });
        match (failed, checked) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(error.of("a text").in_column(&file.column(self.number)?.spec.name)),
            (None, Ok(())) => Ok(()),
        }
    }

    /// Calls for each part of the rows that lies in one block, with its number of entries. After an
    /// error the position is lost.
    fn pieces(
        &mut self,
        file: &File<'_>,
        ends: Ends<'_>,
        call: impl FnMut(&mut Self, usize) -> Result<()>,
    ) -> Result<()> {
        self.each_piece(file, ends, call).inspect_err(|_| self.row = LOST)
    }

    fn each_piece(
        &mut self,
        file: &File<'_>,
        ends: Ends<'_>,
        mut call: impl FnMut(&mut Self, usize) -> Result<()>,
    ) -> Result<()> {
        let (mut row, rows) = (0, ends.rows());
        while row < rows {
            self.load(file)?;
            let count = (rows - row).min(self.left as usize);
            let entries = ends.entries(row + count).saturating_sub(ends.entries(row));
            call(self, entries).map_err(|error| self.here(file, error))?;
            self.read(file, count as u32)?;
            row += count;
        }
        Ok(())
    }

    /// Moves to a row. `above` counts the entries that this column has from the first of some rows,
    /// which ascend, up to each of them.
    pub(super) fn seek(
        &mut self,
        file: &File<'_>,
        row: u64,
        array: bool,
        above: impl FnOnce(&[u64]) -> Result<Vec<u64>>,
    ) -> Result<()> {
        self.totals(file, &[row], array, above).map(|_| ())
    }

    /// Moves to the first of some rows, which ascend, and on to the last; returns the sums of the
    /// lengths from the first up to each. Asks `above` as [`ColumnReader::seek`] does.
    pub(super) fn totals(
        &mut self,
        file: &File<'_>,
        rows: &[u64],
        array: bool,
        above: impl FnOnce(&[u64]) -> Result<Vec<u64>>,
    ) -> Result<Vec<u64>> {
        self.row = LOST;
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Ok(Vec::new());
        };
        // Each step stays within one block.
        let table = Arc::clone(&self.table);
        self.next = table.blocks.partition_point(|block| block.first_row <= *first).saturating_sub(1);
        self.left = 0;
        let starts = table.blocks.iter().skip(self.next).map(|block| block.first_row);
        let mut borders: Vec<u64> =
            starts.take_while(|start| start < last).chain(rows.iter().copied()).collect();
        borders.sort_unstable();
        borders.dedup();
        let entries = above(&borders)?;
        let mut row = borders.first().copied().unwrap_or_default();
        let (mut total, mut before) = (0u64, 0);
        let mut totals = Vec::with_capacity(rows.len());
        for (border, entries) in borders.iter().zip(entries) {
            total = total.saturating_add(self.skip(file, border - row, array, entries - before)?);
            (row, before) = (*border, entries);
            if rows.get(totals.len()) == Some(border) {
                totals.push(total);
            }
        }
        self.row = row;
        let start = totals.first().copied().unwrap_or_default();
        totals.iter_mut().for_each(|total| *total -= start);
        Ok(totals)
    }

    /// Passes over rows of one block, which have this many entries; returns the sum of their lengths.
    fn skip(&mut self, file: &File<'_>, rows: u64, array: bool, entries: u64) -> Result<u64> {
        if rows == 0 {
            return Ok(0);
        }
        self.load(file)?;
        let mut block = self.block;
        let data = self.loaded(file);
        let done = if array {
            block.skip_arrays(data, self.value_type, entries)
        } else {
            block.skip_values(data, self.value_type, entries).map(|()| 0)
        };
        let total = done.map_err(|error| self.here(file, error))?;
        self.block = block;
        self.read(file, u32::try_from(rows).unwrap_or(u32::MAX).min(self.left))?;
        Ok(total)
    }

    /// Counts rows of the loaded block as read; at its end nothing may be left of it.
    #[inline]
    fn read(&mut self, file: &File<'_>, rows: u32) -> Result<()> {
        self.left -= rows;
        self.row = self.row.saturating_add(u64::from(rows));
        if self.left == 0 {
            self.block.finish(self.loaded(file)).map_err(|error| self.here(file, error))?;
        }
        Ok(())
    }

    /// Loads the next block with rows, if the last one has been read.
    #[inline]
    fn load(&mut self, file: &File<'_>) -> Result<()> {
        while self.left == 0 {
            self.load_next(file)?;
        }
        Ok(())
    }

    fn load_next(&mut self, file: &File<'_>) -> Result<()> {
        let table = Arc::clone(&self.table);
        let Some(block) = table.blocks.get(self.next) else {
            // The table has been checked to have as many rows as the file.
            return Err(Malformed::End { needed: 1, available: 0 }.of("the column"));
        };
        self.next += 1;
        if block.rows == 0 {
            return Ok(());
        }
        let stored = block.compressed as usize + table.checksum.size();
        let done = self.ahead.read(file, &table, self.next - 1, stored).and_then(|()| {
            let stored = self.ahead.get(file, block.offset, stored);
            let (compressed, checksum) = stored.split_at(stored.len().min(block.compressed as usize));
            if table.codec == Codec::Null {
                self.place = Place::Stored(block.offset, compressed.len());
                return table.checksum.verify(compressed, checksum, true);
            }
            self.place = Place::Own;
            let size = block.size as usize;
            file.decompressors.decompress(table.codec, compressed, size, &mut self.data)?;
            table.checksum.verify(&self.data, checksum, false)
        });
        done.map_err(|error| self.here(file, error).at_offset(block.offset))?;
        self.left = block.rows;
        self.block = BlockReader::default();
        Ok(())
    }

    /// The bytes of the loaded block.
    fn loaded<'a>(&'a self, file: &'a File<'_>) -> &'a [u8] {
        match self.place {
            Place::Own => &self.data,
            Place::Stored(offset, len) => self.ahead.get(file, offset, len),
        }
    }

    /// Adds column and block to an error.
    #[cold]
    fn here(&self, file: &File<'_>, error: Error) -> Error {
        let error = error.in_block(self.next.saturating_sub(1));
        match file.column(self.number) {
            Ok(column) => error.in_column(&column.spec.name),
            Err(_) => error,
        }
    }
}

impl Ahead {
    /// Sees that the stored bytes of a block are in memory; reads some blocks behind it too.
    fn read(&mut self, file: &File<'_>, table: &Table, number: usize, stored: usize) -> Result<()> {
        let Some(block) = table.blocks.get(number) else {
            return Ok(());
        };
        if self.place(block.offset, stored).is_some() || file.source.slice(block.offset, stored).is_some() {
            return Ok(());
        }
        let last = table.blocks.last().map_or(0, |last| last.offset + u64::from(last.compressed));
        let rest = last.saturating_add(table.checksum.size() as u64).saturating_sub(block.offset);
        let rest = usize::try_from(rest).unwrap_or(usize::MAX);
        self.bytes.resize(stored.max(self.window.min(rest)), 0);
        self.window = self.window.saturating_mul(2).clamp(stored.min(MOST_AHEAD), MOST_AHEAD);
        self.start = block.offset;
        file.source.read_at(block.offset, &mut self.bytes).inspect_err(|_| self.bytes.clear())?;
        Ok(())
    }

    /// Bytes of the file that [`Ahead::read`] has seen to.
    fn get<'a>(&'a self, file: &'a File<'_>, offset: u64, len: usize) -> &'a [u8] {
        match self.place(offset, len) {
            Some(place) => self.bytes.get(place).unwrap_or_default(),
            None => file.source.slice(offset, len).unwrap_or_default(),
        }
    }

    /// Where these bytes of the file are among those that have been read.
    fn place(&self, offset: u64, len: usize) -> Option<Range<usize>> {
        let start = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        let end = start.checked_add(len)?;
        (end <= self.bytes.len()).then_some(start..end)
    }
}
