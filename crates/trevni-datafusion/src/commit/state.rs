//! The files of a table that count: those of its last snapshot, and those of writes that it does not have.

use super::manifests::{in_place, of_manifest, parse, place_of, stored, within};
use super::snapshot::{Part, Snapshot};
use crate::format::{Aliases, FileSchema, OfFile, joined, open};
use crate::input::Counts;
use crate::statistics::{self, Columns};
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::common::{HashMap, config_err, plan_datafusion_err};
use datafusion::error::Result;
use datafusion::execution::cache::cache_manager::{CachedFileMetadataEntry, FileMetadata, FileMetadataCache};
use futures::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions};
use std::any::Any;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use trevni::dataset::{Snapshot as Named, WriteId, WriteManifest};

/// Files that are opened, and manifests that are read, at a time.
const AT_ONCE: usize = 16;
/// Writes after which they are put into a snapshot.
pub(super) const WRITES: usize = 64;
/// How long a write may take in a folder with snapshots. Later, a snapshot may have been made without it.
pub(super) const WRITE_TIME: Duration = Duration::from_secs(6 * 24 * 60 * 60);
/// The writes that a snapshot names have begun in the time before it: a day longer, for clocks that differ.
const NAMED_TIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// A write that a snapshot does not have.
pub(super) struct Later {
    pub(super) id: WriteId,
    manifest: Arc<WriteManifest>,
    /// Of the manifest.
    meta: ObjectMeta,
}

/// The files of a table at one moment.
pub(crate) struct State {
    pub(super) root: Path,
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) later: Vec<Later>,
}

/// What a session keeps of a file whose name it knows: it never changes.
struct Cached<T> {
    value: Arc<T>,
    bytes: usize,
}

impl<T: Send + Sync + 'static> FileMetadata for Cached<T> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn memory_size(&self) -> usize {
        self.bytes
    }

    fn extra_info(&self) -> HashMap<String, String> {
        HashMap::default()
    }
}

/// Where snapshots and manifests are read, and kept.
#[derive(Clone)]
pub(crate) struct Files<'s> {
    pub(crate) store: &'s Arc<dyn ObjectStore>,
    pub(crate) cache: Option<Arc<FileMetadataCache>>,
}

impl Files<'_> {
    async fn read<T: Send + Sync + 'static>(
        &self,
        meta: &ObjectMeta,
        parse: impl FnOnce(Vec<u8>) -> Result<(T, usize)>,
    ) -> object_store::Result<Arc<T>> {
        let known = self.cache.as_ref().and_then(|cache| cache.get(&meta.location));
        let known = known.filter(|entry| entry.is_valid_for(meta) && entry.meta.e_tag == meta.e_tag);
        if let Some(known) =
            known.as_ref().and_then(|entry| entry.file_metadata.as_any().downcast_ref::<Cached<T>>())
        {
            return Ok(Arc::clone(&known.value));
        }
        let bytes = self.store.get(&meta.location).await?.bytes().await?;
        let (value, bytes) =
            parse(bytes.into()).map_err(|error| of_manifest(in_place(error, &meta.location)))?;
        let value = Arc::new(value);
        if let Some(cache) = &self.cache {
            let cached = Cached { value: Arc::clone(&value), bytes };
            cache.put(&meta.location, CachedFileMetadataEntry::new(meta.clone(), Arc::new(cached)));
        }
        Ok(value)
    }

    /// The snapshots of a folder, with their numbers, the first ones first.
    pub(crate) async fn snapshots(&self, root: &Path) -> object_store::Result<Vec<(u64, ObjectMeta)>> {
        let folder = folder_of_snapshots(root);
        let found: Vec<ObjectMeta> = self.store.list(Some(&folder)).try_collect().await?;
        let number = |meta: ObjectMeta| Some((Named::number(meta.location.filename()?)?, meta));
        let mut found: Vec<_> = found.into_iter().filter_map(number).collect();
        found.sort_unstable_by_key(|(number, _)| *number);
        Ok(found)
    }

    /// The snapshots of a folder: each with its number, parts, rows and bytes.
    pub(crate) async fn described(&self, root: &Path) -> Result<Vec<(ObjectMeta, [u64; 4])>> {
        let mut found = Vec::new();
        for (number, meta) in self.snapshots(root).await? {
            let snapshot = self.snapshot(root, number, &meta).await?;
            let parts = snapshot.files.len();
            let rows = (0..parts).map(|row| snapshot.rows(row)).fold(0, u64::saturating_add);
            let bytes = snapshot.files.iter().map(|file| file.size).fold(0, u64::saturating_add);
            found.push((meta, [number, parts as u64, rows, bytes]));
        }
        Ok(found)
    }

    pub(super) async fn snapshot(
        &self,
        root: &Path,
        number: u64,
        meta: &ObjectMeta,
    ) -> object_store::Result<Arc<Snapshot>> {
        let parse = |bytes| {
            let snapshot = Snapshot::read(bytes, meta, root, number)?;
            let size = snapshot.memory_size();
            Ok((snapshot, size))
        };
        self.read(meta, parse).await
    }

    /// The last snapshot of a folder.
    pub(super) async fn last(&self, root: &Path) -> object_store::Result<Option<Arc<Snapshot>>> {
        match self.snapshots(root).await?.last() {
            Some((number, meta)) => self.snapshot(root, *number, meta).await.map(Some),
            None => Ok(None),
        }
    }

    /// The files of a table now; `None` for a folder without snapshots, whose files count as they are there.
    pub(crate) async fn state(&self, root: &Path) -> object_store::Result<Option<State>> {
        let Some(snapshot) = self.last(root).await? else { return Ok(None) };
        let later = self.later(root, &snapshot.named).await?;
        Ok(Some(State { root: root.clone(), snapshot, later }))
    }

    /// The files of a table as they were: in a snapshot, or when a write had been committed.
    pub(crate) async fn state_as_of(&self, root: &Path, as_of: &AsOf) -> object_store::Result<State> {
        let state = self.found_as_of(root, as_of).await?;
        let failed = || plan_datafusion_err!("this table has no snapshot that shows it as of {as_of}");
        state.ok_or_else(|| of_manifest(in_place(failed(), root)))
    }

    async fn found_as_of(&self, root: &Path, as_of: &AsOf) -> object_store::Result<Option<State>> {
        let snapshots = self.snapshots(root).await?;
        match as_of {
            AsOf::Snapshot(number) => match snapshots.iter().find(|(other, _)| other == number) {
                Some((number, meta)) => {
                    let snapshot = self.snapshot(root, *number, meta).await?;
                    Ok(Some(State { root: root.clone(), snapshot, later: Vec::new() }))
                }
                None => Ok(None),
            },
            AsOf::Write(write) => {
                let mut before: Option<Arc<Snapshot>> = None;
                for (number, meta) in &snapshots {
                    let snapshot = self.snapshot(root, *number, meta).await?;
                    if !snapshot.named.writes().contains(write) {
                        before = Some(snapshot);
                        continue;
                    }
                    let manifest = stored(self.store, root, write).await?;
                    if manifest.is_some_and(|manifest| manifest.snapshot() == Some(*number)) {
                        return Ok(Some(State { root: root.clone(), snapshot, later: Vec::new() }));
                    }
                    break;
                }
                let Some(snapshot) = before else { return Ok(None) };
                let mut later = self.later(root, &snapshot.named).await?;
                later.retain(|later| later.id <= *write);
                let is_there = later.iter().any(|later| later.id == *write);
                Ok(is_there.then(|| State { root: root.clone(), snapshot, later }))
            }
        }
    }

    /// The committed writes that a snapshot does not have.
    async fn later(&self, root: &Path, named: &Named) -> object_store::Result<Vec<Later>> {
        let folder = folder_of_manifests(root);
        // Manifests are sorted by the times of their writes.
        let first = folder.clone().join(format!("{:013}", named.since()));
        let found: Vec<ObjectMeta> = self.store.list_with_offset(Some(&folder), &first).try_collect().await?;
        let id = |meta: ObjectMeta| {
            let id = WriteId::parse(meta.location.filename()?.strip_suffix(".json")?)?;
            (!named.has(&id)).then_some((id, meta))
        };
        let read = found.into_iter().filter_map(id).map(|(id, meta)| async move {
            let parse = |bytes: Vec<u8>| {
                let size = bytes.len();
                Ok((parse(&bytes)?, size))
            };
            let manifest = self.read::<WriteManifest>(&meta, parse).await?;
            Ok::<_, object_store::Error>(Later { id, manifest, meta })
        });
        let mut later: Vec<Later> =
            stream::iter(read).boxed().buffer_unordered(AT_ONCE).try_collect().await?;
        later.retain(|later| later.manifest.snapshot().is_none() && !later.manifest.parts().is_empty());
        later.sort_unstable_by(|one, two| one.id.cmp(&two.id));
        Ok(later)
    }
}

/// A moment of a table: a snapshot, or the end of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AsOf {
    Snapshot(u64),
    Write(WriteId),
}

impl AsOf {
    /// Reads the number of a snapshot, or the identity of a write.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        match (text.parse(), WriteId::parse(text)) {
            (Ok(number), _) => Ok(Self::Snapshot(number)),
            (_, Some(write)) => Ok(Self::Write(write)),
            _ => {
                config_err!("as_of: {text:?} is neither the number of a snapshot nor the identity of a write")
            }
        }
    }
}

impl fmt::Display for AsOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Snapshot(number) => number.fmt(f),
            Self::Write(write) => write.fmt(f),
        }
    }
}

impl State {
    /// The files below a path.
    pub(crate) fn files(&self, prefix: &Path) -> Vec<ObjectMeta> {
        let later = self.later.iter().flat_map(|later| {
            let parts = later.manifest.parts().iter().zip(later.manifest.sizes());
            parts.map(|(path, (_, bytes))| ObjectMeta {
                location: place_of(&self.root, path),
                size: *bytes,
                last_modified: later.meta.last_modified,
                e_tag: None,
                version: None,
            })
        });
        let all = self.snapshot.files.iter().cloned().chain(later);
        all.filter(|file| file.location.prefix_matches(prefix)).collect()
    }

    /// What the snapshot knows of a file: its rows, and some columns of a table.
    pub(crate) fn known(&self, file: &Path, table: &Schema, wanted: &[String]) -> Option<(u64, Columns)> {
        let row = self.row(file)?;
        Some((self.snapshot.rows(row), self.snapshot.columns(row, table, wanted)))
    }

    /// Whether the snapshot has a file: the columns of the table are those of its own.
    pub(crate) fn has(&self, file: &Path) -> bool {
        self.row(file).is_some()
    }

    /// The columns of the files that the snapshot has.
    pub(crate) fn columns(&self) -> OfFile {
        OfFile::of_table(&self.snapshot.schema, &self.root)
    }

    /// The number of the snapshot.
    pub(crate) fn number(&self) -> u64 {
        self.snapshot.number
    }

    fn row(&self, file: &Path) -> Option<usize> {
        if !file.prefix_matches(&self.root) {
            return None;
        }
        self.snapshot.named.row(&within(&self.root, file))
    }
}

/// The folder of the table that a snapshot is of; `None` for other files.
pub(crate) fn root_of_snapshot(file: &Path) -> Option<Path> {
    Named::number(file.filename()?)?;
    let mut folders: Vec<_> = file.parts().collect();
    folders.truncate(folders.len().saturating_sub(2));
    let root = Path::from_iter(folders);
    file.prefix_matches(&folder_of_snapshots(&root)).then_some(root)
}

/// Whether a folder is that of snapshots or of manifests.
pub(crate) fn is_of_tables(folder: &Path) -> bool {
    let nowhere = Path::default();
    let names = [folder_of_snapshots(&nowhere), folder_of_manifests(&nowhere)];
    names.iter().any(|name| folder.filename() == name.filename())
}

fn folder_of_snapshots(root: &Path) -> Path {
    folder_of(root, &Named::name(0))
}

fn folder_of_manifests(root: &Path) -> Path {
    folder_of(root, &WriteId::default().manifest_name())
}

/// The folder of a path within another one.
fn folder_of(root: &Path, name: &str) -> Path {
    root.clone().join(name.split('/').next().unwrap_or_default())
}

/// What becomes of a table: it loses parts and gets others.
#[derive(Default)]
pub(super) struct Change<'c> {
    /// The snapshot that it is made of; 0 if there is none.
    pub(super) base: u64,
    pub(super) removed: HashSet<&'c str>,
    pub(super) added: Option<(&'c WriteId, &'c WriteManifest)>,
}

/// Stores the next snapshot of a table. Of a folder without snapshots, it is of the files that count there.
///
/// Gives `false` if there is another one by then, or was before.
pub(super) async fn change(files: &Files<'_>, root: &Path, change: Change<'_>) -> Result<bool> {
    let state = files.state(root).await?;
    if state.as_ref().map_or(0, |state| state.snapshot.number) != change.base {
        return Ok(false);
    }
    let (mut new, mut since, mut writes) = (Vec::new(), 0, HashSet::new());
    match &state {
        Some(state) => {
            let week = SystemTime::now().checked_sub(NAMED_TIME);
            let week = week.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
            let week = week.and_then(|time| u64::try_from(time.as_millis()).ok()).unwrap_or(0);
            since = state.snapshot.named.since().max(week);
            writes.extend(state.snapshot.named.writes().iter().cloned());
            writes.extend(state.later.iter().map(|later| later.id.clone()));
            for later in &state.later {
                let parts = later.manifest.parts().iter().zip(later.manifest.sizes());
                new.extend(parts.map(|(path, (_, bytes))| (path.clone(), *bytes)));
            }
        }
        None => {
            let mut all: Vec<ObjectMeta> = files.store.list(Some(root)).try_collect().await?;
            let committed = super::Committed::of(files.store, all.iter().map(|file| &file.location)).await?;
            all.retain(|file| is_data(root, file) && committed.counts(&file.location));
            trevni::dataset::retain_current(&mut all, |file| std::path::Path::new(file.location.as_ref()));
            new.extend(all.iter().map(|file| (within(root, &file.location), file.size)));
            writes.extend(committed.writes_of(root).cloned());
        }
    }
    if let Some((write, manifest)) = change.added {
        writes.insert(write.clone());
        let parts = manifest.parts().iter().zip(manifest.sizes());
        new.extend(parts.map(|(path, (_, bytes))| (path.clone(), *bytes)));
    }
    writes.retain(|write| write.millis() >= since);
    let before = state.as_ref().map(|state| state.snapshot.as_ref());
    let (new, schema) = described(files, root, new, &change.removed, before).await?;
    let mut parts = Vec::new();
    if let Some(state) = &state {
        for (row, file) in state.snapshot.files.iter().enumerate() {
            let path = within(root, &file.location);
            if !change.removed.contains(path.as_str()) {
                parts.push(state.snapshot.part(row, path, &schema));
            }
        }
    }
    parts.extend(new);
    let bytes = Snapshot::write(&parts, &schema, since, writes)?;
    let place = place_of(root, &Named::name(change.base.saturating_add(1)));
    let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
    match files.store.put_opts(&place, bytes.into(), options).await {
        Ok(_) => Ok(true),
        Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Whether a file of a folder without snapshots is one of its table: in the folder, or in folders of partitions.
fn is_data(root: &Path, file: &ObjectMeta) -> bool {
    let Some(within) = file.location.prefix_match(root) else { return false };
    let names: Vec<_> = within.collect();
    let Some((name, folders)) = names.split_last() else { return false };
    name.as_ref().ends_with(".trv")
        && folders.iter().all(|folder| folder.as_ref().contains('='))
        && file.size > 0
}

/// What parts say of themselves, but for those that are removed, and the columns of all of these and of a snapshot.
async fn described(
    files: &Files<'_>,
    root: &Path,
    mut parts: Vec<(String, u64)>,
    removed: &HashSet<&str>,
    before: Option<&Snapshot>,
) -> Result<(Vec<Part>, SchemaRef)> {
    let (aliases, counts) = (Aliases::default(), Counts::default());
    let meta = |path: &str, size: u64| ObjectMeta {
        location: place_of(root, path),
        size,
        last_modified: Default::default(),
        e_tag: None,
        version: None,
    };
    let schema = |(path, size): &(String, u64)| {
        let (meta, aliases, counts) = (meta(path, *size), &aliases, &counts);
        async move {
            let (_, reader) = open(files.store, &meta, aliases, None, counts).await?;
            let schema = FileSchema::of(&reader, &meta.location)?;
            Ok::<_, datafusion::error::DataFusionError>(OfFile::new(
                &schema,
                reader.row_count(),
                &meta.location,
            ))
        }
    };
    let mut schemas: Vec<OfFile> =
        before.into_iter().map(|before| OfFile::of_table(&before.schema, root)).collect();
    let found: Vec<OfFile> =
        stream::iter(parts.iter().map(schema)).boxed().buffered(AT_ONCE).try_collect().await?;
    for file in found {
        if !schemas.iter().any(|other| other.is_like(&file)) {
            schemas.push(file);
        }
    }
    let schema = joined(&schemas)?;
    parts.retain(|(path, _)| !removed.contains(path.as_str()));
    let wanted: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let part = |(path, size): (String, u64)| {
        let meta = meta(&path, size);
        let (aliases, counts, schema, wanted) = (&aliases, &counts, &schema, &wanted);
        async move {
            let (object, reader) = open(files.store, &meta, aliases, None, counts).await?;
            let own = FileSchema::of(&reader, &meta.location)?;
            let (rows, columns) = statistics::of_file(&object, reader, &own.decoded, schema, wanted).await?;
            Ok::<_, datafusion::error::DataFusionError>(Part { path, rows, bytes: size, columns })
        }
    };
    let parts = stream::iter(parts.into_iter().map(part)).boxed().buffered(AT_ONCE).try_collect().await?;
    Ok((parts, schema))
}
