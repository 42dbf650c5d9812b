//! Batches of rows as Python has them.

use crate::error::raise;
use crate::guard::Guarded;
use crate::schema::{Schema, names};
use crate::stream::{BATCH_ROWS, Stream};
use crate::{capsule, requested, value};
use arrow_array::RecordBatchIterator;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyCapsule, PyList, PyTuple};
use std::sync::Mutex;

/// Some rows, in columns. Any library that knows Arrow takes it: `pyarrow.record_batch(batch)`,
/// `polars.DataFrame(batch)`.
#[pyclass(frozen, module = "trevni")]
pub(crate) struct RecordBatch(pub(crate) arrow_array::RecordBatch);

#[pymethods]
impl RecordBatch {
    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        names(self.0.schema_ref())
    }

    /// The names and types of the columns.
    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.0.schema())
    }

    /// The rows as a `pyarrow.RecordBatch`.
    fn to_arrow<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("pyarrow")?.call_method1("record_batch", (this,))
    }

    /// The rows as dicts.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = (0..self.0.num_rows()).map(|row| value::row(py, &self.0, row));
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        capsule::of_batch(py, requested::batch(py, &self.0, requested_schema)?)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let batch = requested::batch(py, &self.0, requested_schema)?;
        let schema = batch.schema();
        capsule::of_stream(py, RecordBatchIterator::new([Ok(batch)], schema))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::of_schema(py, self.0.schema_ref())
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let pickle = this.py().import("trevni._pickle")?;
        let file = pickle.call_method1("file_of", (this.get().schema(), this))?;
        (pickle.getattr("batch")?, (file,)).into_pyobject(this.py())
    }

    fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("trevni._html")?.call_method1("of_batch", (this,))
    }

    fn __repr__(&self) -> String {
        format!("<trevni.RecordBatch of {} rows: {}>", self.0.num_rows(), self.columns().join(", "))
    }
}

/// Batches of rows, one at a time. A library that takes it whole gets those that are left. `async for` reads them in a thread.
#[pyclass(frozen, module = "trevni")]
pub(crate) struct Batches {
    stream: Mutex<Guarded<Stream>>,
    schema: arrow_schema::SchemaRef,
}

impl Batches {
    pub(crate) fn new(stream: Stream) -> Self {
        let stream = Guarded::new(stream);
        Self { schema: arrow_array::RecordBatchReader::schema(&stream), stream: Mutex::new(stream) }
    }

    /// The next one, with the interpreter released.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<arrow_array::RecordBatch>> {
        let next = py.detach(|| {
            let mut stream = self.stream.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            stream.next().transpose()
        });
        next.map_err(|error| raise(py, error.into()))
    }
}

#[pymethods]
impl Batches {
    /// The names and types of the columns.
    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.schema.clone())
    }

    fn __iter__<'py>(this: &Bound<'py, Self>) -> Bound<'py, Self> {
        this.clone()
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        Ok(self.next(py)?.map(RecordBatch))
    }

    fn __aiter__<'py>(this: &Bound<'py, Self>) -> Bound<'py, Self> {
        this.clone()
    }

    fn __anext__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("trevni._async")?.call_method1("next_batch", (this,))
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let wanted = requested_schema.map(|schema| requested::schema(schema, &self.schema)).transpose()?;
        let mut stream = self.stream.lock_py_attached(py).unwrap_or_else(|poisoned| poisoned.into_inner());
        let rest = std::mem::replace(&mut *stream, Guarded::new(Stream::empty(self.schema.clone())));
        match wanted {
            Some(wanted) => capsule::of_stream(py, requested::Cast { rows: rest, schema: wanted }),
            None => capsule::of_stream(py, rest),
        }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::of_schema(py, &self.schema)
    }
}

/// The rows of a batch that were asked for.
pub(crate) fn batch_size(rows: Option<i64>) -> PyResult<usize> {
    Ok(count("batch_size", rows, 1)?.map_or(BATCH_ROWS, |rows| rows as usize))
}

/// A number that is at least another.
pub(crate) fn count(name: &str, given: Option<i64>, least: i64) -> PyResult<Option<u64>> {
    match given {
        Some(given) if given < least => {
            Err(PyValueError::new_err(format!("{name} is at least {least}, not {given}")))
        }
        given => Ok(given.map(i64::unsigned_abs)),
    }
}
