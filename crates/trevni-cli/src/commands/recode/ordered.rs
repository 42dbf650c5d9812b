//! Rows in another order, a part of the result at a time: a part is as many rows as memory has room for, and the file is
//! read once for each.

use crate::interrupt;
use crate::output::Columns;
use crate::progress::Progress;
use trevni::{Batch, Reader, RowSelection};

/// Bytes of rows in memory, unless it is said otherwise.
pub(super) const MEMORY: usize = 256 << 20;
/// Rows that are brought in order at once, at least.
const ROWS: usize = 4096;
/// How often rows of a part are brought in order, at most: each time looks at all batches.
const TIMES: usize = 512;

/// Writes rows in this order, by their positions among the rows of the reader.
pub(super) fn write(
    rows: &Reader<'_>,
    order: &[usize],
    memory: usize,
    columns: &mut Columns,
) -> trevni::Result<()> {
    let progress = Progress::rows("writing", order.len() as u64);
    let at_once = usize::try_from(memory as u64 / bytes_of_row(rows)?).unwrap_or(usize::MAX).max(1);
    if order.len() <= at_once {
        return gathered(rows, order, columns, &progress);
    }
    let numbers: Vec<u64> = rows.matching()?.ranges().iter().cloned().flatten().collect();
    for part in order.chunks(at_once) {
        let mut wanted = part.to_vec();
        wanted.sort_unstable();
        let number = |position: &usize| numbers.get(*position).copied();
        let selection: RowSelection =
            wanted.iter().filter_map(number).map(|number| number..number + 1).collect();
        let places: Vec<usize> =
            part.iter().map(|position| wanted.partition_point(|own| own < position)).collect();
        gathered(&rows.select(selection)?, &places, columns, &progress)?;
    }
    Ok(())
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
    // Small integers take less in a file.
    Ok(2 * bytes / rows.row_count().max(1) + 8 * read.len() as u64 + 1)
}

/// Writes all rows of a reader in an order; all of them are in memory.
fn gathered(
    rows: &Reader<'_>,
    order: &[usize],
    columns: &mut Columns,
    progress: &Progress,
) -> trevni::Result<()> {
    let batches: Vec<Batch> = rows.batches()?.collect::<trevni::Result<_>>()?;
    let starts: Vec<usize> = batches
        .iter()
        .scan(0, |next, batch| {
            let start = *next;
            *next += batch.len();
            Some(start)
        })
        .collect();
    // The last batch that begins at the row or before it.
    let place = |row: &usize| {
        let batch = starts.partition_point(|start| start <= row).saturating_sub(1);
        (batch, row - starts.get(batch).copied().unwrap_or(0))
    };
    for rows in order.chunks(ROWS.max(order.len() / TIMES)) {
        interrupt::check()?;
        let places: Vec<(usize, usize)> = rows.iter().map(place).collect();
        columns.write_batch(&Batch::gather(&batches, &places)?)?;
        progress.add(rows.len() as u64);
    }
    Ok(())
}
