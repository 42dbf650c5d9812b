//! A value that comes, as far as a shape must know of it.

use super::cell::Width;
use crate::error::{Error, ErrorKind};
use crate::logical::Texts;
use crate::shape::Form;

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
    Double,
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
    /// A map; the flag says that it is to be a record.
    Map {
        record: bool,
    },
}

#[cold]
pub(super) fn refused(expected: &str, incoming: &Incoming<'_>) -> Error {
    let found = match incoming {
        Incoming::Boolean => "a boolean".to_owned(),
        Incoming::Integer { value, .. } => format!("integer {value}"),
        Incoming::Marked { texts, value } => format!("{} {value}", texts.name()),
        Incoming::LargeU128 => "a u128".to_owned(),
        Incoming::Float => "a float".to_owned(),
        Incoming::Double => "a double".to_owned(),
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
