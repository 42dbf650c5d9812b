//! One pass over the rows that are shown, a step at a time.

use super::STEP_ROWS;
use crate::table::Table;
use std::rc::Rc;
use trevni::RowSelection;

/// What is left of the rows.
pub(super) struct Pass {
    table: Rc<Table>,
    rows: RowSelection,
    total: u64,
    /// The number of the next row of the table.
    next: u64,
    done: u64,
}

impl Pass {
    pub(super) fn new(table: &Rc<Table>, rows: RowSelection) -> Self {
        let (table, total) = (Rc::clone(table), rows.row_count());
        Self { table, rows, total, next: 0, done: 0 }
    }

    pub(super) fn done(&self) -> u64 {
        self.done
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The rows of the next step, which count as done; `None` after the last.
    pub(super) fn advance(&mut self) -> Option<RowSelection> {
        if self.next >= self.table.rows() {
            return None;
        }
        let end = (self.next + STEP_ROWS).min(self.table.rows());
        let rows = self.rows.intersection(&RowSelection::from(self.next..end));
        self.done += rows.row_count();
        self.next = end;
        Some(rows)
    }
}
