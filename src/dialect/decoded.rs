//! Values that a predicate has decoded already.

use super::schema::Schema;
use crate::selection::positions;
use crate::tree::{Kind, NodeId, Slot};
use crate::vector::{ListVector, Vector};
use std::ops::Range;

/// Columns without parents whose values of some of the current rows have been decoded for a predicate.
#[derive(Default)]
pub(crate) struct DecodedColumns<'a>(Vec<Values<'a>>);

/// The values of a column.
#[derive(Clone, Copy)]
struct Values<'a> {
    column: usize,
    vector: &'a Vector,
    /// The rows that the vector has: ranges that ascend.
    rows: &'a [Range<usize>],
}

impl<'a> DecodedColumns<'a> {
    /// Adds the columns of a vector of whole rows, whose nodes may be [`Vector::Unread`], and the rows that it has.
    pub(crate) fn add(&mut self, schema: &Schema, vector: &'a Vector, rows: &'a [Range<usize>]) {
        self.add_node(schema, 0, vector, rows);
    }

    fn add_node(&mut self, schema: &Schema, id: NodeId, vector: &'a Vector, rows: &'a [Range<usize>]) {
        let tree = &schema.whole.tree;
        let column = |id| schema.column(Slot::Own(id));
        match (tree.kind(id), vector) {
            (_, Vector::Unread(_)) => {}
            (Kind::Record, Vector::Record(record)) => {
                let fields = tree.children(id).zip(&record.fields);
                fields.for_each(|(id, field)| self.add_node(schema, id, field, rows));
            }
            (Kind::List | Kind::Optional, _) if column(id + 1) != column(id) => {}
            // Whether values are there was asked for, and not the values.
            (Kind::List | Kind::Optional, Vector::List(list) | Vector::Optional(list))
                if matches!(list.item, Vector::Unread(_)) => {}
            (Kind::Leaf(_) | Kind::List | Kind::Optional, vector) => {
                self.0.extend(column(id).map(|column| Values { column, vector, rows }));
            }
            _ => {}
        }
    }

    fn get(&self, column: usize) -> Option<Values<'a>> {
        self.0.iter().find(|values| values.column == column).copied()
    }

    /// Whether the values of a column have been decoded.
    pub(crate) fn has(&self, column: usize) -> bool {
        self.get(column).is_some()
    }

    /// Appends the values of some rows; false where the column has not been decoded.
    pub(crate) fn values(&self, column: usize, selected: &[Range<usize>], out: &mut Vector) -> bool {
        match self.get(column) {
            Some(values) => {
                positions(values.rows, selected).all(|place| values.vector.copy_range(place, out))
            }
            None => false,
        }
    }

    /// Appends the lengths and values of some rows; false where the column has not been decoded.
    pub(crate) fn arrays(&self, column: usize, selected: &[Range<usize>], out: &mut ListVector) -> bool {
        let Some(values) = self.get(column) else {
            return false;
        };
        match values.vector {
            Vector::List(list) | Vector::Optional(list) => {
                positions(values.rows, selected).all(|place| list.copy_range(place, out))
            }
            _ => false,
        }
    }
}
