//! Reads files.

mod ahead;
mod batcher;
mod builder;
mod collect;
mod column;
mod columns;
mod cursor;
mod explain;
mod filter;
mod info;
mod project;
mod row;
mod rows;
mod scan;
mod select;
mod target;

pub use builder::ReaderBuilder;
pub(crate) use collect::collect;
pub use column::{FromColumn, Nested};
pub(crate) use column::{is_null, is_type_error};
pub use explain::{Explain, ExplainColumn};
pub use info::{BlockInfo, ColumnInfo, FirstValue};
pub use rows::{Batches, Rows};

use crate::batch::Batch;
use crate::dialect::trevni::decode::{Decoder, File};
use crate::dialect::trevni::version::Version;
use crate::error::{Error, Result};
use crate::metadata::{self, Metadata};
use crate::schema::columns::{Layout, layout_of};
use crate::schema::{Branches, avro, path, prune, resolve, untyped};
use crate::selection::RowSelection;
use crate::shape::Shape;
use crate::source::{Seekable, Source};
use crate::vector::Vector;
use crate::zone_map::ZoneMap;
use filter::Filtered;
use row::Kept;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// An open file.
///
/// Opening reads only the header. A column is read when a row first asks for it, so a struct with few
/// fields reads few columns. A reader is cheap to clone, and each call reads from the start.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("trevni-doc-{}.trv", std::process::id()));
/// # #[derive(serde::Serialize)]
/// # struct Flight { carrier: &'static str, distance: f32, origin: &'static str }
/// # let mut writer = trevni::Writer::create(&path)?;
/// # writer.write(&Flight { carrier: "AA", distance: 1089.0, origin: "JFK" })?;
/// # writer.finish()?;
/// #[derive(serde::Deserialize)]
/// struct Leg {
///     carrier: String,
///     distance: f32,
/// }
///
/// let reader = trevni::Reader::open(&path)?;
/// for leg in reader.rows::<Leg>()? {
///     let leg = leg?;
///     assert_eq!((leg.carrier.as_str(), leg.distance), ("AA", 1089.0));
/// }
/// assert_eq!(reader.column::<f32>("distance")?, [1089.0]);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), trevni::Error>(())
/// ```
pub struct Reader<'s> {
    file: Arc<File<'s>>,
    shape: Arc<Shape>,
    layout: Arc<Layout>,
    /// How enums match the branches of unions.
    branches: Branches,
    /// The shape and layout of whole rows, for predicates.
    whole: (Arc<Shape>, Arc<Layout>),
    /// The rows to read; none for all.
    selection: Option<Arc<RowSelection>>,
    /// The filter on these rows; none for all.
    filter: Option<Arc<Filtered>>,
    /// The cache for single rows of this shape.
    kept: Kept,
    /// The file, if it is `'static`, so that detached threads may read it.
    shared: Option<Arc<File<'static>>>,
    /// Created on first use.
    columns: Arc<OnceLock<Vec<ColumnInfo>>>,
}

impl Clone for Reader<'_> {
    /// Clones the reader. The clone has the same file, and its own cache for [`Reader::row`].
    fn clone(&self) -> Self {
        let (shape, layout) = (Arc::clone(&self.shape), Arc::clone(&self.layout));
        Self {
            file: Arc::clone(&self.file),
            shape,
            layout,
            branches: self.branches,
            whole: self.whole.clone(),
            selection: self.selection.clone(),
            filter: self.filter.clone(),
            kept: Kept::default(),
            shared: self.shared.clone(),
            columns: Arc::clone(&self.columns),
        }
    }
}

impl Reader<'static> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, is not a Trevni file, or has a damaged header.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        ReaderBuilder::new().open(path)
    }

    /// Options for reading.
    pub fn builder() -> ReaderBuilder {
        ReaderBuilder::new()
    }

    /// A reader whose file is `'static`, so detached threads may use it.
    fn sharing(self) -> Self {
        Self { shared: Some(Arc::clone(&self.file)), ..self }
    }
}

impl<'s> Reader<'s> {
    /// Opens a source.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`].
    pub fn new(source: impl Source + 's) -> Result<Self> {
        ReaderBuilder::new().source(source)
    }

    /// Opens a file in memory.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`].
    pub fn from_slice(bytes: &'s [u8]) -> Result<Self> {
        Self::new(bytes)
    }

    /// Opens anything that reads and seeks.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`].
    pub fn from_seekable(reader: impl Read + Seek + Send + 's) -> Result<Self> {
        Self::new(Seekable::new(reader))
    }

    /// A reader of only the fields that are also in `target`.
    pub(crate) fn pruned(&self, target: &Shape) -> Self {
        let (shape, layout) = prune::prune(&self.shape, &self.layout, target);
        Self { shape: Arc::new(shape), layout: Arc::new(layout), ..self.clone() }
    }

    /// As [`Reader::column`], appended to the values in `column`.
    pub(crate) fn extend_column<T: FromColumn>(&self, path: &str, column: &mut T::Column) -> Result<()> {
        column::extend::<T>(self, path, column)
    }

    /// This reader with all fields.
    pub(crate) fn whole_fields(&self) -> Self {
        let (shape, layout) = self.whole.clone();
        Self { shape, layout, ..self.clone() }
    }

    /// The number of rows, checked against the size of the file.
    pub(crate) fn checked_rows(&self) -> Result<usize> {
        let rows = scan::checked_rows(&self.file)?;
        usize::try_from(rows).map_err(|_| Error::option("more rows than memory has addresses"))
    }

    fn over(mut file: File<'s>, sorted: &[String]) -> Result<Self> {
        let header = &file.header;
        let (shape, layout) = match header.entries().get(metadata::SCHEMA) {
            Some(text) => {
                let text = std::str::from_utf8(text).map_err(|_| Error::schema("not UTF-8"))?;
                let shape = avro::parse_within(text, avro::most_nodes(text, header.names()))?;
                let layout = match layout_of(&shape, header.names()) {
                    Some(layout) => layout,
                    None => resolve::layout(&shape, &header.specs())?,
                };
                (shape, layout)
            }
            None => untyped::shape(&header.specs())?,
        };
        let is_derived = header.entries().get(metadata::SCHEMA_KIND) == Some(metadata::DERIVED.as_bytes());
        let branches = if is_derived { Branches::Kinds } else { Branches::Variants };
        for path in sorted {
            file.set_sorted(path::leaf(&shape, &layout, path)?)?;
        }
        let columns = Arc::new(OnceLock::new());
        let (shape, layout) = (Arc::new(shape), Arc::new(layout));
        Ok(Self {
            file: Arc::new(file),
            whole: (Arc::clone(&shape), Arc::clone(&layout)),
            shape,
            layout,
            branches,
            selection: None,
            filter: None,
            kept: Kept::default(),
            shared: None,
            columns,
        })
    }

    /// Number of rows in the file, as its header states, regardless of selections and filters. Each column
    /// that is read is checked against it.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.file.header.rows
    }

    /// The shape of the rows; after [`Reader::project`], of the projected rows.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// All columns of the file, in file order, regardless of projections.
    #[must_use]
    pub fn columns(&self) -> &[ColumnInfo] {
        self.columns.get_or_init(|| info::columns(&self.file, &self.whole.0, &self.whole.1))
    }

    /// The metadata of the file.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        self.file.header.metadata()
    }

    /// The version of the format.
    #[must_use]
    pub fn version(&self) -> Version {
        self.file.header.version
    }

    /// The file format, among the formats of the family.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        Dialect::Trevni
    }

    /// The blocks of a column, given by its number in [`Reader::columns`]. Reads the block table.
    ///
    /// # Errors
    ///
    /// A column number out of range, a damaged table, an unknown codec or checksum, and as
    /// [`Reader::zone_map`].
    pub fn blocks(&self, column: usize) -> Result<Vec<BlockInfo>> {
        info::blocks(&self.file, column)
    }

    /// The bounds and counts of each block of a column, given by its number in [`Reader::columns`], and
    /// whether its values ascend; `None` if the file has no zone map for it. Reads the block table.
    ///
    /// ```
    /// use trevni::Bound;
    ///
    /// let bytes = trevni::to_vec((0..100_000).map(|n| n / 10))?;
    /// let reader = trevni::Reader::from_slice(&bytes)?;
    /// let map = reader.zone_map(0)?.expect("files of this crate have zone maps");
    /// assert!(map.ascending && map.zones.len() > 1);
    /// assert_eq!(map.zones[0].min, Some(Bound::Integer(0)));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::blocks`], and first values that do not ascend in a column of [`ReaderBuilder::sorted`].
    pub fn zone_map(&self, column: usize) -> Result<Option<Arc<ZoneMap>>> {
        self.file.zones(column)
    }

    /// Iterates over the rows, as a type with all or some of their fields. Only the columns of these fields
    /// are read, each when a row first asks for it.
    ///
    /// ```
    /// #[derive(serde::Serialize)]
    /// struct Flight { carrier: &'static str, distance: f32 }
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Leg { distance: f32 }
    ///
    /// let file = trevni::to_vec([Flight { carrier: "AA", distance: 1089.0 }])?;
    /// for leg in trevni::Reader::from_slice(&file)?.rows::<Leg>()? {
    ///     assert_eq!(leg?.distance, 1089.0);
    /// }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Columns that do not fit the schema, or more rows than the limits allow for a file of this size.
    pub fn rows<T: DeserializeOwned>(&self) -> Result<Rows<'s, T>> {
        Rows::new(self)
    }

    /// Reads one row, by its number from 0 within the file, regardless of selections and filters.
    ///
    /// Of each column that `T` asks for, only the block with the row is read (specification, "permit random
    /// access within a row group").
    ///
    /// ```
    /// let bytes = trevni::to_vec((0..10_000u32).map(|n| (n, vec![n; n as usize % 3])))?;
    /// let reader = trevni::Reader::from_slice(&bytes)?;
    /// assert_eq!(reader.row::<(u32, Vec<u32>)>(8_000)?, (8_000, vec![8_000; 2]));
    /// assert!(reader.row::<(u32, Vec<u32>)>(10_000).is_err());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A row number out of range, a row that does not fit `T`, or a block that cannot be decoded.
    pub fn row<T: DeserializeOwned>(&self, number: u64) -> Result<T> {
        row::read(self, number)
    }

    /// This reader, if its file is `'static`.
    fn shared(&self) -> Option<Reader<'static>> {
        let Self { file: _, shape, layout, branches, whole, selection, filter, kept, shared, columns } =
            self.clone();
        let file = Arc::clone(shared.as_ref()?);
        Some(Reader { file, shape, layout, branches, whole, selection, filter, kept, shared, columns })
    }

    /// A reader that ignores the schema and infers the shape from the columns, as for files without
    /// `avro.schema`: root columns are fields, array columns are lists, parents are lists of records.
    ///
    /// # Errors
    ///
    /// Parents that are nested too deep.
    pub fn untyped(&self) -> Result<Self> {
        let (shape, layout) = untyped::shape(&self.file.header.specs())?;
        let (shape, layout) = (Arc::new(shape), Arc::new(layout));
        let whole = (Arc::clone(&shape), Arc::clone(&layout));
        let columns = Arc::new(OnceLock::new());
        let mut reader = Self { shape, layout, whole, filter: None, columns, ..self.clone() };
        if let Some(filtered) = &self.filter {
            reader = reader.filter(filtered.predicate.clone())?;
        }
        Ok(reader)
    }

    /// Iterates over the rows as batches of typed vectors, with all projected columns decoded.
    ///
    /// # Errors
    ///
    /// As [`Reader::rows`].
    pub fn batches(&self) -> Result<Batches<'s>> {
        Batches::new(self)
    }

    /// Reads all values at a path, without building rows. [`FromColumn`] lists the types: numbers, strings,
    /// bytes, `Option`s of them, and [`Nested`] for the items of lists.
    ///
    /// ```
    /// let file = trevni::to_vec([("AA", 1089.0), ("UA", 2475.0)])?;
    /// let reader = trevni::Reader::from_slice(&file)?;
    /// assert_eq!(reader.column::<f64>("_1")?, [1089.0, 2475.0]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An unknown path, values of another type, and as [`Reader::rows`].
    pub fn column<T: FromColumn>(&self, path: &str) -> Result<T::Column> {
        column::read::<T>(self, path)
    }

    /// Reads all values of one column of the file, given by its number in [`Reader::columns`], as one batch.
    /// Each array column, including this one and its parents, becomes a level of lists.
    ///
    /// # Errors
    ///
    /// A column number out of range, and as [`Reader::rows`].
    pub fn raw_column(&self, column: usize) -> Result<Batch> {
        let spec = |number| Ok(self.file.column(number)?.spec);
        let (shape, layout) = untyped::single(column, spec)?;
        let vector = self.whole(&shape, &layout)?;
        let rows = RowSelection::from(0..vector.len() as u64);
        Ok(Batch::new(Arc::new(shape), self.branches, vector, rows))
    }

    /// The values of all rows.
    fn whole(&self, shape: &Shape, layout: &Layout) -> Result<Vector> {
        let (shape, layout) = (Arc::new(shape.clone()), Arc::new(layout.clone()));
        let mut decoder = Decoder::new(&self.file, &shape, &layout)?;
        decoder.want_all();
        let mut vector = Vector::Null(0);
        decoder.batch(&self.file, 0, self.checked_rows()?, &mut vector)?;
        Ok(vector)
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("version", &self.version())
            .field("rows", &self.row_count())
            .field("columns", &self.file.header.len())
            .finish_non_exhaustive()
    }
}

/// The file formats of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Avro's Trevni.
    Trevni,
}
