//! Reads files.

mod about;
mod alias;
pub(crate) mod builder;
mod collect;
mod column;

mod cursor;
mod explain;
#[cfg(feature = "predicates")]
mod filter;
mod joined;
mod kept;
mod needs;
pub(crate) mod open;

mod pipeline;
mod project;
mod row;
mod rows;
#[cfg_attr(not(feature = "files"), path = "no_salvage.rs")]
mod salvage;
mod select;
mod target;
mod vectors;

pub use crate::batch::BatchRows;
pub use crate::storage::pieces::Pieces;
pub(crate) use alias::Alias;
pub(crate) use builder::{ReaderBuilder, check_written};
pub(crate) use collect::collect;
pub use column::{FromColumn, Nested};
pub(crate) use column::{is_null, is_type_error};
pub use explain::{Explain, ExplainColumn};
pub(crate) use joined::{as_read, is_derived, joined};
pub(crate) use open::Reader;
pub(crate) use pipeline::scan::checked_rows;
pub(crate) use row::take;
pub use rows::{Batches, Rows};
#[cfg(feature = "files")]
pub(crate) use salvage::column::decode_rows;
#[cfg(feature = "files")]
pub use salvage::{Damage, Lost};
pub use vectors::{Decoded, Vectors};

use crate::batch::Batch;
use crate::convert::Conversion;
use crate::dialect::{DecodedColumns, Decoder, File, Schema, Window};
use crate::error::{Error, Result};
use crate::selection::RowSelection;
use crate::shape::branch::Branches;
use crate::shape::{Shape, Shown};
use crate::storage::budget::{Budget, Pass};
use crate::storage::source::Source;
use crate::tree::{Constant, Kind, NodeId, Projection, Slot, resolve};
use crate::vector::Vector;
use pipeline::scan;
use row::RowCache;
#[cfg(not(feature = "files"))]
use salvage::Lost;
use salvage::Salvage;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

impl Clone for Reader<'_> {
    /// Clones the reader. The clone has the same file, and its own cache for [`Reader::row`].
    fn clone(&self) -> Self {
        Self {
            file: Arc::clone(&self.file),
            schema: Arc::clone(&self.schema),
            part: self.part.clone(),
            selection: self.selection.clone(),
            filter: self.filter.clone(),
            cache: RowCache::default(),
            shared: self.shared.clone(),
            columns: Arc::clone(&self.columns),
            salvage: self.salvage.clone(),
            lost: Arc::clone(&self.lost),
            pass: self.pass.clone(),
            path: self.path.clone(),
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

    /// The reader of a file with a path, which errors name.
    fn at(self, path: &Path) -> Self {
        Self { path: Some(path.into()), ..self }
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

    /// Says in errors which file they are of, if it was opened by its path.
    fn here<T>(&self, done: Result<T>) -> Result<T> {
        done.map_err(|error| in_file(self.path.as_deref(), error))
    }

    /// The file.
    pub(crate) fn file(&self) -> &File<'s> {
        &self.file
    }

    /// The rows of the file.
    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// A reader of some nodes of the file, in their order, and of those above them; the values of some count as missing.
    pub(crate) fn of_nodes(&self, nodes: impl IntoIterator<Item = (NodeId, bool)>) -> Self {
        self.of_part(self.schema.whole.only_with(nodes))
    }

    /// Appends the values at a path, which is a node of a joined shape that rows become.
    pub(crate) fn extend_column<T: FromColumn>(
        &self,
        (path, node): (&str, NodeId),
        joined: &Shape,
        conversion: &Conversion,
        column: &mut T::Column,
    ) -> Result<()> {
        column::named(path, column::extend::<T>(self, node, joined, conversion, column))
    }

    /// The shape of the rows, unknown where no row has shown a value.
    pub(crate) fn known_shape(&self) -> Cow<'_, Shape> {
        self.schema.known(&self.part)
    }

    /// How enums match the branches of unions.
    pub(crate) fn branches(&self) -> Branches {
        self.schema.branches
    }

    /// What types that ask for anything are shown of logical types.
    pub(crate) fn shown(&self) -> Shown {
        self.schema.shown
    }

    /// The number of rows, checked against the size of the file.
    pub(crate) fn checked_rows(&self) -> Result<usize> {
        let rows = scan::checked_rows(&self.file)?;
        usize::try_from(rows).map_err(|_| Error::too_large("the number of rows", rows, usize::MAX as u64))
    }

    fn over(mut file: File<'s>, options: &ReaderBuilder) -> Result<Self> {
        let mut schema = with_fields(&file, file.schema()?, &options.fields)?;
        schema.shown = options.shown(schema.shown);
        for alias in &options.aliases {
            let names = alias.renamed(&schema.whole)?;
            if !names.is_empty() {
                schema = schema.renamed(&names);
            }
        }
        let (sorted, is_damaged) = (&options.sorted, options.options.is_damaged);
        for path in sorted {
            file.set_sorted(sorted_column(&schema, path)?)?;
        }
        let salvage = Salvage::new(is_damaged, file.column_count());
        Ok(Self {
            file: Arc::new(file),
            part: schema.whole.clone(),
            schema: Arc::new(schema),
            selection: None,
            filter: None,
            cache: RowCache::default(),
            shared: None,
            columns: Arc::new(OnceLock::new()),
            salvage,
            lost: Arc::default(),
            pass: None,
            path: None,
        })
    }

    /// Iterates over the rows, as a type with all or some of their fields. Only the columns of these fields
    /// are read, each when a row first asks for it.
    ///
    /// A type may borrow strings and bytes while it is made, as a `Deserialize` does that calls `<&str>::deserialize`.
    /// Rows that keep such borrows come from [`Batch::rows`](crate::Batch::rows).
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
        self.here(Rows::new(self))
    }

    /// Reads one row, by its number from 0 within the file, regardless of selections and filters.
    ///
    /// Of each column that `T` needs, only the block with the row is read (specification, "permit random
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
        self.here(row::read(self, number))
    }

    /// Reads rows by their numbers, in the order of these, which may repeat; as [`Reader::row`] for each. Each block is
    /// decoded once, wherever the rows are.
    ///
    /// ```
    /// let bytes = trevni::to_vec((0..10_000u32).map(|n| (n, n.to_string())))?;
    /// let reader = trevni::Reader::from_slice(&bytes)?;
    /// let rows: Vec<(u32, String)> = reader.take(&[9_000, 17, 9_000])?;
    /// assert_eq!(rows.iter().map(|(n, _)| *n).collect::<Vec<_>>(), [9_000, 17, 9_000]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::row`].
    pub fn take<T: DeserializeOwned>(&self, rows: &[u64]) -> Result<Vec<T>> {
        row::take(rows, |number| self.row(number))
    }

    /// Reports which blocks rows of type `T` need; see [`Reader::explain`]. Reads the first row, which shows the columns
    /// that `T` needs.
    ///
    /// ```
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// struct Name {
    ///     name: String,
    /// }
    ///
    /// let bytes = trevni::to_vec([serde_json::json!({"name": "Ada", "born": 1815})])?;
    /// let explain = trevni::Reader::from_slice(&bytes)?.explain_for::<Name>()?;
    /// assert_eq!(explain.columns.iter().map(|column| &*column.name).collect::<Vec<_>>(), ["name"]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::rows`], and a first row that does not fit `T`.
    pub fn explain_for<T: DeserializeOwned>(&self) -> Result<Explain> {
        let mut rows = self.rows::<T>()?;
        rows.next().transpose()?;
        let plan = self.here(rows.plan())?;
        self.of_part(self.part.only(plan.nodes())).explain()
    }

    /// This reader, if its file is `'static`.
    fn shared(&self) -> Option<Reader<'static>> {
        let file = Arc::clone(self.shared.as_ref()?);
        let own = self.clone();
        Some(Reader {
            file,
            schema: own.schema,
            part: own.part,
            selection: own.selection,
            filter: own.filter,
            cache: own.cache,
            shared: own.shared,
            columns: own.columns,
            salvage: own.salvage,
            lost: own.lost,
            pass: own.pass,
            path: own.path,
        })
    }

    /// A reader that ignores the schema and infers the shape from the columns, as for files without
    /// `avro.schema`: root columns are fields, array columns are lists, parents are lists of records.
    ///
    /// # Errors
    ///
    /// Parents that are nested too deep.
    pub fn untyped(&self) -> Result<Self> {
        let fields = self.schema.named_constants();
        let schema = Arc::new(with_fields(&self.file, self.file.untyped_schema()?, &fields)?);
        let (part, columns) = (schema.whole.clone(), Arc::new(OnceLock::new()));
        let lost = Arc::default();
        let filter = match &self.filter {
            Some(filtered) => Some(Arc::new(filtered.rebound(&schema)?)),
            None => None,
        };
        Ok(Self { schema, part, filter, columns, lost, ..self.clone() })
    }

    /// Iterates over the rows as batches of typed vectors, with all projected columns decoded.
    ///
    /// # Errors
    ///
    /// As [`Reader::rows`].
    pub fn batches(&self) -> Result<Batches<'s>> {
        self.here(Batches::new(self))
    }

    /// Iterates over the rows as vectors of [`shape`](Self::shape), in the form that decodes fastest. Use it to convert rows to another
    /// columnar format. Unlike [`batches`](Self::batches), strings and byte strings may be [`Vector::Dictionary`], and a vector may
    /// have unwanted rows: a few that a filter or a selection excludes between two wanted ones. [`Decoded::wanted`] lists the
    /// wanted rows.
    ///
    /// ```
    /// use trevni::{Codec, Reader, Vector, Writer, col};
    ///
    /// let mut writer = Writer::builder().codec(Codec::Typed).build(Vec::new())?;
    /// writer.write_all((0..1000).map(|n| (["AA", "UA", "DL"][n % 3], n as i32)))?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?.filter(col("_1").ne(1))?;
    /// let decoded = reader.vectors()?.next().unwrap()?;
    /// assert_eq!(decoded.wanted[0], 0..1);
    /// let Vector::Record(record) = decoded.vector else { panic!() };
    /// let Vector::Dictionary(carriers) = &record.fields[0] else { panic!() };
    /// assert_eq!(carriers.dictionary().values().get(carriers.keys()[2] as usize), Some(&b"DL"[..]));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::rows`].
    pub fn vectors(&self) -> Result<Vectors<'s>> {
        self.here(Vectors::new(self))
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
        self.here(column::read::<T>(self, path))
    }

    /// Reads all values of one column of the file, given by its number in [`Reader::columns`], as one batch.
    /// Each array column, including this one and its parents, becomes a level of lists.
    ///
    /// # Errors
    ///
    /// A column number out of range, and as [`Reader::rows`].
    pub fn raw_column(&self, column: usize) -> Result<Batch> {
        let schema = Arc::new(self.here(self.file.column_schema(column))?);
        let vector = self.here(self.all_rows(&schema, &schema.whole))?;
        let rows = RowSelection::from(0..vector.len() as u64);
        let batch = Batch::new(Arc::clone(&schema.whole.shape), schema.branches, vector, rows);
        Ok(batch.showing(self.schema.shown))
    }

    /// This reader, whose clones, projections and parts count together toward
    /// [`Limits::rows_without_bytes`](crate::Limits::rows_without_bytes): for who reads all of a file, but column by column, or by
    /// several threads.
    ///
    /// ```
    /// use trevni::{Category, Limits, Reader};
    ///
    /// let file = trevni::to_vec(vec![(None::<u8>, None::<u8>); 1_000_000])?;
    /// let limits = Limits::default().rows_without_bytes(1_500_000);
    /// let reader = Reader::builder().limits(limits).source(&*file)?;
    /// let read = |reader: &Reader, path: &str| reader.project([path])?.batches()?.try_for_each(|batch| batch.map(drop));
    /// read(&reader, "_0")?;
    /// read(&reader, "_1")?;
    /// let together = reader.limited_together();
    /// read(&together, "_0")?;
    /// assert_eq!(read(&together, "_1").unwrap_err().category(), Category::Limit);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn limited_together(&self) -> Self {
        Self { pass: Some(Pass::default()), ..self.clone() }
    }

    /// What decodes a part of the rows.
    fn decoder(&self, schema: &Arc<Schema>, part: &Projection) -> Result<Decoder> {
        let mut decoder = Decoder::new(&self.file, schema, part)?;
        if let Some(pass) = &self.pass {
            decoder.hold().join(pass);
        }
        Ok(decoder)
    }

    /// The values of all rows.
    fn all_rows(&self, schema: &Arc<Schema>, part: &Projection) -> Result<Vector> {
        let mut decoder = self.decoder(schema, part)?;
        decoder.want_all();
        // The values are the caller's; they may be as many as the file has bytes for.
        decoder.hold().hand_over_of(&Budget::new(self.file.limits().kept(self.file.counted_bytes())));
        let (rows, mut vector) = (self.checked_rows()?, Vector::Null(0));
        let all = 0..rows;
        let selected = std::slice::from_ref(&all);
        decoder.batch(
            &self.file,
            &Window { row: 0, rows, picks: selected },
            &DecodedColumns::default(),
            &mut vector,
        )?;
        Ok(vector)
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("dialect", &self.dialect())
            .field("rows", &self.row_count())
            .field("columns", &self.file.column_count())
            .finish_non_exhaustive()
    }
}

/// The rows of a file with more fields. A file without rows may not say what they are.
fn with_fields(file: &File<'_>, schema: Schema, fields: &[(String, Constant)]) -> Result<Schema> {
    let is_blank = file.rows() == 0 && !matches!(*schema.whole.shape, Shape::Record(_));
    if fields.is_empty() || is_blank { Ok(schema) } else { schema.with_constants(fields) }
}

/// The column that a path names, one of values without lengths.
fn sorted_column(schema: &Schema, path: &str) -> Result<usize> {
    let Projection { shape, tree, .. } = &schema.whole;
    let mut nodes = resolve(shape, tree, path)?;
    let mut node = if nodes.len() == 1 { nodes.pop() } else { None };
    // A record of one field is that field.
    while let Some(record) = node.filter(|node| tree.kind(*node) == Kind::Record && !path.is_empty()) {
        let mut fields = tree.children(record);
        node = fields.next().filter(|_| fields.next().is_none());
    }
    let leaf = node.filter(|node| matches!(tree.kind(*node), Kind::Leaf(_)));
    let leaf = leaf.filter(|leaf| {
        std::iter::successors(tree.parent(*leaf), |id| tree.parent(*id))
            .all(|id| tree.kind(id) == Kind::Record)
    });
    let column = leaf.and_then(|leaf| schema.column(Slot::Own(leaf)));
    column.ok_or_else(|| Error::option(format!("{path:?} is not a single column without lengths")))
}

/// Says which file an error is of, if that is known.
fn in_file(path: Option<&Path>, error: Error) -> Error {
    match path {
        Some(path) => error.in_file(path),
        None => error,
    }
}
