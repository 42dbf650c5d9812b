//! Arrow's C data interface in capsules of Python: the one place with unsafe code.
//!
//! Who makes a capsule promises that it holds the structure that its name says, and that the structure is whole until
//! it is released; that promise, which no code can check, is what the code here rests on.
#![allow(unsafe_code)]

use crate::error::{Failure, raise};
use crate::guard::{Guarded, caught};
use crate::straight;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, from_ffi_and_data_type, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
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
pub(crate) fn to_stream(capsule: &Bound<'_, PyAny>) -> PyResult<Guarded<Imported>> {
    let py = capsule.py();
    let (held, stream) = pointer::<FFI_ArrowArrayStream>(capsule, STREAM)?;
    // SAFETY: the name of the capsule was checked, so it holds such a structure, which lives while `held` does; it is
    // moved out, and a structure that was released is left there, as the interface has it.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    drop(held);
    // Other threads of Python may have to run for the schema.
    let imported = py.detach(|| caught(|| Imported::new(stream)));
    imported.map(Guarded::new).map_err(|error| raise(py, error.into()))
}

/// Batches that another library makes.
pub(crate) struct Imported {
    stream: FFI_ArrowArrayStream,
    schema: SchemaRef,
}

impl Imported {
    fn new(mut stream: FFI_ArrowArrayStream) -> Result<Self, ArrowError> {
        let Some(get_schema) = stream.get_schema.filter(|_| stream.release.is_some()) else {
            return Err(ArrowError::CDataInterface("this stream was taken or released before".to_owned()));
        };
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: a stream that is not released has this function, to be called with itself and a place for a schema.
        match unsafe { get_schema(&mut stream, &mut schema) } {
            0 => Ok(Self { schema: Schema::try_from(&schema)?.into(), stream }),
            code => Err(last_error(&mut stream, code)),
        }
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let Some(get_next) = self.stream.get_next else { return Ok(None) };
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as in `new`.
        let code = unsafe { get_next(&mut self.stream, &mut array) };
        if code != 0 {
            return Err(last_error(&mut self.stream, code));
        }
        if array.is_released() {
            return Ok(None);
        }
        // SAFETY: the stream promises that its arrays are of its schema.
        let data = unsafe { from_ffi_and_data_type(array, DataType::Struct(self.schema.fields().clone())) }?;
        straight::batch(&self.schema, &data).map(Some)
    }
}

/// What a stream says about its last call, which failed.
fn last_error(stream: &mut FFI_ArrowArrayStream, code: i32) -> ArrowError {
    let text = stream.get_last_error.and_then(|get_last_error| {
        // SAFETY: as in `Imported::new`; the text is null, or ends with a null byte and lives until the next call.
        let text = unsafe { get_last_error(stream) };
        // SAFETY: as above.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    });
    ArrowError::CDataInterface(
        text.unwrap_or_else(|| format!("a stream failed with code {code} and no text")),
    )
}

impl Iterator for Imported {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().transpose()
    }
}

impl RecordBatchReader for Imported {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
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
    let data = caught(|| unsafe { from_ffi(array, schema) }).map_err(fail)?;
    caught(|| straight::batch(&columns.into(), &data)).map_err(fail)
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
