//! What the values of a column are like.

use super::{Outcome, STEP_ROWS};
use crate::commands::stats::Gathered;
use crate::commands::view::table::{Table, projected};
use crate::failure::Failure;
use std::path::Path;
use std::rc::Rc;
use trevni::RowSelection;

/// The values of a column in the rows that are shown.
pub(in crate::commands::view) struct Statistics {
    table: Rc<Table>,
    column: usize,
    rows: RowSelection,
    total: u64,
    next: u64,
    done: u64,
    gathered: Option<Gathered>,
}

impl Statistics {
    pub(in crate::commands::view) fn new(table: &Rc<Table>, column: usize, rows: RowSelection) -> Self {
        let (table, total) = (Rc::clone(table), rows.row_count());
        Self { table, column, rows, total, next: 0, done: 0, gathered: None }
    }

    pub(super) fn done(&self) -> u64 {
        self.done
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn step(&mut self) -> Result<Option<Outcome>, Failure> {
        if self.next >= self.table.rows() {
            let summaries = self.gathered.as_ref().map(Gathered::summaries).unwrap_or_default();
            return Ok(Some(Outcome::Statistics(summaries)));
        }
        let end = (self.next + STEP_ROWS).min(self.table.rows());
        let rows = self.rows.intersection(&RowSelection::from(self.next..end));
        for part in 0..self.table.parts() {
            let own = self.table.own(&rows, part);
            if !own.is_empty() {
                self.of_part(part, own)?;
            }
        }
        self.done += rows.row_count();
        self.next = end;
        Ok(None)
    }

    fn of_part(&mut self, part: usize, rows: RowSelection) -> Result<(), Failure> {
        let input = self.table.input(part)?;
        let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
        let path = self.table.path(self.column);
        let reader = projected(&input.reader, path.into_iter()).map_err(failed)?;
        let gathered = self.gathered.get_or_insert_with(|| Gathered::new(reader.shape()));
        if !gathered.fits(reader.shape()) {
            return Err(Failure::usage("the files have this column with different types"));
        }
        for batch in reader.select(rows).and_then(|reader| reader.batches()).map_err(failed)? {
            gathered.add(&batch.map_err(failed)?).map_err(failed)?;
        }
        Ok(())
    }
}
