//! An open file: its footer, and the columns that its rows have.

use super::super::RedElmFooter;
use super::column::Column;
use super::footer::{self, Group, Header};
use super::schema::Described;
use crate::dialect::Sums;
use crate::dialect::schema::Schema;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::storage::budget::Budget;
use crate::storage::checksum::Checksum;
use crate::storage::codec::{Decompressors, Framing};
use crate::storage::source::Source;
use crate::storage::zone_map::ZoneMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A file that is open for reading.
pub(crate) struct File<'s> {
    pub(crate) source: Box<dyn Source + 's>,
    pub(crate) len: u64,
    pub(in super::super) header: Header,
    pub(in super::super) columns: Vec<Column>,
    pub(crate) limits: Limits,
    /// How many threads decode columns.
    pub(crate) threads: usize,
    /// Whether the source has its bytes in memory, so that nothing need be read ahead.
    pub(super) in_memory: bool,
    pub(super) decompressors: Decompressors,
    pub(crate) budget: Arc<Budget>,
    /// The rows as the file's own schema describes them, or else the message.
    pub(super) schema: Schema,
    /// The zones of all columns, made when first asked for.
    pub(super) zones: OnceLock<Vec<Option<Arc<ZoneMap>>>>,
}

impl<'s> File<'s> {
    pub(crate) fn open(
        source: Box<dyn Source + 's>,
        limits: Limits,
        threads: usize,
        sums: Sums,
    ) -> Result<Self> {
        let len = source.size()?;
        let header = footer::read(&*source, len, &limits, sums)?;
        Self::new(source, len, header, limits, threads)
    }

    /// Opens a file whose footer is known, without reading of it.
    pub(crate) fn with_footer(
        source: Box<dyn Source + 's>,
        footer: &[u8],
        limits: Limits,
        threads: usize,
    ) -> Result<Self> {
        let len = source.size()?;
        let header = footer::known(footer, len, &limits)?;
        Self::new(source, len, header, limits, threads)
    }

    fn new(
        source: Box<dyn Source + 's>,
        len: u64,
        header: Header,
        limits: Limits,
        threads: usize,
    ) -> Result<Self> {
        let in_memory = usize::try_from(len).is_ok_and(|len| source.slice(0, len).is_some());
        let Described { schema, columns } = Described::of(&header)?;
        let decompressors = Decompressors::new(Framing::Hadoop);
        Ok(Self {
            source,
            len,
            header,
            columns,
            limits,
            threads,
            in_memory,
            decompressors,
            budget: Budget::new(limits.memory),
            schema,
            zones: OnceLock::new(),
        })
    }

    /// How the footer is written.
    pub(crate) fn footer_form(&self) -> RedElmFooter {
        self.header.form
    }

    /// The checksum of parts of columns and of the footer.
    pub(crate) fn checksum(&self) -> Checksum {
        if self.header.sums.is_some() { Checksum::Crc32 } else { Checksum::Null }
    }

    /// Where the footer is.
    pub(crate) fn footer_range(&self) -> Range<u64> {
        self.header.start..self.len
    }

    /// The rows as the file's own schema describes them, or else the message.
    pub(crate) fn schema(&self) -> Schema {
        self.schema.clone()
    }

    /// The rows as the message alone describes them.
    pub(crate) fn untyped_schema(&self) -> Result<Schema> {
        Described::untyped(&self.header, &self.columns)
    }

    pub(in super::super) fn column(&self, number: usize) -> Result<&Column> {
        self.columns.get(number).ok_or_else(|| Error::metadata(format!("no column {number}")))
    }

    /// The row group that a row is in, with its number.
    pub(super) fn group_of(&self, row: u64) -> Result<(usize, &Group)> {
        let groups = &self.header.groups;
        // Of several that begin with the same row, all but the last are empty.
        let number = groups.partition_point(|group| group.first <= row).checked_sub(1);
        let found = number.and_then(|number| Some((number, groups.get(number)?)));
        found
            .filter(|(_, group)| row - group.first < u64::from(group.rows))
            .ok_or_else(|| Error::internal(format!("no row group has row {row}")))
    }
}
