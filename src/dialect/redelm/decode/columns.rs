//! The columns of a file for a decoder of levels: row groups as one sequence of rows.

use super::chunk::{Chunk, Spare};
use super::file::File;
use crate::dialect::dremel::{Columns, Out};
use crate::error::{Error, Result};
use crate::levels::Place;
use crate::sort;
use crate::storage::budget::{BatchHold, Hold};
use crate::storage::read_ahead::read_together;
use crate::storage::reserved::Reserved;
use std::ops::Range;

/// A position in a column.
pub(crate) struct Cursor {
    column: usize,
    /// The row group whose bytes are at hand.
    chunk: Option<(usize, Chunk)>,
    /// Bytes of a row group that have been read before they are needed.
    ahead: Option<(usize, Vec<u8>, Hold)>,
    /// Memory of bytes that were at hand.
    spare: Spare,
}

impl Columns for File<'_> {
    type Cursor = Cursor;

    fn open(&self, column: usize) -> Result<Cursor> {
        self.column(column)?;
        Ok(Cursor { column, chunk: None, ahead: None, spare: Spare::default() })
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn hold(&self) -> BatchHold {
        BatchHold::new(&self.budget, &self.limits, self.len)
    }

    fn read(
        &self,
        cursor: &mut Cursor,
        row: u64,
        picks: &[Range<usize>],
        hold: &BatchHold,
        mut out: Out<'_>,
    ) -> Result<()> {
        let column = self.column(cursor.column)?;
        let mut is_first = true;
        let mut reserved = Reserved::new(hold, column.leaf.greatest.repetition > 0, &out)?;
        for pick in picks {
            let (mut from, to) = (row + pick.start as u64, row + pick.end as u64);
            while from < to {
                let (number, group) = self.group_of(from)?;
                let within = (from - group.first) as u32;
                let rows = (to - from).min(u64::from(group.rows - within)) as u32;
                let done = self.chunk(cursor, number, out.values.is_some()).and_then(|chunk| {
                    chunk.seek(self, column, within)?;
                    if is_first {
                        chunk.remember();
                    }
                    chunk.read(self, column, rows, Some(&mut reserved), out.reborrow())
                });
                done.map_err(|error| error.in_block(number).in_column(&column.name))?;
                from += u64::from(rows);
                is_first = false;
            }
        }
        Ok(())
    }

    fn prefetch(&self, cursors: &mut [&mut Cursor], _first: u64, row: u64) -> Result<()> {
        let Ok((number, group)) = self.group_of(row) else {
            return Ok(());
        };
        let mut wanted = Vec::new();
        for cursor in cursors.iter_mut() {
            let is_there = cursor.chunk.as_ref().is_some_and(|(own, _)| *own == number)
                || cursor.ahead.as_ref().is_some_and(|(own, ..)| *own == number);
            if let (false, Some(extent)) = (is_there, group.extents.get(cursor.column)) {
                let [start, .., end] = extent.borders;
                let hold = Hold::new(&self.budget);
                // Where there is no room, reading the column says so.
                if end - start <= self.limits.block_bytes && hold.add(end - start).is_ok() {
                    wanted.push((start, vec![0; (end - start) as usize], hold, cursor));
                }
            }
        }
        sort::by_key(&mut wanted, |(start, ..)| *start);
        let mut ranges: Vec<(u64, &mut [u8])> =
            wanted.iter_mut().map(|(start, bytes, ..)| (*start, bytes.as_mut_slice())).collect();
        if !read_together(&*self.source, &mut ranges)? {
            return Ok(());
        }
        for (_, bytes, hold, cursor) in wanted {
            cursor.ahead = Some((number, bytes, hold));
        }
        Ok(())
    }

    fn reads_ahead(&self) -> bool {
        !self.in_memory
    }

    fn greatest(&self, column: usize) -> Place {
        self.columns.get(column).map_or_else(Place::default, |column| column.greatest)
    }

    fn width(&self, _column: usize) -> Option<usize> {
        None
    }

    fn in_column(&self, column: usize, error: Error) -> Error {
        match self.columns.get(column) {
            Some(column) => error.in_column(&column.name),
            None => error,
        }
    }
}

impl File<'_> {
    /// The bytes of a column in a row group.
    fn chunk<'c>(&self, cursor: &'c mut Cursor, number: usize, wants_values: bool) -> Result<&'c mut Chunk> {
        let known = cursor.chunk.take();
        let chunk = match known {
            Some((own, chunk)) if own == number => chunk,
            other => {
                let mut spare = match other {
                    Some((_, chunk)) => chunk.into_spare(),
                    None => std::mem::take(&mut cursor.spare),
                };
                match cursor.ahead.take_if(|(own, ..)| *own == number) {
                    Some((_, bytes, _)) => spare.stored = bytes,
                    None => spare.stored.clear(),
                }
                self.open_chunk(cursor.column, number, spare, wants_values)?
            }
        };
        Ok(&mut cursor.chunk.insert((number, chunk)).1)
    }

    fn open_chunk(&self, column: usize, number: usize, spare: Spare, wants_values: bool) -> Result<Chunk> {
        let own = self.column(column)?;
        let group = self.header.groups.get(number);
        let extent = group.and_then(|group| Some((group.rows, *group.extents.get(column)?)));
        let (rows, extent) = extent.ok_or_else(|| Error::internal("a column is in no row group"))?;
        Chunk::open(self, own, rows, extent, spare, wants_values)
    }
}
