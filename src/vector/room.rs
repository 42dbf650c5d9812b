//! How much memory the buffers of values have, or will have.

use super::{Binaries, DictionaryVector, Span, Strings, Vector};
use crate::error::Result;
use std::collections::TryReserveError;
use std::io;

/// How a buffer grows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Growth {
    /// As it is pushed to: by doubling.
    Doubling,
    /// To the capacity that is made for exactly this number.
    Exact,
}

/// Bytes of a buffer that has room for `more` items of `size` bytes beside its `len`.
pub(crate) fn bytes(len: usize, capacity: usize, more: usize, size: usize, growth: Growth) -> u64 {
    let needed = len.saturating_add(more);
    let items = match growth {
        _ if needed <= capacity => capacity,
        Growth::Doubling => needed.saturating_mul(2),
        Growth::Exact => needed,
    };
    (items as u64).saturating_mul(size as u64)
}

impl Vector {
    /// Bytes of the buffers of values that are no records, lists or unions, with room for `more` values; strings have
    /// `data` bytes together.
    pub(crate) fn room(&self, more: usize, data: usize, growth: Growth) -> u64 {
        let of = |len, capacity, size| bytes(len, capacity, more, size, growth);
        match self {
            Self::Boolean(values) => of(values.len(), values.capacity(), 1),
            Self::Int(values) | Self::Enum(values) => of(values.len(), values.capacity(), 4),
            Self::Long(values) => of(values.len(), values.capacity(), 8),
            Self::Float(values) => of(values.len(), values.capacity(), 4),
            Self::Double(values) => of(values.len(), values.capacity(), 8),
            Self::String(values) => values.room(more, data, growth),
            Self::Bytes(values) => values.room(more, data, growth),
            Self::Dictionary(values) => values.room(more, data, growth),
            _ => 0,
        }
    }

    /// Whether this number of further booleans or numbers fit the buffer that there is; false for other values.
    #[inline]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        let left = match self {
            Self::Boolean(values) => values.capacity() - values.len(),
            Self::Int(values) | Self::Enum(values) => values.capacity() - values.len(),
            Self::Long(values) => values.capacity() - values.len(),
            Self::Float(values) => values.capacity() - values.len(),
            Self::Double(values) => values.capacity() - values.len(),
            _ => return false,
        };
        more <= left
    }

    /// Makes room for numbers; strings and bytes take it as they come.
    ///
    /// # Errors
    ///
    /// The system is out of memory.
    pub(crate) fn try_reserve(&mut self, more: usize) -> Result<()> {
        reserved(match self {
            Self::Int(values) | Self::Enum(values) => values.try_reserve(more),
            Self::Long(values) => values.try_reserve(more),
            Self::Float(values) => values.try_reserve(more),
            Self::Double(values) => values.try_reserve(more),
            _ => Ok(()),
        })
    }

    /// Makes room for exactly this number of values.
    ///
    /// # Errors
    ///
    /// The system is out of memory.
    pub(crate) fn try_reserve_exact(&mut self, more: usize, data: usize) -> Result<()> {
        reserved(match self {
            Self::Boolean(values) => values.try_reserve_exact(more),
            Self::Int(values) | Self::Enum(values) => values.try_reserve_exact(more),
            Self::Long(values) => values.try_reserve_exact(more),
            Self::Float(values) => values.try_reserve_exact(more),
            Self::Double(values) => values.try_reserve_exact(more),
            Self::String(values) => values.try_reserve_exact(more, data),
            Self::Bytes(values) => values.try_reserve_exact(more, data),
            Self::Dictionary(values) => values.keys_mut().try_reserve_exact(more),
            _ => Ok(()),
        })
    }
}

macro_rules! blobs {
    ($($blobs:ident)*) => {
        $(impl $blobs {
            fn room(&self, more: usize, data: usize, growth: Growth) -> u64 {
                let spans = bytes(self.spans.len(), self.spans.capacity(), more, size_of::<Span>(), growth);
                spans.saturating_add(bytes(self.data.len(), self.data.capacity(), data, 1, growth))
            }

            fn try_reserve_exact(&mut self, more: usize, data: usize) -> Result<(), TryReserveError> {
                self.spans.try_reserve_exact(more)?;
                self.data.try_reserve_exact(data)
            }
        })*
    };
}

blobs! { Strings Binaries }

impl DictionaryVector {
    /// Bytes of the keys, and of the values one after the other, which they become where blocks have no dictionary.
    fn room(&self, more: usize, data: usize, growth: Growth) -> u64 {
        let size = size_of::<u32>() + size_of::<Span>();
        let entries = bytes(self.len(), 0, more, size, growth);
        entries.saturating_add(bytes(self.value_bytes(), 0, data, 1, growth))
    }
}

/// An error where the system has no memory.
pub(crate) fn reserved(done: Result<(), TryReserveError>) -> Result<()> {
    done.map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::Offsets;

    #[test]
    fn room_is_what_buffers_come_to_have() {
        let mut vector = Vector::Long(Vec::new());
        for more in [1, 5, 100, 1000] {
            let most = vector.room(more, 0, Growth::Doubling);
            for _ in 0..more {
                if let Vector::Long(values) = &mut vector {
                    values.push(7);
                }
            }
            let found = vector.room(0, 0, Growth::Exact);
            assert!((8 * vector.len() as u64..=most.max(32)).contains(&found), "{found} of {most}");
        }
        let mut texts = Vector::String(Strings::default());
        texts.try_reserve_exact(10, 100).unwrap();
        assert_eq!(texts.room(10, 100, Growth::Doubling), 180);
        assert_eq!(texts.room(11, 0, Growth::Doubling), 2 * 88 + 100);
        let mut offsets = Offsets::default();
        offsets.try_reserve_exact(99).unwrap();
        assert_eq!(offsets.room(99, Growth::Exact), 400);
        assert!(offsets.try_reserve_exact(usize::MAX / 8).is_err());
    }
}
