//! Scalars in the binary form of messages.

use super::plan::Scalar;
use crate::error::Misfit;
use prost_reflect::Kind;
use prost_reflect::prost::encoding::encode_varint;
use trevni::{ValueRef, Vector};

/// Appends a value without its key. Returns whether it is the default of its type.
pub(super) fn scalar(scalar: &Scalar, vector: &Vector, at: usize, out: &mut Vec<u8>) -> Result<bool, Misfit> {
    if let (Kind::Enum(_), Vector::Enum(ordinals)) = (&scalar.kind, vector) {
        let ordinal =
            ordinals.get(at).and_then(|ordinal| usize::try_from(*ordinal).ok()).ok_or_else(Misfit::form)?;
        return match scalar.numbers.get(ordinal) {
            Some(Some(number)) => Ok(integer(&scalar.kind, (*number).into(), out)),
            _ => Err(no_symbol(scalar, vector, at)),
        };
    }
    let value = ValueRef::new(&scalar.shape, vector, at).ok_or_else(Misfit::form)?;
    let number = match (&scalar.kind, value) {
        (Kind::Bool, ValueRef::Boolean(value)) => i128::from(value),
        (Kind::Enum(_), ValueRef::Null) => 0,
        (Kind::Float, ValueRef::Float(value)) => {
            out.extend_from_slice(&value.to_le_bytes());
            // Zero with a sign is not the default.
            return Ok(value.to_bits() == 0);
        }
        (Kind::Float, ValueRef::Double(value)) => return narrowed(value, out),
        (Kind::Double, ValueRef::Float(value)) => return Ok(double(value.into(), out)),
        (Kind::Double, ValueRef::Double(value)) => return Ok(double(value, out)),
        (Kind::String, ValueRef::String(text) | ValueRef::Symbol(text)) => {
            return Ok(sized(text.as_bytes(), out));
        }
        (Kind::Bytes, ValueRef::Bytes(bytes)) => return Ok(sized(bytes, out)),
        (Kind::Bytes, ValueRef::I128(value)) => return Ok(sized(&value.to_be_bytes(), out)),
        (Kind::Bytes, ValueRef::U128(value)) => return Ok(sized(&value.to_be_bytes(), out)),
        (_, ValueRef::Int(value)) => value.into(),
        (_, ValueRef::Long(value)) => value.into(),
        (_, ValueRef::U64(value)) => value.into(),
        (_, ValueRef::I128(value)) => value,
        (_, ValueRef::U128(value)) => i128::try_from(value).map_err(|_| too_large(value, &scalar.kind))?,
        _ => return Err(Misfit::form()),
    };
    let (least, greatest) = range(&scalar.kind);
    match (least..=greatest).contains(&number) {
        true => Ok(integer(&scalar.kind, number, out)),
        false => Err(too_large(number, &scalar.kind)),
    }
}

#[cold]
fn too_large(number: impl std::fmt::Display, kind: &Kind) -> Misfit {
    Misfit::new(format!("{number} is no {kind:?}"))
}

#[cold]
fn no_symbol(scalar: &Scalar, vector: &Vector, at: usize) -> Misfit {
    let symbol = ValueRef::new(&scalar.shape, vector, at).and_then(|value| value.as_str());
    let name = scalar.kind.as_enum().map(|descriptor| descriptor.full_name().to_owned()).unwrap_or_default();
    Misfit::new(format!("enum {name} has no value {:?}", symbol.unwrap_or_default()))
}

/// The numbers that a type holds.
fn range(kind: &Kind) -> (i128, i128) {
    match kind {
        Kind::Bool => (0, 1),
        Kind::Uint32 | Kind::Fixed32 => (0, u32::MAX.into()),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => (i64::MIN.into(), i64::MAX.into()),
        Kind::Uint64 | Kind::Fixed64 => (0, u64::MAX.into()),
        _ => (i32::MIN.into(), i32::MAX.into()),
    }
}

/// Appends a number that is within the range of its type.
fn integer(kind: &Kind, number: i128, out: &mut Vec<u8>) -> bool {
    // The lowest bits are all that its type has.
    let bits = number as u64;
    match kind {
        Kind::Sint32 | Kind::Sint64 => {
            let number = bits.cast_signed();
            encode_varint(((number << 1) ^ (number >> 63)).cast_unsigned(), out);
        }
        Kind::Fixed32 | Kind::Sfixed32 => out.extend_from_slice(&(bits as u32).to_le_bytes()),
        Kind::Fixed64 | Kind::Sfixed64 => out.extend_from_slice(&bits.to_le_bytes()),
        _ => encode_varint(bits, out),
    }
    number == 0
}

fn double(value: f64, out: &mut Vec<u8>) -> bool {
    out.extend_from_slice(&value.to_le_bytes());
    value.to_bits() == 0
}

/// Appends a double as a float, if it is one.
fn narrowed(value: f64, out: &mut Vec<u8>) -> Result<bool, Misfit> {
    let narrow = value as f32;
    if f64::from(narrow).to_bits() != value.to_bits() && !value.is_nan() {
        return Err(Misfit::new(format!("{value:?} is no float")));
    }
    out.extend_from_slice(&narrow.to_le_bytes());
    Ok(narrow.to_bits() == 0)
}

fn sized(bytes: &[u8], out: &mut Vec<u8>) -> bool {
    encode_varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
    bytes.is_empty()
}
