//! Arrays of other libraries: checked, and with no offsets above their children.
//!
//! A part of an array of records is, in Arrow's interface, the whole array with an offset, and so are the arrays within
//! it. `arrow-array` slices children by the offsets of their parents, but loses count where these are records too. Here
//! offsets are moved down first, until they are those of single values.

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, make_array};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, SchemaRef, UnionMode};

/// The batch of an array of records. Strings are UTF-8, offsets and keys are in range: the interface promises it, but some
/// libraries hand on what they read from files.
pub(crate) fn batch(schema: &SchemaRef, data: &ArrayData) -> Result<RecordBatch, ArrowError> {
    if !matches!(data.data_type(), DataType::Struct(_)) || data.null_count() > 0 {
        let found = data.data_type();
        return Err(ArrowError::SchemaError(format!("a batch of rows is needed, not an array of {found}")));
    }
    let columns = schema.fields().iter().zip(data.child_data());
    let columns = columns.map(|(field, column)| {
        let column = straight(column, data.offset(), data.len(), None);
        column.map(make_array).map_err(|error| {
            let name = field.name();
            ArrowError::InvalidArgumentError(format!("field {name} is not what its type says: {error}"))
        })
    });
    let columns = columns.collect::<Result<Vec<ArrayRef>, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(data.len()));
    RecordBatch::try_new_with_options(SchemaRef::clone(schema), columns, &options)
}

/// Some entries of an array, checked; `above` says which ones are within records that are there.
fn straight(
    data: &ArrayData,
    start: usize,
    len: usize,
    above: Option<&NullBuffer>,
) -> Result<ArrayData, ArrowError> {
    if start.checked_add(len).is_none_or(|end| end > data.len()) {
        return Err(ArrowError::InvalidArgumentError(format!(
            "{len} values from {start} on are needed of {}",
            data.len()
        )));
    }
    let nulls = data.nulls().map(|nulls| nulls.slice(start, len));
    let first = data.offset() + start;
    let built = ArrayData::builder(data.data_type().clone()).len(len);
    match data.data_type() {
        DataType::Struct(_) => {
            let there = NullBuffer::union(above, nulls.as_ref());
            let children = data.child_data().iter();
            let children = children.map(|child| straight(child, first, len, there.as_ref()));
            // Nulls of records around it cover those within it too.
            built.child_data(children.collect::<Result<_, _>>()?).nulls(there).build()
        }
        DataType::FixedSizeList(_, size) => {
            let size = usize::try_from(*size).unwrap_or(0);
            let there = NullBuffer::union(above, nulls.as_ref());
            let items = there.as_ref().map(|there| there.expand(size));
            let children = data.child_data().iter();
            let children = children.map(|child| straight(child, first * size, len * size, items.as_ref()));
            built.child_data(children.collect::<Result<_, _>>()?).nulls(there).build()
        }
        DataType::Union(_, UnionMode::Sparse) => {
            let kinds = data.buffers().iter().map(|kinds| kinds.slice_with_length(first, len));
            let children = data.child_data().iter().map(|child| straight(child, first, len, None));
            built.buffers(kinds.collect()).child_data(children.collect::<Result<_, _>>()?).build()
        }
        // Their offsets may be those of a slice of bytes that are not here.
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Binary | DataType::LargeBinary if len == 0 => {
            Ok(ArrayData::new_empty(data.data_type()))
        }
        kind => {
            let nulls = match kind {
                DataType::Null | DataType::Union(..) | DataType::RunEndEncoded(..) => None,
                // Where there is no record, its keys need not be any, and its values may be null.
                _ => match above {
                    Some(above) => {
                        NullBuffer::union(Some(above), nulls.as_ref()).map(|all| padded(&all, first))
                    }
                    None => nulls,
                },
            };
            let children = data.child_data().iter().map(|child| straight(child, 0, child.len(), None));
            let children = children.collect::<Result<_, _>>()?;
            data.slice(start, len).into_builder().nulls(nulls).child_data(children).build()
        }
    }
}

/// The same nulls, with bits before them for the values that are before an offset.
fn padded(nulls: &NullBuffer, offset: usize) -> NullBuffer {
    let mut bits = BooleanBufferBuilder::new(offset + nulls.len());
    bits.append_n(offset, true);
    bits.append_buffer(nulls.inner());
    NullBuffer::new(bits.finish().slice(offset, nulls.len()))
}
