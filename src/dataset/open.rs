//! Options for reading a dataset.

use super::Dataset;
use super::files::{OpenFiles, PartFile};
use super::summary::Summary;
use super::tree::{self, DatasetFile};
use crate::error::{Error, ErrorKind, Result};
use crate::reader::{Reader, ReaderBuilder};
use crate::shape::Shape;
use crate::tree::Constant;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Configures and opens a [`Dataset`]. Every option has a default.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-reading-{}", std::process::id()));
/// # let _ = std::fs::remove_dir_all(&folder);
/// use trevni::{Dataset, DatasetWriter, Reader, Shape};
///
/// let mut writer = DatasetWriter::create(folder.join("2024/day=29"))?;
/// writer.write(&("one", 1))?;
/// writer.finish()?;
/// let options = Dataset::builder().reader(Reader::builder().threads(2)).recursive();
/// let dataset = options.partition_type("day", Shape::Int).open(&folder)?;
/// assert_eq!(dataset.row::<(String, i32, u8)>(0)?, ("one".to_owned(), 1, 29));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct DatasetBuilder {
    reader: ReaderBuilder,
    recursive: bool,
    types: HashMap<String, Shape>,
}

impl DatasetBuilder {
    /// Creates a builder with the defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the options of the reader of each part. Default: [`ReaderBuilder::new`].
    pub fn reader(mut self, options: ReaderBuilder) -> Self {
        self.reader = options;
        self
    }

    /// Reads all folders in the folder. Default: those of partitions, such as `day=2024-02-29`; another one with data is an
    /// error. Folders whose names begin with `.` or `_` are hidden.
    pub fn recursive(mut self) -> Self {
        self.recursive = true;
        self
    }

    /// Says what the values of a key of folders are: booleans, numbers, strings, or a logical type, whose strings they are then.
    /// Default: strings.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-typed-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use trevni::{Dataset, DatasetWriter, Shape, col};
    ///
    /// for year in [999, 2024] {
    ///     let mut writer = DatasetWriter::create(folder.join(format!("year={year}")))?;
    ///     writer.write(&("row",))?;
    ///     writer.finish()?;
    /// }
    /// let dataset = Dataset::builder().partition_type("year", Shape::Int).open(&folder)?;
    /// assert_eq!(dataset.filter(col("year").gt(1000))?.column::<u16>("year")?, [2024]);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn partition_type(mut self, key: &str, shape: Shape) -> Self {
        self.types.insert(key.to_owned(), shape);
        self
    }

    /// Opens the files of a folder.
    ///
    /// # Errors
    ///
    /// As [`Dataset::open`], and values of keys that do not fit their type; the errors name the folder.
    pub fn open(self, folder: impl AsRef<Path>) -> Result<Dataset<'static>> {
        let folder = folder.as_ref();
        let mut files = tree::files(folder, self.recursive)?;
        loop {
            if files.is_empty() {
                let message = "there are no .trv files and no .redelm files in this folder";
                return Err(Error::option(message).in_file(folder));
            }
            let listed = files.clone();
            match self.files(files, true) {
                // Files may have been replaced since they were listed.
                Err(error) if is_gone(&error) => {
                    files = tree::files(folder, self.recursive)?;
                    if files == listed {
                        return Err(error);
                    }
                }
                done => return done,
            }
        }
    }

    /// Opens files, in the given order.
    ///
    /// # Errors
    ///
    /// As [`Dataset::open`]; an empty list.
    pub fn from_paths<P: AsRef<Path>>(self, paths: impl IntoIterator<Item = P>) -> Result<Dataset<'static>> {
        self.files(paths.into_iter().map(|path| DatasetFile::new(path.as_ref().to_owned())).collect(), false)
    }

    fn files(&self, files: Vec<DatasetFile>, has_summaries: bool) -> Result<Dataset<'static>> {
        let mut opening =
            Opening { options: self, open: Arc::default(), summaries: HashMap::new(), has_summaries };
        let open = |(number, file): (usize, DatasetFile)| {
            let reader = opening.part(number, &file).map_err(|error| error.in_file(file.path()))?;
            Ok((file, reader))
        };
        let dataset = Dataset::of(files.into_iter().enumerate().map(open).collect::<Result<_>>()?)?;
        self.reader.aliases.iter().try_for_each(|alias| dataset.check_alias(alias))?;
        Ok(dataset)
    }
}

/// Whether a file is not there.
fn is_gone(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound)
}

/// Opens the parts of a dataset.
struct Opening<'o> {
    options: &'o DatasetBuilder,
    open: Arc<OpenFiles>,
    /// The summaries of folders that have been looked for.
    summaries: HashMap<PathBuf, Summary>,
    has_summaries: bool,
}

impl Opening<'_> {
    fn part(&mut self, number: usize, file: &DatasetFile) -> Result<Reader<'static>> {
        let mut options = self.options.reader.clone();
        for (key, value) in file.partition() {
            let shape = self.options.types.get(key).unwrap_or(&Shape::String);
            let constant = Constant::parse(value.as_deref(), shape);
            options.put_field(key, constant.map_err(|error| in_folder(error, file, key))?);
        }
        let part = PartFile::open(number, file.path().to_owned(), &self.open)?;
        match self.summary(file.path()).and_then(|summary| summary.open(&part, &options)) {
            Some(reader) => Ok(reader),
            None => options.shared(part),
        }
    }

    /// The summary of the folder of a file.
    fn summary(&mut self, path: &Path) -> Option<&Summary> {
        let folder = path.parent().filter(|_| self.has_summaries)?;
        if !self.summaries.contains_key(folder) {
            self.summaries.insert(folder.to_owned(), Summary::new(folder));
        }
        self.summaries.get(folder)
    }
}

/// Names the folder that says a key.
#[cold]
fn in_folder(error: Error, file: &DatasetFile, key: &str) -> Error {
    let folders = file.path().ancestors().skip(1);
    let depth = file.partition().iter().rev().position(|(own, _)| own == key).unwrap_or_default();
    let mut keyed = folders.filter(|folder| tree::key_of(folder).is_some());
    match keyed.nth(depth) {
        Some(folder) => error.in_file(folder),
        None => error,
    }
}
