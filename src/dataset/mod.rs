//! Datasets: several files read as one, and written in series.

mod builder;
mod committed;
mod compact;
mod files;
#[cfg(feature = "predicates")]
mod filter;
pub(crate) mod folder;
mod manifest;
mod names;
mod open;
mod part;
mod part_name;
mod replaced;
mod rows;
mod select;
mod snapshot;
#[cfg_attr(not(feature = "levels"), path = "no_summary.rs")]
mod summary;
mod tail;
mod tree;
pub(crate) mod whole;
pub(crate) mod writer;

pub use builder::DatasetWriterBuilder;
pub use committed::CommittedParts;
pub use compact::{Compact, Compacted, compact};
pub use manifest::{WriteId, WriteManifest};
pub use open::DatasetBuilder;
pub use part::DatasetPart;
pub use replaced::retain_current;
pub use rows::{DatasetBatches, DatasetRows};
pub use snapshot::Snapshot;
pub use tree::{DatasetFile, key_of};
pub(crate) use whole::Dataset;
pub(crate) use writer::DatasetWriter;

use self::names::Optional;
use crate::error::{Error, ErrorKind, Result};
use crate::path::{PathName, parse};
use crate::reader::{FromColumn, Reader, as_read, is_null, is_type_error, joined};
use crate::shape::Shape;
use crate::tree::{Projection, resolve_names};
use serde::de::DeserializeOwned;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Dataset<'static> {
    /// Opens all files of a folder that end in `.trv` or `.redelm`, except hidden ones, in the order of their names.
    /// Numbers in names sort as numbers: `part-100000.trv` comes after `part-99999.trv`. The parts may be of different
    /// formats; their first bytes tell. Hadoop's names are known: a letter before the number does not count for the order,
    /// and the name of a codec may follow, as in `part-m-00000.redelm.gz`.
    ///
    /// Folders of partitions in the folder, such as `day=2024-02-29/`, and in these, are read too, after its own files: their
    /// keys are fields of the rows, whose values are strings ([`DatasetBuilder::partition_type`] says otherwise). A field of the
    /// file that has the name of a key is not read.
    ///
    /// Where the folder has a summary of RedElm files ([`RedElmSummary`](crate::formats::RedElmSummary)), the footers of parts are
    /// taken from it, unless a part is newer than the summary or of another size.
    ///
    /// A part whose name says that it belongs to a write ([`WriteId::from_part`]) counts only if the manifest of the write lists it.
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-partitions-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use trevni::{Dataset, DatasetWriter, col};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Visit {
    ///     page: &'static str,
    /// }
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Seen {
    ///     page: String,
    ///     day: String,
    /// }
    ///
    /// for (day, page) in [("2024-02-28", "/"), ("2024-02-29", "/about")] {
    ///     let mut writer = DatasetWriter::create(folder.join(format!("day={day}")))?;
    ///     writer.write(&Visit { page })?;
    ///     writer.finish()?;
    /// }
    /// let dataset = Dataset::open(&folder)?.filter(col("day").ge("2024-02-29"))?;
    /// let row: Seen = dataset.rows()?.next().unwrap()?;
    /// assert_eq!((row.page.as_str(), row.day.as_str()), ("/about", "2024-02-29"));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A folder that cannot be read or has no such file, a file that cannot be opened (as
    /// [`Reader::open`]). A folder in it that has such files without being a partition, and rows of partitions that are no
    /// records; the errors name these.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        DatasetBuilder::new().open(folder)
    }

    /// Options for reading a dataset.
    pub fn builder() -> DatasetBuilder {
        DatasetBuilder::new()
    }

    /// The files that [`Dataset::open`] reads, in their order, with the partitions that they are in; none are opened.
    ///
    /// # Errors
    ///
    /// A folder that cannot be read, damaged manifests, and as for [`Dataset::open`] a folder in it that is no partition.
    pub fn files(folder: impl AsRef<Path>) -> Result<Vec<DatasetFile>> {
        tree::files(folder.as_ref(), false)
    }

    /// Opens files, in the given order.
    ///
    /// # Errors
    ///
    /// As [`Dataset::open`]; an empty list.
    pub fn from_paths<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        DatasetBuilder::new().from_paths(paths)
    }
}

impl<'s> Dataset<'s> {
    /// Combines open files. In errors they are `part 0`, `part 1`, ….
    ///
    /// # Errors
    ///
    /// An empty list.
    pub fn from_readers(readers: Vec<Reader<'s>>) -> Result<Self> {
        let file = |number: usize| DatasetFile::new(PathBuf::from(format!("part {number}")));
        Self::of(readers.into_iter().enumerate().map(|(number, reader)| (file(number), reader)).collect())
    }

    fn of(readers: Vec<(DatasetFile, Reader<'s>)>) -> Result<Self> {
        let Some((_, first)) = readers.first() else {
            return Err(Error::option("a dataset needs at least one part"));
        };
        let known = joined(readers.iter().map(|(_, reader)| reader), false).finished();
        // Rows of parts may have more together than one file can have.
        let whole = Projection::whole(as_read(&known, first).unwrap_or_else(|_| known.settled()));
        let mut rows = 0u64;
        let mut parts = Vec::with_capacity(readers.len());
        for (file, reader) in readers {
            let first_row = rows;
            rows = rows.checked_add(reader.row_count()).ok_or_else(|| {
                Error::metadata("the parts have more rows than 64 bits can count").in_file(file.path())
            })?;
            parts.push(DatasetPart::new(file, reader, first_row, &whole));
        }
        let (chosen, optional) = (whole.clone(), Optional::default());
        Ok(Self { parts: parts.into(), chosen, whole: Arc::new(whole), rows, optional })
    }

    /// Number of rows in all parts, as their headers state.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.rows
    }

    /// The files.
    #[must_use]
    pub fn parts(&self) -> &[DatasetPart<'s>] {
        &self.parts
    }

    /// The common shape of all parts; after [`Dataset::project`], the projected shape.
    ///
    /// A field that only some parts have is optional, an integer has its widest type in any part, an enum has the symbols of all
    /// parts, and what is of different kinds in them is a union.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.chosen.shape
    }

    /// Iterates over the rows of all parts, in order, as [`Reader::rows`]. The columns of a part are opened
    /// when the iteration reaches it.
    ///
    /// # Errors
    ///
    /// As [`Reader::rows`] for the first part; the iterator yields the errors of later parts.
    pub fn rows<T: DeserializeOwned>(&self) -> Result<DatasetRows<'s, T>> {
        DatasetRows::new(self)
    }

    /// Iterates over the rows of all parts, in order, as batches of typed vectors. A batch has the shape of
    /// its part, and [`Batch::first_row`](crate::Batch::first_row) counts within the part.
    ///
    /// # Errors
    ///
    /// As [`Dataset::rows`].
    pub fn batches(&self) -> Result<DatasetBatches<'s>> {
        DatasetBatches::new(self)
    }

    /// Reads one row, by its number across all parts, from 0; see [`Reader::row`].
    ///
    /// # Errors
    ///
    /// A row number out of range, and as [`Reader::row`].
    pub fn row<T: DeserializeOwned>(&self, number: u64) -> Result<T> {
        let behind = self.parts.partition_point(|part| part.first_row <= number);
        match behind.checked_sub(1).and_then(|part| self.parts.get(part)) {
            Some(part) if number < self.rows => {
                part.reader.row(number - part.first_row).map_err(|error| error.in_file(part.path()))
            }
            _ => Err(ErrorKind::NoSuchRow { row: number, rows: self.rows }.into()),
        }
    }

    /// A dataset of some fields only, named by paths as for [`Reader::project`].
    ///
    /// A path must be in all parts that have rows, unless it is [optional](Dataset::optional). In parts that lack it, the
    /// field is absent: in a struct, it should be an `Option` or have `#[serde(default)]`. The rows of a part that
    /// has no such path are records without fields.
    ///
    /// # Errors
    ///
    /// A path that is in no part, for which the error suggests a similar one, or that a part lacks.
    pub fn project<P: AsRef<str>>(&self, paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let paths = paths.into_iter().map(|path| parse(path.as_ref())).collect::<Result<Vec<_>>>()?;
        paths.iter().try_for_each(|path| self.check_path(path))?;
        let chosen = self.projected(&paths)?;
        let projected = self.map(|part| Ok(part.projected(&chosen)))?;
        Ok(Self { chosen, ..projected })
    }

    /// Reads all values at a path from all parts, in order; see [`Reader::column`].
    ///
    /// For a part that lacks an [optional](Dataset::optional) path, `Option<T>` gives `None` for each row; other types give an
    /// error.
    ///
    /// # Errors
    ///
    /// A path that is in no part, or that a part lacks, unless it is optional and `T` is an `Option`; values of another type.
    pub fn column<T: FromColumn>(&self, path: &str) -> Result<T::Column> {
        let names = parse(path)?;
        self.check_path(&names)?;
        let target = self.projected(std::slice::from_ref(&names))?;
        let nodes = resolve_names(&target.shape, &target.tree, &names)?;
        let node = nodes.first().copied().unwrap_or_default();
        let mut column = T::Column::default();
        let mut parts = self.parts.iter();
        let done = parts.try_for_each(|part| {
            let done = part.extend_column::<T>(path, &target, node, &mut column);
            done.map_err(|error| error.in_file(part.path()))
        });
        if is_type_error(&done) && is_null(&target.shape) {
            Ok(T::Column::default())
        } else {
            done.map(|()| column)
        }
    }

    /// The projection of the common shape to some paths; without paths, records without fields.
    fn projected(&self, paths: &[Vec<PathName>]) -> Result<Projection> {
        match &*self.chosen.shape {
            Shape::Record(_) => self.chosen.project(paths),
            _ if paths.is_empty() => Ok(self.chosen.clone()),
            _ => self.chosen.project(paths),
        }
    }
}

impl fmt::Debug for Dataset<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dataset")
            .field("parts", &self.parts.len())
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}
