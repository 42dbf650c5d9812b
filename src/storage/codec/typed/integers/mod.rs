//! Integers: frames of a width in bits around a base, by themselves, as places in a list of the different
//! ones, or as copies of integers before them.

mod copies;
mod decode;
mod directory;
mod distinct;
mod encode;
mod frame;
mod repeats;
mod series;

pub(super) use decode::Integers;
pub(super) use distinct::{Hasher, Places, Repetition, Table, place_bits};
pub(super) use encode::{Encoded, encode, encode_lengths};
pub(super) use frame::Numbers;

/// How integers are encoded: the low bits of the first byte after their number. The others are [flags](directory::flag).
mod form {
    pub(super) const CONSTANT: u8 = 0;
    pub(super) const FRAMES: u8 = 1;
    pub(super) const SCALED: u8 = 2;
    pub(super) const DISTINCT: u8 = 3;
    pub(super) const REPEATS: u8 = 4;
}

/// The most different integers that are listed.
pub(super) const DISTINCT_MAX: usize = 1 << 16;

#[cfg(test)]
mod tests;
