//! Which rows come next, and the bytes that they are in, window by window.
//!
//! A window is some of the rows that zone maps do not exclude. Of a reader with a predicate, the columns of the predicate are fetched
//! first, and the others where a row matches. While the rows of a window are read, the bytes of the next one are fetched.

use super::fetched::{Fetch, Fetched, Pinned};
use super::needs::Needs;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::task::Poll;
use trevni::{BlockInfo, Error, Reader, Result, RowSelection};

/// Rows of the first window and of the largest one. Blocks at the border of two windows are decoded twice.
const WINDOW_ROWS: Range<u64> = 1 << 15..1 << 20;

/// How often rows of a window may ask for more fields before all are fetched.
const LACKS_MAX: u32 = 8;

/// How many bytes are fetched at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Of an object at first: enough for the header of most files, and for all of small ones.
    pub(super) head: u64,
    /// Columns that have no more together are fetched as a whole.
    pub(super) small: u64,
    /// Of a column for its block table; a column that has no more is fetched as a whole.
    pub(super) table: u64,
    /// For the rows of a window, about.
    pub(super) window: u64,
    /// For a block, the most.
    pub(super) block: u64,
}

/// What a scan is of.
pub(super) struct Scanned {
    pub(super) fetched: Arc<Fetched>,
    /// Of the projected fields and the selected rows.
    pub(super) reader: Reader<'static>,
    /// Of the selected rows that match, without fields.
    pub(super) filter: Option<Reader<'static>>,
    pub(super) needs: Needs,
    pub(super) sizes: Sizes,
}

/// The rows of a reader, read by several readers one after the other.
pub(super) struct Scan {
    of: Scanned,
    /// What is kept to the end: block tables, and columns that are fetched as a whole.
    bytes: Pinned,
    /// The rows that no window has had; `None` at the beginning.
    left: Option<Left>,
    window_rows: u64,
    window: Option<Window>,
    next: Option<Planned>,
}

/// Rows whose bytes have been fetched.
struct Window {
    rows: RowSelection,
    bytes: Pinned,
    /// How often a row has lacked bytes.
    lacks: u32,
}

impl Window {
    /// A reader of the rows. That of a damaged file finds out here which rows are lost.
    async fn reader(&self, reader: &Reader<'static>) -> Result<Reader<'static>> {
        let reader = reader.select(self.rows.clone())?;
        self.bytes.run(|| reader.candidates()).await?;
        Ok(reader)
    }
}

/// Rows of which the first bytes are being fetched.
struct Planned {
    rows: RowSelection,
    bytes: Pinned,
    fetch: Option<Fetch>,
    /// Additions to the needs before that.
    additions: u32,
}

impl Scan {
    pub(super) fn new(of: Scanned) -> Self {
        let bytes = Pinned::new(&of.fetched);
        Self { of, bytes, left: None, window_rows: WINDOW_ROWS.start, window: None, next: None }
    }

    /// A reader of the next rows, whose bytes are there; `None` at the end.
    pub(super) async fn next_window(&mut self) -> Result<Option<Reader<'static>>> {
        self.window = None;
        if self.left.is_none() {
            self.begin().await?;
        }
        loop {
            let planned = match self.next.take() {
                Some(planned) => planned,
                None => match self.plan().await? {
                    Some(planned) => planned,
                    None => return Ok(None),
                },
            };
            if let Some(window) = self.finish(planned).await? {
                let reader = window.reader(&self.of.reader).await?;
                self.window = Some(window);
                return Ok(Some(reader));
            }
            // Others have their turn, also where no row matches for long.
            yield_now().await;
        }
    }

    /// The rows of the window.
    pub(super) fn window_rows(&self) -> u64 {
        self.window.as_ref().map_or(0, |window| window.rows.row_count())
    }

    /// A reader of the rows of the window but the first ones, after the next one has lacked bytes.
    pub(super) async fn go_on(
        &mut self,
        passed: u64,
        missed: Vec<Range<u64>>,
    ) -> Result<Option<Reader<'static>>> {
        let Some(window) = &mut self.window else { return Ok(None) };
        window.rows = Left::of(&window.rows).after(passed);
        match window.lacks < LACKS_MAX {
            true => self.of.needs.add(&missed),
            false => self.of.needs.add_all(),
        }
        window.bytes.fetch_missed(window.lacks, missed).await?;
        window.lacks += 1;
        let rows = &window.rows;
        if let Some(reader) = self.of.needs.reader() {
            let ranges = window.bytes.run(|| reader.select(rows.clone())?.ranges()).await?;
            window.bytes.fetch(within(ranges, self.of.sizes.block)).await?;
        }
        window.reader(&self.of.reader).await.map(Some)
    }

    /// Fetches what says where rows are, or all of the columns if that is not much.
    async fn begin(&mut self) -> Result<()> {
        let Self { of, bytes, .. } = self;
        let mut columns = of.needs.columns();
        columns.extend(of.filter.iter().flat_map(Reader::columns_read));
        columns.sort_unstable();
        columns.dedup();
        let extents = extents(&of.reader, &columns, of.fetched.len());
        let total: u64 = extents.iter().map(|extent| extent.end - extent.start).sum();
        let selected = bytes.run(|| of.reader.candidates()).await?.row_count();
        let reads_all = of.filter.is_none() && selected == of.reader.row_count();
        if total <= of.sizes.small || reads_all && total <= of.sizes.window {
            bytes.fetch(extents).await?;
        } else {
            let table = |extent: Range<u64>| extent.start..extent.end.min(extent.start + of.sizes.table);
            bytes.fetch(extents.into_iter().map(table).collect()).await?;
        }
        let mut row_bytes = 0;
        for column in columns {
            let blocks = bytes.run(|| of.reader.blocks(column)).await?;
            row_bytes += bytes_of(&blocks);
        }
        let candidates = of.filter.as_ref().unwrap_or(&of.reader);
        self.left = Some(Left::of(&bytes.run(|| candidates.candidates()).await?));
        let rows =
            u128::from(of.reader.row_count()) * u128::from(of.sizes.window) / u128::from(row_bytes.max(1));
        let most = u64::try_from(rows).unwrap_or(u64::MAX).clamp(1, WINDOW_ROWS.end);
        self.window_rows = self.window_rows.min(most);
        if let Some(left) = &mut self.left {
            left.most = most;
        }
        Ok(())
    }

    /// The next rows, whose bytes begin to be fetched; `None` at the end.
    async fn plan(&mut self) -> Result<Option<Planned>> {
        let Self { of, bytes, left, .. } = self;
        let Some(left) = left else { return Ok(None) };
        let mut rows = left.first(self.window_rows);
        let (first, then) = loop {
            let select = |reader: Option<&Reader<'static>>| match reader {
                Some(reader) => reader.select(rows.clone())?.ranges(),
                None => Ok(Vec::new()),
            };
            let (filter, needs) = (of.filter.as_ref(), of.needs.reader());
            let (first, then) = bytes.run(|| Ok((select(filter)?, select(needs)?))).await?;
            let total: u64 = first.iter().chain(&then).map(|range| range.end - range.start).sum();
            let (count, most) = (rows.row_count(), of.sizes.window.saturating_mul(2));
            if total <= most || count <= 1 {
                break (first, then);
            }
            // Few rows may be in many blocks.
            let fewer = u128::from(count) * u128::from(of.sizes.window) / u128::from(total);
            rows = Left::of(&rows).first(u64::try_from(fewer).unwrap_or(count).clamp(1, count / 2));
        };
        if rows.is_empty() {
            return Ok(None);
        }
        left.pass(rows.row_count());
        self.window_rows = (self.window_rows * 2).min(left.most);
        let window = Pinned::new(&of.fetched);
        let ranges = if of.filter.is_some() { first } else { then };
        let fetch = window.start(within(ranges, of.sizes.block))?;
        Ok(Some(Planned { rows, bytes: window, fetch, additions: of.needs.additions() }))
    }

    /// Waits for the bytes of a window; `None` if no row of it matches. Those of the next one begin to be fetched as soon as the first of
    /// these are there.
    async fn finish(&mut self, planned: Planned) -> Result<Option<Window>> {
        let Planned { mut rows, bytes, fetch, additions } = planned;
        if let Some(fetch) = fetch {
            fetch.await?;
        }
        self.next = self.plan().await?;
        if let Some(filter) = &self.of.filter {
            rows = bytes.run(|| filter.select(rows.clone())?.matching()).await?;
            if rows.is_empty() {
                return Ok(None);
            }
        }
        let has_all = self.of.filter.is_none() && self.of.needs.additions() == additions;
        let fetch = match self.of.needs.reader() {
            Some(reader) if !has_all => {
                let ranges = bytes.run(|| reader.select(rows.clone())?.ranges()).await?;
                bytes.start(within(ranges, self.of.sizes.block))?
            }
            _ => None,
        };
        if let Some(fetch) = fetch {
            fetch.await?;
        }
        Ok(Some(Window { rows, bytes, lacks: 0 }))
    }
}

/// Ranges without blocks that are too large: reading them is the error that says so.
fn within(mut ranges: Vec<Range<u64>>, block_bytes: u64) -> Vec<Range<u64>> {
    ranges.retain(|range| range.end - range.start <= block_bytes);
    ranges
}

/// Some columns, whole: where they begin, up to where the next one begins. Without columns that are not in one piece, or in memory.
fn extents(reader: &Reader<'_>, columns: &[usize], len: u64) -> Vec<Range<u64>> {
    let mut starts: Vec<u64> =
        (0..reader.columns().len()).filter_map(|number| reader.table_start(number)).collect();
    starts.sort_unstable();
    let extent = |number: &usize| {
        let start = reader.table_start(*number)?;
        let after = starts.get(starts.partition_point(|other| *other <= start));
        Some(start..after.map_or(len, |after| *after).min(len))
    };
    columns.iter().filter_map(extent).filter(|range| !range.is_empty()).collect()
}

fn bytes_of(blocks: &[BlockInfo]) -> u64 {
    blocks.iter().map(|block| u64::from(block.compressed_size)).sum()
}

/// Rows that are still to come.
struct Left {
    ranges: VecDeque<Range<u64>>,
    /// The most of a window.
    most: u64,
}

impl Left {
    fn of(rows: &RowSelection) -> Self {
        Self { ranges: rows.ranges().to_vec().into(), most: u64::MAX }
    }

    /// The next `count` of them.
    fn first(&self, count: u64) -> RowSelection {
        let mut left = count;
        let ranges = self.ranges.iter().map_while(|range| {
            let rows = left.min(range.end - range.start);
            left -= rows;
            (rows > 0).then(|| range.start..range.start + rows)
        });
        ranges.collect()
    }

    /// Passes over the next `count` of them.
    fn pass(&mut self, mut count: u64) {
        while let Some(range) = self.ranges.front_mut().filter(|_| count > 0) {
            let rows = count.min(range.end - range.start);
            (range.start, count) = (range.start + rows, count - rows);
            if range.is_empty() {
                self.ranges.pop_front();
            }
        }
    }

    /// Those after the next `count`.
    fn after(mut self, count: u64) -> RowSelection {
        self.pass(count);
        self.ranges.into_iter().collect()
    }
}

/// Lets the executor run other tasks.
pub(super) async fn yield_now() {
    let mut has_yielded = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// The error of a row that is not there, where its number is.
pub(super) fn no_row(fetched: &Fetched, number: u64) -> Error {
    let why = format!("row {number} has been lost");
    crate::failure::about(fetched.shown(), std::io::ErrorKind::InvalidData, &why).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_taken_from_the_front() {
        let mut left = Left::of(&RowSelection::from([2..5, 7..8, 10..20]));
        assert_eq!(left.first(4).ranges(), [2..5, 7..8]);
        assert_eq!(left.first(5).ranges(), [2..5, 7..8, 10..11]);
        assert!(left.first(0).is_empty());
        left.pass(2);
        assert_eq!(left.first(u64::MAX).ranges(), [4..5, 7..8, 10..20]);
        assert_eq!(left.after(3).ranges(), std::slice::from_ref(&(11..20)));
    }

    #[test]
    fn columns_end_where_the_next_ones_begin() {
        let file = trevni::to_vec((0..100).map(|id| (id, id.to_string()))).unwrap();
        let (reader, len) = (Reader::from_slice(&file).unwrap(), file.len() as u64);
        let [one, two] = [0, 1].map(|column| reader.columns()[column].start());
        assert_eq!(extents(&reader, &[0, 1], len), [one..two, two..len]);
        assert_eq!(extents(&reader, &[1], two), []);
    }
}
