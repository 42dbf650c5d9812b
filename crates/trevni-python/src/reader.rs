//! Readers as Python has them.

use crate::batch::{Batches, RecordBatch, batch_size, count};
use crate::error::{Failure, raise};
use crate::origin::{Origin, Step};
use crate::recent::Recent;
use crate::requested;
use crate::rows::Rows;
use crate::schema::{Columns, Schema, names};
use crate::stream::{BATCH_ROWS, Stream};
use crate::type_name::of_unit;
use crate::view::{Place, View};
use crate::{aggregate, capsule, is_installed, storage};
use arrow_array::{Array, RecordBatchOptions, RecordBatchReader, make_array, new_empty_array};
use arrow_data::transform::MutableArrayData;
use arrow_schema::ArrowError;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PySlice, PyTuple};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use trevni::RowSelection;
use trevni::path::format;

/// Rows and columns of a file: what `trevni.open` returns.
///
/// Nothing is read before it is asked for. `select` and `filter` give new readers of fewer columns and rows. Libraries
/// that know Arrow take a reader as it is, as often as they like: `polars.DataFrame(reader)`, `pyarrow.table(reader)`,
/// `duckdb.sql("select * from reader")`.
///
/// >>> import trevni
/// >>> reader = trevni.open(flights)
/// >>> reader.columns
/// ['carrier', 'delay', 'distance']
/// >>> late = reader.filter("delay > 60").select(["carrier"])
/// >>> list(late)
/// [{'carrier': 'AA'}]
#[pyclass(frozen, subclass, module = "trevni")]
pub(crate) struct Reader {
    view: View,
    origin: Arc<Origin>,
    len: OnceLock<RowSelection>,
    recent: Mutex<Option<Recent>>,
}

impl Reader {
    pub(crate) fn new(view: View, origin: Arc<Origin>) -> Self {
        Self { view, origin, len: OnceLock::new(), recent: Mutex::new(None) }
    }

    /// A reader of some of these rows.
    fn some(&self, py: Python<'_>, rows: RowSelection) -> PyResult<Self> {
        let view = self.apart(py, |view| view.rows(rows.clone()))?;
        Ok(Self::new(view, self.origin.then(Step::Rows(rows))))
    }

    /// Computes something of the rows, with the interpreter released.
    fn apart<T: Send>(
        &self,
        py: Python<'_>,
        compute: impl FnOnce(&View) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        py.detach(|| compute(&self.view)).map_err(|failure| raise(py, failure))
    }

    fn check_unions(&self, py: Python<'_>, library: &str) -> PyResult<()> {
        self.view.check_unions(library).map_err(|failure| raise(py, failure))
    }

    /// The numbers of the rows in the files, found once.
    fn numbers(&self, py: Python<'_>) -> PyResult<&RowSelection> {
        if let Some(numbers) = self.len.get() {
            return Ok(numbers);
        }
        let numbers = self.apart(py, View::numbers)?;
        Ok(self.len.get_or_init(|| numbers))
    }

    /// The rows as a consumer asks for them.
    fn requested(&self, requested: &Bound<'_, PyAny>) -> PyResult<Stream> {
        let wanted = requested::schema(requested, &self.view.schema())?;
        let paths: Vec<String> = wanted.fields().iter().map(|field| format([field.name()])).collect();
        let view = match paths.len() < self.view.schema().fields().len() {
            true => self.view.select(paths).unwrap_or_else(|_| self.view.clone()),
            false => self.view.clone(),
        };
        Ok(view.stream(BATCH_ROWS).cast(wanted))
    }
}

#[pymethods]
impl Reader {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.view.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The names and types of the columns.
    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.view.schema())
    }

    /// The schema of the rows as Avro has it, as JSON.
    #[getter]
    fn avro_schema(&self) -> String {
        self.view.shape().to_avro()
    }

    /// The number of rows: those that `filter` left. The columns of its condition are read for this.
    #[getter]
    fn num_rows(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.numbers(py)?.row_count())
    }

    /// The metadata of the file, without those that belong to the format; of several files, those of the first.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let metadata = PyDict::new(py);
        let own = OF_FORMAT;
        for (key, value) in self.view.readers().next().iter().flat_map(|reader| reader.metadata().iter()) {
            if !key.starts_with("trevni.") && !own.contains(&key) {
                metadata.set_item(key, PyBytes::new(py, value))?;
            }
        }
        Ok(metadata)
    }

    /// The paths of the files, of which there may be several in a dataset, or their URLs as strings; none for bytes.
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let file = |file: &PathBuf| match file.to_str().filter(|file| file.contains("://")) {
            Some(url) => url.into_bound_py_any(py),
            None => file.into_bound_py_any(py),
        };
        self.view.files().iter().flatten().map(file).collect()
    }

    /// A reader of some columns, in this order.
    ///
    /// A path such as "sender.host" names a field within a record or a list; names with dots and other characters are in back
    /// quotes: "sender.`first name`".
    ///
    /// >>> trevni.open(flights).select(["distance", "carrier"]).columns
    /// ['distance', 'carrier']
    fn select(&self, py: Python<'_>, columns: Columns) -> PyResult<Self> {
        let Columns(columns) = columns;
        let view = self.apart(py, |view| view.select(columns.clone()))?;
        Ok(Self::new(view, self.origin.then(Step::Select(columns))))
    }

    /// A reader of the rows for which a condition is true: a string, made of `trevni.col`, or an expression of polars or pyarrow.
    ///
    /// Blocks that have no such rows are not read. The condition may name columns that `select` left out. Of other libraries' expressions
    /// those are taken that mean the same here for each value; of others an error says which part it is.
    ///
    /// >>> trevni.open(flights).filter("carrier = 'UA' or distance < 1000").num_rows
    /// 2
    /// >>> trevni.open(flights).filter(trevni.col("delay").is_null()).num_rows
    /// 1
    fn filter(this: &Bound<'_, Self>, condition: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = this.py();
        let text: String = match condition.extract() {
            Ok(text) => text,
            Err(_) => {
                py.import("trevni._expression")?.call_method1("condition_of", (condition, this))?.extract()?
            }
        };
        let view = this.get().apart(py, |view| view.filter(&text))?;
        Ok(Self::new(view, this.get().origin.then(Step::Filter(text))))
    }

    /// A reader of some rows: `length` of these, or all, from the row `offset` on.
    ///
    /// >>> [row["carrier"] for row in trevni.open(flights).slice(1, 5)]
    /// ['UA', 'B6']
    #[pyo3(signature = (offset, length = None))]
    fn slice(&self, py: Python<'_>, offset: i64, length: Option<i64>) -> PyResult<Self> {
        let (offset, length) = (count("offset", Some(offset), 0)?, count("length", length, 0)?);
        let offset = offset.unwrap_or_default();
        self.some(py, slice(self.numbers(py)?, offset, length.unwrap_or(u64::MAX)))
    }

    /// A reader of the first rows.
    ///
    /// >>> trevni.open(flights).head(1).num_rows
    /// 1
    #[pyo3(signature = (rows = 5))]
    fn head(&self, py: Python<'_>, rows: i64) -> PyResult<Self> {
        self.slice(py, 0, Some(count("rows", Some(rows), 0)?.unwrap_or_default() as i64))
    }

    /// A reader of some rows, chosen by chance, in their order; the same ones with the same `seed`.
    ///
    /// >>> trevni.open(flights).sample(2, seed=1).num_rows
    /// 2
    #[pyo3(signature = (rows, seed = None))]
    fn sample(&self, py: Python<'_>, rows: i64, seed: Option<u64>) -> PyResult<Self> {
        let numbers = self.numbers(py)?;
        let wanted = count("rows", Some(rows), 0)?.unwrap_or_default().min(numbers.row_count());
        let all = py.import("builtins")?.getattr("range")?.call1((numbers.row_count(),))?;
        let random = py.import("random")?.getattr("Random")?.call1((seed,))?;
        let mut chosen: Vec<u64> = random.call_method1("sample", (all, wanted))?.extract()?;
        chosen.sort_unstable();
        self.some(py, at(numbers, &chosen))
    }

    /// A row as a dict, by its number; or a reader of some rows, as lists have slices.
    ///
    /// >>> reader = trevni.open(flights)
    /// >>> reader[-1]["carrier"], [row["carrier"] for row in reader[-2:]]
    /// ('B6', ['UA', 'B6'])
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let Ok(rows) = key.cast::<PySlice>() else {
            let Ok(number) = key.extract::<i64>() else {
                let kind = key.get_type().name()?;
                let message = format!("a row has a number or is in a slice, not {kind}; select takes names");
                return Err(PyTypeError::new_err(message));
            };
            return self.row(py, number);
        };
        let numbers = self.numbers(py)?;
        let count = isize::try_from(numbers.row_count())?;
        let rows = rows.indices(count)?;
        if rows.step < 1 {
            return Err(PyValueError::new_err(format!("a step is at least 1, not {}", rows.step)));
        }
        let chosen = match rows.step {
            1 => slice(numbers, rows.start as u64, rows.slicelength as u64),
            step => {
                let places =
                    (0..rows.slicelength).map(|place| (rows.start as u64) + (place * step as usize) as u64);
                at(numbers, &places.collect::<Vec<_>>())
            }
        };
        Ok(Bound::new(py, self.some(py, chosen)?)?.into_any())
    }

    /// All rows as a `pyarrow.Table`; the reader itself where pyarrow is not installed.
    ///
    /// >>> trevni.open(flights).to_arrow().num_rows
    /// 3
    fn to_arrow<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        if !is_installed(py, "pyarrow")? {
            return Ok(this.clone().into_any());
        }
        let reader = this.get();
        let (schema, batches) = reader.apart(py, |view| {
            let mut stream = view.stream(BATCH_ROWS).or_empty();
            let schema = stream.schema();
            let batches = std::iter::from_fn(|| stream.next_batch()).collect::<Result<Vec<_>, _>>()?;
            Ok((schema, batches))
        })?;
        let pyarrow = py.import("pyarrow")?;
        let schema = pyarrow.call_method1("schema", (Schema(schema),))?;
        let batches = batches
            .into_iter()
            .map(|batch| pyarrow.call_method1("record_batch", (RecordBatch(batch).into_pyobject(py)?,)));
        let batches = PyList::new(py, batches.collect::<PyResult<Vec<_>>>()?)?;
        pyarrow.getattr("Table")?.call_method1("from_batches", (batches, schema))
    }

    /// All rows as a `pandas.DataFrame`.
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        // pandas itself takes pyarrow for this.
        this.py().import("pyarrow")?;
        this.get().check_unions(this.py(), "pandas")?;
        Self::to_arrow(this)?.call_method0("to_pandas")
    }

    /// All rows as a `polars.DataFrame`.
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.get().check_unions(this.py(), "polars")?;
        this.py().import("polars")?.call_method1("DataFrame", (this,))
    }

    /// The rows as a `polars.LazyFrame`, which leaves columns and conditions to the file: `trevni.scan` of this reader.
    ///
    /// >>> trevni.open(flights).lazy().select("carrier").head(1).collect().rows()
    /// [('AA',)]
    fn lazy<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("trevni._scan")?.call_method1("scan", (this,))
    }

    /// The rows as a `pyarrow.dataset.Dataset`, which leaves columns and conditions to the file. DuckDB passes those of a query to it.
    ///
    /// >>> import duckdb
    /// >>> rows = trevni.open(flights).dataset()
    /// >>> duckdb.sql("select carrier from rows where distance > 2000").fetchall()
    /// [('UA',)]
    fn dataset<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("trevni._arrow_dataset")?.call_method1("dataset", (this,))
    }

    /// The columns whose values are those of the files, which conditions see.
    fn _as_stored(&self) -> Vec<String> {
        self.view.as_stored()
    }

    /// A reader of some rows, by the ranges of their numbers in the files.
    fn _rows(&self, py: Python<'_>, ranges: Vec<(u64, u64)>) -> PyResult<Self> {
        self.some(py, ranges.into_iter().map(|(start, end)| start..end).collect())
    }

    /// Refuses unions, which a library lacks.
    fn _check_unions(&self, py: Python<'_>, library: &str) -> PyResult<()> {
        self.check_unions(py, library)
    }

    /// The unit of the durations at a path: "s", "ms", "us" or "ns"; `None` of another column.
    fn _duration_unit(&self, path: &str) -> Option<&'static str> {
        self.view.duration_unit(path).map(of_unit)
    }

    /// The rows in batches of at most `batch_size` rows, one at a time.
    ///
    /// >>> [batch.num_rows for batch in trevni.open(flights).batches(2)]
    /// [2, 1]
    #[pyo3(signature = (batch_size = None))]
    fn batches(&self, batch_size: Option<i64>) -> PyResult<Batches> {
        Ok(Batches::new(self.view.stream(self::batch_size(batch_size)?)))
    }

    /// One row as a dict, by its number among the rows of this reader; from the end if it is negative.
    ///
    /// Only the blocks with this row are read. Rows beside those that were asked for before are decoded with them, so that
    /// rows in their order, or nearly so, take less time each.
    ///
    /// >>> trevni.open(flights).row(1)
    /// {'carrier': 'UA', 'delay': None, 'distance': 2475.0}
    fn row<'py>(&self, py: Python<'py>, number: i64) -> PyResult<Bound<'py, PyAny>> {
        let numbers = self.numbers(py)?;
        let count = numbers.row_count();
        let wanted = wanted(number, count)?;
        let mut recent = self.recent.lock_py_attached(py).unwrap_or_else(|poisoned| poisoned.into_inner());
        let read = |first: u64, len: u64| {
            let rows = slice(numbers, first, len);
            self.apart(py, |view| view.rows(rows)?.stream(len as usize).next_batch().transpose())
        };
        let found = Recent::row(&mut recent, wanted, count, read)?;
        let (batch, place) =
            found.ok_or_else(|| PyIndexError::new_err(format!("there is no row {number}")))?;
        crate::value::row(py, batch, place)
    }

    /// Rows by their numbers among those of this reader, in the order of these, which may repeat; from the end if they are
    /// negative. Each block is decoded once.
    ///
    /// >>> trevni.open(flights).take([-1, 0, -1]).to_list()[1]
    /// {'carrier': 'AA', 'delay': 80, 'distance': 1089.0}
    fn take(&self, py: Python<'_>, rows: Vec<i64>) -> PyResult<RecordBatch> {
        let numbers = self.numbers(py)?;
        let count = numbers.row_count();
        let wanted = rows.iter().map(|number| wanted(*number, count)).collect::<PyResult<Vec<u64>>>()?;
        let mut order = wanted.clone();
        order.sort_unstable();
        order.dedup();
        self.apart(py, |view| {
            let mut stream = view.rows(at(numbers, &order))?.stream(BATCH_ROWS);
            let batches = std::iter::from_fn(|| stream.next_batch()).collect::<Result<Vec<_>, _>>()?;
            let places = wanted.iter().map(|wanted| order.binary_search(wanted).unwrap_or_default());
            let places: Vec<(usize, usize)> = places.map(|place| place_in(&batches, place)).collect();
            let column = |number: usize| {
                let arrays: Vec<_> = batches.iter().map(|batch| batch.column(number).to_data()).collect();
                let mut rows = MutableArrayData::new(arrays.iter().collect(), false, places.len());
                places.iter().try_for_each(|(batch, row)| rows.try_extend(*batch, *row, *row + 1))?;
                Ok(make_array(rows.freeze()))
            };
            let schema = stream.schema();
            let columns = match batches.is_empty() {
                true => schema.fields().iter().map(|field| Ok(new_empty_array(field.data_type()))).collect(),
                false => (0..schema.fields().len()).map(column).collect::<Result<Vec<_>, ArrowError>>(),
            };
            let options = RecordBatchOptions::new().with_row_count(Some(places.len()));
            let batch = columns.and_then(|columns| {
                arrow_array::RecordBatch::try_new_with_options(schema, columns, &options)
            });
            Ok(RecordBatch(batch.map_err(trevni_arrow::Error::from)?))
        })
    }

    /// What is lost in damaged blocks of the columns of this reader, where it was opened with `salvage=True`: for each
    /// place the file, the numbers of its rows in the file, and what is wrong. Several may cost the same rows.
    #[getter]
    fn lost<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let lost = self.apart(py, View::lost)?;
        let range = py.import("builtins")?.getattr("range")?;
        let place = |lost: Place| {
            let place = PyDict::new(py);
            place.set_item("file", lost.file)?;
            place.set_item("rows", range.call1((lost.rows.start, lost.rows.end))?)?;
            place.set_item("error", lost.error)?;
            Ok(place)
        };
        PyList::new(py, lost.into_iter().map(place).collect::<PyResult<Vec<_>>>()?)
    }

    /// What is read for the rows and columns of this reader, and what is skipped, as a text.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        self.apart(py, |view| Ok(view.explain()?.to_string()))
    }

    /// How many bytes of blocks are read for the rows and columns of this reader.
    #[getter]
    fn bytes_read(&self, py: Python<'_>) -> PyResult<u64> {
        self.apart(py, |view| Ok(view.explain()?.bytes_read()))
    }

    /// The columns of the files as they are stored, as dicts that make a table, such as `polars.DataFrame(reader.storage())`: `file`, `column`,
    /// `type`, `codec`, `checksum`, `blocks`, `bytes`, and `bytes_decompressed`. Fields of records and lists are columns of their own.
    ///
    /// >>> [(column["column"], column["type"], column["blocks"]) for column in trevni.open(flights).storage()][:2]
    /// [('carrier', 'string', 1), ('delay', 'int', 1)]
    fn storage<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        storage::columns(py, self.apart(py, storage::of_columns)?)
    }

    /// The blocks of the columns and what the files know of their values, as dicts that make a table: `file`, `column`, `block`, `first_row`,
    /// `rows`, `bytes`, `nulls`, `values`, `min`, `max`. Bounds are values as stored, so dates are days, and long strings are cut off.
    ///
    /// >>> [(block["column"], block["min"], block["max"]) for block in trevni.open(flights).zone_maps()]
    /// [('carrier', 'AA', 'UA'), ('delay', -3, 80), ('distance', 944.0, 2475.0)]
    fn zone_maps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        storage::zones(py, self.apart(py, storage::of_columns)?)
    }

    /// What the rows come to, in one batch: aggregates such as "count()", "sum(distance)" or "late = quantile(delay, 0.9)", of all rows or of
    /// each group that has the same values of `by`.
    ///
    /// >>> trevni.open(flights).aggregate(["count()", "mean(distance)"]).to_list()
    /// [{'count': 3, 'mean_distance': 1502.6666666666667}]
    /// >>> trevni.open(flights).aggregate("n = count()", by="delay is null").to_list()
    /// [{'delay is null': False, 'n': 2}, {'delay is null': True, 'n': 1}]
    #[pyo3(signature = (aggregates, by = None))]
    fn aggregate(&self, py: Python<'_>, aggregates: Columns, by: Option<Columns>) -> PyResult<RecordBatch> {
        let by = by.map_or_else(Vec::new, |Columns(by)| by);
        self.apart(py, |view| aggregate::of_view(view, &aggregates.0, &by)).map(RecordBatch)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let stream: Stream = match requested_schema {
            Some(requested) => self.requested(requested)?,
            None => self.view.stream(BATCH_ROWS),
        };
        capsule::of_stream(py, stream.or_empty())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::of_schema(py, &self.view.schema())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let count = self.num_rows(py)?;
        usize::try_from(count).map_err(|_| PyValueError::new_err("more rows than a length can say"))
    }

    /// A reader is true, however many rows it has.
    fn __bool__(&self) -> bool {
        true
    }

    fn __iter__(&self) -> Rows {
        Rows::new(self.view.stream(ROWS_AT_ONCE))
    }

    fn __enter__<'py>(this: &Bound<'py, Self>) -> Bound<'py, Self> {
        this.clone()
    }

    /// Nothing is held open that others would wait for: the file is closed with the last reader of it.
    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) -> bool {
        false
    }

    /// Its files, columns and rows: the files themselves have to be where they are.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.origin.reduced(py)
    }

    fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("trevni._html")?.call_method1("of_reader", (this,))
    }

    fn __repr__(this: &Bound<'_, Self>) -> PyResult<String> {
        let view = &this.get().view;
        let of = match (view.file(), view.files().len()) {
            (Some(file), _) => file.display().to_string(),
            (None, 1) => "bytes".to_owned(),
            (None, count) => format!("{count} files"),
        };
        Ok(format!("<trevni.{} of {of}: {}>", this.get_type().name()?, names(&view.schema()).join(", ")))
    }
}

/// Keys of a file's metadata that writers set themselves.
pub(crate) const OF_FORMAT: [&str; 4] = ["avro.schema", "serde.schema", "arrow.schema", "arrow.dictionaries"];

/// Rows that are decoded at a time where they are asked for one by one.
const ROWS_AT_ONCE: usize = 4096;

/// The number of a row, which counts from the end if it is negative.
fn wanted(number: i64, count: u64) -> PyResult<u64> {
    let wanted = u64::try_from(number).ok().or_else(|| count.checked_sub(number.unsigned_abs()));
    wanted.filter(|wanted| *wanted < count).ok_or_else(|| {
        PyIndexError::new_err(format!("there is no row {number}: the reader has {count} rows"))
    })
}

/// The rows at some places, which ascend.
fn at(numbers: &RowSelection, places: &[u64]) -> RowSelection {
    let mut ranges = numbers.ranges().iter();
    let (mut before, mut range) = (0, ranges.next());
    let row = |place: &u64| loop {
        let std::ops::Range { start, end } = range?.clone();
        if *place < before + (end - start) {
            break Some(start + (place - before)..start + (place - before) + 1);
        }
        (before, range) = (before + (end - start), ranges.next());
    };
    places.iter().filter_map(row).collect()
}

/// The batch that has a row, and its place there.
fn place_in(batches: &[arrow_array::RecordBatch], mut row: usize) -> (usize, usize) {
    for (number, batch) in batches.iter().enumerate() {
        if row < batch.num_rows() {
            return (number, row);
        }
        row -= batch.num_rows();
    }
    (0, 0)
}

/// Some of the rows, in their order.
fn slice(numbers: &RowSelection, offset: u64, length: u64) -> RowSelection {
    let (mut skipped, mut left) = (offset, length);
    let part = |range: &std::ops::Range<u64>| {
        let count = range.end - range.start;
        let start = skipped.min(count);
        let taken = left.min(count - start);
        (skipped, left) = (skipped - start, left - taken);
        range.start + start..range.start + start + taken
    };
    numbers.ranges().iter().map(part).collect()
}
