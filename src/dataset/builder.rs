//! Options for writing a dataset.

use super::{DatasetWriter, folder};
use crate::error::{Error, Result};
use crate::writer::WriterBuilder;
use std::path::Path;

/// Configures and creates a [`DatasetWriter`]. Every option has a default.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-options-{}", std::process::id()));
/// # let _ = std::fs::remove_dir_all(&folder);
/// use trevni::{Dataset, DatasetWriter};
///
/// let mut writer = DatasetWriter::builder().target_size(1 << 20).rows_per_part(1000).create(&folder)?;
/// writer.write_all(0..2500)?;
/// writer.finish()?;
/// assert_eq!(Dataset::open(&folder)?.parts().len(), 3);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct DatasetWriterBuilder {
    pub(super) target_size: u64,
    pub(super) rows_per_part: Option<u64>,
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
        Self { target_size: 128 << 20, rows_per_part: None, writer: WriterBuilder::new() }
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
    /// let mut writer = DatasetWriter::builder().target_size(200_000).create(&folder)?;
    /// writer.write_all((0..100_000).map(f64::from))?;
    /// let parts = writer.finish()?;
    /// assert!(parts.len() > 1);
    /// let sizes = parts.iter().map(|part| std::fs::metadata(part).map(|file| file.len()));
    /// assert!(sizes.take(parts.len() - 1).all(|size| (150_000..300_000).contains(&size.unwrap())));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn target_size(mut self, bytes: u64) -> Self {
        self.target_size = bytes;
        self
    }

    /// Sets the maximum number of rows in a part. Default: no maximum.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-rows-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use trevni::{Dataset, DatasetWriter};
    ///
    /// let mut writer = DatasetWriter::builder().rows_per_part(4).create(&folder)?;
    /// writer.write_all(0..10)?;
    /// writer.finish()?;
    /// let dataset = Dataset::open(&folder)?;
    /// let rows: Vec<u64> = dataset.parts().iter().map(|part| part.reader().row_count()).collect();
    /// assert_eq!(rows, [4, 4, 2]);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn rows_per_part(mut self, rows: u64) -> Self {
        self.rows_per_part = Some(rows.max(1));
        self
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
    /// those that are added ([`WriterBuilder::dialect`]).
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
        match folder::numbers(folder)?.into_iter().max() {
            None => DatasetWriter::start(self, folder, 0, false),
            Some(last) => {
                let next = last.checked_add(1).ok_or_else(|| folder::last_number(last))?;
                DatasetWriter::start(self, folder, next, true)
            }
        }
    }
}

fn create_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Error::from(error).in_file(folder))
}
