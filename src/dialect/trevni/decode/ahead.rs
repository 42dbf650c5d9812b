//! Reads the stored bytes of a column's blocks, some of them before they are needed.

use super::file::File;
use super::table::Table;
use crate::error::Result;
use std::ops::{Range, RangeInclusive};

/// About the most bytes that are read ahead at once, of all columns together.
const MOST_OF_ALL: usize = 512 << 10;
/// Of that, the least and the most of one column; a block is always read whole.
const OF_ONE: RangeInclusive<usize> = 16 << 10..=128 << 10;

/// Bytes of the file that have been read before they are needed.
#[derive(Default)]
pub(super) struct Ahead {
    start: u64,
    bytes: Vec<u8>,
    /// How much to read next time; grows as reading goes on.
    window: usize,
}

impl Ahead {
    /// Sees that the stored bytes of a block are in memory; reads some blocks behind it too.
    pub(super) fn read(&mut self, file: &File<'_>, table: &Table, number: usize) -> Result<()> {
        if let Some((offset, bytes)) = self.wanted(file, table, number) {
            file.source.read_at(offset, bytes).inspect_err(|_| self.forget())?;
        }
        Ok(())
    }

    /// What to read, and where to, so that the stored bytes of a block are in memory; none where they
    /// are.
    pub(super) fn wanted(
        &mut self,
        file: &File<'_>,
        table: &Table,
        number: usize,
    ) -> Option<(u64, &mut [u8])> {
        let block = table.get(number)?;
        let stored = table.stored(&block);
        if self.place(block.offset, stored).is_some() || file.source.slice(block.offset, stored).is_some() {
            return None;
        }
        // Further ahead where reading has gone on without a leap, no further than this block otherwise.
        let goes_on = (self.start..=self.start + self.bytes.len() as u64).contains(&block.offset);
        let most = (MOST_OF_ALL / file.header.len().max(1)).clamp(*OF_ONE.start(), *OF_ONE.end());
        self.window = if goes_on { self.window.saturating_mul(2).min(most) } else { 0 };
        let wanted = whole_blocks(table, number, self.window).max(stored);
        self.bytes.reserve_exact(wanted.saturating_sub(self.bytes.len()));
        self.bytes.resize(wanted, 0);
        self.window = self.window.max(stored.min(most));
        self.start = block.offset;
        Some((block.offset, &mut self.bytes))
    }

    /// Forgets bytes that could not be read.
    pub(super) fn forget(&mut self) {
        self.bytes.clear();
    }

    /// Bytes of the file that [`Ahead::read`] has seen to.
    pub(super) fn get<'a>(&'a self, file: &'a File<'_>, offset: u64, len: usize) -> &'a [u8] {
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

/// Bytes of the blocks from one on that are not more than this together: part of a block would be read twice.
fn whole_blocks(table: &Table, number: usize, most: usize) -> usize {
    let fit = table.starting_at(number).scan(0usize, |total, block| {
        *total = total.saturating_add(table.stored(&block));
        (*total <= most).then_some(*total)
    });
    fit.last().unwrap_or(0)
}
