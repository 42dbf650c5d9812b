//! Reads values of each type (specification, "Type Names").

use crate::bytes::reader::{Bytes, Malformed};
use crate::value_type::ValueType;
use crate::vector::{Binaries, Vector};

/// Bits of a byte that has not been read wholly.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bits {
    /// Bits taken of `byte`; 0 where a new byte begins.
    used: u8,
    byte: u8,
}

impl Bits {
    /// Begins a new byte with the next bit.
    #[inline]
    pub(super) fn restart(&mut self) {
        self.used = 0;
    }

    #[inline]
    fn next(&mut self, bytes: &mut Bytes<'_>) -> Result<bool, Malformed> {
        if self.used == 0 {
            self.byte = bytes.byte()?;
        }
        let value = self.byte >> self.used & 1 == 1;
        self.used = (self.used + 1) % 8;
        Ok(value)
    }
}

/// Appends `count` values to `out`, whose form must be that of the type: texts go to bytes.
#[inline]
pub(super) fn decode(
    bytes: &mut Bytes<'_>,
    bits: &mut Bits,
    value_type: ValueType,
    count: usize,
    out: &mut Vector,
) -> Result<(), Malformed> {
    match (value_type, out) {
        (ValueType::Null, Vector::Null(len)) => *len = len.saturating_add(count),
        (ValueType::Boolean, Vector::Boolean(out)) => {
            enough(bytes, (count / 8) as u64)?;
            out.reserve(count);
            for _ in 0..count {
                out.push(bits.next(bytes)?);
            }
        }
        (ValueType::Int, Vector::Int(out) | Vector::Enum(out)) => {
            enough(bytes, count as u64)?;
            out.reserve(count);
            for _ in 0..count {
                out.push(bytes.int()?);
            }
        }
        (ValueType::Long, Vector::Long(out)) => {
            enough(bytes, count as u64)?;
            out.reserve(count);
            for _ in 0..count {
                out.push(bytes.long()?);
            }
        }
        (ValueType::Fixed32, Vector::Int(out) | Vector::Enum(out)) => {
            out.extend(chunks(bytes, count)?.iter().map(|bytes| i32::from_le_bytes(*bytes)));
        }
        (ValueType::Fixed64, Vector::Long(out)) => {
            out.extend(chunks(bytes, count)?.iter().map(|bytes| i64::from_le_bytes(*bytes)));
        }
        (ValueType::Float, Vector::Float(out)) => {
            out.extend(chunks(bytes, count)?.iter().map(|bytes| f32::from_le_bytes(*bytes)));
        }
        (ValueType::Double, Vector::Double(out)) => {
            out.extend(chunks(bytes, count)?.iter().map(|bytes| f64::from_le_bytes(*bytes)));
        }
        (ValueType::String | ValueType::Bytes, Vector::Bytes(out)) => blobs(bytes, count, out)?,
        // Columns of other types than the shape says have been refused when the file was opened.
        _ => {}
    }
    Ok(())
}

/// Fails early where there cannot be enough bytes, before memory is reserved.
#[inline]
fn enough(bytes: &Bytes<'_>, needed: u64) -> Result<(), Malformed> {
    let available = bytes.remaining() as u64;
    if needed > available { Err(Malformed::End { needed, available }) } else { Ok(()) }
}

/// The next `count` groups of `N` bytes.
#[inline]
fn chunks<'a, const N: usize>(bytes: &mut Bytes<'a>, count: usize) -> Result<&'a [[u8; N]], Malformed> {
    let (chunks, _) = bytes.take(count.saturating_mul(N))?.as_chunks();
    Ok(chunks)
}

#[inline]
fn blobs(bytes: &mut Bytes<'_>, count: usize, out: &mut Binaries) -> Result<(), Malformed> {
    enough(bytes, count as u64)?;
    for _ in 0..count {
        let value = bytes.prefixed()?;
        if !out.push(value) {
            return Err(Malformed::Limit { value: out.data().len() as u64, limit: u64::from(u32::MAX) });
        }
    }
    Ok(())
}

/// Passes over `count` values.
pub(super) fn skip(
    bytes: &mut Bytes<'_>,
    bits: &mut Bits,
    value_type: ValueType,
    count: u64,
) -> Result<(), Malformed> {
    let fixed = |bytes: &mut Bytes<'_>, size: u64| {
        let needed = count.saturating_mul(size);
        enough(bytes, needed)?;
        bytes.advance(needed as usize);
        Ok(())
    };
    match value_type {
        ValueType::Null => {}
        ValueType::Fixed32 | ValueType::Float => fixed(bytes, 4)?,
        ValueType::Fixed64 | ValueType::Double => fixed(bytes, 8)?,
        ValueType::Boolean => {
            enough(bytes, count / 8)?;
            for _ in 0..count {
                bits.next(bytes)?;
            }
        }
        ValueType::Int | ValueType::Long => {
            enough(bytes, count)?;
            for _ in 0..count {
                bytes.long()?;
            }
        }
        ValueType::String | ValueType::Bytes => {
            enough(bytes, count)?;
            for _ in 0..count {
                bytes.prefixed()?;
            }
        }
    }
    Ok(())
}
