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

/// Values of one type.
pub(super) trait Values {
    /// Appends the next `count` values.
    fn decode(&mut self, bytes: &mut Bytes<'_>, bits: &mut Bits, count: usize) -> Result<(), Malformed>;

    /// Appends the next value.
    #[inline]
    fn decode_one(&mut self, bytes: &mut Bytes<'_>, bits: &mut Bits) -> Result<(), Malformed> {
        self.decode(bytes, bits, 1)
    }
}

/// What is done with values whose type is known.
pub(super) trait Visit {
    type Out;

    fn visit<V: Values>(self, values: &mut V) -> Self::Out;
}

/// Finds the type of values, once for all of them; texts go to bytes.
pub(super) fn visit<V: Visit>(value_type: ValueType, out: &mut Vector, visitor: V) -> V::Out {
    match (value_type, out) {
        (ValueType::Null, Vector::Null(out)) => visitor.visit(&mut Nulls(out)),
        (ValueType::Boolean, Vector::Boolean(out)) => visitor.visit(&mut Booleans(out)),
        (ValueType::Int, Vector::Int(out) | Vector::Enum(out)) => visitor.visit(&mut Ints(out)),
        (ValueType::Long, Vector::Long(out)) => visitor.visit(&mut Longs(out)),
        (ValueType::Fixed32, Vector::Int(out) | Vector::Enum(out)) => {
            visitor.visit(&mut Fixed { out, from: i32::from_le_bytes })
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
struct Ints<'a>(&'a mut Vec<i32>);
struct Longs<'a>(&'a mut Vec<i64>);
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

impl Values for Ints<'_> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Result<(), Malformed> {
        enough(bytes, count as u64)?;
        self.0.reserve(count);
        bytes.ints(count, self.0)
    }

    #[inline]
    fn decode_one(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits) -> Result<(), Malformed> {
        self.0.push(bytes.int()?);
        Ok(())
    }
}

impl Values for Longs<'_> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Result<(), Malformed> {
        enough(bytes, count as u64)?;
        self.0.reserve(count);
        bytes.longs(count, self.0)
    }

    #[inline]
    fn decode_one(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits) -> Result<(), Malformed> {
        self.0.push(bytes.long()?);
        Ok(())
    }
}

impl<T, F: Fn([u8; N]) -> T, const N: usize> Values for Fixed<'_, T, F, N> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Result<(), Malformed> {
        let (chunks, _) = bytes.take(count.saturating_mul(N))?.as_chunks();
        self.out.extend(chunks.iter().map(|chunk| (self.from)(*chunk)));
        Ok(())
    }
}

impl Values for Blobs<'_> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, bits: &mut Bits, count: usize) -> Result<(), Malformed> {
        enough(bytes, count as u64)?;
        self.0.reserve(count);
        let mut local = *bytes;
        let mut done = Ok(());
        for _ in 0..count {
            done = self.decode_one(&mut local, bits);
            if done.is_err() {
                break;
            }
        }
        *bytes = local;
        done
    }

    #[inline]
    fn decode_one(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits) -> Result<(), Malformed> {
        let length = bytes.long()?;
        let length = usize::try_from(length).map_err(|_| Malformed::Negative(length))?;
        if self.0.push_front(bytes.rest(), length) {
            bytes.advance(length);
            return Ok(());
        }
        enough(bytes, length as u64)?;
        Err(Malformed::Limit { value: self.0.data().len() as u64, limit: u64::from(u32::MAX) })
    }
}

/// Fails early where there cannot be enough bytes, before memory is reserved.
#[inline]
fn enough(bytes: &Bytes<'_>, needed: u64) -> Result<(), Malformed> {
    let available = bytes.remaining() as u64;
    if needed > available { Err(Malformed::End { needed, available }) } else { Ok(()) }
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
