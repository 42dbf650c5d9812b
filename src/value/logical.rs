//! Texts of values of logical types.

use super::ValueRef;
use crate::logical::{Stored, Texts};
use crate::shape::LogicalShape;

impl LogicalShape {
    /// The canonical text of a value of this shape; none where it has none: for null and other values, logical types that
    /// are not known, and numbers out of range, such as a time of day beyond the day.
    ///
    /// ```
    /// use trevni::{Logical, LogicalShape, ValueRef};
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
}
