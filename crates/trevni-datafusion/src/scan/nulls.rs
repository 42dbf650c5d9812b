//! Nulls of records in their fields, where the engine looks for them.

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, GenericListArray, OffsetSizeTrait, RecordBatch, StructArray,
};
use datafusion::arrow::compute::nullif;
use datafusion::arrow::datatypes::{DataType, FieldRef, SchemaRef};
use datafusion::arrow::error::ArrowError;
use std::sync::Arc;

/// A batch with the types of a schema, whose fields within records may be null where the batch's may not.
pub(super) fn passed_down(batch: RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    if batch.schema_ref() == schema {
        return Ok(batch);
    }
    let columns =
        batch.columns().iter().zip(schema.fields()).map(|(array, field)| with_type(array, field.data_type()));
    RecordBatch::try_new(Arc::clone(schema), columns.collect::<Result<_, _>>()?)
}

fn with_type(array: &ArrayRef, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    match data_type {
        _ if array.data_type() == data_type => Ok(Arc::clone(array)),
        DataType::Struct(fields) => {
            let records = array.as_struct();
            let under = records.nulls().map(|there| BooleanArray::new(!there.inner(), None));
            let part = |(array, field): (&ArrayRef, &FieldRef)| match &under {
                Some(under) if has_nulls(array.data_type()) => {
                    with_type(&nullif(array, under)?, field.data_type())
                }
                _ => with_type(array, field.data_type()),
            };
            let parts = records.columns().iter().zip(fields).map(part).collect::<Result<_, _>>()?;
            let (nulls, len) = (records.nulls().cloned(), records.len());
            Ok(Arc::new(StructArray::try_new_with_length(fields.clone(), parts, nulls, len)?))
        }
        DataType::List(item) => list::<i32>(array, item),
        DataType::LargeList(item) => list::<i64>(array, item),
        _ => Ok(Arc::clone(array)),
    }
}

fn list<O: OffsetSizeTrait>(array: &ArrayRef, item: &FieldRef) -> Result<ArrayRef, ArrowError> {
    let lists: &GenericListArray<O> = array.as_list();
    let items = with_type(lists.values(), item.data_type())?;
    let (offsets, nulls) = (lists.offsets().clone(), lists.nulls().cloned());
    Ok(Arc::new(GenericListArray::try_new(Arc::clone(item), offsets, items, nulls)?))
}

/// Whether arrays of a type say themselves which values are null.
fn has_nulls(data_type: &DataType) -> bool {
    !matches!(data_type, DataType::Null | DataType::Union(..) | DataType::RunEndEncoded(..))
}
