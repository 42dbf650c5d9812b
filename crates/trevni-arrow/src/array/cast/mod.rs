//! Rows of one schema as rows of another that has them all, as a joined schema has.

mod ip;
mod nested;

use super::export::check_nulls;
use crate::error::{Error, Result};
use crate::schema::join::some;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, SchemaRef};
pub(super) use nested::some as some_of;
use std::sync::Arc;

/// Casts a batch to a schema that holds its values, such as the result of [`join_schemas`](crate::join_schemas) for the schema of the
/// batch and others. Columns and fields of structs are matched by name, at any depth; missing ones are null.
///
/// ```
/// use arrow_array::{cast::AsArray, record_batch, types::Decimal128Type};
/// use trevni_arrow::{cast_record_batch, join_schemas};
///
/// let signed = record_batch!(("id", Int64, [-3]), ("name", Utf8, ["a"])).unwrap();
/// let unsigned = record_batch!(("id", UInt64, [u64::MAX])).unwrap();
/// let schema = join_schemas(&[&signed.schema(), &unsigned.schema()])?.into();
/// let rows = cast_record_batch(&unsigned, &schema)?;
/// assert_eq!(rows.column(0).as_primitive::<Decimal128Type>().value(0), i128::from(u64::MAX));
/// assert!(rows.column(1).is_null(0));
/// # Ok::<(), trevni_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Types that the others do not have the values of, and values that have no place in them: instants that are too far away for the
/// finer unit, and integers that no `double` is equal to; with the field.
pub fn cast_record_batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let column = |field: &Arc<arrow_schema::Field>| {
        let made = match batch.column_by_name(field.name()) {
            Some(column) => array(column, field.data_type()),
            None => nulls(field.data_type(), batch.num_rows()),
        };
        made.map_err(|error| error.in_field(field.name()))
    };
    let columns = schema.fields().iter().map(column).collect::<Result<_>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}

/// Casts an array to a type that holds its values, by the rules of [`cast_record_batch`].
///
/// # Errors
///
/// As [`cast_record_batch`].
pub fn cast_array(values: &ArrayRef, data_type: &DataType) -> Result<ArrayRef> {
    array(values, data_type)
}

/// Casts an array of any type.
fn array(values: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    use DataType::{Dictionary, Map, Null, RunEndEncoded, Struct, Union};
    match (values.data_type(), to) {
        (from, to) if from == to => Ok(Arc::clone(values)),
        (Null, to) => nulls(to, values.len()),
        (Dictionary(..), Dictionary(..)) => leaf(values, to),
        (Dictionary(_, plain), to) if **plain != *to => array(&leaf(values, plain)?, to),
        (RunEndEncoded(_, plain), to) if plain.data_type() != to => {
            array(&leaf(values, plain.data_type())?, to)
        }
        (Struct(_), Struct(fields)) => nested::record(values.as_struct(), fields),
        (from @ Struct(_), to) if some(from).is_some() => array(&nested::some(values.as_struct())?, to),
        (Map(..), Map(entries, is_sorted)) => nested::map(values.as_map(), entries, *is_sorted),
        (Union(..), Union(fields, mode)) => nested::union(values.as_union(), fields, *mode),
        _ if nested::is_list(to) => nested::list(values, to),
        _ => leaf(values, to),
    }
}

/// Casts an array that has no children.
fn leaf(values: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    use DataType::FixedSizeBinary;
    if to.is_floating() && !is_exact(values) {
        return Err(Error::value(format!("an integer above 2⁵³ has no equal in {to}")));
    }
    if let (FixedSizeBinary(from @ (4 | 16)), FixedSizeBinary(17))
    | (FixedSizeBinary(from @ (5 | 17)), FixedSizeBinary(18)) = (values.data_type(), to)
    {
        return ip::widened(values.as_fixed_size_binary(), *from, to);
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    Ok(cast_with_options(values, to, &options)?)
}

/// Whether each integer is equal to a `double`.
fn is_exact(values: &dyn Array) -> bool {
    let is_exact = |value: u64| value as f64 as u128 == u128::from(value);
    match values.data_type() {
        DataType::Int64 => {
            values.as_primitive::<Int64Type>().iter().flatten().all(|value| is_exact(value.unsigned_abs()))
        }
        DataType::UInt64 => values.as_primitive::<UInt64Type>().iter().flatten().all(is_exact),
        _ => true,
    }
}

/// Nulls of a type.
fn nulls(data_type: &DataType, len: usize) -> Result<ArrayRef> {
    check_nulls(data_type, len)?;
    match data_type {
        DataType::Union(fields, mode) => nested::null_union(fields, *mode, len),
        other => Ok(new_null_array(other, len)),
    }
}
