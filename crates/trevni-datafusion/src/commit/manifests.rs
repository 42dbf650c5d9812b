//! Manifests in object stores.

use super::state::{Change, Files, change};
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
            let manifest = stored(store, &key.0, &key.1).await?.unwrap_or_default();
            // What a snapshot decides counts there only.
            let manifest = if manifest.snapshot().is_some() { WriteManifest::default() } else { manifest };
            let parts: HashSet<String> = manifest.parts().iter().cloned().collect();
            Ok::<_, object_store::Error>((key, parts))
        });
        Ok(Self(stream::iter(read).boxed().buffer_unordered(AT_ONCE).try_collect().await?))
    }

    /// Whether no file belongs to a write.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The writes to a folder.
    pub(super) fn writes_of(&self, root: &Path) -> impl Iterator<Item = &WriteId> {
        self.0.keys().filter(move |(folder, _)| folder == root).map(|(_, write)| write)
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
pub(crate) fn root_of(folder: &Path) -> Path {
    let parts: Vec<_> = folder.parts().collect();
    let depth = WriteManifest::depth(parts.iter().map(AsRef::as_ref));
    Path::from_iter(parts.into_iter().rev().skip(depth).collect::<Vec<_>>().into_iter().rev())
}

/// The path of a file within a folder.
pub(crate) fn within(root: &Path, file: &Path) -> String {
    let text = file.as_ref();
    text.strip_prefix(root.as_ref()).unwrap_or(text).trim_start_matches('/').to_owned()
}

/// Where a file within a folder is.
pub(super) fn place_of(root: &Path, name: &str) -> Path {
    name.split('/').fold(root.clone(), |place, name| place.join(name))
}

/// Where the manifest of a write is.
fn place(root: &Path, write: &WriteId) -> Path {
    place_of(root, &write.manifest_name())
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
    let root = root_of(folder);
    let manifest = put(store, &root, write, WriteManifest::abandoned()).await?;
    if manifest.snapshot().is_none() {
        return Ok(manifest);
    }
    // It counts in that snapshot or not at all, so another one in its place gives it up.
    let base = manifest.snapshot().unwrap_or(0).saturating_sub(1);
    if let Some(manifest) = settled(store, &root, write, manifest.clone()).await? {
        return Ok(manifest);
    }
    let failed = |error| of_manifest(in_place(error, &place(&root, write)));
    change(&Files { store, cache: None }, &root, Change { base, ..Change::default() })
        .await
        .map_err(failed)?;
    let failed = || {
        let why = datafusion::common::plan_datafusion_err!("it names a snapshot that cannot be");
        of_manifest(in_place(why, &place(&root, write)))
    };
    settled(store, &root, write, manifest).await?.ok_or_else(failed)
}

/// The manifest of a write that is committed or given up.
pub(super) async fn read(
    store: &Arc<dyn ObjectStore>,
    root: &Path,
    write: &WriteId,
) -> Result<Option<WriteManifest>> {
    match stored(store, root, write).await? {
        Some(manifest) => settled(store, root, write, manifest).await,
        None => Ok(None),
    }
}

/// What a stored manifest means: where a snapshot decides, whether this one has the write.
pub(super) async fn settled(
    store: &Arc<dyn ObjectStore>,
    root: &Path,
    write: &WriteId,
    manifest: WriteManifest,
) -> Result<Option<WriteManifest>> {
    let Some(number) = manifest.snapshot() else { return Ok(Some(manifest)) };
    let last = Files { store, cache: None }.last(root).await?;
    Ok(match last.filter(|last| last.number >= number) {
        Some(last) if last.named.has(write) => Some(manifest),
        Some(_) => Some(WriteManifest::abandoned()),
        None => None,
    })
}

/// The manifest of a write, if there is one.
pub(super) async fn stored(
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
    Ok(Some(parse(&bytes).map_err(|error| of_manifest(in_place(error, &place)))?))
}

/// The manifest that some bytes are.
pub(super) fn parse(bytes: &[u8]) -> datafusion::error::Result<WriteManifest> {
    WriteManifest::from_slice(bytes).map_err(|error| DataFusionError::External(Box::new(error)))
}

/// An error of a manifest, or of a snapshot.
pub(super) fn of_manifest(error: std::io::Error) -> object_store::Error {
    object_store::Error::Generic { store: MANIFEST, source: Box::new(error) }
}

/// An error that names its file.
pub(super) fn in_place(error: DataFusionError, place: &Path) -> std::io::Error {
    let why = match &error {
        DataFusionError::External(error) => error.to_string(),
        error => error.strip_backtrace(),
    };
    std::io::Error::new(std::io::ErrorKind::InvalidData, format!("{place}: {why}"))
}

/// Stores the manifest of a write, unless there is one; gives the one that is there.
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
            stored(store, root, write).await?.ok_or(error)
        }
        Err(error) => Err(error),
    }
}
