//! The second reading: rows go to the writer.

use super::cells::Table;
use super::{Import, Known};
use crate::failure::Failure;
use crate::output::Columns;
use crate::progress::Progress;
use crate::text::{each, fold};
use std::path::Path;
use trevni_infer::plan::{self, Context, cells};
use trevni_infer::text::Chunk;

/// What was written.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) rows: u64,
    /// Bytes of the text.
    pub(super) bytes: u64,
    /// Numbers of skipped rows of JSON; of cells, only how many.
    pub(super) skipped: Vec<u64>,
    pub(super) first_skipped: Option<String>,
}

impl Done {
    fn skip(&mut self, row: u64, why: &str) {
        self.skipped.push(row);
        self.first_skipped.get_or_insert_with(|| why.to_owned());
    }
}

struct Writing<'a> {
    import: &'a Import<'a>,
    known: &'a Known,
    columns: &'a mut Columns,
    output: &'a Path,
    context: Context,
    /// The number of the cell for each field.
    places: Vec<Option<usize>>,
    done: Done,
    /// Rows that were read.
    read: u64,
}

/// Writes the first rows, up to a number.
pub(super) fn write(
    import: &Import<'_>,
    known: &Known,
    columns: &mut Columns,
    output: &Path,
    limit: u64,
) -> Result<Done, Failure> {
    let progress = Progress::rows("writing", known.rows.unwrap_or(0));
    let context = Context::new(known.node.is_none(), import.spelling.clone());
    let places = match known.plan.record().filter(|_| import.is_cells()) {
        Some(record) => import.places(record)?,
        None => Vec::new(),
    };
    let done = Done::default();
    let mut writing = Writing { import, known, columns, output, context, places, done, read: 0 };
    if import.is_cells() && limit == u64::MAX {
        let table = |chunk: &Chunk| Table::of(import, chunk, usize::MAX);
        fold(&import.text, table, |table| {
            writing.cells(&table, limit)?;
            progress.set(writing.done.rows);
            Ok(())
        })?;
        return Ok(writing.done);
    }
    each(&import.text, |chunk| {
        match import.is_cells() {
            true => {
                let left = usize::try_from(limit - writing.done.rows).unwrap_or(usize::MAX);
                writing.cells(&Table::of(import, chunk, left)?, limit)?;
            }
            false => writing.json(chunk, limit)?,
        }
        progress.set(writing.done.rows);
        Ok(writing.done.rows < limit)
    })?;
    Ok(writing.done)
}

impl Writing<'_> {
    fn json(&mut self, chunk: &Chunk, limit: u64) -> Result<(), Failure> {
        for row in chunk.rows() {
            if self.done.rows >= limit {
                break;
            }
            let written = match self.import.utf8(&row) {
                Ok(text) => self.row(text, row.line)?,
                Err(failure) => Err(failure),
            };
            match written {
                Ok(()) => self.done.rows += 1,
                Err(failure) if self.import.skips() => self.done.skip(self.read, failure.message()),
                Err(failure) => return Err(failure),
            }
            self.read += 1;
        }
        self.done.bytes += chunk.text.len() as u64;
        Ok(())
    }

    /// Writes a row, or says why it is refused; it fails where no more can be written.
    fn row(&mut self, text: &str, line: u64) -> Result<Result<(), Failure>, Failure> {
        let Self { context, columns, known, .. } = self;
        let row = plan::Row { text, plan: &known.plan, context };
        let mut written = columns.write(&row);
        if written.is_err() && context.large.replace(false) {
            context.take();
            context.exact.set(true);
            written = columns.write(&row);
            context.exact.set(false);
        }
        match written {
            Ok(()) => Ok(Ok(())),
            Err(error) => {
                // The writer finds a key that comes twice.
                if matches!(error.kind(), trevni::ErrorKind::DuplicateField { .. }) {
                    self.context.note(error.kind(), false);
                }
                match self.context.take() {
                    Some(problem) => Ok(Err(self.import.misfit(line, &problem))),
                    None => Err(Failure::of(self.output, &error)),
                }
            }
        }
    }

    fn cells(&mut self, table: &Table, limit: u64) -> Result<(), Failure> {
        let Some(record) = self.known.plan.record() else {
            return Ok(());
        };
        let nulls = self.import.nulls.as_slice();
        let left = usize::try_from(limit - self.done.rows).unwrap_or(usize::MAX);
        for (texts, line) in table.rows().take(left) {
            let cells = cells::CellRow { texts, record, places: &self.places, nulls, context: &self.context };
            if let Err(error) = self.columns.write(&cells) {
                return Err(match self.context.take() {
                    Some(problem) => self.import.misfit(line, &problem),
                    None => Failure::of(self.output, &error),
                });
            }
            self.done.rows += 1;
        }
        for _ in 0..table.skipped {
            self.done.skip(0, table.why.as_deref().unwrap_or_default());
        }
        self.done.bytes += table.bytes;
        Ok(())
    }
}
