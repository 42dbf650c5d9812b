//! A reader that waits for no store in a thread.

mod fetched;
mod needs;
mod scan;
mod stream;

pub use stream::{AsyncBatches, AsyncRows};

use crate::place::{Place, Shown};
use crate::remote::HEAD_BYTES;
use fetched::{Fetched, Pinned};
use futures::StreamExt;
use needs::Needs;
use object_store::ObjectStore;
use object_store::path::Path;
use scan::{Scan, Scanned, Sizes, no_row};
use serde::de::DeserializeOwned;
use std::fmt;
use std::sync::Arc;
use trevni::column::ColumnInfo;
use trevni::{Dialect, Limits, Metadata, Predicate, Reader, ReaderBuilder, Result, RowSelection, Shape};

const SIZES: Sizes = Sizes {
    head: HEAD_BYTES,
    small: 512 << 10,
    table: 16 << 10,
    window: 8 << 20,
    block: Limits::DEFAULT.block_bytes,
};

/// A column file in an object store, for tasks that must not block: rows are a stream.
///
/// It needs no runtime: requests run in threads of this crate, so tokio, `futures::executor::block_on` and any other executor can wait
/// for them. Clones are cheap, and share what has been fetched.
///
/// ```
/// use futures::TryStreamExt;
/// use serde::{Deserialize, Serialize};
/// use std::sync::Arc;
/// use trevni::col;
/// use trevni_object_store::AsyncReader;
/// use trevni_object_store::object_store::{ObjectStoreExt, memory::InMemory};
///
/// #[derive(Serialize)]
/// struct Flight { carrier: &'static str, dep_delay: f64, distance: f64 }
///
/// #[derive(Deserialize)]
/// struct Delay { carrier: String, dep_delay: f64 }
///
/// # let rows = [("AA", 80.0), ("UA", 5.0), ("DL", 61.0)];
/// # let rows = rows.map(|(carrier, dep_delay)| Flight { carrier, dep_delay, distance: 1089.0 });
/// # futures::executor::block_on(async {
/// let store = Arc::new(InMemory::new());
/// store.put(&"flights.trv".into(), trevni::to_vec(rows)?.into()).await?;
///
/// let reader = AsyncReader::open_in(store, "flights.trv").await?;
/// let mut rows = reader.filter(col("dep_delay").gt(60.0))?.rows::<Delay>();
/// while let Some(delay) = rows.try_next().await? {
///     println!("{} {}", delay.carrier, delay.dep_delay);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
///
/// # Requests
///
/// Opening takes one request, or two if the header has more than 64 KiB. Columns of up to 512 KiB together then take one for each run of
/// neighbours; so do all rows of up to 8 MiB. Otherwise one round of requests brings the block tables, and then
/// each window of rows takes one request for each run of neighbouring blocks. A predicate's columns are fetched first, and the others only
/// where a row matches. The requests of a round run at the same time, up to 16 of them.
///
/// # Memory, and how long a call takes
///
/// A window has about 8 MiB of the file ([`AsyncReaderBuilder::window_bytes`]), and at most 1,048,576 rows; the bytes of the next window
/// are fetched while the rows of this one are read. So a stream holds two windows, and the batch that is decoded. Beside this, 16 MiB are
/// kept of what has been read.
///
/// The task that polls decodes: a batch of up to 4,096 rows at a time, and the columns of a predicate for a whole window. After 1,024
/// rows a stream yields to the executor, as between windows. Where that is too long, make windows smaller, or spawn the task that reads.
///
/// # Cancellation
///
/// Any future and stream of this type may be dropped while it waits. Its requests end, and the reader and its other streams go on.
#[derive(Clone)]
pub struct AsyncReader {
    fetched: Arc<Fetched>,
    /// Of the projected fields and all rows.
    all: Reader<'static>,
    /// Of the projected fields and the selected rows.
    selected: Reader<'static>,
    /// Of the rows that match, among those selected.
    filter: Option<Reader<'static>>,
    sizes: Sizes,
}

impl AsyncReader {
    /// Opens the column file at a URL.
    ///
    /// # Errors
    ///
    /// A URL without a store, an object that cannot be fetched, and the errors of [`Reader::new`].
    pub async fn open(url: &str) -> Result<Self> {
        Self::builder().open(url).await
    }

    /// Opens an object of a store.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub async fn open_in(store: Arc<dyn ObjectStore>, path: impl Into<Path>) -> Result<Self> {
        Self::builder().open_in(store, path).await
    }

    /// Options for reading.
    pub fn builder() -> AsyncReaderBuilder {
        AsyncReaderBuilder::new()
    }

    /// A reader of some fields only; see [`Reader::project`].
    ///
    /// # Errors
    ///
    /// A path that is not in the shape; the error suggests a similar one.
    pub fn project<P: AsRef<str>>(&self, paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let paths: Vec<P> = paths.into_iter().collect();
        Ok(Self { all: self.all.project(&paths)?, selected: self.selected.project(&paths)?, ..self.clone() })
    }

    /// A reader of the rows for which a predicate is true; see [`Reader::filter`].
    ///
    /// # Errors
    ///
    /// An unknown path, or a literal that cannot be compared with the values at a path.
    pub fn filter(&self, predicate: Predicate) -> Result<Self> {
        let filter = match &self.filter {
            Some(before) => before.filter(predicate)?,
            None => self.selected.filter(predicate)?.project::<&str>([])?,
        };
        Ok(Self { filter: Some(filter), ..self.clone() })
    }

    /// A reader of some rows only, by number from 0; see [`Reader::select`].
    ///
    /// # Errors
    ///
    /// A range that ends after the last row.
    pub fn select(&self, rows: impl Into<RowSelection>) -> Result<Self> {
        let rows = rows.into();
        let filter = self.filter.as_ref().map(|filter| filter.select(rows.clone())).transpose()?;
        Ok(Self { selected: self.selected.select(rows)?, filter, ..self.clone() })
    }

    /// The rows, as a type with all or some of their fields. Only the columns of these fields are fetched: the type says which these are,
    /// or its first row shows it. An error that [`Reader::rows`] returns is the first item.
    pub fn rows<T: DeserializeOwned>(&self) -> AsyncRows<T> {
        let needs = Needs::of::<T>(self.selected.clone());
        AsyncRows::new(Ok(self.scan(&self.selected, self.filter.clone(), needs)))
    }

    /// The rows as batches of typed vectors, with all projected columns decoded; see [`Reader::batches`].
    pub fn batches(&self) -> AsyncBatches {
        let needs = Needs::all(self.selected.clone());
        AsyncBatches::new(Ok(self.scan(&self.selected, self.filter.clone(), needs)))
    }

    /// Reads one row, by its number from 0 within the file, regardless of selections and filters. To read several, use
    /// [`take`](Self::take).
    ///
    /// # Errors
    ///
    /// A row number out of range, a row that does not fit `T`, bytes that cannot be fetched or decoded.
    pub async fn row<T: DeserializeOwned>(&self, number: u64) -> Result<T> {
        let mut rows = self.taken(RowSelection::from(number..number.saturating_add(1)));
        rows.next().await.unwrap_or_else(|| Err(no_row(&self.fetched, number)))
    }

    /// Reads some rows, by their numbers from 0 within the file, in this order, regardless of selections and filters. Each block with some
    /// of these rows is fetched once. A row whose number is there twice is read twice.
    ///
    /// ```no_run
    /// # async fn read() -> trevni::Result<()> {
    /// let reader = trevni_object_store::AsyncReader::open("s3://bucket/flights.trv").await?;
    /// let rows: Vec<serde_json::Value> = reader.take(&[70_000, 5, 123_456]).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`row`](Self::row), of any of the rows.
    pub async fn take<T: DeserializeOwned>(&self, numbers: &[u64]) -> Result<Vec<T>> {
        let mut found: Vec<Option<T>> = numbers.iter().map(|_| None).collect();
        let mut left: Vec<(u64, usize)> = numbers.iter().copied().zip(0..).collect();
        left.sort_unstable();
        while !left.is_empty() {
            let (mut now, mut again) = (Vec::with_capacity(left.len()), Vec::new());
            for (number, place) in left {
                let is_first = now.last().is_none_or(|(last, _)| *last != number);
                if is_first { now.push((number, place)) } else { again.push((number, place)) }
            }
            let mut rows = self.taken(now.iter().map(|(number, _)| *number).collect());
            for (number, place) in now {
                let row = rows.next().await.unwrap_or_else(|| Err(no_row(&self.fetched, number)));
                found[place] = Some(row?);
            }
            left = again;
        }
        Ok(found.into_iter().flatten().collect())
    }

    fn taken<T: DeserializeOwned>(&self, rows: RowSelection) -> AsyncRows<T> {
        let selected = self.all.select(rows);
        AsyncRows::new(selected.map(|reader| self.scan(&reader, None, Needs::of::<T>(reader.clone()))))
    }

    fn scan(&self, reader: &Reader<'static>, filter: Option<Reader<'static>>, needs: Needs) -> Scan {
        let (fetched, reader) = (Arc::clone(&self.fetched), reader.clone());
        Scan::new(Scanned { fetched, reader, filter, needs, sizes: self.sizes })
    }
}

/// Facts of the file, which need no rows.
impl AsyncReader {
    /// Number of rows in the file, as its header states, regardless of selections and filters.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.all.row_count()
    }

    /// The shape of the rows; after [`project`](Self::project), of the projected rows.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        self.all.shape()
    }

    /// The columns of the file.
    #[must_use]
    pub fn columns(&self) -> &[ColumnInfo] {
        self.all.columns()
    }

    /// The metadata of the file.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        self.all.metadata()
    }

    /// The format of the file.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.all.dialect()
    }

    /// The URL, without query and password; of an object of a store, its path.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.fetched.shown().url
    }

    /// Number of requests so far, of this reader, its clones and their streams. A retry is not counted.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.fetched.requests()
    }
}

impl fmt::Debug for AsyncReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncReader")
            .field("url", &self.url())
            .field("reader", &self.selected)
            .finish_non_exhaustive()
    }
}

/// Configures and opens an [`AsyncReader`]. Every option has a default.
///
/// ```no_run
/// use trevni::{Limits, Reader};
/// use trevni_object_store::AsyncReader;
///
/// # async fn open() -> trevni::Result<()> {
/// let builder = AsyncReader::builder().limits(Limits::default().memory(64 << 20)).window_bytes(1 << 20);
/// let reader = builder.options(Reader::builder().logical_text()).open("https://example.org/flights.trv").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct AsyncReaderBuilder {
    options: ReaderBuilder,
    limits: Limits,
    sizes: Sizes,
}

impl Default for AsyncReaderBuilder {
    fn default() -> Self {
        Self { options: ReaderBuilder::new(), limits: Limits::DEFAULT, sizes: SIZES }
    }
}

impl AsyncReaderBuilder {
    /// Creates a builder with the defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets resource limits for untrusted input. Default: [`Limits::DEFAULT`].
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.sizes.block = limits.block_bytes;
        self
    }

    /// Sets the options of a [`ReaderBuilder`], except its limits: this builder has its own. Default: the defaults of [`ReaderBuilder`].
    pub fn options(mut self, options: ReaderBuilder) -> Self {
        self.options = options;
        self
    }

    /// Sets about how many bytes of the file are fetched and decoded together. A stream holds up to twice as many. A block is always
    /// fetched whole. Default: 8 MiB.
    pub fn window_bytes(mut self, bytes: u64) -> Self {
        self.sizes.window = bytes.max(1);
        self
    }

    /// Opens the column file at a URL.
    ///
    /// # Errors
    ///
    /// As [`AsyncReader::open`].
    pub async fn open(self, url: &str) -> Result<AsyncReader> {
        self.at(Place::of(url)?).await
    }

    /// Opens an object of a store.
    ///
    /// # Errors
    ///
    /// As [`AsyncReader::open`].
    pub async fn open_in(self, store: Arc<dyn ObjectStore>, path: impl Into<Path>) -> Result<AsyncReader> {
        let path = path.into();
        let shown = Shown::of_path(&path);
        self.at(Place { store, path, shown, is_bucket: false }).await
    }

    async fn at(self, place: Place) -> Result<AsyncReader> {
        let fetched = Fetched::open(place, self.sizes.head).await?;
        let options = self.options.limits(self.limits);
        let pinned = Pinned::new(&fetched);
        let all = pinned.run_header(self.sizes.head, || options.clone().source(Arc::clone(&fetched))).await?;
        Ok(AsyncReader { selected: all.clone(), all, filter: None, fetched, sizes: self.sizes })
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "lists of ranges")]
mod tests;
