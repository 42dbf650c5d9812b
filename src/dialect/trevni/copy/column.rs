//! One column of the result: where its blocks come from, and their bytes.

use super::cut::{Cutter, Rows};
use super::plan::{self, pieces};
use super::recode::{Made, pack, recode};
use super::target::Target;
use super::zones::Zones;
use super::{Found, Merged, Options, Part, Work, stored};
use crate::dialect::FileCheck;
use crate::dialect::sums::ColumnSums;
use crate::dialect::trevni::SMALL_COLUMN_BYTES;
use crate::dialect::trevni::decode::File;
use crate::dialect::trevni::encode::header;
use crate::error::{Category, Error, Result};
use crate::storage::blocks::DESCRIPTOR_BYTES;
use crate::storage::blocks::{Block, BlockOrder, BlockTable, output};
use crate::storage::checksum::{Checksum, RunningSum};
use crate::storage::codec::ColumnType;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::{Zone, ZoneMap};
use std::io::{IoSlice, Write};
use std::ops::Range;
use std::sync::Arc;

/// A column of the result.
pub(super) struct Column {
    number: usize,
    form: Form,
    pub(super) target: Target,
    pieces: Vec<Piece>,
    /// The checksum of the blocks' checksums.
    order: RunningSum,
    /// The bytes of the zone map, where there is one.
    pub(super) zone_map: Option<Vec<u8>>,
}

/// How the values of a column are encoded, as far as files may differ.
#[derive(Clone, Copy)]
pub(super) struct Form {
    /// Integers may have another width in other files.
    pub(super) value_type: ValueType,
    pub(super) first_values: bool,
    /// Whether lengths are joined.
    pub(super) runs: bool,
}

/// Blocks of the result that follow each other.
enum Piece {
    /// Of a part, as they are stored.
    Copied(usize, Range<usize>),
    Made(Vec<Made>),
}

impl Column {
    pub(super) fn new(number: usize, form: Form, target: Target) -> Self {
        Self { number, form, target, pieces: Vec::new(), order: RunningSum::default(), zone_map: None }
    }

    /// Adds the rows of a part, and the zones of their blocks.
    pub(super) fn add(
        &mut self,
        at: usize,
        part: &Part<'_, '_>,
        zones: &mut Zones,
        work: &mut Work,
        report: &mut Merged,
    ) -> Result<()> {
        let found = part.column(self.number)?;
        self.add_pieces(at, &found, zones, work, report)
            .map_err(|error| found.file.in_column(found.number, error))
    }

    fn add_pieces(
        &mut self,
        at: usize,
        found: &Found<'_, '_>,
        zones: &mut Zones,
        work: &mut Work,
        report: &mut Merged,
    ) -> Result<()> {
        let table = found.file.table(found.number)?;
        let table = &*table;
        let mut pieces = pieces(table, &found.rows);
        if pieces.is_empty() {
            return Ok(());
        }
        let Found { file, number: own, is_made, .. } = *found;
        let header = file.column(own)?;
        if header.spec.value_type != self.form.value_type || header.first_values != self.form.first_values {
            pieces = plan::apart(pieces, table);
        }
        zones.begin(file, own, || self.zones_of(found, table))?;
        // Checksums of zero are computed again: among others they would be wrong.
        let same =
            self.target == Target { codec: table.codec, checksum: table.checksum } && !table.has_zero_sums();
        let mut cutter = None;
        for piece in pieces {
            if let plan::Piece::Whole(blocks) = &piece {
                zones.take(table, blocks.clone())?;
            }
            match piece {
                plan::Piece::Whole(blocks) if same => {
                    let count =
                        if is_made { &mut report.blocks_rewritten } else { &mut report.blocks_copied };
                    *count += blocks.len() as u64;
                    self.take_order(file, table, &blocks)?;
                    self.pieces.push(Piece::Copied(at, blocks));
                }
                plan::Piece::Whole(blocks) => {
                    let count =
                        if is_made { &mut report.blocks_rewritten } else { &mut report.blocks_recoded };
                    *count += blocks.len() as u64;
                    let target = self.target;
                    recode((file, own), table, blocks, target, work, |made| self.push(made))?;
                }
                plan::Piece::Cut(number, selected) => {
                    report.blocks_rewritten += 1;
                    let cutter = match &mut cutter {
                        Some(cutter) => cutter,
                        none => none.insert(self.cutter(found, zones.wanted())?),
                    };
                    let cut = self.cut(cutter, found, number, &selected, work);
                    let (made, zone) = cut.map_err(|error| error.in_block(number))?;
                    zones.push(made.rows, made.size, zone);
                    self.push(made)?;
                }
            }
        }
        Ok(())
    }

    /// Takes note of the checksums of blocks that are copied. Where the file says that of all, none of them is read,
    /// and blocks that are not those that were written do not become so.
    fn take_order(&mut self, file: &File<'_>, table: &BlockTable, blocks: &Range<usize>) -> Result<()> {
        match table.order() {
            _ if self.target.checksum == Checksum::Null => {}
            Some(order) if *blocks == (0..table.len()) => {
                let size = self.target.checksum.size() as u64;
                self.order.append(order, size * blocks.len() as u64);
            }
            _ => stored::each_sum(file, table, blocks.clone(), |sum| self.order.update(sum))?,
        }
        Ok(())
    }

    /// The zones of a column that has no zone map for its size alone, found in its values; `None` where it cannot be
    /// decoded, which is no matter to those who copy it.
    fn zones_of(&self, found: &Found<'_, '_>, table: &BlockTable) -> Result<Option<ZoneMap>> {
        let Found { file, number, .. } = *found;
        let bytes: u64 =
            file.extents(number)?.iter().map(|extent| extent.end.saturating_sub(extent.start)).sum();
        let is_small = bytes <= SMALL_COLUMN_BYTES;
        let is_without = is_small && file.header.is_wide() || file.is_within_beginning(number);
        if !is_without || file.column(number)?.first_values {
            return Ok(None);
        }
        match self.decode_zones(found, table) {
            Err(error) if error.category() != Category::Io => Ok(None),
            zones => zones.map(Some),
        }
    }

    fn decode_zones(&self, found: &Found<'_, '_>, table: &BlockTable) -> Result<ZoneMap> {
        let (file, mut cutter) = (found.file, self.cutter(found, true)?);
        let mut map = ZoneMap { ascending: table.len() == 1, zones: Vec::with_capacity(table.len()) };
        for block in table.iter() {
            let all = 0..block.rows as usize;
            let zone = match all.is_empty() {
                true => Zone::default(),
                false => {
                    let found = cutter.cut(file, &block, std::slice::from_ref(&all))?.block;
                    map.ascending &= found.ascending;
                    found.zone
                }
            };
            map.zones.push(zone);
        }
        Ok(map)
    }

    fn cutter(&self, found: &Found<'_, '_>, zones: bool) -> Result<Cutter> {
        Cutter::new(found.file, found.number, self.form, zones)
    }

    fn cut(
        &self,
        cutter: &mut Cutter,
        found: &Found<'_, '_>,
        number: usize,
        selected: &[Range<usize>],
        work: &mut Work,
    ) -> Result<(Made, Zone)> {
        let block = found.file.table(found.number)?.get(number);
        let block = block.ok_or_else(|| Error::internal("a block is missing"))?;
        let Rows { count, block } = cutter.cut(found.file, &block, selected)?;
        let data = block.data.as_slice();
        let array = found.file.column(found.number)?.spec.array;
        let column_type = ColumnType { value_type: Some(self.form.value_type), array };
        let made = pack(&mut work.compressors, self.target, count, (data, column_type), block.first)?;
        Ok((made, block.zone))
    }

    fn push(&mut self, made: Made) -> Result<()> {
        if self.target.checksum != Checksum::Null {
            let sum = made.stored.last_chunk::<4>();
            self.order.update(sum.ok_or_else(|| Error::internal("a block has no checksum"))?);
        }
        match self.pieces.last_mut() {
            Some(Piece::Made(before)) => before.push(made),
            _ => self.pieces.push(Piece::Made(vec![made])),
        }
        Ok(())
    }

    /// The block table of the column in the file of a part.
    fn table_of(&self, parts: &[Part<'_, '_>], at: usize) -> Result<Arc<BlockTable>> {
        let found = self.found(parts, at)?;
        found.file.table(found.number)
    }

    fn found<'p, 's>(&self, parts: &'p [Part<'_, 's>], at: usize) -> Result<Found<'p, 's>> {
        parts.get(at).ok_or_else(|| Error::internal("a file is missing"))?.column(self.number)
    }

    /// Bytes of the column: block count, descriptors, blocks.
    pub(super) fn size(&self, parts: &[Part<'_, '_>]) -> Result<u64> {
        let descriptor = |first: &[u8]| DESCRIPTOR_BYTES + first.len() as u64;
        let mut size = 4;
        for piece in &self.pieces {
            size += match piece {
                Piece::Copied(at, blocks) => {
                    let table = self.table_of(parts, *at)?;
                    let each = blocks.clone().zip(table.range(blocks.clone()));
                    each.map(|(number, block)| {
                        descriptor(table.first_value(number)) + table.stored(&block) as u64
                    })
                    .sum()
                }
                Piece::Made(blocks) => blocks
                    .iter()
                    .map(|block| descriptor(&block.first) + block.stored.len() as u64)
                    .sum::<u64>(),
            };
        }
        Ok(size)
    }

    /// The checksums of the column.
    pub(super) fn sums(&self, parts: &[Part<'_, '_>]) -> Result<ColumnSums> {
        Ok(ColumnSums { table: RunningSum::of(&self.table(parts)?), order: self.order.value() })
    }

    /// Block count and descriptors.
    fn table(&self, parts: &[Part<'_, '_>]) -> Result<Vec<u8>> {
        let (mut count, mut out) = (0, vec![0; 4]);
        for piece in &self.pieces {
            count += match piece {
                Piece::Copied(at, blocks) => {
                    let table = self.table_of(parts, *at)?;
                    for (number, block) in blocks.clone().zip(table.range(blocks.clone())) {
                        let Block { rows, size, compressed, .. } = block;
                        let first = table.first_value(number);
                        header::encode_descriptor(rows, size, compressed, first, &mut out);
                    }
                    blocks.len()
                }
                Piece::Made(blocks) => {
                    for block in blocks {
                        let Made { rows, size, compressed, first, .. } = block;
                        header::encode_descriptor(*rows, *size, *compressed, first, &mut out);
                    }
                    blocks.len()
                }
            };
        }
        let count = i32::try_from(count).map_err(|_| {
            Error::too_large("the number of blocks of a column", count as u64, i32::MAX as u64)
        })?;
        out.splice(..4, count.to_le_bytes());
        Ok(out)
    }

    /// Writes the column.
    pub(super) fn write(
        &self,
        parts: &[Part<'_, '_>],
        options: &Options,
        work: &mut Work,
        sink: &mut dyn Write,
    ) -> Result<()> {
        output::write_all(sink, &mut [IoSlice::new(&self.table(parts)?)])?;
        for piece in &self.pieces {
            match piece {
                Piece::Copied(at, blocks) => {
                    let found = self.found(parts, *at)?;
                    copy(&found, blocks, options, work, sink).map_err(|error| match parts.get(*at) {
                        Some(part) => part.here(error),
                        None => error,
                    })?;
                }
                Piece::Made(blocks) => {
                    let mut parts: Vec<IoSlice<'_>> =
                        blocks.iter().map(|block| IoSlice::new(&block.stored)).collect();
                    output::write_all(sink, &mut parts)?;
                }
            }
        }
        Ok(())
    }
}

/// Copies blocks that follow each other; some of them at a time where they are compared with their
/// checksums.
fn copy(
    found: &Found<'_, '_>,
    blocks: &Range<usize>,
    options: &Options,
    work: &mut Work,
    sink: &mut dyn Write,
) -> Result<()> {
    let file = found.file;
    let table = &*file.table(found.number)?;
    let failed = |error: Error| file.in_column(found.number, error);
    if !options.verify {
        for chunk in stored::chunks(stored::place(table, blocks)) {
            sink.write_all(stored::read(file, chunk, &mut work.stored).map_err(failed)?)?;
        }
        return Ok(());
    }
    let mut order = BlockOrder::from_table(table);
    for group in stored::groups(table, blocks.clone()) {
        let place = stored::place(table, &group);
        let bytes = stored::read(file, place, &mut work.stored).map_err(failed)?;
        stored::unpack_each((file, table), group, bytes, &mut order, &mut work.data, |_, _, _| Ok(()))
            .map_err(failed)?;
        sink.write_all(bytes)?;
    }
    Ok(())
}
