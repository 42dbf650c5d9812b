//! Datasets: several files read as one, and written in series.

mod builder;
mod files;
#[cfg(feature = "predicates")]
mod filter;
pub(crate) mod folder;
mod manifest;
mod part;
mod rows;
mod select;
mod summary;
mod writer;

pub use builder::DatasetWriterBuilder;
pub use manifest::{CommittedParts, WriteId, WriteManifest};
pub use part::DatasetPart;
pub use rows::{DatasetBatches, DatasetRows};
pub use writer::DatasetWriter;

use self::files::PartFile;
use self::summary::Summary;
use crate::error::{Error, ErrorKind, Result};
use crate::reader::{FromColumn, Reader, ReaderBuilder, as_read, is_null, is_type_error, joined};
use crate::shape::Shape;
use crate::tree::{Projection, resolve};
use serde::de::DeserializeOwned;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Several files read as one: the rows of the first part, then the rows of the second, and so on.
///
/// Opening reads the header of each part; at most 256 files are open at a time. The shapes of the parts may
/// differ: [`Dataset::shape`] is the one that a single writer would have made from all rows, and paths, columns and
/// predicates go by it. An error names its part
/// ([`Location::file`](crate::Location::file)); row numbers in errors count from the start of the part.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-dataset-{}", std::process::id()));
/// # let _ = std::fs::remove_dir_all(&folder);
/// use serde::{Deserialize, Serialize};
/// use trevni::{Dataset, DatasetWriter};
///
/// #[derive(Serialize)]
/// struct Old {
///     sensor: String,
/// }
///
/// #[derive(Serialize, Deserialize)]
/// struct New {
///     sensor: String,
///     celsius: Option<f32>,
/// }
///
/// let mut writer = DatasetWriter::create(&folder)?;
/// writer.write(&Old { sensor: "north".to_owned() })?;
/// writer.finish()?;
/// let mut writer = DatasetWriter::builder().append(&folder)?;
/// writer.write(&New { sensor: "south".to_owned(), celsius: Some(21.5) })?;
/// writer.finish()?;
///
/// let dataset = Dataset::open(&folder)?;
/// assert_eq!((dataset.parts().len(), dataset.row_count()), (2, 2));
/// let rows: Vec<New> = dataset.rows()?.collect::<Result<_, _>>()?;
/// assert_eq!((rows[0].celsius, rows[1].celsius), (None, Some(21.5)));
/// assert_eq!(dataset.column::<Option<f32>>("celsius")?, [None, Some(21.5)]);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone)]
pub struct Dataset<'s> {
    parts: Arc<[DatasetPart<'s>]>,
    /// The shape that all rows have together.
    whole: Arc<Projection>,
    /// What is read of it.
    chosen: Projection,
    rows: u64,
}

impl Dataset<'static> {
    /// Opens all files of a folder that end in `.trv` or `.redelm`, except hidden ones, in the order of their names.
    /// Numbers in names sort as numbers: `part-100000.trv` comes after `part-99999.trv`. The parts may be of different
    /// formats; their first bytes tell. Hadoop's names are known: a letter before the number does not count for the order,
    /// and the name of a codec may follow, as in `part-m-00000.redelm.gz`.
    ///
    /// Where the folder has a summary of RedElm files ([`RedElmSummary`](crate::RedElmSummary)), the footers of parts are
    /// taken from it, unless a part is newer than the summary or of another size.
    ///
    /// A part whose name says that it belongs to a write ([`WriteId::of_part`]) counts only if the manifest of the write lists it.
    ///
    /// # Errors
    ///
    /// A folder that cannot be read or has no such file, a file that cannot be opened (as
    /// [`Reader::open`]).
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(folder, ReaderBuilder::new())
    }

    /// As [`Dataset::open`], with options for the parts.
    ///
    /// # Errors
    ///
    /// As [`Dataset::open`].
    pub fn open_with(folder: impl AsRef<Path>, options: ReaderBuilder) -> Result<Self> {
        let folder = folder.as_ref();
        let files = folder::files(folder)?;
        if files.is_empty() {
            let message = "there are no .trv files and no .redelm files in this folder";
            return Err(Error::option(message).in_file(folder));
        }
        Self::of_paths(files, &options, &Summary::of(folder))
    }

    /// Opens files, in the given order.
    ///
    /// # Errors
    ///
    /// As [`Dataset::open`]; an empty list.
    pub fn from_paths<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let paths = paths.into_iter().map(|path| path.as_ref().to_owned());
        Self::of_paths(paths, &ReaderBuilder::new(), &Summary::default())
    }

    fn of_paths(
        paths: impl IntoIterator<Item = PathBuf>,
        options: &ReaderBuilder,
        summary: &Summary,
    ) -> Result<Self> {
        let files = Arc::default();
        let open = |(number, path): (usize, PathBuf)| {
            let file = PartFile::open(number, path.clone(), &files).map_err(Error::from);
            let reader = file.and_then(|file| match summary.open(&file, options) {
                Some(reader) => Ok(reader),
                None => options.clone().shared(file),
            });
            reader.map_err(|error| error.in_file(&path)).map(|reader| (path, reader))
        };
        Self::of(paths.into_iter().enumerate().map(open).collect::<Result<_>>()?)
    }
}

impl<'s> Dataset<'s> {
    /// Combines open files. In errors they are `part 0`, `part 1`, ….
    ///
    /// # Errors
    ///
    /// An empty list.
    pub fn from_readers(readers: Vec<Reader<'s>>) -> Result<Self> {
        let name = |number: usize| PathBuf::from(format!("part {number}"));
        Self::of(readers.into_iter().enumerate().map(|(number, reader)| (name(number), reader)).collect())
    }

    fn of(readers: Vec<(PathBuf, Reader<'s>)>) -> Result<Self> {
        let Some((_, first)) = readers.first() else {
            return Err(Error::option("a dataset needs at least one part"));
        };
        let known = joined(readers.iter().map(|(_, reader)| reader), false).finished();
        // Rows of parts may have more together than one file can have.
        let whole = Projection::whole(as_read(&known, first).unwrap_or_else(|_| known.settled()));
        let mut rows = 0u64;
        let mut parts = Vec::with_capacity(readers.len());
        for (path, reader) in readers {
            let first_row = rows;
            rows = rows.checked_add(reader.row_count()).ok_or_else(|| {
                Error::metadata("the parts have more rows than 64 bits can count").in_file(&path)
            })?;
            parts.push(DatasetPart::new(path, reader, first_row, &whole));
        }
        Ok(Self { parts: parts.into(), chosen: whole.clone(), whole: Arc::new(whole), rows })
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
                part.reader.row(number - part.first_row).map_err(|error| error.in_file(&part.path))
            }
            _ => Err(ErrorKind::NoSuchRow { row: number, rows: self.rows }.into()),
        }
    }

    /// A dataset of some fields only, named by paths as for [`Reader::project`].
    ///
    /// A path must be in [`Dataset::shape`], that is, in at least one part. In parts that lack it, the field
    /// is absent: in a struct, it should be an `Option` or have `#[serde(default)]`. The rows of a part that
    /// has none of the paths are records without fields.
    ///
    /// # Errors
    ///
    /// A path that is in no part; the error suggests a similar one.
    pub fn project<P: AsRef<str>>(&self, paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let paths: Vec<P> = paths.into_iter().collect();
        let paths: Vec<&str> = paths.iter().map(AsRef::as_ref).collect();
        let chosen = self.projected(&paths)?;
        let projected = self.map(|part| Ok(part.projected(&chosen)))?;
        Ok(Self { chosen, ..projected })
    }

    /// Reads all values at a path from all parts, in order; see [`Reader::column`].
    ///
    /// For a part that lacks the path, `Option<T>` gives `None` for each row; other types give an error.
    ///
    /// # Errors
    ///
    /// A path that is in no part, or that a part lacks if `T` is not an `Option`; values of another type.
    pub fn column<T: FromColumn>(&self, path: &str) -> Result<T::Column> {
        let target = self.projected(&[path])?;
        let node = resolve(&target.shape, &target.tree, path)?.first().copied().unwrap_or_default();
        let mut column = T::Column::default();
        let mut parts = self.parts.iter();
        let done = parts.try_for_each(|part| {
            let done = part.extend_column::<T>(path, &target, node, &mut column);
            done.map_err(|error| error.in_file(&part.path))
        });
        if is_type_error(&done) && is_null(&target.shape) {
            Ok(T::Column::default())
        } else {
            done.map(|()| column)
        }
    }

    /// The projection of the common shape to some paths; without paths, records without fields.
    fn projected(&self, paths: &[&str]) -> Result<Projection> {
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
