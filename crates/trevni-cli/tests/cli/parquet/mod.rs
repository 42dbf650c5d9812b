//! Parquet, in and out.

mod convert;
mod damaged;
mod from_text;
mod reports;
mod rows;

use super::Folder;
use std::path::{Path, PathBuf};

/// The folder of files of others.
fn data(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../trevni-parquet/tests/data").join(folder)
}

/// The path of a file of another writer.
fn golden(name: &str) -> String {
    let path = data("parquet-testing").join(format!("{name}.parquet"));
    path.to_str().unwrap().to_owned()
}

/// The paths of all files of a folder, by name.
fn files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(data(folder)).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path().to_str().unwrap().to_owned()).collect();
    files.sort();
    files
}

/// What the program says as it fails, with the code that it leaves: one line, and one of advice at most.
#[track_caller]
fn fails(folder: &Folder, args: &[&str]) -> (i32, String) {
    let output = folder.trevni(args).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error: ") && !error.contains("panicked"), "{args:?}: {error}");
    assert!(error.lines().count() <= 2, "{args:?}: {error}");
    (output.status.code().unwrap(), error)
}
