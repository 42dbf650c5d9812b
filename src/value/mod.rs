//! Values without a Rust type: what a batch holds, entry by entry.

pub(crate) mod kinds;
mod nested;
mod place;
mod serialize;

pub(crate) use kinds::ValueRef;
pub use nested::{ListRef, MapRef, RecordRef};
pub use place::SomeRef;

use crate::batch::Batch;
use crate::shape::Shape;
use crate::vector::Vector;
use place::Within;
use std::fmt;

impl<'b> ValueRef<'b> {
    /// The value of an entry of a vector that has the form of the shape; `None` where it does not, where there is no
    /// such entry, and where it has not been read ([`Vector::Unread`]).
    #[inline(always)]
    #[must_use]
    pub fn new(shape: &'b Shape, vector: &'b Vector, index: usize) -> Option<Self> {
        let mut place = SomeRef::new(shape, vector, index);
        // Most optionals hold a simple value.
        if let (Shape::Optional(optional), Vector::Optional(list)) = (shape, vector)
            && !list.item.is_around()
        {
            match list.offsets.range(index)?.next() {
                Some(item) => place = SomeRef::new(&optional.item, &list.item, item),
                None => return Some(Self::Null),
            }
        } else if vector.is_around() {
            match place.within()? {
                Within::Value(value) => place = value,
                Within::Null => return Some(Self::Null),
                Within::Some(some) => return Some(Self::Some(some)),
            }
        }
        place.value()
    }

    /// The value of a field, where this is a record that has it.
    #[inline]
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Self> {
        match self {
            Self::Record(record) => record.get(name),
            _ => None,
        }
    }

    /// Whether there is no value.
    #[inline]
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The boolean, where it is one.
    #[inline]
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, where it is an integer of this range.
    #[inline]
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(i64::from(*value)),
            Self::Long(value) => Some(*value),
            Self::U64(value) => i64::try_from(*value).ok(),
            Self::I128(value) => i64::try_from(*value).ok(),
            Self::U128(value) => i64::try_from(*value).ok(),
            _ => None,
        }
    }

    /// The number, where it is a float.
    #[inline]
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(f64::from(*value)),
            Self::Double(value) => Some(*value),
            _ => None,
        }
    }

    /// The text, where it is one, or a symbol.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> Option<&'b str> {
        match self {
            Self::String(text) | Self::Symbol(text) => Some(text),
            _ => None,
        }
    }

    /// The bytes, where it is bytes.
    #[inline]
    #[must_use]
    pub fn as_bytes(&self) -> Option<&'b [u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }
}

impl fmt::Debug for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("None"),
            Self::Some(some) => some.fmt(f),
            Self::Boolean(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Long(value) => value.fmt(f),
            Self::U64(value) => value.fmt(f),
            Self::I128(value) => value.fmt(f),
            Self::U128(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
            Self::Double(value) => value.fmt(f),
            Self::String(text) => text.fmt(f),
            Self::Symbol(symbol) => f.write_str(symbol),
            Self::Bytes(bytes) => bytes.fmt(f),
            Self::List(list) => list.fmt(f),
            Self::Map(map) => map.fmt(f),
            Self::Record(record) => record.fmt(f),
        }
    }
}

impl Batch {
    /// The row at a position, as a value without a Rust type.
    #[inline]
    #[must_use]
    pub fn row(&self, index: usize) -> Option<ValueRef<'_>> {
        ValueRef::new(self.shape(), self.vector(), index)
    }

    /// The rows, as values without a Rust type.
    #[inline]
    pub fn values(&self) -> impl Iterator<Item = ValueRef<'_>> {
        (0..self.len()).map_while(|index| self.row(index))
    }
}
