//! Integers: frames of so many bits around a base, by themselves or as places in a list of the different ones.

mod decode;
mod distinct;
mod encode;
mod frame;

pub(super) use decode::Integers;
pub(super) use distinct::{Hasher, Places, Table};
pub(super) use encode::{Encoded, encode, encode_lengths};

/// How integers are encoded: the first byte after their number.
mod form {
    pub(super) const CONSTANT: u8 = 0;
    pub(super) const FRAMES: u8 = 1;
    pub(super) const SCALED: u8 = 2;
    pub(super) const DISTINCT: u8 = 3;
    pub(super) const SUMMED: u8 = 4;
}

/// The most different integers that are listed.
const DISTINCT_MAX: usize = 1 << 16;

#[cfg(test)]
mod tests;
