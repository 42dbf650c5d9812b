//! Writes plain values.

use crate::bytes::buffer::{Buffer, SLACK};
use crate::error::{Error, Result};
use crate::vector::{Span, Vector};
use std::ops::Range;

/// The bits of every NaN, as Java writes them.
const NAN32: u32 = 0x7fc0_0000;
const NAN64: u64 = 0x7ff8_0000_0000_0000;

/// The most bytes of a length.
const LENGTH_BYTES: usize = 5;

/// Appends some values of a leaf.
///
/// # Errors
///
/// A byte string of more than 2³¹ - 1 bytes.
pub(in super::super) fn encode(values: &Vector, range: Range<usize>, out: &mut Buffer) -> Result<()> {
    match values {
        Vector::Boolean(values) => fixed(values, range, out, |value| [u8::from(value)]),
        Vector::Int(values) | Vector::Enum(values) => fixed(values, range, out, i32::to_be_bytes),
        Vector::Long(values) => fixed(values, range, out, i64::to_be_bytes),
        Vector::Float(values) => {
            fixed(values, range, out, |value| {
                if value.is_nan() { NAN32 } else { value.to_bits() }.to_be_bytes()
            });
        }
        Vector::Double(values) => {
            fixed(values, range, out, |value| {
                if value.is_nan() { NAN64 } else { value.to_bits() }.to_be_bytes()
            });
        }
        Vector::String(values) => {
            let spans = &values.spans()[range];
            match values.is_framed() {
                true => framed(values.data(), spans, out),
                false => return blobs(values.data(), spans, out, put_length),
            }
        }
        Vector::Bytes(values) => {
            return blobs(values.data(), &values.spans()[range], out, put_long_length);
        }
        // Nothing has bytes.
        _ => {}
    }
    Ok(())
}

/// How many values of a leaf, from one on, can surely be appended in a number of bytes.
pub(in super::super) fn fitting(values: &Vector, from: usize, room: usize) -> usize {
    let left = values.len().saturating_sub(from);
    let size = match values {
        Vector::Boolean(_) => 1,
        Vector::Int(_) | Vector::Enum(_) | Vector::Float(_) => 4,
        Vector::Long(_) | Vector::Double(_) => 8,
        Vector::String(values) => return fitting_blobs(&values.spans()[from..], room),
        Vector::Bytes(values) => return fitting_blobs(&values.spans()[from..], room),
        _ => return left,
    };
    left.min(room / size)
}

fn fitting_blobs(spans: &[Span], room: usize) -> usize {
    let first = spans.first().map_or(0, |first| first.start);
    let most = |count: usize| {
        let end = spans.get(count.wrapping_sub(1)).map_or(first, |last| last.end);
        end.saturating_sub(first) as usize + count * LENGTH_BYTES + SLACK
    };
    let (mut fits, mut more) = (0, spans.len().min(room / LENGTH_BYTES) + 1);
    // The first number fits, the second does not.
    while more - fits > 1 {
        let middle = fits.midpoint(more);
        match most(middle) <= room {
            true => fits = middle,
            false => more = middle,
        }
    }
    fits
}

#[inline]
fn fixed<T: Copy, const N: usize>(
    values: &[T],
    range: Range<usize>,
    out: &mut Buffer,
    to_bytes: impl Fn(T) -> [u8; N],
) {
    let values = &values[range];
    out.write(values.len() * N, |room| {
        for (place, value) in room.as_chunks_mut::<N>().0.iter_mut().zip(values) {
            *place = to_bytes(*value);
        }
        values.len() * N
    });
}

/// Short strings, which stand after their lengths already: these are in another form.
fn framed(data: &[u8], spans: &[Span], out: &mut Buffer) {
    let (Some(first), Some(last)) = (spans.first(), spans.last()) else {
        return;
    };
    let start = (first.start as usize).saturating_sub(1);
    let piece = &data[start..last.end as usize];
    out.write(piece.len(), |room| {
        room.copy_from_slice(piece);
        for span in spans {
            if let Some(place) = room.get_mut((span.start as usize).wrapping_sub(start + 1)) {
                *place = span.range().len() as u8;
            }
        }
        piece.len()
    });
}

#[inline]
fn blobs(
    data: &[u8],
    spans: &[Span],
    out: &mut Buffer,
    put_length: impl Fn(&mut [u8], usize) -> usize,
) -> Result<()> {
    let bytes = match spans {
        [first, .., last] => (last.end - first.start) as usize,
        [only] => only.range().len(),
        [] => 0,
    };
    if let Some(span) = spans.iter().find(|span| i32::try_from(span.range().len()).is_err()) {
        let (size, most) = (span.range().len() as u64, i32::MAX as u64);
        return Err(Error::too_large("the size of a value", size, most));
    }
    out.write(bytes + spans.len() * LENGTH_BYTES + SLACK, |room| {
        let mut at = 0;
        for span in spans {
            let Range { start, end } = span.range();
            let length = end - start;
            at += put_length(&mut room[at..], length);
            put(&mut room[at..], data, start, length);
            at += length;
        }
        at
    });
    Ok(())
}

/// Copies a value; a short one with what follows it, at once.
#[inline]
fn put(room: &mut [u8], data: &[u8], start: usize, length: usize) {
    let rest = &data[start..];
    match (rest.first_chunk::<SLACK>(), room.first_chunk_mut::<SLACK>()) {
        (Some(value), Some(place)) if length <= SLACK => *place = *value,
        _ => {
            let value = &rest[..length];
            room[..length].copy_from_slice(value);
        }
    }
}

/// Puts a length as a varint; returns the number of its bytes.
#[inline]
fn put_length(room: &mut [u8], length: usize) -> usize {
    let (mut rest, mut used) = (length, 0);
    for place in room.iter_mut().take(LENGTH_BYTES) {
        used += 1;
        if rest < 0x80 {
            *place = rest as u8;
            break;
        }
        *place = (rest & 0x7f) as u8 | 0x80;
        rest >>= 7;
    }
    used
}

/// Puts a length as a 32-bit integer.
#[inline]
fn put_long_length(room: &mut [u8], length: usize) -> usize {
    room[..4].copy_from_slice(&(length as u32).to_be_bytes());
    4
}
