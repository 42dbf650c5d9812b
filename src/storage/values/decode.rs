//! Reads values of each type (specification, "Type Names").

use super::bytes::FixedBytes;
use super::{LENGTH_ONE, TIMESTAMP_BYTES};
use crate::bytes::reader::{Bytes, Malformed};
use crate::bytes::varint::UnZigZag;
use crate::storage::value_type::ValueType;
use crate::vector::{Binaries, Span, Vector};

/// Bits of a byte that has not been read wholly.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bits {
    /// Bits taken of `byte`; 0 where a new byte begins.
    used: u8,
    byte: u8,
}

impl Bits {
    /// Begins a new byte with the next bit.
    #[inline]
    pub(crate) fn restart(&mut self) {
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

/// Values of one type.
pub(crate) trait Values {
    /// Whether values take no bytes, so that lengths of 1 may follow each other.
    const EMPTY: bool = false;

    /// Appends the next `count` values.
    fn decode(&mut self, bytes: &mut Bytes<'_>, bits: &mut Bits, count: usize) -> Result<(), Malformed>;

    /// Appends values as long as each follows the length 1: arrays of one, at most `most`;
    /// returns how many they were.
    #[inline]
    fn decode_ones(
        &mut self,
        bytes: &mut Bytes<'_>,
        bits: &mut Bits,
        most: usize,
    ) -> Result<usize, Malformed> {
        let mut count = 0;
        while count < most && bytes.rest().first() == Some(&LENGTH_ONE) {
            bytes.advance(1);
            bits.restart();
            self.decode(bytes, bits, 1)?;
            count += 1;
        }
        Ok(count)
    }
}

/// What is done with values whose type is known.
pub(crate) trait Visit {
    type Out;

    fn visit<V: Values>(self, values: &mut V) -> Self::Out;
}

/// Finds the type of values, once for all of them; texts go to bytes.
pub(crate) fn visit<V: Visit>(value_type: ValueType, out: &mut Vector, visitor: V) -> V::Out {
    match (value_type, out) {
        (ValueType::Null, Vector::Null(out)) => visitor.visit(&mut Nulls(out)),
        (ValueType::Boolean, Vector::Boolean(out)) => visitor.visit(&mut Booleans(out)),
        (ValueType::Int, Vector::Int(out) | Vector::Enum(out)) => visitor.visit(&mut Integers(out)),
        (ValueType::Long, Vector::Long(out)) => visitor.visit(&mut Integers(out)),
        (ValueType::Fixed32, Vector::Int(out) | Vector::Enum(out)) => {
            visitor.visit(&mut Fixed { out, from: i32::from_le_bytes })
        }
        (ValueType::Fixed8, Vector::Int(out)) => {
            visitor.visit(&mut Fixed { out, from: |[byte]: [u8; 1]| i32::from(byte.cast_signed()) })
        }
        (ValueType::Fixed16, Vector::Int(out)) => {
            visitor.visit(&mut Fixed { out, from: |bytes| i32::from(i16::from_le_bytes(bytes)) })
        }
        (ValueType::Timestamp, Vector::Bytes(out)) => {
            visitor.visit(&mut FixedBytes { out, size: TIMESTAMP_BYTES })
        }
        (ValueType::Fixed64, Vector::Long(out)) => {
            visitor.visit(&mut Fixed { out, from: i64::from_le_bytes })
        }
        (ValueType::Float, Vector::Float(out)) => visitor.visit(&mut Fixed { out, from: f32::from_le_bytes }),
        (ValueType::Double, Vector::Double(out)) => {
            visitor.visit(&mut Fixed { out, from: f64::from_le_bytes })
        }
        (ValueType::String | ValueType::Bytes, Vector::Bytes(out)) => visitor.visit(&mut Blobs(out)),
        // Columns of other types than the shape says have been refused when the file was opened.
        _ => visitor.visit(&mut Nulls(&mut 0)),
    }
}

struct Nulls<'a>(&'a mut usize);
struct Booleans<'a>(&'a mut Vec<bool>);
struct Integers<'a, T>(&'a mut Vec<T>);
struct Blobs<'a>(&'a mut Binaries);

/// Values of `N` bytes each.
struct Fixed<'a, T, F, const N: usize>
where
    F: Fn([u8; N]) -> T,
{
    out: &'a mut Vec<T>,
    from: F,
}

impl Values for Nulls<'_> {
    const EMPTY: bool = true;

    #[inline]
    fn decode(&mut self, _bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Result<(), Malformed> {
        *self.0 = self.0.saturating_add(count);
        Ok(())
    }
}

impl Values for Booleans<'_> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, bits: &mut Bits, count: usize) -> Result<(), Malformed> {
        enough(bytes, (count / 8) as u64)?;
        self.0.reserve(count);
        for _ in 0..count {
            self.0.push(bits.next(bytes)?);
        }
        Ok(())
    }
}

impl<T: UnZigZag> Values for Integers<'_, T> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Result<(), Malformed> {
        enough(bytes, count as u64)?;
        self.0.reserve(count);
        bytes.integers(count, self.0)
    }

    #[inline]
    fn decode_ones(
        &mut self,
        bytes: &mut Bytes<'_>,
        _bits: &mut Bits,
        most: usize,
    ) -> Result<usize, Malformed> {
        bytes.integers_of_one(most, self.0)
    }
}

impl<T, F: Fn([u8; N]) -> T, const N: usize> Values for Fixed<'_, T, F, N> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Result<(), Malformed> {
        let (chunks, _) = bytes.take(count.saturating_mul(N))?.as_chunks();
        self.out.extend(chunks.iter().map(|chunk| (self.from)(*chunk)));
        Ok(())
    }

    #[inline]
    fn decode_ones(
        &mut self,
        bytes: &mut Bytes<'_>,
        _bits: &mut Bits,
        most: usize,
    ) -> Result<usize, Malformed> {
        let before = self.out.len();
        // The caller reports bytes that end too early.
        let ones = bytes.rest().chunks_exact(1 + N).take(most).map_while(|one| match one {
            [LENGTH_ONE, value @ ..] => value.first_chunk(),
            _ => None,
        });
        self.out.extend(ones.map(|value| (self.from)(*value)));
        let count = self.out.len() - before;
        bytes.advance(count * (1 + N));
        Ok(count)
    }
}

impl Values for Blobs<'_> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Result<(), Malformed> {
        enough(bytes, count as u64)?;
        let mut left = count;
        loop {
            left -= self.decode_short::<0>(bytes, left)?;
            if left == 0 {
                return Ok(());
            }
            self.decode_long(bytes)?;
            left -= 1;
        }
    }

    #[inline]
    fn decode_ones(
        &mut self,
        bytes: &mut Bytes<'_>,
        _bits: &mut Bits,
        most: usize,
    ) -> Result<usize, Malformed> {
        let mut count = 0;
        loop {
            count += self.decode_short::<1>(bytes, most - count)?;
            if count == most || bytes.rest().first() != Some(&LENGTH_ONE) {
                return Ok(count);
            }
            bytes.advance(1);
            self.decode_long(bytes)?;
            count += 1;
        }
    }
}

impl Blobs<'_> {
    /// Takes over values of less than 64 bytes in one piece with their lengths, each after `ONES`
    /// times the length 1; returns how many they were.
    #[inline]
    fn decode_short<const ONES: usize>(
        &mut self,
        bytes: &mut Bytes<'_>,
        most: usize,
    ) -> Result<usize, Malformed> {
        let rest = bytes.rest();
        let (mut at, mut count) = (0, 0);
        let fits = self.0.extend_with(|start, spans| {
            spans.reserve(most.min(rest.len()));
            while count < most {
                // The length of a short value is one byte; an odd one would be negative.
                let length = match rest.get(at..) {
                    Some([LENGTH_ONE, length, ..]) if ONES == 1 && length & 0x81 == 0 => *length,
                    Some([length, ..]) if ONES == 0 && length & 0x81 == 0 => *length,
                    _ => break,
                };
                let first = at + ONES + 1;
                let next = first + usize::from(length >> 1);
                if next > rest.len() {
                    break;
                }
                let place = |at: usize| start.wrapping_add(at as u32);
                spans.push(Span { start: place(first), end: place(next) });
                (at, count) = (next, count + 1);
            }
            rest.get(..at).unwrap_or_default()
        });
        if !fits {
            return Err(self.too_long());
        }
        bytes.advance(at);
        Ok(count)
    }

    /// The next value, whatever its length; without what is before it.
    fn decode_long(&mut self, bytes: &mut Bytes<'_>) -> Result<(), Malformed> {
        let value = bytes.prefixed()?;
        if self.0.push(value) { Ok(()) } else { Err(self.too_long()) }
    }

    #[cold]
    fn too_long(&self) -> Malformed {
        Malformed::Limit { value: self.0.data().len() as u64, limit: u64::from(u32::MAX) }
    }
}

/// Fails early where there cannot be enough bytes, before memory is reserved.
#[inline]
fn enough(bytes: &Bytes<'_>, needed: u64) -> Result<(), Malformed> {
    let available = bytes.remaining() as u64;
    if needed > available { Err(Malformed::End { needed, available }) } else { Ok(()) }
}

/// Passes over `count` values.
pub(crate) fn skip(
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
        ValueType::Fixed8 => fixed(bytes, 1)?,
        ValueType::Fixed16 => fixed(bytes, 2)?,
        ValueType::Timestamp => fixed(bytes, TIMESTAMP_BYTES as u64)?,
        ValueType::Fixed32 | ValueType::Float => fixed(bytes, 4)?,
        ValueType::Fixed64 | ValueType::Double => fixed(bytes, 8)?,
        ValueType::Boolean => {
            enough(bytes, count / 8)?;
            // The rest of a byte that has been begun, whole bytes, and the beginning of another.
            let begun = count.min(u64::from(8 - bits.used) % 8);
            (0..begun).try_for_each(|_| bits.next(bytes).map(|_| ()))?;
            bytes.take(((count - begun) / 8) as usize)?;
            (0..(count - begun) % 8).try_for_each(|_| bits.next(bytes).map(|_| ()))?;
        }
        ValueType::Int | ValueType::Long => {
            enough(bytes, count)?;
            bytes.skip_integers(count)?;
        }
        ValueType::String | ValueType::Bytes => {
            enough(bytes, count)?;
            let mut rest = *bytes;
            for _ in 0..count {
                rest.prefixed()?;
            }
            *bytes = rest;
        }
    }
    Ok(())
}
