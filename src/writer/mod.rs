//! Writes files.

mod atomic;
mod builder;
mod row_encoder;
mod start;

pub use atomic::AtomicFile;
pub(crate) use atomic::Taken;
pub use builder::WriterBuilder;

use crate::batch::Batch;
use crate::error::Result;
use crate::outlined::Outlined;
use crate::shape::Shape;
use row_encoder::RowEncoder;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// Writes rows to a file.
///
/// The header of a file comes first and holds the position of each column, so compressed blocks wait
/// until [`Writer::finish`]: in memory, and beyond [`WriterBuilder::memory_limit`] in a temporary file. A
/// file may be larger than memory. A writer that is dropped before `finish` leaves nothing, and says so in debug builds
/// ([`WriterBuilder::without_drop_notice`]).
///
/// The shape of the rows is inferred from the rows, unless [`WriterBuilder::schema`] gives it.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("trevni-doc-writer-{}.trv", std::process::id()));
/// use trevni::{Codec, Writer};
///
/// #[derive(serde::Serialize)]
/// struct Reading {
///     sensor: String,
///     celsius: Option<f32>,
/// }
///
/// let mut writer = Writer::builder().codec(Codec::Deflate).metadata("site", "roof").create(&path)?;
/// writer.write(&Reading { sensor: "north".to_owned(), celsius: Some(21.5) })?;
/// writer.write(&Reading { sensor: "south".to_owned(), celsius: None })?;
/// writer.finish()?;
/// # std::fs::remove_file(path)?;
/// # Ok::<(), trevni::Error>(())
/// ```
pub struct Writer<W: Write> {
    sink: W,
    /// Makes the contents of the sink visible.
    commit: fn(&mut W) -> Result<()>,
    /// All else, which is the same for all sinks.
    rows: Outlined<RowEncoder>,
}

impl Writer<AtomicFile> {
    /// As [`finish`](Self::finish); before the file gets its name, its header is opened as a reader opens it.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("trevni-doc-checked-{}.trv", std::process::id()));
    /// let mut writer = trevni::Writer::create(&path)?;
    /// writer.write_all(0..10)?;
    /// writer.finish_checked()?;
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`finish`](Self::finish), and a fault of this crate: a file that no reader opens.
    pub fn finish_checked(mut self) -> Result<AtomicFile> {
        self.commit = AtomicFile::complete_columns;
        self.finish()
    }

    /// Creates a file, with the defaults of [`WriterBuilder`]. It is written under a temporary name and
    /// renamed by [`Writer::finish`], so a partial file is never visible.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written to.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        WriterBuilder::new().create(path)
    }

    /// Options for writing.
    pub fn builder() -> WriterBuilder {
        WriterBuilder::new()
    }
}

impl<W: Write> Writer<W> {
    /// Creates a writer for a sink, with the defaults of [`WriterBuilder`].
    ///
    /// # Errors
    ///
    /// None with the defaults.
    pub fn new(sink: W) -> Result<Self> {
        WriterBuilder::new().build(sink)
    }

    /// Appends a row. It is serialized once, so it may be one that can be serialized only once, such as an iterator or one
    /// of `serde_transcode`.
    ///
    /// ```
    /// use serde::{Serialize, Serializer};
    /// use std::cell::RefCell;
    ///
    /// /// A row that is consumed when it is serialized.
    /// struct Items<I>(RefCell<I>);
    ///
    /// impl<I: Iterator<Item = u64>> Serialize for Items<I> {
    ///     fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
    ///         serializer.collect_seq(&mut *self.0.borrow_mut())
    ///     }
    /// }
    ///
    /// let mut writer = trevni::Writer::new(Vec::new())?;
    /// writer.write(&Items(RefCell::new(0..0)))?;
    /// writer.write(&Items(RefCell::new(0..2)))?;
    /// let rows: Vec<Vec<u64>> = trevni::from_slice(&writer.finish()?)?;
    /// assert_eq!(rows, [vec![], vec![0, 1]]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A row whose `Serialize` fails, that does not fit a given schema, or that is nested too deep. Such a
    /// row is skipped, and writing may continue; fields that only it had stay in the shape, as absent.
    /// After an I/O error of the temporary file, the writer is unusable.
    #[inline]
    pub fn write<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<()> {
        self.rows.write(row, &mut self.sink)
    }

    /// Appends rows.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`]; the rows before the failing one are kept.
    pub fn write_all<I>(&mut self, rows: I) -> Result<()>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        let (mut rows, encoder) = (rows.into_iter(), &mut *self.rows);
        encoder.expect(rows.size_hint().0);
        rows.try_for_each(|row| encoder.write(&row, &mut self.sink))
    }

    /// Appends the rows of a batch, without serde. Use it to rewrite a file with another codec, fewer
    /// fields or in another order.
    ///
    /// ```
    /// use trevni::{Codec, Reader, Writer};
    ///
    /// let bytes = trevni::to_vec([("one", 1), ("two", 2)])?;
    /// let reader = Reader::from_slice(&bytes)?;
    /// let mut writer = Writer::builder().codec(Codec::Deflate).shape(reader.shape()).build(Vec::new())?;
    /// for batch in reader.batches()? {
    ///     writer.write_batch(&batch?)?;
    /// }
    /// let rows: Vec<(String, u8)> = trevni::from_slice(&writer.finish()?)?;
    /// assert_eq!(rows[1], ("two".to_owned(), 2));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A batch whose shape differs from the given shape or from the rows so far; an I/O error of the
    /// temporary file.
    pub fn write_batch(&mut self, batch: &Batch) -> Result<()> {
        self.rows.write_batch(batch, &mut self.sink)
    }

    /// Sets an entry of the file's metadata, of what is known only after some rows. It replaces an entry of the same key.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// writer.set_metadata("last", "9")?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.metadata().get_str("last"), Some("9"));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A key that begins with `trevni.` or is reserved otherwise, and one that the format cannot have.
    pub fn set_metadata(&mut self, key: &str, value: impl AsRef<[u8]>) -> Result<()> {
        start::unreserved(key)?;
        self.rows.encoder.set_metadata(key, value.as_ref());
        self.rows.encoder.check(self.rows.shape())
    }

    /// Number of rows written so far.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.rows.count()
    }

    /// Estimated file size in bytes if finished now: compressed blocks plus an estimate for buffered rows,
    /// excluding the header. It visits all columns, so call it now and then, not for each row.
    ///
    /// ```
    /// let mut writer = trevni::Writer::new(Vec::new())?;
    /// for number in 0..100_000 {
    ///     writer.write(&(number, "a text"))?;
    /// }
    /// let size = writer.size();
    /// let file = writer.finish()?;
    /// assert!(size.abs_diff(file.len() as u64) < 10_000, "{size}, {}", file.len());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn size(&self) -> u64 {
        self.rows.size()
    }

    /// The shape of the rows so far. Strings that are stored as another type
    /// ([`WriterBuilder::detect_logical`]) are strings in it.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        self.rows.shape()
    }

    /// Waits until all full blocks are compressed.
    pub(crate) fn settle(&mut self) -> Result<()> {
        self.rows.settle()
    }

    /// Number of encoded rows, which [`Writer::size`] counts exactly.
    #[inline]
    pub(crate) fn encoded_rows(&self) -> u64 {
        self.rows.encoded()
    }

    /// Encodes rows in smaller batches. Before the first row.
    pub(crate) fn with_batch_bytes(mut self, bytes: usize) -> Self {
        self.rows.limit_batches(bytes);
        self
    }

    /// As [`finish`](Self::finish), and tells how many bytes have been written of about how many, after each piece: large
    /// files take a while, for their blocks are written only now.
    ///
    /// ```
    /// use trevni::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new())?;
    /// writer.write_all(0..100_000)?;
    /// let mut last = (0, 0);
    /// let file = writer.finish_with(|written, size| last = (written, size))?;
    /// assert_eq!(last, (file.len() as u64, file.len() as u64));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`finish`](Self::finish).
    pub fn finish_with(self, mut progress: impl FnMut(u64, u64)) -> Result<W> {
        let Self { mut sink, commit, rows } = self;
        let size = rows.size();
        let mut counted = Counted { sink: &mut sink, written: 0, size, progress: &mut progress };
        RowEncoder::finish(rows, &mut counted)?;
        let written = counted.written;
        commit(&mut sink)?;
        progress(written, written);
        Ok(sink)
    }

    /// Drops the writer, whose rows are not wanted.
    pub(crate) fn discard(mut self) {
        self.rows.keep_silent();
    }

    /// Where the bytes go.
    pub(crate) fn sink_mut(&mut self) -> &mut W {
        &mut self.sink
    }

    /// Starts from the shape of other rows, and grows from there; a given shape stays. Before the first row.
    pub(crate) fn with_known(mut self, shape: Shape) -> Self {
        self.rows.start_from(shape);
        self
    }

    /// Completes the file and returns the sink. A file from [`Writer::create`] gets its final name.
    ///
    /// # Errors
    ///
    /// An I/O error of the sink or the temporary file, and options that the columns do not allow.
    pub fn finish(self) -> Result<W> {
        let Self { mut sink, commit, rows } = self;
        RowEncoder::finish(rows, &mut sink)?;
        commit(&mut sink)?;
        Ok(sink)
    }
}

/// A sink that tells how much has been written.
struct Counted<'a> {
    sink: &'a mut dyn Write,
    written: u64,
    size: u64,
    progress: &'a mut dyn FnMut(u64, u64),
}

impl Counted<'_> {
    fn count(&mut self, bytes: usize) -> usize {
        self.written += bytes as u64;
        (self.progress)(self.written, self.size.max(self.written));
        bytes
    }
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink.write(bytes)?;
        Ok(self.count(written))
    }

    fn write_vectored(&mut self, parts: &[io::IoSlice<'_>]) -> io::Result<usize> {
        let written = self.sink.write_vectored(parts)?;
        Ok(self.count(written))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

impl<W: Write> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("rows", &self.row_count()).finish_non_exhaustive()
    }
}
