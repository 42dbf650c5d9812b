//! How often each value of a column occurs.

use super::{Outcome, STEP_ROWS};
use crate::commands::view::table::{Table, cell};
use crate::failure::Failure;
use std::collections::HashMap;
use std::rc::Rc;
use trevni::RowSelection;

/// Different values that are counted, and values that are shown.
const DISTINCT: usize = 1 << 20;
const SHOWN: usize = 1000;

/// The values of a column in the rows that are shown.
pub(in crate::commands::view) struct Frequent {
    table: Rc<Table>,
    column: usize,
    rows: RowSelection,
    total: u64,
    next: u64,
    done: u64,
    counts: HashMap<String, u64>,
}

impl Frequent {
    pub(in crate::commands::view) fn new(table: &Rc<Table>, column: usize, rows: RowSelection) -> Self {
        let (table, total) = (Rc::clone(table), rows.row_count());
        Self { table, column, rows, total, next: 0, done: 0, counts: HashMap::new() }
    }

    pub(super) fn done(&self) -> u64 {
        self.done
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn step(&mut self) -> Result<Option<Outcome>, Failure> {
        if self.next >= self.table.rows() {
            let distinct = self.counts.len();
            let mut counts: Vec<(String, u64)> = std::mem::take(&mut self.counts).into_iter().collect();
            counts.sort_unstable_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
            counts.truncate(SHOWN);
            return Ok(Some(Outcome::Frequent { counts, distinct }));
        }
        let end = (self.next + STEP_ROWS).min(self.table.rows());
        let rows = self.rows.intersection(&RowSelection::from(self.next..end));
        let counts = &mut self.counts;
        self.table.visit(&rows, &[self.column], |_, _, value| {
            let text = value.map_or_else(|| "null".to_owned(), |value| cell(&value));
            if counts.len() == DISTINCT && !counts.contains_key(&text) {
                return Err(Failure::new("the column has more than a million different values"));
            }
            *counts.entry(text).or_default() += 1;
            Ok(())
        })?;
        self.done += rows.row_count();
        self.next = end;
        Ok(None)
    }
}
