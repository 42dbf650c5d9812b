//! Writes of several processes to a folder: their parts count once the manifest is there.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::borrow::Cow;
use trevni::dataset::{WriteId, WriteManifest};

fn parsed(write: &str) -> PyResult<WriteId> {
    WriteId::parse(write)
        .ok_or_else(|| PyValueError::new_err(format!("{write} is not the identity of a write")))
}

/// The identity of a new write.
#[pyfunction]
pub(crate) fn _write_id() -> String {
    WriteId::new().to_string()
}

/// A name for a part of a write, which no other attempt gives.
#[pyfunction]
pub(crate) fn _part_name(write: &str, number: usize) -> PyResult<String> {
    Ok(parsed(write)?.part_name(WriteId::attempt(), number))
}

/// The path of the manifest of a write in its folder, and its bytes; of each part the path in the folder, rows and bytes.
#[pyfunction]
pub(crate) fn _manifest(
    write: &str,
    parts: Vec<(String, u64, u64)>,
) -> PyResult<(String, Cow<'static, [u8]>)> {
    let mut manifest = WriteManifest::default();
    for (path, rows, bytes) in parts {
        manifest.add(path, rows, bytes);
    }
    Ok((parsed(write)?.manifest_name(), manifest.to_vec().into()))
}
