//! Parquet files of others, and ours.

mod addresses;
mod checklist;
mod damaged;
mod footer;
mod goldens;
mod json;
mod meanings;
mod options;
mod round_trip;
mod spans;

use std::path::{Path, PathBuf};

/// The folder of files of others.
fn data(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder)
}

/// The files of a folder, by name.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(data(folder)).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The name of a file, without its ending.
fn stem(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}
