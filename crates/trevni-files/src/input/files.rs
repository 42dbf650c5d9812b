//! Files that are named, and the files of named folders.

use super::{Opened, open_rows_with};
use crate::failure::Failure;
use crate::format::Format;
use crate::progress::Progress;
use crate::reading;
use crate::remote;
use std::io;
use std::path::{Path, PathBuf};
use trevni::Dataset;
use trevni::dataset::{DatasetFile, key_of};

/// A file that is named, or that is in a folder that is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFile {
    path: PathBuf,
    /// What the names of folders between say: a key, and its value or null.
    partition: Vec<(String, Option<String>)>,
}

impl DataFile {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether folders say values of its rows.
    pub fn is_in_partition(&self) -> bool {
        !self.partition.is_empty()
    }

    /// Opens the file; its rows have the keys of its folders as fields.
    pub fn open(&self, progress: Progress) -> Result<Opened, Failure> {
        self.open_first(u64::MAX, progress)
    }

    /// As [`open`](Self::open), where at most `rows` rows are wanted: a converted file has no others then.
    pub(crate) fn open_first(&self, rows: u64, progress: Progress) -> Result<Opened, Failure> {
        let field = |options: trevni::ReaderBuilder, (key, value): &(String, Option<String>)| {
            options.constant(key, value.as_deref())
        };
        let options = self.partition.iter().fold(reading::builder(), field);
        match open_rows_with(options, &self.path, rows, progress)? {
            #[cfg(feature = "parquet")]
            Opened::Parquet(file) if self.is_in_partition() => {
                Err(Failure::new(format!("{} is Parquet, in a folder of a partition", file.name)))
            }
            opened => Ok(opened),
        }
    }
}

impl From<&Path> for DataFile {
    fn from(path: &Path) -> Self {
        Self { path: path.to_owned(), partition: Vec::new() }
    }
}

impl From<DatasetFile> for DataFile {
    fn from(file: DatasetFile) -> Self {
        Self { path: file.path().to_owned(), partition: file.partition().to_vec() }
    }
}

/// The files that are named; in place of a folder, its files and those of folders of partitions in it, as a dataset has them,
/// and in place of a pattern of objects in a bucket, those.
pub fn files(paths: &[PathBuf]) -> Result<Vec<DataFile>, Failure> {
    let mut out = Vec::with_capacity(paths.len());
    for path in paths {
        if remote::is_url(path) {
            let found = remote::matching(path)?.unwrap_or_else(|| vec![path.clone()]);
            out.extend(found.iter().map(|path| DataFile::from(path.as_path())));
            continue;
        }
        match path.is_dir() {
            true => out.extend(within(path)?),
            false => out.push(path.as_path().into()),
        }
    }
    Ok(out)
}

fn within(folder: &Path) -> Result<Vec<DataFile>, Failure> {
    let found = Dataset::files(folder).map_err(|error| {
        let failure = Failure::of(folder, &error);
        match error.location().file.as_deref() {
            Some(inner) if inner != folder && inner.is_dir() => failure.hint(format!(
                "Folders that are not partitions must be named one by one: {}",
                inner.display()
            )),
            _ => failure,
        }
    })?;
    if !found.is_empty() {
        return Ok(found.into_iter().map(DataFile::from).collect());
    }
    let mut files = Vec::new();
    others(folder, &[], &mut files).map_err(|error| Failure::io(folder.display(), &error))?;
    match files.is_empty() {
        true => Err(Failure::new(format!("{} is a folder without data files", folder.display()))),
        false => Ok(files),
    }
}

/// The files of other formats in a folder, and in folders in it whose names are `key=value`.
fn others(
    folder: &Path,
    partition: &[(String, Option<String>)],
    files: &mut Vec<DataFile>,
) -> io::Result<()> {
    let entries = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut entries = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    entries.sort_unstable();
    for path in entries {
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(['.', '_'])) {
            continue;
        }
        match key_of(&path) {
            // A link may lead back.
            Some(key) if path.is_dir() && !path.is_symlink() => {
                others(&path, &[partition, &[key]].concat(), files)?;
            }
            _ if path.is_file() && Format::of_name(&path).is_some() => {
                files.push(DataFile { path, partition: partition.to_vec() });
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn folders_stand_for_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(
            files(&[folder.path().to_owned()])
                .unwrap_err()
                .message()
                .ends_with("is a folder without data files")
        );
        for name in ["b.trv", "a.trv", ".c.trv", "d.csv"] {
            fs::write(at(name), "").unwrap();
        }
        fs::create_dir(at("e.trv")).unwrap();
        let given = [at("z"), folder.path().to_owned(), PathBuf::from("-")];
        let paths = |files: Vec<DataFile>| files.into_iter().map(|file| file.path).collect::<Vec<_>>();
        assert_eq!(paths(files(&given).unwrap()), [at("z"), at("a.trv"), at("b.trv"), PathBuf::from("-")]);
        fs::create_dir(at("day=1")).unwrap();
        fs::write(at("day=1/c.trv"), "").unwrap();
        let found = files(&[folder.path().to_owned()]).unwrap();
        assert_eq!(found[2].partition, [("day".to_owned(), Some("1".to_owned()))]);
        fs::create_dir(at("old")).unwrap();
        fs::write(at("old/c.trv"), "").unwrap();
        let failure = files(&[folder.path().to_owned()]).unwrap_err();
        assert!(failure.message().contains("/old: "), "{}", failure.message());
    }
}
