//! Choices of generators: the bytes of an input decide them, and after its end a seed that is made of the bytes.

use arbitrary::Unstructured;
use fastrand::Rng;

/// What decides. A fuzzer that changes a byte changes one choice; a short input still makes something.
pub(crate) struct Choices<'b> {
    bytes: Unstructured<'b>,
    rng: Rng,
}

/// Integers at the limits of their types.
pub(crate) const BORDERS: [i64; 18] = [
    0,
    1,
    -1,
    2,
    63,
    64,
    -64,
    -65,
    127,
    128,
    255,
    1023,
    1024,
    65_536,
    i32::MAX as i64,
    i32::MIN as i64,
    i64::MAX,
    i64::MIN,
];

impl<'b> Choices<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes: Unstructured::new(bytes), rng: Rng::with_seed(u64::from(crc32fast::hash(bytes))) }
    }

    /// A number below another one, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        match self.bytes.is_empty() {
            false => self.bytes.int_in_range(0..=end - 1).unwrap_or(0),
            true => self.rng.usize(0..end),
        }
    }

    /// True once in n times.
    pub(crate) fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == many - 1
    }

    pub(crate) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// Random numbers that no choice depends on; one choice decides all of them.
    pub(crate) fn bulk(&mut self) -> Rng {
        let seed = self.below(1 << 16) as u64;
        Rng::with_seed(seed ^ self.rng.u64(..) << 16)
    }

    /// Any integer; those at borders often.
    pub(crate) fn integer(&mut self) -> i64 {
        match self.below(3) {
            0 => self.below(200) as i64 - 100,
            1 => self.pick(&BORDERS),
            _ => self.rng.i64(..),
        }
    }

    /// A list of at most n items.
    pub(crate) fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }
}
