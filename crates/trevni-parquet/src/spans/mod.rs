//! Spans of time: months, days and milliseconds in twelve bytes. The Parquet library knows them as days and milliseconds alone, so
//! it reads and writes bytes, which become spans and come of them here.

mod columns;

pub(crate) use columns::{annotated, as_bytes, is_interval, without_empty_groups};

use crate::error::{Error, Result};
use arrow_array::builder::{FixedSizeBinaryBuilder, IntervalMonthDayNanoBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{IntervalMonthDayNano, IntervalMonthDayNanoType};
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, LargeListArray, ListArray, MapArray, OffsetSizeTrait, RecordBatch,
    StructArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, FieldRef, Fields, IntervalUnit, Schema, SchemaRef};
use std::sync::Arc;

/// The metadata of a field whose bytes are spans.
const MARK: &str = "trevni.interval";
/// The field, whose bytes are spans.
pub(crate) fn marked(field: Field) -> Field {
    let mut metadata = field.metadata().clone();
    metadata.insert(MARK.to_owned(), String::new());
    field.with_metadata(metadata)
}

/// Whether a field is the bytes of spans.
fn is_marked(field: &Field) -> bool {
    *field.data_type() == DataType::FixedSizeBinary(12) && field.metadata().contains_key(MARK)
}

/// The fields with spans in place of their bytes.
pub(crate) fn fields(fields: &Fields) -> Fields {
    changed(fields, &|field| {
        is_marked(field).then(|| {
            let mut metadata = field.metadata().clone();
            metadata.remove(MARK);
            field
                .clone()
                .with_data_type(DataType::Interval(IntervalUnit::MonthDayNano))
                .with_metadata(metadata)
        })
    })
}

/// The fields with bytes in place of spans.
pub(crate) fn stored(fields: &Fields) -> Fields {
    let is_span = |field: &Field| *field.data_type() == DataType::Interval(IntervalUnit::MonthDayNano);
    changed(fields, &|field| {
        is_span(field).then(|| marked(field.clone().with_data_type(DataType::FixedSizeBinary(12))))
    })
}

/// The fields, of which some become others, at any depth.
fn changed(fields: &Fields, change: &dyn Fn(&Field) -> Option<Field>) -> Fields {
    fields.iter().map(|field| changed_field(field, change)).collect()
}

fn changed_field(field: &FieldRef, change: &dyn Fn(&Field) -> Option<Field>) -> FieldRef {
    if let Some(changed) = change(field) {
        return Arc::new(changed);
    }
    let data_type = match field.data_type() {
        DataType::Struct(members) => DataType::Struct(changed(members, change)),
        DataType::List(item) => DataType::List(changed_field(item, change)),
        DataType::LargeList(item) => DataType::LargeList(changed_field(item, change)),
        DataType::FixedSizeList(item, size) => DataType::FixedSizeList(changed_field(item, change), *size),
        DataType::Map(entries, sorted) => DataType::Map(changed_field(entries, change), *sorted),
        _ => return Arc::clone(field),
    };
    Arc::new(Field::clone(field).with_data_type(data_type))
}

/// A batch with spans in place of their bytes or the other way round, as the schema says; its first row has this number.
pub(crate) fn batch(batch: &RecordBatch, schema: SchemaRef, first: u64) -> Result<RecordBatch> {
    let columns = batch.schema_ref().fields().iter().zip(schema.fields()).zip(batch.columns());
    let column = |((from, to), array): ((&FieldRef, &FieldRef), &ArrayRef)| match from == to {
        true => Ok(Arc::clone(array)),
        false => spans(array, to).ok_or_else(|| {
            let wrong_row = |row: &usize| spans(&array.slice(*row, 1), to).is_none();
            let row = (0..array.len()).find(wrong_row).unwrap_or(0);
            let message = "a span that is negative or too long, or has parts of milliseconds".to_owned();
            Error::Value { row: first + row as u64, field: to.name().clone(), message }
        }),
    };
    let columns = columns.map(column).collect::<Result<Vec<_>>>()?;
    let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(schema, columns, &options)?)
}

/// An array with spans in place of their bytes or the other way round; `None` where one has no place there.
fn spans(array: &ArrayRef, to: &Field) -> Option<ArrayRef> {
    let nulls = array.nulls().cloned();
    Some(match (array.data_type(), to.data_type()) {
        (DataType::FixedSizeBinary(12), DataType::Interval(IntervalUnit::MonthDayNano)) => {
            let mut made = IntervalMonthDayNanoBuilder::with_capacity(array.len());
            for bytes in array.as_fixed_size_binary() {
                made.append_option(match bytes {
                    Some(bytes) => Some(span(bytes)?),
                    None => None,
                });
            }
            Arc::new(made.finish())
        }
        (DataType::Interval(IntervalUnit::MonthDayNano), DataType::FixedSizeBinary(12)) => {
            let mut made = FixedSizeBinaryBuilder::with_capacity(array.len(), 12);
            for span in array.as_primitive::<IntervalMonthDayNanoType>() {
                match span {
                    Some(span) => made.append_value(bytes(span)?).ok()?,
                    None => made.append_null(),
                }
            }
            Arc::new(made.finish())
        }
        (DataType::Struct(_), DataType::Struct(fields)) => Arc::new(members(array.as_struct(), fields)?),
        (DataType::List(_), DataType::List(item)) => {
            let list = array.as_list::<i32>();
            let (offsets, values) =
                (from_zero(list.offsets()), spans(&used(list.values(), list.offsets()), item)?);
            Arc::new(ListArray::try_new(Arc::clone(item), offsets, values, nulls).ok()?)
        }
        (DataType::LargeList(_), DataType::LargeList(item)) => {
            let list = array.as_list::<i64>();
            let (offsets, values) =
                (from_zero(list.offsets()), spans(&used(list.values(), list.offsets()), item)?);
            Arc::new(LargeListArray::try_new(Arc::clone(item), offsets, values, nulls).ok()?)
        }
        (DataType::FixedSizeList(..), DataType::FixedSizeList(item, size)) => {
            let values = spans(array.as_fixed_size_list().values(), item)?;
            Arc::new(FixedSizeListArray::try_new(Arc::clone(item), *size, values, nulls).ok()?)
        }
        (DataType::Map(..), DataType::Map(entries, sorted)) => {
            let (map, DataType::Struct(fields)) = (array.as_map(), entries.data_type()) else { return None };
            let used = used(&(Arc::new(map.entries().clone()) as ArrayRef), map.offsets());
            let (entries, offsets) = (Arc::clone(entries), from_zero(map.offsets()));
            let values = members(used.as_struct(), fields)?;
            Arc::new(MapArray::try_new(entries, offsets, values, nulls, *sorted).ok()?)
        }
        _ => Arc::clone(array),
    })
}

/// The items of lists that are a part of an array.
fn used<O: OffsetSizeTrait>(items: &ArrayRef, offsets: &OffsetBuffer<O>) -> ArrayRef {
    let (first, last) = (
        offsets.first().map_or(0, |first| first.as_usize()),
        offsets.last().map_or(0, |last| last.as_usize()),
    );
    items.slice(first, last - first)
}

/// The offsets of the same lists, where the first begins at 0.
fn from_zero<O: OffsetSizeTrait>(offsets: &OffsetBuffer<O>) -> OffsetBuffer<O> {
    OffsetBuffer::from_lengths(offsets.lengths())
}

fn members(array: &StructArray, fields: &Fields) -> Option<StructArray> {
    let columns = array.columns().iter().zip(fields).map(|(column, field)| spans(column, field));
    StructArray::try_new(fields.clone(), columns.collect::<Option<_>>()?, array.nulls().cloned()).ok()
}

fn span(bytes: &[u8]) -> Option<IntervalMonthDayNano> {
    let (parts, _) = bytes.as_chunks::<4>();
    let [months, days, millis] = parts else { return None };
    let part = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    let nanos = i64::from(part(millis)) * 1_000_000;
    Some(IntervalMonthDayNano::new(part(months).try_into().ok()?, part(days).try_into().ok()?, nanos))
}

fn bytes(span: IntervalMonthDayNano) -> Option<Vec<u8>> {
    if span.nanoseconds % 1_000_000 != 0 {
        return None;
    }
    let millis = u32::try_from(span.nanoseconds / 1_000_000).ok()?;
    let parts = [span.months.try_into().ok()?, span.days.try_into().ok()?, millis];
    Some(parts.map(u32::to_le_bytes).concat())
}

/// The schema with spans in place of their bytes.
pub(crate) fn schema(schema: &Schema) -> Schema {
    Schema::new_with_metadata(fields(schema.fields()), schema.metadata().clone())
}
