//! How often each value of a column occurs.

use super::Outcome;
use super::pass::Pass;
use crate::failure::Failure;
use crate::table::{Table, cell};
use std::collections::HashMap;
use std::rc::Rc;
use trevni::RowSelection;

/// Different values that are counted, and values that are shown.
const DISTINCT: usize = 1 << 20;
const SHOWN: usize = 1000;

/// The values of a column in the rows that are shown.
pub(crate) struct Frequent {
    table: Rc<Table>,
    column: usize,
    pub(super) pass: Pass,
    counts: HashMap<String, u64>,
}

impl Frequent {
    pub(crate) fn new(table: &Rc<Table>, column: usize, rows: RowSelection) -> Self {
        Self { table: Rc::clone(table), column, pass: Pass::new(table, rows), counts: HashMap::new() }
    }

    pub(super) fn step(&mut self) -> Result<Option<Outcome>, Failure> {
        let Some(rows) = self.pass.advance() else {
            let distinct = self.counts.len();
            let mut counts: Vec<(String, u64)> = std::mem::take(&mut self.counts).into_iter().collect();
            counts.sort_unstable_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
            counts.truncate(SHOWN);
            return Ok(Some(Outcome::Frequent { counts, distinct }));
        };
        let counts = &mut self.counts;
        self.table.visit(&rows, &[self.column], |_, _, value| {
            let text = value.map_or_else(|| "null".to_owned(), |value| cell(&value));
            if counts.len() == DISTINCT && !counts.contains_key(&text) {
                return Err(Failure::new("the column has more than a million different values"));
            }
            *counts.entry(text).or_default() += 1;
            Ok(())
        })?;
        Ok(None)
    }
}
