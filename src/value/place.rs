//! Where a value lies, and the strings of values of logical types.

use super::{ListRef, MapRef, RecordRef, ValueRef};
use crate::logical::{Parsed, Stored, Texts};
use crate::shape::{LogicalShape, Null, Shape};
use crate::vector::Vector;
use std::fmt;

/// Bytes of most strings of logical types.
const STRING_BYTES: usize = 36;

/// A value that is there, around a null.
#[derive(Clone, Copy)]
pub struct SomeRef<'b> {
    shape: &'b Shape,
    vector: &'b Vector,
    index: usize,
}

impl<'b> SomeRef<'b> {
    #[inline]
    pub(super) fn new(shape: &'b Shape, vector: &'b Vector, index: usize) -> Self {
        Self { shape, vector, index }
    }

    /// What is in it: [`ValueRef::Null`], or another of these.
    #[must_use]
    pub fn get(&self) -> Option<ValueRef<'b>> {
        ValueRef::new(self.shape, self.vector, self.index)
    }

    /// The value, where it is within no optional or union.
    #[inline(always)]
    pub(super) fn value(self) -> Option<ValueRef<'b>> {
        let Self { shape, vector, index } = self;
        Some(match (shape.storage(), vector) {
            (Shape::Null | Shape::Unknown, Vector::Null(len)) => (index < *len).then_some(ValueRef::Null)?,
            (Shape::Boolean, Vector::Boolean(values)) => ValueRef::Boolean(*values.get(index)?),
            (Shape::Int, Vector::Int(values)) => ValueRef::Int(*values.get(index)?),
            (Shape::Long, Vector::Long(values)) => ValueRef::Long(*values.get(index)?),
            (Shape::U64, Vector::Long(values)) => ValueRef::U64(values.get(index)?.cast_unsigned()),
            (Shape::Float, Vector::Float(values)) => ValueRef::Float(*values.get(index)?),
            (Shape::Double, Vector::Double(values)) => ValueRef::Double(*values.get(index)?),
            (Shape::String, Vector::String(values)) => ValueRef::String(values.get(index)?),
            (Shape::Bytes | Shape::Fixed(_), Vector::Bytes(values)) => ValueRef::Bytes(values.get(index)?),
            (Shape::I128, Vector::Bytes(values)) => {
                ValueRef::I128(i128::from_be_bytes(values.get(index)?.try_into().ok()?))
            }
            (Shape::U128, Vector::Bytes(values)) => {
                ValueRef::U128(u128::from_be_bytes(values.get(index)?.try_into().ok()?))
            }
            (Shape::Enum(shape), Vector::Enum(ordinals)) => {
                ValueRef::Symbol(shape.symbols.get(usize::try_from(*ordinals.get(index)?).ok()?)?)
            }
            (Shape::Record(shape), Vector::Record(vector)) => {
                ValueRef::Record(RecordRef::new(shape, vector, index)?)
            }
            (Shape::List(item), Vector::List(list)) => ValueRef::List(ListRef::new(item, list, index)?),
            (Shape::Map(shape), Vector::Map(map)) => ValueRef::Map(MapRef::new(shape, map, index)?),
            _ => return None,
        })
    }

    /// What is within an optional or a union.
    pub(super) fn within(self) -> Option<Within<'b>> {
        match (self.shape.storage(), self.vector) {
            (Shape::Optional(optional), Vector::Optional(list)) => {
                let Some(place) = list.offsets.range(self.index)?.next() else {
                    return Some(Within::Null);
                };
                let item = Self::new(&optional.item, &list.item, place);
                match item.within()? {
                    Within::Null | Within::Some(_) if optional.null != Null::Absent => {
                        Some(Within::Some(item))
                    }
                    found => Some(found),
                }
            }
            (Shape::Union(variants), Vector::Union(union)) => {
                let (tag, position) = (union.tags.get(self.index)?, union.positions.get(self.index)?);
                let tag = usize::from(*tag);
                Self::new(variants.get(tag)?, union.variants.get(tag)?, *position as usize).within()
            }
            (_, Vector::Unread(_)) => None,
            (Shape::Null | Shape::Unknown, Vector::Null(len)) => (self.index < *len).then_some(Within::Null),
            _ => Some(Within::Value(self)),
        }
    }
}

impl Vector {
    /// Whether values may be within others, or null.
    #[inline]
    pub(super) fn is_around(&self) -> bool {
        matches!(self, Self::Optional(_) | Self::Union(_) | Self::Unread(_) | Self::Null(_))
    }
}

/// What is within optionals and unions.
pub(super) enum Within<'b> {
    Null,
    /// A null within optionals of which one is there.
    Some(SomeRef<'b>),
    Value(SomeRef<'b>),
}

impl PartialEq for SomeRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl fmt::Debug for SomeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl LogicalShape {
    /// The canonical string of a value of this shape, in its style; `None` where it has no string: for null and other values, logical types that
    /// are not known, and numbers out of range, such as a time of day beyond the day.
    ///
    /// ```
    /// use trevni::ValueRef;
    /// use trevni::shape::{Logical, LogicalShape};
    ///
    /// let day = LogicalShape::new(Logical::Date, trevni::Shape::Int)?;
    /// assert_eq!(day.text(ValueRef::Int(15_857)).as_deref(), Some("2013-06-01"));
    /// assert_eq!(day.text(ValueRef::Null), None);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn text(&self, value: ValueRef<'_>) -> Option<String> {
        let value = match value {
            ValueRef::Int(value) => Stored::Int(value),
            ValueRef::Long(value) => Stored::Long(value),
            ValueRef::Bytes(bytes) => Stored::Bytes(bytes),
            ValueRef::String(text) => return Some(text.to_owned()),
            _ => return None,
        };
        let mut text = String::with_capacity(STRING_BYTES);
        Texts::from_shape(self)?.format(value, &mut text).then_some(text)
    }

    /// The value of a text, as it is stored; `None` where the text is of no value that is stored exactly, and for logical
    /// types that are not known or stored as strings. Bytes replace what is in the buffer.
    ///
    /// ```
    /// use trevni::shape::{Logical, LogicalShape};
    /// use trevni::{Shape, ValueRef};
    ///
    /// let cost = LogicalShape::new(Logical::Decimal { precision: 9, scale: 2 }, Shape::Bytes)?;
    /// let mut bytes = Vec::new();
    /// assert_eq!(cost.parse("12.5", &mut bytes), Some(ValueRef::Bytes(&[4, 226])));
    /// assert_eq!(cost.parse("12.345", &mut bytes), None);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn parse<'b>(&self, text: &str, bytes: &'b mut Vec<u8>) -> Option<ValueRef<'b>> {
        Some(match Texts::from_shape(self)?.parse(text, bytes)? {
            Parsed::Int(value) => ValueRef::Int(value),
            Parsed::Long(value) => ValueRef::Long(value),
            Parsed::Bytes => ValueRef::Bytes(bytes),
        })
    }
}
