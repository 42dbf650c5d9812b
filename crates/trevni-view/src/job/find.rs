//! Finds the next cell that has a text.

use super::Outcome;
use crate::failure::Failure;
use crate::order::Order;
use crate::rows::json_text;
use crate::table::Table;
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::rc::Rc;
use trevni::{RowSelection, ValueRef};

/// Rows of a step; sorted rows are anywhere in the files, so that a step reads many blocks anyway.
const ROWS: u64 = 2048;
const SORTED_ROWS: u64 = 1 << 16;

/// A cell: its row, counted in the order of the screen, and its column, counted among the visible ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    pub(crate) row: u64,
    pub(crate) column: usize,
}

/// A text that is looked for. Capitals matter where it has some.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Needle {
    text: String,
    exact: bool,
}

impl Needle {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), exact: text.chars().any(char::is_uppercase) }
    }

    /// Whether a text has it.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        text.contains(&self.text) || !self.exact && text.to_lowercase().contains(&self.text)
    }

    fn is_in_value(&self, value: &ValueRef<'_>) -> io::Result<bool> {
        match value.as_str() {
            Some(text) => Ok(self.is_in(text)),
            None => Ok(self.is_in(&json_text(value)?)),
        }
    }
}

/// A search, which goes round once.
pub(crate) struct Find {
    table: Rc<Table>,
    needle: Needle,
    columns: Vec<usize>,
    from: Hit,
    backwards: bool,
    order: Rc<Order>,
    done: u64,
}

impl Find {
    /// Looks from after a cell, or before it, in these columns.
    pub(crate) fn new(
        table: &Rc<Table>,
        order: &Rc<Order>,
        columns: &[usize],
        needle: Needle,
        from: Hit,
        backwards: bool,
    ) -> Self {
        let (table, order, columns) = (Rc::clone(table), Rc::clone(order), columns.to_vec());
        Self { table, needle, columns, from, backwards, order, done: 0 }
    }

    pub(super) fn done(&self) -> u64 {
        self.done
    }

    pub(super) fn total(&self) -> u64 {
        self.order.rows()
    }

    pub(super) fn step(&mut self) -> Result<Option<Outcome>, Failure> {
        let rows = self.order.rows();
        // The row that it begins in comes again at the end, for the cells on its other side.
        if self.done > rows || rows == 0 {
            return Ok(Some(Outcome::Found(None)));
        }
        let most = if self.order.is_sorted() { SORTED_ROWS } else { ROWS };
        let places = self.places(rows, most);
        let is_first = self.done == 0;
        let is_again = self.done == rows;
        self.done += places.end - places.start;
        let hit = self.look(places, |hit, from| match (is_first && hit.row == from.row, is_again) {
            (true, _) => (hit.column > from.column) != self.backwards && hit.column != from.column,
            (_, true) => (hit.column > from.column) == self.backwards || hit.column == from.column,
            _ => true,
        })?;
        Ok(hit.map(|hit| Outcome::Found(Some(hit))))
    }

    /// The places that come next.
    fn places(&self, rows: u64, most: u64) -> Range<u64> {
        let from = self.from.row.min(rows - 1);
        if self.done == rows {
            return from..from + 1;
        }
        let left = rows - self.done;
        match self.backwards {
            false => {
                let start = (from + self.done) % rows;
                start..(start + most.min(left)).min(rows)
            }
            true => {
                let end = (from + rows - self.done) % rows + 1;
                end.saturating_sub(most.min(left))..end
            }
        }
    }

    /// The first hit at these places, or the last one backwards.
    fn look(&self, places: Range<u64>, counts: impl Fn(Hit, Hit) -> bool) -> Result<Option<Hit>, Failure> {
        let numbers = self.order.numbers(places.clone())?;
        let wanted: RowSelection = numbers.iter().copied().collect();
        let place_of: HashMap<u64, u64> = numbers.into_iter().zip(places).collect();
        let mut best: Option<Hit> = None;
        self.table.visit(&wanted, &self.columns, |row, column, value| {
            let Some(value) = value else { return Ok(()) };
            if self.needle.is_in_value(&value).map_err(|error| Failure::io("a value", &error))? {
                let hit = Hit { row: place_of.get(&row).copied().unwrap_or(0), column };
                let is_better = best.is_none_or(|best| (hit < best) != self.backwards);
                if is_better && counts(hit, self.from) {
                    best = Some(hit);
                }
            }
            Ok(())
        })?;
        Ok(best)
    }
}
