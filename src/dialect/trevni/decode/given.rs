//! Values of columns that have been decoded for a predicate already.

use crate::schema::columns::Layout;
use crate::vector::{ListVector, Vector};
use std::ops::Range;

/// Columns without parents whose values of the current rows, picked or not, are at hand.
#[derive(Default)]
pub(crate) struct Given<'a>(Vec<(usize, &'a Vector)>);

impl<'a> Given<'a> {
    /// The columns of a vector, whose nodes may be [`Vector::Lazy`].
    pub(crate) fn of(layout: &Layout, vector: &'a Vector) -> Self {
        let mut given = Self::default();
        given.add(layout, vector);
        given
    }

    fn add(&mut self, layout: &Layout, vector: &'a Vector) {
        match (layout, vector) {
            (_, Vector::Lazy(_)) => {}
            (Layout::Record(layouts), Vector::Record(record)) => {
                layouts.iter().zip(&record.fields).for_each(|(layout, field)| self.add(layout, field));
            }
            (Layout::Leaf(column) | Layout::Array { column, item: None }, vector) => {
                self.0.push((*column, vector));
            }
            _ => {}
        }
    }

    fn get(&self, column: usize) -> Option<&'a Vector> {
        self.0.iter().find(|(number, _)| *number == column).map(|(_, vector)| *vector)
    }

    /// Whether a column's values are at hand.
    pub(super) fn has(&self, column: usize) -> bool {
        self.get(column).is_some()
    }

    /// Appends the values of some rows; false where the column is not at hand.
    pub(super) fn values(&self, column: usize, picks: &[Range<usize>], out: &mut Vector) -> bool {
        match self.get(column) {
            Some(vector) => picks.iter().all(|pick| vector.copy_range(pick.clone(), out)),
            None => false,
        }
    }

    /// Appends the lengths and values of some rows; false where the column is not at hand.
    pub(super) fn arrays(&self, column: usize, picks: &[Range<usize>], out: &mut ListVector) -> bool {
        match self.get(column) {
            Some(Vector::List(list) | Vector::Optional(list)) => {
                picks.iter().all(|pick| list.copy_range(pick.clone(), out))
            }
            _ => false,
        }
    }
}
