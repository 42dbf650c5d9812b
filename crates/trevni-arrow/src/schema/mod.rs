//! Shapes and Arrow schemas: each from the other.

pub(crate) mod from_arrow;
pub(crate) mod join;
pub(crate) mod leaf;
pub(crate) mod stored;
pub(crate) mod to_arrow;

pub use from_arrow::shape_of_schema;
pub use join::join_schemas;
pub use leaf::logical_of_extension;
pub use to_arrow::schema_of_shape;

use crate::error::Result;
use arrow_schema::{DataType, Field, Schema};
use trevni::Shape;
use trevni::shape::Form;

/// Key of a schema's metadata for the Avro schema of the rows.
pub const AVRO_SCHEMA: &str = "avro.schema";

/// The only column of rows that are not records.
pub(crate) const VALUE: &str = "value";
/// The only field of a struct that is an optional within an optional.
pub(crate) const SOME: &str = "some";
/// The variant of a union for entries without a value.
pub(crate) const NULL: &str = "null";

/// The Arrow schema of rows that an Avro schema describes.
///
/// ```
/// use arrow_schema::{DataType, TimeUnit};
///
/// let avro = r#"{"type":"record","name":"Visit","fields":[
///     {"name":"at","type":{"type":"long","logicalType":"timestamp-micros"}},
///     {"name":"words","type":{"type":"array","items":"string"}}]}"#;
/// let schema = trevni_arrow::schema_of_avro(avro)?;
/// assert_eq!(schema.field(0).data_type(), &DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())));
/// assert!(trevni_arrow::avro_of_schema(&schema)?.contains("timestamp-micros"));
/// # Ok::<(), trevni_arrow::Error>(())
/// ```
///
/// # Errors
///
/// A text that is not an Avro schema, and unions of more than 127 types.
pub fn schema_of_avro(text: &str) -> Result<Schema> {
    schema_of_shape(&Shape::from_avro(text)?)
}

/// The Avro schema of the rows that are stored for an Arrow schema, as compact JSON.
///
/// # Errors
///
/// As [`shape_of_schema`].
pub fn avro_of_schema(schema: &Schema) -> Result<String> {
    Ok(shape_of_schema(schema)?.to_avro())
}

/// Whether a variant means that there is no value.
pub(crate) fn is_null_variant(field: &Field) -> bool {
    field.name() == NULL && *field.data_type() == DataType::Null
}

/// The variants of a union; an enum's variant is also a union of one, which Avro has no words for.
pub(crate) fn variants(shape: &Shape) -> Option<&[Shape]> {
    match shape {
        Shape::Union(variants) => Some(variants),
        Shape::Record(record) if record.form == Form::NewtypeVariant => Some(std::slice::from_ref(shape)),
        _ => None,
    }
}

/// The shape of what a variant holds: of an enum's variant with one value, that value.
pub(crate) fn held(variant: &Shape) -> &Shape {
    match variant {
        Shape::Record(record) if record.form == Form::NewtypeVariant => {
            record.fields.first().map_or(variant, |field| &field.shape)
        }
        other => other,
    }
}
