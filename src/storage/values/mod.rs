//! The values of a block: vectors into bytes and back, one loop for each type.

use crate::bytes::reader::{Bytes, Read};
use crate::storage::value_type::ValueType;

mod blobs;
mod bytes;
pub(crate) mod decode;
pub(crate) mod encode;
#[cfg_attr(not(feature = "typed"), path = "no_held.rs")]
pub(crate) mod held;
#[cfg_attr(not(feature = "typed"), path = "no_kept.rs")]
pub(crate) mod kept;
pub(crate) mod lengths;
#[cfg(feature = "typed")]
mod narrow;
mod packing;
pub(crate) mod skip;
mod texts;

pub(crate) use texts::as_blobs;

/// The length 1, as it is usually written.
const LENGTH_ONE: u8 = 2;

/// Bytes of a timestamp.
pub(crate) const TIMESTAMP_BYTES: usize = 12;

/// The bytes of the next value, as the type encodes it; the byte that holds its bit for a boolean.
pub(crate) fn next_value<'a>(bytes: &mut Bytes<'a>, value_type: ValueType) -> Read<&'a [u8]> {
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
