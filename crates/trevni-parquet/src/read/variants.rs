//! Values of the type VARIANT as JSON, shredded or not.
//!
//! The library for variants follows their nesting by recursion, and the bytes of one may be in several objects. So bytes are looked at
//! before it gets them: nested up to a depth, each value in one place.

use crate::error::{Error, Result};
use crate::guard::guarded;
use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, FixedSizeListArray, LargeListArray, ListArray, MapArray, RecordBatch,
    RecordBatchOptions, StructArray,
};
use arrow_schema::extension::Json;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use parquet::variant::{VariantArray, VariantType, unshred_variant};
use parquet_variant_json::VariantToJson;
use std::sync::Arc;

/// The deepest nesting of a variant.
const DEPTH_MAX: usize = 96;

/// What values of Parquet's type VARIANT are read as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variants {
    /// As they are stored: a struct of bytes, and of typed values where they are shredded, whose field has the extension type
    /// `arrow.parquet.variant`. Such columns become VARIANT again in Parquet.
    #[default]
    Stored,
    /// JSON, as strings whose field has the extension type `arrow.json`.
    Json,
}

/// The schema with strings in place of variants.
pub(super) fn schema(schema: &Schema) -> Schema {
    let fields: Vec<FieldRef> = schema.fields().iter().map(field).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}

fn is_variant(field: &Field) -> bool {
    field.has_valid_extension_type::<VariantType>()
}

fn field(own: &FieldRef) -> FieldRef {
    if is_variant(own) {
        let json = Field::new(own.name(), DataType::Utf8, own.is_nullable());
        return Arc::new(json.with_extension_type(Json::default()));
    }
    let data_type = match own.data_type() {
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect()),
        DataType::List(item) => DataType::List(field(item)),
        DataType::LargeList(item) => DataType::LargeList(field(item)),
        DataType::FixedSizeList(item, size) => DataType::FixedSizeList(field(item), *size),
        DataType::Map(entries, sorted) => DataType::Map(field(entries), *sorted),
        _ => return Arc::clone(own),
    };
    Arc::new(Field::clone(own).with_data_type(data_type))
}

/// A batch with strings in place of variants; its first row has this number.
pub(super) fn batch(batch: &RecordBatch, schema: &SchemaRef, first: u64) -> Result<RecordBatch> {
    let fields = batch.schema_ref().fields().iter().zip(schema.fields());
    let column = |((own, json), array): ((&FieldRef, &FieldRef), &ArrayRef)| {
        guarded(|| strings(array, own, json)).map_err(|error| {
            let is_wrong = |row: &usize| guarded(|| strings(&array.slice(*row, 1), own, json)).is_err();
            let row = (0..array.len()).find(is_wrong).unwrap_or(0);
            let message = format!("a variant that is damaged: {error}");
            Error::Value { row: first + row as u64, field: own.name().clone(), message }
        })
    };
    let columns = fields.zip(batch.columns()).map(column).collect::<Result<Vec<_>>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}

/// An array with strings in place of variants.
fn strings(array: &ArrayRef, own: &Field, json: &Field) -> Result<ArrayRef, ArrowError> {
    if own == json {
        return Ok(Arc::clone(array));
    }
    if is_variant(own) {
        return of_variants(array);
    }
    let nulls = array.nulls().cloned();
    Ok(match (own.data_type(), json.data_type()) {
        (DataType::Struct(own), DataType::Struct(json)) => {
            let columns = array.as_struct().columns().iter().zip(own.iter().zip(json));
            let columns = columns.map(|(column, (own, json))| strings(column, own, json));
            Arc::new(StructArray::try_new(json.clone(), columns.collect::<Result<_, _>>()?, nulls)?)
        }
        (DataType::List(own), DataType::List(json)) => {
            let list = array.as_list::<i32>();
            let items = strings(list.values(), own, json)?;
            Arc::new(ListArray::try_new(Arc::clone(json), list.offsets().clone(), items, nulls)?)
        }
        (DataType::LargeList(own), DataType::LargeList(json)) => {
            let list = array.as_list::<i64>();
            let items = strings(list.values(), own, json)?;
            Arc::new(LargeListArray::try_new(Arc::clone(json), list.offsets().clone(), items, nulls)?)
        }
        (DataType::FixedSizeList(own, _), DataType::FixedSizeList(json, size)) => {
            let items = strings(array.as_fixed_size_list().values(), own, json)?;
            Arc::new(FixedSizeListArray::try_new(Arc::clone(json), *size, items, nulls)?)
        }
        (DataType::Map(own, _), DataType::Map(json, sorted)) => {
            let map = array.as_map();
            let entries = strings(&(Arc::new(map.entries().clone()) as ArrayRef), own, json)?;
            let entries = entries.as_struct().clone();
            Arc::new(MapArray::try_new(Arc::clone(json), map.offsets().clone(), entries, nulls, *sorted)?)
        }
        _ => Arc::clone(array),
    })
}

fn of_variants(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    check(array)?;
    let variants = unshred_variant(&VariantArray::try_new(array)?)?;
    let mut json = StringBuilder::new();
    for row in 0..variants.len() {
        match variants.is_null(row) {
            true => json.append_null(),
            false => {
                let value = variants.try_value(row)?.with_full_validation()?;
                json.append_value(value.to_json_string()?);
            }
        }
    }
    Ok(Arc::new(json.finish()))
}

/// Looks at all bytes of variants in an array, also in what is shredded.
fn check(array: &ArrayRef) -> Result<(), ArrowError> {
    let wrong = || ArrowError::ParseError("it is nested too deep, or its values share bytes".to_owned());
    let of_bytes = |bytes: Option<&[u8]>| match bytes {
        Some(bytes) => is_flat(bytes).then_some(()).ok_or_else(wrong),
        None => Ok(()),
    };
    match array.data_type() {
        DataType::Struct(fields) => {
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                match (field.name().as_str(), column.data_type()) {
                    ("value", DataType::Binary) => column.as_binary::<i32>().iter().try_for_each(of_bytes)?,
                    ("value", DataType::LargeBinary) => {
                        column.as_binary::<i64>().iter().try_for_each(of_bytes)?
                    }
                    ("value", DataType::BinaryView) => {
                        let views: &BinaryViewArray = column.as_binary_view();
                        views.iter().try_for_each(of_bytes)?;
                    }
                    _ => check(column)?,
                }
            }
            Ok(())
        }
        DataType::List(_) => check(array.as_list::<i32>().values()),
        DataType::LargeList(_) => check(array.as_list::<i64>().values()),
        DataType::ListView(_) => check(array.as_list_view::<i32>().values()),
        _ => Ok(()),
    }
}

/// Whether a variant's nesting has an end that is near, and its values have bytes of their own.
fn is_flat(bytes: &[u8]) -> bool {
    walk(bytes, DEPTH_MAX, &mut bytes.len()).is_some()
}

/// Goes through the values of a variant; `None` beyond a depth, after more values than there are bytes, and where offsets leave them.
fn walk(bytes: &[u8], depth: usize, left: &mut usize) -> Option<()> {
    *left = left.checked_sub(1)?;
    let header = bytes.first()?;
    let (kind, header) = (header & 3, header >> 2);
    let (offset_size, id_size, is_large) = match kind {
        2 => (usize::from(header & 3) + 1, usize::from(header >> 2 & 3) + 1, header & 16 != 0),
        3 => (usize::from(header & 3) + 1, 0, header & 4 != 0),
        // Numbers, strings and the like.
        _ => return Some(()),
    };
    let depth = depth.checked_sub(1)?;
    let number = |at: usize, size: usize| {
        let bytes = bytes.get(at..at.checked_add(size)?)?.iter().rev();
        Some(bytes.fold(0_usize, |number, byte| number << 8 | usize::from(*byte)))
    };
    let count_size = if is_large { 4 } else { 1 };
    let count = number(1, count_size)?;
    let offsets = count.checked_mul(id_size)?.checked_add(1 + count_size)?;
    let values = count.checked_add(1)?.checked_mul(offset_size)?.checked_add(offsets)?;
    for at in 0..count {
        let offset = number(offsets + at * offset_size, offset_size)?;
        walk(bytes.get(values.checked_add(offset)?..)?, depth, left)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::is_flat;

    /// Arrays in arrays: one item of two bytes for the header and the count, and two offsets.
    fn nested(depth: usize) -> Vec<u8> {
        let mut bytes = vec![0];
        for _ in 0..depth {
            let size = u32::try_from(bytes.len()).unwrap().to_le_bytes();
            bytes = [&[3 | 3 << 2, 1, 0, 0, 0, 0][..], &size, &bytes].concat();
        }
        bytes
    }

    #[test]
    fn nesting_has_an_end() {
        assert!(is_flat(&nested(0)) && is_flat(&nested(96)));
        assert!(!is_flat(&nested(97)) && !is_flat(&nested(50_000)));
    }

    #[test]
    fn values_that_share_bytes_are_refused() {
        // Each array has the one after it ten times.
        let mut bytes = vec![0];
        for _ in 0..20 {
            let mut array = vec![3 | 1 << 2, 10];
            (0..11).for_each(|_| array.extend([0, 0]));
            array.extend(&bytes);
            bytes = array;
        }
        assert!(!is_flat(&bytes));
        let own = [3, 2, 0, 1, 2, 0, 0];
        assert!(is_flat(&own));
        assert!(!is_flat(&own[..4]) && !is_flat(&[]) && !is_flat(&[3, 2, 0, 9, 9, 0, 0]));
    }
}
