//! What files say of their columns and blocks.

use crate::error::Failure;
use crate::view::View;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::path::PathBuf;
use trevni::BlockInfo;
use trevni::column::Bound as ZoneBound;

/// A column of a file.
pub(crate) struct Column {
    file: Option<PathBuf>,
    name: String,
    kind: String,
    codec: String,
    checksum: String,
    blocks: Vec<BlockInfo>,
}

/// The columns of all files.
pub(crate) fn of_columns(view: &View) -> Result<Vec<Column>, Failure> {
    let mut columns = Vec::new();
    for (reader, file) in view.readers().zip(view.files()) {
        for (number, column) in reader.columns().iter().enumerate() {
            let blocks = reader.blocks(number);
            columns.push(Column {
                file: file.clone(),
                name: column.path().unwrap_or(column.name()).to_owned(),
                kind: column.value_type().to_string(),
                codec: column.codec_name().to_owned(),
                checksum: column.checksum_name().to_owned(),
                blocks: blocks.map_err(|error| Failure::from(error).of_file(file.as_deref()))?,
            });
        }
    }
    Ok(columns)
}

/// The columns as dicts.
pub(crate) fn columns<'py>(py: Python<'py>, columns: Vec<Column>) -> PyResult<Bound<'py, PyList>> {
    let of_column = |column: Column| {
        let sum = |of: fn(&BlockInfo) -> u32| column.blocks.iter().map(|block| u64::from(of(block))).sum();
        let (bytes, decompressed): (u64, u64) = (sum(|block| block.compressed_size), sum(|block| block.size));
        let dict = PyDict::new(py);
        dict.set_item("file", column.file.as_ref().map(|file| file.display().to_string()))?;
        dict.set_item("column", column.name)?;
        dict.set_item("type", column.kind)?;
        dict.set_item("codec", column.codec)?;
        dict.set_item("checksum", column.checksum)?;
        dict.set_item("blocks", column.blocks.len())?;
        dict.set_item("bytes", bytes)?;
        dict.set_item("bytes_decompressed", decompressed)?;
        Ok(dict)
    };
    PyList::new(py, columns.into_iter().map(of_column).collect::<PyResult<Vec<_>>>()?)
}

/// The blocks of the columns as dicts.
pub(crate) fn zones<'py>(py: Python<'py>, columns: Vec<Column>) -> PyResult<Bound<'py, PyList>> {
    let zones = PyList::empty(py);
    for column in columns {
        for (number, block) in column.blocks.iter().enumerate() {
            let zone = block.zone.as_ref();
            let bound = |bound: Option<&ZoneBound>| match bound {
                None => Ok(py.None().into_bound(py)),
                Some(ZoneBound::Boolean(value)) => value.into_bound_py_any(py),
                Some(ZoneBound::Integer(value)) => value.into_bound_py_any(py),
                Some(ZoneBound::Float(value)) => value.into_bound_py_any(py),
                Some(ZoneBound::Bytes(bytes)) => match std::str::from_utf8(bytes) {
                    Ok(text) if column.kind == "string" => text.into_bound_py_any(py),
                    _ => Ok(PyBytes::new(py, bytes).into_any()),
                },
                Some(_) => Ok(py.None().into_bound(py)),
            };
            let dict = PyDict::new(py);
            dict.set_item("file", column.file.as_ref().map(|file| file.display().to_string()))?;
            dict.set_item("column", &column.name)?;
            dict.set_item("block", number)?;
            dict.set_item("first_row", block.first_row)?;
            dict.set_item("rows", block.rows)?;
            dict.set_item("bytes", block.compressed_size)?;
            dict.set_item("nulls", zone.map(|zone| zone.nulls))?;
            dict.set_item("values", zone.map(|zone| zone.values))?;
            dict.set_item("min", bound(zone.and_then(|zone| zone.min.as_ref()))?)?;
            dict.set_item("max", bound(zone.and_then(|zone| zone.max.as_ref()))?)?;
            zones.append(dict)?;
        }
    }
    Ok(zones)
}
