//! Options for writing a dataset.

use super::replaced::remove_replaced;
use super::tail::REPLACED_KEPT;
use super::{DatasetWriter, folder};
use crate::error::{Error, Result};
use crate::writer::WriterBuilder;
use std::path::Path;
use std::time::Duration;

/// Configures and creates a [`DatasetWriter`]. Every option has a default.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-options-{}", std::process::id()));
/// # let _ = std::fs::remove_dir_all(&folder);
/// use trevni::{Dataset, DatasetWriter};
///
/// let mut writer = DatasetWriter::builder().part_bytes(1 << 20).part_rows(1000).create(&folder)?;
/// writer.write_all(0..2500)?;
/// writer.finish()?;
/// assert_eq!(Dataset::open(&folder)?.parts().len(), 3);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct DatasetWriterBuilder {
    pub(super) part_bytes: u64,
    pub(super) part_rows: Option<u64>,
    pub(super) part_age: Option<Duration>,
    pub(super) sync_rows: Option<u64>,
    pub(super) sync_every: Option<Duration>,
    pub(super) writer: WriterBuilder,
}

impl Default for DatasetWriterBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl DatasetWriterBuilder {
    /// Creates a builder with the defaults.
    pub fn new() -> Self {
        Self {
            part_bytes: 128 << 20,
            part_rows: None,
            part_age: None,
            sync_rows: None,
            sync_every: None,
            writer: WriterBuilder::new(),
        }
    }

    /// Sets the approximate size of a part in bytes: compressed, without the header. Default: 134,217,728
    /// (128 MiB).
    ///
    /// Bytes are counted after each encoded batch, so a part may be slightly larger. A column that has not filled
    /// its first block counts as uncompressed, so a part with fewer than two blocks per column may be smaller.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-target-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use trevni::DatasetWriter;
    ///
    /// let mut writer = DatasetWriter::builder().part_bytes(200_000).create(&folder)?;
    /// writer.write_all((0..100_000).map(f64::from))?;
    /// let parts = writer.finish()?;
    /// assert!(parts.len() > 1);
    /// let sizes = parts.iter().map(|part| std::fs::metadata(part).map(|file| file.len()));
    /// assert!(sizes.take(parts.len() - 1).all(|size| (150_000..300_000).contains(&size.unwrap())));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn part_bytes(mut self, bytes: u64) -> Self {
        self.part_bytes = bytes;
        self
    }

    /// Sets the maximum number of rows in a part. Default: no maximum.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-rows-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use trevni::{Dataset, DatasetWriter};
    ///
    /// let mut writer = DatasetWriter::builder().part_rows(4).create(&folder)?;
    /// writer.write_all(0..10)?;
    /// writer.finish()?;
    /// let dataset = Dataset::open(&folder)?;
    /// let rows: Vec<u64> = dataset.parts().iter().map(|part| part.reader().row_count()).collect();
    /// assert_eq!(rows, [4, 4, 2]);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn part_rows(mut self, rows: u64) -> Self {
        self.part_rows = Some(rows.max(1));
        self
    }

    /// Sets the maximum age of a part: a row that is written later than this after the first row of the part begins the
    /// next part. Default: no maximum.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-age-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use std::time::Duration;
    /// use trevni::DatasetWriter;
    ///
    /// let mut hourly = DatasetWriter::builder().part_age(Duration::from_secs(3600)).create(&folder)?;
    /// hourly.write(&"now")?;
    /// # hourly.finish()?;
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn part_age(mut self, age: Duration) -> Self {
        self.part_age = Some(age);
        self
    }

    /// Flushes after this number of rows ([`DatasetWriter::flush`]): a crash loses fewer than these. Default: never.
    pub fn sync_rows(mut self, rows: u64) -> Self {
        self.sync_rows = Some(rows.max(1));
        self
    }

    /// Flushes when a row is written and the first row since the last flush is so old ([`DatasetWriter::flush`]): a
    /// crash loses at most the rows of this time. No thread waits: where no more rows come, call `flush`. Default: never.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-sync-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use std::time::Duration;
    /// use trevni::DatasetWriter;
    ///
    /// let mut log = DatasetWriter::builder().sync_every(Duration::from_secs(1)).append(&folder)?;
    /// log.write(&"started")?;
    /// # log.finish()?;
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn sync_every(mut self, time: Duration) -> Self {
        self.sync_every = Some(time);
        self
    }

    /// Whether anything depends on time.
    pub(super) fn has_clock(&self) -> bool {
        self.part_age.is_some() || self.sync_every.is_some()
    }

    /// Whether rows are flushed without being asked to.
    pub(super) fn syncs(&self) -> bool {
        self.sync_rows.is_some() || self.sync_every.is_some()
    }

    /// Sets the options of the writer of each part. Default: [`WriterBuilder::new`].
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-writer-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use trevni::{Codec, Dataset, DatasetWriter, Writer};
    ///
    /// let options = Writer::builder().codec(Codec::Deflate);
    /// let mut writer = DatasetWriter::builder().writer(options).create(&folder)?;
    /// writer.write_all(0..10)?;
    /// writer.finish()?;
    /// assert_eq!(Dataset::open(&folder)?.parts()[0].reader().columns()[0].codec(), Some(Codec::Deflate));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn writer(mut self, options: WriterBuilder) -> Self {
        self.writer = options;
        self
    }

    /// Creates a dataset in a folder. The folder is created if it does not exist.
    ///
    /// # Errors
    ///
    /// A folder that already has files `part-*.trv` or `part-*.redelm`, or cannot be written to, and the errors of
    /// [`WriterBuilder::create`].
    pub fn create(self, folder: impl AsRef<Path>) -> Result<DatasetWriter> {
        let folder = folder.as_ref();
        create_folder(folder)?;
        match folder::files(folder)?.iter().find(|path| folder::is_part(path)) {
            Some(part) => {
                let name = part.file_name().unwrap_or_default().to_string_lossy();
                let message = format!("{name} already exists: append to the dataset, or use another folder");
                Err(Error::option(message).in_file(folder))
            }
            None => DatasetWriter::start(self, folder, 0, false),
        }
    }

    /// Appends to an existing dataset, or creates it. Existing parts stay unchanged; they may be of another format than
    /// those that are added ([`WriterBuilder::dialect`]). What a killed writer has flushed of a part is the beginning of
    /// the first one.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-append-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use trevni::{Dataset, DatasetWriter};
    ///
    /// for rows in [0..3, 3..5] {
    ///     let mut writer = DatasetWriter::builder().append(&folder)?;
    ///     writer.write_all(rows)?;
    ///     writer.finish()?;
    /// }
    /// let dataset = Dataset::open(&folder)?;
    /// assert_eq!((dataset.parts().len(), dataset.row_count()), (2, 5));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A folder that cannot be written to, and the errors of [`WriterBuilder::create`].
    pub fn append(self, folder: impl AsRef<Path>) -> Result<DatasetWriter> {
        let folder = folder.as_ref();
        create_folder(folder)?;
        remove_replaced(folder, REPLACED_KEPT)?;
        match folder::numbers(folder)?.last() {
            None => DatasetWriter::start(self, folder, 0, false),
            Some(last) => {
                let next = last.checked_add(1).ok_or_else(|| folder::last_number(last))?;
                let mut writer = DatasetWriter::start(self, folder, next, true)?;
                writer.take_over()?;
                Ok(writer)
            }
        }
    }
}

fn create_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Error::from(error).in_file(folder))
}
