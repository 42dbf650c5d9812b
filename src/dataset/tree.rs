//! The files of a dataset: those of a folder, and of the folders of partitions in it.

use super::folder::{is_data, order};
use super::replaced::{remove_with_replaced, settled};
use crate::error::{Error, Result};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of a folder of rows whose key is null.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// A file of a dataset, and what the names of the folders around it say; see [`Dataset::files`](crate::Dataset::files).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetFile {
    path: PathBuf,
    keys: Keys,
}

/// The keys of folders with their values, from the outermost; `None` for null.
pub(super) type Keys = Arc<[(String, Option<String>)]>;

impl DatasetFile {
    /// A file that is in no folder of a partition.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, keys: Keys::default() }
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The keys and values of the partition that the file is in, from the outermost folder: `day=2024-02-29/hour=07` has
    /// `day` and `hour`. The value `__HIVE_DEFAULT_PARTITION__` is null, which is `None`.
    #[must_use]
    pub fn partition(&self) -> &[(String, Option<String>)] {
        &self.keys
    }

    /// Removes the file, and before it the files of its folder that it replaces, whose rows would appear again. Returns whether the
    /// file was removed: another program may have removed it, and the writer of a part that is not complete keeps its files
    /// while it is open. Rows of a file that another one has replaced since it was listed are in that one.
    ///
    /// ```
    /// use trevni::{Dataset, DatasetWriter};
    ///
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-remove-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// let mut log = DatasetWriter::builder().part_rows(100).sync_rows(30).create(&folder)?;
    /// log.write_all(0..250)?;
    /// log.finish()?;
    /// let files = Dataset::files(&folder)?;
    /// for file in &files[..files.len() - 2] {
    ///     file.remove()?; // all but the newest two
    /// }
    /// assert_eq!(Dataset::open(&folder)?.rows::<u32>()?.next().unwrap()?, 100);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A folder that cannot be listed, a file that cannot be removed.
    pub fn remove(&self) -> Result<bool> {
        remove_with_replaced(&self.path)
    }
}

/// The files of a folder that count, and those of the folders of partitions in it, or of all folders in it: those of a folder
/// first, then those of the folders in it, each by name.
///
/// # Errors
///
/// A folder that cannot be read, or holds data without being a partition, unless all folders are read; damaged manifests.
pub(super) fn files(folder: &Path, recursive: bool) -> Result<Vec<DatasetFile>> {
    if folder.is_file() {
        let message =
            "this is a file, not a folder: Reader::open reads one file, Dataset::from_paths several";
        return Err(Error::option(message).in_file(folder));
    }
    settled(folder, || Walk::files(folder, recursive), DatasetFile::path)
}

/// A walk through folders.
struct Walk {
    recursive: bool,
    /// The folders around the current one: a link may lead back to one of them.
    around: Vec<PathBuf>,
    files: Vec<DatasetFile>,
}

/// What is in a folder, by name.
struct Listed {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Walk {
    fn files(folder: &Path, recursive: bool) -> Result<Vec<DatasetFile>> {
        let mut walk = Self { recursive, around: Vec::new(), files: Vec::new() };
        walk.folder(folder, &Keys::default())?;
        Ok(walk.files)
    }

    fn folder(&mut self, folder: &Path, keys: &Keys) -> Result<()> {
        if !self.enter(folder)? {
            return Ok(());
        }
        let Listed { files, folders } = listed(folder)?;
        self.files.extend(files.into_iter().map(|path| DatasetFile { path, keys: Arc::clone(keys) }));
        for inner in folders {
            match key_of(&inner) {
                Some(key) => {
                    self.folder(&inner, &with_key(keys, key).map_err(|error| error.in_file(&inner))?)?
                }
                None if self.recursive => self.folder(&inner, keys)?,
                None if self.holds_data(&inner)? => return Err(no_partition(&inner)),
                None => {}
            }
        }
        self.around.pop();
        Ok(())
    }

    /// Notes that the walk is in a folder; false if it is in it already.
    fn enter(&mut self, folder: &Path) -> Result<bool> {
        let place = folder.canonicalize().map_err(|error| Error::from(error).in_file(folder))?;
        let is_new = !self.around.contains(&place);
        if is_new {
            self.around.push(place);
        }
        Ok(is_new)
    }

    /// Whether a folder, or one in it, has data.
    fn holds_data(&mut self, folder: &Path) -> Result<bool> {
        if !self.enter(folder)? {
            return Ok(false);
        }
        let Listed { files, folders } = listed(folder)?;
        let mut found = !files.is_empty();
        for inner in folders {
            found = found || self.holds_data(&inner)?;
        }
        self.around.pop();
        Ok(found)
    }
}

#[cold]
fn no_partition(folder: &Path) -> Error {
    let message = "this folder in a dataset has data, but its name is no partition, such as day=2024-02-29: open it by itself, \
                   or all folders with `DatasetBuilder::recursive`";
    Error::option(message).in_file(folder)
}

/// The files and folders of a folder, but for hidden ones.
fn listed(folder: &Path) -> Result<Listed> {
    let mut listed = Listed { files: Vec::new(), folders: Vec::new() };
    let failed = |error| Error::from(error).in_file(folder);
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match path.is_dir() {
            true if !is_hidden(&name) => listed.folders.push(path),
            false if is_data(&name) => listed.files.push(path),
            _ => {}
        }
    }
    listed.files.sort_by_cached_key(|path| order(path));
    listed.folders.sort_by_cached_key(|path| order(path));
    Ok(listed)
}

/// Whether a folder holds no rows, by its name: manifests, what other tools keep beside data.
fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || (name.starts_with('_') && !name.contains('='))
}

/// The key and the value in the name of a folder, as [`DatasetFile::partition`] has them; `None` for other names.
///
/// ```
/// use std::path::Path;
///
/// let key = trevni::dataset::key_of(Path::new("logs/day=2024-02-29"));
/// assert_eq!(key, Some(("day".to_owned(), Some("2024-02-29".to_owned()))));
/// assert_eq!(trevni::dataset::key_of(Path::new("logs")), None);
/// ```
#[must_use]
pub fn key_of(folder: &Path) -> Option<(String, Option<String>)> {
    let name = folder.file_name()?.to_string_lossy();
    let (key, value) = name.split_once('=').filter(|(key, _)| !key.is_empty())?;
    let value = (value != NULL).then(|| decoded(value).into_owned());
    Some((decoded(key).into_owned(), value))
}

/// The keys with one more.
///
/// # Errors
///
/// A key that is there already.
fn with_key(keys: &Keys, key: (String, Option<String>)) -> Result<Keys> {
    if keys.iter().any(|(other, _)| *other == key.0) {
        return Err(Error::option(format!(
            "the key {:?} of this folder is also that of one around it",
            key.0
        )));
    }
    Ok(keys.iter().cloned().chain([key]).collect())
}

/// A name with `%` and two hexadecimal digits for bytes; as it is where that is no UTF-8.
fn decoded(name: &str) -> Cow<'_, str> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let byte = after.first_chunk().filter(|_| *first == b'%').and_then(|digits| hex(*digits));
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    match String::from_utf8(bytes) {
        Ok(text) if text != name => Cow::Owned(text),
        _ => Cow::Borrowed(name),
    }
}

fn hex(digits: [u8; 2]) -> Option<u8> {
    let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
    u8::try_from(high? * 16 + low?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_keys_and_values() {
        let key =
            |name: &str| key_of(Path::new(name)).map(|(key, value)| (key, value.unwrap_or("null".into())));
        for (name, expected) in [
            ("day=2024-02-29", Some(("day", "2024-02-29"))),
            ("a=b=c", Some(("a", "b=c"))),
            ("p=", Some(("p", ""))),
            ("p=__HIVE_DEFAULT_PARTITION__", Some(("p", "null"))),
            ("a%20b=x%2Fy%3D%C3%A4", Some(("a b", "x/y=ä"))),
            ("p=100%", Some(("p", "100%"))),
            ("p=%zz%4", Some(("p", "%zz%4"))),
            ("p=%ff", Some(("p", "%ff"))),
            ("=x", None),
            ("day", None),
        ] {
            let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned()));
            assert_eq!(key(name), expected, "{name}");
        }
    }

    #[test]
    fn hidden_folders_hold_no_rows() {
        for (name, expected) in [("_trevni_writes", true), (".git", true), ("_a=1", false), ("a", false)] {
            assert_eq!(is_hidden(name), expected, "{name}");
        }
    }
}
