//! What the values of a column are like.

use super::Outcome;
use super::pass::Pass;
use crate::failure::Failure;
use crate::table::{Table, projected};
use std::path::Path;
use std::rc::Rc;
use trevni::RowSelection;
use trevni_report::stats::Gathered;

/// The values of a column in the rows that are shown.
pub(crate) struct Statistics {
    table: Rc<Table>,
    column: usize,
    pub(super) pass: Pass,
    gathered: Option<Gathered>,
}

impl Statistics {
    pub(crate) fn new(table: &Rc<Table>, column: usize, rows: RowSelection) -> Self {
        Self { table: Rc::clone(table), column, pass: Pass::new(table, rows), gathered: None }
    }

    pub(super) fn step(&mut self) -> Result<Option<Outcome>, Failure> {
        let Some(rows) = self.pass.advance() else {
            let summaries = self.gathered.as_ref().map(Gathered::summaries).unwrap_or_default();
            return Ok(Some(Outcome::Statistics(summaries)));
        };
        for part in 0..self.table.parts() {
            let own = self.table.own(&rows, part);
            if !own.is_empty() {
                self.of_part(part, own)?;
            }
        }
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
