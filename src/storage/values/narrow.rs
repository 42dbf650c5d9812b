//! Integers that are collected, in as few bytes each as the longest of them needs.

use crate::bytes::varint::size_all;

/// Integers of one width: of 1, 2, 4 or 8 bytes.
#[derive(Debug)]
pub(crate) enum Narrow {
    Bytes(Vec<i8>),
    Shorts(Vec<i16>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
}

impl Default for Narrow {
    fn default() -> Self {
        Self::Bytes(Vec::new())
    }
}

/// Does the same with integers of any width.
macro_rules! each {
    ($narrow:expr, $integers:ident => $do:expr) => {
        match $narrow {
            Narrow::Bytes($integers) => $do,
            Narrow::Shorts($integers) => $do,
            Narrow::Ints($integers) => $do,
            Narrow::Longs($integers) => $do,
        }
    };
}

impl Narrow {
    pub(crate) fn len(&self) -> usize {
        each!(self, integers => integers.len())
    }

    /// The bytes of memory that they take.
    pub(crate) fn memory(&self) -> usize {
        each!(self, integers => size_of_val(&**integers))
    }

    pub(crate) fn clear(&mut self) {
        each!(self, integers => integers.clear());
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        each!(self, integers => integers.truncate(len));
    }

    pub(crate) fn to_longs(&self) -> Vec<i64> {
        each!(self, integers => longs(integers))
    }

    /// Whether two that follow each other are 0.
    pub(crate) fn has_zeros_in_a_row(&self) -> bool {
        each!(self, integers => integers.windows(2).any(|pair| pair == [0, 0]))
    }

    /// Appends integers; returns the bytes that these take in a block. `None` where all would take more than `most` bytes of
    /// memory: then nothing is appended.
    pub(crate) fn extend(&mut self, integers: &[i64], most: usize) -> Option<usize> {
        // All bits but that of the sign, which is the lowest one in a block.
        let bits = integers.iter().fold(0, |all, integer| all | (integer ^ integer >> 63));
        let width = match bits {
            0..0x80 => 1,
            0x80..0x8000 => 2,
            0x8000..0x8000_0000 => 4,
            _ => 8,
        };
        if (self.len() + integers.len()).checked_mul(width.max(self.width()))? > most {
            return None;
        }
        if width > self.width() {
            self.widen(width);
        }
        each!(self, to => grow(to, integers.len()));
        self.append(integers);
        Some(if bits < ONE_BYTE { integers.len() } else { size_all(integers) })
    }

    fn width(&self) -> usize {
        match self {
            Self::Bytes(_) => 1,
            Self::Shorts(_) => 2,
            Self::Ints(_) => 4,
            Self::Longs(_) => 8,
        }
    }

    #[cold]
    fn widen(&mut self, width: usize) {
        let mut wide = match width {
            2 => Self::Shorts(Vec::new()),
            4 => Self::Ints(Vec::new()),
            _ => Self::Longs(Vec::new()),
        };
        wide.append(&self.to_longs());
        *self = wide;
    }

    /// Appends integers that fit.
    #[inline(never)]
    fn append(&mut self, integers: &[i64]) {
        match self {
            Self::Bytes(to) => to.extend(integers.iter().map(|integer| *integer as i8)),
            Self::Shorts(to) => to.extend(integers.iter().map(|integer| *integer as i16)),
            Self::Ints(to) => to.extend(integers.iter().map(|integer| *integer as i32)),
            Self::Longs(to) => to.extend_from_slice(integers),
        }
    }
}

fn longs<N: Copy + Into<i64>>(integers: &[N]) -> Vec<i64> {
    integers.iter().map(|integer| (*integer).into()).collect()
}

/// Integers whose bits are fewer take one byte in a block.
const ONE_BYTE: i64 = 0x40;

/// Makes room for more values.
#[inline]
pub(super) fn grow<T>(to: &mut Vec<T>, more: usize) {
    if to.capacity() - to.len() < more {
        // Growing copies, so it is rare; at most three quarters of the memory are unused.
        to.reserve_exact(more.max(3 * to.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::varint::{ZigZag, size};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn integers_come_back_and_take_no_more_than_they_need(
            parts in prop::collection::vec((prop::collection::vec(any::<i64>(), 0..20), 0u32..64), 1..9),
            most in 0usize..900,
        ) {
            let (mut narrow, mut all) = (Narrow::default(), Vec::new());
            for (part, shift) in parts {
                let part: Vec<i64> = part.iter().map(|integer| integer >> shift).collect();
                let both = [&*all, &part].concat();
                let fits = |low: i64| both.iter().all(|integer| (low..=!low).contains(integer));
                let width = [(-0x80, 1), (-0x8000, 2), (-0x8000_0000, 4), (i64::MIN, 8)];
                let width = width.into_iter().find(|(low, _)| fits(*low)).map_or(8, |(_, width)| width);
                let size: usize = part.iter().map(|integer| size(integer.zigzag())).sum();
                let fits = both.len() * width <= most;
                prop_assert_eq!(narrow.extend(&part, most), fits.then_some(size));
                all = if fits { both } else { all };
                prop_assert_eq!(narrow.to_longs(), &*all);
                prop_assert!(narrow.memory() <= most);
            }
        }
    }
}
