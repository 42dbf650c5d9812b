//! Manifests in object stores.

use datafusion::error::DataFusionError;
use futures::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions, Result};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use trevni::dataset::{WriteId, WriteManifest};

/// Manifests that are read at a time.
const AT_ONCE: usize = 16;

/// What errors of manifests say that they are of.
const MANIFEST: &str = "manifest of a write";

/// Whether an error is about a manifest.
pub(crate) fn is_of_manifest(error: &DataFusionError) -> bool {
    match error.find_root() {
        DataFusionError::ObjectStore(error) => {
            matches!(**error, object_store::Error::Generic { store: MANIFEST, .. })
        }
        _ => false,
    }
}

/// Of writes, the folder that has their manifests, and their identities.
type Key = (Path, WriteId);

/// The writes that files belong to, and their parts.
pub(crate) struct Committed(HashMap<Key, HashSet<String>>);

impl Committed {
    /// Reads the manifests of the writes that files belong to, by their names.
    pub(crate) async fn of<'f>(
        store: &Arc<dyn ObjectStore>,
        files: impl Iterator<Item = &'f Path>,
    ) -> Result<Self> {
        let writes: BTreeSet<Key> = files.filter_map(|file| Some(of_part(file)?.0)).collect();
        let read = writes.into_iter().map(|key| async {
            let manifest = read(store, &key.0, &key.1).await?.unwrap_or_default();
            let parts: HashSet<String> = manifest.parts().iter().cloned().collect();
            Ok::<_, object_store::Error>((key, parts))
        });
        Ok(Self(stream::iter(read).boxed().buffer_unordered(AT_ONCE).try_collect().await?))
    }

    /// Whether no file belongs to a write.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a file counts.
    pub(crate) fn counts(&self, file: &Path) -> bool {
        match of_part(file) {
            Some((key, within)) => self.0.get(&key).is_some_and(|parts| parts.contains(&within)),
            None => true,
        }
    }
}

/// The write that a file belongs to, and its path within the folder that has the manifest.
pub(super) fn of_part(file: &Path) -> Option<(Key, String)> {
    let write = WriteId::from_part(file.filename()?)?;
    let mut folders: Vec<_> = file.parts().collect();
    folders.pop();
    let root = root_of(&Path::from_iter(folders));
    let within = within(&root, file);
    Some(((root, write), within))
}

/// The folder that has the manifests of the parts in a folder.
pub(super) fn root_of(folder: &Path) -> Path {
    let parts: Vec<_> = folder.parts().collect();
    let depth = WriteManifest::depth(parts.iter().map(AsRef::as_ref));
    Path::from_iter(parts.into_iter().rev().skip(depth).collect::<Vec<_>>().into_iter().rev())
}

/// The path of a file within a folder.
pub(super) fn within(root: &Path, file: &Path) -> String {
    let text = file.as_ref();
    text.strip_prefix(root.as_ref()).unwrap_or(text).trim_start_matches('/').to_owned()
}

/// Where the manifest of a write is.
fn place(root: &Path, write: &WriteId) -> Path {
    let name = write.manifest_name();
    name.split('/').fold(root.clone(), |place, name| place.join(name))
}

/// The manifest of a write of parts to a folder, if it is committed or given up.
///
/// # Errors
///
/// What the store refuses, and a damaged manifest.
pub async fn committed(
    store: &Arc<dyn ObjectStore>,
    folder: &Path,
    write: &WriteId,
) -> Result<Option<WriteManifest>> {
    read(store, &root_of(folder), write).await
}

/// Gives up a write of parts to a folder, unless it is committed; gives the manifest that counts. After that the write is one of the
/// two for ever, whatever a process does that still runs.
///
/// # Errors
///
/// As [`committed`].
pub async fn give_up(store: &Arc<dyn ObjectStore>, folder: &Path, write: &WriteId) -> Result<WriteManifest> {
    put(store, &root_of(folder), write, WriteManifest::abandoned()).await
}

/// The manifest of a write, if there is one.
pub(super) async fn read(
    store: &Arc<dyn ObjectStore>,
    root: &Path,
    write: &WriteId,
) -> Result<Option<WriteManifest>> {
    let place = place(root, write);
    let bytes = match store.get(&place).await {
        Ok(found) => found.bytes().await?,
        Err(object_store::Error::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let failed =
        |error| object_store::Error::Generic { store: "manifest of a write", source: Box::new(error) };
    Ok(Some(WriteManifest::from_slice(&bytes).map_err(|error| failed(in_place(error, &place)))?))
}

/// An error that names its file.
fn in_place(error: trevni::Error, place: &Path) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, format!("{place}: {error}"))
}

/// Stores the manifest of a write, unless there is one; gives the one that counts.
pub(super) async fn put(
    store: &Arc<dyn ObjectStore>,
    root: &Path,
    write: &WriteId,
    manifest: WriteManifest,
) -> Result<WriteManifest> {
    let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
    match store.put_opts(&place(root, write), manifest.to_vec().into(), options).await {
        Ok(_) => Ok(manifest),
        Err(error @ object_store::Error::AlreadyExists { .. }) => {
            read(store, root, write).await?.ok_or(error)
        }
        Err(error) => Err(error),
    }
}
