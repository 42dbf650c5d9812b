//! The value types of a column: the ten of Trevni, and three of other dialects.

use std::fmt;

/// The type of the values of a column (specification, "Type Names").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueType {
    /// No bytes; used by columns that only have lengths.
    Null,
    /// One bit.
    Boolean,
    /// 32 bits, zig-zag, variable length.
    Int,
    /// 64 bits, zig-zag, variable length.
    Long,
    /// 32 bits, little-endian.
    Fixed32,
    /// 64 bits, little-endian.
    Fixed64,
    /// IEEE 754 single, little-endian.
    Float,
    /// IEEE 754 double, little-endian.
    Double,
    /// UTF-8, after its length in bytes.
    String,
    /// Bytes, after their length.
    Bytes,
    /// 8 bits with sign. In [`Dialect::Levels`](crate::Dialect::Levels) only.
    Fixed8,
    /// 16 bits with sign, little-endian. In [`Dialect::Levels`](crate::Dialect::Levels) only.
    Fixed16,
    /// 12 bytes: nanoseconds since midnight and the Julian day, little-endian. In
    /// [`Dialect::Levels`](crate::Dialect::Levels) only.
    Timestamp,
}

impl ValueType {
    /// All types of Trevni, in the order of the specification.
    pub const ALL: [Self; 10] = [
        Self::Null,
        Self::Boolean,
        Self::Int,
        Self::Long,
        Self::Fixed32,
        Self::Fixed64,
        Self::Float,
        Self::Double,
        Self::String,
        Self::Bytes,
    ];

    /// The name in a column's metadata.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Int => "int",
            Self::Long => "long",
            Self::Fixed32 => "fixed32",
            Self::Fixed64 => "fixed64",
            Self::Float => "float",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Fixed8 => "fixed8",
            Self::Fixed16 => "fixed16",
            Self::Timestamp => "timestamp",
        }
    }

    /// The type of Trevni of this name, ignoring case, as in Java.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::from_bytes(name.as_bytes())
    }

    /// Whether a column of this type is one for which the schema says `wanted`: the width of its integers may
    /// be fixed.
    pub(crate) fn fits(self, wanted: Self) -> bool {
        self == wanted
            || matches!(
                (self, wanted),
                (Self::Fixed32 | Self::Fixed16 | Self::Fixed8, Self::Int)
                    | (Self::Fixed64, Self::Long)
                    | (Self::Timestamp, Self::Bytes)
            )
    }

    /// The type of fixed width that integers of this type may have instead, and its width in bytes.
    pub(crate) fn fixed(self) -> Option<(Self, usize)> {
        match self {
            Self::Int => Some((Self::Fixed32, 4)),
            Self::Long => Some((Self::Fixed64, 8)),
            _ => None,
        }
    }

    /// The type of Trevni with levels of this name.
    pub(crate) fn with_levels(name: &[u8]) -> Option<Self> {
        let more = [Self::Fixed8, Self::Fixed16, Self::Timestamp];
        Self::ALL.into_iter().chain(more).find(|value_type| value_type.name().as_bytes() == name)
    }

    /// As [`ValueType::from_name`], of bytes that may be a name.
    pub(crate) fn from_bytes(name: &[u8]) -> Option<Self> {
        let find = |same: fn(&[u8], &[u8]) -> bool| {
            Self::ALL.into_iter().find(|value_type| same(value_type.name().as_bytes(), name))
        };
        find(|one, two| one == two).or_else(|| find(<[u8]>::eq_ignore_ascii_case))
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
