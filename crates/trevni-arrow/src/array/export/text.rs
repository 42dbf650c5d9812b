//! Strings and byte strings to arrays.

use super::differs;
use super::target::Target;
use crate::error::{Error, Result};
use arrow_array::types::{
    BinaryType, BinaryViewType, ByteArrayType, ByteViewType, LargeBinaryType, LargeUtf8Type, StringViewType,
    Utf8Type,
};
use arrow_array::{ArrayRef, FixedSizeBinaryArray, GenericByteArray, GenericByteViewArray};
use arrow_buffer::{ArrowNativeType, Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use std::sync::Arc;
use trevni::shape::EnumShape;
use trevni::vector::Span;

/// Values of at most this number of bytes are copied as that number.
const SHORT_BYTES: usize = 32;
/// The same for shorter ones.
const TINY_BYTES: usize = 16;

/// Strings in a buffer.
pub(super) fn texts(buffer: Vec<u8>, spans: &[Span], target: &Target<'_>) -> Result<ArrayRef> {
    match target.data_type {
        DataType::Utf8 => Ok(Arc::new(joined::<Utf8Type>(buffer, spans, target)?)),
        DataType::LargeUtf8 => Ok(Arc::new(joined::<LargeUtf8Type>(buffer, spans, target)?)),
        DataType::Utf8View => views::<StringViewType, Utf8Type, LargeUtf8Type>(buffer, spans, target),
        _ => Err(differs()),
    }
}

/// Byte strings in a buffer.
pub(super) fn bytes(buffer: Vec<u8>, spans: &[Span], target: &Target<'_>) -> Result<ArrayRef> {
    match target.data_type {
        DataType::Binary => Ok(Arc::new(joined::<BinaryType>(buffer, spans, target)?)),
        DataType::LargeBinary => Ok(Arc::new(joined::<LargeBinaryType>(buffer, spans, target)?)),
        DataType::BinaryView => views::<BinaryViewType, BinaryType, LargeBinaryType>(buffer, spans, target),
        DataType::FixedSizeBinary(size) => fixed(&buffer, spans, *size, target),
        _ => Err(differs()),
    }
}

/// The names of symbols.
pub(super) fn symbols(shape: &EnumShape, ordinals: &[i32], target: &Target<'_>) -> Result<ArrayRef> {
    let (mut buffer, mut places) = (String::new(), Vec::with_capacity(shape.symbols.len()));
    for symbol in &shape.symbols {
        let start = buffer.len() as u32;
        buffer.push_str(symbol);
        places.push(Span { start, end: buffer.len() as u32 });
    }
    let place =
        |ordinal: &i32| usize::try_from(*ordinal).ok().and_then(|ordinal| places.get(ordinal)).copied();
    let spans = ordinals.iter().map(place).collect::<Option<Vec<_>>>().ok_or_else(differs)?;
    texts(buffer.into_bytes(), &spans, target)
}

/// Calls for each entry, with the place of its value.
fn each(
    spans: &[Span],
    target: &Target<'_>,
    mut call: impl FnMut(Option<&Span>) -> Result<()>,
) -> Result<()> {
    match target.numbers() {
        None => spans.iter().try_for_each(|span| call(Some(span))),
        Some(places) => Target::entries(places)
            .try_for_each(|(place, is_there)| call(spans.get(place).filter(|_| is_there))),
    }
}

/// Views of values: short ones are in their view, long ones stay in the buffer, which moves. `Short` and `Long` are arrays of such values
/// with offsets of 32 and 64 bits: Arrow checks strings in these all at once, not one by one.
fn views<V, Short, Long>(buffer: Vec<u8>, spans: &[Span], target: &Target<'_>) -> Result<ArrayRef>
where
    V: ByteViewType,
    Short: ByteArrayType,
    Long: ByteArrayType,
    GenericByteViewArray<V>:
        for<'a> From<&'a GenericByteArray<Short>> + for<'a> From<&'a GenericByteArray<Long>>,
{
    Ok(match i32::try_from(buffer.len()) {
        Ok(_) => Arc::new(GenericByteViewArray::<V>::from(&joined::<Short>(buffer, spans, target)?)),
        Err(_) => Arc::new(GenericByteViewArray::<V>::from(&joined::<Long>(buffer, spans, target)?)),
    })
}

/// Values one after the other, and where each begins.
fn joined<T: ByteArrayType>(
    buffer: Vec<u8>,
    spans: &[Span],
    target: &Target<'_>,
) -> Result<GenericByteArray<T>> {
    let (values, ends) = match ends_of_joined::<T::Offset>(&buffer, spans) {
        Some(ends) => (tight(buffer), ends),
        None => copied::<T::Offset>(&buffer, spans)?,
    };
    // They ascend, being sums.
    let offsets = OffsetBuffer::new(ScalarBuffer::from(target.at_places(ends)));
    Ok(GenericByteArray::<T>::try_new(offsets, Buffer::from_vec(values), target.nulls())?)
}

/// 0 and where each value ends; none unless the values are all that is in the buffer, one directly after the other.
fn ends_of_joined<O: ArrowNativeType>(buffer: &[u8], spans: &[Span]) -> Option<Vec<O>> {
    O::from_usize(buffer.len())?;
    let mut ends = Vec::with_capacity(spans.len() + 1);
    ends.push(O::default());
    let (mut end, mut gaps) = (0, 0);
    ends.extend(spans.iter().map(|span| {
        gaps |= span.start ^ end;
        end = span.end;
        O::usize_as(end as usize)
    }));
    (gaps == 0 && end as usize == buffer.len()).then_some(ends)
}

/// The buffer, without much more memory than it needs: arrays are kept.
fn tight(mut buffer: Vec<u8>) -> Vec<u8> {
    if buffer.capacity() - buffer.len() > buffer.len() / 4 {
        buffer.shrink_to_fit();
    }
    buffer
}

/// The bytes of the values without what is between them, and 0 and where each ends.
fn copied<O: ArrowNativeType>(buffer: &[u8], spans: &[Span]) -> Result<(Vec<u8>, Vec<O>)> {
    let total = spans.iter().map(|span| span.range().len()).sum();
    if O::from_usize(total).is_none() {
        return Err(Error::too_many("the bytes of a column in one batch", i32::MAX as u64));
    }
    let mut values = vec![0; total + SHORT_BYTES];
    let mut ends = Vec::with_capacity(spans.len() + 1);
    ends.push(O::default());
    let mut at = 0;
    for span in spans {
        let (start, len) = (span.start as usize, span.range().len());
        // A constant number of bytes is copied without a call; the next value is put over what is too much.
        let done = if len <= TINY_BYTES {
            copy::<TINY_BYTES>(buffer, start, &mut values, at)
        } else {
            len <= SHORT_BYTES && copy::<SHORT_BYTES>(buffer, start, &mut values, at)
        };
        if !done && let (Some(from), Some(to)) = (buffer.get(span.range()), values.get_mut(at..at + len)) {
            to.copy_from_slice(from);
        }
        at += len;
        ends.push(O::usize_as(at));
    }
    values.truncate(total);
    Ok((values, ends))
}

/// Copies a number of bytes, where both have them.
#[inline(always)]
fn copy<const N: usize>(from: &[u8], start: usize, to: &mut [u8], at: usize) -> bool {
    let from = from.get(start..).and_then(|rest| rest.first_chunk::<N>());
    let to = to.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<N>());
    match (from, to) {
        (Some(from), Some(to)) => {
            *to = *from;
            true
        }
        _ => false,
    }
}

fn fixed(buffer: &[u8], spans: &[Span], size: i32, target: &Target<'_>) -> Result<ArrayRef> {
    let bytes = usize::try_from(size).map_err(|_| differs())?;
    if spans.iter().any(|span| span.range().len() != bytes) {
        return Err(Error::value(format!("a value is not of {bytes} bytes")));
    }
    target.check_fill(target.data_type)?;
    let mut values = Vec::with_capacity(bytes.saturating_mul(target.len));
    each(spans, target, |span| {
        match span.and_then(|span| buffer.get(span.range())) {
            Some(value) => values.extend_from_slice(value),
            None => values.resize(values.len() + bytes, 0),
        }
        Ok(())
    })?;
    let array = FixedSizeBinaryArray::try_new_with_len(size, values.into(), target.nulls(), target.len)?;
    Ok(Arc::new(array))
}
