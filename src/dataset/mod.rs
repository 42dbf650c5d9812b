//! Several files that are read as one, and written one after the other.

mod folder;
mod rows;
mod writer;

pub use rows::{DatasetBatches, DatasetRows};
pub use writer::{DatasetWriter, DatasetWriterBuilder};

use crate::error::{Error, ErrorKind, Result};
use crate::reader::{FromColumn, Reader, ReaderBuilder};
use crate::schema::{columns, path, prune};
use crate::shape::Shape;
use crate::shape::unify::unify;
use serde::de::DeserializeOwned;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Several files that are read as one: the rows of the first part, then those of the second, ….
///
/// Opening reads the header of each part, and each part stays open. The parts need not have the same
/// shape: fields are found by name in each, may be there in some parts only, and may have wider numbers
/// in some than in others. [`Dataset::shape`] is what all rows fit. An error says which part it comes
/// from ([`Location::file`](crate::Location::file)); the number of a row in an error counts from the
/// start of its part.
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
    shape: Arc<Shape>,
    rows: u64,
}

/// One file of a [`Dataset`].
#[derive(Clone, Debug)]
pub struct DatasetPart<'s> {
    path: PathBuf,
    reader: Reader<'s>,
    first_row: u64,
}

impl<'s> DatasetPart<'s> {
    /// The path of the file; `part 0`, `part 1`, … where the dataset was made of readers.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file; after [`Dataset::project`], what it has of that.
    #[must_use]
    pub fn reader(&self) -> &Reader<'s> {
        &self.reader
    }

    /// Number of its first row within the dataset, from 0.
    #[must_use]
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// Appends the values at a path, which `target` leads to in the shape of all parts.
    fn extend_column<T: FromColumn>(&self, path: &str, target: &Shape, column: &mut T::Column) -> Result<()> {
        let rows = self.reader.checked_rows()?;
        if rows == 0 {
            return Ok(());
        }
        let missing = |found: &str, expected| {
            let path = format!("{path:?}");
            Err(ErrorKind::ColumnType { path, found: found.to_owned(), expected }.into())
        };
        match self.reader.extend_column::<T>(path, column) {
            Err(error) if matches!(error.kind(), ErrorKind::NoSuchPath { .. }) => {
                if prune::has_values(self.reader.pruned(target).shape()) {
                    missing("not a union in this part", "a variant of one in all parts")
                } else if T::append_missing(rows, column) {
                    Ok(())
                } else {
                    missing("missing in this part", "always there: use Option")
                }
            }
            done => done,
        }
    }
}

impl Dataset<'static> {
    /// Opens all files of a folder that end in `.trv`, but for hidden ones, in the order of their names.
    /// Numbers in names count as numbers: `part-100000.trv` comes after `part-99999.trv`.
    ///
    /// # Errors
    ///
    /// A folder that cannot be read or has no such file, a file that cannot be opened (as
    /// [`Reader::open`]), parts whose shapes do not fit together ([`ErrorKind::PartMismatch`]).
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
            return Err(Error::option("there are no .trv files in this folder").in_file(folder));
        }
        Self::of_paths(files, &options)
    }

    /// Opens files, in the order given.
    ///
    /// # Errors
    ///
    /// As [`Dataset::open`]; no files at all.
    pub fn from_paths<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        Self::of_paths(paths.into_iter().map(|path| path.as_ref().to_owned()), &ReaderBuilder::new())
    }

    fn of_paths(paths: impl IntoIterator<Item = PathBuf>, options: &ReaderBuilder) -> Result<Self> {
        let open = |path: PathBuf| options.clone().open(&path).map(|reader| (path, reader));
        Self::of(paths.into_iter().map(open).collect::<Result<_>>()?)
    }
}

impl<'s> Dataset<'s> {
    /// Takes files that are open. In errors they are `part 0`, `part 1`, ….
    ///
    /// # Errors
    ///
    /// Parts whose shapes do not fit together; no parts at all.
    pub fn from_readers(readers: Vec<Reader<'s>>) -> Result<Self> {
        let name = |number: usize| PathBuf::from(format!("part {number}"));
        Self::of(readers.into_iter().enumerate().map(|(number, reader)| (name(number), reader)).collect())
    }

    fn of(readers: Vec<(PathBuf, Reader<'s>)>) -> Result<Self> {
        if readers.is_empty() {
            return Err(Error::option("a dataset has at least one part"));
        }
        let mut rows = 0u64;
        let mut parts = Vec::with_capacity(readers.len());
        for (path, reader) in readers {
            let first_row = rows;
            rows = rows.checked_add(reader.row_count()).ok_or_else(|| {
                Error::metadata("the parts have more rows than 64 bits can count").in_file(&path)
            })?;
            parts.push(DatasetPart { path, reader, first_row });
        }
        let shape = Arc::new(unified(&parts)?);
        Ok(Self { parts: parts.into(), shape, rows })
    }

    /// Number of rows of all parts, as their headers say.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.rows
    }

    /// The files.
    #[must_use]
    pub fn parts(&self) -> &[DatasetPart<'s>] {
        &self.parts
    }

    /// The shape that the rows of all parts fit; after [`Dataset::project`], what is left of it.
    ///
    /// A field that only some parts have is optional, a number has the widest type that it has in any
    /// part, an enum has the symbols of all parts.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The rows of one part after the other, as [`Reader::rows`] gives them. The columns of a part are
    /// opened when it is reached.
    ///
    /// # Errors
    ///
    /// As [`Reader::rows`] for the first part; errors of later parts come when they are reached.
    pub fn rows<T: DeserializeOwned>(&self) -> Result<DatasetRows<'s, T>> {
        DatasetRows::new(self)
    }

    /// The rows of one part after the other as batches of typed vectors. The shape of a batch is that of
    /// its part, and [`Batch::first_row`](crate::Batch::first_row) counts within it.
    ///
    /// # Errors
    ///
    /// As [`Dataset::rows`].
    pub fn batches(&self) -> Result<DatasetBatches<'s>> {
        DatasetBatches::new(self)
    }

    /// One row, by its number over all parts, from 0; see [`Reader::row`].
    ///
    /// # Errors
    ///
    /// A number that there is no row of, and as [`Reader::row`].
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
    /// A path has to be in [`Dataset::shape`], that is, in at least one part. To a part that lacks it, it
    /// is absent, as it is in [`Dataset::rows`]: for a struct, the field is an `Option` or has
    /// `#[serde(default)]`. The rows of a part that has none of the paths are records without fields.
    ///
    /// # Errors
    ///
    /// A path that is in no part; the error names a near one.
    pub fn project<P: AsRef<str>>(&self, paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let paths: Vec<P> = paths.into_iter().collect();
        let paths: Vec<&str> = paths.iter().map(AsRef::as_ref).collect();
        if paths.is_empty() {
            let shape = Arc::new(Shape::Null);
            return self.map(shape, |reader| reader.project::<&str>([]));
        }
        let shape = self.projected(&paths)?;
        self.map(Arc::clone(&shape), |reader| Ok(reader.pruned(&shape)))
    }

    /// All values at a path, of one part after the other; see [`Reader::column`].
    ///
    /// For a part that lacks the path, `Option<T>` gives `None` for each row, other types an error.
    ///
    /// # Errors
    ///
    /// A path that is in no part, or that a part lacks where `T` is no `Option`; values of another type.
    pub fn column<T: FromColumn>(&self, path: &str) -> Result<T::Column> {
        let target = self.projected(&[path])?;
        let mut column = T::Column::default();
        for part in self.parts.iter() {
            part.extend_column::<T>(path, &target, &mut column).map_err(|error| error.in_file(&part.path))?;
        }
        Ok(column)
    }

    /// What paths name of the shape of all parts.
    fn projected(&self, paths: &[&str]) -> Result<Arc<Shape>> {
        let (layout, _) = columns::columns(&self.shape);
        path::project(&self.shape, &layout, paths).map(|(shape, _)| Arc::new(shape))
    }

    /// The same parts, each read in another way.
    fn map(&self, shape: Arc<Shape>, read: impl Fn(&Reader<'s>) -> Result<Reader<'s>>) -> Result<Self> {
        let part = |part: &DatasetPart<'s>| {
            let reader = read(&part.reader).map_err(|error| error.in_file(&part.path))?;
            Ok(DatasetPart { path: part.path.clone(), reader, first_row: part.first_row })
        };
        let parts: Vec<DatasetPart<'s>> = self.parts.iter().map(part).collect::<Result<_>>()?;
        Ok(Self { parts: parts.into(), shape, rows: self.rows })
    }
}

/// The shape that the rows of all parts fit.
fn unified(parts: &[DatasetPart<'_>]) -> Result<Shape> {
    // A part without rows may have learned nothing of their shape.
    let blank = |part: &DatasetPart<'_>| part.reader.row_count() == 0 && *part.reader.shape() == Shape::Null;
    let mut shape: Option<Shape> = None;
    for (number, part) in parts.iter().enumerate().filter(|(_, part)| !blank(part)) {
        let own = part.reader.shape();
        let Some(before) = &mut shape else {
            shape = Some(own.clone());
            continue;
        };
        if before == own {
            continue;
        }
        *before = unify(before, own).map_err(|mismatch| {
            let earlier = parts.iter().take(number).filter(|part| !blank(part));
            let pair = earlier.filter_map(|one| Some((one, unify(one.reader.shape(), own).err()?))).next();
            let other = pair.as_ref().map(|(one, _)| one.path.display().to_string());
            let mismatch = pair.map_or(mismatch, |(_, mismatch)| mismatch);
            Error::from(ErrorKind::PartMismatch {
                path: mismatch.path,
                found: mismatch.two.to_owned(),
                expected: mismatch.one.to_owned(),
                other: other.unwrap_or_else(|| "the parts before".to_owned()),
            })
            .in_file(&part.path)
        })?;
    }
    Ok(shape.unwrap_or(Shape::Null))
}

impl fmt::Debug for Dataset<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dataset")
            .field("parts", &self.parts.len())
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}
