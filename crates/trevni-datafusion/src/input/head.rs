//! Headers and block tables of objects, kept in the session's cache of file metadata.

use bytes::Bytes;
use datafusion::common::HashMap;
use datafusion::execution::cache::cache_manager::{CachedFileMetadataEntry, FileMetadata, FileMetadataCache};
use object_store::ObjectMeta;
use std::any::Any;
use std::sync::Arc;

/// The pieces of an object that every reader of it needs.
pub(super) struct Head {
    pub(super) pieces: Vec<(u64, Bytes)>,
}

impl FileMetadata for Head {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn memory_size(&self) -> usize {
        self.pieces.iter().map(|(_, bytes)| size_of::<(u64, Bytes)>() + bytes.len()).sum()
    }

    fn extra_info(&self) -> HashMap<String, String> {
        HashMap::from_iter([("pieces".to_owned(), self.pieces.len().to_string())])
    }
}

/// The heads that a session knows.
#[derive(Clone)]
pub(crate) struct Heads(pub(crate) Arc<FileMetadataCache>);

impl Heads {
    pub(super) fn get(&self, meta: &ObjectMeta) -> Option<Arc<Head>> {
        let entry = self
            .0
            .get(&meta.location)
            .filter(|entry| entry.is_valid_for(meta) && entry.meta.e_tag == meta.e_tag)?;
        let head: &Head = entry.file_metadata.as_any().downcast_ref()?;
        Some(Arc::new(Head { pieces: head.pieces.clone() }))
    }

    pub(super) fn put(&self, meta: &ObjectMeta, head: Head) {
        self.0.put(&meta.location, CachedFileMetadataEntry::new(meta.clone(), Arc::new(head)));
    }
}
