//! Writes values of each type (specification, "Type Names").

use crate::bytes::varint::{encode_int, encode_long};
use crate::vector::Vector;

/// Bits of a byte that is not full yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bits {
    /// Bits taken of the last byte; 0 where a new byte begins.
    used: u8,
}

impl Bits {
    /// Begins a new byte with the next bit.
    #[inline]
    pub(super) fn restart(&mut self) {
        self.used = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, value: bool, out: &mut Vec<u8>) {
        if self.used == 0 {
            out.push(u8::from(value));
        } else if let Some(last) = out.last_mut() {
            *last |= u8::from(value) << self.used;
        }
        self.used = (self.used + 1) % 8;
    }
}

/// Appends the values from `start` to `end`.
#[inline]
pub(super) fn encode(values: &Vector, start: usize, end: usize, bits: &mut Bits, out: &mut Vec<u8>) {
    match values {
        Vector::Boolean(values) => {
            for value in values.get(start..end).unwrap_or_default() {
                bits.push(*value, out);
            }
        }
        Vector::Int(values) | Vector::Enum(values) => {
            for value in values.get(start..end).unwrap_or_default() {
                encode_int(out, *value);
            }
        }
        Vector::Long(values) => {
            for value in values.get(start..end).unwrap_or_default() {
                encode_long(out, *value);
            }
        }
        Vector::Float(values) => {
            for value in values.get(start..end).unwrap_or_default() {
                out.extend_from_slice(&value.to_le_bytes());
            }
        }
        Vector::Double(values) => {
            for value in values.get(start..end).unwrap_or_default() {
                out.extend_from_slice(&value.to_le_bytes());
            }
        }
        Vector::String(values) => encode_blobs(values.offsets(), values.data(), start, end, out),
        Vector::Bytes(values) => encode_blobs(values.offsets(), values.data(), start, end, out),
        _ => {}
    }
}

#[inline]
fn encode_blobs(offsets: &[u32], data: &[u8], start: usize, end: usize, out: &mut Vec<u8>) {
    for pair in offsets.get(start..=end).unwrap_or_default().windows(2) {
        if let [from, to] = pair {
            let value = data.get(*from as usize..*to as usize).unwrap_or_default();
            encode_long(out, value.len() as i64);
            out.extend_from_slice(value);
        }
    }
}

/// The most bytes that a value of this vector takes; none where there is no bound.
pub(super) fn most_bytes(values: &Vector) -> Option<usize> {
    match values {
        Vector::Boolean(_) => Some(1),
        Vector::Int(_) | Vector::Enum(_) => Some(5),
        Vector::Float(_) => Some(4),
        Vector::Long(_) => Some(10),
        Vector::Double(_) => Some(8),
        _ => None,
    }
}
