//! What a file says of the values of blocks, against the values.

use super::Tier;
use super::report::Findings;
use crate::dialect::{BlockInfo, File};
use crate::error::{Error, ErrorKind, Result};
use crate::storage::value_type::ValueType;
use crate::storage::values::encode as values;
use crate::storage::zone_map::{OpenZone, Zone, ZoneMap};
use crate::vector::Vector;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// Compares the zone map of a column with its values.
pub(super) struct Statistics<'n> {
    /// Name of the column.
    name: &'n str,
    map: Option<Arc<ZoneMap>>,
    value_type: ValueType,
    /// Whether lengths of 0 are counted: levels count other things.
    counts_nulls: bool,
    open: OpenZone,
    /// Whether some values of the block have not been decoded.
    is_partial: bool,
}

impl<'n> Statistics<'n> {
    /// Of a column; a zone map that cannot be read is a finding.
    pub(super) fn new(file: &File<'_>, at: usize, name: &'n str, findings: &mut Findings) -> Result<Self> {
        let map = match findings.wants(Tier::Statistics) {
            true => file.zones(at)?,
            false => None,
        };
        if map.is_none() && findings.wants(Tier::Statistics) && file.has_zone_map(at)? {
            let error = statistics("the zone map is not one of these blocks, or is damaged".to_owned());
            findings.add(Tier::Statistics, error.in_column(name), None)?;
        }
        let (value_type, counts_nulls) = file.kind(at)?;
        Ok(Self { name, map, value_type, counts_nulls, open: OpenZone::default(), is_partial: false })
    }

    /// Takes note of values.
    pub(super) fn take(&mut self, vector: &Vector) {
        if self.map.is_none() {
            return;
        }
        let (mut values, mut nulls) = (vector, 0);
        while let Vector::List(list) | Vector::Optional(list) = values {
            nulls = list.offsets.as_slice().windows(2).filter(|pair| pair[0] == pair[1]).count();
            values = &list.item;
        }
        if self.counts_nulls {
            self.open.nulls += nulls as u64;
        }
        self.open.values += values.len() as u64;
        if !matches!(values, Vector::Null(_)) {
            let count = values.len();
            values::show(self.value_type, Some(values), &mut |values| {
                values.observe(0..count, &mut self.open)
            });
        }
    }

    /// Takes note of values that are not known.
    pub(super) fn forget(&mut self) {
        self.is_partial = true;
    }

    /// Compares the zone of a block, all of whose values have been taken, if they could be decoded.
    pub(super) fn end(
        &mut self,
        number: usize,
        block: &BlockInfo,
        rows: &Range<u64>,
        findings: &mut Findings,
    ) -> Result<()> {
        let found = self.open.end(self.value_type);
        let zone = self.map.as_ref().and_then(|map| map.zones.get(number));
        let is_partial = std::mem::take(&mut self.is_partial);
        if let Some(zone) = zone.filter(|_| !is_partial)
            && let Some(wrong) = wrong(zone, &found, self.counts_nulls)
        {
            let error = statistics(format!("the zone map says other {wrong} than the block has"));
            let error = error.in_column(self.name).in_block(number).at_offset(block.offset);
            findings.add(Tier::Statistics, error, Some(rows.clone()))?;
        }
        Ok(())
    }

    /// Compares what the zone map says of all blocks.
    pub(super) fn end_column(&self, is_whole: bool, findings: &mut Findings) -> Result<()> {
        let says = self.map.as_ref().is_some_and(|map| map.ascending);
        if says && is_whole && !self.open.ascending {
            let error = statistics("the zone map says that the values ascend, and they do not".to_owned());
            findings.add(Tier::Statistics, error.in_column(self.name), None)?;
        }
        Ok(())
    }
}

#[cold]
fn statistics(message: String) -> Error {
    ErrorKind::Statistics { message }.into()
}

/// What a zone says that is not so of the values; bounds may be wider than they must be.
fn wrong(zone: &Zone, found: &Zone, counts_nulls: bool) -> Option<&'static str> {
    let beyond = |bound: &Option<_>, value: &Option<_>, side| match (bound, value) {
        (Some(bound), Some(value)) => {
            crate::storage::zone_map::Bound::compare(value, bound).is_none_or(|order| order == side)
        }
        _ => false,
    };
    if zone.values != found.values || counts_nulls && zone.nulls != found.nulls {
        return Some("counts");
    }
    if beyond(&zone.min, &found.min, Ordering::Less) || beyond(&zone.max, &found.max, Ordering::Greater) {
        return Some("bounds");
    }
    (found.nan && !zone.nan).then_some("numbers")
}
