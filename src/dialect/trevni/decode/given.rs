//! Values of columns that have been decoded for a predicate already.

use crate::schema::columns::Layout;
use crate::vector::{ListVector, Vector};
use std::ops::Range;

/// Columns without parents whose values of some of the current rows are at hand.
#[derive(Default)]
pub(crate) struct Given<'a>(Vec<Values<'a>>);

/// The values of a column.
#[derive(Clone, Copy)]
struct Values<'a> {
    column: usize,
    vector: &'a Vector,
    /// The rows that the vector has: ranges that ascend.
    rows: &'a [Range<usize>],
}

impl<'a> Given<'a> {
    /// Adds the columns of a vector, whose nodes may be [`Vector::Lazy`], and the rows that it has.
    pub(crate) fn add(&mut self, layout: &Layout, vector: &'a Vector, rows: &'a [Range<usize>]) {
        match (layout, vector) {
            (_, Vector::Lazy(_)) => {}
            (Layout::Record(layouts), Vector::Record(record)) => {
                layouts.iter().zip(&record.fields).for_each(|(layout, field)| self.add(layout, field, rows));
            }
            (Layout::Leaf(column) | Layout::Array { column, item: None }, vector) => {
                self.0.push(Values { column: *column, vector, rows });
            }
            _ => {}
        }
    }

    fn get(&self, column: usize) -> Option<Values<'a>> {
        self.0.iter().find(|values| values.column == column).copied()
    }

    /// Whether a column's values are at hand.
    pub(super) fn has(&self, column: usize) -> bool {
        self.get(column).is_some()
    }

    /// Appends the values of some rows; false where the column is not at hand.
    pub(super) fn values(&self, column: usize, picks: &[Range<usize>], out: &mut Vector) -> bool {
        match self.get(column) {
            Some(values) => values.places(picks).all(|place| values.vector.copy_range(place, out)),
            None => false,
        }
    }

    /// Appends the lengths and values of some rows; false where the column is not at hand.
    pub(super) fn arrays(&self, column: usize, picks: &[Range<usize>], out: &mut ListVector) -> bool {
        let Some(values) = self.get(column) else {
            return false;
        };
        match values.vector {
            Vector::List(list) | Vector::Optional(list) => {
                values.places(picks).all(|place| list.copy_range(place, out))
            }
            _ => false,
        }
    }
}

impl Values<'_> {
    /// Where the vector has some rows, each range of which must be within one of its.
    fn places(&self, picks: &[Range<usize>]) -> impl Iterator<Item = Range<usize>> {
        let mut rows = self.rows.iter().peekable();
        let mut before = 0;
        picks.iter().map(move |pick| {
            while let Some(passed) = rows.next_if(|range| range.end <= pick.start) {
                before += passed.len();
            }
            let start = rows.peek().map_or(0, |range| range.start);
            before + pick.start - start..before + pick.end - start
        })
    }
}
