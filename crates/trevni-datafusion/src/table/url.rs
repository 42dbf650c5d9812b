//! Tables for `SELECT … FROM 'flights/*.trv'`.

use super::TrevniTable;
use super::factory::{extension, inferred, partition_type};
use super::literal::written;
use super::visible::Visible;
use crate::commit::is_of_manifest;
use crate::format::TrevniFormat;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider, UrlTableFactory};
use datafusion::common::{plan_datafusion_err, plan_err};
use datafusion::datasource::dynamic_file::DynamicListTableFactory;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::Result;
use datafusion::execution::context::SessionState;
use futures::TryStreamExt;
use std::fmt;
use std::sync::Arc;

/// Makes tables of paths: [`TrevniTable`]s of those that lead to Trevni files, and the engine's own for other files.
pub(crate) struct UrlTables(pub(crate) DynamicListTableFactory);

impl fmt::Debug for UrlTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UrlTables")
    }
}

impl UrlTables {
    fn state(&self) -> Result<SessionState> {
        let session = self.0.session_store().get_session().upgrade();
        let state =
            session.and_then(|session| session.read().as_any().downcast_ref::<SessionState>().cloned());
        state.ok_or_else(|| plan_datafusion_err!("the session of a table by its path has ended"))
    }
}

#[async_trait]
impl UrlTableFactory for UrlTables {
    async fn try_new(&self, url: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let Ok(mut path) = ListingTableUrl::parse(url) else { return Ok(None) };
        let session = self.state()?;
        let state = Visible::of(&session)?;
        if !leads_to_trevni(&state, &path).await {
            // A pattern that no file matches may be the name of one.
            path = written(&path)?;
            if !leads_to_trevni(&state, &path).await {
                // The engine would read them, for it knows nothing of commits.
                if has_trevni(&session, &path).await.unwrap_or(false) {
                    return plan_err!(
                        "{url}: no file counts here: all are parts of writes that are not committed"
                    );
                }
                return self.0.try_new(url).await;
            }
        }
        Ok(Some(Arc::new(table_at(&session, path, TrevniFormat::default()).await?)))
    }
}

/// The table of the Trevni files that a path leads to.
pub(super) async fn table_at(
    session: &dyn Session,
    path: ListingTableUrl,
    format: TrevniFormat,
) -> Result<TrevniTable> {
    let state = Visible::of(session)?;
    let paths = [path];
    let options = ListingOptions::new(Arc::new(format)).with_file_extension(extension(&paths));
    let config = ListingTableConfig::new_with_multi_paths(paths.into()).with_listing_options(options);
    let mut config = config.infer_partitions_from_path(&state).await?;
    for (_, data_type) in config.options.iter_mut().flat_map(|options| &mut options.table_partition_cols) {
        *data_type = partition_type(&state);
    }
    if let Some(options) = &config.options {
        let schema = inferred(&state, options, &config.table_paths, false).await?;
        config = config.with_schema(schema);
    }
    Ok(TrevniTable::new(ListingTable::try_new(config)?))
}

/// Whether there is a file that ends as Trevni files do, or a table without files.
async fn leads_to_trevni(state: &Visible<'_>, path: &ListingTableUrl) -> bool {
    match has_trevni(state, path).await {
        Ok(has) => has || state.has_tables(),
        // What is wrong with a manifest is said where the files are listed next.
        Err(error) => is_of_manifest(&error),
    }
}

/// Whether a session lists a file that ends as Trevni files do.
async fn has_trevni(session: &dyn Session, path: &ListingTableUrl) -> Result<bool> {
    let store = session.runtime_env().object_store(path)?;
    let ending = format!(".{}", TrevniFormat::EXTENSION);
    let mut files = path.list_all_files(session, store.as_ref(), &ending).await?;
    Ok(files.try_next().await?.is_some())
}
