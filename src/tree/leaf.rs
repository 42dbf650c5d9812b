//! What the values of a leaf are in memory and in a column, and what must hold for them.

use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::storage::value_type::ValueType;
use crate::vector::{Binaries, DictionaryVector, Strings, Vector};

/// What the values of a leaf are: small, since there is one for each column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    Null,
    Boolean,
    Int,
    /// Signed, or the bits of a `u64`.
    Long,
    Float,
    Double,
    String,
    Bytes,
    /// Bytes of a constant number.
    Fixed(usize),
    Enum,
}

impl Leaf {
    /// The leaf that a shape is; none for shapes with nodes below them, and the unknown one.
    pub(crate) fn of(shape: &Shape) -> Option<Self> {
        Some(match shape {
            Shape::Null => Self::Null,
            Shape::Boolean => Self::Boolean,
            Shape::Int => Self::Int,
            Shape::Long | Shape::U64 => Self::Long,
            Shape::Float => Self::Float,
            Shape::Double => Self::Double,
            Shape::String => Self::String,
            Shape::Bytes => Self::Bytes,
            Shape::Fixed(fixed) => Self::Fixed(fixed.size),
            Shape::I128 | Shape::U128 => Self::Fixed(16),
            Shape::Enum(_) => Self::Enum,
            Shape::Logical(logical) => return Self::of(&logical.storage),
            _ => return None,
        })
    }

    /// The type of the column that holds the values.
    pub(crate) fn value_type(self) -> ValueType {
        match self {
            Self::Null => ValueType::Null,
            Self::Boolean => ValueType::Boolean,
            Self::Int | Self::Enum => ValueType::Int,
            Self::Long => ValueType::Long,
            Self::Float => ValueType::Float,
            Self::Double => ValueType::Double,
            Self::String => ValueType::String,
            Self::Bytes | Self::Fixed(_) => ValueType::Bytes,
        }
    }

    /// An empty vector of such values.
    pub(crate) fn vector(self) -> Vector {
        match self {
            Self::Null => Vector::Null(0),
            Self::Boolean => Vector::Boolean(Vec::new()),
            Self::Int => Vector::Int(Vec::new()),
            Self::Long => Vector::Long(Vec::new()),
            Self::Float => Vector::Float(Vec::new()),
            Self::Double => Vector::Double(Vec::new()),
            Self::String => Vector::String(Strings::default()),
            Self::Bytes | Self::Fixed(_) => Vector::Bytes(Binaries::default()),
            Self::Enum => Vector::Enum(Vec::new()),
        }
    }

    /// Makes `out` an empty vector of such values; of texts and byte strings one of positions in a dictionary, where these are
    /// allowed.
    pub(crate) fn prepare(self, allows_dictionaries: bool, out: &mut Vector) {
        let empty = match self {
            Self::String | Self::Bytes if allows_dictionaries => {
                Vector::Dictionary(Box::new(DictionaryVector::new(self == Self::String)))
            }
            _ => self.vector(),
        };
        let same = std::mem::discriminant(out) == std::mem::discriminant(&empty);
        if same { out.clear() } else { *out = empty }
    }

    /// Checks that values have the bytes that they must have.
    ///
    /// # Errors
    ///
    /// A fixed value of another size.
    pub(crate) fn check(self, values: &Vector) -> Result<()> {
        match (self, values) {
            (Self::Fixed(size), Vector::Bytes(values)) if values.iter().any(|value| value.len() != size) => {
                Err(Error::value(format!("a fixed value has not {size} bytes")))
            }
            _ => Ok(()),
        }
    }
}
