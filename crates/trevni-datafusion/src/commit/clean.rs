//! Removes what writes have left that never came to an end.

use super::manifests::{give_up, of_part, read, root_of, within};
use super::state::Files;
use datafusion::error::Result;
use futures::TryStreamExt;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use trevni::dataset::{WriteId, WriteManifest};

/// What [`remove_uncommitted`] has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// Files that were removed.
    pub parts: usize,
    /// Writes that were given up: they had no manifest.
    pub writes: usize,
}

/// Removes the parts in a folder that do not count, and no longer can: those of attempts that lost, and those of writes without a
/// manifest whose last part is older than some time. Such a write is given up first, by a manifest that says so; if its process lives
/// after all, committing it is an error, and no rows are lost in silence.
///
/// # Errors
///
/// What the store refuses.
pub async fn remove_uncommitted(
    store: &Arc<dyn ObjectStore>,
    folder: &Path,
    older_than: Duration,
) -> Result<Removed> {
    let mut writes: HashMap<(Path, WriteId), Vec<ObjectMeta>> = HashMap::new();
    let mut files = store.list(Some(folder));
    while let Some(file) = files.try_next().await? {
        if let Some((write, _)) = of_part(&file.location) {
            writes.entry(write).or_default().push(file);
        }
    }
    let mut removed = Removed::default();
    for ((root, write), parts) in writes {
        let manifest = match read(store, &root, &write).await? {
            Some(manifest) => manifest,
            None if parts.iter().all(|part| is_older(part, older_than)) => {
                removed.writes += 1;
                give_up(store, &root, &write).await?
            }
            None => continue,
        };
        removed.parts +=
            remove_unlisted(store, &root, &manifest, parts.iter().map(|part| &part.location)).await?;
    }
    Ok(removed)
}

/// Removes snapshots that have had a later one for some time, and the files of what they were; gives the number of these files.
///
/// # Errors
///
/// What the store refuses.
pub async fn remove_replaced(
    store: &Arc<dyn ObjectStore>,
    folder: &Path,
    older_than: Duration,
) -> Result<usize> {
    let files = Files { store, cache: None };
    let snapshots = files.snapshots(folder).await?;
    // One that a later one replaces is read until some time after that.
    let gone = snapshots
        .windows(2)
        .take_while(|pair| pair.iter().skip(1).all(|(_, next)| is_older(next, older_than)));
    let gone = gone.count();
    if gone == 0 {
        return Ok(0);
    }
    let (mut kept, mut first): (HashSet<Path>, _) = (HashSet::new(), None);
    for (number, meta) in snapshots.iter().skip(gone) {
        let snapshot = files.snapshot(folder, *number, meta).await?;
        kept.extend(snapshot.files.iter().map(|file| file.location.clone()));
        first.get_or_insert(snapshot);
    }
    let mut removed = 0;
    // What was added between two snapshots, and removed by the second one, is in neither: only manifests list it.
    let all: Vec<ObjectMeta> = store.list(Some(folder)).try_collect().await?;
    for file in all.iter().filter(|file| !kept.contains(&file.location)) {
        let part = of_part(&file.location).filter(|((root, _), _)| root == folder);
        if part.zip(first.as_ref()).is_some_and(|(((_, write), _), first)| first.named.has(&write)) {
            removed += usize::from(remove(store, &file.location).await?);
        }
    }
    for (number, meta) in snapshots.iter().take(gone) {
        let old = files.snapshot(folder, *number, meta).await?;
        for file in old.files.iter().filter(|file| !kept.contains(&file.location)) {
            removed += usize::from(remove(store, &file.location).await?);
        }
        // The last one to go: what is left of its files is found again.
        remove(store, &meta.location).await?;
    }
    Ok(removed)
}

/// Removes a file; `false` if it is not there.
async fn remove(store: &Arc<dyn ObjectStore>, file: &Path) -> Result<bool> {
    match store.delete(file).await {
        Ok(()) => Ok(true),
        Err(object_store::Error::NotFound { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn is_older(file: &ObjectMeta, than: Duration) -> bool {
    let age = SystemTime::now().duration_since(SystemTime::from(file.last_modified));
    age.is_ok_and(|age| age >= than)
}

/// Removes the parts of a write, below a folder, that its manifest does not list.
pub(super) async fn remove_losers(
    store: &Arc<dyn ObjectStore>,
    folder: &Path,
    write: &WriteId,
    manifest: &WriteManifest,
) -> Result<usize> {
    let files: Vec<ObjectMeta> = store.list(Some(folder)).try_collect().await?;
    let parts = files.iter().map(|file| &file.location);
    let own = parts.filter(|place| of_part(place).is_some_and(|((_, other), _)| other == *write));
    remove_unlisted(store, &root_of(folder), manifest, own).await
}

async fn remove_unlisted<'p>(
    store: &Arc<dyn ObjectStore>,
    root: &Path,
    manifest: &WriteManifest,
    parts: impl Iterator<Item = &'p Path>,
) -> Result<usize> {
    let mut removed = 0;
    for part in parts {
        let name = within(root, part);
        if manifest.parts().contains(&name) {
            continue;
        }
        removed += usize::from(remove(store, part).await?);
    }
    Ok(removed)
}
