//! Writes of several processes to a folder: their parts count once the manifest is there, or the snapshot that has them alone.

use crate::error::{Failure, raise};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trevni::dataset::{Snapshot, WriteId, WriteManifest};
use trevni::{Codec, Writer};
use trevni_arrow::ArrowWriter;

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

/// The path of the manifest of a write in its folder, and its bytes; of each part the path in the folder, rows and bytes. With the
/// number of a snapshot, the parts count once this is there.
#[pyfunction]
#[pyo3(signature = (write, parts, snapshot=None))]
pub(crate) fn _manifest(
    write: &str,
    parts: Vec<(String, u64, u64)>,
    snapshot: Option<u64>,
) -> PyResult<(String, Cow<'static, [u8]>)> {
    let mut manifest = WriteManifest::default();
    for (path, rows, bytes) in parts {
        manifest.add(path, rows, bytes);
    }
    if let Some(number) = snapshot {
        let rows = manifest.row_count().unwrap_or_default();
        manifest = manifest.in_snapshot(number, rows);
    }
    Ok((parsed(write)?.manifest_name(), manifest.to_vec().into()))
}

/// The next snapshot of a folder, of the parts of a write alone: its number, its path in the folder, and its bytes. `schema` is a file
/// without rows that has the columns.
#[pyfunction]
pub(crate) fn _snapshot(
    py: Python<'_>,
    folder: PathBuf,
    write: &str,
    parts: Vec<(String, u64, u64)>,
    schema: &[u8],
) -> PyResult<(u64, String, Cow<'static, [u8]>)> {
    let next = next(&folder, parsed(write)?, &parts, schema);
    let (number, bytes) = next.map_err(|failure| raise(py, failure))?;
    Ok((number, Snapshot::name(number), bytes.into()))
}

fn next(
    folder: &Path,
    write: WriteId,
    parts: &[(String, u64, u64)],
    schema: &[u8],
) -> Result<(u64, Vec<u8>), Failure> {
    let (number, last) = Snapshot::last_of(folder)?.unwrap_or_default();
    let mut writes = committed(folder)?;
    writes.extend(last.writes().iter().cloned());
    writes.push(write);
    writes.sort_unstable();
    writes.dedup();
    Ok((number.saturating_add(1), snapshot_of(parts, schema, last.since(), &writes)?))
}

/// The writes of a folder whose parts count by their manifests.
fn committed(folder: &Path) -> Result<Vec<WriteId>, Failure> {
    let name = WriteId::default().manifest_name();
    let folder = folder.join(Path::new(&name).parent().unwrap_or(Path::new("")));
    let mut writes = Vec::new();
    for entry in std::fs::read_dir(&folder).into_iter().flatten() {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".json"));
        let Some(write) = name.and_then(WriteId::parse) else { continue };
        let of_file = |failure: Failure| failure.of_file(Some(&path));
        let bytes = std::fs::read(&path).map_err(|error| of_file(error.into()))?;
        let manifest = WriteManifest::from_slice(&bytes).map_err(|error| of_file(error.into()))?;
        if manifest.snapshot().is_none() {
            writes.push(write);
        }
    }
    Ok(writes)
}

/// A snapshot of some parts: paths in the folder, rows and bytes.
fn snapshot_of(
    parts: &[(String, u64, u64)],
    schema: &[u8],
    since: u64,
    writes: &[WriteId],
) -> Result<Vec<u8>, Failure> {
    let mut options = Writer::builder().codec(Codec::Typed).metadata(Snapshot::SCHEMA, schema);
    for (key, text) in Snapshot::metadata(since, writes) {
        options = options.metadata(key, text);
    }
    let paths = StringArray::from_iter_values(parts.iter().map(|(path, ..)| path));
    let rows = UInt64Array::from_iter_values(parts.iter().map(|(_, rows, _)| *rows));
    let bytes = UInt64Array::from_iter_values(parts.iter().map(|(.., bytes)| *bytes));
    let columns: [(_, ArrayRef); 3] =
        [("path", Arc::new(paths)), ("rows", Arc::new(rows)), ("bytes", Arc::new(bytes))];
    let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, false)))?;
    let mut writer = ArrowWriter::with_options(options, Vec::new(), batch.schema())?;
    writer.write(&batch)?;
    Ok(writer.finish()?)
}
