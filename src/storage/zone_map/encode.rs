//! A zone map into the bytes of a column's metadata.

use super::{ASCENDING, BOUND_BYTES, Bound, FORM, MAX, MIN, NAN, Zone, with_table};
use crate::bytes::varint::encode_long;
use crate::storage::checksum::Checksum;
use crate::storage::value_type::ValueType;

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

    /// An upper bound of bytes that are not greater than these; none where a short one is not to be
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
