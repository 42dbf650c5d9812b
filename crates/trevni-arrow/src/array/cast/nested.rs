//! Values with children as values of a type with more of them, or of others.

use super::super::select;
use super::{array, leaf, nulls};
use crate::error::{Error, Result};
use crate::schema::is_null_variant;
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BooleanArray, FixedSizeListArray, GenericListArray, GenericListViewArray, MapArray,
    NullArray, OffsetSizeTrait, StructArray, UnionArray, new_empty_array, new_null_array,
};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{DataType, Field, FieldRef, Fields, UnionFields, UnionMode};
use arrow_select::nullif::nullif;
use std::sync::Arc;

/// Records, field by field.
pub(super) fn record(values: &StructArray, fields: &Fields) -> Result<ArrayRef> {
    let column = |field: &FieldRef| {
        let made = match values.column_by_name(field.name()) {
            Some(column) => array(column, field.data_type()),
            None => nulls(field.data_type(), values.len()),
        };
        made.map_err(|error| error.in_field(field.name()))
    };
    let columns = fields.iter().map(column).collect::<Result<_>>()?;
    select::record(fields, columns, values.nulls().cloned(), values.len())
}

/// What is in an optional within an optional.
pub(in crate::array) fn some(values: &StructArray) -> Result<ArrayRef> {
    let inner = values.columns().first().ok_or_else(differs)?;
    match values.nulls() {
        None => Ok(Arc::clone(inner)),
        Some(nulls) => Ok(nullif(inner, &BooleanArray::new(!nulls.inner(), None))?),
    }
}

pub(super) fn is_list(data_type: &DataType) -> bool {
    item(data_type).is_some()
}

fn item(data_type: &DataType) -> Option<&FieldRef> {
    match data_type {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => Some(item),
        _ => None,
    }
}

/// The same kind of list, of other items.
fn with_item(list: &DataType, item: &FieldRef) -> DataType {
    let item = Arc::clone(item);
    match list {
        DataType::LargeList(_) => DataType::LargeList(item),
        DataType::ListView(_) => DataType::ListView(item),
        DataType::LargeListView(_) => DataType::LargeListView(item),
        DataType::FixedSizeList(_, size) => DataType::FixedSizeList(item, *size),
        _ => DataType::List(item),
    }
}

/// Lists: first of the wanted kind, then of the wanted items.
pub(super) fn list(values: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let Some(own) = item(values.data_type()) else {
        return Err(differs());
    };
    let kind = with_item(to, own);
    let values = if kind == *values.data_type() { Arc::clone(values) } else { leaf(values, &kind)? };
    match to {
        DataType::List(field) => items::<i32>(values.as_list(), field),
        DataType::LargeList(field) => items::<i64>(values.as_list(), field),
        DataType::ListView(field) => viewed::<i32>(values.as_list_view(), field),
        DataType::LargeListView(field) => viewed::<i64>(values.as_list_view(), field),
        DataType::FixedSizeList(field, size) => {
            let (list, field) = (values.as_fixed_size_list(), Arc::clone(field));
            let made = array(list.values(), field.data_type())?;
            let nulls = list.nulls().cloned();
            Ok(Arc::new(FixedSizeListArray::try_new_with_length(field, *size, made, nulls, list.len())?))
        }
        _ => Err(differs()),
    }
}

fn items<O: OffsetSizeTrait>(list: &GenericListArray<O>, field: &FieldRef) -> Result<ArrayRef> {
    let made = array(list.values(), field.data_type())?;
    let (offsets, nulls) = (list.offsets().clone(), list.nulls().cloned());
    Ok(Arc::new(GenericListArray::try_new(Arc::clone(field), offsets, made, nulls)?))
}

fn viewed<O: OffsetSizeTrait>(list: &GenericListViewArray<O>, field: &FieldRef) -> Result<ArrayRef> {
    let made = array(list.values(), field.data_type())?;
    let (offsets, sizes, nulls) = (list.offsets().clone(), list.sizes().clone(), list.nulls().cloned());
    Ok(Arc::new(GenericListViewArray::try_new(Arc::clone(field), offsets, sizes, made, nulls)?))
}

/// Maps; keys and values go by their places.
pub(super) fn map(values: &MapArray, entries: &FieldRef, is_sorted: bool) -> Result<ArrayRef> {
    let DataType::Struct(fields) = entries.data_type() else {
        return Err(differs());
    };
    let part = |(column, field): (&ArrayRef, &FieldRef)| {
        array(column, field.data_type()).map_err(|error| error.in_field(field.name()))
    };
    let own = values.entries();
    let columns = own.columns().iter().zip(fields).map(part).collect::<Result<_>>()?;
    let made = StructArray::try_new_with_length(fields.clone(), columns, own.nulls().cloned(), own.len())?;
    let (offsets, nulls) = (values.offsets().clone(), values.nulls().cloned());
    Ok(Arc::new(MapArray::try_new(Arc::clone(entries), offsets, made, nulls, is_sorted)?))
}

/// Unions, variant by variant.
pub(super) fn union(values: &UnionArray, fields: &UnionFields, mode: UnionMode) -> Result<ArrayRef> {
    let DataType::Union(own, _) = values.data_type() else {
        return Err(differs());
    };
    if mode == UnionMode::Sparse {
        return Err(differs());
    }
    let variant = |(_, field): (i8, &FieldRef)| {
        let made = match own.iter().find(|(_, own)| own.name() == field.name()) {
            Some((id, _)) => array(values.child(id), field.data_type()),
            None => Ok(new_empty_array(field.data_type())),
        };
        made.map_err(|error| error.in_field(field.name()))
    };
    let children = fields.iter().map(variant).collect::<Result<_>>()?;
    let id_of = |name: &str| fields.iter().find(|(_, field)| field.name() == name).map(|(id, _)| id);
    let ids: Vec<(i8, Option<i8>)> = own.iter().map(|(id, field)| (id, id_of(field.name()))).collect();
    let id = |own: &i8| ids.iter().find(|(id, _)| id == own).and_then(|(_, id)| *id);
    let ids: Option<ScalarBuffer<i8>> = values.type_ids().iter().map(id).collect();
    let offsets = match values.offsets() {
        Some(offsets) => offsets.clone(),
        None => positions(values.len())?,
    };
    Ok(Arc::new(UnionArray::try_new(fields.clone(), ids.ok_or_else(differs)?, Some(offsets), children)?))
}

/// Entries of the variant for what is not there; of the first one, where there is no such.
pub(super) fn null_union(fields: &UnionFields, mode: UnionMode, len: usize) -> Result<ArrayRef> {
    let Some((null, _)) = fields.iter().find(|(_, field)| is_null_variant(field)) else {
        return Ok(new_null_array(&DataType::Union(fields.clone(), mode), len));
    };
    let child = |(id, field): (i8, &Arc<Field>)| -> ArrayRef {
        match mode {
            _ if id == null => Arc::new(NullArray::new(len)),
            UnionMode::Dense => new_empty_array(field.data_type()),
            UnionMode::Sparse => new_null_array(field.data_type(), len),
        }
    };
    let children = fields.iter().map(child).collect();
    let offsets = if mode == UnionMode::Dense { Some(positions(len)?) } else { None };
    let ids = ScalarBuffer::from(vec![null; len]);
    Ok(Arc::new(UnionArray::try_new(fields.clone(), ids, offsets, children)?))
}

/// The integers from 0 up to, but not including, `len`.
fn positions(len: usize) -> Result<ScalarBuffer<i32>> {
    let len = i32::try_from(len).map_err(|_| Error::too_many("the entries of an array", i32::MAX as u64))?;
    Ok((0..len).collect())
}

fn differs() -> Error {
    Error::schema("the rows have values of another type")
}
