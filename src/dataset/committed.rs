//! Which files of a folder count, by the manifests of writes and by the last snapshot.

use super::manifest::{WriteId, WriteManifest};
use super::snapshot::Snapshot;
use crate::error::{Error, Result};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Which files of a folder, and of folders in it, count. Files are listed, then their writes are looked up, and then files are
/// listed once more: a write that is committed between the first two is whole in the second list.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-committed-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// use trevni::dataset::{CommittedParts, WriteId};
///
/// let file = folder.join(WriteId::new().part_name(0, 0));
/// let committed = CommittedParts::read(&folder, &[file.clone(), folder.join("part-00000.trv")])?;
/// assert!(!committed.counts(&file));
/// assert!(committed.counts(&folder.join("part-00000.trv")));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CommittedParts {
    /// Where the manifests of the parts of each folder are.
    places: HashMap<PathBuf, Place>,
    /// The parts that the manifests list, by the folder that these are of.
    writes: HashMap<(PathBuf, WriteId), HashSet<String>>,
    /// The last snapshots of the folders that have any.
    snapshots: HashMap<PathBuf, Option<Snapshot>>,
}

/// A folder, as manifests have it.
#[derive(Clone, Debug)]
struct Place {
    /// The folder that has the manifests.
    root: PathBuf,
    /// The path from there, with `/` behind.
    within: String,
}

impl CommittedParts {
    /// Reads the manifests of the writes that files belong to, by their names. The files are those of a folder and of folders
    /// in it.
    ///
    /// # Errors
    ///
    /// Manifests that cannot be read, or are damaged.
    pub fn read(folder: &Path, files: &[PathBuf]) -> Result<Self> {
        let mut parts = Self { places: HashMap::new(), writes: HashMap::new(), snapshots: HashMap::new() };
        for file in files {
            let own = file.parent().unwrap_or(folder);
            let place = match parts.places.get(own) {
                Some(place) => place,
                None => parts.places.entry(own.to_owned()).or_insert(Place::new(own, folder)?),
            };
            let snapshot = match parts.snapshots.get(&place.root) {
                Some(snapshot) => snapshot,
                None => {
                    let last = Snapshot::last_of(&place.root)?.map(|(_, snapshot)| snapshot);
                    parts.snapshots.entry(place.root.clone()).or_insert(last)
                }
            };
            let Some(write) = write_of(file) else { continue };
            if let Entry::Vacant(unknown) = parts.writes.entry((place.root.clone(), write)) {
                let (root, write) = unknown.key();
                // What a snapshot has, no manifest adds.
                let counts = |manifest: &WriteManifest| manifest.snapshot().is_none();
                let manifest = match snapshot.as_ref().is_some_and(|snapshot| snapshot.has(write)) {
                    true => None,
                    false => Some(WriteManifest::read(&root.join(write.manifest_name()))?).filter(counts),
                };
                unknown.insert(manifest.iter().flat_map(WriteManifest::parts).cloned().collect());
            }
        }
        Ok(parts)
    }

    /// Whether no file belongs to a write, and no folder has snapshots: all files count.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.snapshots.values().all(Option::is_none)
    }

    /// Whether a file counts: the snapshot of its folder has it, or the manifest of its write lists it. Without a snapshot, files that
    /// belong to no write by their names count, too.
    #[must_use]
    pub fn counts(&self, file: &Path) -> bool {
        let write = write_of(file);
        let Some(Place { root, within }) = self.places.get(file.parent().unwrap_or(Path::new(""))) else {
            return write.is_none();
        };
        let path = format!("{within}{}", file.file_name().unwrap_or_default().to_string_lossy());
        match (self.snapshots.get(root), write) {
            (Some(Some(snapshot)), _) if snapshot.row(&path).is_some() => true,
            (Some(Some(_)), None) => false,
            (_, None) => true,
            (_, Some(write)) => {
                let parts = self.writes.get(&(root.clone(), write));
                parts.is_some_and(|parts| parts.contains(&path))
            }
        }
    }
}

/// Refuses to write to a folder whose snapshots say which files count: others would not.
pub(super) fn refuse_tables(folder: &Path) -> Result<()> {
    let root = Place::new(folder, folder)?.root;
    match Snapshot::last_of(&root)? {
        None => Ok(()),
        Some(_) => {
            let why = "its snapshots say which files count, so only SQL and Spark write to it";
            Err(Error::option(format!("{}: this folder is a table with snapshots: {why}", folder.display())))
        }
    }
}

fn write_of(file: &Path) -> Option<WriteId> {
    WriteId::from_part(file.file_name()?.to_str()?)
}

impl Place {
    /// Where the manifests of the parts of a folder are. A file without a folder in its path is in `current`.
    fn new(folder: &Path, current: &Path) -> Result<Self> {
        let folder = if folder.as_os_str().is_empty() { current } else { folder };
        let mut root = std::path::absolute(folder).map_err(|error| Error::from(error).in_file(folder))?;
        let mut within = String::new();
        while let Some(name) =
            root.file_name().and_then(|name| name.to_str()).filter(|name| name.contains('='))
        {
            within = format!("{name}/{within}");
            root.pop();
        }
        Ok(Self { root, within })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_partitions_are_below_the_one_of_manifests() {
        let Place { root, within } = Place::new(Path::new("/data/a=1/t/day=1/x=2"), Path::new("/")).unwrap();
        assert_eq!((root, within.as_str()), (PathBuf::from("/data/a=1/t"), "day=1/x=2/"));
    }
}
