//! Hides files that do not count: parts that no manifest lists, and parts that another file replaces.

use async_trait::async_trait;
use datafusion::catalog::{CatalogProviderList, Session};
use datafusion::common::DFSchema;
use datafusion::config::TableOptions;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::execution::cache::cache_manager::{CacheManagerConfig, FileMetadataCache};
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::logical_expr::execution_props::ExecutionProps;
use datafusion::logical_expr::registry::ExtensionTypeRegistryRef;
use datafusion::logical_expr::{AggregateUDF, Expr, HigherOrderUDF, LogicalPlan, ScalarUDF, WindowUDF};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::operator_statistics::StatisticsRegistry;
use datafusion::physical_plan::{ExecutionPlan, PhysicalExpr};
use datafusion::prelude::SessionConfig;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult,
};
use std::any::Any;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use trevni::dataset::retain_current;
use url::Url;

use super::nulls;
use crate::commit::{AsOf, Committed, Files, State, is_of_tables, root_of, root_of_snapshot};
use crate::format::OfFile;
use crate::statistics::{Columns, Wanted};
use datafusion::arrow::datatypes::Schema;

/// A session as another, but for files that do not count, which its stores do not list. Lists are not kept: a table sees what others
/// have written since.
pub(super) struct Visible<'a> {
    session: &'a dyn Session,
    config: SessionConfig,
    runtime: Arc<RuntimeEnv>,
    options: TableOptions,
    aside: Arc<Mutex<Aside>>,
}

/// Files that count, and that the engine does not see as they are.
#[derive(Default)]
pub(super) struct Aside {
    /// Whether files whose paths have nulls are not listed.
    has_partitions: bool,
    /// The moment of the table that is listed; without it, now.
    as_of: Option<AsOf>,
    /// The only files that are listed.
    only: Option<HashSet<Path>>,
    /// The tables with snapshots that were listed.
    pub(super) states: Vec<Arc<State>>,
    /// Those files.
    pub(super) nulls: Vec<ObjectMeta>,
    /// Files without bytes, which the engine passes over.
    pub(super) empty: Vec<Path>,
}

impl fmt::Debug for Aside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Aside")
    }
}

/// What the snapshots of the tables that were listed say of their files.
pub(crate) struct Tables(Arc<Mutex<Aside>>);

impl Tables {
    fn states(&self) -> Vec<Arc<State>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).states.clone()
    }

    /// The rows of a file, and what is known of some columns.
    pub(crate) fn known(&self, file: &Path, table: &Schema, wanted: &[String]) -> Option<(u64, Columns)> {
        self.states().iter().find_map(|state| state.known(file, table, wanted))
    }

    /// The columns of tables in place of those of their files, which are taken out.
    pub(crate) fn schemas(&self, files: &mut Vec<&ObjectMeta>) -> Vec<OfFile> {
        let mut schemas = Vec::new();
        // A table without rows may have no files.
        let is_empty = files.is_empty();
        for state in self.states() {
            let before = files.len();
            files.retain(|file| !state.has(&file.location));
            if is_empty || files.len() < before {
                schemas.push(state.columns());
            }
        }
        schemas
    }
}

impl<'a> Visible<'a> {
    pub(super) fn of(session: &'a dyn Session) -> Result<Self> {
        Self::with(session, session.config().clone(), Aside::default())
    }

    /// For the scan of a table, with columns of paths or without, that is planned by statistics of some columns.
    pub(super) fn of_scan(
        session: &'a dyn Session,
        has_partitions: bool,
        wanted: Vec<String>,
    ) -> Result<Self> {
        let config = session.config().clone().with_extension(Arc::new(Wanted(wanted)));
        Self::with(session, config, Aside { has_partitions, ..Aside::default() })
    }

    /// As the table was at some moment.
    pub(super) fn at_moment(self, as_of: Option<&AsOf>) -> Self {
        self.aside.lock().unwrap_or_else(PoisonError::into_inner).as_of = as_of.cloned();
        self
    }

    /// Whether a table with snapshots was listed.
    pub(super) fn has_tables(&self) -> bool {
        !self.aside.lock().unwrap_or_else(PoisonError::into_inner).states.is_empty()
    }

    /// Of some files only.
    pub(super) fn only(self, files: HashSet<Path>) -> Self {
        self.aside.lock().unwrap_or_else(PoisonError::into_inner).only = Some(files);
        self
    }

    /// What was found on the way.
    pub(super) fn aside(&self) -> Aside {
        std::mem::take(&mut *self.aside.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn with(session: &'a dyn Session, config: SessionConfig, aside: Aside) -> Result<Self> {
        let runtime = session.runtime_env();
        let caches = &runtime.cache_manager;
        let caches = CacheManagerConfig {
            file_statistics_cache: caches.get_file_statistic_cache(),
            file_statistics_cache_limit: caches.get_file_statistic_cache_limit(),
            list_files_cache: None,
            list_files_cache_limit: 0,
            file_metadata_cache: Some(caches.get_file_metadata_cache()),
            metadata_cache_limit: caches.get_metadata_cache_limit(),
            ..CacheManagerConfig::default()
        };
        let aside = Arc::new(Mutex::new(aside));
        let config = config.with_extension(Arc::new(Tables(Arc::clone(&aside))));
        let stores = Stores {
            registry: Arc::clone(&runtime.object_store_registry),
            aside: Arc::clone(&aside),
            cache: runtime.cache_manager.get_file_metadata_cache(),
        };
        let runtime = RuntimeEnvBuilder::from_runtime_env(runtime)
            .with_cache_manager(caches)
            .with_object_store_registry(Arc::new(stores))
            .build_arc()?;
        Ok(Self { session, config, runtime, options: session.table_options().clone(), aside })
    }
}

#[async_trait]
impl Session for Visible<'_> {
    fn session_id(&self) -> &str {
        self.session.session_id()
    }

    fn config(&self) -> &SessionConfig {
        &self.config
    }

    fn catalog_list(&self) -> Arc<dyn CatalogProviderList> {
        self.session.catalog_list()
    }

    fn query_planner(&self) -> Arc<dyn QueryPlanner + Send + Sync> {
        self.session.query_planner()
    }

    fn optimize(&self, plan: &LogicalPlan) -> Result<LogicalPlan> {
        self.session.optimize(plan)
    }

    fn physical_optimizers(&self) -> &[Arc<dyn PhysicalOptimizerRule + Send + Sync>] {
        self.session.physical_optimizers()
    }

    fn statistics_registry(&self) -> Option<&StatisticsRegistry> {
        self.session.statistics_registry()
    }

    async fn create_physical_plan(&self, plan: &LogicalPlan) -> Result<Arc<dyn ExecutionPlan>> {
        self.session.create_physical_plan(plan).await
    }

    fn create_physical_expr(&self, expr: Expr, schema: &DFSchema) -> Result<Arc<dyn PhysicalExpr>> {
        self.session.create_physical_expr(expr, schema)
    }

    fn scalar_functions(&self) -> &HashMap<String, Arc<ScalarUDF>> {
        self.session.scalar_functions()
    }

    fn higher_order_functions(&self) -> &HashMap<String, Arc<HigherOrderUDF>> {
        self.session.higher_order_functions()
    }

    fn aggregate_functions(&self) -> &HashMap<String, Arc<AggregateUDF>> {
        self.session.aggregate_functions()
    }

    fn window_functions(&self) -> &HashMap<String, Arc<WindowUDF>> {
        self.session.window_functions()
    }

    fn extension_type_registry(&self) -> &ExtensionTypeRegistryRef {
        self.session.extension_type_registry()
    }

    fn runtime_env(&self) -> &Arc<RuntimeEnv> {
        &self.runtime
    }

    fn execution_props(&self) -> &ExecutionProps {
        self.session.execution_props()
    }

    fn as_any(&self) -> &dyn Any {
        self.session.as_any()
    }

    fn table_options(&self) -> &TableOptions {
        &self.options
    }

    fn table_options_mut(&mut self) -> &mut TableOptions {
        &mut self.options
    }

    fn task_ctx(&self) -> Arc<TaskContext> {
        self.session.task_ctx()
    }
}

/// The stores of a session, which list what counts.
struct Stores {
    registry: Arc<dyn ObjectStoreRegistry>,
    aside: Arc<Mutex<Aside>>,
    cache: Arc<FileMetadataCache>,
}

impl fmt::Debug for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.registry.fmt(f)
    }
}

impl ObjectStoreRegistry for Stores {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.registry.register_store(url, store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        let (aside, cache) = (Arc::clone(&self.aside), Arc::clone(&self.cache));
        Ok(Arc::new(Store(self.registry.get_store(url)?, aside, cache)))
    }
}

#[derive(Clone)]
struct Store(Arc<dyn ObjectStore>, Arc<Mutex<Aside>>, Arc<FileMetadataCache>);

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl Store {
    /// What is below a path and counts.
    async fn listed(self, prefix: Option<Path>) -> object_store::Result<Vec<ObjectMeta>> {
        let mut files = self.counted(prefix).await?;
        let mut aside = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(only) = &aside.only {
            files.retain(|file| only.contains(&file.location));
        }
        aside.empty.extend(files.iter().filter(|file| file.size == 0).map(|file| file.location.clone()));
        if aside.has_partitions {
            let nulls;
            (nulls, files) = files.into_iter().partition(|file| nulls::is_in(&file.location));
            aside.nulls.extend(nulls);
        }
        Ok(files)
    }

    /// The files of a table with snapshots are not listed. Other files are listed, then manifests are read, then files are
    /// listed once more: a write that is committed meanwhile is there as a whole or not at all.
    async fn counted(&self, prefix: Option<Path>) -> object_store::Result<Vec<ObjectMeta>> {
        let tables = Files { store: &self.0, cache: Some(Arc::clone(&self.2)) };
        let folder = prefix.clone().unwrap_or_default();
        let root = root_of(&folder);
        let as_of = self.1.lock().unwrap_or_else(PoisonError::into_inner).as_of.clone();
        if let Some(state) = match &as_of {
            Some(as_of) => Some(tables.state_as_of(&root, as_of).await?),
            None => tables.state(&root).await?,
        } {
            return Ok(self.noted(state, &folder));
        }
        let listed = || self.0.list(prefix.as_ref()).try_collect::<Vec<_>>();
        let mut files = listed().await?;
        let committed = Committed::of(&self.0, files.iter().map(|file| &file.location)).await?;
        if !committed.is_empty() {
            files = listed().await?;
            files.retain(|file| committed.counts(&file.location));
        }
        retain_current(&mut files, |file| std::path::Path::new(file.location.as_ref()));
        // Tables in folders below.
        let roots: BTreeSet<Path> =
            files.iter().filter_map(|file| root_of_snapshot(&file.location)).collect();
        for root in roots {
            if let Some(state) = tables.state(&root).await? {
                files.retain(|file| !file.location.prefix_matches(&root));
                files.extend(self.noted(state, &root));
            }
        }
        Ok(files)
    }

    /// The files of a table, which is noted.
    fn noted(&self, state: State, folder: &Path) -> Vec<ObjectMeta> {
        let files = state.files(folder);
        let mut aside = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        aside.states.push(Arc::new(state));
        files
    }
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[async_trait]
impl ObjectStore for Store {
    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> object_store::Result<PutResult> {
        self.0.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        self.0.put_multipart_opts(location, options).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> object_store::Result<GetResult> {
        let found = self.0.get_opts(location, options).await?;
        if found.meta.size == 0 {
            self.1.lock().unwrap_or_else(PoisonError::into_inner).empty.push(location.clone());
        }
        Ok(found)
    }

    async fn get_ranges(
        &self,
        location: &Path,
        ranges: &[std::ops::Range<u64>],
    ) -> object_store::Result<Vec<bytes::Bytes>> {
        self.0.get_ranges(location, ranges).await
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, object_store::Result<Path>>,
    ) -> BoxStream<'static, object_store::Result<Path>> {
        self.0.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        if prefix.is_some_and(is_of_tables) {
            return self.0.list(prefix);
        }
        let listed = self.clone().listed(prefix.cloned());
        stream::once(listed).map_ok(|files| stream::iter(files).map(Ok)).try_flatten().boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> object_store::Result<ListResult> {
        self.0.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> object_store::Result<()> {
        self.0.copy_opts(from, to, options).await
    }
}
