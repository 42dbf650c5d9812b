//! Structs and struct variants.

use super::grow::{Entry, Want, null, place};
use super::{Failure, Mode, Slow};
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{FieldShape, Form, Name, Null, OptionalShape, RecordShape, Shape};
use crate::vector::{ListVector, Offsets, RecordVector, Vector};
use serde::ser::{self, Serialize};

/// The most different fields of one record; each takes a column and an entry per row.
pub(super) const MAX_FIELDS: usize = 10_000;

/// In place of a position, once a field came that was not expected.
const LOST: usize = usize::MAX;

/// Writes one record field by field; fields that are left out are absent.
pub(crate) struct RecordSerializer<'a> {
    shape: &'a mut RecordShape,
    vector: &'a mut RecordVector,
    mode: Mode,
    /// The field expected next, or [`LOST`]: a constant at each field of a derived struct, once the
    /// compiler has put the fields behind each other.
    next: usize,
    /// The field that is looked at first after that.
    near: usize,
    failure: Failure,
}

impl<'a> RecordSerializer<'a> {
    #[inline(always)]
    pub(super) fn new(cell: Slow<'a>, name: &'static str) -> Result<Self> {
        let record = if matches!(&*cell.shape, Shape::Record(shape) if shape.form == Form::Struct) {
            let mode = cell.mode.below()?.typed();
            match (cell.shape, cell.vector) {
                (Shape::Record(shape), Vector::Record(vector)) => Record { shape, vector, mode },
                (shape, _) => return Err(no_record(shape)),
            }
        } else {
            placed(cell.shape, cell.vector, cell.mode, name)?
        };
        Ok(Self::of(record))
    }

    /// The record of a cell that has one.
    #[inline]
    pub(super) fn over(cell: Slow<'a>) -> Result<Self> {
        Record::over(cell).map(Self::of)
    }

    #[inline(always)]
    fn of(record: Record<'a>) -> Self {
        Self {
            shape: record.shape,
            vector: record.vector,
            mode: record.mode,
            next: 0,
            near: 0,
            failure: Failure::default(),
        }
    }

    /// Writes a field whose name is static: mostly the one that came next in the rows before.
    // Always inlined, so that record and position stay in registers from field to field.
    #[inline(always)]
    pub(super) fn field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        match (self.shape.fields.get_mut(self.next), self.vector.fields.get_mut(self.next)) {
            (Some(field), Some(vector)) if is_same(&field.name, key) => {
                self.next += 1;
                self.failure.note(write(field, vector, self.mode, value))
            }
            _ => {
                let near = if self.next == LOST { self.near } else { self.next };
                self.next = LOST;
                let written = write_elsewhere(self.shape, self.vector, self.mode, near, key, value);
                self.near = self.failure.note(written)?;
                Ok(())
            }
        }
    }

    /// Writes a field whose name is only known now.
    pub(super) fn dynamic_field<T: ?Sized + Serialize>(&mut self, key: &str, value: &T) -> Result<()> {
        match (self.shape.fields.get_mut(self.next), self.vector.fields.get_mut(self.next)) {
            (Some(field), Some(vector)) if field.name == key => {
                self.next += 1;
                self.failure.note(write(field, vector, self.mode, value))
            }
            _ => {
                let near = if self.next == LOST { self.near } else { self.next };
                self.next = LOST;
                let mut record = Record { shape: self.shape, vector: self.vector, mode: self.mode };
                let at = self.failure.note(record.find(near, key, || Name::Owned(key.to_owned())))?;
                self.near = at + 1;
                self.failure.note(record.write(at, value))
            }
        }
    }

    /// Passes over a field that this row leaves out.
    fn skip(&mut self, key: &'static str) -> Result<()> {
        match (self.shape.fields.get_mut(self.next), self.vector.fields.get_mut(self.next)) {
            (Some(field), Some(vector)) if field.name == key => {
                self.next += 1;
                self.failure.note(absent(field, vector, self.mode))
            }
            // The end of the record finds it missing.
            _ => Ok(()),
        }
    }

    #[inline]
    pub(super) fn finish(self) -> Result<()> {
        self.failure.check()?;
        self.vector.len += 1;
        if self.next == self.shape.fields.len() {
            return Ok(());
        }
        Record { shape: self.shape, vector: self.vector, mode: self.mode }.fill()
    }
}

/// Writes a field that is not the one expected; returns the position behind it.
#[cold]
fn write_elsewhere<T: ?Sized + Serialize>(
    shape: &mut RecordShape,
    vector: &mut RecordVector,
    mode: Mode,
    near: usize,
    key: &'static str,
    value: &T,
) -> Result<usize> {
    let mut record = Record { shape, vector, mode };
    let at = record.find(near, key, || Name::Borrowed(key))?;
    if let Some(field) = record.shape.fields.get_mut(at) {
        // Now it is the same text in memory too.
        field.name = Name::Borrowed(key);
    }
    record.write(at, value)?;
    Ok(at + 1)
}

/// A record on the way of fields that do not come as expected.
struct Record<'a> {
    shape: &'a mut RecordShape,
    vector: &'a mut RecordVector,
    mode: Mode,
}

#[cold]
fn placed<'a>(
    shape: &'a mut Shape,
    vector: &'a mut Vector,
    mode: Mode,
    name: &'static str,
) -> Result<Record<'a>> {
    let want = Want::Record { namespace: "", name, form: Form::Struct };
    let cell = place(Slow { shape, vector, mode }, &want)?;
    let mode = cell.mode.typed();
    Record::over(Slow { mode, ..cell })
}

#[cold]
fn no_record(shape: &Shape) -> Error {
    super::does_not_fit(shape.kind(), "a record")
}

impl<'a> Record<'a> {
    #[inline]
    fn over(cell: Slow<'a>) -> Result<Self> {
        let mode = cell.mode.below()?;
        match (cell.shape, cell.vector) {
            (Shape::Record(shape), Vector::Record(vector)) => Ok(Self { shape, vector, mode }),
            (shape, _) => Err(no_record(shape)),
        }
    }

    fn write<T: ?Sized + Serialize>(&mut self, at: usize, value: &T) -> Result<()> {
        match (self.shape.fields.get_mut(at), self.vector.fields.get_mut(at)) {
            (Some(field), Some(vector)) => write(field, vector, self.mode, value),
            _ => Err(Error::value("record and vector differ")),
        }
    }

    /// The place of a field that is not the next one; adds it if it is new.
    fn find(&mut self, near: usize, key: &str, name: impl FnOnce() -> Name) -> Result<usize> {
        let fields = &self.shape.fields;
        let (before, after) = fields.split_at(near.min(fields.len()));
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
        if !self.mode.grow() {
            return Err(super::does_not_fit("record", &format!("field {key:?}")));
        }
        if fields.len() >= MAX_FIELDS {
            return Err(ErrorKind::TooManyFields { limit: MAX_FIELDS }.into());
        }
        let (shape, vector) = match self.vector.len {
            0 if !self.vector.earlier => (Shape::Unknown, Vector::Null(0)),
            len => missing_so_far(len),
        };
        self.shape.fields.push(FieldShape { name: name(), shape });
        self.vector.fields.push(vector);
        Ok(self.shape.fields.len() - 1)
    }

    /// Marks the fields that did not come as absent.
    #[cold]
    fn fill(self) -> Result<()> {
        let len = self.vector.len;
        for (field, vector) in self.shape.fields.iter_mut().zip(&mut self.vector.fields) {
            if vector.len() < len {
                absent(field, vector, self.mode)?;
            }
        }
        Ok(())
    }
}

/// Marks a field as absent.
fn absent(field: &mut FieldShape, vector: &mut Vector, mode: Mode) -> Result<()> {
    match (&field.shape, &mut *vector) {
        (Shape::Optional(shape), Vector::Optional(list)) if shape.null == Null::Absent => {
            list.offsets.push_empty();
            Ok(())
        }
        _ => {
            let cell = Slow { shape: &mut field.shape, vector, mode };
            null(cell, Entry::Absent).map_err(|error| error.in_field(&field.name))
        }
    }
}

#[inline(always)]
fn write<T: ?Sized + Serialize>(
    field: &mut FieldShape,
    vector: &mut Vector,
    mode: Mode,
    value: &T,
) -> Result<()> {
    match value.serialize(Slow { shape: &mut field.shape, vector, mode }) {
        Ok(()) => Ok(()),
        Err(error) => Err(error.in_field(&field.name)),
    }
}

/// Whether two names are the same text in memory, as those of one struct are; where they only have
/// the same letters, the search finds that.
#[inline(always)]
fn is_same(name: &Name, key: &'static str) -> bool {
    std::ptr::eq(&**name, key)
}

/// A field that the records before, `len` of them in this batch, do not have.
fn missing_so_far(len: usize) -> (Shape, Vector) {
    let shape = OptionalShape { null: Null::Absent, item: Shape::Unknown };
    let list = ListVector::new(Offsets::zeros(len), Vector::Null(0));
    (Shape::Optional(Box::new(shape)), Vector::Optional(Box::new(list)))
}

impl ser::SerializeStruct for RecordSerializer<'_> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.field(key, value)
    }

    fn skip_field(&mut self, key: &'static str) -> Result<()> {
        self.skip(key)
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

    fn skip_field(&mut self, key: &'static str) -> Result<()> {
        self.skip(key)
    }

    fn end(self) -> Result<()> {
        self.finish()
    }
}
