//! Writes rows into files of about one size.

use super::DatasetWriterBuilder;
use super::committed::refuse_tables;
use super::folder::{self, PART_DIGITS};
use super::replaced::remove_replaced;
use super::tail::{REPLACED_KEPT, Tail, remove_pieces};
use crate::batch::Batch;
use crate::error::{Error, Result};
use crate::reader::Reader;
use crate::shape::Shape;
use crate::writer::{AtomicFile, Taken, Writer};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The least number of batches in a part, which is the precision of its size.
const PART_BATCHES: u64 = 16;

/// The file being written.
struct Part {
    path: PathBuf,
    writer: Writer<AtomicFile>,
}

/// Writes rows into files `part-00000.trv`, `part-00001.trv`, … of a folder; those of
/// [`Dialect::RedElm`](crate::Dialect::RedElm) end in `.redelm`.
///
/// A part ends at about [`DatasetWriterBuilder::part_bytes`] bytes, at [`part_rows`](DatasetWriterBuilder::part_rows)
/// rows, at an age ([`part_age`](DatasetWriterBuilder::part_age)), or where [`end_part`](Self::end_part) says so. Files
/// are written under a temporary name and renamed. **A dropped writer, or a killed program, loses the rows of the
/// current part**, unless they are flushed: [`flush`](Self::flush),
/// [`sync_every`](DatasetWriterBuilder::sync_every), [`sync_rows`](DatasetWriterBuilder::sync_rows).
///
/// Several writers may [`append`](DatasetWriterBuilder::append) to one folder at a time: a part takes the next number
/// that no part of any format has.
///
/// Each part starts with the shape of the parts before it, so a field keeps its type even in a part where it
/// is `None` in all rows.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-parts-{}", std::process::id()));
/// # let _ = std::fs::remove_dir_all(&folder);
/// use trevni::{Codec, Dataset, DatasetWriter, Writer};
///
/// let options = Writer::builder().codec(Codec::Deflate);
/// let mut writer = DatasetWriter::builder().part_rows(1000).writer(options).create(&folder)?;
/// for n in 0..2500u32 {
///     writer.write(&(n, n % 7))?;
/// }
/// assert_eq!(writer.parts().len(), 2);
/// let parts = writer.finish()?;
/// assert_eq!(parts[2], folder.join("part-00002.trv"));
///
/// assert_eq!(Dataset::open(&folder)?.row::<(u32, u32)>(2222)?, (2222, 3));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
pub struct DatasetWriter {
    options: DatasetWriterBuilder,
    folder: PathBuf,
    /// Number of the next part.
    next: u64,
    /// Whether the folder had parts before.
    appends: bool,
    /// The shape of the parts so far.
    known: Shape,
    current: Option<Part>,
    /// What is flushed of the current part.
    tail: Option<Tail>,
    /// Whether pieces of complete parts may be there still.
    has_pieces: bool,
    /// Encoded rows of the current file when its bytes were last counted.
    counted: u64,
    /// Rows in complete files.
    rows: u64,
    /// When the current part got its first row, and the current file.
    began: Option<Instant>,
    waits: Option<Instant>,
    parts: Vec<PathBuf>,
    broken: bool,
}

impl DatasetWriter {
    /// Creates a dataset in a folder, with the defaults of [`DatasetWriterBuilder`].
    ///
    /// # Errors
    ///
    /// As [`DatasetWriterBuilder::create`].
    pub fn create(folder: impl AsRef<Path>) -> Result<Self> {
        DatasetWriterBuilder::new().create(folder)
    }

    /// Starts with the part of number `next`.
    pub(super) fn start(
        options: DatasetWriterBuilder,
        folder: &Path,
        next: u64,
        appends: bool,
    ) -> Result<Self> {
        refuse_tables(folder)?;
        let mut writer = Self {
            options,
            folder: folder.to_owned(),
            next,
            appends,
            known: Shape::Unknown,
            current: None,
            tail: None,
            has_pieces: false,
            counted: 0,
            rows: 0,
            began: None,
            waits: None,
            parts: Vec::new(),
            broken: false,
        };
        // Wrong options fail now, not at the first row.
        writer.part()?;
        Ok(writer)
    }

    /// Goes on with what killed writers have left: the last part that one has begun is the current one, and those
    /// before it are completed.
    pub(super) fn take_over(&mut self) -> Result<()> {
        let mut tails = Tail::abandoned(&self.folder, self.options.writer.own_block_size())?;
        let Some(tail) = tails.pop() else { return Ok(()) };
        tails.iter().try_for_each(|tail| tail.complete().map(drop))?;
        let current = self.current.take().map(|Part { path, writer }| {
            let last = tail.last().map(Reader::open);
            let shape =
                last.and_then(Result::ok).map_or(Shape::Unknown, |last| last.known_shape().into_owned());
            Part { path, writer: writer.with_known(shape) }
        });
        (self.current, self.tail, self.began) = (current, Some(tail), Some(Instant::now()));
        Ok(())
    }

    /// Options for writing a dataset.
    pub fn builder() -> DatasetWriterBuilder {
        DatasetWriterBuilder::new()
    }

    /// Appends a row.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`], after which writing may continue; a part that cannot be written, after which it
    /// may not. The error names the part and the number of the row within it.
    #[inline]
    pub fn write<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<()> {
        if self.options.has_clock() {
            self.end_old_part()?;
        }
        let part = self.part()?;
        part.writer.write(row).map_err(|error| error.in_file(&part.path))?;
        self.written()
    }

    /// Appends the rows of a batch, which come into one part. Batches must have one shape, as for
    /// [`Writer::write_batch`].
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-part-batch-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use trevni::{Dataset, DatasetWriter, Reader};
    ///
    /// let file = trevni::to_vec(0..10_000)?;
    /// let mut writer = DatasetWriter::builder().part_rows(4000).create(&folder)?;
    /// for batch in Reader::from_slice(&file)?.batches()? {
    ///     writer.write_batch(&batch?)?;
    /// }
    /// assert!(writer.finish()?.len() > 1);
    /// assert_eq!(Dataset::open(&folder)?.row_count(), 10_000);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`DatasetWriter::write`], and those of [`Writer::write_batch`].
    pub fn write_batch(&mut self, batch: &Batch) -> Result<()> {
        if self.options.has_clock() {
            self.end_old_part()?;
        }
        let part = self.part()?;
        part.writer.write_batch(batch).map_err(|error| error.in_file(&part.path))?;
        self.written()
    }

    /// What follows a row: the end of the part, or a flush.
    #[inline]
    fn written(&mut self) -> Result<()> {
        if self.is_full()? {
            return self.end_part();
        }
        if self.options.syncs() && self.is_due() { self.flush() } else { Ok(()) }
    }

    /// Appends rows.
    ///
    /// # Errors
    ///
    /// As [`DatasetWriter::write`]; the rows before the failing one are kept.
    pub fn write_all<I>(&mut self, rows: I) -> Result<()>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        rows.into_iter().try_for_each(|row| self.write(&row))
    }

    /// Puts all rows so far on disk, and lets readers see them: they become a small file beside the parts, a piece of the
    /// current part. A complete part replaces its pieces. After a crash, pieces are read as any file, and the next writer
    /// that [appends](DatasetWriterBuilder::append) goes on with them.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-flush-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use trevni::{Dataset, DatasetWriter};
    ///
    /// let mut writer = DatasetWriter::create(&folder)?;
    /// writer.write_all(0..10)?;
    /// writer.flush()?;
    /// writer.write(&10)?;
    /// assert_eq!(Dataset::open(&folder)?.row_count(), 10);
    /// drop(writer); // without finish, as in a crash
    /// let mut writer = DatasetWriter::builder().append(&folder)?;
    /// writer.write(&10)?;
    /// assert_eq!(writer.finish()?, [folder.join("part-00000.trv")]);
    /// assert_eq!(Dataset::open(&folder)?.row_count(), 11);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Writer::finish`], after which writing may not continue; flushed rows stay.
    pub fn flush(&mut self) -> Result<()> {
        self.flush_file()?;
        match self.tail.as_ref().is_some_and(|tail| tail.bytes() >= self.options.part_bytes) {
            true => self.end_part(),
            false => Ok(()),
        }
    }

    /// Makes a piece of the waiting rows.
    fn flush_file(&mut self) -> Result<()> {
        if self.broken {
            return Err(broken());
        }
        if self.current.as_ref().is_none_or(|part| part.writer.row_count() == 0) {
            return Ok(());
        }
        if self.tail.is_none() {
            let path = self.part_path();
            let tail = Tail::begin(&path, self.options.writer.own_block_size());
            self.tail = Some(tail.map_err(|error| error.in_file(&path))?);
        }
        let path = self.tail.as_ref().map(Tail::next);
        let (rows, _) = self.end_file(path)?;
        self.tail.iter_mut().for_each(|tail| tail.add(rows));
        Ok(())
    }

    /// Number of rows written so far, including the current part.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.rows + self.current.as_ref().map_or(0, |part| part.writer.row_count())
    }

    /// The paths of the parts that this writer has completed, in order; not the parts that
    /// [`append`](DatasetWriterBuilder::append) found.
    #[must_use]
    pub fn parts(&self) -> &[PathBuf] {
        &self.parts
    }

    /// Completes the last part, and returns the paths of all parts of this writer. A new dataset without rows
    /// gets one part without rows, so that it can be read.
    ///
    /// # Errors
    ///
    /// As [`Writer::finish`]; the completed parts stay.
    pub fn finish(mut self) -> Result<Vec<PathBuf>> {
        let empty = self.current.as_ref().is_none_or(|part| part.writer.row_count() == 0);
        let first = self.parts.is_empty() && !self.appends;
        if self.broken || !empty || first {
            self.part()?;
        }
        if self.tail.is_some() || !empty || first {
            self.end_part()?;
        }
        if self.has_pieces {
            remove_pieces(&self.folder, &self.parts)?;
        }
        if let Some(Part { writer, .. }) = self.current {
            writer.discard();
        }
        Ok(self.parts)
    }

    /// The current file, which is created for its first row.
    #[inline]
    fn part(&mut self) -> Result<&mut Part> {
        if self.current.is_none() {
            self.current = Some(self.begin_part()?);
        }
        self.current.as_mut().ok_or_else(broken)
    }

    fn part_path(&self) -> PathBuf {
        self.folder.join(folder::part_name(self.next, PART_DIGITS, self.options.writer.target()))
    }

    #[cold]
    fn begin_part(&mut self) -> Result<Part> {
        if self.broken {
            return Err(broken());
        }
        let path = self.part_path();
        let options = self.options.writer.clone();
        let taken = Taken::Next(folder::free_part);
        let writer = options.start(&path, taken).map_err(|error| error.in_file(&path))?;
        let batch = usize::try_from(self.options.part_bytes / PART_BATCHES).unwrap_or(usize::MAX);
        let known = std::mem::replace(&mut self.known, Shape::Unknown);
        self.counted = 0;
        Ok(Part { path, writer: writer.with_batch_bytes(batch).with_known(known) })
    }

    /// Ends the current part where it is too old.
    fn end_old_part(&mut self) -> Result<()> {
        let now = Instant::now();
        let is_old = |age: Duration| self.began.is_some_and(|began| now.duration_since(began) >= age);
        if self.options.part_age.is_some_and(is_old) {
            self.end_part()?;
        }
        self.began.get_or_insert(now);
        self.waits.get_or_insert(now);
        Ok(())
    }

    /// Whether rows have waited long enough for a flush.
    fn is_due(&self) -> bool {
        let waiting = self.current.as_ref().map_or(0, |part| part.writer.row_count());
        self.options.sync_rows.is_some_and(|rows| waiting >= rows)
            || self
                .options
                .sync_every
                .is_some_and(|time| self.waits.is_some_and(|since| since.elapsed() >= time))
    }

    /// Whether the current part is full. Its bytes are counted after rows were encoded.
    #[inline]
    fn is_full(&mut self) -> Result<bool> {
        let Some(Part { path, writer }) = &mut self.current else {
            return Ok(false);
        };
        let flushed = self.tail.as_ref();
        if let Some(rows) = self.options.part_rows
            && writer.row_count() >= rows.saturating_sub(flushed.map_or(0, Tail::rows))
        {
            return Ok(true);
        }
        let encoded = writer.encoded_rows();
        if encoded == self.counted {
            return Ok(false);
        }
        self.counted = encoded;
        let bytes = self.options.part_bytes.saturating_sub(flushed.map_or(0, Tail::bytes));
        if writer.size() < bytes {
            return Ok(false);
        }
        // Blocks that other threads are compressing count as uncompressed.
        writer.settle().map_err(|error| error.in_file(path))?;
        Ok(writer.size() >= bytes)
    }

    /// Completes the current part, if it has rows: the next row begins another one.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-end-part-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// let mut writer = trevni::DatasetWriter::create(&folder)?;
    /// writer.write(&"Monday")?;
    /// writer.end_part()?;
    /// assert_eq!(writer.parts(), [folder.join("part-00000.trv")]);
    /// writer.write(&"Tuesday")?;
    /// assert_eq!(writer.finish()?.len(), 2);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Writer::finish`]; flushed rows stay.
    #[cold]
    pub fn end_part(&mut self) -> Result<()> {
        if self.tail.is_some() {
            self.flush_file()?;
        }
        let path = match (&self.tail, &self.current) {
            (Some(tail), _) => tail.complete()?,
            (None, Some(_)) => self.end_file(None)?.1,
            (None, None) => return Ok(()),
        };
        if self.tail.take().is_some() {
            // The pieces stay for those that have listed the folder before.
            self.has_pieces = true;
            remove_replaced(&self.folder, REPLACED_KEPT)?;
        }
        self.next = folder::part_number(&path).map_or(self.next, |number| number.saturating_add(1));
        self.began = None;
        self.parts.push(path);
        Ok(())
    }

    /// Completes the current file, which gets a path, or the next number; returns its rows and path.
    fn end_file(&mut self, path: Option<PathBuf>) -> Result<(u64, PathBuf)> {
        let Part { path: expected, mut writer } = self.current.take().ok_or_else(broken)?;
        if let Some(path) = path {
            writer.sink_mut().set_path(path);
        }
        self.known = writer.shape().clone();
        let rows = writer.row_count();
        let file = writer.finish().map_err(|error| {
            self.broken = true;
            error.in_file(&expected)
        })?;
        self.rows += rows;
        self.waits = None;
        // Another writer may have taken the name, and some of those after it.
        Ok((rows, self.folder.join(file.path().file_name().unwrap_or_default())))
    }
}

#[cold]
fn broken() -> Error {
    Error::option(
        "a part could not be written, and its rows are lost: go on with `DatasetWriterBuilder::append`",
    )
}

impl fmt::Debug for DatasetWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatasetWriter")
            .field("folder", &self.folder)
            .field("parts", &self.parts.len())
            .field("rows", &self.row_count())
            .finish_non_exhaustive()
    }
}
