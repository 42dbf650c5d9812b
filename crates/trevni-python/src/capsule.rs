//! Arrow's C data interface in capsules of Python: the one place with unsafe code.
//!
//! Who makes a capsule promises that it holds the structure that its name says, and that the structure is whole until
//! it is released; that promise, which no code can check, is what the code here rests on.
#![allow(unsafe_code)]

use crate::error::{Failure, raise};
use crate::guard::Guarded;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, Schema};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;
use std::ptr::NonNull;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A schema, for `__arrow_c_schema__`.
pub(crate) fn of_schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| raise(py, error.into()))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// A batch, for `__arrow_c_array__`: its schema and its values.
pub(crate) fn of_batch<'py>(py: Python<'py>, batch: RecordBatch) -> PyResult<Bound<'py, PyTuple>> {
    // Of the schema, which has metadata that the type has not.
    let schema = of_schema(py, batch.schema_ref())?;
    let (array, _) = to_ffi(&StructArray::from(batch).to_data()).map_err(|error| raise(py, error.into()))?;
    PyTuple::new(py, [schema, PyCapsule::new_with_value(py, array, ARRAY)?])
}

/// Batches, for `__arrow_c_stream__`.
pub(crate) fn of_stream<'py>(
    py: Python<'py>,
    batches: impl RecordBatchReader + Send + 'static,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(Guarded::exported(batches))), STREAM)
}

/// What a capsule of `__arrow_c_schema__` has.
pub(crate) fn to_schema(capsule: &Bound<'_, PyAny>) -> PyResult<Schema> {
    let (_held, schema) = pointer::<FFI_ArrowSchema>(capsule, SCHEMA)?;
    // SAFETY: the name of the capsule was checked, so it holds such a structure, which lives while `_held` does.
    let schema = unsafe { schema.as_ref() };
    Schema::try_from(schema).map_err(|error| raise(capsule.py(), error.into()))
}

/// The batches of what `__arrow_c_stream__` returned. They can be taken from it once.
pub(crate) fn to_stream(capsule: &Bound<'_, PyAny>) -> PyResult<Guarded<ArrowArrayStreamReader>> {
    let py = capsule.py();
    let (held, stream) = pointer::<FFI_ArrowArrayStream>(capsule, STREAM)?;
    // SAFETY: the name of the capsule was checked, so it holds such a structure, which lives while `held` does; it is
    // moved out, and a structure that was released is left there, as the interface has it.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    drop(held);
    // The schema may be made by other threads of Python.
    let reader = py.detach(|| crate::guard::caught(|| ArrowArrayStreamReader::try_new(stream)));
    reader.map(Guarded::new).map_err(|error| raise(py, error.into()))
}

/// The batch of what `__arrow_c_array__` returned. It can be taken from it once.
pub(crate) fn to_batch(capsules: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let py = capsules.py();
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = capsules.extract()?;
    let fail = |error: ArrowError| raise(py, Failure::from(error));
    let (_held, schema) = pointer::<FFI_ArrowSchema>(&schema, SCHEMA)?;
    let (held, array) = pointer::<FFI_ArrowArray>(&array, ARRAY)?;
    // SAFETY: as in `to_schema`.
    let schema = unsafe { schema.as_ref() };
    // SAFETY: as in `to_stream`.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    drop(held);
    if array.is_released() {
        return Err(fail(ArrowError::CDataInterface("this array was taken before".to_owned())));
    }
    let columns = Schema::try_from(schema).map_err(fail)?;
    // SAFETY: who made the capsules promises that the array is of this schema.
    let data = unsafe { crate::guard::caught(|| from_ffi(array, schema)) }.map_err(fail)?;
    match data.data_type() {
        DataType::Struct(_) if data.nulls().is_none_or(|nulls| nulls.null_count() == 0) => {
            let len = data.len();
            let (_, arrays, _) = StructArray::from(data).into_parts();
            let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(len));
            RecordBatch::try_new_with_options(columns.into(), arrays, &options).map_err(fail)
        }
        other => Err(PyTypeError::new_err(format!("a batch of rows is needed, not an array of {other}"))),
    }
}

/// The structure in a capsule of that name, and the capsule that holds it.
fn pointer<'py, T>(
    capsule: &Bound<'py, PyAny>,
    name: &CStr,
) -> PyResult<(Bound<'py, PyCapsule>, NonNull<T>)> {
    let capsule = capsule.cast::<PyCapsule>()?.clone();
    let pointer = capsule.pointer_checked(Some(name))?.cast();
    Ok((capsule, pointer))
}
