//! Reads one column: blocks into values and lengths, from any row on.

use super::block::BlockReader;
use super::cache::{CachedBlock, Mark};
use super::file::File;
use super::seek::RowWindow;
use crate::bytes::reader::Malformed;
use crate::dialect::trevni::columns::untyped::simple;
use crate::error::{Error, Result};
use crate::storage::blocks::{Block, BlockOrder, BlockTable};
use crate::storage::budget::{BatchHold, Hold};
use crate::storage::codec::{Codec, ColumnType};
use crate::storage::read_ahead::ReadAhead;
use crate::storage::reserved::{Lists, More, Reserved};
use crate::storage::value_type::ValueType;
use crate::storage::values::as_blobs;
use crate::vector::{Offsets, Vector};
use std::sync::Arc;

/// The row of a column whose position is not known any more, after an error.
pub(super) const INVALID_ROW: u64 = u64::MAX;

/// A position in a column.
///
/// Skipping rows reads nothing: a skip within a block stays pending until a value of this block is wanted,
/// and is forgotten when none is.
pub(super) struct ColumnReader {
    pub(super) number: usize,
    pub(super) value_type: ValueType,
    pub(super) array: bool,
    pub(super) table: Arc<BlockTable>,
    /// The next block to load.
    pub(super) next: usize,
    /// Number of the next row.
    pub(super) row: u64,
    /// Rows of the loaded block that have not been read.
    pub(super) left: u32,
    pub(super) pending_skip: PendingSkip,
    pub(super) block: BlockReader,
    /// The beginning of the loaded block.
    pub(super) start: BlockReader,
    /// What was skipped last from its beginning, and the place after it: the same rows may be decoded once more.
    pub(super) skipped: Option<(PendingSkip, BlockReader)>,
    /// The row that was sought last, and the entries from the first of its block up to it.
    pub(super) counted: Option<(u64, u64)>,
    pub(super) bytes_at: BlockBytes,
    /// The loaded block where it had to be uncompressed.
    pub(super) data: Vec<u8>,
    /// The loaded block where it is kept for other rows, and whether blocks are.
    cached: Option<Arc<CachedBlock>>,
    /// The entries before the place in it, and the sum of their lengths where these have been counted.
    pub(super) passed: (u64, u64),
    keeps_blocks: bool,
    /// The block whose bytes are here.
    pub(super) loaded: Option<usize>,
    /// Whether the bytes of the block before the next one have been given back, although rows of it are left.
    released: bool,
    pub(super) ahead: ReadAhead,
    /// Compares the checksums of all blocks, where they are read one after the other.
    order: Option<BlockOrder>,
    /// The memory of the block and of what is read ahead.
    pub(super) memory: Hold,
}

/// Rows and entries that have been skipped, but not in the bytes yet: of the loaded block if it has rows
/// left, else of the next one.
#[derive(Clone, Copy, Default)]
pub(super) struct PendingSkip {
    pub(super) rows: u32,
    pub(super) entries: u64,
}

/// Entries of a block that are decoded together.
#[derive(Clone, Copy)]
struct Piece {
    entries: usize,
    /// Entries that are wanted of this block and the next ones.
    to_come: usize,
    /// Their estimated size.
    bytes: usize,
}

impl Piece {
    /// What is likely to come, also of the next blocks.
    fn likely(self, value_type: ValueType, lists: bool) -> More {
        // Each length takes a byte, unless many are the same.
        let entries = if lists { self.to_come.min(self.bytes) } else { 0 };
        let bytes = self.bytes - entries;
        let values = More::values_of(value_type, bytes).min(self.to_come);
        More { entries, values, data: More::data_of(value_type, bytes) }
    }
}

/// Memory is taken for as many blocks as the one at hand, where more of them are wanted.
const BLOCKS_LIKELY: usize = 32;

/// Bytes before the codec that memory is taken for at once, for each byte of a typed block.
const RATIO_LIKELY: usize = 64;

/// Where the bytes of the loaded block are.
#[derive(Clone, Copy)]
pub(super) enum BlockBytes {
    /// Uncompressed, in memory of its own; of typed blocks, what the codec made of the values.
    Own,
    /// As it was stored: position in the file and number of bytes.
    Stored(u64, usize),
}

impl ColumnReader {
    pub(super) fn open(file: &File<'_>, number: usize, keeps_blocks: bool) -> Result<Self> {
        let column = file.column(number)?;
        let table = file.table(number)?;
        let order = BlockOrder::from_table(&table);
        Ok(Self {
            number,
            value_type: column.spec.value_type,
            array: column.spec.array,
            table,
            next: 0,
            row: 0,
            left: 0,
            pending_skip: PendingSkip::default(),
            block: BlockReader::default(),
            start: BlockReader::default(),
            skipped: None,
            counted: None,
            bytes_at: BlockBytes::Own,
            data: Vec::new(),
            cached: None,
            passed: (0, 0),
            keeps_blocks,
            loaded: None,
            released: false,
            ahead: ReadAhead::new(file.header.len()),
            order,
            memory: Hold::new(&file.budget),
        })
    }

    /// Number of the next row.
    pub(super) fn row(&self) -> u64 {
        self.row
    }

    /// What to read, and where to, for the block that holds the row to decode next; `None` where its bytes
    /// are at hand. `first` is the first row of the batch, which may be skipped.
    pub(super) fn wanted(&mut self, file: &File<'_>, first: u64, row: u64) -> Option<(u64, &mut [u8])> {
        let (block, _) = self.table.block_of(row);
        if self.loaded.is_some_and(|loaded| loaded == block || loaded == self.table.block_of(first).0) {
            return None;
        }
        if self.keeps_blocks && file.cache().has((self.number, block)) {
            return None;
        }
        self.loaded = None;
        let (offset, len) = self.table.get(block).map(|block| (block.offset, self.table.stored(&block)))?;
        // Budget errors surface when the block is loaded.
        let room = self.ahead.room(&*file.source, offset, len) + self.data.capacity();
        self.memory.at_least(room as u64).ok()?;
        let ends = self.table.ends(block).take_while(|end| *end <= file.len);
        self.ahead.request(&*file.source, offset, len, ends)
    }

    /// Forgets bytes that could not be read: where a block is loaded, none were to be.
    pub(super) fn forget(&mut self) {
        if self.loaded.is_none() {
            self.ahead.forget();
        }
    }

    /// Appends the values of the selected rows, and skips the others.
    pub(super) fn values(
        &mut self,
        file: &File<'_>,
        window: RowWindow<'_>,
        hold: &BatchHold,
        values: &mut Vector,
    ) -> Result<()> {
        let mut out = Lists { offsets: None, values };
        let mut reserved = Reserved::new(hold, window.is_nested(), &out)?;
        // Each value takes a byte at least; strings take memory as they come.
        if !matches!(
            out.values,
            Vector::String(_) | Vector::Bytes(_) | Vector::Dictionary(_) | Vector::Boolean(_)
        ) {
            let most = usize::try_from(file.len).unwrap_or(usize::MAX);
            let values = window.selected_entries().min(most);
            if !out.values.has_room(values) {
                reserved.expect(&mut out, More { values, ..More::default() })?;
            }
        }
        self.append(file, window, &mut reserved, out)
    }

    /// Appends the lengths of the selected rows, and the values where they are in this column;
    /// skips the others.
    pub(super) fn arrays(
        &mut self,
        file: &File<'_>,
        window: RowWindow<'_>,
        hold: &BatchHold,
        out: Lists<'_>,
    ) -> Result<()> {
        let mut reserved = Reserved::new(hold, window.is_nested(), &out)?;
        self.append(file, window, &mut reserved, out)
    }

    /// Appends the lengths of the selected rows. A parent may hold values itself; these are left
    /// aside.
    pub(super) fn lengths(
        &mut self,
        file: &File<'_>,
        window: RowWindow<'_>,
        hold: &BatchHold,
        offsets: &mut Offsets,
    ) -> Result<()> {
        let mut aside = Vector::new(&simple(self.value_type));
        let out = Lists::new(offsets, &mut aside);
        let mut reserved = Reserved::new(hold, window.is_nested(), &out)?.of_parent();
        self.append(file, window, &mut reserved, out)?;
        reserved.settle(&Lists::new(offsets, &mut Vector::Null(0)));
        Ok(())
    }

    fn append(
        &mut self,
        file: &File<'_>,
        window: RowWindow<'_>,
        reserved: &mut Reserved<'_>,
        out: Lists<'_>,
    ) -> Result<()> {
        let Lists { offsets, values } = out;
        self.blobs(file, values, |reader, values| {
            let mut out = Lists { offsets, values };
            reader.pieces(file, window, |reader, piece| reader.append_piece(file, piece, reserved, &mut out))
        })
    }

    fn append_piece(
        &mut self,
        file: &File<'_>,
        piece: Piece,
        reserved: &mut Reserved<'_>,
        out: &mut Lists<'_>,
    ) -> Result<()> {
        let mut block = std::mem::take(&mut self.block);
        let (data, value_type, entries) = (self.loaded(file), self.value_type, piece.entries);
        reserved.count(entries)?;
        let lists = out.offsets.is_some();
        if lists || !out.values.has_room(piece.to_come) {
            let most = block.most(data, value_type, entries, lists);
            let exact = || block.counted(data, value_type, entries, lists);
            reserved.take(out, most, piece.likely(value_type, lists), exact)?;
        }
        let before = out.len();
        match &mut out.offsets {
            Some(offsets) => block.arrays(data, value_type, entries, offsets, out.values)?,
            None => block.values(data, value_type, entries, out.values)?,
        }
        reserved.settle(out);
        let after = out.len();
        reserved.count_items(after.0 - before.0, after.1.saturating_sub(before.1))?;
        self.block = block;
        self.passed.0 = self.passed.0.saturating_add(entries as u64);
        Ok(())
    }

    /// Calls with byte strings in place of strings, so that these are checked once for all blocks.
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
            (None, Err(error)) => Err(file.in_column(self.number, error.of("a string"))),
            (None, Ok(())) => Ok(()),
        }
    }

    /// Calls for each part of the selected rows that lies in one block, with its number of entries. After
    /// an error the position is lost.
    fn pieces(
        &mut self,
        file: &File<'_>,
        window: RowWindow<'_>,
        call: impl FnMut(&mut Self, Piece) -> Result<()>,
    ) -> Result<()> {
        self.each_piece(file, window, call).inspect_err(|_| self.row = INVALID_ROW)?;
        self.release_if_scarce();
        Ok(())
    }

    fn each_piece(
        &mut self,
        file: &File<'_>,
        window: RowWindow<'_>,
        mut call: impl FnMut(&mut Self, Piece) -> Result<()>,
    ) -> Result<()> {
        for rows in window.selected {
            let mut row = rows.start;
            self.pass(window.row + row as u64, window);
            while row < rows.end {
                self.load(file)?;
                let count = (rows.end - row).min(self.left as usize);
                let entries = window.entries(&(row..row + count)).len();
                let to_come = window.entries(&(row..rows.end)).len();
                // One entry needs no room for others.
                let bytes = if to_come > 1 { self.likely_bytes(file, rows.end - row) } else { 0 };
                call(self, Piece { entries, to_come, bytes }).map_err(|error| self.here(file, error))?;
                self.read(file, count as u32)?;
                row += count;
            }
        }
        self.pass(window.end(), window);
        Ok(())
    }

    /// Approximate bytes of a number of rows, the next ones of the loaded block among them, which are one in
    /// [`BLOCKS_LIKELY`] at least.
    fn likely_bytes(&self, file: &File<'_>, rows: usize) -> usize {
        let loaded = self.loaded(file);
        // A typed block need not have as many bytes before the codec as the block table says.
        let rest = self.block.rest(loaded).min(loaded.len().saturating_mul(RATIO_LIKELY));
        let left = self.left.max(1) as usize;
        let most = rest.saturating_mul(BLOCKS_LIKELY);
        rows.checked_mul(rest).map_or(rest, |product| (product / left).min(most))
    }

    /// As [`skip_entries`](Self::skip_entries); where the block is kept, from the nearest place in it that is known.
    pub(super) fn pass_entries(&mut self, file: &File<'_>, entries: u64) -> Result<u64> {
        let (at, before) = self.passed;
        let to = at.saturating_add(entries);
        let Some(block) = self.cached.clone().filter(|block| at == 0 || entries >= block.step) else {
            let total = self.skip_entries(file, entries)?;
            self.passed = (to, before.saturating_add(total));
            return Ok(total);
        };
        let (Mark { entries: mut passed, mut total, place }, mut is_next) = block.before(to);
        self.block = place;
        while is_next && passed + block.step <= to {
            total = total.saturating_add(self.skip_entries(file, block.step)?);
            passed += block.step;
            block.note(Mark { entries: passed, total, place: self.block.clone() });
            is_next = block.before(passed).1;
        }
        total = total.saturating_add(self.skip_entries(file, to - passed)?);
        self.passed = (to, total);
        Ok(total.saturating_sub(before))
    }

    /// Passes over entries of the loaded block; returns the sum of their lengths.
    pub(super) fn skip_entries(&mut self, file: &File<'_>, entries: u64) -> Result<u64> {
        let mut block = std::mem::take(&mut self.block);
        let data = self.loaded(file);
        let done = if self.array {
            block.skip_arrays(data, self.value_type, entries)
        } else {
            block.skip_values(data, self.value_type, entries).map(|()| 0)
        };
        let total = done.map_err(|error| self.here(file, error))?;
        self.block = block;
        Ok(total)
    }

    /// Counts rows of the loaded block as read; at its end nothing may be left of it.
    #[inline]
    pub(super) fn read(&mut self, file: &File<'_>, rows: u32) -> Result<()> {
        self.left -= rows;
        self.row = self.row.saturating_add(u64::from(rows));
        if self.left == 0 {
            self.block.finish(self.loaded(file)).map_err(|error| self.here(file, error))?;
        }
        Ok(())
    }

    /// Loads the block of the current row, if it is not there yet, and skips what must be.
    #[inline]
    pub(super) fn load(&mut self, file: &File<'_>) -> Result<()> {
        while self.left == 0 {
            self.load_next(file)?;
        }
        if self.released {
            self.fetch_again(file)?;
        }
        if self.pending_skip.rows > 0 {
            let skip = std::mem::take(&mut self.pending_skip);
            let is_first = self.left == self.table.rows(self.next.saturating_sub(1));
            self.pass_entries(file, skip.entries)?;
            self.left -= skip.rows.min(self.left);
            // A typed block is passed over by its frames.
            if is_first && self.cached.is_none() && matches!(self.block, BlockReader::Plain(_)) {
                self.skipped = Some((skip, self.block.clone()));
            }
        }
        Ok(())
    }

    fn load_next(&mut self, file: &File<'_>) -> Result<()> {
        let Some(block) = self.table.get(self.next) else {
            // The table has been checked to have as many rows as the file.
            return Err(Malformed::End { needed: 1, available: 0 }.of("the column"));
        };
        self.next += 1;
        if block.rows == 0 {
            return Ok(());
        }
        self.fetch(file, self.next - 1, &block)?;
        self.left = block.rows;
        (self.block, self.passed) = (self.start.clone(), (0, 0));
        Ok(())
    }

    /// Brings the bytes of a block into memory.
    fn fetch(&mut self, file: &File<'_>, number: usize, block: &Block) -> Result<()> {
        (self.loaded, self.released, self.skipped) = (None, false, None);
        let done = self.try_fetch(file, number, block);
        done.map_err(|error| self.here(file, error).at_offset(block.offset))?;
        self.loaded = Some(number);
        Ok(())
    }

    fn try_fetch(&mut self, file: &File<'_>, number: usize, block: &Block) -> Result<()> {
        self.cached = None;
        if self.keeps_blocks
            && let Some(cached) = file.cache().get((self.number, number))
        {
            (self.start, self.bytes_at) = (cached.start.clone(), cached.bytes_at);
            self.cached = Some(cached);
            return Ok(());
        }
        let Self { table, ahead, data, memory, .. } = self;
        let (source, offset, len) = (&*file.source, block.offset, table.stored(block));
        let room = ahead.room(source, offset, len);
        memory.at_least(room.saturating_add(data.capacity()) as u64)?;
        ahead.read(source, offset, len, table.ends(number).take_while(|end| *end <= file.len))?;
        let stored = ahead.get(source, offset, len);
        let column_type = ColumnType { value_type: Some(self.value_type), array: self.array };
        let opened = if table.codec.encodes_values() {
            let mut unpacked = memory.beside(room);
            table.open_typed(block, stored, column_type, &file.decompressors, data, &mut unpacked)?
        } else {
            table.unpack(block, stored, &file.decompressors, data, &mut memory.beside(room))?;
            None
        };
        self.bytes_at = match (table.codec, &opened) {
            (Codec::Null, _) | (Codec::Typed, Some(_)) => {
                BlockBytes::Stored(offset, block.compressed as usize)
            }
            _ => BlockBytes::Own,
        };
        self.start = match opened {
            Some(cursor) => BlockReader::after(table.codec, cursor, &self.start),
            None => BlockReader::default(),
        };
        if let Some(order) = &mut self.order {
            order.take(table, number, table.split_sum(block, stored).1)?;
        }
        if self.keeps_blocks {
            let bytes = match self.bytes_at {
                BlockBytes::Own => std::mem::take(data),
                BlockBytes::Stored(offset, len) if source.slice(offset, len).is_none() => {
                    ahead.get(source, offset, len).to_vec()
                }
                BlockBytes::Stored(..) => Vec::new(),
            };
            let cached = Arc::new(CachedBlock::new(bytes, self.bytes_at, self.start.clone(), block.rows));
            let is_kept = file.cache().put((self.number, number), &cached);
            if is_kept {
                self.ahead.release(offset.saturating_add(len as u64));
                let room = self.ahead.room(source, offset, 0);
                self.memory.at_most(room as u64);
            }
            // The bytes of one that is not kept are those that have been counted.
            let is_own = matches!(self.bytes_at, BlockBytes::Own);
            self.cached = (is_kept || is_own).then_some(cached);
        }
        Ok(())
    }

    /// Gives back the bytes of the loaded block where memory is scarce: they are fetched once more for the next rows.
    fn release_if_scarce(&mut self) {
        if self.memory.is_scarce() {
            self.released = self.loaded.take().is_some();
            (self.data, self.cached, self.ahead) = (Vec::new(), None, self.ahead.emptied());
            self.memory.at_most(0);
        }
    }

    /// Fetches the bytes of the block of the current row once more.
    #[cold]
    fn fetch_again(&mut self, file: &File<'_>) -> Result<()> {
        let number = self.next.saturating_sub(1);
        match self.table.get(number) {
            Some(block) => self.fetch(file, number, &block),
            None => Err(Error::internal("a block that was there is not")),
        }
    }

    /// The bytes of the loaded block.
    fn loaded<'a>(&'a self, file: &'a File<'_>) -> &'a [u8] {
        match (&self.cached, self.bytes_at) {
            (Some(cached), BlockBytes::Own) => &cached.bytes,
            (Some(cached), _) if !cached.bytes.is_empty() => &cached.bytes,
            (_, BlockBytes::Own) => &self.data,
            (_, BlockBytes::Stored(offset, len)) => self.ahead.get(&*file.source, offset, len),
        }
    }

    /// Adds column and block to an error.
    #[cold]
    fn here(&self, file: &File<'_>, error: Error) -> Error {
        file.in_column(self.number, error.in_block(self.next.saturating_sub(1)))
    }
}
