//! Rows in order: several threads make keys and printed rows, which are sorted, and printed then.

use super::Query;
use super::columns::Made;
use super::plan::QueryPlan;
use super::result::ResultColumn;
use super::source::{QueryFile, Selecting};
use crate::failure::Failure;
use crate::output::Output;
use crate::parallel;
use crate::progress::Progress;
use crate::rows::{Printer, Printing};
use crate::sorter::{self, Sorter};
use std::sync::{PoisonError, RwLock};
use trevni::Batch;
use trevni_query::{BoundExpression, SortKey};

/// Bytes of rows that are printed at once.
const PRINTED_BYTES: usize = 1 << 16;

/// A file whose rows are sorted.
struct Source<'s> {
    file: &'s QueryFile,
    selecting: Selecting<'s>,
    keys: &'s [BoundExpression],
    columns: &'s [Made],
}

/// Rows of a batch: the bytes that they are sorted by, and as they are printed.
#[derive(Default)]
struct MadeRows {
    count: usize,
    keys: Vec<u8>,
    key_ends: Vec<usize>,
    rows: Vec<u8>,
    row_ends: Vec<usize>,
}

/// Prints the rows of all files in the order of their keys.
pub(super) fn print(
    args: &Query,
    plan: &QueryPlan,
    keys: &[Vec<BoundExpression>],
    sources: &[QueryFile],
    made: &[Vec<Made>],
    printer: Printer,
    out: &mut Output,
) -> Result<(), Failure> {
    let most = args.number.map(|number| number.saturating_add(args.skip));
    let most = most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let mut sorter = Sorter::new(args.sort_memory.unwrap_or(sorter::MEMORY), most);
    let kinds = |at: usize| keys.iter().filter_map(move |keys| keys.get(at)).map(|key| key.kind);
    let by = plan.sorting.iter().enumerate();
    let order: Vec<SortKey> = by.map(|(at, by)| SortKey::new(by.descends, kinds(at))).collect();
    let progress = Progress::rows("reading", sources.iter().map(|source| source.reader.row_count()).sum());
    for ((file, keys), columns) in sources.iter().zip(keys).zip(made) {
        let source = Source { file, selecting: file.rows()?, keys, columns };
        source.sort(&order, &printer, &args.printing, &mut sorter, &progress)?;
    }
    drop(progress);
    put(args, sorter, &printer, out)?;
    printer.finish(out).map_err(|error| out.failed(&error))
}

/// Prints the sorted rows, within `--skip` and `-n`.
fn put(args: &Query, sorter: Sorter, printer: &Printer, out: &mut Output) -> Result<(), Failure> {
    let (mut skip, mut left) = (args.skip, args.number.unwrap_or(u64::MAX));
    let mut waiting = Vec::new();
    sorter.finish(|row| {
        if skip > 0 {
            skip -= 1;
            return Ok(true);
        }
        if left > 0 {
            left -= 1;
            waiting.extend_from_slice(row);
        }
        if waiting.len() >= PRINTED_BYTES {
            printer.put(&waiting, out).map_err(|error| out.failed(&error))?;
            waiting.clear();
        }
        Ok(left > 0)
    })?;
    printer.put(&waiting, out).map_err(|error| out.failed(&error))
}

impl Source<'_> {
    /// Adds the rows of the file.
    fn sort(
        &self,
        order: &[SortKey],
        printer: &Printer,
        printing: &Printing,
        sorter: &mut Sorter,
        progress: &Progress,
    ) -> Result<(), Failure> {
        let limit = RwLock::new(sorter.limit().map(<[u8]>::to_vec));
        let mut batches = self.file.reader.batches().map_err(|error| self.file.failed(&error))?;
        parallel::fold(
            |full| {
                let failed = |error| self.file.failed(&error);
                // It ends early where nobody wants more.
                let _ = batches.all(|batch| full.send(batch.map_err(failed)).is_ok());
            },
            |batch| {
                let limit = limit.read().unwrap_or_else(PoisonError::into_inner).clone();
                self.make(&batch, order, limit.as_deref(), printer, printing)
            },
            |made| {
                made.each(|key, row| sorter.push(key, row))?;
                let mut limit = limit.write().unwrap_or_else(PoisonError::into_inner);
                if limit.as_deref() != sorter.limit() {
                    *limit = sorter.limit().map(<[u8]>::to_vec);
                }
                progress.add(made.count as u64);
                Ok(true)
            },
        )
    }

    /// The rows of a batch whose keys are below a limit.
    fn make(
        &self,
        batch: &Batch,
        order: &[SortKey],
        limit: Option<&[u8]>,
        printer: &Printer,
        printing: &Printing,
    ) -> Result<MadeRows, Failure> {
        let mut made = MadeRows { count: batch.len(), ..MadeRows::default() };
        let mut picked = self.selecting.rows(batch)?;
        let wanted = {
            let scope = picked.scope(batch);
            let columns = self.keys.iter().map(|key| key.evaluate(&scope)).collect::<Result<Vec<_>, _>>()?;
            let mut wanted = Vec::with_capacity(scope.len());
            for row in 0..scope.len() {
                let start = made.keys.len();
                order
                    .iter()
                    .zip(&columns)
                    .for_each(|(by, column)| by.append(column.get(row), &mut made.keys));
                match limit.is_some_and(|limit| &made.keys[start..] >= limit) {
                    true => made.keys.truncate(start),
                    false => {
                        made.key_ends.push(made.keys.len());
                        wanted.push(row as u32);
                    }
                }
            }
            wanted
        };
        if limit.is_some() {
            picked = picked.only(wanted);
        }
        let scope = picked.scope(batch);
        let cells = self.columns.iter().map(|made| made.cells(&scope, printing));
        let cells: Vec<ResultColumn<'_>> = cells.collect::<Result<_, Failure>>()?;
        let values = (0..scope.len()).map(|row| cells.iter().map(|cells| cells.value(row)).collect());
        let ends = &mut made.row_ends;
        let rows = printer.format_cells(values, |end| ends.push(end));
        made.rows = rows.map_err(|error| Failure::io(&self.file.name, &error))?;
        Ok(made)
    }
}

impl MadeRows {
    /// Calls `take` with the key and the bytes of each row.
    fn each(&self, mut take: impl FnMut(&[u8], &[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
        let (mut key, mut row) = (0, 0);
        for (key_end, row_end) in self.key_ends.iter().zip(&self.row_ends) {
            take(&self.keys[key..*key_end], &self.rows[row..*row_end])?;
            (key, row) = (*key_end, *row_end);
        }
        Ok(())
    }
}
