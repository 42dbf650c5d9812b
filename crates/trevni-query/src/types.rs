//! Types of expressions, which are known before anything is read.

use crate::scalar::Scalar;
use trevni::Shape;

/// The type of an expression.
///
/// Integers of all widths are one type, of up to 128 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Type {
    /// Nothing but null.
    Null,
    /// True or false.
    Boolean,
    /// Integers.
    Integer,
    /// Floats of 32 bits.
    Single,
    /// Floats of 64 bits.
    Float,
    /// Texts and symbols of enums.
    Text,
    /// Bytes.
    Bytes,
    /// Lists.
    List,
    /// Maps.
    Map,
    /// Something that cannot be computed with, such as a record; the kind of its shape.
    Other(&'static str),
}

impl Type {
    pub(crate) fn of(shape: &Shape) -> Self {
        match shape.storage() {
            Shape::Null | Shape::Unknown => Self::Null,
            Shape::Boolean => Self::Boolean,
            Shape::Int | Shape::Long | Shape::U64 | Shape::I128 | Shape::U128 => Self::Integer,
            Shape::Float => Self::Single,
            Shape::Double => Self::Float,
            Shape::String | Shape::Enum(_) => Self::Text,
            Shape::Bytes | Shape::Fixed(_) => Self::Bytes,
            Shape::List(_) => Self::List,
            Shape::Map(_) => Self::Map,
            Shape::Union(variants) if variants.iter().all(|variant| Self::of(variant).is_number()) => {
                Self::Float
            }
            other => Self::Other(other.kind()),
        }
    }

    pub(crate) fn of_value(value: &Scalar) -> Self {
        match value {
            Scalar::Null => Self::Null,
            Scalar::Boolean(_) => Self::Boolean,
            Scalar::Integer(_) => Self::Integer,
            Scalar::Float(_) => Self::Float,
            Scalar::Text(_) => Self::Text,
            Scalar::Bytes(_) => Self::Bytes,
        }
    }

    /// Whether values are numbers, or all null.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Single | Self::Float | Self::Null)
    }

    /// Whether values are single ones, which can be compared and computed with.
    pub fn is_simple(self) -> bool {
        !matches!(self, Self::List | Self::Map | Self::Other(_))
    }

    pub(crate) fn compares_with(self, other: Self) -> bool {
        let either = |kind| self == kind || other == kind;
        self.is_simple()
            && other.is_simple()
            && (self == other || either(Self::Null) || (self.is_number() && other.is_number()))
    }

    /// The type in words: `a number`, `a list`.
    pub fn name(self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Boolean => "a boolean".into(),
            Self::Integer | Self::Single | Self::Float => "a number".into(),
            Self::Text => "a string".into(),
            Self::Bytes => "bytes".into(),
            Self::List => "a list".into(),
            Self::Map => "a map".into(),
            Self::Other(kind) => format!("a {kind}"),
        }
    }
}
