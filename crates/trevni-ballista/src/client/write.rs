//! Writes of a client: what is to know of them when an executor, or the scheduler, is gone.

use datafusion::catalog::Session;
use datafusion::datasource::file_format::file_type_to_format;
use datafusion::datasource::source_as_provider;
use datafusion::error::Result;
use datafusion::logical_expr::{LogicalPlan, WriteOp};
use object_store::ObjectStore;
use object_store::path::Path;
use std::sync::Arc;
use trevni::dataset::{WriteId, WriteManifest};
use trevni_datafusion::{TrevniFormatFactory, TrevniTable, committed, give_up, place_of_copy, write_of};

/// What a statement does to files.
#[derive(Clone, Debug)]
pub(super) enum Write {
    /// Nothing.
    None,
    /// One file, which is whole or not there.
    File,
    /// Parts of a write that is committed.
    Parts(Parts),
    /// Files that may be written in part.
    Other,
}

/// A write that is committed.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) id: WriteId,
    /// Whether the client has chosen the identity, so that nobody else knows it.
    pub(super) is_own: bool,
    store: Arc<dyn ObjectStore>,
    folder: Path,
}

impl Write {
    /// What a statement does.
    pub(super) fn of(plan: &LogicalPlan, session: &dyn Session) -> Result<Self> {
        let place = match plan {
            LogicalPlan::Dml(write) => {
                let table = source_as_provider(&write.target)?;
                let is_known = matches!(write.op, WriteOp::Insert(_) | WriteOp::Delete | WriteOp::Truncate);
                let table = table.downcast_ref::<TrevniTable>().filter(|_| is_known);
                table.and_then(|table| table.files().table_paths().first().cloned())
            }
            LogicalPlan::Copy(copy) => {
                let factory = file_type_to_format(&copy.file_type)?;
                let place = place_of_copy(&copy.output_url)?;
                if copy.partition_by.is_empty() && !place.is_collection() && place.file_extension().is_some()
                {
                    return Ok(Self::File);
                }
                factory.downcast_ref::<TrevniFormatFactory>().map(|_| place)
            }
            _ => return Ok(Self::None),
        };
        let Some(place) = place else { return Ok(Self::Other) };
        let given = write_of(session.config())?;
        Ok(Self::Parts(Parts {
            is_own: given.is_none(),
            id: given.unwrap_or_default(),
            store: session.runtime_env().object_store(&place)?,
            folder: place.prefix().clone(),
        }))
    }
}

impl Parts {
    /// The rows that were written, if the write is committed.
    pub(super) async fn rows(&self) -> Result<Option<u64>> {
        let manifest = committed(&self.store, &self.folder, &self.id).await?;
        Ok(manifest.as_ref().and_then(WriteManifest::count))
    }

    /// Ends the write: gives the rows that were written if it is committed, and sees to it that it never is if not.
    pub(super) async fn end(&self) -> Result<Option<u64>> {
        match self.is_own {
            true => Ok(give_up(&self.store, &self.folder, &self.id).await?.count()),
            // It may be given again.
            false => self.rows().await,
        }
    }
}
