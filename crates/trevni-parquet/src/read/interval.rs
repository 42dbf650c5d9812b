//! Spans of time: months, days and milliseconds in twelve bytes. The Parquet library knows them as days and milliseconds alone, so
//! it reads bytes, which become spans here.

use crate::error::{Error, Result};
use arrow_array::builder::IntervalMonthDayNanoBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::IntervalMonthDayNano;
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, LargeListArray, ListArray, MapArray, RecordBatch, StructArray,
};
use arrow_schema::{DataType, Field, FieldRef, Fields, IntervalUnit, Schema, SchemaRef};
use parquet::basic::ConvertedType;
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::{FileMetaData, ParquetMetaData};
use parquet::schema::types::{SchemaDescriptor, Type};
use std::sync::Arc;

/// The metadata of a field whose bytes are spans.
const MARK: &str = "trevni.interval";
/// What the Parquet library writes where fields had types of Arrow.
const ARROW: &str = "ARROW:schema";

/// The metadata of a file with spans as bytes. Those that had a type of Arrow keep it.
pub(super) fn as_bytes(metadata: Arc<ParquetMetaData>) -> Result<Arc<ParquetMetaData>> {
    let file = metadata.file_metadata();
    let schema = file.schema_descr();
    let is_arrow = file.key_value_metadata().is_some_and(|pairs| pairs.iter().any(|pair| pair.key == ARROW));
    if is_arrow || !schema.columns().iter().any(|column| column.converted_type() == ConvertedType::INTERVAL) {
        return Ok(metadata);
    }
    let plain = SchemaDescriptor::new(plain(schema.root_schema())?);
    let file = FileMetaData::new(
        file.version(),
        file.num_rows(),
        file.created_by().map(str::to_owned),
        file.key_value_metadata().cloned(),
        Arc::new(plain),
        file.column_orders().cloned(),
    );
    Ok(Arc::new(ParquetMetaData::new(file, metadata.row_groups().to_vec())))
}

/// A type whose spans are bytes.
fn plain(kind: &Type) -> ParquetResult<Arc<Type>> {
    let info = kind.get_basic_info();
    let made = match kind {
        Type::GroupType { fields, .. } => {
            let fields = fields.iter().map(|field| plain(field)).collect::<ParquetResult<_>>()?;
            let mut group = Type::group_type_builder(info.name())
                .with_converted_type(info.converted_type())
                .with_logical_type(info.logical_type_ref().cloned())
                .with_id(info.has_id().then(|| info.id()))
                .with_fields(fields);
            if info.has_repetition() {
                group = group.with_repetition(info.repetition());
            }
            group.build()?
        }
        Type::PrimitiveType { physical_type, type_length, .. }
            if info.converted_type() == ConvertedType::INTERVAL =>
        {
            Type::primitive_type_builder(info.name(), *physical_type)
                .with_length(*type_length)
                .with_repetition(info.repetition())
                .with_id(info.has_id().then(|| info.id()))
                .build()?
        }
        other => other.clone(),
    };
    Ok(Arc::new(made))
}

/// The field, whose bytes are spans.
pub(super) fn marked(field: Field) -> Field {
    let mut metadata = field.metadata().clone();
    metadata.insert(MARK.to_owned(), String::new());
    field.with_metadata(metadata)
}

/// The fields with spans in place of their bytes.
pub(super) fn fields(fields: &Fields) -> Fields {
    fields.iter().map(field).collect()
}

fn field(field: &FieldRef) -> FieldRef {
    let data_type = match field.data_type() {
        DataType::FixedSizeBinary(12) if field.metadata().contains_key(MARK) => {
            let mut metadata = field.metadata().clone();
            metadata.remove(MARK);
            let spans = DataType::Interval(IntervalUnit::MonthDayNano);
            return Arc::new(Field::clone(field).with_data_type(spans).with_metadata(metadata));
        }
        DataType::Struct(members) => DataType::Struct(fields(members)),
        DataType::List(item) => DataType::List(self::field(item)),
        DataType::LargeList(item) => DataType::LargeList(self::field(item)),
        DataType::FixedSizeList(item, size) => DataType::FixedSizeList(self::field(item), *size),
        DataType::Map(entries, sorted) => DataType::Map(self::field(entries), *sorted),
        _ => return Arc::clone(field),
    };
    Arc::new(Field::clone(field).with_data_type(data_type))
}

/// A batch with spans in place of their bytes, the first row of which has this number.
pub(super) fn batch(batch: &RecordBatch, schema: SchemaRef, first: u64) -> Result<RecordBatch> {
    let columns = batch.schema_ref().fields().iter().zip(schema.fields()).zip(batch.columns());
    let column = |((from, to), array): ((&FieldRef, &FieldRef), &ArrayRef)| match from == to {
        true => Ok(Arc::clone(array)),
        false => spans(array, to).ok_or_else(|| {
            let wrong_row = |row: &usize| spans(&array.slice(*row, 1), to).is_none();
            let row = (0..array.len()).find(wrong_row).unwrap_or(0);
            let message = "a span of more months or days than 31 bits count".to_owned();
            Error::Value { row: first + row as u64, field: to.name().clone(), message }
        }),
    };
    let columns = columns.map(column).collect::<Result<Vec<_>>>()?;
    let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(schema, columns, &options)?)
}

/// An array with spans in place of their bytes; none where one is too long.
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
        (DataType::Struct(_), DataType::Struct(fields)) => Arc::new(members(array.as_struct(), fields)?),
        (DataType::List(_), DataType::List(item)) => {
            let list = array.as_list::<i32>();
            let values = spans(list.values(), item)?;
            Arc::new(ListArray::try_new(Arc::clone(item), list.offsets().clone(), values, nulls).ok()?)
        }
        (DataType::LargeList(_), DataType::LargeList(item)) => {
            let list = array.as_list::<i64>();
            let values = spans(list.values(), item)?;
            Arc::new(LargeListArray::try_new(Arc::clone(item), list.offsets().clone(), values, nulls).ok()?)
        }
        (DataType::FixedSizeList(..), DataType::FixedSizeList(item, size)) => {
            let values = spans(array.as_fixed_size_list().values(), item)?;
            Arc::new(FixedSizeListArray::try_new(Arc::clone(item), *size, values, nulls).ok()?)
        }
        (DataType::Map(..), DataType::Map(entries, sorted)) => {
            let (map, DataType::Struct(fields)) = (array.as_map(), entries.data_type()) else { return None };
            let (entries, offsets) = (Arc::clone(entries), map.offsets().clone());
            Arc::new(
                MapArray::try_new(entries, offsets, members(map.entries(), fields)?, nulls, *sorted).ok()?,
            )
        }
        _ => Arc::clone(array),
    })
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

/// Whether a column holds spans.
pub(super) fn is_interval(column: &parquet::schema::types::ColumnDescriptor) -> bool {
    column.converted_type() == ConvertedType::INTERVAL
}

/// The schema with other fields.
pub(super) fn schema(schema: &Schema) -> Schema {
    Schema::new_with_metadata(fields(schema.fields()), schema.metadata().clone())
}
