//! What datasets promise: many files are as one, and each is whole or not there.

mod appending;
mod dialects;
mod evolution;
mod failing;
mod filter;
mod flushing;
mod folders;
mod names;
mod partitions;
mod projection;
mod round_trip;
mod sizes;
mod splits;
mod summary;
mod writes;

use serde::de::DeserializeOwned;
use std::fs;
use std::path::PathBuf;
use trevni::{Dataset, Reader};

/// A folder of one test alone, removed at the end; not created.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trevni-dataset-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn open(&self) -> Dataset<'static> {
        Dataset::open(&self.0).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A dataset of files in memory.
fn in_memory(files: &[Vec<u8>]) -> trevni::Result<Dataset<'_>> {
    Dataset::from_readers(files.iter().map(|file| Reader::from_slice(file).unwrap()).collect())
}

fn all<T: DeserializeOwned>(dataset: &Dataset<'_>) -> trevni::Result<Vec<T>> {
    dataset.rows()?.collect()
}

#[track_caller]
fn assert_contains(error: &trevni::Error, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}
