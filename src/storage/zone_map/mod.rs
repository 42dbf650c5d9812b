//! Zone maps: bounds and counts of the values of each block of a column, and their bytes in its metadata.

use crate::bytes::reader::{Bytes, Read};
use crate::bytes::varint::encode_long;
use crate::storage::checksum::Checksum;
use crate::storage::value_type::ValueType;
use std::cmp::Ordering;

mod open;
#[cfg(test)]
mod tests;
mod texts;

pub(crate) use open::OpenZone;

/// The first byte of a zone map: the number of its form.
const FORM: u8 = 1;
/// Flag of a zone map whose column ascends.
const ASCENDING: u8 = 1;
/// Flags of a zone: what is there.
const MIN: u8 = 1;
const MAX: u8 = 2;
const NAN: u8 = 4;

/// The most bytes of a bound of strings or bytes.
pub(crate) const BOUND_BYTES: usize = 32;

/// Whether bytes may be a zone map of this form, whatever is wrong with it.
pub(crate) fn is_known(bytes: &[u8]) -> bool {
    bytes.first() == Some(&FORM)
}

/// What the checksum of a zone map covers: rows and size of each block, and the map's own bytes. So a
/// map that is damaged, or belongs to other blocks, is told from a good one.
fn with_table(blocks: impl ExactSizeIterator<Item = [u32; 2]>, body: &[u8]) -> Vec<u8> {
    let mut checked = Vec::with_capacity(8 * blocks.len() + body.len());
    for number in blocks.flatten() {
        checked.extend_from_slice(&number.to_le_bytes());
    }
    checked.extend_from_slice(body);
    checked
}

/// A bound of some values.
///
/// Bounds compare as the values do: numbers by size, strings and bytes byte by byte.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Bound {
    /// Of a boolean column.
    Boolean(bool),
    /// Of an int, long, fixed32 or fixed64 column.
    Integer(i64),
    /// Of a float or double column.
    Float(f64),
    /// Of a string or bytes column. A long bound is truncated, an upper one rounded up, so it may not be
    /// UTF-8.
    Bytes(Vec<u8>),
}

impl Bound {
    /// Compares two bounds of the same column; `None` for NaN and for different types.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Boolean(one), Self::Boolean(two)) => Some(one.cmp(two)),
            (Self::Integer(one), Self::Integer(two)) => Some(one.cmp(two)),
            (Self::Float(one), Self::Float(two)) => one.partial_cmp(two),
            (Self::Bytes(one), Self::Bytes(two)) => Some(one.cmp(two)),
            _ => None,
        }
    }
}

/// Bounds and counts of the values of one block.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Zone {
    /// Number of lengths of 0 in an array column: nulls and empty lists. 0 in other columns.
    pub nulls: u64,
    /// Number of values; in an array column, the sum of the lengths.
    pub values: u64,
    /// A lower bound of the values; `None` if unknown, or if all values are NaN.
    pub min: Option<Bound>,
    /// An upper bound of the values; `None` if unknown, or if all values are NaN.
    pub max: Option<Bound>,
    /// Whether there may be NaN values, which the bounds do not cover.
    pub nan: bool,
}

/// The zones of all blocks of a column.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ZoneMap {
    /// Whether the values of the column ascend (equal neighbours included).
    pub ascending: bool,
    /// One zone per block.
    pub zones: Vec<Zone>,
}

/// The zone map in these bytes; `None` where they are anything else than the zone map of such a column
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

/// A number, as the type encodes it; `None` where the type has no numbers.
pub(crate) fn number(bytes: &mut Bytes<'_>, value_type: ValueType) -> Read<Option<Bound>> {
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

/// Room for a zone: most take less, so that the head and the checksum fit too.
const ZONE_BYTES: usize = 32;

/// The bytes of a zone map; `blocks` are the zone, the rows and the size of each block, as in the descriptors.
pub(crate) fn encode<'a>(
    ascending: bool,
    value_type: ValueType,
    blocks: impl ExactSizeIterator<Item = (&'a Zone, [u32; 2])> + Clone,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(ZONE_BYTES * blocks.len());
    out.extend([FORM, if ascending { ASCENDING } else { 0 }]);
    for (zone, _) in blocks.clone() {
        encode_long(&mut out, zone.nulls.cast_signed());
        encode_long(&mut out, zone.values.cast_signed());
        let flag = |there, flag| if there { flag } else { 0 };
        out.push(flag(zone.min.is_some(), MIN) | flag(zone.max.is_some(), MAX) | flag(zone.nan, NAN));
        for bound in [&zone.min, &zone.max].into_iter().flatten() {
            encode_bound(bound, value_type, &mut out);
        }
    }
    let checked = with_table(blocks.map(|(_, block)| block), &out);
    Checksum::Crc32.append(&checked, &mut out);
    out
}

fn encode_bound(bound: &Bound, value_type: ValueType, out: &mut Vec<u8>) {
    match (bound, value_type) {
        (Bound::Boolean(value), _) => out.push(u8::from(*value)),
        (Bound::Integer(value), ValueType::Fixed32) => out.extend_from_slice(&(*value as i32).to_le_bytes()),
        (Bound::Integer(value), ValueType::Fixed64) => out.extend_from_slice(&value.to_le_bytes()),
        (Bound::Integer(value), _) => encode_long(out, *value),
        (Bound::Float(value), ValueType::Float) => out.extend_from_slice(&(*value as f32).to_le_bytes()),
        (Bound::Float(value), _) => out.extend_from_slice(&value.to_le_bytes()),
        (Bound::Bytes(value), _) => {
            encode_long(out, value.len() as i64);
            out.extend_from_slice(value);
        }
    }
}

impl Bound {
    /// A lower bound of bytes that are not less than these.
    pub(crate) fn below(value: &[u8]) -> Self {
        Self::Bytes(value.get(..BOUND_BYTES).unwrap_or(value).to_vec())
    }

    /// An upper bound of bytes that are not greater than these; `None` where a short one is not to be
    /// had.
    pub(crate) fn above(value: &[u8]) -> Option<Self> {
        let Some((short, [_, ..])) = value.split_at_checked(BOUND_BYTES) else {
            return Some(Self::Bytes(value.to_vec()));
        };
        let kept = short.iter().rposition(|byte| *byte < u8::MAX)?;
        let mut bound = short.get(..=kept)?.to_vec();
        *bound.last_mut()? += 1;
        Some(Self::Bytes(bound))
    }
}
