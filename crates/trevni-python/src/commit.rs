//! Writes of several processes to a folder: their parts count once the manifest is there.

use crate::error::Failure;
use pyo3::prelude::*;
use std::borrow::Cow;
use trevni::dataset::{WriteId, WriteManifest};

fn parsed(write: &str) -> Result<WriteId, Failure> {
    WriteId::parse(write).ok_or_else(|| Failure::of_usage(format!("{write} is not the identity of a write")))
}

/// The identity of a new write.
#[pyfunction]
pub(crate) fn _write_id() -> String {
    WriteId::new().to_string()
}

/// A name for a part of a write, which no other attempt gives.
#[pyfunction]
pub(crate) fn _part_name(write: &str, number: usize) -> Result<String, Failure> {
    Ok(parsed(write)?.part_name(WriteId::attempt(), number))
}

/// The path of the manifest of a write in its folder, and its bytes; of each part the path in the folder, rows and bytes.
#[pyfunction]
pub(crate) fn _manifest(
    write: &str,
    parts: Vec<(String, u64, u64)>,
) -> Result<(String, Cow<'static, [u8]>), Failure> {
    let mut manifest = WriteManifest::default();
    for (path, rows, bytes) in parts {
        manifest.add(path, rows, bytes);
    }
    Ok((parsed(write)?.manifest_name(), manifest.to_vec().into()))
}
