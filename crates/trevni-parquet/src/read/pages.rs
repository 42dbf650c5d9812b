//! Checks each page before the Parquet library sees it, against the bytes of its chunk and the limits, and
//! decompresses it.

use super::chunks::{Chunk, Chunks};
use super::header::{Header, Page};
use super::unpack::Unpack;
use super::values::{self, Parts};
use crate::error::{Error, Result};
use parquet::basic::Type;
use parquet::schema::types::ColumnDescriptor;
use std::collections::HashMap;
use std::sync::Arc;
use trevni::Limits;

/// Bytes, or items of lists, that each byte of a page stands for before memory is counted.
const FREE_PER_BYTE: u64 = 16;
/// Memory that an item of a list takes, beside strings: levels, and what is made of them.
const ITEM_BYTES: u64 = 32;
/// Memory for where a string begins, and how long it is.
const OFFSET_BYTES: u64 = 8;
/// A string so long is counted with each item of a list.
const LONG: u64 = 4096;

/// How rows are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Rows that are read at once.
    pub(super) rows: usize,
    /// Whether a string of a dictionary is copied for each row.
    pub(super) copies: bool,
}

/// The pages that one reader goes through.
pub(super) struct Pages {
    chunks: Arc<Chunks>,
    limits: Limits,
    way: Way,
    /// Values, rows and bytes that may be decoded, and that have been.
    most: u64,
    decoded: u64,
    /// By the number of the column.
    columns: HashMap<usize, Column>,
    /// Sums over the columns.
    held: Held,
    /// Memory for pages since the batch was begun, and for those before that are held.
    opened: u64,
    unpack: Unpack,
    /// Rows that fit at once, where those that were asked for do not.
    fitting: Option<usize>,
}

/// What is held of a column, beyond what its bytes in the file stand for.
#[derive(Clone, Copy, Default)]
struct Held {
    dictionary: u64,
    page: u64,
    /// The longest string of its dictionary or page.
    longest: u64,
}

/// A column in the row group that is being read.
#[derive(Default)]
struct Column {
    group: usize,
    /// The header that was read last, and where its page begins.
    header: Option<(Header, u64)>,
    held: Held,
}

impl Pages {
    pub(super) fn new(chunks: Arc<Chunks>, limits: Limits, way: Way, file_bytes: u64) -> Self {
        Self {
            chunks,
            limits,
            way,
            most: limits.entries(file_bytes),
            decoded: 0,
            columns: HashMap::new(),
            held: Held::default(),
            opened: 0,
            unpack: Unpack::default(),
            fitting: None,
        }
    }

    pub(super) fn chunks(&self) -> &Chunks {
        &self.chunks
    }

    /// Pages from here on are those of another batch.
    pub(super) fn begin(&mut self) {
        self.opened = self.held.page;
    }

    /// Rows that fit at once, where those that were asked for do not.
    pub(super) fn fitting(&self) -> Option<usize> {
        self.fitting
    }

    /// Counts what is decoded.
    pub(super) fn decode(&mut self, count: u64) -> Result<()> {
        self.decoded = self.decoded.saturating_add(count);
        let what = || "the number of rows, values and bytes to decode".to_owned();
        limit(self.decoded, self.most, "rows_without_bytes", what)
    }

    /// What has been decoded.
    pub(super) fn decoded(&self) -> u64 {
        self.decoded
    }

    /// Checks the header of a page, whose bytes begin at `start`.
    pub(super) fn header(&mut self, header: Header, start: u64) -> Result<()> {
        let chunks = Arc::clone(&self.chunks);
        let Some(chunk) = chunks.at(start.saturating_sub(1)) else {
            return Err(Error::Damaged(format!("byte {start}: there is no page")));
        };
        if chunk.bytes.end - start < header.stored {
            let why = format!("byte {start}: a page of {} bytes is beyond its end", header.stored);
            return Err(chunks.damaged(chunk, &why));
        }
        let bytes = header.bytes.max(header.stored);
        let what = || {
            let (name, group) = (chunks.name(chunk), chunk.group);
            format!("column {name}, row group {group}: the size of a page after decompression")
        };
        limit(bytes, self.limits.block_bytes, "block_bytes", what)?;
        limit(bytes, self.limits.memory, "memory", what)?;
        let column = self.columns.entry(chunk.column).or_default();
        column.header = Some((header, start));
        if column.group != chunk.group {
            column.group = chunk.group;
            self.replace(chunk, Held::default());
        }
        self.decode(header.values.saturating_add(header.bytes))
    }

    /// The bytes of a page as the library gets them.
    pub(super) fn page(&mut self, start: u64, stored: Vec<u8>) -> Result<Vec<u8>> {
        let chunks = Arc::clone(&self.chunks);
        let lost = || Error::Damaged(format!("byte {start}: there is no page"));
        let chunk = chunks.at(start.saturating_sub(1)).ok_or_else(lost)?;
        let known = self.columns.get(&chunk.column).and_then(|column| column.header);
        let Some((header, _)) = known.filter(|(_, at)| *at == start) else { return Err(lost()) };
        let column = |error| match error {
            Error::Damaged(why) => chunks.damaged(chunk, &format!("byte {start}: {why}")),
            error => error,
        };
        // The library copies strings out of a page.
        let metadata = chunks.metadata_of(chunk);
        let copies = if metadata.column_type() == Type::BYTE_ARRAY { 2 } else { 1 };
        let held = header.bytes.saturating_mul(copies).saturating_sub(free(&header));
        self.open(chunk, held)?;
        let page = self.unpack.page(chunk.codec, &header, stored).map_err(column)?;
        let longest = self.look(chunk, &header, &page, metadata.column_descr()).map_err(column)?;
        self.hold(chunk, longest, header.page, held)?;
        Ok(page)
    }

    /// Counts what the library makes of a page; returns the length of its longest string, where strings are
    /// stored once for several rows.
    fn look(
        &mut self,
        chunk: &Chunk,
        header: &Header,
        page: &[u8],
        column: &ColumnDescriptor,
    ) -> Result<u64> {
        match header.page {
            Page::Other => Ok(0),
            Page::Dictionary => {
                let value = if self.way.copies { OFFSET_BYTES } else { ITEM_BYTES };
                let values = header.values.saturating_sub(free(header));
                self.open(chunk, values.saturating_mul(value))?;
                let longest = values::longest_of_dictionary(page, header, column)?;
                Ok(if self.way.copies { longest } else { 0 })
            }
            Page::Data | Page::DataV2 => self.look_at_data(chunk, header, page, column),
        }
    }

    fn look_at_data(
        &mut self,
        chunk: &Chunk,
        header: &Header,
        page: &[u8],
        column: &ColumnDescriptor,
    ) -> Result<u64> {
        let mut longest = 0;
        if values::has_lengths(header, column) {
            // The library makes lists of them.
            let lengths = header.values.saturating_sub(free(header));
            self.open(chunk, lengths.saturating_mul(OFFSET_BYTES))?;
            longest = Parts::of(page, header, column)?.longest(header)?;
        }
        let known = self.columns.get(&chunk.column).map_or(0, |column| column.held.longest).max(longest);
        let item = ITEM_BYTES.saturating_add(values::width(column)).saturating_add(known);
        let free = if item > LONG { 0 } else { free(header) };
        if column.max_rep_level() > 0 && header.values > free {
            let items = Parts::of(page, header, column)?.continued(header, column).saturating_sub(free);
            self.open(chunk, items.saturating_mul(item))?;
        }
        Ok(longest)
    }

    /// Counts memory of the batch.
    fn open(&mut self, chunk: &Chunk, bytes: u64) -> Result<()> {
        self.opened = self.opened.saturating_add(bytes);
        let what = || {
            let (name, group) = (self.chunks.name(chunk), chunk.group);
            format!("column {name}, row group {group}: the memory for pages and items of a batch")
        };
        limit(self.opened.saturating_add(self.held.dictionary), self.limits.memory, "memory", what)
    }

    /// Counts what is held of a column after a page, and asks for fewer rows where too much would be made of
    /// them.
    fn hold(&mut self, chunk: &Chunk, longest: u64, page: Page, bytes: u64) -> Result<()> {
        let before = self.columns.get(&chunk.column).map(|column| column.held).unwrap_or_default();
        let mut now = Held { longest: before.longest.max(longest), ..before };
        match page {
            Page::Dictionary => now.dictionary = bytes,
            _ => now.page = bytes,
        }
        self.replace(chunk, now);
        if now.longest <= before.longest {
            return Ok(());
        }
        // While an array grows, there are two.
        let (row, rows) = (self.held.longest.saturating_mul(2), self.way.rows as u64);
        let bytes = row.saturating_mul(rows);
        if bytes > self.limits.memory {
            let fitting = (self.limits.memory / row).min(rows / 2);
            self.fitting = usize::try_from(fitting).ok().filter(|rows| *rows > 0);
        }
        limit(bytes, self.limits.memory, "memory", || format!("the size of {rows} rows of long strings"))
    }

    /// Counts what is held of a column in place of what was.
    fn replace(&mut self, chunk: &Chunk, now: Held) {
        let column = self.columns.entry(chunk.column).or_default();
        let before = std::mem::replace(&mut column.held, now);
        let sum = |sum: u64, before: u64, now: u64| sum.saturating_sub(before).saturating_add(now);
        self.held = Held {
            dictionary: sum(self.held.dictionary, before.dictionary, now.dictionary),
            page: sum(self.held.page, before.page, now.page),
            longest: sum(self.held.longest, before.longest, now.longest),
        };
    }
}

/// Bytes, or items, that the bytes of a page stand for.
fn free(header: &Header) -> u64 {
    header.stored.saturating_mul(FREE_PER_BYTE)
}

/// An error where a number is above a limit.
pub(super) fn limit(value: u64, limit: u64, option: &'static str, what: impl Fn() -> String) -> Result<()> {
    if value <= limit {
        return Ok(());
    }
    Err(Error::Limit { what: what(), value, limit, option })
}
