//! Files of any dialects into one: batches are decoded and encoded again.

use super::compare::{Difference, difference};
use super::{Merge, inherit};
use crate::batch::Batch;
use crate::dialect::Dialect;
use crate::dialect::merge::Merged;
use crate::error::{Category, Error, ErrorKind, Result};
use crate::reader::Reader;
use crate::shape::Shape;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files that are merged, and the paths of those that have one.
pub(super) struct Inputs<'r, 's> {
    pub(super) readers: &'r [Reader<'s>],
    pub(super) names: &'r [PathBuf],
}

/// Writes the rows of all readers, one after the other, in a dialect, compactly or not; temporary files are made beside a path.
///
/// # Errors
///
/// No readers, projected ones, other rows than in the first, what cannot be decoded, options that the dialect does not
/// have, a sink that fails.
pub(super) fn write<W: Write>(
    inputs: &Inputs<'_, '_>,
    merge: &Merge,
    (target, compact): (Dialect, bool),
    sink: &mut W,
    beside: &Path,
) -> Result<Merged> {
    let Some(first) = inputs.readers.first() else {
        return Err(Error::option("there are no files to merge"));
    };
    inputs.check(first.shape())?;
    let mut builder = inherit::options(inputs.readers, first, &merge.options, target)?.compact(compact);
    if let Some(bytes) = merge.memory_limit {
        builder = builder.with_memory(bytes);
    }
    let mut writer = builder.build_beside(sink, beside)?;
    let shape = Arc::new(writer.shape().clone());
    let mut report = Merged::default();
    for (number, reader) in inputs.readers.iter().enumerate() {
        let here = |error| inputs.here(number, error);
        let (blocks, rows) = blocks(reader).map_err(here)?;
        report.blocks_rewritten += blocks;
        for batch in rows.batches().map_err(here)? {
            let batch = batch.map_err(here)?;
            let (branches, rows) = (batch.branches(), batch.selection().clone());
            report.rows += batch.len() as u64;
            let (_, vector) = batch.into_parts();
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

impl Inputs<'_, '_> {
    /// Compares all files with the first, whose rows have this shape.
    fn check(&self, shape: &Shape) -> Result<()> {
        for (number, reader) in self.readers.iter().enumerate() {
            if let Some(Difference { place, one, two }) = difference(shape, reader.shape()) {
                let other = self.name(0);
                let error = Error::from(ErrorKind::PartMismatch { place, found: two, expected: one, other });
                return Err(error.in_file(Path::new(&self.name(number))));
            }
        }
        Ok(())
    }

    /// Says which file an error comes from.
    #[cold]
    fn here(&self, number: usize, error: Error) -> Error {
        match self.names.get(number) {
            Some(path) => error.in_file(path),
            None => error,
        }
    }

    /// Name for a message.
    fn name(&self, number: usize) -> String {
        match self.names.get(number) {
            Some(path) => path.display().to_string(),
            None => format!("file {number}"),
        }
    }
}
