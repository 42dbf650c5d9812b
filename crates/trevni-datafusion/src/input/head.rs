//! Headers, block tables and schemas of objects, kept in the session's cache of file metadata.

use crate::format::{Aliases, FileSchema};
use crate::statistics::Columns;
use bytes::Bytes;
use datafusion::common::HashMap;
use datafusion::error::Result;
use datafusion::execution::cache::cache_manager::{CachedFileMetadataEntry, FileMetadata, FileMetadataCache};
use object_store::ObjectMeta;
use std::any::Any;
use std::sync::Arc;
use trevni::Reader;

/// What every reader of an object needs.
pub(super) struct Head {
    /// Headers and block tables; `None` where they are read where they are.
    pub(super) pieces: Option<Vec<(u64, Bytes)>>,
    /// The schema, and the other names that fields have in it.
    pub(super) aliases: Aliases,
    pub(super) schema: FileSchema,
    /// The number of rows that the header says.
    pub(super) rows: u64,
    /// What is known of columns, once the number of rows has been compared with the size of the file.
    pub(super) columns: Option<Columns>,
}

impl FileMetadata for Head {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn memory_size(&self) -> usize {
        let pieces = self.pieces.iter().flatten().map(|(_, bytes)| size_of::<(u64, Bytes)>() + bytes.len());
        let columns = self.columns.iter().flatten().map(|(name, known)| name.len() + known.memory_size());
        pieces.sum::<usize>() + self.schema.memory_size() + columns.sum::<usize>()
    }

    fn extra_info(&self) -> HashMap<String, String> {
        let pieces = self.pieces.as_ref().map_or(0, Vec::len);
        HashMap::from_iter([("pieces".to_owned(), pieces.to_string())])
    }
}

/// The heads that a session knows.
#[derive(Clone)]
pub(crate) struct Heads(pub(crate) Arc<FileMetadataCache>);

impl Heads {
    fn get<T>(&self, meta: &ObjectMeta, take: impl FnOnce(&Head) -> Option<T>) -> Option<T> {
        let entry = self
            .0
            .get(&meta.location)
            .filter(|entry| entry.is_valid_for(meta) && entry.meta.e_tag == meta.e_tag)?;
        take(entry.file_metadata.as_any().downcast_ref()?)
    }

    /// What is known of an object's header and block tables.
    pub(super) fn pieces(&self, meta: &ObjectMeta) -> Option<Vec<(u64, Bytes)>> {
        self.get(meta, |head| head.pieces.clone())
    }

    /// The schema of an object, which has been opened.
    pub(crate) fn schema(
        &self,
        meta: &ObjectMeta,
        aliases: &Aliases,
        reader: &Reader<'_>,
    ) -> Result<FileSchema> {
        let known = |head: &Head| (head.aliases == *aliases).then(|| head.schema.clone());
        match self.get(meta, known) {
            Some(schema) => Ok(schema),
            None => FileSchema::of(reader, &meta.location),
        }
    }

    /// The schema of an object and the number of its rows, without opening it.
    pub(crate) fn known_schema(&self, meta: &ObjectMeta, aliases: &Aliases) -> Option<(FileSchema, u64)> {
        self.get(meta, |head| (head.aliases == *aliases).then(|| (head.schema.clone(), head.rows)))
    }

    /// The number of rows and what is known of columns, without opening the object.
    pub(crate) fn known_columns(&self, meta: &ObjectMeta, aliases: &Aliases) -> Option<(u64, Columns)> {
        let is_same = |head: &Head| head.aliases == *aliases;
        self.get(meta, |head| is_same(head).then(|| Some((head.rows, head.columns.clone()?)))?)
    }

    pub(super) fn put(&self, meta: &ObjectMeta, head: Head) {
        self.0.put(&meta.location, CachedFileMetadataEntry::new(meta.clone(), Arc::new(head)));
    }
}
