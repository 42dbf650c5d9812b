//! An open file: its header, and the block tables of the columns that have been asked for.

use super::header::{self, ColumnHeader, Header, continues};
use super::zones::Zones;
use crate::bytes::reader::{Bytes, Malformed};
use crate::checksum::Checksum;
use crate::codec::{Codec, Decompressors};
use crate::error::{Category, Error, ErrorKind, Result};
use crate::limits::Limits;
use crate::metadata;
use crate::source::Source;
use crate::value_type::ValueType;
use std::sync::{Arc, OnceLock};

/// A file that is open for reading.
pub(crate) struct File<'s> {
    pub(crate) source: Box<dyn Source + 's>,
    pub(crate) len: u64,
    pub(crate) header: Header,
    pub(crate) limits: Limits,
    /// How many threads decode columns.
    pub(crate) threads: usize,
    /// Whether the source has its bytes in memory, so that nothing need be read ahead.
    pub(super) in_memory: bool,
    decompressors: Decompressors,
    tables: Vec<OnceLock<Arc<Table>>>,
    pub(super) zones: Zones,
}

/// The blocks of a column.
pub(crate) struct Table {
    pub(crate) codec: Codec,
    pub(crate) checksum: Checksum,
    pub(crate) blocks: Vec<Block>,
}

/// What a descriptor says of a block, and where the block is.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Number of its first row.
    pub(crate) first_row: u64,
    pub(crate) rows: u32,
    /// Bytes before the codec.
    pub(crate) size: u32,
    /// Bytes after the codec, without the checksum.
    pub(crate) compressed: u32,
    /// Position in the file.
    pub(crate) offset: u64,
    /// The first value as the type encodes it, where the column has first values.
    pub(crate) first: Vec<u8>,
}

/// What is read of a table at first.
const FIRST_READ: u64 = 512;

impl Table {
    /// Bytes of a block in the file, with its checksum.
    pub(in super::super) fn stored(&self, block: &Block) -> usize {
        block.compressed as usize + self.checksum.size()
    }
}

impl<'s> File<'s> {
    pub(crate) fn open(source: Box<dyn Source + 's>, limits: Limits, threads: usize) -> Result<Self> {
        let len = source.len()?;
        let header = header::read(&*source, len)?;
        let in_memory = usize::try_from(len).is_ok_and(|len| source.slice(0, len).is_some());
        let tables = (0..header.len()).map(|_| OnceLock::new()).collect();
        let zones = Zones::new(header.len());
        Ok(Self {
            source,
            len,
            header,
            limits,
            threads,
            in_memory,
            decompressors: Decompressors::default(),
            tables,
            zones,
        })
    }

    pub(crate) fn column(&self, number: usize) -> Result<ColumnHeader<'_>> {
        self.header.column(number).ok_or_else(|| Error::metadata(format!("no column {number}")))
    }

    /// The value of a key of a column, which the file's metadata may give for all columns.
    fn inherited(&self, number: usize, key: &str) -> Option<&str> {
        let own = self.header.column(number).and_then(|column| column.metadata.get_str(key));
        own.or_else(|| self.header.entries().get_str(key))
    }

    /// Name of the codec of a column.
    pub(crate) fn codec_name(&self, number: usize) -> &str {
        self.inherited(number, metadata::CODEC).unwrap_or("null")
    }

    /// Name of the checksum of a column.
    pub(crate) fn checksum_name(&self, number: usize) -> &str {
        self.inherited(number, metadata::CHECKSUM).unwrap_or("null")
    }

    /// The blocks of a column; read when first asked for.
    pub(crate) fn table(&self, number: usize) -> Result<Arc<Table>> {
        let slot = self.tables.get(number).ok_or_else(|| Error::metadata(format!("no column {number}")))?;
        if let Some(table) = slot.get() {
            return Ok(Arc::clone(table));
        }
        let column = self.column(number)?;
        let table = self
            .read_table(number, &column, Vec::new())
            .map_err(|error| error.in_column(column.spec.name))?;
        Ok(Arc::clone(slot.get_or_init(|| Arc::new(table))))
    }

    /// Reads the tables of some columns together. One that is damaged is left for later.
    pub(super) fn read_tables(&self, numbers: &[usize]) -> Result<()> {
        let missing = |number: &&usize| self.tables.get(**number).is_some_and(|slot| slot.get().is_none());
        let mut starts = Vec::new();
        for number in numbers.iter().filter(missing) {
            if let Some(column) = self.header.column(*number) {
                let wanted = FIRST_READ.min(self.len.saturating_sub(column.start));
                // What begins behind the end of the file has no neighbours.
                if wanted > 0 {
                    starts.push((*number, column, vec![0; wanted as usize]));
                }
            }
        }
        let mut ranges: Vec<(u64, &mut [u8])> =
            starts.iter_mut().map(|(_, column, data)| (column.start, data.as_mut_slice())).collect();
        if ranges.len() < 2 {
            return Ok(());
        }
        self.source.read_ranges(&mut ranges)?;
        for (number, column, data) in starts {
            match (self.read_table(number, &column, data), self.tables.get(number)) {
                (Ok(table), Some(slot)) => drop(Arc::clone(slot.get_or_init(|| Arc::new(table)))),
                (Err(error), _) if error.category() == Category::Io => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a table; `data` are the bytes that have been read already, none or some.
    fn read_table(&self, number: usize, column: &ColumnHeader<'_>, data: Vec<u8>) -> Result<Table> {
        let codec = Codec::from_name(self.codec_name(number))?;
        let checksum = Checksum::from_name(self.checksum_name(number))?;
        let left = self.len.saturating_sub(column.start);
        let all = usize::try_from(left).ok().and_then(|left| self.source.slice(column.start, left));
        let (blocks, size) = match all {
            Some(all) => decode_table(all, left, self.header.rows, column)
                .map_err(|error| error.at_offset(column.start))?,
            None => self.read_table_in_pieces(data, left, column)?,
        };
        let mut table = Table { codec, checksum, blocks: placed(blocks, column.start + size) };
        self.check(&mut table)?;
        Ok(table)
    }

    /// Reads a table of unknown size: some bytes first, more where it goes on.
    fn read_table_in_pieces(
        &self,
        mut data: Vec<u8>,
        left: u64,
        column: &ColumnHeader<'_>,
    ) -> Result<(Vec<Block>, u64)> {
        let mut wanted = FIRST_READ.min(left).max(data.len() as u64);
        loop {
            let have = data.len();
            data.resize(usize::try_from(wanted).unwrap_or(usize::MAX), 0);
            if data.len() > have {
                self.source.read_at(column.start + have as u64, data.get_mut(have..).unwrap_or_default())?;
            }
            match decode_table(&data, left, self.header.rows, column) {
                Err(error) if continues(&error) => wanted = wanted.saturating_mul(4).min(left),
                Err(error) => return Err(error.at_offset(column.start)),
                Ok(decoded) => return Ok(decoded),
            }
        }
    }

    /// The bytes of a block before the codec, compared with the checksum: part of `stored`, which are its
    /// bytes in the file, or `data`.
    pub(in super::super) fn unpack<'a>(
        &self,
        table: &Table,
        block: &Block,
        stored: &'a [u8],
        data: &'a mut Vec<u8>,
    ) -> Result<&'a [u8]> {
        let (compressed, checksum) = stored.split_at(stored.len().min(block.compressed as usize));
        if table.codec == Codec::Null {
            table.checksum.verify(compressed, checksum, true)?;
            return Ok(compressed);
        }
        self.decompressors.decompress(table.codec, compressed, block.size as usize, data)?;
        table.checksum.verify(data, checksum, false)?;
        Ok(data)
    }

    /// Checks the table against the file: rows in all, and bytes of each block.
    fn check(&self, table: &mut Table) -> Result<()> {
        let (mut rows, mut offset) = (0u64, None);
        for (number, block) in table.blocks.iter_mut().enumerate() {
            let stored = u64::from(block.compressed) + table.checksum.size() as u64;
            let start = *offset.get_or_insert(block.offset);
            let available = self.len.saturating_sub(start);
            if stored > available {
                let what = "a block";
                let error = ErrorKind::Truncated { what, needed: stored, available };
                return Err(Error::from(error).in_block(number).at_offset(start));
            }
            if u64::from(block.size) > self.limits.block_bytes {
                let (value, limit) = (u64::from(block.size), self.limits.block_bytes);
                let error = ErrorKind::Limit { what: "the size of a block", value, limit };
                return Err(Error::from(error).in_block(number));
            }
            block.offset = start;
            block.first_row = rows;
            rows += u64::from(block.rows);
            offset = Some(start + stored);
        }
        if rows != self.header.rows {
            return Err(ErrorKind::RowCount { expected: self.header.rows, found: rows }.into());
        }
        Ok(())
    }
}

/// Gives all blocks the position of the first; `check` moves them on.
fn placed(mut blocks: Vec<Block>, start: u64) -> Vec<Block> {
    for block in &mut blocks {
        block.offset = start;
    }
    blocks
}

/// The blocks, and the bytes that the table takes. `left` counts the bytes of the file from the table
/// on, `rows` the rows of the file.
fn decode_table(data: &[u8], left: u64, rows: u64, column: &ColumnHeader<'_>) -> Result<(Vec<Block>, u64)> {
    let behind = left.saturating_sub(data.len() as u64);
    let cut = |error: Malformed| error.before(behind).of("the block table");
    let mut bytes = Bytes::new(data);
    let count = u64::from(bytes.fixed32().map_err(cut)?);
    // A descriptor has at least twelve bytes.
    if count > left / 12 {
        return Err(Malformed::End { needed: count * 12, available: left }.of("the block table"));
    }
    let mut blocks: Vec<Block> = Vec::with_capacity((count as usize).min(data.len() / 12));
    let mut found = 0u64;
    for number in 0..count as usize {
        let block = descriptor(&mut bytes, column).map_err(cut)?;
        if let Some(negative) =
            [block.rows, block.size, block.compressed].iter().find(|n| n.cast_signed() < 0)
        {
            return Err(Malformed::Negative(i64::from(negative.cast_signed()))
                .of("a block's rows or size")
                .in_block(number));
        }
        found += u64::from(block.rows);
        if found > rows {
            return Err(ErrorKind::RowCount { expected: rows, found }.into());
        }
        blocks.push(block);
    }
    Ok((blocks, bytes.position() as u64))
}

fn descriptor(bytes: &mut Bytes<'_>, column: &ColumnHeader<'_>) -> Result<Block, Malformed> {
    let (rows, size, compressed) = (bytes.fixed32()?, bytes.fixed32()?, bytes.fixed32()?);
    let first = if column.first_values { first_value(bytes, column.spec.value_type)? } else { Vec::new() };
    Ok(Block { first_row: 0, rows, size, compressed, offset: 0, first })
}

/// The bytes of a value.
fn first_value(bytes: &mut Bytes<'_>, value_type: ValueType) -> Result<Vec<u8>, Malformed> {
    let rest = bytes.rest();
    let before = bytes.position();
    match value_type {
        ValueType::Null => {}
        ValueType::Boolean => bytes.take(1).map(|_| ())?,
        ValueType::Int => bytes.int().map(|_| ())?,
        ValueType::Long => bytes.long().map(|_| ())?,
        ValueType::Fixed32 | ValueType::Float => bytes.take(4).map(|_| ())?,
        ValueType::Fixed64 | ValueType::Double => bytes.take(8).map(|_| ())?,
        ValueType::String | ValueType::Bytes => bytes.prefixed().map(|_| ())?,
    }
    Ok(rest.get(..bytes.position() - before).unwrap_or_default().to_vec())
}
