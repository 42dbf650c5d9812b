//! Writes rows into files of about one size.

use super::DatasetWriterBuilder;
use super::folder::{self, PART_DIGITS};
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::writer::{AtomicFile, Taken, Writer};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

/// The least number of batches in a part, which is the precision of its size.
const PART_BATCHES: u64 = 16;

/// The part being written.
struct Part {
    path: PathBuf,
    writer: Writer<AtomicFile>,
}

/// Writes rows into files `part-00000.trv`, `part-00001.trv`, … of a folder; those of
/// [`Dialect::RedElm`](crate::Dialect::RedElm) end in `.redelm`.
///
/// A part ends at about [`DatasetWriterBuilder::target_size`] bytes, or at
/// [`DatasetWriterBuilder::rows_per_part`] rows. Parts are written under a temporary name and renamed: a
/// dropped writer, or a killed program, leaves the completed parts and nothing of the current one. Several writers
/// may [`append`](DatasetWriterBuilder::append) to one folder at a time: a part takes the next number that no part of
/// any format has.
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
/// let mut writer = DatasetWriter::builder().rows_per_part(1000).writer(options).create(&folder)?;
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
    /// Encoded rows of the current part when its bytes were last counted.
    counted: u64,
    /// Rows in completed parts.
    rows: u64,
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
        let mut writer = Self {
            options,
            folder: folder.to_owned(),
            next,
            appends,
            known: Shape::Unknown,
            current: None,
            counted: 0,
            rows: 0,
            parts: Vec::new(),
            broken: false,
        };
        // Wrong options fail now, not at the first row.
        writer.part()?;
        Ok(writer)
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
        let part = self.part()?;
        part.writer.write(row).map_err(|error| error.in_file(&part.path))?;
        if self.is_full()? { self.end_part() } else { Ok(()) }
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

    /// Number of rows written so far, including the current part.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.rows + self.current.as_ref().map_or(0, |part| part.writer.row_count())
    }

    /// The paths of the parts this writer has completed, in order; not the parts that
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
            self.end_part()?;
        }
        Ok(self.parts)
    }

    /// The current part, which is created for its first row.
    #[inline]
    fn part(&mut self) -> Result<&mut Part> {
        if self.current.is_none() {
            self.current = Some(self.begin_part()?);
        }
        self.current.as_mut().ok_or_else(broken)
    }

    #[cold]
    fn begin_part(&mut self) -> Result<Part> {
        if self.broken {
            return Err(broken());
        }
        let path = self.folder.join(folder::part_name(self.next, PART_DIGITS, self.options.writer.target()));
        let options = self.options.writer.clone();
        let taken = Taken::Next(folder::free_part);
        let writer = options.start(&path, taken).map_err(|error| error.in_file(&path))?;
        let batch = usize::try_from(self.options.target_size / PART_BATCHES).unwrap_or(usize::MAX);
        let known = std::mem::replace(&mut self.known, Shape::Unknown);
        self.counted = 0;
        Ok(Part { path, writer: writer.with_batch_bytes(batch).with_known(known) })
    }

    /// Whether the current part is full. Its bytes are counted after rows were encoded.
    #[inline]
    fn is_full(&mut self) -> Result<bool> {
        let Some(Part { path, writer }) = &mut self.current else {
            return Ok(false);
        };
        if self.options.rows_per_part.is_some_and(|rows| writer.row_count() >= rows) {
            return Ok(true);
        }
        let encoded = writer.encoded_rows();
        if encoded == self.counted {
            return Ok(false);
        }
        self.counted = encoded;
        if writer.size() < self.options.target_size {
            return Ok(false);
        }
        // Blocks that other threads are compressing count as uncompressed.
        writer.settle().map_err(|error| error.in_file(path))?;
        Ok(writer.size() >= self.options.target_size)
    }

    /// Completes the current part.
    #[cold]
    fn end_part(&mut self) -> Result<()> {
        if let Some(Part { path, writer }) = self.current.take() {
            self.known = writer.shape().clone();
            let rows = writer.row_count();
            let file = writer.finish().map_err(|error| {
                self.broken = true;
                error.in_file(&path)
            })?;
            // Another writer may have taken the name, and some of those after it.
            let path = self.folder.join(file.path().file_name().unwrap_or_default());
            self.next = folder::part_number(&path).map_or(self.next, |number| number.saturating_add(1));
            self.rows += rows;
            self.parts.push(path);
        }
        Ok(())
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
