//! Values that predicates compare with.

use std::fmt;

/// A value that a [`Predicate`](crate::Predicate) compares with.
///
/// Convert with `From` from `bool`, integers, floats, `char`, strings and bytes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Literal {
    /// Compares with booleans.
    Boolean(bool),
    /// Compares with numbers.
    Integer(i128),
    /// An integer above [`i128::MAX`]; a smaller one is a [`Literal::Integer`].
    Large(u128),
    /// Compares with numbers; an `f32` is widened without loss.
    Float(f64),
    /// Compares with strings, enum symbols and bytes.
    String(String),
    /// Compares with bytes.
    Bytes(Vec<u8>),
}

impl From<bool> for Literal {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

macro_rules! integers {
    ($($type:ident)*) => {
        $(impl From<$type> for Literal {
            fn from(value: $type) -> Self {
                Self::Integer(value as i128)
            }
        })*
    };
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize }

impl From<u128> for Literal {
    fn from(value: u128) -> Self {
        i128::try_from(value).map_or(Self::Large(value), Self::Integer)
    }
}

impl From<f32> for Literal {
    fn from(value: f32) -> Self {
        Self::Float(f64::from(value))
    }
}

impl From<f64> for Literal {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<char> for Literal {
    fn from(value: char) -> Self {
        Self::String(value.to_string())
    }
}

impl From<&str> for Literal {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<&String> for Literal {
    fn from(value: &String) -> Self {
        Self::String(value.clone())
    }
}

impl From<String> for Literal {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl From<&[u8]> for Literal {
    fn from(value: &[u8]) -> Self {
        Self::Bytes(value.to_vec())
    }
}

impl<const N: usize> From<&[u8; N]> for Literal {
    fn from(value: &[u8; N]) -> Self {
        Self::Bytes(value.to_vec())
    }
}

impl From<Vec<u8>> for Literal {
    fn from(value: Vec<u8>) -> Self {
        Self::Bytes(value)
    }
}

impl fmt::Display for Literal {
    /// As it is written in Rust.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Large(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::String(value) => write!(f, "{value:?}"),
            Self::Bytes(value) => write!(f, "b\"{}\"", value.escape_ascii()),
        }
    }
}
