//! Rows in another order, a part of the result at a time: a part is as many rows as memory has room for, and the file is
//! read once for each.

use crate::failure::Failure;
use crate::interrupt;
use crate::output::Columns;
use crate::progress::Progress;
use crate::sorter::Sorter;
use std::ops::Range;
use std::path::Path;
use trevni::{Batch, Reader, RowSelection};

/// Rows that are brought in order at once, at least.
const ROWS: usize = 4096;
/// How often rows of a part are brought in order, at most: each time looks at all batches.
const TIMES: usize = 512;
/// Bytes that the place of a row takes.
const PLACE_BYTES: u64 = 40;

/// Writes rows in this order, by their positions among the rows of the reader.
pub(super) fn write(
    rows: &Reader<'_>,
    name: &str,
    order: Sorter,
    memory: usize,
    columns: &mut Columns,
) -> Result<(), Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let positions = Positions::of(rows).map_err(failed)?;
    let progress = Progress::rows("writing", positions.count);
    let at_once = memory as u64 / bytes_of_row(rows).map_err(failed)?;
    let at_once = usize::try_from(at_once).unwrap_or(usize::MAX).max(1);
    let is_whole = usize::try_from(positions.count).is_ok_and(|count| count <= at_once);
    let write = |part: &[u64], columns: &mut Columns| match is_whole {
        true => gathered(rows, part, columns, &progress),
        false => positions.write(rows, part, columns, &progress),
    };
    let mut part = Vec::new();
    order.finish(|position| {
        part.push(position.try_into().map_or(0, u64::from_le_bytes));
        if part.len() == at_once {
            write(&part, columns).map_err(failed)?;
            part.clear();
        }
        Ok(true)
    })?;
    write(&part, columns).map_err(failed)
}

/// The numbers of the rows of a reader in its file.
struct Positions {
    /// The first position of each range of numbers.
    starts: Vec<u64>,
    ranges: Vec<Range<u64>>,
    count: u64,
}

impl Positions {
    fn of(rows: &Reader<'_>) -> trevni::Result<Self> {
        let ranges = rows.matching()?.ranges().to_vec();
        let mut starts = Vec::with_capacity(ranges.len());
        let mut count = 0;
        for range in &ranges {
            starts.push(count);
            count += range.end - range.start;
        }
        Ok(Self { starts, ranges, count })
    }

    /// The number of the row at a position.
    fn number(&self, position: u64) -> Option<u64> {
        let at = self.starts.partition_point(|start| *start <= position).checked_sub(1)?;
        Some(self.ranges.get(at)?.start + position - self.starts.get(at)?)
    }

    /// Writes the rows at these positions, for which the file is read once.
    fn write(
        &self,
        rows: &Reader<'_>,
        part: &[u64],
        columns: &mut Columns,
        progress: &Progress,
    ) -> trevni::Result<()> {
        let mut wanted = part.to_vec();
        wanted.sort_unstable();
        let numbers = wanted.iter().filter_map(|position| self.number(*position));
        let selection: RowSelection = numbers.map(|number| number..number + 1).collect();
        let place = |position: &u64| wanted.partition_point(|own| own < position) as u64;
        let places: Vec<u64> = part.iter().map(place).collect();
        drop(wanted);
        gathered(&rows.select(selection)?, &places, columns, progress)
    }
}

/// About the bytes of a row in memory, by the bytes of its columns before the codec.
fn bytes_of_row(rows: &Reader<'_>) -> trevni::Result<u64> {
    let read: Vec<String> = rows.explain()?.columns.into_iter().map(|column| column.name).collect();
    let mut bytes = 0;
    for (number, column) in rows.columns().iter().enumerate() {
        if read.iter().any(|name| name == column.name()) {
            bytes += rows.blocks(number)?.iter().map(|block| u64::from(block.size)).sum::<u64>();
        }
    }
    // Small integers take less in a file; and each row has a place.
    Ok(2 * bytes / rows.row_count().max(1) + 8 * read.len() as u64 + PLACE_BYTES)
}

/// Writes all rows of a reader in an order; all of them are in memory.
fn gathered(
    rows: &Reader<'_>,
    order: &[u64],
    columns: &mut Columns,
    progress: &Progress,
) -> trevni::Result<()> {
    let batches: Vec<Batch> = rows.batches()?.collect::<trevni::Result<_>>()?;
    let starts: Vec<u64> = batches
        .iter()
        .scan(0_u64, |next, batch| {
            let start = *next;
            *next += batch.len() as u64;
            Some(start)
        })
        .collect();
    // The last batch that begins at the row or before it.
    let place = |row: &u64| {
        let batch = starts.partition_point(|start| start <= row).saturating_sub(1);
        (batch, (row - starts.get(batch).copied().unwrap_or(0)) as usize)
    };
    for rows in order.chunks(ROWS.max(order.len() / TIMES)) {
        interrupt::check()?;
        let places: Vec<(usize, usize)> = rows.iter().map(place).collect();
        columns.write_batch(&Batch::gather(&batches, &places)?)?;
        progress.add(rows.len() as u64);
    }
    Ok(())
}
