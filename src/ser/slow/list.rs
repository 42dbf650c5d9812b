//! Sequences, tuples and tuple variants.

use super::cell::Incoming;
use super::cell::{does_not_fit, fitted};
use super::grow::place;
use super::record::RecordSerializer;
use super::{Mode, Slow};
use crate::error::{Error, Result};
use crate::ser::TUPLE_COLUMNS_MAX;
use crate::ser::compound::values;
use crate::shape::{Form, Shape, TUPLE_FIELDS, tuple_field};
use crate::vector::{ListVector, Vector};
use serde::Serialize;

/// Writes one list item by item.
pub(crate) struct SeqSerializer<'a> {
    item: &'a mut Shape,
    list: &'a mut ListVector,
    mode: Mode<'a>,
    failed: bool,
}

impl<'a> SeqSerializer<'a> {
    #[inline]
    pub(super) fn new(cell: Slow<'a>) -> Result<Self> {
        let cell =
            if matches!(&*cell.vector, Vector::List(_)) { cell } else { place(cell, &Incoming::List)? };
        let mode = cell.mode.below()?;
        match (cell.shape, cell.vector) {
            (Shape::List(item), Vector::List(list)) => Ok(Self { item, list, mode, failed: false }),
            (shape, _) => Err(does_not_fit(shape.kind(), "a sequence")),
        }
    }

    #[inline]
    fn push<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let entry = self.list.item.len();
        let cell = Slow { shape: self.item, vector: &mut self.list.item, mode: self.mode };
        match value.serialize(cell) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.fail(error, entry)),
        }
    }

    /// Adds to an error which item it came from.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, error: Error, entry: usize) -> Error {
        let error = error.in_item(entry.saturating_sub(self.list.offsets.total()));
        self.mode.context.first_error.note(&mut self.failed, error)
    }

    #[inline]
    fn finish(self) -> Result<()> {
        self.mode.context.first_error.check(self.failed)?;
        let total = self.list.item.len();
        fitted(self.list.offsets.push_end(total))
    }
}

/// Writes one tuple: a record with a field per item, or a list where there are many items.
pub(crate) enum TupleSerializer<'a> {
    Record(RecordSerializer<'a>, usize),
    List(SeqSerializer<'a>),
}

impl<'a> TupleSerializer<'a> {
    #[inline]
    pub(super) fn new(cell: Slow<'a>, name: &'static str, len: usize) -> Result<Self> {
        if len > TUPLE_COLUMNS_MAX {
            return SeqSerializer::new(cell).map(Self::List);
        }
        let fits = matches!(&*cell.shape, Shape::Record(record) if record.form == Form::Tuple);
        let cell = if fits {
            cell
        } else {
            place(cell, &Incoming::Record { namespace: "", name, form: Form::Tuple })?
        };
        let mode = cell.mode.typed();
        match &*cell.shape {
            Shape::List(_) => SeqSerializer::new(cell).map(Self::List),
            _ => RecordSerializer::over(Slow { mode, ..cell }).map(|record| Self::Record(record, 0)),
        }
    }

    pub(super) fn variant(cell: Slow<'a>, name: &'static str, variant: &'static str) -> Result<Self> {
        let mode = cell.mode.typed();
        let cell = super::union::place_variant(Slow { mode, ..cell }, name, variant, Form::TupleVariant)?;
        RecordSerializer::over(cell).map(|record| Self::Record(record, 0))
    }

    #[inline]
    fn push<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        match self {
            Self::Record(record, index) => {
                let at = *index;
                *index += 1;
                match TUPLE_FIELDS.get(at) {
                    Some(name) => record.field(name, value),
                    None => {
                        record.go_to(&tuple_field(at))?;
                        record.value(value)
                    }
                }
            }
            Self::List(list) => list.push(value),
        }
    }

    #[inline]
    fn finish(self) -> Result<()> {
        match self {
            Self::Record(record, _) => record.finish(),
            Self::List(list) => list.finish(),
        }
    }
}

values! { Error:
    SerializeSeq serialize_element SeqSerializer;
    SerializeTuple serialize_element TupleSerializer;
    SerializeTupleStruct serialize_field TupleSerializer;
    SerializeTupleVariant serialize_field TupleSerializer;
}
