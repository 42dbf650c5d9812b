//! A column of the row group that is being filled, and what is known of its values.

use super::super::footer::Chunk;
use super::super::leaves::Leaf;
use super::super::short_ints::ShortInts;
use super::pieces::Pieces;
use crate::dialect::ColumnSettings;
use crate::error::{Error, Result};
use crate::levels::LevelsRef;
use crate::storage::checksum::{Checksum, RunningSum};
use crate::storage::codec::{Codec, Compressors};
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::{self, OpenZone, Zone};
use crate::vector::Vector;
use std::iter::once;

/// The most entries of a column in a row group.
pub(super) const ENTRIES_MAX: u64 = i32::MAX as u64;

/// A column of a row group.
pub(super) struct ColumnEncoder {
    pub(super) leaf: Leaf,
    repetition: ShortInts,
    definition: ShortInts,
    values: Pieces,
    entries: u64,
    zones: Option<Zones>,
    has_sums: bool,
}

/// The compressed bytes of a column in a row group: repetition levels, definition levels and values.
pub(super) struct Stored {
    pub(super) parts: [Vec<u8>; 3],
    sums: Option<[u32; 3]>,
}

impl ColumnEncoder {
    pub(super) fn new(leaf: Leaf, settings: &ColumnSettings) -> Self {
        let repetition = ShortInts::new(leaf.greatest.repetition);
        let definition = ShortInts::new(leaf.greatest.definition);
        let has_sums = settings.checksum != Checksum::Null;
        Self {
            leaf,
            repetition,
            definition,
            values: Pieces::new(has_sums && settings.codec == Codec::Null),
            entries: 0,
            zones: settings.zones.then(Zones::default),
            has_sums,
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
        values.map_or(Ok(()), |values| self.values.append(values))
    }

    /// Bytes so far, as the size of a row group counts them.
    pub(super) fn size(&self) -> u64 {
        self.values.size() + (self.repetition.size() + self.definition.size()) as u64
    }

    /// Ends the row group. What it has is there until it is [forgotten](Self::clear).
    ///
    /// # Errors
    ///
    /// More bytes of levels than a row group can have.
    pub(super) fn end(&mut self) -> Result<()> {
        self.repetition.end()?;
        self.definition.end()?;
        let size = self.sizes().iter().fold(0u64, |sum, length| sum.saturating_add(*length));
        if let Some(zones) = &mut self.zones {
            zones.end(self.leaf.primitive.value_type(), self.entries as u32, size);
        }
        Ok(())
    }

    /// Bytes of repetition levels, definition levels and values, once the row group has ended.
    fn sizes(&self) -> [u64; 3] {
        let levels = [&self.repetition, &self.definition].map(|levels| levels.stream().len() as u64);
        [levels[0], levels[1], self.values.size()]
    }

    /// The bytes of the row group that has ended, as they are without codec.
    pub(super) fn slices(&self) -> impl Iterator<Item = &[u8]> {
        once(self.repetition.stream()).chain(once(self.definition.stream())).chain(self.values.slices())
    }

    /// The compressed bytes of the row group that has ended. `joined` is memory to use.
    pub(super) fn compress(
        &self,
        codec: Codec,
        compressors: &mut Compressors,
        joined: &mut Vec<u8>,
    ) -> Result<Stored> {
        joined.clear();
        self.values.slices().for_each(|piece| joined.extend_from_slice(piece));
        let mut compress = |bytes: &[u8]| compressors.compress(codec, bytes, 0);
        let parts =
            [compress(self.repetition.stream())?, compress(self.definition.stream())?, compress(joined)?];
        let sums = self.has_sums.then(|| parts.each_ref().map(|part| RunningSum::of(part)));
        Ok(Stored { parts, sums })
    }

    /// The checksums of the row group that has ended, if there are any: of these bytes, or of those without codec.
    pub(super) fn sums(&self, stored: Option<&Stored>) -> Option<[u32; 3]> {
        match stored {
            Some(stored) => stored.sums,
            None => {
                let sum = |levels: &ShortInts| RunningSum::of(levels.stream());
                self.values.sum().map(|values| [sum(&self.repetition), sum(&self.definition), values])
            }
        }
    }

    /// What the footer says of the row group that has ended, which is stored at a position of the file: in these bytes,
    /// or without codec.
    pub(super) fn chunk(&self, start: u64, stored: Option<&Stored>) -> Chunk {
        let uncompressed = self.sizes();
        let [repetition, definition, values] = match stored {
            Some(stored) => stored.parts.each_ref().map(|part| part.len() as u64),
            None => uncompressed,
        };
        let borders = [start, start + repetition, start + repetition + definition];
        let borders = [borders[0], borders[1], borders[2], borders[2] + values];
        let Leaf { path, primitive, .. } = &self.leaf;
        let entries = self.entries as u32;
        Chunk { path: path.clone(), primitive: *primitive, entries, borders, uncompressed }
    }

    /// Forgets the row group that has ended.
    pub(super) fn clear(&mut self) {
        self.repetition.clear();
        self.definition.clear();
        self.values.clear();
        self.entries = 0;
    }

    /// The zone map of all row groups; `None` if there is no zone map.
    pub(super) fn zone_map(&self) -> Vec<u8> {
        self.zones.as_ref().map_or_else(Vec::new, |zones| zones.encode(self.leaf.primitive.value_type()))
    }
}

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
