//! Many small parts of a folder into few.

use super::folder::{files, order};
use super::part_name::PartName;
use super::replaced::remove_replaced;
use super::tail::{REPLACED_KEPT, Tail, merge_files};
use crate::error::{Error, Result};
use crate::storage::temporary::TemporaryFile;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most files that become one at a time.
const FILES_MAX: usize = 256;

/// Makes few parts of the many small ones of a folder, with [`Compact`]'s defaults.
///
/// # Errors
///
/// As [`Compact::folder`].
pub fn compact(folder: impl AsRef<Path>) -> Result<Compacted> {
    Compact::new().folder(folder)
}

/// Makes few parts of the many small ones of a folder, while others read it and append to it.
///
/// A new part, `part-00003.to-00009.trv`, takes its name in one step, and replaces the parts 3 to 9 for all readers that
/// list the folder later. Those that have listed it before find the replaced files for some time
/// ([`keep`](Self::keep)). So a program that is killed loses nothing, and no row is there twice.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-compact-{}", std::process::id()));
/// # let _ = std::fs::remove_dir_all(&folder);
/// use std::time::Duration;
/// use trevni::dataset::Compact;
/// use trevni::{Dataset, DatasetWriter};
///
/// let mut writer = DatasetWriter::builder().part_rows(10).create(&folder)?;
/// writer.write_all(0..1000)?;
/// assert_eq!(writer.finish()?.len(), 100);
///
/// let compacted = Compact::new().keep(Duration::ZERO).folder(&folder)?;
/// assert_eq!((compacted.parts.len(), compacted.replaced), (1, 100));
/// assert_eq!(Dataset::open(&folder)?.row_count(), 1000);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Compact {
    part_bytes: u64,
    kept: Duration,
}

/// What [`Compact`] has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compacted {
    /// The new parts.
    pub parts: Vec<PathBuf>,
    /// Number of parts that they replace.
    pub replaced: usize,
    /// Number of files that were removed: of these, and of those that were replaced earlier.
    pub removed: usize,
}

impl Default for Compact {
    fn default() -> Self {
        Self::new()
    }
}

impl Compact {
    /// Starts with the defaults.
    pub fn new() -> Self {
        Self { part_bytes: 128 << 20, kept: REPLACED_KEPT }
    }

    /// Sets the approximate size of the new parts in bytes; parts of half of it and more stay. Default: 134,217,728
    /// (128 MiB).
    pub fn part_bytes(mut self, bytes: u64) -> Self {
        self.part_bytes = bytes;
        self
    }

    /// Sets how long replaced files stay, for readers that have listed the folder before. They are removed by the next
    /// call, or by a writer that appends. Default: one minute; zero removes them at once.
    pub fn keep(mut self, time: Duration) -> Self {
        self.kept = time;
        self
    }

    /// Compacts the parts of a folder whose names are those of [`DatasetWriter`](crate::DatasetWriter), in their order.
    /// Parts of other names, the folders in it, and a part that a writer has begun stay as they are; what a killed writer
    /// has begun is completed.
    ///
    /// # Errors
    ///
    /// A folder that cannot be read or written to, a part that cannot be read, and a folder that another program
    /// compacts. What was done before stays done.
    pub fn folder(&self, folder: impl AsRef<Path>) -> Result<Compacted> {
        let folder = folder.as_ref();
        let Some(_claim) = TemporaryFile::claim(&folder.join("part"), u64::MAX)? else {
            return Err(Error::option("another program compacts this folder").in_file(folder));
        };
        let mut compacted =
            Compacted { removed: remove_replaced(folder, self.kept)?.len(), ..Compacted::default() };
        for tail in Tail::abandoned(folder, None)? {
            tail.complete()?;
        }
        loop {
            let groups = self.groups(folder)?;
            if groups.is_empty() {
                break;
            }
            for Group { files, bytes, numbers, ending } in groups {
                let path = folder.join(PartName { parts: numbers, pieces: None }.file_name(&ending));
                merge_files(&files, bytes, None, &path)?;
                compacted.replaced += files.iter().filter(|file| !compacted.parts.contains(file)).count();
                compacted.parts.retain(|part| !files.contains(part));
                compacted.parts.push(path);
            }
        }
        compacted.removed += remove_replaced(folder, self.kept)?.len();
        compacted.parts.sort_by_cached_key(|path| order(path));
        Ok(compacted)
    }

    /// Files that are to become one, each time.
    fn groups(&self, folder: &Path) -> Result<Vec<Group>> {
        let mut groups: Vec<Group> = Vec::new();
        for path in files(folder)? {
            let Some(PartName { parts, pieces }) = PartName::from_path(&path) else { continue };
            let bytes = path.metadata().map_or(u64::MAX, |file| file.len());
            let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if pieces.is_some() || bytes > self.part_bytes / 2 {
                continue;
            }
            match groups.last_mut() {
                Some(last)
                    if last.numbers.1.checked_add(1) == Some(parts.0)
                        && last.ending == ending
                        && last.files.len() < FILES_MAX
                        && last.bytes + bytes <= self.part_bytes =>
                {
                    last.numbers.1 = parts.1;
                    last.bytes += bytes;
                    last.files.push(path);
                }
                _ => groups.push(Group { files: vec![path], bytes, numbers: parts, ending }),
            }
        }
        groups.retain(|group| group.files.len() > 1);
        Ok(groups)
    }
}

/// Parts that follow each other.
struct Group {
    files: Vec<PathBuf>,
    /// Size of all files.
    bytes: u64,
    /// The first and the last number.
    numbers: (u64, u64),
    ending: String,
}
