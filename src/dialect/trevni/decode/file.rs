//! An open file: its header, and the block tables of the columns that have been asked for.

use super::cache::BlockCache;
use super::header::{self, ColumnHeader, Header};
use super::table::{self, Descriptors};
use super::zones::Zones;
use crate::dialect::ReadOptions;
use crate::dialect::beginning::{Beginning, continues};
use crate::dialect::sums::{ColumnSums, Sums};
use crate::dialect::trevni::compact::Compact;
use crate::error::{Category, Error, Result};
use crate::limits::Limits;
use crate::metadata;
use crate::storage::blocks::{BlockTable, Extents};
use crate::storage::budget::Budget;
use crate::storage::checksum::Checksum;
use crate::storage::codec::{Codec, Decompressors};
use crate::storage::source::Source;
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
    pub(in super::super) decompressors: Decompressors,
    tables: Vec<OnceLock<Arc<BlockTable>>>,
    /// What the columns that have been opened take of the file.
    extents: Extents,
    pub(crate) budget: Arc<Budget>,
    pub(super) zones: Zones,
    /// Blocks of single rows, and how many bytes of them are kept.
    cache: OnceLock<BlockCache>,
    cache_bytes: u64,
    /// Whether checksums of block tables count.
    sums: Sums,
    /// Whether blocks may be missing.
    is_damaged: bool,
    /// The compact file that this one is read from.
    pub(in crate::dialect) compact: Option<Compact>,
}

/// What is kept of blocks that single rows have been read from, unless it is said.
const CACHE_BYTES: u64 = 64 << 20;

/// What is read of a block table at first.
const TABLE_FIRST_READ_BYTES: u64 = 512;

impl<'s> File<'s> {
    /// The header of a file.
    ///
    /// # Errors
    ///
    /// A source that fails, is no Trevni file, or has a damaged header.
    pub(crate) fn header(beginning: &mut Beginning<'_>, sums: Sums) -> Result<Header> {
        header::read(beginning, sums)
    }

    /// A file whose header has been read.
    pub(crate) fn new(
        source: Box<dyn Source + 's>,
        header: Header,
        limits: Limits,
        threads: usize,
        options: &ReadOptions,
    ) -> Result<Self> {
        let len = source.size()?;
        let in_memory = usize::try_from(len).is_ok_and(|len| source.slice(0, len).is_some());
        let tables = (0..header.len()).map(|_| OnceLock::new()).collect();
        let zones = Zones::new(header.len());
        let budget = Budget::new(limits.memory);
        Ok(Self {
            source,
            len,
            header,
            limits,
            threads,
            in_memory,
            decompressors: Decompressors::default(),
            tables,
            extents: Extents::new(len, &budget),
            budget,
            zones,
            cache: OnceLock::new(),
            cache_bytes: options.cache.unwrap_or(CACHE_BYTES),
            sums: options.sums,
            is_damaged: options.is_damaged,
            compact: None,
        })
    }

    /// The blocks that are kept for single rows.
    pub(super) fn cache(&self) -> &BlockCache {
        self.cache.get_or_init(|| BlockCache::new(self.cache_bytes, &self.budget))
    }

    pub(crate) fn column(&self, number: usize) -> Result<ColumnHeader<'_>> {
        self.header.column(number).ok_or_else(|| Error::metadata(format!("no column {number}")))
    }

    /// The number of bytes that limits count by.
    pub(crate) fn counted_bytes(&self) -> u64 {
        self.compact.as_ref().map_or(self.len, |compact| compact.counted(self.len))
    }

    /// Whether a column is in the beginning of a compact file, which is compressed as a whole.
    pub(crate) fn is_within_beginning(&self, number: usize) -> bool {
        let start = self.header.column(number).map(|column| column.start);
        self.compact.as_ref().zip(start).is_some_and(|(compact, start)| compact.has(start))
    }

    /// Adds the name of a column to an error.
    #[cold]
    pub(crate) fn in_column(&self, number: usize, error: Error) -> Error {
        match self.header.column(number) {
            Some(column) => error.in_column(column.spec.name),
            None => error,
        }
    }

    /// What the metadata of a column say.
    fn own(&self, number: usize, key: &str) -> Option<&str> {
        self.header.column(number).and_then(|column| column.metadata.get_str(key))
    }

    /// Name of the codec of a column.
    pub(crate) fn codec_name(&self, number: usize) -> &str {
        self.own(number, metadata::CODEC).unwrap_or_else(|| &self.header.inherited().codec)
    }

    /// Name of the checksum of a column.
    pub(crate) fn checksum_name(&self, number: usize) -> &str {
        self.own(number, metadata::CHECKSUM).unwrap_or_else(|| &self.header.inherited().checksum)
    }

    /// The blocks of a column; read when first asked for.
    pub(crate) fn table(&self, number: usize) -> Result<Arc<BlockTable>> {
        let slot = self.tables.get(number).ok_or_else(|| Error::metadata(format!("no column {number}")))?;
        if let Some(table) = slot.get() {
            return Ok(Arc::clone(table));
        }
        let column = self.column(number)?;
        let table = self
            .read_table(number, &column, Vec::new())
            .and_then(|table| self.keep_table(slot, &column, table));
        // Another thread may have been faster.
        table.or_else(|error| slot.get().cloned().ok_or_else(|| error.in_column(column.spec.name)))
    }

    /// Keeps a table that has been read, unless what it and its blocks take is more than there is.
    fn keep_table(
        &self,
        slot: &OnceLock<Arc<BlockTable>>,
        column: &ColumnHeader<'_>,
        table: BlockTable,
    ) -> Result<Arc<BlockTable>> {
        // Where the file is cut, blocks end after it.
        let bytes = table.end().min(self.len).saturating_sub(column.start);
        self.extents.keep(slot, bytes, table.memory(), table)
    }

    /// Reads the tables of some columns together. One that is damaged is left for later.
    pub(super) fn read_tables(&self, numbers: &[usize]) -> Result<()> {
        let missing = |number: &&usize| self.tables.get(**number).is_some_and(|slot| slot.get().is_none());
        let mut starts = Vec::new();
        for number in numbers.iter().filter(missing) {
            if let Some(column) = self.header.column(*number) {
                let wanted = TABLE_FIRST_READ_BYTES.min(self.len.saturating_sub(column.start));
                // What begins after the end of the file has no neighbours.
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
            let Some(slot) = self.tables.get(number) else {
                continue;
            };
            let table = self.read_table(number, &column, data);
            match table.and_then(|table| self.keep_table(slot, &column, table)) {
                Err(error) if error.category() == Category::Io => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a table; `data` are the bytes that have been read already, none or some.
    fn read_table(&self, number: usize, column: &ColumnHeader<'_>, data: Vec<u8>) -> Result<BlockTable> {
        let codec = Codec::from_name(self.codec_name(number))?;
        let checksum = Checksum::from_name(self.checksum_name(number))?;
        let sums = self.sums_of(number, column)?;
        let left = self.len.saturating_sub(column.start);
        let all = usize::try_from(left).ok().and_then(|left| self.source.slice(column.start, left));
        let Descriptors { sizes, first_values, len, order } = match all {
            Some(all) => table::decode(all, left, self.header.rows, column, &self.extents, sums)
                .map_err(|error| error.at_offset(column.start))?,
            None => self.read_table_in_pieces(data, left, column, sums)?,
        };
        let table = BlockTable::new(codec, checksum, sizes, first_values, column.start + len);
        let table = match order {
            Some(order) => table.with_order(order),
            None => table,
        };
        let len = if self.is_damaged { u64::MAX } else { self.len };
        table.check(len, self.limits.block_bytes, self.header.rows)?;
        if codec == Codec::Null && checksum == Checksum::Crc32 && self.has_only_zero_sums(&table)? {
            return Ok(table.with_zero_sums());
        }
        Ok(table)
    }

    /// The checksums of a column, where they count: its own, or else its part of those of all.
    fn sums_of(&self, number: usize, column: &ColumnHeader<'_>) -> Result<Option<ColumnSums>> {
        if self.sums == Sums::Ignored {
            return Ok(None);
        }
        match (ColumnSums::from_column(column.metadata)?, &self.header.inherited().column_sums) {
            (None, Some(all)) => ColumnSums::from_all(all, number, self.header.len()).map(Some),
            (own, _) => Ok(own),
        }
    }

    /// Whether all checksums of a column are zero, which is what Java writes for a column without a codec: then they say
    /// nothing. This crate does not write that, so in its files a zero is a sum like any other.
    fn has_only_zero_sums(&self, table: &BlockTable) -> Result<bool> {
        if self.header.inherited().is_of_this_crate {
            return Ok(false);
        }
        let (mut sum, mut found) = ([0; 4], false);
        let is_there = |offset: &u64| self.len.checked_sub(4).is_some_and(|last| *offset <= last);
        for offset in table.sums_after_blocks().take_while(is_there) {
            self.source.read_at(offset, &mut sum)?;
            if sum != [0; 4] {
                return Ok(false);
            }
            found = true;
        }
        Ok(found)
    }

    /// Reads a table of unknown size: some bytes first, more where it goes on.
    fn read_table_in_pieces(
        &self,
        mut data: Vec<u8>,
        left: u64,
        column: &ColumnHeader<'_>,
        sums: Option<ColumnSums>,
    ) -> Result<Descriptors> {
        let mut wanted = TABLE_FIRST_READ_BYTES.min(left).max(data.len() as u64);
        loop {
            let have = data.len();
            data.resize(usize::try_from(wanted).unwrap_or(usize::MAX), 0);
            if data.len() > have {
                self.source.read_at(column.start + have as u64, &mut data[have..])?;
            }
            match table::decode(&data, left, self.header.rows, column, &self.extents, sums) {
                Err(error) if continues(&error) => wanted = wanted.saturating_mul(4).min(left),
                Err(error) => return Err(error.at_offset(column.start)),
                Ok(decoded) => return Ok(decoded),
            }
        }
    }
}
