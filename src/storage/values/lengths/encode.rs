//! Writes the lengths of arrays, runs of zeros and ones joined (specification, "Column Metadata").

use crate::bytes::buffer::Buffer;
use crate::storage::values::encode::encode_length;

/// Lengths that have been given but not written, because more of the same may follow.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    value: u32,
    count: u64,
}

/// The most lengths of one run.
pub(crate) const RUN_LENGTHS: u64 = 1 << 30;

impl Run {
    /// `count` times the length `value`, which is 0 or 1.
    pub(crate) fn new(value: u32, count: u64) -> Self {
        Self { value, count }
    }

    /// Takes `count` times the length `value`, which is 0 or 1.
    #[inline]
    pub(crate) fn push(&mut self, value: u32, count: u64, out: &mut Buffer) {
        if self.value != value {
            self.end(out);
            self.value = value;
        }
        self.count += count;
    }

    /// Writes a length that is not part of a run.
    #[inline]
    pub(crate) fn push_alone(&mut self, length: u32, out: &mut Buffer) {
        self.end(out);
        encode_length(length as i32, out);
    }

    /// Writes what is pending.
    #[inline]
    pub(crate) fn end(&mut self, out: &mut Buffer) {
        if self.count > 0 {
            self.write(out);
        }
    }

    #[inline]
    fn write(&mut self, out: &mut Buffer) {
        while self.count > 0 {
            let count = self.count.min(RUN_LENGTHS);
            match count {
                1 => encode_length(self.value as i32, out),
                _ => encode_length((3 - i64::from(self.value) - 2 * count as i64) as i32, out),
            }
            self.count -= count;
        }
    }

    /// Writes what is pending, each length by itself.
    pub(crate) fn end_plain(&mut self, out: &mut Buffer) {
        for _ in 0..self.count {
            encode_length(self.value as i32, out);
        }
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(lengths: &[u32]) -> Vec<u8> {
        let (mut run, mut out) = (Run::default(), Buffer::default());
        for length in lengths {
            match length {
                0 | 1 => run.push(*length, 1, &mut out),
                _ => run.push_alone(*length, &mut out),
            }
        }
        run.end(&mut out);
        out.as_slice().to_vec()
    }

    #[test]
    fn runs_as_the_specification_counts_them() {
        let zigzag = |n: i32| ((n << 1) ^ (n >> 31)) as u8;
        assert_eq!(encoded(&[0]), [zigzag(0)]);
        assert_eq!(encoded(&[1]), [zigzag(1)]);
        assert_eq!(encoded(&[0, 0]), [zigzag(-1)]);
        assert_eq!(encoded(&[1, 1]), [zigzag(-2)]);
        assert_eq!(encoded(&[0, 0, 0]), [zigzag(-3)]);
        assert_eq!(encoded(&[1, 1, 1]), [zigzag(-4)]);
        assert_eq!(encoded(&[2, 2]), [zigzag(2), zigzag(2)]);
        assert_eq!(encoded(&[0, 0, 1, 1, 3, 0]), [zigzag(-1), zigzag(-2), zigzag(3), zigzag(0)]);
    }

    #[test]
    fn a_run_longer_than_an_int_is_split() {
        let (mut run, mut out) = (Run::new(0, (1 << 30) + 1), Buffer::default());
        run.end(&mut out);
        assert_eq!(out.len(), 6);
    }
}
