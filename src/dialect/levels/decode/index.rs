//! How many rows begin in each block of a column whose rows may have several entries.

use super::block;
use super::file::File;
use super::header::Column;
use crate::bytes::reader::Bytes;
use crate::error::{ErrorKind, Result};
use crate::levels::Levels;
use crate::metadata;
use crate::storage::blocks::BlockTable;
use crate::storage::budget::Hold;

/// Rows of blocks.
pub(super) struct Index {
    /// Number of rows that begin in each block.
    pub(super) rows: Vec<u32>,
    /// Blocks that begin within a row, ascending.
    pub(super) continues: Vec<usize>,
}

/// Finds the rows of blocks: in the column's metadata, where this crate keeps them, or else in the levels of all
/// blocks.
///
/// # Errors
///
/// Blocks that cannot be decoded, or do not have the file's rows.
pub(super) fn of(file: &File<'_>, column: &Column, blocks: &BlockTable, entries: &[u32]) -> Result<Index> {
    if let Some(rows) = stored(file, column, entries) {
        return Ok(Index { rows, continues: Vec::new() });
    }
    let mut index = Index { rows: Vec::with_capacity(entries.len()), continues: Vec::new() };
    let (mut stored, mut data, mut levels) = (Vec::new(), Vec::new(), Levels::default());
    let mut memory = Hold::of(&file.budget);
    for (number, (block, count)) in blocks.iter().zip(entries).enumerate() {
        if let Some(error) = blocks.missing(&block, file.len) {
            return Err(error.in_block(number));
        }
        let len = blocks.stored(&block);
        memory
            .at_least(len.saturating_add(data.capacity()) as u64)
            .map_err(|error| error.in_block(number))?;
        let bytes = match file.source.slice(block.offset, len) {
            Some(bytes) => bytes,
            None => {
                stored.resize(len, 0);
                file.source.read_at(block.offset, &mut stored)?;
                &stored
            }
        };
        let mut room = |bytes: usize| memory.at_least(len.saturating_add(bytes) as u64);
        let unpacked = blocks.unpack(&block, bytes, &file.decompressors, &mut data, &mut room);
        let decoded = unpacked.and_then(|bytes| {
            // Levels take a bit at least, and become two bytes.
            let levels_room = bytes.len().saturating_mul(16).min((*count as usize).saturating_mul(2));
            memory.at_least(len.saturating_add(bytes.len()).saturating_add(levels_room) as u64)?;
            block::levels(bytes, *count as usize, column.greatest, file.header.layout, &mut levels)
        });
        decoded.map_err(|error| error.in_block(number))?;
        index.rows.push(levels.as_ref().rows() as u32);
        if levels.repetition.first().is_some_and(|first| *first > 0) {
            index.continues.push(number);
        }
    }
    let found = index.rows.iter().copied().map(u64::from).sum();
    match file.header.rows {
        expected if expected == found && index.continues.first() != Some(&0) => Ok(index),
        expected => Err(ErrorKind::RowCount { expected, found }.into()),
    }
}

/// The rows of blocks that the column's metadata tell; none where these are no such thing.
fn stored(file: &File<'_>, column: &Column, entries: &[u32]) -> Option<Vec<u32>> {
    let mut bytes = Bytes::new(file.header.column_entries(column).get(metadata::BLOCK_ROWS)?);
    let mut next =
        |count: &u32| bytes.int().ok().and_then(|rows| u32::try_from(rows).ok()).filter(|rows| rows <= count);
    let rows: Vec<u32> = entries.iter().map(&mut next).collect::<Option<_>>()?;
    let found: u64 = rows.iter().copied().map(u64::from).sum();
    (bytes.remaining() == 0 && found == file.header.rows).then_some(rows)
}
