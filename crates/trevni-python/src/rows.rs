//! Rows one by one, as dicts.

use crate::batch::Batches;
use crate::stream::Stream;
use crate::value;
use arrow_array::RecordBatch;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::sync::Mutex;

/// Rows as dicts, one at a time.
#[pyclass(frozen, module = "trevni")]
pub(crate) struct Rows {
    batches: Batches,
    /// The rows that were read last, and the next of them.
    current: Mutex<Option<(RecordBatch, usize)>>,
}

impl Rows {
    pub(crate) fn new(stream: Stream) -> Self {
        Self { batches: Batches::new(stream), current: Mutex::new(None) }
    }
}

#[pymethods]
impl Rows {
    fn __iter__<'py>(this: &Bound<'py, Self>) -> Bound<'py, Self> {
        this.clone()
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut current = self.current.lock_py_attached(py).unwrap_or_else(|poisoned| poisoned.into_inner());
        loop {
            if let Some((batch, next)) = &mut *current
                && *next < batch.num_rows()
            {
                let row = value::row(py, batch, *next)?;
                *next += 1;
                return Ok(Some(row));
            }
            match self.batches.next(py)? {
                Some(batch) => *current = Some((batch, 0)),
                None => return Ok(None),
            }
        }
    }
}
