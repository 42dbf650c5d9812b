//! Cells of a batch that are single numbers or strings, found once for all rows.

use super::Field;
use trevni::vector::Offsets;
use trevni::{Shape, Strings, ValueRef, Vector};

/// A cell of all rows of a batch.
pub(super) enum Cells<'b> {
    /// Numbers or strings, of the rows that have some.
    Plain(Option<&'b Offsets>, Plain<'b>),
    /// What is found row by row.
    Others(&'b Field),
}

/// Values without nulls.
pub(super) enum Plain<'b> {
    Int(&'b [i32]),
    Long(&'b [i64]),
    Double(&'b [f64]),
    String(&'b Strings),
}

impl<'b> Cells<'b> {
    /// The cells of a field.
    pub(super) fn of(field: &'b Field, shape: &'b Shape, vector: &'b Vector) -> Self {
        Self::plain(field, shape, vector).unwrap_or(Self::Others(field))
    }

    fn plain(field: &Field, shape: &'b Shape, vector: &'b Vector) -> Option<Self> {
        let (Shape::Record(record), Vector::Record(rows), [step]) = (shape, vector, field.steps()) else {
            return None;
        };
        let (mut shape, mut vector) = (&record.fields.get(*step)?.shape, rows.fields.get(*step)?);
        let mut offsets = None;
        if let (Shape::Optional(optional), Vector::Optional(list)) = (shape, vector) {
            (shape, vector, offsets) = (&optional.item, &list.item, Some(&list.offsets));
        }
        let plain = match (shape.storage(), vector) {
            (Shape::Int, Vector::Int(values)) => Plain::Int(values),
            (Shape::Long, Vector::Long(values)) => Plain::Long(values),
            (Shape::Double, Vector::Double(values)) => Plain::Double(values),
            (Shape::String, Vector::String(values)) => Plain::String(values),
            _ => return None,
        };
        Some(Self::Plain(offsets, plain))
    }
}

impl<'b> Plain<'b> {
    /// A value.
    #[inline(always)]
    pub(super) fn get(&self, entry: usize) -> Option<ValueRef<'b>> {
        match self {
            Self::Int(values) => values.get(entry).copied().map(ValueRef::Int),
            Self::Long(values) => values.get(entry).copied().map(ValueRef::Long),
            Self::Double(values) => values.get(entry).copied().map(ValueRef::Double),
            Self::String(values) => values.get(entry).map(ValueRef::String),
        }
    }
}
