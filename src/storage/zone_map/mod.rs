//! Zone maps: bounds and counts of the values of each block of a column.

mod decode;
mod encode;
mod open;
#[cfg(test)]
mod tests;
mod texts;

pub(crate) use decode::{decode, number};
pub(crate) use encode::encode;
pub(crate) use open::OpenZone;

use std::cmp::Ordering;

/// The first byte of a zone map: the number of its form.
const FORM: u8 = 1;
/// Flag of a zone map whose column ascends.
const ASCENDING: u8 = 1;
/// Flags of a zone: what is there.
const MIN: u8 = 1;
const MAX: u8 = 2;
const NAN: u8 = 4;

/// The most bytes of a bound of texts or bytes.
pub(crate) const BOUND_BYTES: usize = 32;

/// Whether bytes may be a zone map of this form, whatever is wrong with it.
pub(crate) fn is_known(bytes: &[u8]) -> bool {
    bytes.first() == Some(&FORM)
}

/// What the checksum of a zone map covers: rows and size of each block, and the map's own bytes. So a
/// map that is damaged, or belongs to other blocks, is told from a good one.
fn with_table(blocks: impl ExactSizeIterator<Item = [u32; 2]>, body: &[u8]) -> Vec<u8> {
    let mut checked = Vec::with_capacity(8 * blocks.len() + body.len());
    for number in blocks.flatten() {
        checked.extend_from_slice(&number.to_le_bytes());
    }
    checked.extend_from_slice(body);
    checked
}

/// A bound of some values.
///
/// Bounds compare as the values do: numbers by size, strings and bytes byte by byte.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Bound {
    /// Of a boolean column.
    Boolean(bool),
    /// Of an int, long, fixed32 or fixed64 column.
    Integer(i64),
    /// Of a float or double column.
    Float(f64),
    /// Of a string or bytes column. A long bound is truncated, an upper one rounded up, so it may not be
    /// UTF-8.
    Bytes(Vec<u8>),
}

impl Bound {
    /// Compares two bounds of the same column; `None` for NaN and for different types.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Boolean(one), Self::Boolean(two)) => Some(one.cmp(two)),
            (Self::Integer(one), Self::Integer(two)) => Some(one.cmp(two)),
            (Self::Float(one), Self::Float(two)) => one.partial_cmp(two),
            (Self::Bytes(one), Self::Bytes(two)) => Some(one.cmp(two)),
            _ => None,
        }
    }
}

/// Bounds and counts of the values of one block.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Zone {
    /// Number of lengths of 0 in an array column: nulls and empty lists. 0 in other columns.
    pub nulls: u64,
    /// Number of values; in an array column, the sum of the lengths.
    pub values: u64,
    /// A lower bound of the values; `None` if unknown, or if all values are NaN.
    pub min: Option<Bound>,
    /// An upper bound of the values; `None` if unknown, or if all values are NaN.
    pub max: Option<Bound>,
    /// Whether there may be NaN values, which the bounds do not cover.
    pub nan: bool,
}

/// The zones of all blocks of a column.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ZoneMap {
    /// Whether the values of the column ascend (equal neighbours included).
    pub ascending: bool,
    /// One zone per block.
    pub zones: Vec<Zone>,
}
