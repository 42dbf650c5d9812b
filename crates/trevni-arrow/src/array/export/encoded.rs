//! Plain arrays as dictionaries and runs.

use super::super::select;
use super::differs;
use super::target::Target;
use crate::error::{Error, Result};
use crate::kept::Known;
use arrow_array::cast::AsArray;
use arrow_array::downcast_primitive_array;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, RunEndIndexType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, OffsetSizeTrait, PrimitiveArray, StringArray, make_array,
};
use arrow_buffer::{ArrowNativeType, NullBuffer, ToByteSlice};
use arrow_data::ArrayDataBuilder;
use arrow_schema::DataType;
use arrow_select::concat::concat;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use trevni::shape::EnumShape;

/// Symbols as they are: ordinals are the keys.
pub(super) fn symbols(shape: &EnumShape, ordinals: Vec<i32>, target: &Target<'_>) -> Result<ArrayRef> {
    let keys = PrimitiveArray::<Int32Type>::try_new(target.spread(ordinals).into(), target.nulls())?;
    let names = match shape.symbols.is_empty() {
        // What entries without a value point at, where none can be null.
        true => StringArray::from_iter_values([""]),
        false => StringArray::from_iter_values(&shape.symbols),
    };
    Ok(Arc::new(DictionaryArray::try_new(keys, Arc::new(names))?))
}

/// A dictionary of the different values of an array, in order of appearance.
pub(super) fn dictionary(plain: &ArrayRef, key: &DataType, target: &Target<'_>) -> Result<ArrayRef> {
    match key {
        DataType::Int8 => with_keys::<Int8Type>(plain, target),
        DataType::Int16 => with_keys::<Int16Type>(plain, target),
        DataType::Int32 => with_keys::<Int32Type>(plain, target),
        DataType::Int64 => with_keys::<Int64Type>(plain, target),
        DataType::UInt8 => with_keys::<UInt8Type>(plain, target),
        DataType::UInt16 => with_keys::<UInt16Type>(plain, target),
        DataType::UInt32 => with_keys::<UInt32Type>(plain, target),
        DataType::UInt64 => with_keys::<UInt64Type>(plain, target),
        _ => Err(differs()),
    }
}

fn with_keys<K: ArrowDictionaryKeyType>(plain: &ArrayRef, target: &Target<'_>) -> Result<ArrayRef> {
    let nulls = plain.logical_nulls().filter(|nulls| nulls.null_count() > 0);
    // What is under a null of a record is no value, but has a key.
    let there = if nulls.is_some() { nulls.clone() } else { target.there() };
    let known = target.kept.known.as_deref();
    let mut different = Different::of(plain, there.as_ref(), known);
    if nulls.is_none()
        && !plain.is_empty()
        && known.is_none_or(|known| known.values.is_empty())
        && different.first.is_empty()
    {
        different.first.push(0);
    }
    let values = match known {
        Some(known) if different.first.is_empty() => Arc::clone(&known.values),
        Some(known) => concat(&[&known.values, &select::at(plain, different.first)?])?,
        None => select::at(plain, different.first)?,
    };
    let key = |number: &u32| {
        K::Native::from_usize(*number as usize).filter(|key| key.as_usize() == *number as usize)
    };
    let keys = different.numbers.iter().map(key).collect::<Option<Vec<_>>>();
    let keys = keys.ok_or_else(|| Error::too_many("the values of a dictionary", bound::<K::Native>()))?;
    let keys = PrimitiveArray::<K>::try_new(keys.into(), nulls)?;
    Ok(Arc::new(DictionaryArray::try_new(keys, values)?))
}

/// About the largest number of a type.
fn bound<T>() -> u64 {
    u64::MAX >> (64 - (8 * size_of::<T>()).min(64))
}

/// Runs of equal values.
pub(super) fn runs(plain: &ArrayRef, data_type: &DataType, ends: &DataType) -> Result<ArrayRef> {
    match ends {
        DataType::Int16 => with_ends::<Int16Type>(plain, data_type),
        DataType::Int32 => with_ends::<Int32Type>(plain, data_type),
        DataType::Int64 => with_ends::<Int64Type>(plain, data_type),
        _ => Err(differs()),
    }
}

fn with_ends<R: RunEndIndexType>(plain: &ArrayRef, data_type: &DataType) -> Result<ArrayRef> {
    let nulls = plain.logical_nulls();
    let numbers = Different::of(plain, nulls.as_ref(), None).numbers;
    let entry = |index: usize| {
        let is_null = nulls.as_ref().is_some_and(|nulls| nulls.is_null(index));
        (is_null, numbers.get(index).filter(|_| !is_null))
    };
    let is_end = |index: &usize| *index == numbers.len() || entry(*index) != entry(*index - 1);
    let ends: Vec<usize> = (1..=numbers.len()).filter(is_end).collect();
    let starts = std::iter::once(0).chain(ends.iter().map(|end| *end as u64)).take(ends.len());
    let values = select::at(plain, starts.collect())?;
    let own = ends.iter().map(|end| R::Native::from_usize(*end).filter(|own| own.as_usize() == *end));
    let own = own.collect::<Option<Vec<_>>>();
    let own =
        own.ok_or_else(|| Error::too_many("the entries of an array of runs", bound::<R::Native>() / 2))?;
    let own = PrimitiveArray::<R>::try_new(own.into(), None)?;
    let data = ArrayDataBuilder::new(data_type.clone())
        .len(numbers.len())
        .child_data(vec![own.into_data(), values.into_data()])
        .build()?;
    Ok(make_array(data))
}

/// The different values of an array.
struct Different {
    /// For each entry the number of its value; 0 for nulls.
    numbers: Vec<u32>,
    /// Where each value is first that is not among those known before.
    first: Vec<u64>,
}

impl Different {
    fn of(array: &ArrayRef, nulls: Option<&NullBuffer>, before: Option<&Known>) -> Self {
        let count = before.map_or(0, |before| before.values.len() as u32);
        let mut known = HashMap::new();
        let mut different = Self { numbers: Vec::with_capacity(array.len()), first: Vec::new() };
        let bytes = bytes_of(array);
        for index in 0..array.len() {
            if nulls.is_some_and(|nulls| nulls.is_null(index)) {
                different.numbers.push(0);
                continue;
            }
            let next = count + different.first.len() as u32;
            let number = match &bytes {
                Some(bytes) => {
                    let value = bytes(index);
                    match before.and_then(|before| before.numbers.get(&*value)) {
                        Some(number) => *number,
                        None => *known.entry(value).or_insert(next),
                    }
                }
                None => next,
            };
            if number == next {
                different.first.push(index as u64);
            }
            different.numbers.push(number);
        }
        different
    }
}

/// The bytes of a value, by its position.
pub(crate) type Bytes<'a> = Box<dyn Fn(usize) -> Cow<'a, [u8]> + 'a>;

/// Gives bytes that are equal where values are; none for types whose values are all taken to be different.
pub(crate) fn bytes_of(array: &dyn Array) -> Option<Bytes<'_>> {
    let parts = match array.data_type() {
        DataType::Struct(_) => array.as_struct().columns().iter().collect::<Vec<_>>(),
        DataType::List(_) => vec![array.as_list::<i32>().values()],
        DataType::LargeList(_) => vec![array.as_list::<i64>().values()],
        DataType::FixedSizeList(..) => vec![array.as_fixed_size_list().values()],
        _ => {
            let bytes = leaf_bytes(array)?;
            return Some(Box::new(move |index| Cow::Borrowed(bytes(index))));
        }
    };
    let parts: Vec<(&ArrayRef, Bytes<'_>)> =
        parts.into_iter().map(|part| Some((part, bytes_of(part)?))).collect::<Option<_>>()?;
    Some(Box::new(move |index| {
        let mut all = Vec::new();
        for (part, bytes) in &parts {
            let entries = match array.data_type() {
                DataType::List(_) => range(array.as_list::<i32>().value_offsets(), index),
                DataType::LargeList(_) => range(array.as_list::<i64>().value_offsets(), index),
                DataType::FixedSizeList(_, size) => {
                    let size = size.unsigned_abs() as usize;
                    let first = array.as_fixed_size_list().value_offset(index).unsigned_abs() as usize;
                    first..first + size
                }
                _ => index..index + 1,
            };
            all.extend_from_slice(&(entries.len() as u64).to_le_bytes());
            for entry in entries {
                let bytes = if part.is_null(entry) { None } else { Some(bytes(entry)) };
                let len = bytes.as_ref().map_or(u64::MAX, |bytes| bytes.len() as u64);
                all.extend_from_slice(&len.to_le_bytes());
                all.extend_from_slice(&bytes.unwrap_or_default());
            }
        }
        Cow::Owned(all)
    }))
}

/// The items of a list.
fn range<O: OffsetSizeTrait>(offsets: &[O], index: usize) -> Range<usize> {
    match offsets.get(index..).unwrap_or_default() {
        [start, end, ..] => start.as_usize()..end.as_usize(),
        _ => 0..0,
    }
}

fn leaf_bytes<'a>(array: &'a dyn Array) -> Option<Box<dyn Fn(usize) -> &'a [u8] + 'a>> {
    Some(match array.data_type() {
        DataType::Utf8 => {
            let array = array.as_string::<i32>();
            Box::new(|index| array.value(index).as_bytes())
        }
        DataType::LargeUtf8 => {
            let array = array.as_string::<i64>();
            Box::new(|index| array.value(index).as_bytes())
        }
        DataType::Utf8View => {
            let array = array.as_string_view();
            Box::new(|index| array.value(index).as_bytes())
        }
        DataType::Binary => {
            let array = array.as_binary::<i32>();
            Box::new(|index| array.value(index))
        }
        DataType::LargeBinary => {
            let array = array.as_binary::<i64>();
            Box::new(|index| array.value(index))
        }
        DataType::BinaryView => {
            let array = array.as_binary_view();
            Box::new(|index| array.value(index))
        }
        DataType::FixedSizeBinary(_) => {
            let array = array.as_fixed_size_binary();
            Box::new(|index| array.value(index))
        }
        DataType::Boolean => {
            let array = array.as_boolean();
            Box::new(|index| if array.value(index) { &[1] } else { &[0] })
        }
        _ => downcast_primitive_array!(
            array => {
                let values: &[_] = array.values();
                Box::new(|index: usize| values.get(index..=index).map_or(&[][..], ToByteSlice::to_byte_slice))
            }
            _ => return None
        ),
    })
}
