//! Byte strings: one after the other, each whole, as what it adds to the beginning of the one before, with symbols for
//! what comes often, or in compressed pieces; or as places in a list of the different ones.

mod decode;
mod encode;

pub(super) use decode::Strings;
#[cfg(feature = "archive")]
pub(super) use encode::common;
pub(super) use encode::encode;

/// How strings are encoded: the first byte after their number.
mod form {
    pub(super) const PLAIN: u8 = 0;
    pub(super) const DISTINCT: u8 = 1;
    pub(super) const SHARED: u8 = 2;
    pub(super) const SYMBOLS: u8 = 3;
    pub(super) const PIECES: u8 = 4;
}

/// The most bytes of a piece, unless all but one of its strings are empty: snappy finds nothing farther away.
const PIECE_BYTES: usize = 1 << 16;

/// Strings of a group that symbols encode.
const GROUP: u64 = 32;

/// The most different strings that are listed.
const DISTINCT_MAX: usize = 1 << 16;

#[cfg(test)]
mod tests;
