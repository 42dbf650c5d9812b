//! Options for writing a dataset.

use super::{DatasetWriter, folder};
use crate::error::{Error, Result};
use crate::writer::WriterBuilder;
use std::path::Path;

/// Options for writing a dataset, all with defaults.
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
    /// The defaults.
    pub fn new() -> Self {
        Self { target_size: 128 << 20, rows_per_part: None, writer: WriterBuilder::new() }
    }

    /// Bytes after which a part ends, about, as they are in the file: compressed, without the header.
    /// Default: 128 MiB.
    ///
    /// They are counted each time that some rows have been encoded, so a part may be a little larger. A
    /// column that has not filled its first block yet counts as if it did not compress; where a part has
    /// less than two blocks for each column, it may turn out smaller.
    pub fn target_size(mut self, bytes: u64) -> Self {
        self.target_size = bytes;
        self
    }

    /// Rows after which a part ends, if it has not ended before. Default: any number.
    pub fn rows_per_part(mut self, rows: u64) -> Self {
        self.rows_per_part = Some(rows.max(1));
        self
    }

    /// Options of each part. Default: those of [`WriterBuilder::new`].
    pub fn writer(mut self, options: WriterBuilder) -> Self {
        self.writer = options;
        self
    }

    /// Starts a dataset in a folder, which is created if there is none.
    ///
    /// # Errors
    ///
    /// A folder that has files `part-*.trv` already or cannot be written to, and options that
    /// [`WriterBuilder::create`] refuses.
    pub fn create(self, folder: impl AsRef<Path>) -> Result<DatasetWriter> {
        let folder = folder.as_ref();
        create_folder(folder)?;
        match folder::files(folder)?.iter().find(|path| folder::is_part(path)) {
            Some(part) => {
                let name = part.file_name().unwrap_or_default().to_string_lossy();
                let message = format!("the folder has {name} already: append to it, or take another");
                Err(Error::option(message).in_file(folder))
            }
            None => DatasetWriter::start(self, folder, 0, false),
        }
    }

    /// Goes on with a dataset behind its last part, or starts it. The parts that are there stay as they
    /// are.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written to, and options that [`WriterBuilder::create`] refuses.
    pub fn append(self, folder: impl AsRef<Path>) -> Result<DatasetWriter> {
        let folder = folder.as_ref();
        create_folder(folder)?;
        match folder::files(folder)?.iter().filter_map(|path| folder::part_number(path)).max() {
            None => DatasetWriter::start(self, folder, 0, false),
            Some(last) => {
                let next = last.checked_add(1).ok_or_else(|| {
                    Error::option(format!(
                        "no number follows that of the last part, {last}: rename it to go on"
                    ))
                })?;
                DatasetWriter::start(self, folder, next, true)
            }
        }
    }
}

fn create_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Error::from(error).in_file(folder))
}
