//! Records, lists and maps to arrays.

use super::super::select;
use super::target::Target;
use super::{all, array, differs};
use crate::error::{Error, Result};
use crate::kept::Kept;
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, GenericListArray, GenericListViewArray, MapArray, OffsetSizeTrait,
};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, FieldRef, Fields};
use std::borrow::Cow;
use std::sync::Arc;
use trevni::shape::{MapShape, RecordShape};
use trevni::vector::{ListVector, MapVector, Offsets, RecordVector};
use trevni::{Shape, Vector};

/// The values of a vector with children, at their places.
pub(super) fn values(shape: &Shape, vector: Vector, target: &Target<'_>) -> Result<ArrayRef> {
    match (shape, vector) {
        (Shape::Record(shape), Vector::Record(record)) => match target.data_type {
            DataType::Struct(fields) => records(shape, record, fields, target),
            _ => Err(differs()),
        },
        (Shape::List(item), Vector::List(list)) => match target.data_type {
            DataType::List(field) => lists::<i32>(item, *list, field, target),
            DataType::LargeList(field) => lists::<i64>(item, *list, field, target),
            DataType::ListView(field) => views::<i32>(item, *list, field, target),
            DataType::LargeListView(field) => views::<i64>(item, *list, field, target),
            DataType::FixedSizeList(field, size) => fixed(item, *list, field, *size, target),
            _ => Err(differs()),
        },
        (Shape::Map(shape), Vector::Map(map)) => maps(shape, *map, target),
        _ => Err(differs()),
    }
}

fn records(
    shape: &RecordShape,
    record: RecordVector,
    fields: &Fields,
    target: &Target<'_>,
) -> Result<ArrayRef> {
    if shape.fields.len() != fields.len() || record.fields.len() != fields.len() {
        return Err(differs());
    }
    let parts = shape.fields.iter().zip(record.fields).zip(fields).enumerate();
    let columns = parts.map(|(index, ((part, vector), field))| {
        array(&part.shape, vector, &target.part(index, field)).map_err(|error| error.in_field(&part.name))
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;
    select::record(fields, columns, target.nulls(), target.len)
}

fn items(
    item: &Shape,
    vector: Vector,
    field: &FieldRef,
    target: &Target<'_>,
    kept: &Kept,
) -> Result<ArrayRef> {
    let len = vector.len();
    array(item, vector, &all(field, len, target.dictionaries, kept))
}

/// The offsets of lists at their places; other entries are lists without items.
fn offsets<O: OffsetSizeTrait>(own: Offsets, target: &Target<'_>) -> Result<OffsetBuffer<O>> {
    if O::from_usize(own.total()).is_none() {
        return Err(Error::too_many("the items of the lists of a column in one batch", i32::MAX as u64));
    }
    let numbers = target.at_places(own.into_inner());
    // They ascend, and the last is the total.
    let count = numbers.len();
    Ok(OffsetBuffer::new(match O::IS_LARGE {
        true => numbers.into_iter().map(|number| O::usize_as(number as usize)).collect(),
        false => ScalarBuffer::new(Buffer::from_vec(numbers), 0, count),
    }))
}

fn lists<O: OffsetSizeTrait>(
    item: &Shape,
    list: ListVector,
    field: &FieldRef,
    target: &Target<'_>,
) -> Result<ArrayRef> {
    let offsets = offsets::<O>(list.offsets, target)?;
    let items = items(item, list.item, field, target, target.kept.part(0))?;
    select::around(field, items, target.data_type, |field, items| {
        Ok(Arc::new(GenericListArray::try_new(field, offsets, items, target.nulls())?))
    })
}

fn views<O: OffsetSizeTrait>(
    item: &Shape,
    list: ListVector,
    field: &FieldRef,
    target: &Target<'_>,
) -> Result<ArrayRef> {
    let offsets = offsets::<O>(list.offsets, target)?;
    let items = items(item, list.item, field, target, target.kept.part(0))?;
    let sizes: ScalarBuffer<O> = offsets.lengths().map(O::usize_as).collect();
    let starts = offsets.inner().slice(0, sizes.len());
    select::around(field, items, target.data_type, |field, items| {
        Ok(Arc::new(GenericListViewArray::try_new(field, starts, sizes, items, target.nulls())?))
    })
}

fn fixed(
    item: &Shape,
    list: ListVector,
    field: &FieldRef,
    size: i32,
    target: &Target<'_>,
) -> Result<ArrayRef> {
    if let Some(other) = list.offsets.lengths().find(|length| i32::try_from(*length) != Ok(size)) {
        return Err(Error::value(format!("a list of {other} items, where all have {size}")));
    }
    target.check_fill(target.data_type)?;
    let places = target.numbers().map(|places| {
        let length = size.unsigned_abs();
        let lists = Target::entries(places).flat_map(|(place, is_there)| {
            let first = place as u32 * length;
            (1..=length).map(move |item| if is_there { first + item } else { first })
        });
        Offsets::from_ends(lists).map(Cow::Owned)
    });
    let places = places.transpose()?;
    let len = target.len.saturating_mul(size.unsigned_abs() as usize);
    let items = array(item, list.item, &Target { len, places, ..target.part(0, field) })?;
    select::around(field, items, target.data_type, |field, items| {
        let (nulls, len) = (target.nulls(), target.len);
        Ok(Arc::new(FixedSizeListArray::try_new_with_length(field, size, items, nulls, len)?))
    })
}

fn maps(shape: &MapShape, map: MapVector, target: &Target<'_>) -> Result<ArrayRef> {
    let DataType::Map(entries, ordered) = target.data_type else { return Err(differs()) };
    let DataType::Struct(fields) = entries.data_type() else { return Err(differs()) };
    let [key, value] = &fields[..] else { return Err(differs()) };
    let offsets = offsets::<i32>(map.offsets, target)?;
    let kept = target.kept.part(0);
    let keys =
        items(&shape.key, map.key, key, target, kept.part(0)).map_err(|error| error.in_field("key"))?;
    let values = items(&shape.value, map.value, value, target, kept.part(1))
        .map_err(|error| error.in_field("value"))?;
    let len = keys.len();
    let pairs = select::record(fields, vec![keys, values], None, len)?.as_struct().clone();
    Ok(Arc::new(MapArray::try_new(Arc::clone(entries), offsets, pairs, target.nulls(), *ordered)?))
}
