//! Values that hold others.

use super::ValueRef;
use crate::shape::{MapShape, Null, RecordShape, Shape};
use crate::vector::{ListVector, MapVector, RecordVector, Vector};
use std::fmt;
use std::ops::Range;

/// The items of a list.
#[derive(Clone, Copy)]
pub struct ListRef<'b> {
    shape: &'b Shape,
    vector: &'b Vector,
    start: usize,
    end: usize,
}

impl<'b> ListRef<'b> {
    #[inline]
    pub(super) fn new(shape: &'b Shape, list: &'b ListVector, index: usize) -> Option<Self> {
        let Range { start, end } = list.offsets.range(index)?;
        Some(Self { shape, vector: &list.item, start, end })
    }

    /// Number of items.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether there are no items.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shape of the items.
    #[inline]
    #[must_use]
    pub fn shape(&self) -> &'b Shape {
        self.shape
    }

    /// The item at a position.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<ValueRef<'b>> {
        let place = self.start.checked_add(index).filter(|place| *place < self.end)?;
        ValueRef::new(self.shape, self.vector, place)
    }

    /// The items, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = ValueRef<'b>> + use<'b> {
        let Self { shape, vector, start, end } = *self;
        (start..end).map_while(move |place| ValueRef::new(shape, vector, place))
    }
}

impl PartialEq for ListRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl fmt::Debug for ListRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The entries of a map.
#[derive(Clone, Copy)]
pub struct MapRef<'b> {
    shape: &'b MapShape,
    vector: &'b MapVector,
    start: usize,
    end: usize,
}

impl<'b> MapRef<'b> {
    #[inline]
    pub(super) fn new(shape: &'b MapShape, vector: &'b MapVector, index: usize) -> Option<Self> {
        let Range { start, end } = vector.offsets.range(index)?;
        Some(Self { shape, vector, start, end })
    }

    /// Number of entries.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether there are no entries.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shapes of keys and values.
    #[inline]
    #[must_use]
    pub fn shape(&self) -> &'b MapShape {
        self.shape
    }

    /// The value of the first key that is this text. Looks at one key after the other.
    #[inline]
    #[must_use]
    pub fn get(&self, key: &str) -> Option<ValueRef<'b>> {
        self.iter().find(|(own, _)| own.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// Keys and values, in the order of the file.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (ValueRef<'b>, ValueRef<'b>)> + use<'b> {
        let Self { shape, vector, start, end } = *self;
        (start..end).map_while(move |place| {
            let key = ValueRef::new(&shape.key, &vector.key, place)?;
            Some((key, ValueRef::new(&shape.value, &vector.value, place)?))
        })
    }
}

impl PartialEq for MapRef<'_> {
    /// The same entries in the same order.
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl fmt::Debug for MapRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// The fields of a record.
#[derive(Clone, Copy)]
pub struct RecordRef<'b> {
    shape: &'b RecordShape,
    vector: &'b RecordVector,
    index: usize,
}

impl<'b> RecordRef<'b> {
    #[inline]
    pub(super) fn new(shape: &'b RecordShape, vector: &'b RecordVector, index: usize) -> Option<Self> {
        (index < vector.len).then_some(Self { shape, vector, index })
    }

    /// Name, form and fields of the record.
    #[inline]
    #[must_use]
    pub fn shape(&self) -> &'b RecordShape {
        self.shape
    }

    /// The value of a field; `None` where there is no such field, or it is absent.
    #[inline]
    #[must_use]
    pub fn get(&self, name: &str) -> Option<ValueRef<'b>> {
        self.field(self.shape.fields.iter().position(|field| field.name == name)?)
    }

    /// The value of a field by its number in [`RecordRef::shape`]; `None` where it is absent.
    #[inline(always)]
    #[must_use]
    pub fn field(&self, number: usize) -> Option<ValueRef<'b>> {
        let (field, vector) = (self.shape.fields.get(number)?, self.vector.fields.get(number)?);
        match (&field.shape, vector) {
            (Shape::Optional(optional), Vector::Optional(list))
                if optional.null == Null::Absent && list.offsets.range(self.index)?.is_empty() =>
            {
                None
            }
            (shape, vector) => ValueRef::new(shape, vector, self.index),
        }
    }

    /// Names and values of the fields that are there, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (&'b str, ValueRef<'b>)> + use<'b> {
        let record = *self;
        let fields = record.shape.fields.iter().enumerate();
        fields.filter_map(move |(number, field)| Some((&*field.name, record.field(number)?)))
    }
}

impl PartialEq for RecordRef<'_> {
    /// The same fields of the same values in the same order; for variants, of the same name. Names of structs do not
    /// count.
    fn eq(&self, other: &Self) -> bool {
        let form = self.shape.form;
        form == other.shape.form
            && (!form.is_variant() || self.shape.name == other.shape.name)
            && self.iter().eq(other.iter())
    }
}

impl fmt::Debug for RecordRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shape.form.is_named() {
            let mut out = f.debug_struct(&self.shape.name);
            self.iter().for_each(|(name, value)| {
                out.field(name, &value);
            });
            return out.finish();
        }
        // A tuple has the name of its place in the schema.
        let name = if self.shape.form.is_variant() { &*self.shape.name } else { "" };
        let mut out = f.debug_tuple(name);
        self.iter().for_each(|(_, value)| {
            out.field(&value);
        });
        out.finish()
    }
}
