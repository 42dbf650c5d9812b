//! Structs and struct variants.

use super::grow::{Entry, Want, null, place};
use super::{Cell, Mode};
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{FieldShape, Form, Name, Null, OptionalShape, RecordShape, Shape};
use crate::vector::{ListVector, Offsets, RecordVector, Vector};
use serde::ser::{self, Serialize};

/// The most different fields of one record; each takes a column and an entry per row.
pub(super) const MAX_FIELDS: usize = 10_000;

/// Writes one record field by field; fields that are left out are absent.
pub(crate) struct RecordSerializer<'a> {
    shape: &'a mut RecordShape,
    vector: &'a mut RecordVector,
    mode: Mode,
    /// The field expected next.
    next: usize,
    /// Whether all fields so far came in order.
    ordered: bool,
}

impl<'a> RecordSerializer<'a> {
    #[inline]
    pub(super) fn new(cell: Cell<'a>, name: &'static str) -> Result<Self> {
        let fits = matches!(&*cell.shape, Shape::Record(record) if record.form == Form::Struct);
        let cell =
            if fits { cell } else { place(cell, &Want::Record { namespace: "", name, form: Form::Struct })? };
        let mode = cell.mode.typed();
        Self::over(Cell { mode, ..cell })
    }

    /// The record of a cell that has one.
    pub(super) fn over(cell: Cell<'a>) -> Result<Self> {
        let mode = cell.mode.below()?;
        match (cell.shape, cell.vector) {
            (Shape::Record(shape), Vector::Record(vector)) => {
                Ok(Self { shape, vector, mode, next: 0, ordered: true })
            }
            (shape, _) => Err(super::does_not_fit(shape.kind(), "a record")),
        }
    }

    /// Writes a field whose name is static.
    #[inline]
    pub(super) fn field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        match (self.shape.fields.get_mut(self.next), self.vector.fields.get_mut(self.next)) {
            (Some(field), Some(vector)) if same(&field.name, key) => {
                self.next += 1;
                write(field, vector, self.mode, value)
            }
            _ => {
                let at = self.find(key, || Name::Borrowed(key))?;
                self.write_at(at, value)
            }
        }
    }

    /// Writes a field whose name is only known now.
    pub(super) fn dynamic_field<T: ?Sized + Serialize>(&mut self, key: &str, value: &T) -> Result<()> {
        let at = match self.shape.fields.get(self.next) {
            Some(field) if field.name == key => self.next,
            _ => self.find(key, || Name::Owned(key.to_owned()))?,
        };
        self.write_at(at, value)
    }

    fn write_at<T: ?Sized + Serialize>(&mut self, at: usize, value: &T) -> Result<()> {
        self.next = at + 1;
        match (self.shape.fields.get_mut(at), self.vector.fields.get_mut(at)) {
            (Some(field), Some(vector)) => write(field, vector, self.mode, value),
            _ => Err(Error::value("record and vector differ")),
        }
    }

    /// The place of a field that is not the next one; adds it if it is new.
    #[cold]
    fn find(&mut self, key: &str, name: impl FnOnce() -> Name) -> Result<usize> {
        self.ordered = false;
        let fields = &self.shape.fields;
        let (before, after) = fields.split_at(self.next.min(fields.len()));
        let found = after
            .iter()
            .position(|field| field.name == key)
            .map(|at| at + before.len())
            .or_else(|| before.iter().position(|field| field.name == key));
        if let Some(at) = found {
            return match self.vector.fields.get(at) {
                Some(vector) if vector.len() > self.vector.len => {
                    Err(ErrorKind::DuplicateField { field: key.to_owned() }.into())
                }
                _ => Ok(at),
            };
        }
        if !self.mode.grow {
            return Err(super::does_not_fit("record", &format!("field {key:?}")));
        }
        if fields.len() >= MAX_FIELDS {
            return Err(ErrorKind::TooManyFields { limit: MAX_FIELDS }.into());
        }
        let (shape, vector) = match self.vector.len {
            0 if !self.vector.earlier => (Shape::Unknown, Vector::Null(0)),
            len => absent(len),
        };
        self.shape.fields.push(FieldShape { name: name(), shape });
        self.vector.fields.push(vector);
        Ok(self.shape.fields.len() - 1)
    }

    #[inline]
    pub(super) fn finish(self) -> Result<()> {
        self.vector.len += 1;
        if self.ordered && self.next == self.shape.fields.len() {
            return Ok(());
        }
        self.fill()
    }

    /// Marks the fields that did not come as absent.
    #[cold]
    fn fill(self) -> Result<()> {
        let len = self.vector.len;
        for (field, vector) in self.shape.fields.iter_mut().zip(&mut self.vector.fields) {
            if vector.len() < len {
                let cell = Cell { shape: &mut field.shape, vector, mode: self.mode };
                null(cell, Entry::Absent).map_err(|error| error.in_field(&field.name))?;
            }
        }
        Ok(())
    }
}

#[inline]
fn write<T: ?Sized + Serialize>(
    field: &mut FieldShape,
    vector: &mut Vector,
    mode: Mode,
    value: &T,
) -> Result<()> {
    match value.serialize(Cell { shape: &mut field.shape, vector, mode }) {
        Ok(()) => Ok(()),
        Err(error) => Err(error.in_field(&field.name)),
    }
}

/// Whether two names are the same; nearly always they are the same text in memory.
#[inline]
fn same(name: &Name, key: &'static str) -> bool {
    std::ptr::eq(name.as_ptr(), key.as_ptr()) && name.len() == key.len() || **name == *key
}

/// A field that the records before, `len` of them in this batch, do not have.
fn absent(len: usize) -> (Shape, Vector) {
    let shape = OptionalShape { null: Null::Absent, item: Shape::Unknown };
    let list = ListVector::new(Offsets::zeros(len), Vector::Null(0));
    (Shape::Optional(Box::new(shape)), Vector::Optional(Box::new(list)))
}

impl ser::SerializeStruct for RecordSerializer<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.field(key, value)
    }

    #[inline]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl ser::SerializeStructVariant for RecordSerializer<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.field(key, value)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}
