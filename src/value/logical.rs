//! Texts of values of logical types, and values of texts.

use super::ValueRef;
use crate::logical::{Parsed, Stored, Texts};
use crate::shape::LogicalShape;

impl LogicalShape {
    /// The canonical text of a value of this shape, in its style; none where it has none: for null and other values, logical types that
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
        let mut text = String::new();
        Texts::of(self)?.format(value, &mut text).then_some(text)
    }

    /// The value of a text, as it is stored; none where the text is of no value that is stored exactly, and for logical
    /// types that are not known or stored as texts. Bytes replace what is in the buffer.
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
        Some(match Texts::of(self)?.parse(text, bytes)? {
            Parsed::Int(value) => ValueRef::Int(value),
            Parsed::Long(value) => ValueRef::Long(value),
            Parsed::Bytes => ValueRef::Bytes(bytes),
        })
    }
}
