//! Batches of any library: objects with `__arrow_c_stream__` or `__arrow_c_array__`, and iterables of these.

use crate::capsule;
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
        Ok(items) if !is_text => Ok(Box::new(Items::new(items)?)),
        _ => Err(no_arrow(object)?),
    }
}

fn of_arrow(object: &Bound<'_, PyAny>) -> PyResult<Option<Batches>> {
    if object.hasattr("__arrow_c_stream__")? {
        let stream = capsule::to_stream(&object.call_method0("__arrow_c_stream__")?)?;
        return Ok(Some(Box::new(stream)));
    }
    if object.hasattr("__arrow_c_array__")? {
        let batch = capsule::to_batch(&object.call_method0("__arrow_c_array__")?)?;
        let schema = batch.schema();
        return Ok(Some(Box::new(RecordBatchIterator::new([Ok(batch)], schema))));
    }
    Ok(None)
}

fn no_arrow(object: &Bound<'_, PyAny>) -> PyResult<PyErr> {
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
