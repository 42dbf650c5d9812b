//! Arrow's C data interface in capsules of Python: the one place with unsafe code.
//!
//! Who makes a capsule promises that it holds the structure that its name says, and that the structure is whole until
//! it is released; that promise, which no code can check, is what the code here rests on.
#![allow(unsafe_code)]

use crate::error::{Failure, raise};
use crate::guard::{Guarded, caught};
use crate::straight;
use crate::type_name::of_type;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, from_ffi_and_data_type, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, FieldRef, Schema, SchemaRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::{CStr, c_char, c_void};
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
    caught(|| read(schema)).map_err(|error| raise(capsule.py(), error.into()))
}

/// The columns of a schema of any library.
pub(crate) fn schema_of(schema: &Bound<'_, PyAny>) -> PyResult<SchemaRef> {
    if !schema.hasattr("__arrow_c_schema__")? {
        let kind = schema.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a schema has __arrow_c_schema__, which {kind} has not")));
    }
    Ok(to_schema(&schema.call_method0("__arrow_c_schema__")?)?.into())
}

/// How an error begins that is about rows of one column; the type follows.
pub(crate) const ONE_COLUMN: &str = "one column: ";

/// The columns of rows, with an error that names the field and the key of metadata that Arrow for Rust cannot have.
fn read(schema: &FFI_ArrowSchema) -> Result<Schema, ArrowError> {
    const { assert!(size_of::<SchemaStructure>() == size_of::<FFI_ArrowSchema>()) };
    // SAFETY: both are the structure that the interface defines.
    let structure = unsafe { &*std::ptr::from_ref(schema).cast::<SchemaStructure>() };
    if let Some((path, key)) = not_utf8(structure) {
        let of = if path.is_empty() { "the table".to_owned() } else { format!("field {path}") };
        return Err(ArrowError::SchemaError(format!("metadata key {key:?} of {of} is not UTF-8")));
    }
    if schema.format() != "+s" {
        return Err(ArrowError::ExternalError(Box::new(Failure::unsupported(format!(
            "{ONE_COLUMN}{}",
            of_type(&DataType::try_from(schema)?)
        )))));
    }
    for field in schema.children() {
        // Some libraries have formats of their own, such as polars for integers of 128 bits.
        if let Err(error) = DataType::try_from(field) {
            let (name, format) = (field.name().unwrap_or_default(), field.format());
            let message = format!("field {name} has a type {format:?} that Arrow has not: {error}");
            return Err(ArrowError::ExternalError(Box::new(Failure::unsupported(message))));
        }
    }
    Schema::try_from(schema)
}

/// The structure of a schema, as the interface has it.
#[repr(C)]
struct SchemaStructure {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    children_count: i64,
    children: *mut *mut SchemaStructure,
    dictionary: *mut SchemaStructure,
    release: Option<unsafe extern "C" fn(*mut SchemaStructure)>,
    private_data: *mut c_void,
}

/// The first field with metadata that is not UTF-8, and the key.
fn not_utf8(schema: &SchemaStructure) -> Option<(String, String)> {
    if let Some((key, _)) = entries(schema.metadata)
        .into_iter()
        .find(|(key, value)| std::str::from_utf8(key).is_err() || std::str::from_utf8(value).is_err())
    {
        return Some((String::new(), String::from_utf8_lossy(key).into_owned()));
    }
    let count = if schema.children.is_null() { 0 } else { schema.children_count.max(0) as usize };
    // SAFETY: each of these pointers is to a structure of its own; the dictionary is one or null.
    let parts = (0..count).filter_map(|place| unsafe { (*schema.children.add(place)).as_ref() });
    let mut parts = parts.chain(unsafe { schema.dictionary.as_ref() });
    parts.find_map(|part| {
        let (path, key) = not_utf8(part)?;
        // SAFETY: null, or a text that ends with a null byte.
        let name = (!part.name.is_null()).then(|| unsafe { CStr::from_ptr(part.name) }.to_string_lossy());
        let name = name.unwrap_or_default();
        Some((if path.is_empty() { name.into_owned() } else { format!("{name}.{path}") }, key))
    })
}

/// The keys and values of metadata: their number, then each with its number of bytes before it.
fn entries<'a>(metadata: *const c_char) -> Vec<(&'a [u8], &'a [u8])> {
    if metadata.is_null() {
        return Vec::new();
    }
    // SAFETY: the interface promises that the numbers and bytes follow each other.
    let count = unsafe { metadata.cast::<i32>().read_unaligned() };
    // SAFETY: as above.
    let mut place = unsafe { metadata.cast::<u8>().add(4) };
    let mut part = || {
        // SAFETY: as above.
        let len = usize::try_from(unsafe { place.cast::<i32>().read_unaligned() }).unwrap_or_default();
        // SAFETY: as above.
        let bytes = unsafe { std::slice::from_raw_parts(place.add(4), len) };
        // SAFETY: as above.
        place = unsafe { place.add(4 + len) };
        bytes
    };
    (0..count.max(0)).map(|_| (part(), part())).collect()
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
            0 => Ok(Self { schema: read(&schema)?.into(), stream }),
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
        let data_type = DataType::Struct(self.schema.fields().clone());
        without_null_buffers(&mut array, &data_type);
        // SAFETY: the stream promises that its arrays are of its schema.
        let data = unsafe { from_ffi_and_data_type(array, data_type) }?;
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
    let mut array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    drop(held);
    if array.is_released() {
        return Err(fail(ArrowError::CDataInterface("this array was taken before".to_owned())));
    }
    let columns = caught(|| read(schema)).map_err(fail)?;
    without_null_buffers(&mut array, &DataType::Struct(columns.fields().clone()));
    // SAFETY: who made the capsules promises that the array is of this schema.
    let data = caught(|| unsafe { from_ffi(array, schema) }).map_err(fail)?;
    caught(|| straight::batch(&columns.into(), &data)).map_err(fail)
}

/// The structure of an array, as the interface has it.
#[repr(C)]
struct Structure {
    length: i64,
    null_count: i64,
    offset: i64,
    buffers_count: i64,
    children_count: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Structure,
    dictionary: *mut Structure,
    release: Option<unsafe extern "C" fn(*mut Structure)>,
    private_data: *mut c_void,
}

/// Says of arrays of type null that they have no buffers. polars has a bitmap in them, which `arrow-array` does not take.
fn without_null_buffers(array: &mut FFI_ArrowArray, data_type: &DataType) {
    const { assert!(size_of::<Structure>() == size_of::<FFI_ArrowArray>()) };
    // SAFETY: both are the structure that the interface defines, and the reference is the only one.
    let structure = unsafe { &mut *std::ptr::from_mut(array).cast::<Structure>() };
    strip(structure, data_type);
}

fn strip(structure: &mut Structure, data_type: &DataType) {
    if structure.release.is_none() {
        return;
    }
    match data_type {
        DataType::Null => structure.buffers_count = 0,
        DataType::Dictionary(_, values) => {
            // SAFETY: null, or a structure of its own that lives as long as this one.
            if let Some(dictionary) = unsafe { structure.dictionary.as_mut() } {
                strip(dictionary, values);
            }
        }
        _ => {
            let parts = children(data_type);
            let count = usize::try_from(structure.children_count).unwrap_or_default();
            if structure.children.is_null() || count != parts.len() {
                return;
            }
            for (place, field) in parts.iter().enumerate() {
                // SAFETY: each of these pointers is to a structure of its own, or null.
                if let Some(child) = unsafe { (*structure.children.add(place)).as_mut() } {
                    strip(child, field.data_type());
                }
            }
        }
    }
}

/// The fields that a type has arrays for.
pub(crate) fn children(data_type: &DataType) -> Vec<&FieldRef> {
    match data_type {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _)
        | DataType::Map(field, _) => vec![field],
        DataType::Struct(fields) => fields.iter().collect(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| field).collect(),
        DataType::RunEndEncoded(ends, values) => vec![ends, values],
        _ => Vec::new(),
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
