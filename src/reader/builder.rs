//! Options for reading.

use super::{Alias, Reader};
#[cfg(feature = "levels")]
use crate::dialect::redelm::decode::open_with_footer;
use crate::dialect::{Layout, ReadOptions};
use crate::error::{Category, Error, Result};
use crate::formats;
use crate::limits::Limits;
use crate::shape::{Shape, Shown};
use crate::storage::source::Source;
use crate::tree::Constant;
use std::path::Path;

/// Configures and opens a [`Reader`]. Every option has a default.
///
/// ```
/// use trevni::{Limits, Reader};
///
/// let file = trevni::to_vec(["north", "south"])?;
/// let reader = Reader::builder().limits(Limits::DEFAULT).threads(2).shared(file)?;
/// assert_eq!(reader.column::<String>("")?, ["north", "south"]);
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ReaderBuilder {
    limits: Limits,
    threads: usize,
    pub(super) sorted: Vec<String>,
    pub(super) options: ReadOptions,
    logical_text: bool,
    /// Fields that all rows have, beside those of the file.
    pub(super) fields: Vec<(String, Constant)>,
    pub(crate) aliases: Vec<Alias>,
}

impl Default for ReaderBuilder {
    fn default() -> Self {
        Self {
            limits: Limits::DEFAULT,
            threads: 1,
            sorted: Vec::new(),
            options: ReadOptions::default(),
            logical_text: false,
            fields: Vec::new(),
            aliases: Vec::new(),
        }
    }
}

/// Checks that a file that has been written is one that a reader opens.
///
/// # Errors
///
/// A file that cannot be read, and a fault of this crate: one that it refuses.
pub(crate) fn check_written(file: std::fs::File) -> Result<()> {
    match ReaderBuilder::new().limits(Limits::NONE).source(file) {
        Ok(_) => Ok(()),
        Err(error) if error.category() == Category::Io => Err(error),
        Err(error) => Err(Error::internal(format!("a file that has been written cannot be opened: {error}"))),
    }
}

impl ReaderBuilder {
    /// Creates a builder with the defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets resource limits for untrusted input. Default: [`Limits::DEFAULT`].
    ///
    /// ```
    /// use trevni::{ErrorKind, Limits, Reader};
    ///
    /// let file = trevni::to_vec((0..1000).map(f64::from))?;
    /// let limits = Limits::default().block_bytes(100);
    /// let error = Reader::builder().limits(limits).source(&*file)?.column::<f64>("").unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::Limit { .. }));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of threads that decode columns; 0 means [`std::thread::available_parallelism`]. Default: 1.
    ///
    /// For a file opened with [`ReaderBuilder::open`] or [`ReaderBuilder::shared`], the other threads decode the
    /// next rows while the calling thread builds the current ones, which helps most. More threads pay if many
    /// columns are read or the codec is slow. With more than one thread, batches have up to 16,384 rows rather
    /// than 4,096, and several of them are in memory.
    ///
    /// To build the rows themselves in parallel, give each thread a reader of some rows ([`Reader::select`]):
    /// readers are cheap to clone.
    ///
    /// Needs the feature `threads`, which is a default one.
    ///
    /// ```
    /// use trevni::Reader;
    ///
    /// let file = trevni::to_vec(0..100_000)?;
    /// let reader = Reader::builder().threads(4).shared(file)?;
    /// assert_eq!(reader.rows::<i32>()?.map(Result::unwrap).max(), Some(99_999));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[cfg(feature = "threads")]
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = crate::storage::pool::counted(count);
        self
    }

    /// Declares that the values of these columns ascend from the first row to the last. Default: no columns.
    ///
    /// This is for files of other implementations with first values. Such files do not record sortedness; if you
    /// assert it, first values act as zone maps. It is for columns without lengths and parents, and has no effect
    /// on columns of bytes, columns with a zone map, and columns without first values.
    ///
    /// ```
    /// use trevni::{Reader, Writer, col};
    ///
    /// let options = Writer::builder().without_zone_maps().first_values([""]).block_size(1000);
    /// let mut writer = options.build(Vec::new())?;
    /// writer.write_all(0..10_000)?;
    /// let file = writer.finish()?;
    ///
    /// let plain = Reader::from_slice(&file)?;
    /// assert_eq!(plain.filter(col("").lt(10))?.explain()?.blocks_skipped(), 0);
    /// let sorted = Reader::builder().sorted([""]).source(&*file)?;
    /// assert!(sorted.filter(col("").lt(10))?.explain()?.blocks_skipped() > 10);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn sorted<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.sorted.extend(paths.into_iter().map(|path| path.as_ref().to_owned()));
        self
    }

    /// States the layout of a file of [`Dialect::Levels`](crate::Dialect::Levels) that does not say it. Default: what
    /// the file says; where it says nothing, values come first if any column has levels, and else the file is Trevni.
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::formats::{Layout, Levels};
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().format(Levels::new().layout(Layout::ValuesFirst)).build(Vec::new())?;
    /// writer.write(&Some(1))?;
    /// let file = writer.finish()?;
    /// let reader = Reader::builder().layout(Layout::ValuesFirst).source(&*file)?;
    /// assert_eq!(reader.row::<Option<i32>>(0)?, Some(1));
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn layout(mut self, layout: Layout) -> Self {
        self.options.layout = Some(layout);
        self
    }

    /// Gives the shape of the rows of a file of [`Dialect::Levels`](crate::Dialect::Levels) that does not say it: one
    /// whose groups have no columns. Default: what the file says.
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::{Dialect, Reader, Shape, Writer};
    ///
    /// let mut writer = Writer::builder().dialect(Dialect::Levels).build(Vec::new())?;
    /// writer.write(&serde_json::json!({"id": 1}))?;
    /// let file = writer.finish()?;
    /// let shape = Shape::record("Row", [("id", Shape::Long)]);
    /// assert_eq!(Reader::builder().shape(&shape).source(&*file)?.shape(), &shape);
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn shape(mut self, shape: &Shape) -> Self {
        self.options.shape = Some(shape.clone());
        self
    }

    /// Reads files whose columns have one entry too many in their last block, as Impala's writer left those that it cut
    /// off at its size limit. Default: such columns are refused.
    ///
    /// ```
    /// # let file = trevni::to_vec([1])?;
    /// assert_eq!(trevni::Reader::builder().lenient().source(&*file)?.row_count(), 1);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn lenient(mut self) -> Self {
        self.options.lenient = true;
        self
    }

    /// Shows the canonical strings of logical types in untyped reads, such as `serde_json::Value` and flattened or
    /// untagged fields, and those of `rust_decimal`, `bigdecimal` and `time`, in all files. Default: in files whose schema
    /// was derived from rows; in files of other implementations, and where [`WriterBuilder::schema`](crate::WriterBuilder::schema)
    /// or [`shape`](crate::WriterBuilder::shape) gave it, they are shown what is stored.
    ///
    /// Types that request strings or numbers get these with or without this option.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let schema = r#"{"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}"#;
    /// let mut writer = Writer::builder().schema(schema).build(Vec::new())?;
    /// writer.write("12.5")?;
    /// let file = writer.finish()?;
    ///
    /// let stored: serde_json::Value = Reader::from_slice(&file)?.row(0)?;
    /// assert_eq!(stored, serde_json::json!([4, 226]));
    /// let text: serde_json::Value = Reader::builder().logical_text().source(&*file)?.row(0)?;
    /// assert_eq!(text, "12.50");
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn logical_text(mut self) -> Self {
        self.logical_text = true;
        self
    }

    /// Says that the field at the path `new` is called `old` in some files: where a file has no `new`, its `old` is read under
    /// that name, in all calls: rows of types, paths of filters, projections and columns, the shape. Both paths are in the same
    /// record, so that only their last names differ. Aliases count in the order in which they are given; a record that has
    /// another name comes before its fields.
    ///
    /// A file that has neither is read as it is, and [`Dataset::alias`](crate::Dataset::alias) is an error where no file has
    /// them. Other paths, such as those of [`sorted`](Self::sorted), have the new names.
    ///
    /// ```
    /// use trevni::{Reader, col};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Old {
    ///     user_name: &'static str,
    /// }
    ///
    /// #[derive(serde::Deserialize)]
    /// struct New {
    ///     user: String,
    /// }
    ///
    /// let file = trevni::to_vec([Old { user_name: "ada" }, Old { user_name: "bob" }])?;
    /// let reader = Reader::builder().alias("user", "user_name").source(&*file)?;
    /// let rows = reader.filter(col("user").eq("bob"))?.rows::<New>()?;
    /// assert_eq!(rows.map(|row| row.unwrap().user).collect::<Vec<_>>(), ["bob"]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn alias(mut self, new: &str, old: &str) -> Self {
        self.aliases.push(Alias { new: new.to_owned(), old: old.to_owned() });
        self
    }

    /// Adds a field that has the same text, or null, in all rows, after those of the file; of a field of this name it takes the
    /// place. So [`Dataset::open`](crate::Dataset::open) reads what the names of folders say. Rows must be records.
    ///
    /// The field is like others in all calls, but has no column: nothing is read for it, and a filter on it decides at once.
    ///
    /// ```
    /// use trevni::{Reader, col};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Visit {
    ///     page: &'static str,
    /// }
    ///
    /// let file = trevni::to_vec([Visit { page: "/" }, Visit { page: "/about" }])?;
    /// let reader = Reader::builder().constant("day", Some("2024-02-29")).source(&*file)?;
    /// assert_eq!(reader.column::<String>("day")?, ["2024-02-29"; 2]);
    /// assert_eq!(reader.filter(col("day").lt("2024"))?.matching()?.row_count(), 0);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn constant(mut self, name: &str, text: Option<&str>) -> Self {
        self.put_field(name, Constant::from_text(text));
        self
    }

    /// Adds a field that has the same value in all rows.
    pub(crate) fn put_field(&mut self, name: &str, constant: Constant) {
        self.fields.retain(|(other, _)| other != name);
        self.fields.push((name.to_owned(), constant));
    }

    /// Passes over the rows of damaged blocks, so that one of them does not cost a file; [`Reader::lost`] says which
    /// rows these are, and why. Default: what is damaged is an error.
    ///
    /// A row is lost where a block that it is in, of a column that is read, has another checksum, cannot be decompressed or
    /// decoded, or is not all there. In a column within lists, the rows after it in blocks of the columns below are lost
    /// as well: where they begin is not known. Of files that are cut, [`Reader::without_lost_columns`] reads the columns
    /// that are there.
    ///
    /// The columns of a projection are read whole before its first row, to find what is lost. A damaged header or footer is
    /// an error still: nothing says what is in the file then. Without checksums, damage that leaves values possible is
    /// not noticed. [`Reader::raw_column`] reads all rows or none.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().block_size(100).build(Vec::new())?;
    /// writer.write_all((0..1000).map(|n| format!("{n:x}")))?;
    /// let mut file = writer.finish()?;
    /// let end = file.len();
    /// file[end - 10] ^= 1;
    ///
    /// assert!(Reader::from_slice(&file)?.column::<String>("").is_err());
    /// let reader = Reader::builder().salvage().source(&*file)?;
    /// let rows: Vec<String> = reader.rows()?.collect::<Result<_, _>>()?;
    /// assert!(rows.len() > 900 && rows.len() as u64 == 1000 - reader.lost()?.rows().row_count());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[cfg(feature = "files")]
    pub fn salvage(mut self) -> Self {
        self.options.is_damaged = true;
        self
    }

    /// Opens a file.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let path = std::env::temp_dir().join(format!("trevni-doc-open-{}.trv", std::process::id()));
    /// let mut writer = Writer::create(&path)?;
    /// writer.write_all(0..10)?;
    /// writer.finish()?;
    /// let reader = Reader::builder().threads(0).open(&path)?;
    /// assert_eq!(reader.row_count(), 10);
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ReaderBuilder::source`].
    pub fn open(self, path: impl AsRef<Path>) -> Result<Reader<'static>> {
        let path = path.as_ref();
        let file = std::fs::File::open(path).map_err(Error::from);
        let reader = file.and_then(|file| self.shared(file)).map(|reader| reader.at(path));
        reader.map_err(|error| if path.is_dir() { folder() } else { error }.in_file(path))
    }

    /// Sets how many bytes of blocks are kept in memory for [`Reader::row`] and [`Reader::take`], by this reader and its
    /// clones together; those that have not been used for longest go first. They count for
    /// [`Limits::memory`]. Rows that are read in order need no cache. Default: 67,108,864 (64 MiB). Formats other than
    /// [`Dialect::Trevni`](crate::Dialect::Trevni) keep none.
    ///
    /// ```
    /// use trevni::Reader;
    ///
    /// let file = trevni::to_vec((0..100_000).map(|n| (n, n % 7)))?;
    /// let reader = Reader::builder().cache(1 << 20).source(&file[..])?;
    /// assert_eq!(reader.row::<(u32, u32)>(99_999)?, (99_999, 4));
    /// assert_eq!(reader.row::<(u32, u32)>(3)?, (3, 3));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn cache(mut self, bytes: u64) -> Self {
        self.options.cache = Some(bytes);
        self
    }

    /// Opens a source without borrowed data, such as a `Vec`, an `Arc` or a file: threads may read it ahead of the
    /// rows ([`ReaderBuilder::threads`]).
    ///
    /// # Errors
    ///
    /// As [`ReaderBuilder::source`].
    pub fn shared(self, source: impl Source + 'static) -> Result<Reader<'static>> {
        self.source(source).map(Reader::sharing)
    }

    /// As [`shared`](Self::shared), of a RedElm file whose footer is known; nothing is read.
    #[cfg(feature = "levels")]
    pub(crate) fn shared_with_footer(
        self,
        source: impl Source + 'static,
        footer: &[u8],
    ) -> Result<Reader<'static>> {
        let file = open_with_footer(Box::new(source), footer, self.limits, self.threads)?;
        Reader::over(file, &self).map(Reader::sharing)
    }

    /// What is to be shown of logical types, where a file says this.
    pub(super) fn shown(&self, file: Shown) -> Shown {
        if self.logical_text { Shown::Texts } else { file }
    }

    /// What files are opened with.
    pub(crate) fn file_options(&self) -> (Limits, ReadOptions) {
        (self.limits, self.options.clone())
    }

    /// Opens a source, which may borrow its bytes.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`], and a path of [`ReaderBuilder::sorted`] that is not a column without lengths and
    /// parents.
    pub fn source<'s>(self, source: impl Source + 's) -> Result<Reader<'s>> {
        let file = formats::open(Box::new(source), self.limits, self.threads, self.options.clone())?;
        Reader::over(file, &self)
    }
}

#[cold]
fn folder() -> Error {
    Error::option("this is a folder, not a file: Dataset::open reads the files of a folder")
}
