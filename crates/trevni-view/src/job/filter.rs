//! Finds the rows for which a condition is true.

use super::{Outcome, STEP_ROWS};
use crate::failure::Failure;
use crate::order::{Kept, Order};
use crate::table::Table;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use trevni::RowSelection;
use trevni_query::{Binder, Condition};

/// A condition, and the rows found so far.
pub(crate) struct Filter {
    table: Rc<Table>,
    condition: Condition,
    /// The number of the next row.
    next: u64,
    found: Vec<Range<u64>>,
}

impl Filter {
    /// Reads a condition and checks that it fits one of the files at least.
    pub(crate) fn new(table: &Rc<Table>, text: &str) -> Result<Self, trevni_query::Error> {
        let condition = Condition::parse(text)?;
        let mut checks = table.shapes().map(|shape| condition.check(&Binder::new(shape)));
        if let Some(Err(error)) = checks.next()
            && !checks.any(|check| check.is_ok())
        {
            return Err(error);
        }
        Ok(Self { table: Rc::clone(table), condition, next: 0, found: Vec::new() })
    }

    pub(super) fn done(&self) -> u64 {
        self.next
    }

    pub(super) fn total(&self) -> u64 {
        self.table.rows()
    }

    pub(super) fn step(&mut self) -> Result<Option<Outcome>, Failure> {
        if self.next >= self.table.rows() {
            let order = Order::Kept(Kept::of(std::mem::take(&mut self.found)));
            return Ok(Some(Outcome::Filtered { text: self.condition.text().to_owned(), order }));
        }
        let end = (self.next + STEP_ROWS).min(self.table.rows());
        let rows = RowSelection::from(self.next..end);
        for part in 0..self.table.parts() {
            let own = self.table.own(&rows, part);
            if !own.is_empty() {
                self.of_part(part, own)?;
            }
        }
        self.next = end;
        Ok(None)
    }

    /// Adds the rows of a file.
    fn of_part(&mut self, part: usize, rows: RowSelection) -> Result<(), Failure> {
        let input = self.table.input(part)?;
        let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
        let lenient = self.table.parts() > 1;
        let binder = Binder { lenient, ..Binder::new(input.reader.shape()) };
        let (filtered, rest) = self.condition.push_down(&input.reader, &binder)?;
        let filtered = filtered.select(rows).map_err(failed)?;
        let matching = match rest {
            Some(rest) => rest
                .matching(&filtered, lenient, u64::MAX)
                .map_err(|error| Failure::of_query(Path::new(&input.name), error))?,
            None => filtered.matching().map_err(failed)?,
        };
        let start = self.table.rows_of(part).start;
        for range in matching.ranges() {
            let range = range.start + start..range.end + start;
            match self.found.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => self.found.push(range),
            }
        }
        Ok(())
    }
}
