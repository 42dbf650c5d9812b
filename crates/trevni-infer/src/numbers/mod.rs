//! Numbers in strings: which type holds an integer, what a cell is.

mod cell;

pub use cell::{Cell, Numbers, Spelling};

/// The smallest integer type that holds all values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer {
    /// 32 bits; only where it is asked for.
    Int,
    Long,
    U64,
    I128,
    U128,
}

/// An integer of up to 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {
    Signed(i128),
    /// Above `i128::MAX`.
    Large(u128),
}

impl Wide {
    /// The integer of a text; `None` where it has more than 128 bits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.parse().map(Self::Signed).or_else(|_| text.parse().map(Self::Large)).ok()
    }
}

/// A number, by its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(Wide),
    Float(f64),
    /// An integer of more than 128 bits.
    TooLarge,
}

impl Number {
    /// Of the text of a JSON number.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let float = text.parse().ok()?;
        if text.contains(['.', 'e', 'E']) || text == "-0" {
            return Some(Self::Float(float));
        }
        Some(Wide::parse(text).map_or(Self::TooLarge, Self::Integer))
    }
}

/// Whether a float may be an integer of more than 64 bits, which the parser shows as a float.
#[inline]
pub(crate) fn may_be_integer(value: f64) -> bool {
    value.abs() >= 9_223_372_036_854_775_808.0
}
