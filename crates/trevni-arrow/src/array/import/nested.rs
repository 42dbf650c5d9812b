//! Lists, structs and maps to vectors.

use super::super::select;
use super::vector;
use crate::error::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericListViewArray, OffsetSizeTrait};
use arrow_schema::DataType;
use std::ops::Range;
use trevni::vector::{MapVector, Offsets, RecordVector};
use trevni::{Shape, Vector};

/// The values of an array with children and without nulls of its own.
pub(super) fn values(shape: &Shape, array: &ArrayRef) -> Result<Vector> {
    match (shape, array.data_type()) {
        (Shape::List(item), DataType::List(_)) => {
            let list = array.as_list::<i32>();
            lists(item, list.value_offsets(), list.values())
        }
        (Shape::List(item), DataType::LargeList(_)) => {
            let list = array.as_list::<i64>();
            lists(item, list.value_offsets(), list.values())
        }
        (Shape::List(item), DataType::ListView(_)) => views(item, array.as_list_view::<i32>()),
        (Shape::List(item), DataType::LargeListView(_)) => views(item, array.as_list_view::<i64>()),
        (Shape::List(item), DataType::FixedSizeList(_, size)) => {
            let list = array.as_fixed_size_list();
            let length = u32::try_from(*size).map_err(|_| Error::internal("a negative size"))?;
            let offsets = Offsets::from_lengths((0..list.len()).map(|_| length))?;
            let first =
                usize::try_from(list.value_offset(0)).map_err(|_| Error::internal("a negative offset"))?;
            let items = list.values().slice(first, offsets.total());
            Ok(Vector::list(offsets, vector(item, &items)?))
        }
        (Shape::Record(record), DataType::Struct(_)) => {
            let columns = array.as_struct().columns();
            if columns.len() != record.fields.len() {
                return Err(Error::internal("a struct of another number of fields"));
            }
            let fields = record.fields.iter().zip(columns).map(|(field, array)| {
                vector(&field.shape, array).map_err(|error| error.in_field(&field.name))
            });
            Ok(RecordVector::new(array.len(), fields.collect::<Result<_>>()?).into())
        }
        (item @ (Shape::Optional(_) | Shape::Null | Shape::Unknown), DataType::Struct(_)) => {
            match array.as_struct().columns() {
                [some] => vector(item, some),
                _ => Err(Error::internal("an optional in an optional is a struct of one field")),
            }
        }
        (Shape::Map(map), DataType::Map(..)) => {
            let array = array.as_map();
            let (range, offsets) = relative(array.value_offsets())?;
            let entries = array.entries().slice(range.start, range.len());
            let [key, value] = entries.columns() else {
                return Err(Error::internal("entries of a map have not two fields"));
            };
            let key = vector(&map.key, key).map_err(|error| error.in_field("key"))?;
            let value = vector(&map.value, value).map_err(|error| error.in_field("value"))?;
            Ok(MapVector::new(offsets, key, value).into())
        }
        _ => Err(Error::internal("an array of another type than its schema says")),
    }
}

fn lists<O: OffsetSizeTrait>(item: &Shape, offsets: &[O], values: &ArrayRef) -> Result<Vector> {
    let (range, offsets) = relative(offsets)?;
    Ok(Vector::list(offsets, vector(item, &values.slice(range.start, range.len()))?))
}

/// The items that offsets are about, and the offsets from the first of these.
fn relative<O: OffsetSizeTrait>(offsets: &[O]) -> Result<(Range<usize>, Offsets)> {
    let [first, last] =
        [offsets.first(), offsets.last()].map(|offset| offset.map_or(0, |offset| offset.as_usize()));
    let count = last.saturating_sub(first);
    u32::try_from(count).map_err(|_| too_many())?;
    let own = offsets.iter().map(|offset| offset.as_usize().saturating_sub(first) as u32);
    let own: Vec<u32> = if offsets.is_empty() { vec![0] } else { own.collect() };
    Ok((first..first + count, Offsets::try_from(own)?))
}

/// Lists that may be in any order, overlap, and skip items.
fn views<O: OffsetSizeTrait>(item: &Shape, array: &GenericListViewArray<O>) -> Result<Vector> {
    let sizes = array.value_sizes().iter().map(|size| u32::try_from(size.as_usize()).unwrap_or(u32::MAX));
    let offsets = Offsets::from_lengths(sizes).map_err(|_| too_many())?;
    let starts = array.value_offsets().iter().map(|start| start.as_usize());
    let ranges = starts.zip(offsets.lengths()).map(|(start, length)| start..start + length as usize);
    let mut ranges: Vec<Range<usize>> = ranges.filter(|range| !range.is_empty()).collect();
    // Those that follow each other are one.
    ranges.dedup_by(|next, range| {
        let follows = range.end == next.start;
        if follows {
            range.end = next.end;
        }
        follows
    });
    let items = match &ranges[..] {
        [] => array.values().slice(0, 0),
        [range] => array.values().slice(range.start, range.len()),
        _ => select::copied(array.values(), ranges.into_iter())?,
    };
    Ok(Vector::list(offsets, vector(item, &items)?))
}

fn too_many() -> Error {
    Error::too_many("the items of the lists of a column in one batch", u64::from(u32::MAX))
}
