//! Types of expressions, which are known before anything is read.

use crate::moment::MomentKind;
use crate::scalar::Scalar;
use trevni::Shape;
use trevni::shape::Logical;

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
    /// Decimals of any length, which are exact.
    Decimal,
    /// Dates, times of day or instants, and the nanoseconds of what their numbers count.
    Moment(MomentKind, i64),
    /// Strings and symbols of enums.
    Text,
    /// UUIDs, as strings.
    Uuid,
    /// IP addresses, of any family.
    IpAddress,
    /// IP networks, of any family.
    IpNetwork,
    /// Durations, as strings; they have no order.
    Duration,
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
        if let Shape::Logical(logical) = shape
            && let Some(kind) =
                Self::of_logical(&logical.logical).filter(|_| logical.storage != Shape::String)
        {
            return kind;
        }
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
            Shape::Union(variants)
                if variants.iter().map(Self::of).all(|kind| kind.is_number() && kind != Self::Decimal) =>
            {
                Self::Float
            }
            other => Self::Other(other.kind()),
        }
    }

    fn of_logical(logical: &Logical) -> Option<Self> {
        Some(match logical {
            Logical::Decimal { .. } => Self::Decimal,
            Logical::Uuid => Self::Uuid,
            Logical::Duration => Self::Duration,
            Logical::IpAddress(_) => Self::IpAddress,
            Logical::IpNetwork(_) => Self::IpNetwork,
            other => {
                let (kind, each) = MomentKind::of(other)?;
                Self::Moment(kind, each)
            }
        })
    }

    pub(crate) fn of_value(value: &Scalar) -> Self {
        match value {
            Scalar::Null => Self::Null,
            Scalar::Boolean(_) => Self::Boolean,
            Scalar::Integer(_) => Self::Integer,
            Scalar::Float(_) => Self::Float,
            Scalar::Decimal(_) => Self::Decimal,
            Scalar::Moment(moment) => Self::Moment(moment.kind, 1),
            Scalar::Ip(ip) if ip.prefix.is_some() => Self::IpNetwork,
            Scalar::Ip(_) => Self::IpAddress,
            Scalar::Text(_) => Self::Text,
            Scalar::Bytes(_) => Self::Bytes,
        }
    }

    /// The type that values of all of these can be; `None` if there is no such type.
    pub(crate) fn common(kinds: impl IntoIterator<Item = Self>) -> Option<Self> {
        kinds.into_iter().try_fold(Self::Null, |all, next| match (all, next) {
            (one, other) if one == other => Some(one),
            (Self::Null, kind) | (kind, Self::Null) => Some(kind),
            (Self::Integer, Self::Decimal) | (Self::Decimal, Self::Integer) => Some(Self::Decimal),
            (one, other) if one.is_number() && other.is_number() => Some(Self::Float),
            (Self::Text | Self::Uuid, Self::Text | Self::Uuid) => Some(Self::Text),
            (Self::Moment(one, _), Self::Moment(other, _)) if one == other => Some(Self::Moment(one, 1)),
            _ => None,
        })
    }

    /// Whether values are numbers, or all null.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Single | Self::Float | Self::Decimal | Self::Null)
    }

    /// Whether values are single ones, which can be compared and computed with.
    pub fn is_simple(self) -> bool {
        !matches!(self, Self::List | Self::Map | Self::Other(_))
    }

    /// Whether there is an order of the values: durations have no order.
    pub fn has_order(self) -> bool {
        self.is_simple() && self != Self::Duration
    }

    pub(crate) fn compares_with(self, other: Self) -> bool {
        let either = |kind| self == kind || other == kind;
        let is_text = |kind| matches!(kind, Self::Text | Self::Uuid);
        if let (Self::Moment(one, _), Self::Moment(two, _)) = (self, other) {
            return one.compares_with(two);
        }
        self.is_simple()
            && other.is_simple()
            && (self == other
                || either(Self::Null)
                || (self.is_number() && other.is_number())
                || (is_text(self) && is_text(other)))
    }

    /// The type in words: `a number`, `a list`.
    pub fn name(self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Boolean => "a boolean".into(),
            Self::Integer | Self::Single | Self::Float | Self::Decimal => "a number".into(),
            Self::Moment(kind, _) => kind.name().into(),
            Self::Text => "a string".into(),
            Self::Uuid => "a UUID".into(),
            Self::IpAddress => "an IP address".into(),
            Self::IpNetwork => "an IP network".into(),
            Self::Duration => "a duration".into(),
            Self::Bytes => "bytes".into(),
            Self::List => "a list".into(),
            Self::Map => "a map".into(),
            Self::Other(kind) => format!("a {kind}"),
        }
    }
}
