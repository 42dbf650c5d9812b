//! Values of arrays as objects of Python: those that `to_pylist` of pyarrow gives.

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, RecordBatch, StructArray};
use arrow_schema::{DataType, Field};
use pyo3::IntoPyObjectExt;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use trevni::ValueRef;
use trevni::shape::{Logical, LogicalShape};

/// A row of a batch as a dict.
pub(crate) fn row<'py>(py: Python<'py>, batch: &RecordBatch, row: usize) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        dict.set_item(field.name(), of_field(py, field, column, row)?)?;
    }
    Ok(dict.into_any())
}

/// A value of a field, whose metadata may say more than its type.
fn of_field<'py>(
    py: Python<'py>,
    field: &Field,
    array: &dyn Array,
    row: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let value = value(py, array, row)?;
    match field.extension_type_name() {
        Some("arrow.uuid") if !value.is_none() => {
            let bytes = PyDict::new(py);
            bytes.set_item("bytes", value)?;
            py.import(intern!(py, "uuid"))?.getattr(intern!(py, "UUID"))?.call((), Some(&bytes))
        }
        Some(name) if !value.is_none() => match ip(name, array, row) {
            Some((text, kind)) => py.import(intern!(py, "ipaddress"))?.getattr(kind)?.call1((text,)),
            None => Ok(value),
        },
        _ => Ok(value),
    }
}

/// The string of an IP address or a network, and the function of `ipaddress` that reads it. Other types and bytes that are no address
/// have neither.
fn ip(extension: &str, array: &dyn Array, row: usize) -> Option<(String, &'static str)> {
    let bytes = array.as_fixed_size_binary_opt()?.value(row);
    let kind = trevni_arrow::logical_of_extension(extension)?;
    let function = match kind {
        Logical::IpAddress(_) => "ip_address",
        // An interface keeps the bits of its host, which a network of Python must not have.
        Logical::IpNetwork(_) => "ip_interface",
        _ => return None,
    };
    let storage = kind.storage()?;
    let text = LogicalShape::new(kind, storage).ok()?.text(ValueRef::Bytes(bytes))?;
    Some((text, function))
}

fn value<'py>(py: Python<'py>, array: &dyn Array, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match array.data_type() {
        DataType::Null => Ok(py.None().into_bound(py)),
        DataType::Boolean => array.as_boolean().value(row).into_bound_py_any(py),
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).into_bound_py_any(py),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(row).into_bound_py_any(py),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into_bound_py_any(py),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into_bound_py_any(py),
        DataType::UInt8 => array.as_primitive::<UInt8Type>().value(row).into_bound_py_any(py),
        DataType::UInt16 => array.as_primitive::<UInt16Type>().value(row).into_bound_py_any(py),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).into_bound_py_any(py),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into_bound_py_any(py),
        DataType::Float16 => array.as_primitive::<Float16Type>().value(row).to_f64().into_bound_py_any(py),
        DataType::Float32 => array.as_primitive::<Float32Type>().value(row).into_bound_py_any(py),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into_bound_py_any(py),
        DataType::Utf8 => array.as_string::<i32>().value(row).into_bound_py_any(py),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_bound_py_any(py),
        DataType::Utf8View => array.as_string_view().value(row).into_bound_py_any(py),
        DataType::Binary => bytes(py, array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => bytes(py, array.as_binary::<i64>().value(row)),
        DataType::BinaryView => bytes(py, array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => bytes(py, array.as_fixed_size_binary().value(row)),
        DataType::Decimal32(..) => decimal(py, &array.as_primitive::<Decimal32Type>().value_as_string(row)),
        DataType::Decimal64(..) => decimal(py, &array.as_primitive::<Decimal64Type>().value_as_string(row)),
        DataType::Decimal128(..) => decimal(py, &array.as_primitive::<Decimal128Type>().value_as_string(row)),
        DataType::Decimal256(..) => decimal(py, &array.as_primitive::<Decimal256Type>().value_as_string(row)),
        DataType::List(field) => list(py, field, &array.as_list::<i32>().value(row)),
        DataType::LargeList(field) => list(py, field, &array.as_list::<i64>().value(row)),
        DataType::ListView(field) => list(py, field, &array.as_list_view::<i32>().value(row)),
        DataType::LargeListView(field) => list(py, field, &array.as_list_view::<i64>().value(row)),
        DataType::FixedSizeList(field, _) => list(py, field, &array.as_fixed_size_list().value(row)),
        DataType::Struct(fields) => {
            let dict = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                dict.set_item(field.name(), of_field(py, field, column, row)?)?;
            }
            Ok(dict.into_any())
        }
        DataType::Map(..) => entries(py, &array.as_map().value(row)),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let key: usize = value(py, dictionary.keys(), row)?.extract()?;
            value(py, dictionary.values(), key)
        }
        DataType::RunEndEncoded(ends, _) => match ends.data_type() {
            DataType::Int16 => run::<Int16Type>(py, array, row),
            DataType::Int32 => run::<Int32Type>(py, array, row),
            _ => run::<Int64Type>(py, array, row),
        },
        DataType::Union(..) => {
            let union = array.as_union();
            value(py, union.child(union.type_id(row)), union.value_offset(row))
        }
        _ => crate::time::value(py, array, row),
    }
}

fn bytes<'py>(py: Python<'py>, value: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyBytes::new(py, value).into_any())
}

fn decimal<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import(intern!(py, "decimal"))?.getattr(intern!(py, "Decimal"))?.call1((text,))
}

fn list<'py>(py: Python<'py>, field: &Field, items: &dyn Array) -> PyResult<Bound<'py, PyAny>> {
    let items = (0..items.len()).map(|row| of_field(py, field, items, row));
    Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// The entries of a map as pairs: a key may be there twice.
fn entries<'py>(py: Python<'py>, entries: &StructArray) -> PyResult<Bound<'py, PyAny>> {
    let parts = || entries.fields().iter().zip(entries.columns());
    let entry = |row| {
        let parts = parts().map(|(field, column)| of_field(py, field, column, row));
        PyTuple::new(py, parts.collect::<PyResult<Vec<_>>>()?)
    };
    let entries = (0..entries.len()).map(entry).collect::<PyResult<Vec<_>>>()?;
    Ok(PyList::new(py, entries)?.into_any())
}

fn run<'py, E: RunEndIndexType>(
    py: Python<'py>,
    array: &dyn Array,
    row: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let runs = array.as_run::<E>();
    value(py, runs.values(), runs.get_physical_index(row))
}
