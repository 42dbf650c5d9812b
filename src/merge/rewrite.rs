//! Files of any dialects into one: batches are decoded and encoded again.

use super::inputs::{Inputs, Joined};
use super::{Merge, inherit};
use crate::batch::Batch;
use crate::convert::Conversion;
use crate::dialect::Dialect;
use crate::dialect::merge::Merged;
use crate::error::{Category, Result};
use crate::reader::Reader;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Writes the rows of all readers, one after the other, in a dialect, compactly or not; temporary files are made beside a path.
///
/// # Errors
///
/// No readers, projected ones, what cannot be decoded, options that the dialect does not have, a sink that fails.
pub(super) fn write(
    inputs: &Inputs<'_, '_>,
    merge: &Merge,
    joined: &Joined,
    target: (Dialect, bool),
    sink: &mut dyn Write,
    beside: &Path,
) -> Result<Merged> {
    let mut builder = inherit::options(inputs, joined, &merge.options, target)?;
    if let Some(bytes) = merge.memory_limit {
        builder = builder.memory_limit(bytes);
    }
    if let Some(bytes) = merge.block_size {
        builder = builder.block_size(bytes);
    }
    let mut writer = builder.build_beside(sink, beside)?;
    let shape = Arc::new(writer.shape().clone());
    let mut report = Merged::default();
    for (number, reader) in inputs.readers.iter().enumerate() {
        let here = |error| inputs.here(number, error);
        let (blocks, rows) = blocks(reader).map_err(here)?;
        report.blocks_rewritten += blocks;
        let conversion = Conversion::from_rows(reader.row_count(), &rows.known_shape(), &shape)?;
        for batch in rows.batches().map_err(here)? {
            let batch = batch.map_err(here)?;
            let (branches, rows) = (batch.branches(), batch.selection().clone());
            report.rows += batch.len() as u64;
            let vector = conversion.apply(batch.into_parts().1).map_err(here)?;
            let batch = Batch::new(Arc::clone(&shape), branches, vector, rows);
            writer.write_batch(&batch).map_err(|error| match error.category() {
                Category::Io => error,
                _ => here(error),
            })?;
        }
    }
    writer.finish()?;
    Ok(report)
}

/// The number of blocks with rows that are wanted, and a reader of these rows.
fn blocks<'s>(reader: &Reader<'s>) -> Result<(u64, Reader<'s>)> {
    let (file, rows) = reader.whole_rows()?;
    let mut count = 0;
    for column in 0..file.column_count() {
        let mut first = 0u64;
        for (block, _) in file.block_sizes(column)? {
            let next = first.saturating_add(u64::from(block));
            count += u64::from(rows.meets(&(first..next)));
            first = next;
        }
    }
    Ok((count, reader.of_seen((*rows).clone())))
}
