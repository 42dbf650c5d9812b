//! An open file: its header, the block tables that have been asked for, and what is looked at where it is checked.

use super::cursor::Cursor;
use super::header::{Column, Header};
use super::table::{self, Table};
use crate::dialect::dremel::{Columns, Out};
use crate::dialect::{FileCheck, ReadOptions};
use crate::error::{Error, Result};
use crate::levels::Place;
use crate::limits::Limits;
use crate::metadata;
use crate::storage::blocks::Extents;
use crate::storage::budget::{BatchHold, Budget};
use crate::storage::codec::Decompressors;
use crate::storage::source::Source;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::{self, ZoneMap};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A file that is open for reading.
pub(crate) struct File<'s> {
    pub(super) source: Box<dyn Source + 's>,
    pub(crate) len: u64,
    pub(crate) header: Header,
    pub(crate) limits: Limits,
    pub(crate) options: ReadOptions,
    /// How many threads decode columns.
    pub(crate) threads: usize,
    in_memory: bool,
    pub(super) decompressors: Decompressors,
    tables: Vec<OnceLock<Arc<Table>>>,
    /// What the columns that have been opened take of the file.
    pub(super) extents: Extents,
    pub(crate) budget: Arc<Budget>,
    pub(super) zones: Vec<OnceLock<Option<Arc<ZoneMap>>>>,
}

impl<'s> File<'s> {
    pub(crate) fn new(
        source: Box<dyn Source + 's>,
        header: Header,
        limits: Limits,
        threads: usize,
        options: ReadOptions,
    ) -> Result<Self> {
        let len = source.size()?;
        let in_memory = usize::try_from(len).is_ok_and(|len| source.slice(0, len).is_some());
        let (count, budget) = (header.columns().len(), Budget::new(limits.memory));
        Ok(Self {
            source,
            len,
            decompressors: Decompressors::new(header.layout.form().framing),
            header,
            limits,
            options,
            threads,
            in_memory,
            extents: Extents::new(len, &budget),
            budget,
            tables: (0..count).map(|_| OnceLock::new()).collect(),
            zones: (0..count).map(|_| OnceLock::new()).collect(),
        })
    }

    pub(crate) fn column(&self, number: usize) -> Result<&Column> {
        self.header.columns().get(number).ok_or_else(|| Error::metadata(format!("no column {number}")))
    }

    /// The blocks of a column; read when first asked for.
    pub(super) fn table(&self, number: usize) -> Result<Arc<Table>> {
        let slot = self.tables.get(number).ok_or_else(|| Error::metadata(format!("no column {number}")))?;
        if let Some(table) = slot.get() {
            return Ok(Arc::clone(table));
        }
        let table = table::read(self, number).and_then(|table| {
            let bytes = table.blocks.end().min(self.len).saturating_sub(self.column(number)?.start);
            let memory = table.blocks.memory() + (size_of::<u32>() * table.entries.capacity()) as u64;
            self.extents.keep(slot, bytes, memory, table)
        });
        // Another thread may have been faster.
        table.or_else(|error| slot.get().cloned().ok_or_else(|| self.in_column(number, error)))
    }
}

impl Columns for File<'_> {
    type Cursor = Cursor;

    fn open(&self, column: usize) -> Result<Cursor> {
        Cursor::open(self, column)
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn hold(&self) -> BatchHold {
        BatchHold::new(&self.budget, &self.limits, self.len)
    }

    fn read(
        &self,
        cursor: &mut Cursor,
        row: u64,
        picks: &[Range<usize>],
        hold: &BatchHold,
        out: Out<'_>,
    ) -> Result<()> {
        let number = cursor.number;
        cursor.read(self, row, picks, hold, out).map_err(|error| self.in_column(number, error))
    }

    fn prefetch(&self, cursors: &mut [&mut Cursor], first: u64, row: u64) -> Result<()> {
        Cursor::prefetch(self, cursors, first, row)
    }

    fn reads_ahead(&self) -> bool {
        !self.in_memory
    }

    fn greatest(&self, column: usize) -> Place {
        self.header.columns().get(column).map_or_else(Place::default, |column| column.greatest)
    }

    fn width(&self, column: usize) -> Option<usize> {
        self.header.columns().get(column).and_then(|column| column.width)
    }

    #[cold]
    fn in_column(&self, column: usize, error: Error) -> Error {
        match self.header.columns().get(column) {
            Some(column) => error.in_column(&column.name),
            None => error,
        }
    }
}

impl FileCheck for File<'_> {
    fn frame(&self) -> Result<Vec<Range<u64>>> {
        let header = 0..self.header.end();
        Ok(vec![header])
    }

    fn extents(&self, number: usize) -> Result<Vec<Range<u64>>> {
        let (column, table) = (self.column(number)?, self.table(number)?);
        let empty = column.start.saturating_add(4);
        let extent = column.start..table.blocks.ends(0).last().unwrap_or(empty);
        Ok(vec![extent])
    }

    fn check_blocks(&self, number: usize, found: &mut dyn FnMut(Option<usize>, Error)) -> Result<()> {
        let table = self.table(number)?;
        let most = (false, self.limits.entries(self.source.size()?));
        table
            .blocks
            .check_each(&*self.source, &self.decompressors, &self.budget, most, found, |_, _, _| Ok(()))
    }

    fn is_counted(&self, number: usize) -> bool {
        self.column(number).is_ok_and(|column| column.greatest.definition > 0)
    }

    fn holds_nothing(&self, number: usize) -> bool {
        self.column(number).is_ok_and(|column| column.value_type == ValueType::Null)
    }

    fn has_zone_map(&self, number: usize) -> Result<bool> {
        let entries = self.header.column_entries(self.column(number)?);
        Ok(entries.get(metadata::ZONE_MAP).is_some_and(zone_map::is_known))
    }
}
