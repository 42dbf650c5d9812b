//! Batches of any library: objects with `__arrow_c_stream__` or `__arrow_c_array__`, and iterables of these.

use crate::capsule::{self, ONE_COLUMN};
use crate::error::Failure;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyIterator, PyString};

pub(crate) type Batches = Box<dyn RecordBatchReader + Send>;

/// The batches of an object.
pub(crate) fn batches(object: &Bound<'_, PyAny>) -> PyResult<Batches> {
    if let Some(batches) = of_arrow(object)? {
        return Ok(batches);
    }
    let is_text = object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyDict>();
    match object.try_iter() {
        Ok(items) if !is_text && !object.hasattr("collect")? => Ok(Box::new(Items::new(items)?)),
        _ => Err(no_arrow(object)?),
    }
}

fn of_arrow(object: &Bound<'_, PyAny>) -> PyResult<Option<Batches>> {
    if object.hasattr("__arrow_c_stream__")? {
        if let Some(batch) = without_rows(object)? {
            return of_array(&batch).map(Some);
        }
        let stream = capsule::to_stream(&object.call_method0("__arrow_c_stream__")?);
        return Ok(Some(Box::new(stream.map_err(|error| one_column(object, error))?)));
    }
    if object.hasattr("__arrow_c_array__")? {
        return of_array(object).map(Some);
    }
    Ok(None)
}

fn of_array(object: &Bound<'_, PyAny>) -> PyResult<Batches> {
    let batch = capsule::to_batch(&object.call_method0("__arrow_c_array__")?);
    let batch = batch.map_err(|error| one_column(object, error))?;
    let schema = batch.schema();
    Ok(Box::new(RecordBatchIterator::new([Ok(batch)], schema)))
}

/// A table without rows as the batch that it is: a stream of it has no batch, which would have the categories.
fn without_rows<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let kind = object.get_type();
    let is = |module: &str, name: &str| {
        Ok::<_, PyErr>(kind.name()? == name && kind.module()?.to_string().starts_with(module))
    };
    let is_pandas = is("pandas", "DataFrame")?;
    if !(is_pandas || is("pyarrow", "Table")?) || object.len().unwrap_or(1) > 0 {
        return Ok(None);
    }
    let batches = object.py().import("pyarrow")?.getattr("RecordBatch")?;
    if is_pandas {
        return batches.call_method1("from_pandas", (object,)).map(Some);
    }
    let columns = object.getattr("columns")?.try_iter()?.map(|column| {
        let column = column?.call_method0("combine_chunks")?;
        match column.hasattr("chunks")? {
            true => column.call_method1("chunk", (0,)),
            false => Ok(column),
        }
    });
    let columns = columns.collect::<PyResult<Vec<_>>>()?;
    if columns.is_empty() {
        return Ok(None);
    }
    let schema = PyDict::new(object.py());
    schema.set_item("schema", object.getattr("schema")?)?;
    batches.call_method("from_arrays", (columns,), Some(&schema)).map(Some)
}

/// What is wrong with the rows of an object, in words of Python where it is one column.
fn one_column(object: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let text = error.value(object.py()).to_string();
    let Some(data_type) = text.strip_prefix(ONE_COLUMN) else { return error };
    let name = object.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
    let advice = match name.as_str() {
        "Series" => "give series.to_frame()",
        _ => "give pyarrow.table({\"name\": it})",
    };
    PyTypeError::new_err(format!("{name} is one column of {data_type}, not a table: {advice}"))
}

fn no_arrow(object: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    if object.hasattr("collect")? {
        let name = object.get_type().name()?;
        return Ok(PyTypeError::new_err(format!("{name} has no rows yet: give those of its collect()")));
    }
    if object.is_instance_of::<PyDict>() {
        let message =
            "dict is no table: give pyarrow.table(dict), polars.DataFrame(dict) or pandas.DataFrame(dict)";
        return Ok(PyTypeError::new_err(message));
    }
    Ok(PyTypeError::new_err(format!(
        "{} has no __arrow_c_stream__ or __arrow_c_array__: give a table of pyarrow, polars, pandas or DuckDB, or an \
         iterable of batches; pyarrow.Table.from_pylist makes a table of dicts",
        object.get_type().name()?
    )))
}

/// The batches of the items of an iterable, which are asked for one by one.
struct Items {
    items: Py<PyIterator>,
    current: Batches,
    schema: SchemaRef,
}

impl Items {
    /// The first item says what the columns are.
    fn new(mut items: Bound<'_, PyIterator>) -> PyResult<Self> {
        let first = items.next().transpose()?;
        let first =
            first.ok_or_else(|| PyValueError::new_err("there are no batches, so there is no schema"))?;
        let Some(current) = of_arrow(&first)? else { return Err(no_arrow(&first)?) };
        Ok(Self { items: items.unbind(), schema: current.schema(), current })
    }

    fn next_item(&self) -> PyResult<Option<Batches>> {
        Python::attach(|py| match self.items.bind(py).clone().next() {
            Some(item) => {
                let item = item?;
                match of_arrow(&item)? {
                    Some(batches) => Ok(Some(batches)),
                    None => Err(no_arrow(&item)?),
                }
            }
            None => Ok(None),
        })
    }
}

impl Iterator for Items {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.current.next() {
                return Some(batch);
            }
            match self.next_item() {
                Ok(Some(batches)) => self.current = batches,
                Ok(None) => return None,
                // The exception that was raised, and no text of it.
                Err(error) => return Some(Err(Failure::from(error).into_arrow())),
            }
        }
    }
}

impl RecordBatchReader for Items {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
