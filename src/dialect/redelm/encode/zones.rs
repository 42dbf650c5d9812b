//! What is known of the values of a column in each row group.

use crate::storage::value_type::ValueType;
use crate::storage::zone_map::{self, OpenZone, Zone};
use crate::vector::Vector;

/// The zones of a column: of the row groups so far, and of the one that is being filled.
#[derive(Default)]
pub(super) struct Zones {
    open: OpenZone,
    zones: Vec<Zone>,
    /// Entries and bytes of each row group, by which a reader knows that the zones belong to it.
    blocks: Vec<[u32; 2]>,
}

impl Zones {
    /// Takes entries, of which some have values.
    pub(super) fn observe(&mut self, entries: usize, values: &Vector) {
        let open = &mut self.open;
        // What is nothing is an optional that is never there, and may become one that is.
        let count = if matches!(values, Vector::Null(_)) { 0 } else { values.len() };
        open.values += count as u64;
        open.nulls += entries.saturating_sub(count) as u64;
        match values {
            Vector::Boolean(values) => open.integers(values),
            Vector::Int(values) | Vector::Enum(values) => open.integers(values),
            Vector::Long(values) => open.integers(values),
            Vector::Float(values) => open.floats(values),
            Vector::Double(values) => open.floats(values),
            Vector::String(values) => open.texts(values.data(), values.spans()),
            Vector::Bytes(values) => open.texts(values.data(), values.spans()),
            _ => {}
        }
    }

    /// Ends a row group.
    pub(super) fn end(&mut self, value_type: ValueType, entries: u32, size: u64) {
        self.zones.push(self.open.end(value_type));
        self.blocks.push([entries, u32::try_from(size).unwrap_or(u32::MAX)]);
    }

    /// The bytes of the zone map.
    pub(super) fn encode(&self, value_type: ValueType) -> Vec<u8> {
        let blocks = self.zones.iter().zip(self.blocks.iter().copied());
        zone_map::encode(self.open.ascending, value_type, blocks)
    }
}
