//! A value that comes, as far as a shape must know of it.

use super::cell::Width;
use crate::error::{Error, ErrorKind};
use crate::logical::Texts;
use crate::shape::{EnumShape, Form, Name, RecordShape, Shape};

/// What is to be written next.
pub(super) enum Incoming<'a> {
    Boolean,
    Integer {
        value: i128,
        width: Width,
    },
    /// A number that is marked as one of a logical type.
    Marked {
        texts: Texts,
        value: i64,
    },
    /// A `u128` above `i128::MAX`.
    LargeU128,
    Float,
    Double(f64),
    String(&'a str),
    /// Bytes of this number.
    Bytes(usize),
    Symbol {
        name: &'static str,
        symbol: &'static str,
    },
    Record {
        namespace: &'static str,
        name: &'static str,
        form: Form,
    },
    List,
    /// A map.
    Map {
        /// Whether it is to be a record.
        record: bool,
        /// Whether it is known to have no entries.
        is_empty: bool,
    },
}

/// What a value is, roughly: those of two kinds are entries of two variants of a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Number,
    String,
    Bytes,
    Enum,
    List,
    /// Of a record or a map.
    Fields,
}

impl Incoming<'_> {
    /// Its kind; none where a mark says what it is.
    pub(super) fn kind(&self) -> Option<Kind> {
        Some(match self {
            Self::Boolean => Kind::Boolean,
            Self::Integer { .. } | Self::LargeU128 | Self::Float | Self::Double(_) => Kind::Number,
            Self::Marked { .. } => return None,
            Self::String(_) => Kind::String,
            Self::Bytes(_) => Kind::Bytes,
            Self::Symbol { .. } => Kind::Enum,
            Self::List => Kind::List,
            Self::Record { .. } | Self::Map { .. } => Kind::Fields,
        })
    }

    /// The shape of rows that have only this value.
    pub(super) fn shape(&self) -> Shape {
        let record = |namespace, name, form| RecordShape {
            namespace: Name::Borrowed(namespace),
            name: Name::Borrowed(name),
            form,
            fields: Vec::new(),
        };
        match *self {
            Self::Boolean => Shape::Boolean,
            Self::Marked { texts, .. } => texts.shape().unwrap_or(Shape::Long),
            Self::Integer { width: Width::Int, .. } => Shape::Int,
            Self::Integer { width: Width::Long, value } if i64::try_from(value).is_ok() => Shape::Long,
            Self::Integer { width: Width::Long, .. } => Shape::U64,
            Self::Integer { width: Width::I128, .. } => Shape::I128,
            Self::Integer { width: Width::U128, .. } | Self::LargeU128 => Shape::U128,
            Self::Float => Shape::Float,
            Self::Double(_) => Shape::Double,
            Self::String(_) => Shape::String,
            Self::Bytes(_) => Shape::Bytes,
            Self::Symbol { name, .. } => Shape::Enum(EnumShape {
                namespace: Name::Borrowed(""),
                name: Name::Borrowed(name),
                symbols: Vec::new(),
            }),
            Self::Record { namespace, name, form } => Shape::Record(record(namespace, name, form)),
            Self::List => Shape::List(Box::new(Shape::Unknown)),
            Self::Map { record: true, .. } => Shape::Record(record("", "", Form::Struct)),
            Self::Map { record: false, .. } => Shape::map(Shape::Unknown, Shape::Unknown),
        }
    }

    /// The text of a number that is marked as one of a logical type; none where it has none.
    pub(super) fn text(&self) -> Option<String> {
        let Self::Marked { texts, value } = *self else { return None };
        texts.text_of(value)
    }
}

#[cold]
pub(super) fn refused(expected: &str, incoming: &Incoming<'_>) -> Error {
    let found = match incoming {
        Incoming::Boolean => "a boolean".to_owned(),
        Incoming::Integer { value, .. } => format!("integer {value}"),
        Incoming::Marked { texts, value } => format!("{} {value}", texts.name()),
        Incoming::LargeU128 => "a u128".to_owned(),
        Incoming::Float => "a float".to_owned(),
        Incoming::Double(value) => format!("double {value}"),
        Incoming::String(text) => format!("text {text:?}"),
        Incoming::Bytes(size) => format!("{size} bytes"),
        Incoming::Symbol { symbol, .. } => format!("symbol {symbol:?}"),
        Incoming::Record { name, form: Form::Struct, .. } => format!("struct {name}"),
        Incoming::Record { form: Form::Tuple, .. } => "a tuple".to_owned(),
        Incoming::Record { name, .. } => format!("variant {name}"),
        Incoming::List => "a sequence".to_owned(),
        Incoming::Map { .. } => "a map".to_owned(),
    };
    ErrorKind::DoesNotFit { expected: expected.to_owned(), found }.into()
}
