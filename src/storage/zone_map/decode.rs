//! The bytes of a column's metadata into a zone map.

use super::{ASCENDING, BOUND_BYTES, Bound, FORM, MAX, MIN, NAN, Zone, ZoneMap, with_table};
use crate::bytes::reader::{Bytes, Malformed};
use crate::storage::checksum::Checksum;
use crate::storage::value_type::ValueType;
use std::cmp::Ordering;

/// The zone map in these bytes; none where they are anything else than the zone map of such a column
/// with these blocks, of which rows and size are given.
pub(crate) fn decode(bytes: &[u8], value_type: ValueType, blocks: &[[u32; 2]]) -> Option<ZoneMap> {
    let (body, checksum) = bytes.split_last_chunk::<4>()?;
    let mut bytes = Bytes::new(body);
    let (form, flags) = (bytes.byte().ok()?, bytes.byte().ok()?);
    // A zone has at least three bytes.
    if form != FORM || flags & !ASCENDING != 0 || blocks.len() > bytes.remaining() / 3 {
        return None;
    }
    Checksum::Crc32.verify(&with_table(blocks.iter().copied(), body), checksum, false).ok()?;
    let zones = blocks.iter().map(|_| zone(&mut bytes, value_type)).collect::<Option<Vec<Zone>>>()?;
    (bytes.remaining() == 0).then_some(ZoneMap { ascending: flags & ASCENDING != 0, zones })
}

fn zone(bytes: &mut Bytes<'_>, value_type: ValueType) -> Option<Zone> {
    let nulls = u64::try_from(bytes.long().ok()?).ok()?;
    let values = u64::try_from(bytes.long().ok()?).ok()?;
    let flags = bytes.byte().ok()?;
    if flags & !(MIN | MAX | NAN) != 0 {
        return None;
    }
    let mut bound = |flag| match flags & flag {
        0 => Some(None),
        _ => decode_bound(bytes, value_type).map(Some),
    };
    let (min, max) = (bound(MIN)?, bound(MAX)?);
    if let (Some(min), Some(max)) = (&min, &max) {
        min.compare(max).filter(|order| *order != Ordering::Greater)?;
    }
    Some(Zone { nulls, values, min, max, nan: flags & NAN != 0 })
}

fn decode_bound(bytes: &mut Bytes<'_>, value_type: ValueType) -> Option<Bound> {
    let bound = match value_type {
        ValueType::Null => return None,
        ValueType::Boolean => match bytes.byte().ok()? {
            byte @ 0..=1 => Bound::Boolean(byte == 1),
            _ => return None,
        },
        ValueType::String | ValueType::Bytes | ValueType::Timestamp => {
            Bound::Bytes(bytes.prefixed().ok().filter(|value| value.len() <= BOUND_BYTES)?.to_vec())
        }
        _ => number(bytes, value_type).ok()??,
    };
    match bound {
        Bound::Float(value) if value.is_nan() => None,
        Bound::Integer(value) if value_type == ValueType::Int && i32::try_from(value).is_err() => None,
        bound => Some(bound),
    }
}

/// A number, as the type encodes it; none where the type has none.
pub(crate) fn number(bytes: &mut Bytes<'_>, value_type: ValueType) -> Result<Option<Bound>, Malformed> {
    Ok(Some(match value_type {
        ValueType::Int | ValueType::Long | ValueType::Fixed8 | ValueType::Fixed16 => {
            Bound::Integer(bytes.long()?)
        }
        ValueType::Fixed32 => Bound::Integer(i64::from(bytes.fixed32()?.cast_signed())),
        ValueType::Fixed64 => Bound::Integer(bytes.fixed64()?.cast_signed()),
        ValueType::Float => Bound::Float(f64::from(f32::from_le_bytes(bytes.array()?))),
        ValueType::Double => Bound::Float(f64::from_le_bytes(bytes.array()?)),
        _ => return Ok(None),
    }))
}
