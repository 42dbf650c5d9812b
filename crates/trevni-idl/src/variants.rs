//! Variants of unions, and rows.

use std::borrow::Cow;
use trevni::Shape;
use trevni::shape::{Form, RecordShape};

/// The record of a row. A row that only a schema calls `Row`, because it needs a name, has no record.
pub(crate) fn named_row(record: &RecordShape) -> Cow<'_, RecordShape> {
    if record.name != "Row" {
        return Cow::Borrowed(record);
    }
    let mut record = record.clone();
    record.name = "".into();
    Cow::Owned(record)
}

/// The name of a variant, and what it holds.
pub(crate) fn variant_of(variant: &Shape) -> (&str, &Shape) {
    match variant {
        Shape::Record(record) => match (record.form, record.fields.as_slice()) {
            (Form::NewtypeVariant, [field]) => (&record.name, &field.shape),
            _ => (&record.name, variant),
        },
        Shape::Enum(shape) => (&shape.name, variant),
        Shape::Fixed(fixed) => (&fixed.name, variant),
        other => (other.kind(), other),
    }
}
