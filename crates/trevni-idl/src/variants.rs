//! Variants of unions.

use trevni::{Form, Shape};

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
