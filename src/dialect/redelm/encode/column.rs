//! A column of the row group that is being filled.

use super::super::footer::Chunk;
use super::super::leaves::Leaf;
use super::super::short_ints::ShortInts;
use super::super::values;
use super::zones::Zones;
use crate::bytes::buffer::Buffer;
use crate::dialect::dremel::LevelsRef;
use crate::error::{Error, Result};
use crate::storage::codec::{Codec, Compressors};
use crate::vector::Vector;

/// The most entries of a column in a row group.
pub(super) const ENTRIES_MAX: u64 = i32::MAX as u64;

/// A column of a row group.
pub(super) struct ColumnEncoder {
    pub(super) leaf: Leaf,
    repetition: ShortInts,
    definition: ShortInts,
    values: Buffer,
    entries: u64,
    zones: Option<Zones>,
}

impl ColumnEncoder {
    pub(super) fn new(leaf: Leaf, has_zones: bool) -> Self {
        let repetition = ShortInts::new(leaf.greatest.repetition);
        let definition = ShortInts::new(leaf.greatest.definition);
        Self {
            leaf,
            repetition,
            definition,
            values: Buffer::default(),
            entries: 0,
            zones: has_zones.then(Zones::default),
        }
    }

    /// Appends entries; the values are those of the greatest definition level.
    pub(super) fn append(&mut self, levels: LevelsRef<'_>, values: Option<&Vector>) -> Result<()> {
        let entries = self.entries + levels.entries as u64;
        if entries > ENTRIES_MAX {
            let error =
                Error::too_large("the number of levels of a column in a row group", entries, ENTRIES_MAX);
            return Err(error.in_column(&self.leaf.name()));
        }
        self.entries = entries;
        self.repetition.extend(levels.repetition);
        match levels.definition.is_empty() {
            // Nothing is never there, also where no level is above it.
            true => self.definition.push_run(0, levels.entries as u32),
            false => self.definition.extend(levels.definition),
        }
        if let (Some(zones), Some(values)) = (&mut self.zones, values) {
            zones.observe(levels.entries, values);
        }
        match values {
            Some(values) => values::encode(values, 0..values.len(), &mut self.values),
            None => Ok(()),
        }
    }

    /// Bytes so far, as the size of a row group counts them.
    pub(super) fn size(&self) -> u64 {
        (self.values.len() + self.repetition.size() + self.definition.size()) as u64
    }

    /// Appends what is stored of the entries so far, which begins at a position of the file, and forgets them.
    pub(super) fn finish(
        &mut self,
        codec: Codec,
        compressors: &mut Compressors,
        start: u64,
        out: &mut Vec<u8>,
    ) -> Result<Chunk> {
        let mut borders = [start; 4];
        let mut uncompressed = [0; 3];
        let mut levels = Vec::new();
        let begin = out.len();
        for part in 0..3 {
            let bytes = match part {
                0 => self.repetition.finish(&mut levels).map(|()| levels.as_slice())?,
                1 => self.definition.finish(&mut levels).map(|()| levels.as_slice())?,
                _ => self.values.as_slice(),
            };
            if let Some(length) = uncompressed.get_mut(part) {
                *length = bytes.len() as u64;
            }
            match codec {
                Codec::Null => out.extend_from_slice(bytes),
                codec => out.extend_from_slice(&compressors.compress(codec, bytes, 0)?),
            }
            if let Some(border) = borders.get_mut(part + 1) {
                *border = start + (out.len() - begin) as u64;
            }
        }
        let entries = self.entries as u32;
        let size = uncompressed.iter().fold(0u64, |sum, length| sum.saturating_add(*length));
        if let Some(zones) = &mut self.zones {
            zones.end(self.leaf.primitive.value_type(), entries, size);
        }
        self.values.clear();
        self.entries = 0;
        let Leaf { path, primitive, .. } = &self.leaf;
        Ok(Chunk { path: path.clone(), primitive: *primitive, entries, borders, uncompressed })
    }
}

impl ColumnEncoder {
    /// The zone map of all row groups; nothing where there is none.
    pub(super) fn zone_map(&self) -> Vec<u8> {
        self.zones.as_ref().map_or_else(Vec::new, |zones| zones.encode(self.leaf.primitive.value_type()))
    }
}
