//! Reads one column: blocks into levels and values, from any row on.

use super::block;
use super::file::File;
use super::table::Table;
use crate::bytes::reader::{Bytes, Malformed, Part};
use crate::dialect::Layout;
use crate::dialect::dremel::Out;
use crate::error::{Error, ErrorKind, Result};
use crate::levels::{Levels, Place, count};
use crate::sort;
use crate::storage::blocks::{Block, BlockOrder};
use crate::storage::budget::{BatchHold, Hold};
use crate::storage::checksum::Placement;
use crate::storage::codec::Codec;
use crate::storage::read_ahead::{ReadAhead, read_together};
use crate::storage::reserved::{More, Reserved};
use crate::storage::value_type::ValueType;
use crate::storage::values::decode::{self as values, Bits};
use crate::storage::values::skip::skip;
use crate::storage::values::{as_blobs, next_value};
use crate::vector::Vector;
use crate::vector::room::Growth;
use std::ops::Range;
use std::sync::Arc;

/// A position in a column.
pub(crate) struct Cursor {
    pub(super) number: usize,
    value_type: ValueType,
    greatest: Place,
    /// Values of each entry.
    width: usize,
    table: Arc<Table>,
    ahead: ReadAhead,
    /// The loaded block where it had to be uncompressed.
    data: Vec<u8>,
    loaded: Option<Loaded>,
    /// The levels of the loaded block.
    levels: Levels,
    /// A row of the loaded block, and the entry that it begins with.
    row: (u64, usize),
    next: NextValue,
    /// Compares the checksums of all blocks, where they are read one after the other.
    order: Option<BlockOrder>,
    /// The memory of the block, of its levels, and of what is read ahead.
    memory: Hold,
}

/// A block that is in memory.
#[derive(Clone)]
struct Loaded {
    block: usize,
    first_row: u64,
    rows: u32,
    /// Where its bytes are in the file; `None` where they are uncompressed.
    stored: Option<(u64, usize)>,
    /// Where its values are among its bytes.
    values: Range<usize>,
}

/// The next value that has not been decoded: that of an entry, and where it is.
#[derive(Clone, Copy, Default)]
struct NextValue {
    entry: usize,
    position: usize,
    bits: Bits,
}

impl Cursor {
    pub(super) fn open(file: &File<'_>, number: usize) -> Result<Self> {
        let (column, table) = (file.column(number)?, file.table(number)?);
        Ok(Self {
            number,
            value_type: column.value_type,
            greatest: column.greatest,
            width: column.width.unwrap_or(1),
            order: BlockOrder::from_table(&table.blocks),
            table,
            ahead: ReadAhead::new(file.header.columns().len()),
            data: Vec::new(),
            loaded: None,
            levels: Levels::default(),
            row: (0, 0),
            next: NextValue::default(),
            memory: Hold::new(&file.budget),
        })
    }

    /// Appends the levels and values of some rows, counted from `row`.
    pub(super) fn read(
        &mut self,
        file: &File<'_>,
        row: u64,
        picks: &[Range<usize>],
        hold: &BatchHold,
        out: Out<'_>,
    ) -> Result<()> {
        let mut reserved = Reserved::new(hold, self.greatest.repetition > 0, &out)?;
        let Out { mut levels, values, greatest } = out;
        let checked = match values {
            None => {
                let mut out = Out { levels, values, greatest };
                self.rows(file, row, picks, &mut reserved, &mut out)?;
                reserved.settle(&out);
                Ok(())
            }
            Some(values) => {
                let mut failed = None;
                let checked = as_blobs(values, |values| {
                    let mut out = Out { levels: levels.as_deref_mut(), values: Some(values), greatest };
                    failed = self.rows(file, row, picks, &mut reserved, &mut out).err();
                    Ok(())
                });
                if let Some(error) = failed {
                    return Err(error);
                }
                reserved.settle(&Out { levels, values: Some(values), greatest });
                checked
            }
        };
        self.release_if_scarce();
        checked.map_err(|error| error.of("a string"))
    }

    /// Gives back the loaded block where memory is scarce: it is loaded once more for the next rows.
    fn release_if_scarce(&mut self) {
        if self.memory.is_scarce() {
            self.loaded = None;
            (self.data, self.levels, self.ahead) = (Vec::new(), Levels::default(), self.ahead.emptied());
            self.memory.at_most(0);
        }
    }

    fn rows(
        &mut self,
        file: &File<'_>,
        row: u64,
        picks: &[Range<usize>],
        reserved: &mut Reserved<'_>,
        out: &mut Out<'_>,
    ) -> Result<()> {
        for pick in picks {
            let (mut at, end) = (row + pick.start as u64, row + pick.end as u64);
            while at < end {
                let number = self.block_of(at);
                let loaded = self.load(file, number)?;
                let here = (loaded.first_row + u64::from(loaded.rows)).min(end);
                if here <= at {
                    return Err(Error::internal(format!("row {at} is not in block {number}")));
                }
                let last = here == loaded.first_row + u64::from(loaded.rows);
                let start = self.entry_of(&loaded, at);
                let stop = self.entry_after(start, (here - at) as usize);
                self.row = (here, stop);
                self.take(file, &loaded, start..stop, reserved, out)?;
                at = here;
                if last {
                    self.go_on(file, number + 1, reserved, out)?;
                }
            }
        }
        Ok(())
    }

    /// Takes what following blocks have of the row before them.
    fn go_on(
        &mut self,
        file: &File<'_>,
        mut number: usize,
        reserved: &mut Reserved<'_>,
        out: &mut Out<'_>,
    ) -> Result<()> {
        while self.table.continues.binary_search(&number).is_ok() {
            let loaded = self.load(file, number)?;
            let stop = self.first_entry();
            self.take(file, &loaded, 0..stop, reserved, out)?;
            if loaded.rows > 0 {
                break;
            }
            number += 1;
        }
        Ok(())
    }

    /// The block that a row begins in.
    fn block_of(&self, row: u64) -> usize {
        match &self.loaded {
            Some(loaded) if (loaded.first_row..loaded.first_row + u64::from(loaded.rows)).contains(&row) => {
                loaded.block
            }
            _ => self.table.blocks.block_of(row).0,
        }
    }

    /// The first entry of the loaded block that begins a row.
    fn first_entry(&self) -> usize {
        self.levels.repetition.iter().position(|level| *level == 0).unwrap_or(self.levels.repetition.len())
    }

    /// The entry of the loaded block that a row begins with.
    fn entry_of(&self, loaded: &Loaded, row: u64) -> usize {
        if self.greatest.repetition == 0 {
            return (row - loaded.first_row) as usize;
        }
        let (from, entry) = if self.row.0 <= row { self.row } else { (loaded.first_row, self.first_entry()) };
        self.entry_after(entry, (row - from) as usize)
    }

    /// The entry after a number of rows, the first of which begins with `entry`.
    fn entry_after(&self, entry: usize, rows: usize) -> usize {
        match self.greatest.repetition {
            0 => entry + rows,
            _ => self.levels.as_ref().after_rows(entry, rows),
        }
    }

    /// Appends the levels and values of entries of the loaded block.
    fn take(
        &mut self,
        file: &File<'_>,
        loaded: &Loaded,
        entries: Range<usize>,
        reserved: &mut Reserved<'_>,
        out: &mut Out<'_>,
    ) -> Result<()> {
        let most = match out.values {
            Some(_) => self.most(file, loaded, entries.clone())?,
            None => More { entries: entries.len(), ..More::default() },
        };
        reserved.take(out, most, More::default(), || Ok(most))?;
        reserved.count(entries.len())?;
        if let Some(out) = &mut out.levels {
            out.entries += entries.len();
            // There are no levels where the greatest is 0.
            if self.greatest.repetition > 0 {
                out.repetition.extend_from_slice(self.levels.repetition.part(entries.clone())?);
            }
            if self.greatest.definition > 0 {
                out.definition.extend_from_slice(self.levels.definition.part(entries.clone())?);
            }
        }
        match &mut out.values {
            Some(out) => {
                self.values(file, loaded, entries, out).map_err(|error| error.in_block(loaded.block))
            }
            None => Ok(()),
        }
    }

    /// The most that entries of the loaded block can be.
    fn most(&self, file: &File<'_>, loaded: &Loaded, entries: Range<usize>) -> Result<More> {
        let data = self.bytes(file, loaded).part(loaded.values.clone())?;
        let passed = if entries.start < self.next.entry { 0 } else { self.next.position };
        let rest = data.len().saturating_sub(passed);
        let values = self.values_of(entries.clone())?.min(rest.saturating_mul(8));
        Ok(More { entries: entries.len(), values, data: rest })
    }

    /// Number of values of some entries.
    fn values_of(&self, entries: Range<usize>) -> Result<usize> {
        let present = match self.greatest.definition {
            0 => entries.len(),
            most => count(self.levels.definition.part(entries)?, most),
        };
        Ok(present.saturating_mul(self.width))
    }

    fn values(
        &mut self,
        file: &File<'_>,
        loaded: &Loaded,
        entries: Range<usize>,
        out: &mut Vector,
    ) -> Result<()> {
        if entries.start < self.next.entry {
            self.next = NextValue::default();
        }
        let passed = self.values_of(self.next.entry..entries.start)?;
        let taken = self.values_of(entries.clone())?;
        let data = self.bytes(file, loaded).part(loaded.values.clone())?;
        let mut bytes = Bytes::at(data, self.next.position);
        let mut bits = self.next.bits;
        skip(&mut bytes, &mut bits, self.value_type, passed as u64).map_err(|error| error.of("a value"))?;
        // Each value takes a bit at least.
        out.try_reserve(taken.min(data.len()))?;
        values::show(self.value_type, out, &mut |values| values.decode(&mut bytes, &mut bits, taken))
            .map_err(|error| error.of("a value"))?;
        let left = bytes.remaining();
        self.next = NextValue { entry: entries.end, position: bytes.position(), bits };
        let is_last = entries.end >= self.entries(loaded);
        let may_be_left = self.value_type == ValueType::Boolean && file.header.layout == Layout::ValuesFirst;
        match left {
            0 => Ok(()),
            count if is_last && !may_be_left && !self.has_spare(loaded) => {
                Err(ErrorKind::TrailingBytes { count }.into())
            }
            _ => Ok(()),
        }
    }

    /// Number of entries of the loaded block that count.
    fn entries(&self, loaded: &Loaded) -> usize {
        match self.greatest.repetition {
            0 => loaded.rows as usize,
            _ => self.levels.entries,
        }
    }

    fn has_spare(&self, loaded: &Loaded) -> bool {
        self.table.has_spare && loaded.block + 1 == self.table.blocks.len()
    }

    /// The bytes of the loaded block.
    fn bytes<'a>(&'a self, file: &'a File<'_>, loaded: &Loaded) -> &'a [u8] {
        match loaded.stored {
            None => &self.data,
            Some((offset, len)) => self.ahead.get(&*file.source, offset, len),
        }
    }

    /// Loads a block, if it is not there yet.
    fn load(&mut self, file: &File<'_>, number: usize) -> Result<Loaded> {
        if let Some(loaded) = self.loaded.as_ref().filter(|loaded| loaded.block == number) {
            return Ok(loaded.clone());
        }
        self.loaded = None;
        let table = Arc::clone(&self.table);
        let Some(block) = table.blocks.get(number) else {
            return Err(Malformed::End { needed: 1, available: 0 }.of("the column"));
        };
        let loaded = self
            .load_block(file, number, &block)
            .map_err(|error| error.in_block(number).at_offset(block.offset))?;
        self.row = (loaded.first_row, self.first_entry());
        self.next = NextValue::default();
        Ok(self.loaded.insert(loaded).clone())
    }

    fn load_block(&mut self, file: &File<'_>, number: usize, block: &Block) -> Result<Loaded> {
        let table = Arc::clone(&self.table);
        let blocks = &table.blocks;
        let (offset, len) = (block.offset, blocks.stored(block));
        let entries = table.entries[number] as usize;
        let room = self.ahead.room(&*file.source, offset, len);
        self.memory.at_least(room.saturating_add(self.data.capacity()) as u64)?;
        let ends = blocks.ends(number).take_while(|end| *end <= file.len);
        self.ahead.read(&*file.source, offset, len, ends)?;
        let stored = self.ahead.get(&*file.source, offset, len);
        let Self { data, memory, .. } = self;
        let data = blocks.unpack(block, stored, &file.decompressors, data, &mut memory.beside(room))?;
        if let Some(order) = &mut self.order {
            order.take(blocks, number, blocks.split_sum(block, stored).1)?;
        }
        let layout = file.header.layout;
        let held = stored.len().saturating_add(data.len()) as u64;
        let levels =
            Levels::default().room(entries.min(data.len().saturating_mul(8)), self.greatest, Growth::Exact);
        self.memory.at_least(held.saturating_add(levels))?;
        let values = block::levels(data, entries, self.greatest, layout, &mut self.levels)?;
        if self.greatest.repetition > 0 {
            let continues = table.continues.binary_search(&number).is_ok();
            let begins = self.levels.repetition.first() == Some(&0) || entries == 0;
            let (expected, found) = (u64::from(block.rows), self.levels.as_ref().rows() as u64);
            if found != expected || begins == continues {
                return Err(ErrorKind::RowCount { expected, found }.into());
            }
        }
        check_first(&data[values.clone()], blocks.first_value(number), self.value_type)?;
        let stored = (blocks.codec == Codec::Null).then(|| match blocks.form.checksum {
            Placement::BeforeLittle => {
                let size = blocks.checksum.size();
                (offset + size as u64, block.compressed as usize)
            }
            Placement::After | Placement::AfterLittle => (offset, block.compressed as usize),
        });
        Ok(Loaded { block: number, first_row: block.first_row, rows: block.rows, stored, values })
    }

    /// Reads the blocks that some cursors need for a row, those of neighbours together.
    pub(super) fn prefetch(file: &File<'_>, cursors: &mut [&mut Self], first: u64, row: u64) -> Result<()> {
        /// About the most bytes that are read together; what is beyond is read when it is needed.
        const PREFETCH_BYTES: usize = 32 << 20;
        let mut ranges: Vec<(u64, &mut [u8])> = Vec::new();
        let mut bytes = 0;
        for cursor in cursors.iter_mut().filter(|cursor| !cursor.has(first) && !cursor.has(row)) {
            let number = cursor.table.blocks.block_of(row).0;
            let Some(block) = cursor.table.blocks.get(number).filter(|_| bytes <= PREFETCH_BYTES) else {
                continue;
            };
            let len = cursor.table.blocks.stored(&block);
            // What is loaded may be among the bytes that are replaced.
            cursor.loaded = None;
            // Budget errors surface when the block is loaded.
            let room = cursor.ahead.room(&*file.source, block.offset, len) + cursor.data.capacity();
            if cursor.memory.at_least(room as u64).is_err() {
                continue;
            }
            let ends = cursor.table.blocks.ends(number).take_while(|end| *end <= file.len);
            if let Some(range) = cursor.ahead.request(&*file.source, block.offset, len, ends) {
                bytes += range.1.len();
                ranges.push(range);
            }
        }
        sort::by_key(&mut ranges, |(offset, _)| *offset);
        if ranges.is_empty() {
            return Ok(());
        }
        let done = read_together(&*file.source, &mut ranges);
        if !matches!(done, Ok(true)) {
            // A block that is loaded was not among what was asked for.
            let asked = cursors.iter_mut().filter(|cursor| cursor.loaded.is_none());
            asked.for_each(|cursor| cursor.ahead.forget());
        }
        done.map(drop)
    }

    /// Whether the block of a row is loaded.
    fn has(&self, row: u64) -> bool {
        self.loaded.as_ref().is_some_and(|loaded| loaded.block == self.table.blocks.block_of(row).0)
    }
}

/// Compares the first value of a block with that of its descriptor.
fn check_first(values: &[u8], first: &[u8], value_type: ValueType) -> Result<()> {
    if first.is_empty() {
        return Ok(());
    }
    let found = next_value(&mut Bytes::new(values), value_type).map_err(|error| error.of("a value"))?;
    let is_same = match (found, first) {
        ([found], [first]) if value_type == ValueType::Boolean => found & 1 == first & 1,
        _ => found == first,
    };
    if is_same {
        Ok(())
    } else {
        Err(Error::value("the block begins with another value than its descriptor says"))
    }
}
