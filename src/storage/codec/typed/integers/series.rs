//! A number for each frame of a section, any of which can be read alone: around the least, in as few bits as they need.

use super::super::bits::{number, pack, packed_bytes, width};
use super::super::context::Layout;
use super::super::section::{ENDS, Read, byte, integer, put_integer, take};
use crate::bytes::reader::Bytes;

/// Appends some numbers, one at least.
pub(super) fn put_series(numbers: &[i64], layout: Layout, out: &mut Vec<u8>) {
    let least = numbers.iter().copied().min().unwrap_or_default();
    let offset = |number: &i64| number.wrapping_sub(least).cast_unsigned();
    put_integer(least, out);
    if numbers.len() > 1 {
        let width = width(numbers.iter().map(offset).max().unwrap_or_default());
        let width = if layout.has_bytes() { width.next_multiple_of(8) } else { width };
        out.push(width as u8);
        pack(numbers.iter().map(offset), width, out);
    }
}

/// Where a series is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Series {
    least: i64,
    width: u8,
    start: u32,
}

impl Series {
    /// Passes over a series of a number of numbers.
    pub(super) fn read(bytes: &mut Bytes<'_>, count: usize) -> Read<Self> {
        let least = integer(bytes)?;
        let width = if count > 1 { byte(bytes)? } else { 0 };
        if width > 64 {
            return Err("the numbers of frames have more than 64 bits");
        }
        // Blocks are smaller than 4 GiB.
        let start = u32::try_from(bytes.position()).map_err(|_| ENDS)?;
        take(bytes, packed_bytes(count, width.into()))?;
        Ok(Self { least, width, start })
    }

    /// One of the numbers.
    #[inline]
    pub(super) fn get(&self, block: &[u8], index: usize) -> i64 {
        if self.width == 0 {
            return self.least;
        }
        let packed = block.get(self.start as usize..).unwrap_or_default();
        self.least.wrapping_add(number(packed, self.width.into(), index).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_number_comes_back(
            numbers in prop::collection::vec(prop_oneof![-9i64..9, any::<i64>()], 1..40), bytes in any::<bool>(),
        ) {
            let mut out = vec![7, 7];
            put_series(&numbers, if bytes { Layout::Bytes } else { Layout::Bits }, &mut out);
            let mut rest = Bytes::at(&out, 2);
            let series = Series::read(&mut rest, numbers.len()).unwrap();
            prop_assert_eq!(rest.remaining(), 0);
            for (index, number) in numbers.iter().enumerate() {
                prop_assert_eq!(series.get(&out, index), *number);
            }
        }
    }
}
