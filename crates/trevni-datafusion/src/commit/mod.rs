//! Writes that are committed: their parts count once their manifest is there, all at once. docs/datasets.md has what files say.

mod clean;
mod manifests;
mod node;
mod parts;
mod snapshot;
mod state;

pub use clean::{Removed, remove_replaced, remove_uncommitted};
pub(crate) use manifests::{Committed, is_of_manifest, root_of, within};
pub use manifests::{committed, give_up};
pub use node::{CommitExec, Replaced};
pub(crate) use parts::Parts;
pub use parts::WritePartsExec;
pub(crate) use state::{AsOf, Files, State, is_of_tables, root_of_snapshot};

use datafusion::catalog::Session;
use datafusion::common::{config_err, extensions_options};
use datafusion::config::ConfigExtension;
use datafusion::datasource::physical_plan::FileSinkConfig;
use datafusion::error::Result;
use datafusion::prelude::SessionConfig;
use std::sync::Arc;
use trevni::dataset::WriteId;

/// Says that the writes of a session are committed.
struct Commits;

extensions_options! {
    /// Options of writes that are committed.
    pub struct WriteOptions {
        /// The identity of the next write, as a [`WriteId`]; empty for a new one. A write of an identity that is committed already
        /// writes nothing, and gives the number of rows that were written then.
        pub write: String, default = String::new()
    }
}

impl ConfigExtension for WriteOptions {
    const PREFIX: &'static str = "trevni";
}

impl WriteOptions {
    /// The option that has the identity.
    pub const WRITE: &'static str = "trevni.write";
}

/// The identity that a session gives to its next write, if it gives one.
///
/// # Errors
///
/// A text that is not an identity.
pub fn write_of(config: &SessionConfig) -> Result<Option<WriteId>> {
    let options = config.options().extensions.get::<WriteOptions>();
    match options.map(|options| options.write.as_str()).filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => match WriteId::parse(text) {
            Some(write) => Ok(Some(write)),
            None => config_err!(
                "{}: {text:?} is not the identity of a write: it is as {}",
                WriteOptions::WRITE,
                WriteId::new()
            ),
        },
    }
}

/// Says that the strings of a session are plain.
struct PlainStrings;

/// Options of a session whose columns of paths and of enums that no statement declares are plain strings, not dictionaries: where parts
/// of a query run in several processes, dictionaries may come as plain strings, which is another type to the engine.
#[must_use]
pub fn with_plain_strings(config: SessionConfig) -> SessionConfig {
    config.with_extension(Arc::new(PlainStrings))
}

/// Whether the strings of a session are plain.
pub(crate) fn has_plain_strings(session: &dyn Session) -> bool {
    session.config().get_extension::<PlainStrings>().is_some()
}

/// Options of a session whose writes to folders are committed: `INSERT`, and `COPY` of more files than one. Partitions of a query write
/// parts of their own, all at a time. A write that is taken up again, after the process that did it has died, counts once; until it is
/// done, none of it does.
#[must_use]
pub fn with_commits(config: SessionConfig) -> SessionConfig {
    config.with_extension(Arc::new(Commits)).with_option_extension(WriteOptions::default())
}

/// Whether a write is committed: one to a single file is whole or not there anyway.
pub(crate) fn is_wanted(session: &dyn Session, place: &FileSinkConfig) -> bool {
    let Some(folder) = place.table_paths.first() else { return false };
    let one = place.table_partition_cols.is_empty() && place.file_output_mode.single_file_output(folder);
    !one && is_wanted_by(session)
}

/// Whether the file or the folder that is written belongs to a table with snapshots.
pub(crate) async fn is_in_table(session: &dyn Session, place: &FileSinkConfig) -> Result<bool> {
    let Some(path) = place.table_paths.first() else { return Ok(false) };
    // Web servers list nothing.
    if place.object_store_url.as_str().starts_with("http") {
        return Ok(false);
    }
    let mut folders: Vec<_> = path.prefix().parts().collect();
    if !path.is_collection() {
        folders.pop();
    }
    let store = session.runtime_env().object_store(&place.object_store_url)?;
    let root = root_of(&folders.into_iter().collect());
    Ok(!Files { store: &store, cache: None }.snapshots(&root).await?.is_empty())
}

/// Whether the writes of a session are committed.
pub(crate) fn is_wanted_by(session: &dyn Session) -> bool {
    session.config().get_extension::<Commits>().is_some()
}
