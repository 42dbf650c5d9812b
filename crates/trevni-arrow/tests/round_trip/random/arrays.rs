//! Random arrays of a schema.

use super::Random;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, RunEndIndexType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::*;
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer, i256};
use arrow_data::ArrayDataBuilder;
use arrow_schema::{DataType, Field, FieldRef, Schema, TimeUnit, UnionFields, UnionMode};
use arrow_select::take::take;
use std::sync::Arc;

const TEXTS: [&str; 6] =
    ["", "a", "twelve bytes", "thirteen byte", "日本", "a longer text than any view holds inline"];
pub(crate) fn batch(random: &mut Random, schema: &Arc<Schema>, len: usize) -> RecordBatch {
    let columns = schema.fields().iter().map(|field| array(random, field, len, None)).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(len));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options).unwrap()
}

/// An array of a field, often cut out of a longer one. Where an entry around it is null, it may be anything.
fn array(random: &mut Random, field: &Field, len: usize, around: Option<&NullBuffer>) -> ArrayRef {
    if around.is_none() && random.chance(2) {
        let (before, after) = (random.below(12), random.below(3));
        return whole(random, field, before + len + after, None).slice(before, len);
    }
    whole(random, field, len, around)
}

fn nulls(
    random: &mut Random,
    is_nullable: bool,
    len: usize,
    around: Option<&NullBuffer>,
) -> Option<NullBuffer> {
    if is_nullable && random.chance(4) {
        return Some(NullBuffer::new_null(len));
    }
    match is_nullable && !random.chance(3) {
        true => Some((0..len).map(|_| !random.chance(3)).collect()),
        // Nulls that are hidden.
        false => around.filter(|_| random.chance(2)).cloned(),
    }
}

fn whole(random: &mut Random, field: &Field, len: usize, around: Option<&NullBuffer>) -> ArrayRef {
    let nulls = nulls(random, field.is_nullable(), len, around);
    let data_type = field.data_type();
    match data_type {
        DataType::Null => Arc::new(NullArray::new(len)),
        DataType::List(item) => lists::<i32>(random, item, nulls, len),
        DataType::LargeList(item) => lists::<i64>(random, item, nulls, len),
        DataType::ListView(item) => views::<i32>(random, item, nulls, len),
        DataType::LargeListView(item) => views::<i64>(random, item, nulls, len),
        DataType::FixedSizeList(item, size) => {
            let items = array(random, item, len * *size as usize, None);
            let list = FixedSizeListArray::try_new_with_length(Arc::clone(item), *size, items, nulls, len);
            Arc::new(list.unwrap())
        }
        DataType::Struct(fields) => {
            let columns = fields.iter().map(|field| array(random, field, len, nulls.as_ref())).collect();
            Arc::new(StructArray::try_new_with_length(fields.clone(), columns, nulls, len).unwrap())
        }
        DataType::Map(entries, ordered) => {
            let DataType::Struct(fields) = entries.data_type() else { unreachable!() };
            let (offsets, total) = offsets::<i32>(random, len);
            let columns = fields.iter().map(|field| array(random, field, total, None)).collect();
            let pairs = StructArray::try_new(fields.clone(), columns, None).unwrap();
            Arc::new(MapArray::try_new(Arc::clone(entries), offsets, pairs, nulls, *ordered).unwrap())
        }
        DataType::Union(fields, mode) => unions(random, fields, *mode, len),
        DataType::Dictionary(keys, values) => match **keys {
            DataType::Int8 => dictionary::<Int8Type>(random, values, nulls, len),
            DataType::Int16 => dictionary::<Int16Type>(random, values, nulls, len),
            DataType::Int32 => dictionary::<Int32Type>(random, values, nulls, len),
            DataType::Int64 => dictionary::<Int64Type>(random, values, nulls, len),
            DataType::UInt8 => dictionary::<UInt8Type>(random, values, nulls, len),
            DataType::UInt16 => dictionary::<UInt16Type>(random, values, nulls, len),
            DataType::UInt32 => dictionary::<UInt32Type>(random, values, nulls, len),
            _ => dictionary::<UInt64Type>(random, values, nulls, len),
        },
        DataType::RunEndEncoded(ends, values) => match ends.data_type() {
            DataType::Int16 => runs::<Int16Type>(random, data_type, values, len),
            DataType::Int32 => runs::<Int32Type>(random, data_type, values, len),
            _ => runs::<Int64Type>(random, data_type, values, len),
        },
        leaf => leaves(random, leaf, nulls, len),
    }
}

fn offsets<O: OffsetSizeTrait>(random: &mut Random, len: usize) -> (OffsetBuffer<O>, usize) {
    let mut ends = vec![random.below(3)];
    for _ in 0..len {
        let last = *ends.last().unwrap();
        ends.push(last + random.pick(&[0, 0, 1, 2, 3]));
    }
    let total = ends[len] + random.below(3);
    (OffsetBuffer::new(ends.into_iter().map(O::usize_as).collect()), total)
}

fn lists<O: OffsetSizeTrait>(
    random: &mut Random,
    item: &FieldRef,
    nulls: Option<NullBuffer>,
    len: usize,
) -> ArrayRef {
    let (offsets, total) = offsets::<O>(random, len);
    let items = array(random, item, total, None);
    Arc::new(GenericListArray::try_new(Arc::clone(item), offsets, items, nulls).unwrap())
}

/// Lists in any order, that overlap.
fn views<O: OffsetSizeTrait>(
    random: &mut Random,
    item: &FieldRef,
    nulls: Option<NullBuffer>,
    len: usize,
) -> ArrayRef {
    let total = random.below(2 * len + 2);
    let items = array(random, item, total, None);
    let starts: Vec<usize> = (0..len).map(|_| random.below(total + 1)).collect();
    let sizes = starts.iter().map(|start| random.below((total - start).min(3) + 1));
    let sizes: ScalarBuffer<O> = sizes.map(O::usize_as).collect();
    let starts: ScalarBuffer<O> = starts.into_iter().map(O::usize_as).collect();
    Arc::new(GenericListViewArray::try_new(Arc::clone(item), starts, sizes, items, nulls).unwrap())
}

fn unions(random: &mut Random, fields: &UnionFields, mode: UnionMode, len: usize) -> ArrayRef {
    let ids: Vec<i8> = fields.iter().map(|(id, _)| id).collect();
    let type_ids: Vec<i8> = (0..len).map(|_| random.pick(&ids)).collect();
    let (offsets, children) = match mode {
        UnionMode::Dense => {
            let children: Vec<ArrayRef> = fields
                .iter()
                .map(|(_, field)| {
                    let len = 1 + random.below(len + 1);
                    array(random, field, len, None)
                })
                .collect();
            let offset = |id: &i8| {
                let child = &children[ids.iter().position(|other| other == id).unwrap()];
                random.below(child.len()) as i32
            };
            // Offsets of each variant must ascend.
            let mut offsets: Vec<i32> = type_ids.iter().map(offset).collect();
            for id in &ids {
                let places: Vec<usize> = (0..len).filter(|place| type_ids[*place] == *id).collect();
                let mut own: Vec<i32> = places.iter().map(|place| offsets[*place]).collect();
                own.sort_unstable();
                places.into_iter().zip(own).for_each(|(place, offset)| offsets[place] = offset);
            }
            (Some(offsets.into()), children)
        }
        UnionMode::Sparse => {
            let child = |(id, field): (i8, &FieldRef)| {
                let values = array(random, field, len, None);
                let index = |(index, other): (usize, &i8)| (*other == id).then_some(index as u32);
                let indices: UInt32Array = type_ids.iter().enumerate().map(index).collect();
                take(&values, &indices, None).unwrap()
            };
            (None, fields.iter().map(child).collect())
        }
    };
    Arc::new(UnionArray::try_new(fields.clone(), type_ids.into(), offsets, children).unwrap())
}

fn dictionary<K: ArrowDictionaryKeyType>(
    random: &mut Random,
    values: &DataType,
    nulls: Option<NullBuffer>,
    len: usize,
) -> ArrayRef {
    let count = 1 + random.below(5);
    let values = array(random, &Field::new("", values.clone(), false), count, None);
    let keys: Vec<K::Native> = (0..len).map(|_| K::Native::usize_as(random.below(count))).collect();
    let keys = PrimitiveArray::<K>::try_new(keys.into(), nulls).unwrap();
    Arc::new(DictionaryArray::try_new(keys, values).unwrap())
}

fn runs<R: RunEndIndexType>(
    random: &mut Random,
    data_type: &DataType,
    values: &Field,
    len: usize,
) -> ArrayRef {
    let mut ends: Vec<usize> = Vec::new();
    while ends.last().copied().unwrap_or(0) < len {
        let next = ends.last().copied().unwrap_or(0) + 1 + random.below(3);
        ends.push(next.min(len));
    }
    let values = array(random, values, ends.len(), None);
    let ends = PrimitiveArray::<R>::from_iter_values(ends.into_iter().map(R::Native::usize_as));
    let data = ArrayDataBuilder::new(data_type.clone()).len(len);
    make_array(data.child_data(vec![ends.into_data(), values.into_data()]).build().unwrap())
}

fn leaves(random: &mut Random, data_type: &DataType, nulls: Option<NullBuffer>, len: usize) -> ArrayRef {
    use DataType as D;
    match data_type {
        D::Boolean => {
            let values: Vec<bool> = (0..len).map(|_| random.chance(2)).collect();
            Arc::new(BooleanArray::new(values.into(), nulls))
        }
        D::Utf8 | D::LargeUtf8 | D::Utf8View => {
            let texts: Vec<&str> = (0..len).map(|_| random.pick(&TEXTS)).collect();
            let there = |index| nulls.as_ref().is_none_or(|nulls: &NullBuffer| nulls.is_valid(index));
            let texts = texts.into_iter().enumerate().map(|(index, text)| there(index).then_some(text));
            match data_type {
                D::Utf8 => Arc::new(texts.collect::<StringArray>()),
                D::LargeUtf8 => Arc::new(texts.collect::<LargeStringArray>()),
                _ => Arc::new(texts.collect::<StringViewArray>()),
            }
        }
        D::Binary | D::LargeBinary | D::BinaryView => {
            let there = |index| nulls.as_ref().is_none_or(|nulls: &NullBuffer| nulls.is_valid(index));
            let bytes: Vec<Vec<u8>> =
                (0..len).map(|_| (0..random.below(40)).map(|_| random.next() as u8).collect()).collect();
            let bytes = bytes.into_iter().enumerate().map(|(index, bytes)| there(index).then_some(bytes));
            match data_type {
                D::Binary => Arc::new(bytes.collect::<BinaryArray>()),
                D::LargeBinary => Arc::new(bytes.collect::<LargeBinaryArray>()),
                _ => Arc::new(bytes.collect::<BinaryViewArray>()),
            }
        }
        D::FixedSizeBinary(size) => {
            let bytes: Vec<u8> = (0..len * *size as usize).map(|_| random.next() as u8).collect();
            Arc::new(FixedSizeBinaryArray::try_new_with_len(*size, bytes.into(), nulls, len).unwrap())
        }
        D::Float16 => {
            let value = |random: &mut Random| match random.chance(5) {
                true => random.pick(&[
                    half::f16::NAN,
                    half::f16::INFINITY,
                    half::f16::NEG_ZERO,
                    half::f16::MIN_POSITIVE,
                ]),
                false => half::f16::from_f32(random.next() as i16 as f32 / 7.0),
            };
            let values: Vec<half::f16> = (0..len).map(|_| value(random)).collect();
            Arc::new(Float16Array::try_new(values.into(), nulls).unwrap())
        }
        D::Time32(TimeUnit::Second) => {
            let values = (0..len).map(|_| random.below(86_400) as i32).collect::<Vec<_>>();
            Arc::new(Time32SecondArray::try_new(values.into(), nulls).unwrap())
        }
        D::Timestamp(TimeUnit::Second, _) => {
            let values = (0..len).map(|_| random.next() as i64 / 1000).collect::<Vec<_>>();
            let array = TimestampSecondArray::try_new(values.into(), nulls).unwrap();
            Arc::new(array.with_data_type(data_type.clone()))
        }
        D::Decimal256(..) => {
            let value = |random: &mut Random| match random.below(3) {
                0 => i256::from_i128(i128::from(random.next() as i8)),
                1 => random.pick(&[i256::MIN, i256::MAX, i256::ZERO]),
                _ => i256::from_parts(u128::from(random.next()), i128::from(random.next() as i64)),
            };
            let values: Vec<i256> = (0..len).map(|_| value(random)).collect();
            let array = PrimitiveArray::<types::Decimal256Type>::try_new(values.into(), nulls).unwrap();
            Arc::new(array.with_data_type(data_type.clone()))
        }
        other => bits(random, other, nulls, len),
    }
}

/// Numbers of any bits: every one of them is a number. Some are small.
fn bits(random: &mut Random, data_type: &DataType, nulls: Option<NullBuffer>, len: usize) -> ArrayRef {
    let width = data_type.primitive_width().unwrap();
    let mut bytes: Vec<u8> = Vec::new();
    for _ in 0..len {
        let fill = random.pick(&[0, 0xff]);
        let kept = random.below(width + 1);
        bytes.extend((0..width).map(|index| if index < kept { random.next() as u8 } else { fill }));
    }
    if matches!(data_type, DataType::Float32 | DataType::Float64) {
        // Of no signalling kind.
        bytes.chunks_mut(width).for_each(|value| value[width - 1] &= 0xbf);
    }
    let data =
        ArrayDataBuilder::new(data_type.clone()).len(len).add_buffer(Buffer::from_vec(bytes)).nulls(nulls);
    make_array(data.align_buffers(true).build().unwrap())
}
