//! What merging and splitting promise: the same rows, and blocks that are copied byte by byte where that can be.

mod copying;
mod damage;
mod dialects;
mod dialects_kept;
mod differing;
mod golden;
mod metadata;
mod rows;
mod small;
mod splitting;
mod widths;
mod zones;

#[path = "../zones/check.rs"]
#[allow(dead_code, reason = "not all of it is for these tests")]
mod check;
#[path = "../reading/nested.rs"]
mod nested;
#[path = "../hostile/raw.rs"]
#[allow(dead_code, reason = "not all of it is for these tests")]
mod raw;
#[path = "../reading/sources.rs"]
#[allow(dead_code, reason = "not all of it is for these tests")]
mod sources;
#[path = "../hostile/sums.rs"]
mod sums;

/// A new folder, removed at the end.
pub(crate) struct Folder(pub(crate) std::path::PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("trevni-merging-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Names of the files that are there.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// All rows of a file, or those that are selected.
pub(crate) fn read<T: serde::de::DeserializeOwned>(reader: &trevni::Reader<'_>) -> Vec<T> {
    reader.rows().unwrap().collect::<Result<_, _>>().unwrap()
}

/// The file that merging gives, and the report.
pub(crate) fn merged(
    merge: trevni::merge::Merge,
    readers: &[trevni::Reader<'_>],
) -> (Vec<u8>, trevni::merge::Merged) {
    let mut file = Vec::new();
    let report = merge.write(readers, &mut file).unwrap();
    (file, report)
}
