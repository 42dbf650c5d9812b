//! Types of expressions, which are known before anything is read.

use super::value::Value;
use trevni::Shape;

/// What kind of values an expression has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Type {
    Null,
    Boolean,
    Integer,
    /// Floats of 32 bits.
    Single,
    Float,
    Text,
    Bytes,
    List,
    Map,
    /// Something that cannot be computed with.
    Other(&'static str),
}

impl Type {
    pub(super) fn of(shape: &Shape) -> Self {
        match shape {
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

    pub(super) fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Boolean(_) => Self::Boolean,
            Value::Integer(_) => Self::Integer,
            Value::Float(_) => Self::Float,
            Value::Text(_) => Self::Text,
            Value::Bytes(_) => Self::Bytes,
        }
    }

    pub(crate) fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Single | Self::Float | Self::Null)
    }

    /// Whether a value of this kind can be compared.
    pub(crate) fn is_simple(self) -> bool {
        !matches!(self, Self::List | Self::Map | Self::Other(_))
    }

    pub(super) fn compares_with(self, other: Self) -> bool {
        let either = |kind| self == kind || other == kind;
        self.is_simple()
            && other.is_simple()
            && (self == other || either(Self::Null) || (self.is_number() && other.is_number()))
    }

    pub(crate) fn name(self) -> String {
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
