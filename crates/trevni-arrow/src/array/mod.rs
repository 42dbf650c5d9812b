//! Arrow arrays and vectors: each from the other.

mod cast;
mod decimal;
mod export;
mod import;
mod select;
mod simple;

use crate::error::{Error, Result};
use crate::schema::{schema_of_shape, shape_of_schema, to_arrow};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use std::sync::Arc;
use trevni::reader::Decoded;
use trevni::{Batch, Shape};

pub use cast::{cast_array, cast_record_batch};
pub(crate) use export::{Dictionaries, bytes_of, column as export_column};
pub(crate) use select::at;
use select::only;
pub use simple::{Simplify, Unions};

/// The rows of a record batch; numbers are copied once, strings and lists too.
///
/// ```
/// use arrow_array::{RecordBatch, record_batch};
///
/// let rows = record_batch!(("word", Utf8, ["the", "end"]), ("count", Int32, [Some(3), None])).unwrap();
/// let batch = trevni_arrow::batch_of_record_batch(&rows)?;
/// assert_eq!(batch.row(1).unwrap().get("word").unwrap().as_str(), Some("end"));
/// # Ok::<(), trevni_arrow::Error>(())
/// ```
///
/// # Errors
///
/// As [`shape_of_schema`], a null in a field that is not nullable, seconds that are too many for milliseconds, and
/// more than 4 GiB of strings or 2³² items of lists in a column; with the field.
pub fn batch_of_record_batch(batch: &RecordBatch) -> Result<Batch> {
    let shape = shape_of_schema(batch.schema_ref())?;
    batch_of_record_batch_as(&Arc::new(shape), batch)
}

/// As [`batch_of_record_batch`], of a shape that fits the batch's schema.
///
/// # Errors
///
/// Rows that do not fit the shape, and values that cannot be stored.
pub fn batch_of_record_batch_as(shape: &Arc<Shape>, batch: &RecordBatch) -> Result<Batch> {
    let vector = import::rows(shape, batch)?;
    Ok(Batch::try_new(Arc::clone(shape), vector)?)
}

/// The rows of a batch as a record batch of the schema that [`schema_of_shape`] makes; numbers move.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::types::Float64Type;
///
/// let file = trevni::to_vec([("AA", 1089.0), ("UA", 2475.0)])?;
/// let batch = trevni::Reader::from_slice(&file)?.batches()?.next().unwrap()?;
/// let rows = trevni_arrow::record_batch_of_batch(batch)?;
/// assert_eq!(rows.column(1).as_primitive::<Float64Type>().values(), &[1089.0, 2475.0]);
/// # Ok::<(), trevni_arrow::Error>(())
/// ```
///
/// # Errors
///
/// A union of more than 127 variants, a decimal with more digits than its type says, and more than 2 GiB of strings or
/// 2³¹ items of lists in a column; with the field.
pub fn record_batch_of_batch(batch: Batch) -> Result<RecordBatch> {
    let schema = schema_of_shape(batch.shape())?;
    export_rows(batch, &Arc::new(schema), &Dictionaries::default())
}

/// As [`record_batch_of_batch`], of a schema that fits the batch's shape, such as [`schema_of_reader`](crate::schema_of_reader).
///
/// # Errors
///
/// A schema that does not fit, more values than the keys of its dictionaries can count, and as [`record_batch_of_batch`].
pub fn record_batch_of_batch_as(batch: Batch, schema: &SchemaRef) -> Result<RecordBatch> {
    check_fits(schema, batch.shape())?;
    export_rows(batch, schema, &Dictionaries::default())
}

/// The same, of a schema that is known to fit.
pub(crate) fn export_rows(
    batch: Batch,
    schema: &SchemaRef,
    dictionaries: &Dictionaries,
) -> Result<RecordBatch> {
    let (shape, vector) = batch.into_parts();
    export::rows(&shape, vector, schema, dictionaries)
}

/// The wanted rows of what a reader has decoded as a record batch of a schema that fits its shape.
pub(crate) fn export_decoded(
    shape: &Shape,
    decoded: Decoded,
    schema: &SchemaRef,
    dictionaries: &mut Dictionaries,
) -> Result<RecordBatch> {
    dictionaries.begin();
    only(export::rows(shape, decoded.vector, schema, dictionaries)?, &decoded.wanted)
}

/// Whether a batch of rows can have too many values for its types, where smaller ones have not.
pub(crate) fn has_narrow_keys(data_type: &DataType) -> bool {
    let is_narrow = |kind: &DataType| kind.primitive_width().is_some_and(|width| width < 4);
    is_or_has(data_type, &|data_type| match data_type {
        DataType::Dictionary(keys, _) => is_narrow(keys),
        DataType::RunEndEncoded(ends, _) => is_narrow(ends.data_type()),
        _ => false,
    })
}

/// Whether a type is a view or contains one. Views of a dictionary are copied; other arrays gain nothing from it.
pub(crate) fn has_views(data_type: &DataType) -> bool {
    is_or_has(data_type, &|data_type| matches!(data_type, DataType::Utf8View | DataType::BinaryView))
}

/// Whether `is` holds for a type or for a type within it.
fn is_or_has(data_type: &DataType, is: &impl Fn(&DataType) -> bool) -> bool {
    is(data_type)
        || match data_type {
            DataType::RunEndEncoded(_, field)
            | DataType::List(field)
            | DataType::LargeList(field)
            | DataType::ListView(field)
            | DataType::LargeListView(field)
            | DataType::FixedSizeList(field, _)
            | DataType::Map(field, _) => is_or_has(field.data_type(), is),
            DataType::Dictionary(_, values) => is_or_has(values, is),
            DataType::Struct(fields) => fields.iter().any(|field| is_or_has(field.data_type(), is)),
            DataType::Union(fields, _) => fields.iter().any(|(_, field)| is_or_has(field.data_type(), is)),
            _ => false,
        }
}

/// Checks that the columns of a schema hold just the values of a shape.
pub(crate) fn check_fits(schema: &SchemaRef, shape: &Shape) -> Result<()> {
    let own = to_arrow::columns(shape, Some(schema.fields()))?;
    if own == *schema.fields() {
        return Ok(());
    }
    let differing = own.iter().zip(schema.fields()).find(|(own, given)| own != given);
    Err(match differing {
        Some((own, given)) => Error::schema(format!(
            "the file has {}{}, not {}{}",
            own.data_type(),
            if own.is_nullable() { " or null" } else { "" },
            given.data_type(),
            if given.is_nullable() { " or null" } else { "" },
        ))
        .in_field(given.name()),
        None => Error::schema(format!("the file has {} columns, not {}", own.len(), schema.fields().len())),
    })
}
