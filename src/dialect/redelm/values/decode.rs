//! Reads plain values.

use crate::bytes::reader::{Bytes, Malformed, Read};
use crate::schema::message::Primitive;
use crate::storage::values::as_blobs;
use crate::vector::{Binaries, Span, Vector};

/// Appends the next `count` values to a vector of their kind.
///
/// # Errors
///
/// Too few bytes, and strings that are not UTF-8; the vector may hold some values then.
pub(in super::super) fn decode(
    bytes: &mut Bytes<'_>,
    primitive: Primitive,
    count: usize,
    out: &mut Vector,
) -> Read<()> {
    match out {
        Vector::Boolean(out) => {
            out.extend(bytes.take(count)?.iter().map(|byte| *byte != 0));
            Ok(())
        }
        Vector::Int(out) | Vector::Enum(out) => fixed(bytes, count, out, i32::from_be_bytes),
        Vector::Long(out) => fixed(bytes, count, out, i64::from_be_bytes),
        Vector::Float(out) => fixed(bytes, count, out, f32::from_be_bytes),
        Vector::Double(out) => fixed(bytes, count, out, f64::from_be_bytes),
        out => as_blobs(out, |out| match out {
            Vector::Bytes(out) if primitive == Primitive::String => short_blobs(bytes, count, out),
            Vector::Bytes(out) => long_blobs(bytes, count, out),
            // Columns of other types have been refused.
            _ => Ok(()),
        }),
    }
}

fn fixed<T, const N: usize>(
    bytes: &mut Bytes<'_>,
    count: usize,
    out: &mut Vec<T>,
    from: impl Fn([u8; N]) -> T,
) -> Read<()> {
    let (chunks, _) = bytes.take(count.saturating_mul(N))?.as_chunks();
    out.extend(chunks.iter().map(|chunk| from(*chunk)));
    Ok(())
}

/// Fails early where there cannot be enough bytes, before memory is reserved.
fn enough(bytes: &Bytes<'_>, needed: u64) -> Read<()> {
    let available = bytes.remaining() as u64;
    if needed > available { Err(Malformed::End { needed, available }) } else { Ok(()) }
}

/// Byte strings after their lengths as varints: short ones in one piece with the lengths between them, which are
/// ASCII.
fn short_blobs(bytes: &mut Bytes<'_>, count: usize, out: &mut Binaries) -> Read<()> {
    enough(bytes, count as u64)?;
    let mut left = count;
    while left > 0 {
        match bytes.rest().first() {
            Some(..0x80) => left -= short_run(bytes, left, out)?,
            _ => {
                let length = length(bytes)?;
                push(bytes, length, out)?;
                left -= 1;
            }
        }
    }
    Ok(())
}

/// Takes over short byte strings as long as one follows the other, `most` at most; returns how many they are.
fn short_run(bytes: &mut Bytes<'_>, most: usize, out: &mut Binaries) -> Read<usize> {
    let rest = bytes.rest();
    let (mut at, mut count) = (0usize, 0);
    let fits = out.extend_with(|start, spans| {
        spans.reserve(most);
        while count < most {
            let Some(length) = rest.get(at).filter(|length| **length < 0x80) else { break };
            let (first, next) = (at + 1, at + 1 + usize::from(*length));
            if next > rest.len() {
                break;
            }
            let place = |at: usize| start.wrapping_add(at as u32);
            spans.push(Span { start: place(first), end: place(next) });
            (at, count) = (next, count + 1);
        }
        &rest[..at]
    });
    if !fits {
        return Err(too_long(out));
    }
    bytes.advance(at);
    if count == 0 {
        // It is cut off.
        let length = length(bytes)?;
        bytes.take(length)?;
    }
    Ok(count)
}

/// Byte strings after their lengths as 32-bit integers, in one piece with these.
fn long_blobs(bytes: &mut Bytes<'_>, count: usize, out: &mut Binaries) -> Read<()> {
    enough(bytes, (count as u64).saturating_mul(4))?;
    let (rest, mut ahead) = (bytes.rest(), *bytes);
    let mut done = Ok(());
    let fits = out.extend_with(|start, spans| {
        let begin = ahead.position();
        spans.reserve(count);
        done = (0..count).try_for_each(|_| {
            let length = long_length(&mut ahead)?;
            let first = start.wrapping_add((ahead.position() - begin) as u32);
            ahead.take(length)?;
            spans.push(Span { start: first, end: first.wrapping_add(length as u32) });
            Ok(())
        });
        &rest[..ahead.position() - begin]
    });
    done?;
    if !fits {
        return Err(too_long(out));
    }
    *bytes = ahead;
    Ok(())
}

fn push(bytes: &mut Bytes<'_>, length: usize, out: &mut Binaries) -> Read<()> {
    let value = bytes.take(length)?;
    if out.push(value) { Ok(()) } else { Err(too_long(out)) }
}

#[cold]
fn too_long(out: &Binaries) -> Malformed {
    Malformed::Limit { value: out.data().len() as u64, limit: u64::from(u32::MAX) }
}

/// A length as a varint of at most five bytes, low bits first.
fn length(bytes: &mut Bytes<'_>) -> Read<usize> {
    let mut length = 0u64;
    for shift in [0, 7, 14, 21, 28] {
        let byte = bytes.byte()?;
        length |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return usize::try_from(length).map_err(|_| Malformed::Varint);
        }
    }
    Err(Malformed::Varint)
}

fn long_length(bytes: &mut Bytes<'_>) -> Read<usize> {
    let length = bytes.array().map(i32::from_be_bytes)?;
    usize::try_from(length).map_err(|_| Malformed::Negative(length.into()))
}

/// Passes over the next `count` values.
///
/// # Errors
///
/// Too few bytes.
pub(in super::super) fn skip(bytes: &mut Bytes<'_>, primitive: Primitive, count: usize) -> Read<()> {
    let size = match primitive {
        Primitive::Boolean => 1,
        Primitive::Int32 | Primitive::Float => 4,
        Primitive::Int64 | Primitive::Double => 8,
        Primitive::String | Primitive::Binary => {
            enough(bytes, count as u64)?;
            for _ in 0..count {
                let is_text = primitive == Primitive::String;
                let length = if is_text { length(bytes) } else { long_length(bytes) }?;
                bytes.take(length)?;
            }
            return Ok(());
        }
    };
    bytes.take(count.saturating_mul(size)).map(|_| ())
}
