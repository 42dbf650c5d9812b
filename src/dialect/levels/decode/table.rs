//! Reads the block table of a column, and how many rows begin in each block.

use super::block;
use super::file::File;
use super::header::Column;
use crate::bytes::reader::{Bytes, Malformed};
use crate::dialect::Layout;
use crate::dialect::beginning::continues;
use crate::dialect::sums::{ColumnSums, Sums};
use crate::error::{Error, ErrorKind, Result};
use crate::levels::Levels;
use crate::metadata;
use crate::storage::blocks::DESCRIPTOR_BYTES;
use crate::storage::blocks::{BlockForm, BlockSizes, BlockTable, Extents};
use crate::storage::budget::Hold;
use crate::storage::checksum::{Checksum, Placement};
use crate::storage::codec::Codec;
use crate::storage::values::next_value;

/// What is read of a block table at first.
const TABLE_FIRST_READ_BYTES: u64 = 512;

/// The blocks of a column.
pub(super) struct Table {
    /// Their rows: those that begin in them.
    pub(super) blocks: BlockTable,
    /// Number of entries of each block.
    pub(super) entries: Vec<u32>,
    /// Blocks that begin within a row, ascending.
    pub(super) continues: Vec<usize>,
    /// Whether the last block has one entry more than rows.
    pub(super) has_spare: bool,
}

/// What a block table says.
struct Descriptors {
    sizes: Vec<BlockSizes>,
    first_values: Vec<Box<[u8]>>,
    /// Number of bytes.
    len: u64,
    /// The checksum of the blocks' checksums, where the column says it.
    order: Option<u32>,
}

/// Reads the table of a column.
///
/// # Errors
///
/// Bytes that are no table, blocks that are not in the file, or do not have its rows.
pub(super) fn read(file: &File<'_>, number: usize) -> Result<Table> {
    let column = file.column(number)?;
    let codec = codec(file.header.inherited(column, metadata::CODEC))?;
    let checksum = checksum(file.header.inherited(column, metadata::CHECKSUM))?;
    let mut read = descriptors(file, column)?;
    if codec == Codec::Null {
        read.sizes.iter_mut().for_each(|block| block.compressed = block.size);
    }
    let entries: Vec<u32> = read.sizes.iter().map(|block| block.rows).collect();
    let rows = file.header.rows;
    let found: u64 = entries.iter().copied().map(u64::from).sum();
    let repeated = column.greatest.repetition > 0;
    let has_spare = file.options.lenient && !repeated && found == rows.saturating_add(1);
    if !has_spare && (found < rows || found > rows && !repeated) {
        return Err(ErrorKind::RowCount { expected: rows, found }.into());
    }
    if let Some(last) = read.sizes.last_mut().filter(|_| has_spare) {
        last.rows = last.rows.saturating_sub(1);
    }
    let offset = column.start.saturating_add(read.len);
    let form = form(file, checksum);
    let table =
        |sizes, first_values| BlockTable::new(codec, checksum, sizes, first_values, offset).with_form(form);
    // Where the file is cut, blocks end after it.
    let len = if file.options.is_damaged { u64::MAX } else { file.len };
    let mut continues = Vec::new();
    if repeated {
        // Positions are those of the blocks, whatever their rows.
        let by_entries = table(read.sizes.clone(), Vec::new());
        by_entries.check(len, file.limits.block_bytes, found)?;
        let index = index_of(file, column, &by_entries, &entries)?;
        read.sizes.iter_mut().zip(index.rows).for_each(|(block, rows)| block.rows = rows);
        continues = index.continues;
    }
    let blocks = table(read.sizes, read.first_values);
    let blocks = match read.order {
        Some(order) => blocks.with_order(order),
        None => blocks,
    };
    blocks.check(len, file.limits.block_bytes, rows)?;
    Ok(Table { blocks, entries, continues, has_spare })
}

/// The form of blocks; where a file does not say what it is, checksums may be those of Avro's Java.
fn form(file: &File<'_>, _checksum: Checksum) -> BlockForm {
    let form = file.header.layout.form();
    let columns = file.header.columns();
    let says = file.header.entries().get(metadata::LAYOUT).is_some();
    let is_ambiguous = !says && columns.iter().all(|column| column.greatest.definition == 0);
    match file.header.layout {
        Layout::ValuesFirst if is_ambiguous => BlockForm { checksum: Placement::After, ..form },
        _ => form,
    }
}

/// The codec of a name in metadata.
pub(super) fn codec(name: Option<&str>) -> Result<Codec> {
    let name = name.unwrap_or_default();
    match known_codec(name) {
        Some(codec) => codec.available(),
        None => Err(ErrorKind::Codec { codec: name.to_owned(), hint: "" }.into()),
    }
}

/// As [`codec`], also where this build lacks it.
pub(super) fn known_codec(name: &str) -> Option<Codec> {
    match name {
        "" | "none" | "null" => Some(Codec::Null),
        "deflate" => Some(Codec::Deflate),
        "gzip" => Some(Codec::Gzip),
        "snappy" => Some(Codec::Snappy),
        "bzip2" => Some(Codec::Bzip2),
        _ => None,
    }
}

/// The checksum of a name in metadata.
pub(super) fn checksum(name: Option<&str>) -> Result<Checksum> {
    let unknown = || ErrorKind::ChecksumName { checksum: name.unwrap_or_default().to_owned() };
    known_checksum(name).ok_or_else(|| unknown().into())
}

/// As [`checksum`].
pub(super) fn known_checksum(name: Option<&str>) -> Option<Checksum> {
    let is = |name: &str, known: &str| name.eq_ignore_ascii_case(known);
    match name {
        None | Some("null") => Some(Checksum::Null),
        Some(name) if is(name, "crc-32") || is(name, "crc32") => Some(Checksum::Crc32),
        Some(_) => None,
    }
}

/// Reads a table of unknown size: some bytes first, more where it goes on.
fn descriptors(file: &File<'_>, column: &Column) -> Result<Descriptors> {
    let left = file.len.saturating_sub(column.start);
    let here = |error: Error| error.at_offset(column.start);
    let sums = match file.options.sums {
        Sums::Compared => ColumnSums::from_column(file.header.column_entries(column))?,
        Sums::Ignored => None,
    };
    if let Some(all) = usize::try_from(left).ok().and_then(|left| file.source.slice(column.start, left)) {
        return decode(all, left, column, sums, &file.extents).map_err(here);
    }
    let (mut data, mut wanted) = (Vec::new(), TABLE_FIRST_READ_BYTES.min(left));
    loop {
        let have = data.len();
        data.resize(usize::try_from(wanted).unwrap_or(usize::MAX), 0);
        if data.len() > have {
            file.source.read_at(column.start + have as u64, &mut data[have..])?;
        }
        match decode(&data, left, column, sums, &file.extents) {
            Err(error) if continues(&error) => wanted = wanted.saturating_mul(4).min(left),
            result => return result.map_err(here),
        }
    }
}

/// Decodes a table; `left` are the bytes of the file from there on, and `extents` tells
/// what there is room for.
fn decode(
    data: &[u8],
    left: u64,
    column: &Column,
    sums: Option<ColumnSums>,
    extents: &Extents,
) -> Result<Descriptors> {
    let after = left.saturating_sub(data.len() as u64);
    let cut = |error: Malformed| error.before(after).of("the block table");
    let mut bytes = Bytes::new(data);
    let count = u64::from(bytes.fixed32().map_err(cut)?);
    if count > left / DESCRIPTOR_BYTES {
        let needed = count * DESCRIPTOR_BYTES;
        return Err(Malformed::End { needed, available: left }.of("the block table"));
    }
    extents.check(count)?;
    let room = (count as usize).min(data.len() / DESCRIPTOR_BYTES as usize);
    let (mut sizes, mut first_values) = (Vec::with_capacity(room), Vec::new());
    for number in 0..count as usize {
        let mut next = || bytes.fixed32().map_err(cut);
        let block = BlockSizes { rows: next()?, size: next()?, compressed: next()? };
        let all = [block.rows, block.size, block.compressed].map(u32::cast_signed);
        if let Some(negative) = all.into_iter().find(|size| *size < 0) {
            let error = Malformed::Negative(i64::from(negative));
            return Err(error.of("a block's entries or size").in_block(number));
        }
        sizes.push(block);
        if column.first_values {
            first_values.push(next_value(&mut bytes, column.value_type).map_err(cut)?.into());
        }
    }
    if let Some(sums) = sums {
        sums.check_table(&data[..bytes.position()])?;
    }
    let order = sums.map(|sums| sums.order);
    Ok(Descriptors { sizes, first_values, len: bytes.position() as u64, order })
}

/// Rows of blocks.
pub(super) struct Index {
    /// Number of rows that begin in each block.
    pub(super) rows: Vec<u32>,
    /// Blocks that begin within a row, ascending.
    pub(super) continues: Vec<usize>,
}

/// Finds the rows of blocks: in the column's metadata, where this crate keeps them, or else in the levels of all
/// blocks.
///
/// # Errors
///
/// Blocks that cannot be decoded, or do not have the file's rows.
pub(super) fn index_of(
    file: &File<'_>,
    column: &Column,
    blocks: &BlockTable,
    entries: &[u32],
) -> Result<Index> {
    if let Some(rows) = stored(file, column, entries) {
        return Ok(Index { rows, continues: Vec::new() });
    }
    let mut index = Index { rows: Vec::with_capacity(entries.len()), continues: Vec::new() };
    let (mut stored, mut data, mut levels) = (Vec::new(), Vec::new(), Levels::default());
    let mut memory = Hold::new(&file.budget);
    for (number, (block, count)) in blocks.iter().zip(entries).enumerate() {
        if let Some(error) = blocks.missing(&block, file.len) {
            return Err(error.in_block(number));
        }
        let len = blocks.stored(&block);
        memory
            .at_least(len.saturating_add(data.capacity()) as u64)
            .map_err(|error| error.in_block(number))?;
        let bytes = match file.source.slice(block.offset, len) {
            Some(bytes) => bytes,
            None => {
                stored.resize(len, 0);
                file.source.read_at(block.offset, &mut stored)?;
                &stored
            }
        };
        let unpacked = blocks.unpack(&block, bytes, &file.decompressors, &mut data, &mut memory.beside(len));
        let decoded = unpacked.and_then(|bytes| {
            // Levels take a bit at least, and become two bytes.
            let levels_room = bytes.len().saturating_mul(16).min((*count as usize).saturating_mul(2));
            memory.at_least(len.saturating_add(bytes.len()).saturating_add(levels_room) as u64)?;
            block::levels(bytes, *count as usize, column.greatest, file.header.layout, &mut levels)
        });
        decoded.map_err(|error| error.in_block(number))?;
        index.rows.push(levels.as_ref().rows() as u32);
        if levels.repetition.first().is_some_and(|first| *first > 0) {
            index.continues.push(number);
        }
    }
    let found = index.rows.iter().copied().map(u64::from).sum();
    match file.header.rows {
        expected if expected == found && index.continues.first() != Some(&0) => Ok(index),
        expected => Err(ErrorKind::RowCount { expected, found }.into()),
    }
}

/// The rows of blocks that the column's metadata tell; `None` where these are no such thing.
fn stored(file: &File<'_>, column: &Column, entries: &[u32]) -> Option<Vec<u32>> {
    let mut bytes = Bytes::new(file.header.column_entries(column).get(metadata::BLOCK_ROWS)?);
    let mut next =
        |count: &u32| bytes.int().ok().and_then(|rows| u32::try_from(rows).ok()).filter(|rows| rows <= count);
    let rows: Vec<u32> = entries.iter().map(&mut next).collect::<Option<_>>()?;
    let found: u64 = rows.iter().copied().map(u64::from).sum();
    (bytes.remaining() == 0 && found == file.header.rows).then_some(rows)
}
