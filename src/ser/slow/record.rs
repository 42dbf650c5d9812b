//! Structs and struct variants.

use super::cell::Incoming;
use super::cell::does_not_fit;
use super::defaults::DefaultValue;
use super::grow::place;
use super::null::{Entry, null};
use super::{Mode, Slow};
use crate::error::{Error, ErrorKind, Result};
use crate::ser::compound::fields;
use crate::shape::{FieldShape, Form, Name, Null, OptionalShape, RECORD_FIELDS_MAX, RecordShape, Shape};
use crate::vector::{ListVector, Offsets, RecordVector, Vector};
use serde::Serialize;

/// Writes one record field by field; fields that do not come are absent.
pub(crate) struct RecordSerializer<'a> {
    shape: &'a mut RecordShape,
    vector: &'a mut RecordVector,
    mode: Mode<'a>,
    /// The position after the field that came last.
    next: usize,
    /// Whether all fields so far came in the order of the shape.
    in_order: bool,
    failed: bool,
}

impl<'a> RecordSerializer<'a> {
    // Always inlined, so that it is made where it is needed: copies of values just stored in parts are slow.
    #[inline(always)]
    pub(super) fn new(cell: Slow<'a>, name: &'static str) -> Result<Self> {
        let cell = Slow { mode: cell.mode.typed(), ..cell };
        if !matches!(&*cell.shape, Shape::Record(record) if record.form == Form::Struct) {
            return Self::placed(cell, name);
        }
        Self::over(cell)
    }

    #[cold]
    #[inline(never)]
    fn placed(cell: Slow<'a>, name: &'static str) -> Result<Self> {
        Self::over(place(cell, &Incoming::Record { namespace: "", name, form: Form::Struct })?)
    }

    /// The record of a cell that has one.
    #[inline(always)]
    pub(super) fn over(cell: Slow<'a>) -> Result<Self> {
        let mode = cell.mode.below()?;
        match (cell.shape, cell.vector) {
            (Shape::Record(shape), Vector::Record(vector)) => Ok(Self::from_shape(shape, vector, mode)),
            (shape, _) => Err(does_not_fit(shape.kind(), "a record")),
        }
    }

    #[inline(always)]
    fn from_shape(shape: &'a mut RecordShape, vector: &'a mut RecordVector, mode: Mode<'a>) -> Self {
        Self { shape, vector, mode, next: 0, in_order: true, failed: false }
    }

    /// Writes a field whose name is static: usually the one that came next in the rows before.
    // Never inlined: once for each type of fields, not once for each field of each struct.
    #[inline(never)]
    pub(super) fn field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let mode = self.mode;
        let is_next = matches!(self.shape.fields.get(self.next), Some(field) if is_same(&field.name, key));
        if !(self.mode.grow() || is_next && self.in_order) && self.is_tag(key, value) {
            return Ok(());
        }
        let (shape, vector) =
            match (self.shape.fields.get_mut(self.next), self.vector.fields.get_mut(self.next)) {
                (Some(field), Some(vector)) if self.in_order && is_next => {
                    self.next += 1;
                    (&mut field.shape, vector)
                }
                _ => self.elsewhere(key)?,
            };
        match value.serialize(Slow { shape, vector, mode }) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Whether a field is the tag of a struct, which serde writes first and never reads: a type does not tell the shape of it.
    #[cold]
    #[inline(never)]
    fn is_tag<T: ?Sized + Serialize>(&self, key: &str, value: &T) -> bool {
        let is_first = self.next == 0 && self.in_order;
        if !is_first || self.shape.fields.iter().any(|field| field.name == key) {
            return false;
        }
        let (mut shape, mut vector) = (Shape::String, Vector::new(&Shape::String));
        let written = value.serialize(Slow { shape: &mut shape, vector: &mut vector, mode: self.mode });
        written.is_ok() && matches!(&vector, Vector::String(texts) if texts.get(0) == Some(&self.shape.name))
    }

    /// Goes to a field that is not the next one, or has another text of the same letters for its name.
    #[cold]
    #[inline(never)]
    fn elsewhere(&mut self, key: &'static str) -> Result<(&mut Shape, &mut Vector)> {
        self.seek(key, || Name::Borrowed(key))?;
        let (field, vector) = self.current()?;
        // Now it is the same text in memory too.
        field.name = Name::Borrowed(key);
        Ok((&mut field.shape, vector))
    }

    /// The field that was gone to, and its values.
    #[inline]
    fn current(&mut self) -> Result<(&mut FieldShape, &mut Vector)> {
        let at = self.next.wrapping_sub(1);
        match (self.shape.fields.get_mut(at), self.vector.fields.get_mut(at)) {
            (Some(field), Some(vector)) => Ok((field, vector)),
            _ => Err(Error::internal("a record and its vector differ")),
        }
    }

    /// Goes to a field whose name is only known now.
    #[inline]
    pub(super) fn go_to(&mut self, key: &str) -> Result<()> {
        match self.shape.fields.get(self.next) {
            Some(field) if self.in_order && field.name == key => {
                self.next += 1;
                Ok(())
            }
            _ => self.seek(key, || Name::Owned(key.to_owned())),
        }
    }

    /// Goes to a field that is not the next one.
    fn seek(&mut self, key: &str, name: impl FnOnce() -> Name) -> Result<()> {
        self.in_order = false;
        match self.find(key, name) {
            Ok(at) => {
                self.next = at + 1;
                Ok(())
            }
            Err(error) => Err(self.mode.context.first_error.note(&mut self.failed, error)),
        }
    }

    /// Writes the value of the field that was gone to.
    #[inline]
    pub(super) fn value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let mode = self.mode;
        let (field, vector) = self.current()?;
        match value.serialize(Slow { shape: &mut field.shape, vector, mode }) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Adds the name of the field to its error.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, error: Error) -> Error {
        let field = self.shape.fields.get(self.next.wrapping_sub(1));
        let error = error.in_field(field.map_or("", |field| &field.name));
        self.mode.context.first_error.note(&mut self.failed, error)
    }

    /// Skips a field that this row does not have.
    pub(super) fn skip(&mut self, key: &'static str) -> Result<()> {
        let default = self.mode.context.default(self.shape, self.next);
        let (shape, vector) = (self.shape.fields.get_mut(self.next), self.vector.fields.get_mut(self.next));
        match (shape, vector) {
            (Some(field), Some(vector)) if self.in_order && field.name == key => {
                self.next += 1;
                absent(field, vector, default, self.mode)
                    .map_err(|error| self.mode.context.first_error.note(&mut self.failed, error))
            }
            // The end of the record finds it missing.
            _ => Ok(()),
        }
    }

    #[inline]
    pub(super) fn finish(self) -> Result<()> {
        self.mode.context.first_error.check(self.failed)?;
        self.vector.len += 1;
        if self.in_order && self.next == self.shape.fields.len() { Ok(()) } else { self.fill() }
    }

    /// The place of a field that is not the next one; adds it if it is new.
    fn find(&mut self, key: &str, name: impl FnOnce() -> Name) -> Result<usize> {
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
        if !self.mode.grow() {
            return Err(does_not_fit("record", &format!("field {key:?}")));
        }
        if fields.len() >= RECORD_FIELDS_MAX {
            return Err(ErrorKind::TooManyFields { limit: RECORD_FIELDS_MAX, path: None }.into());
        }
        let (shape, vector) = match self.vector.len {
            0 if !self.vector.earlier => (Shape::Unknown, Vector::Null(0)),
            len => missing_so_far(len),
        };
        let name = name();
        if matches!(name, Name::Owned(_)) {
            self.mode.context.count_keys(fields.len() + 1);
        }
        self.shape.fields.push(FieldShape { name, shape });
        self.vector.fields.push(vector);
        Ok(self.shape.fields.len() - 1)
    }

    /// Marks the fields that did not come as absent.
    #[cold]
    fn fill(self) -> Result<()> {
        let len = self.vector.len;
        for at in 0..self.vector.fields.len() {
            if self.vector.fields.get(at).is_none_or(|vector| vector.len() >= len) {
                continue;
            }
            let default = self.mode.context.default(self.shape, at);
            if let (Some(field), Some(vector)) =
                (self.shape.fields.get_mut(at), self.vector.fields.get_mut(at))
            {
                absent(field, vector, default, self.mode)?;
            }
        }
        Ok(())
    }
}

/// Gives a field its default, or marks it as absent.
#[inline]
fn absent(
    field: &mut FieldShape,
    vector: &mut Vector,
    default: Option<&DefaultValue>,
    mode: Mode<'_>,
) -> Result<()> {
    if let Some(default) = default {
        let cell = Slow { shape: &mut field.shape, vector, mode };
        return default.serialize(cell).map_err(|error| error.in_field(&field.name));
    }
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

/// Whether two names are the same text in memory, as the names of one struct are; where they only have
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

fields! { Error:
    SerializeStructVariant RecordSerializer;
}
