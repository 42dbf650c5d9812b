//! The zone map of a column of the result: the zones of its blocks, brought together.

use crate::bytes::reader::Part;
use crate::dialect::trevni::decode::File;
use crate::error::Result;
use crate::storage::blocks::BlockTable;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::{self, Zone, ZoneMap};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// Collects the zones of the blocks of a column.
pub(super) struct Zones {
    value_type: ValueType,
    /// None from the first part on that has no zone map.
    map: Option<ZoneMap>,
    /// The zone map of the part that is being added.
    part: Option<Arc<ZoneMap>>,
    /// Rows and size of each block.
    blocks: Vec<[u32; 2]>,
    /// The last zone with values.
    last: Option<usize>,
    /// Whether no zone of the part has had values yet.
    border: bool,
}

impl Zones {
    pub(super) fn new(value_type: ValueType, array: bool) -> Self {
        // Nulls without lengths have no zone map.
        let wanted = array || value_type != ValueType::Null;
        Self {
            value_type,
            map: wanted.then(|| ZoneMap { ascending: true, zones: Vec::new() }),
            part: None,
            blocks: Vec::new(),
            last: None,
            border: false,
        }
    }

    /// Goes on with the blocks of a file; `found` gives the zones of a small column that has no zone map.
    pub(super) fn begin(
        &mut self,
        file: &File<'_>,
        number: usize,
        found: impl FnOnce() -> Result<Option<ZoneMap>>,
    ) -> Result<()> {
        let Some(map) = &mut self.map else {
            return Ok(());
        };
        self.part = match file.stored_zones(number)? {
            None => found()?.map(Arc::new),
            stored => stored,
        };
        match &self.part {
            Some(part) => map.ascending &= part.ascending,
            None => self.map = None,
        }
        self.border = true;
        Ok(())
    }

    /// Whether there may be a zone map.
    pub(super) fn wanted(&self) -> bool {
        self.map.is_some()
    }

    /// Adds blocks of the part; the table is that of its column.
    ///
    /// # Errors
    ///
    /// None: a zone map has a zone for each block.
    pub(super) fn take(&mut self, table: &BlockTable, numbers: Range<usize>) -> Result<()> {
        let Some(part) = self.part.clone() else {
            return Ok(());
        };
        let zones = part.zones.part(numbers.clone())?;
        for (block, zone) in table.range(numbers).zip(zones) {
            self.push(block.rows, block.size, zone.clone());
        }
        Ok(())
    }

    /// Adds a block.
    pub(super) fn push(&mut self, rows: u32, size: u32, zone: Zone) {
        let Some(map) = &mut self.map else {
            return;
        };
        if zone.values > 0 {
            // Within a part the values ascend if they do in the whole file.
            if self.border
                && let Some(before) = self.last.and_then(|last| map.zones.get(last))
            {
                map.ascending &= follows(before, &zone);
            }
            map.ascending &= !zone.nan;
            self.last = Some(map.zones.len());
            self.border = false;
        }
        map.zones.push(zone);
        self.blocks.push([rows, size]);
    }

    /// The bytes of the zone map; `None` where there are no blocks, or not all zones are known.
    pub(super) fn encode(&self) -> Option<Vec<u8>> {
        let map = self.map.as_ref().filter(|map| !map.zones.is_empty())?;
        let blocks = map.zones.iter().zip(self.blocks.iter().copied());
        Some(zone_map::encode(map.ascending, self.value_type, blocks))
    }
}

/// Whether no value of a zone is less than any of the zone before it, as far as the bounds tell.
fn follows(before: &Zone, zone: &Zone) -> bool {
    let (Some(max), Some(min)) = (&before.max, &zone.min) else {
        return false;
    };
    max.compare(min).is_some_and(|order| order != Ordering::Greater)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::zone_map::Bound;

    fn zone(min: i64, max: i64) -> Zone {
        let bound = |value| Some(Bound::Integer(value));
        Zone { values: 2, min: bound(min), max: bound(max), ..Zone::default() }
    }

    /// Whether zones of ascending parts make a map of an ascending column.
    fn ascends(parts: &[&[Zone]]) -> bool {
        let mut zones = Zones::new(ValueType::Long, true);
        for part in parts {
            zones.border = true;
            part.iter().for_each(|zone| zones.push(1, 2, zone.clone()));
        }
        let map = zone_map::decode(&zones.encode().unwrap(), ValueType::Long, &zones.blocks).unwrap();
        assert_eq!(map.zones, parts.concat());
        map.ascending
    }

    #[test]
    fn only_borders_between_parts_are_compared() {
        assert!(ascends(&[&[zone(1, 5), zone(5, 6)], &[zone(6, 9)]]));
        assert!(!ascends(&[&[zone(1, 5), zone(5, 7)], &[zone(6, 9)]]));
        // As with long strings, whose bounds are cut.
        assert!(ascends(&[&[zone(1, 5), zone(4, 6)], &[zone(6, 9)]]));
    }

    #[test]
    fn zones_without_values_are_no_border() {
        let none = || Zone { nulls: 3, ..Zone::default() };
        assert!(ascends(&[&[none(), zone(1, 5), none()], &[none()], &[zone(5, 6)]]));
        assert!(!ascends(&[&[zone(1, 5), none()], &[none(), none()], &[none(), zone(4, 6)]]));
    }

    #[test]
    fn what_is_not_known_does_not_ascend() {
        let without = |min: bool| {
            let mut zone = zone(6, 7);
            *if min { &mut zone.min } else { &mut zone.max } = None;
            zone
        };
        assert!(!ascends(&[&[zone(1, 2)], &[without(true)]]));
        assert!(!ascends(&[&[without(false)], &[zone(8, 9)]]));
        assert!(ascends(&[&[zone(1, 2)], &[without(false)]]));
        assert!(!ascends(&[&[Zone { nan: true, ..zone(1, 2) }]]));
        // Values of type null have no bounds.
        let nulls = || Zone { values: 2, ..Zone::default() };
        assert!(!ascends(&[&[nulls()], &[nulls()]]));
    }
}
