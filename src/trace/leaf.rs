//! Plain values, and what is made up for them.

use crate::shape::Shape;
use std::cell::Cell;
use std::rc::Rc;

/// A plain value.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) shape: Shape,
    /// Which of the made-up values is given.
    pub(super) tried: Rc<Cell<usize>>,
}

/// Strings that some types want to see: numbers, addresses, dates, identifiers.
pub(super) const TEXTS: [&str; 12] = [
    "",
    "1",
    "127.0.0.1",
    "::1",
    "127.0.0.1:80",
    "[::1]:80",
    "2000-01-01",
    "2000-01-01T00:00:00",
    "2000-01-01T00:00:00Z",
    "00:00:00",
    "00000000-0000-0000-0000-000000000000",
    "http://localhost/",
];

/// Bytes that some types want to see.
pub(super) const BYTES: [&[u8]; 4] = [&[], &[0; 16], &[0; 32], b"/"];

/// Numbers that some types want to see: not zero, or below a limit.
pub(super) const NUMBERS: [u8; 3] = [1, 0, 2];

/// The most values that are made up for a leaf.
const TRIES_MAX: usize = TEXTS.len();

impl Leaf {
    pub(super) fn new(shape: Shape) -> Self {
        Self { shape, tried: Rc::default() }
    }

    /// The value to give.
    pub(super) fn pick<T: Copy>(&self, values: &[T], otherwise: T) -> T {
        values.get(self.tried.get()).or(values.first()).copied().unwrap_or(otherwise)
    }
}

/// Gives the next value from now on; false after the last.
pub(super) fn try_next(tried: &Cell<usize>) -> bool {
    tried.set(tried.get() + 1);
    tried.get() < TRIES_MAX
}
