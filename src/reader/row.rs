//! Single rows, by their numbers.

use super::Reader;
use super::cursor::Cursor;
use super::pipeline::scan::checked_rows;
use super::pipeline::{BatchDecoder, BatchSource};
use crate::de::{FastPathMiss, RowAround};
use crate::error::{Category, Error, ErrorKind, Result};
use crate::outlined::{Outlined, drop_outlined};
use crate::sort;
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::sync::Mutex;

/// The most rows that are decoded at a time.
const WINDOW_ROWS_MAX: u64 = 32;

/// Rows that are read at one time by threads, and types of rows, for which positions are kept.
const SCANS_MAX: usize = 16;

/// What the last single rows were read with, for the next ones of the same types.
#[derive(Default)]
pub(super) struct RowCache(Mutex<Vec<Outlined<CachedScan>>>);

impl RowCache {
    fn take(&self, type_name: &str) -> Option<Outlined<CachedScan>> {
        let mut scans = self.0.lock().ok()?;
        let place = scans.iter().rposition(|scan| scan.type_name == type_name)?;
        Some(scans.remove(place))
    }

    fn clear(&self) {
        if let Ok(mut scans) = self.0.lock() {
            scans.clear();
        }
    }

    fn put(&self, scan: Outlined<CachedScan>) {
        if let Ok(mut scans) = self.0.lock() {
            if scans.len() >= SCANS_MAX {
                scans.remove(0);
            }
            scans.push(scan);
        }
    }
}

/// A type's plan, its columns with the blocks that they hold, and the rows that have been decoded.
struct CachedScan {
    /// Name of the type, which has shown which columns it needs.
    type_name: &'static str,
    cursor: Cursor,
    /// None while a row is read.
    batches: Option<Box<BatchDecoder>>,
}

drop_outlined!(CachedScan);

/// One row, by its number.
pub(super) fn read<T: DeserializeOwned>(reader: &Reader<'_>, number: u64) -> Result<T> {
    let _around = RowAround::leave();
    let rows = checked_rows(&reader.file)?;
    if number >= rows {
        return Err(ErrorKind::NoSuchRow { row: number, rows }.into());
    }
    reader.check_kept(number)?;
    let type_name = std::any::type_name::<T>();
    let mut scan = match reader.cache.take(type_name) {
        Some(scan) => scan,
        None => CachedScan::new(reader, type_name, true)?,
    };
    let window = scan.window(number, rows);
    let is_alone = window.end - window.start == 1;
    let row = match scan.row(reader, number, window) {
        // What another row of the window needs may be damaged, and what is kept for other rows may leave no room for this one.
        Err(error)
            if error.category() == Category::Limit || !is_alone && error.category() != Category::Shape =>
        {
            reader.cache.clear();
            scan = CachedScan::new(reader, type_name, error.category() != Category::Limit)?;
            scan.row(reader, number, number..number + 1)
        }
        row => row,
    }?;
    reader.cache.put(scan);
    Ok(row)
}

/// Rows by their numbers, in the order of these. They are read in their order in the file, so each block is decoded once.
pub(crate) fn take<T>(numbers: &[u64], mut row: impl FnMut(u64) -> Result<T>) -> Result<Vec<T>> {
    let mut order: Vec<(u64, u64)> = numbers.iter().copied().zip(0..).collect();
    sort::pairs(&mut order);
    let mut rows: Vec<Option<T>> = numbers.iter().map(|_| None).collect();
    for (number, place) in order {
        if let Some(at) = rows.get_mut(place as usize) {
            *at = Some(row(number)?);
        }
    }
    Ok(rows.into_iter().flatten().collect())
}

impl CachedScan {
    fn new(reader: &Reader<'_>, type_name: &'static str, keeps_blocks: bool) -> Result<Outlined<Self>> {
        let batches = Some(Box::new(BatchDecoder::from_rows(reader, keeps_blocks)?));
        let mut cursor = Cursor::from_reader(reader);
        cursor.keep_tree();
        Ok(Outlined::new(Self { type_name, cursor, batches }))
    }

    /// The rows to decode with one: those that have been, if it is one of them. While rows are asked for in
    /// their order, more at a time.
    fn window(&self, number: u64, rows: u64) -> Range<u64> {
        let last = self.cursor.rows();
        if last.contains(&number) {
            return last;
        }
        let more = if number == last.end { 2 * (last.end - last.start) } else { 1 };
        number..number.saturating_add(more.clamp(1, WINDOW_ROWS_MAX)).min(rows)
    }

    /// A row of a window. After an error there are no more.
    fn row<T: DeserializeOwned>(
        &mut self,
        reader: &Reader<'_>,
        number: u64,
        window: Range<u64>,
    ) -> Result<T> {
        let no_batches = || Error::internal("single rows are decoded by another thread");
        let cursor = &mut self.cursor;
        let is_decoded = cursor.seek(number);
        if is_decoded && let Some(row) = FastPathMiss::checked(T::deserialize(cursor.fast(cursor.index()))) {
            return Ok(row);
        }
        let mut batches = self.batches.take().ok_or_else(no_batches)?;
        if !is_decoded {
            // For one row, to make a tree would take longer than what it saves.
            cursor.be_fast(window.end - window.start > 1);
            batches.restart(&reader.file, window);
        }
        let mut columns = BatchSource::from_file(&reader.file, batches);
        if !is_decoded && !cursor.advance(&mut columns)? {
            return Err(Error::internal("no row is decoded where the file has one"));
        }
        let fast = if is_decoded {
            None
        } else {
            FastPathMiss::checked(T::deserialize(cursor.fast(cursor.index())))
        };
        let row = fast.map_or_else(|| cursor.row(&mut columns), Ok)?;
        self.batches = Some(columns.into_batches().ok_or_else(no_batches)?);
        Ok(row)
    }
}
