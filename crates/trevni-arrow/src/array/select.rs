//! Some entries of an array, in another order or more than once.

use crate::error::Result;
use arrow_array::{
    Array, ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions, StructArray, UInt64Array, make_array,
};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_data::transform::MutableArrayData;
use arrow_schema::{DataType, Field, FieldRef, Fields};
use arrow_select::filter::{FilterBuilder, filter};
use arrow_select::nullif::nullif;
use arrow_select::take::take;
use std::ops::Range;
use std::sync::Arc;

/// The entries that are valid, with no nulls of their own.
pub(super) fn valid(array: &ArrayRef, valid: &NullBuffer) -> Result<ArrayRef> {
    match is_copied(array.data_type()) {
        true => copied(array, valid.valid_slices().map(|(start, end)| start..end)),
        false => Ok(filter(array, &BooleanArray::new(valid.inner().clone(), None))?),
    }
}

/// The rows of a batch that are in some ranges, which ascend.
pub(super) fn only(batch: RecordBatch, rows: &[Range<usize>]) -> Result<RecordBatch> {
    match rows {
        [range] if range.len() == batch.num_rows() => return Ok(batch),
        [range] => return Ok(batch.slice(range.start, range.len())),
        _ => {}
    }
    let mut wanted = BooleanBufferBuilder::new(batch.num_rows());
    for range in rows {
        wanted.append_n(range.start.saturating_sub(wanted.len()), false);
        wanted.append_n(range.len(), true);
    }
    wanted.append_n(batch.num_rows().saturating_sub(wanted.len()), false);
    let wanted = FilterBuilder::new(&BooleanArray::new(wanted.finish(), None)).optimize().build();
    let column = |array: &ArrayRef| match is_copied(array.data_type()) {
        true => copied(array, rows.iter().cloned()),
        false => Ok(wanted.filter(array)?),
    };
    let columns = batch.columns().iter().map(column).collect::<Result<_>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(wanted.count()));
    Ok(RecordBatch::try_new_with_options(batch.schema(), columns, &options)?)
}

/// The entries at these positions.
pub(crate) fn at(array: &ArrayRef, positions: Vec<u64>) -> Result<ArrayRef> {
    let first = positions.first().copied().unwrap_or_default();
    if positions.iter().zip(first..).all(|(position, next)| *position == next) {
        return Ok(match positions.is_empty() {
            true => array.slice(0, 0),
            false => array.slice(first as usize, positions.len()),
        });
    }
    match is_copied(array.data_type()) {
        true => copied(array, ranges(&positions)),
        false => Ok(take(array, &UInt64Array::from(positions), None)?),
    }
}

/// The entries at these positions, or nulls where the keys have them.
pub(super) fn at_keys(array: &ArrayRef, keys: Vec<u64>, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    let Some(nulls) = nulls else {
        return at(array, keys);
    };
    let known = keys.into_iter().zip(nulls.iter()).map(|(key, is_valid)| if is_valid { key } else { 0 });
    let values = at(array, known.collect())?;
    Ok(nullif(&values, &BooleanArray::new(!nulls.inner(), None))?)
}

/// Whether entries are copied in ranges: the kernels of Arrow lose the number of values that have no bytes.
fn is_copied(data_type: &DataType) -> bool {
    data_type.is_nested() || *data_type == DataType::FixedSizeBinary(0)
}

/// The positions, joined into ranges.
fn ranges(positions: &[u64]) -> impl Iterator<Item = Range<usize>> + '_ {
    positions.chunk_by(|one, two| one + 1 == *two).filter_map(|chunk| {
        let first = *chunk.first()? as usize;
        Some(first..first + chunk.len())
    })
}

/// Copies ranges of an array.
pub(super) fn copied(array: &ArrayRef, ranges: impl Iterator<Item = Range<usize>>) -> Result<ArrayRef> {
    let data = array.to_data();
    let mut copy = MutableArrayData::new(vec![&data], false, array.len());
    for range in ranges {
        copy.try_extend(0, range.start, range.end)?;
    }
    Ok(make_array(copy.freeze()))
}

/// A struct of these columns. A field that is not nullable may have null runs, and null variants of a union: Arrow counts them as values.
pub(super) fn record(
    fields: &Fields,
    columns: Vec<ArrayRef>,
    nulls: Option<NullBuffer>,
    len: usize,
) -> Result<ArrayRef> {
    let loose = fields.iter().zip(&columns).map(|(field, column)| loose(field, column));
    let loose: Fields = loose.collect();
    let data_type = DataType::Struct(fields.clone());
    retyped(Arc::new(StructArray::try_new_with_length(loose, columns, nulls, len)?), &data_type)
}

/// Makes an array of these items, which may be null as the columns of a [`record`] may.
pub(super) fn around(
    field: &FieldRef,
    items: ArrayRef,
    data_type: &DataType,
    make: impl FnOnce(FieldRef, ArrayRef) -> Result<ArrayRef>,
) -> Result<ArrayRef> {
    retyped(make(loose(field, &items), items)?, data_type)
}

/// The field, nullable if its values have nulls without a bitmap.
fn loose(field: &FieldRef, values: &ArrayRef) -> FieldRef {
    let has_own = matches!(values.data_type(), DataType::RunEndEncoded(..) | DataType::Union(..));
    match has_own && !field.is_nullable() && values.logical_null_count() > 0 {
        true => Arc::new(Field::clone(field).with_nullable(true)),
        false => Arc::clone(field),
    }
}

fn retyped(array: ArrayRef, data_type: &DataType) -> Result<ArrayRef> {
    match array.data_type() == data_type {
        true => Ok(array),
        false => Ok(make_array(array.to_data().into_builder().data_type(data_type.clone()).build()?)),
    }
}
