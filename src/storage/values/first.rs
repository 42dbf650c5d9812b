//! The bytes of one value.

use super::TIMESTAMP_BYTES;
use crate::bytes::reader::{Bytes, Malformed};
use crate::storage::value_type::ValueType;

/// The bytes of the next value, as the type encodes it; the byte that holds its bit for a boolean.
pub(crate) fn next_value<'a>(bytes: &mut Bytes<'a>, value_type: ValueType) -> Result<&'a [u8], Malformed> {
    let rest = bytes.rest();
    let before = bytes.position();
    match value_type {
        ValueType::Null => {}
        ValueType::Boolean => bytes.take(1).map(|_| ())?,
        ValueType::Int => bytes.int().map(|_| ())?,
        ValueType::Long => bytes.long().map(|_| ())?,
        ValueType::Fixed32 | ValueType::Float => bytes.take(4).map(|_| ())?,
        ValueType::Fixed64 | ValueType::Double => bytes.take(8).map(|_| ())?,
        ValueType::Fixed8 => bytes.take(1).map(|_| ())?,
        ValueType::Fixed16 => bytes.take(2).map(|_| ())?,
        ValueType::Timestamp => bytes.take(TIMESTAMP_BYTES).map(|_| ())?,
        ValueType::String | ValueType::Bytes => bytes.prefixed().map(|_| ())?,
    }
    Ok(&rest[..bytes.position() - before])
}
