//! The first byte of a typed block: what its values are, and whether lengths come before them.

use super::super::ColumnType;
use crate::storage::value_type::ValueType;
use crate::vector::{Binaries, Vector};

/// What the values of a block are. Each has the bytes that `docs/format.md` says for its value type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The bytes of the block, whatever they are.
    Raw,
    /// There are none.
    Nulls,
    /// Booleans, eight a byte.
    Booleans,
    /// Integers of any number of bytes.
    Integers,
    Fixed32,
    Fixed64,
    Floats,
    Doubles,
    /// Strings and byte strings.
    Strings,
}

impl Kind {
    /// The type of such values, and a vector for some of them.
    pub(super) fn vector(self) -> (ValueType, Vector) {
        match self {
            Self::Raw | Self::Nulls => (ValueType::Null, Vector::Null(0)),
            Self::Booleans => (ValueType::Boolean, Vector::Boolean(Vec::new())),
            Self::Integers => (ValueType::Long, Vector::Long(Vec::new())),
            Self::Fixed32 => (ValueType::Fixed32, Vector::Int(Vec::new())),
            Self::Fixed64 => (ValueType::Fixed64, Vector::Long(Vec::new())),
            Self::Floats => (ValueType::Float, Vector::Float(Vec::new())),
            Self::Doubles => (ValueType::Double, Vector::Double(Vec::new())),
            Self::Strings => (ValueType::Bytes, Vector::Bytes(Binaries::default())),
        }
    }
}

/// By their numbers.
const KINDS: [Kind; 9] = [
    Kind::Raw,
    Kind::Nulls,
    Kind::Booleans,
    Kind::Integers,
    Kind::Fixed32,
    Kind::Fixed64,
    Kind::Floats,
    Kind::Doubles,
    Kind::Strings,
];

/// The bit that says that lengths come first.
const LENGTHS: u8 = 0x10;
/// The bit that says that runs of lengths are joined in the block.
const JOINED: u8 = 0x20;

/// What the first byte says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) kind: Kind,
    pub(super) lengths: bool,
    pub(super) joined: bool,
}

impl Head {
    pub(super) const RAW: Self = Self { kind: Kind::Raw, lengths: false, joined: false };

    /// What a column has.
    pub(super) fn new(column_type: ColumnType) -> Self {
        let kind = match column_type.value_type {
            Some(ValueType::Null) if column_type.array => Kind::Nulls,
            Some(ValueType::Boolean) => Kind::Booleans,
            Some(ValueType::Int | ValueType::Long) => Kind::Integers,
            Some(ValueType::Fixed32) => Kind::Fixed32,
            Some(ValueType::Fixed64) => Kind::Fixed64,
            Some(ValueType::Float) => Kind::Floats,
            Some(ValueType::Double) => Kind::Doubles,
            Some(ValueType::String | ValueType::Bytes) => Kind::Strings,
            Some(ValueType::Null | ValueType::Fixed8 | ValueType::Fixed16 | ValueType::Timestamp) | None => {
                return Self::RAW;
            }
        };
        Self { kind, lengths: column_type.array, joined: false }
    }

    /// The same where runs of lengths are not joined.
    pub(super) fn without_runs(self) -> Self {
        Self { joined: false, ..self }
    }

    pub(super) fn byte(self) -> u8 {
        let kind = KINDS.iter().position(|kind| *kind == self.kind).unwrap_or(0) as u8;
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        kind | flag(self.lengths, LENGTHS) | flag(self.joined, JOINED)
    }

    /// None of an unknown byte.
    pub(super) fn from_byte(byte: u8) -> Option<Self> {
        let kind = *KINDS.get(usize::from(byte & !(LENGTHS | JOINED)))?;
        Some(Self { kind, lengths: byte & LENGTHS != 0, joined: byte & JOINED != 0 })
    }
}
