//! Reads the lengths of arrays, runs of zeros and ones apart (specification, "Column Metadata").

use crate::bytes::reader::{Bytes, Read};

/// Lengths of a run that have not been returned yet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    value: u32,
    count: u32,
}

impl Run {
    /// Some of the next lengths, all the same: the length, and how many, at most `most`. Ones come
    /// together only where no values come between them.
    #[inline]
    pub(crate) fn next_run(
        &mut self,
        bytes: &mut Bytes<'_>,
        most: usize,
        no_values: bool,
    ) -> Read<(u32, usize)> {
        if self.count == 0 {
            *self = Self::read(bytes)?;
        }
        let count = if no_values || self.value == 0 { most.min(self.count as usize) } else { 1 };
        self.count -= count as u32;
        Ok((self.value, count))
    }

    /// A length, or a negative number `n` for `(1 - n) / 2 + 1` lengths of 0 (odd) or 1 (even).
    #[inline]
    fn read(bytes: &mut Bytes<'_>) -> Read<Self> {
        let number = bytes.int()?;
        if number >= 0 {
            return Ok(Self { value: number as u32, count: 1 });
        }
        let count = ((1 - i64::from(number)) / 2 + 1) as u32;
        Ok(Self { value: u32::from(number & 1 == 0), count })
    }

    /// Whether no lengths are pending.
    pub(crate) fn is_done(&self) -> bool {
        self.count == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::varint::encode_long;

    #[test]
    fn runs_as_the_specification_counts_them() {
        for (number, value, count) in [(-1, 0, 2), (-2, 1, 2), (-3, 0, 3), (-4, 1, 3), (0, 0, 1), (5, 5, 1)] {
            let mut data = Vec::new();
            encode_long(&mut data, i64::from(number));
            let (mut run, mut bytes) = (Run::default(), Bytes::new(&data));
            assert_eq!(run.next_run(&mut bytes, 100, true), Ok((value, count)));
            assert!(run.is_done() && bytes.remaining() == 0);
        }
    }

    #[test]
    fn the_longest_run_has_no_overflow() {
        let mut data = Vec::new();
        encode_long(&mut data, i64::from(i32::MIN));
        let (mut run, mut bytes) = (Run::default(), Bytes::new(&data));
        assert_eq!(run.next_run(&mut bytes, usize::MAX, true), Ok((1, 1 << 30 | 1)));
    }
}
