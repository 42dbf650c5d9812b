//! Scans: what the engine asks of the files of a table, and how they answer.

mod cast;
mod metrics;
mod nulls;
mod opener;
mod paths;
mod predicate;
mod ranges;
mod rows;
mod sorted;

use crate::format::Aliases;
use crate::input::Heads;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroupPartitioner, FileOpener, FileScanConfig, FileSource};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::Result;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_expr::{
    EquivalenceProperties, LexOrdering, PhysicalExpr, PhysicalSortExpr, conjunction_opt,
};
use datafusion::physical_expr_adapter::DefaultPhysicalExprAdapterFactory;
use datafusion::physical_expr_common::physical_expr::is_volatile;
use datafusion::physical_plan::DisplayFormatType;
use datafusion::physical_plan::filter_pushdown::{FilterPushdownPropagation, PushedDown};
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion::physical_plan::sort_pushdown::SortOrderPushdownResult;
use metrics::ScanMetrics;
use object_store::ObjectStore;
use opener::TrevniOpener;
use sorted::First;
use std::fmt;
use std::sync::Arc;

/// Rows of a batch, unless the session says otherwise.
const BATCH_ROWS: usize = 8192;

/// Bytes of files in stores that are shared by partitions.
const REMOTE_BYTES: usize = 64 << 20;

/// A condition that rows of a scan fulfil.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) expr: Arc<dyn PhysicalExpr>,
    /// Whether the scan alone takes out the rows that do not fulfil it. If not, it helps to read less.
    pub(crate) is_exact: bool,
}

/// The source of a scan of Trevni files: which of their columns and rows it reads.
#[derive(Clone)]
pub struct TrevniSource {
    schema: TableSchema,
    projection: ProjectionExprs,
    filters: Vec<Filter>,
    batch_rows: usize,
    heads: Option<Heads>,
    /// The memory of all queries.
    pool: Option<Arc<dyn MemoryPool>>,
    aliases: Aliases,
    /// The order in which files are best read.
    first: Option<First>,
    metrics: ExecutionPlanMetricsSet,
}

impl TrevniSource {
    /// A scan of all columns and rows of a table.
    #[must_use]
    pub fn new(schema: TableSchema) -> Self {
        let all: Vec<usize> = (0..schema.table_schema().fields().len()).collect();
        let projection = ProjectionExprs::from_indices(&all, schema.table_schema());
        let metrics = ExecutionPlanMetricsSet::new();
        let (filters, aliases) = (Vec::new(), Aliases::default());
        Self {
            schema,
            projection,
            filters,
            batch_rows: BATCH_ROWS,
            heads: None,
            pool: None,
            aliases,
            first: None,
            metrics,
        }
    }

    /// With other names of columns.
    pub(crate) fn with_aliases(self, aliases: Aliases) -> Self {
        Self { aliases, ..self }
    }

    /// The other names of columns, as the option `alias` has them; empty without aliases.
    #[must_use]
    pub fn aliases(&self) -> String {
        self.aliases.to_string()
    }

    /// With other names of columns, as [`aliases`](Self::aliases) has them.
    ///
    /// # Errors
    ///
    /// A text that is no list of aliases.
    pub fn with_aliases_of(self, text: &str) -> Result<Self> {
        let aliases = if text.is_empty() { Aliases::default() } else { Aliases::parse(text)? };
        Ok(self.with_aliases(aliases))
    }

    /// The conditions of the scan, on the columns of its table.
    pub fn filters(&self) -> impl Iterator<Item = &Arc<dyn PhysicalExpr>> {
        self.filters.iter().map(|filter| &filter.expr)
    }

    /// With conditions that other plans have had pushed down to their scan: which of them the scan fulfils alone is found again.
    #[must_use]
    pub fn with_filters(mut self, filters: impl IntoIterator<Item = Arc<dyn PhysicalExpr>>) -> Self {
        for expr in filters {
            let is_exact = predicate::is_exact(&expr, &self.schema);
            self.filters.push(Filter { expr, is_exact });
        }
        self
    }

    /// With the headers of files that a session keeps, and its memory, which a plan from elsewhere does not have.
    #[must_use]
    pub fn with_session(self, session: &RuntimeEnv) -> Self {
        let heads = Heads(session.cache_manager.get_file_metadata_cache());
        Self { heads: Some(heads), pool: Some(Arc::clone(&session.memory_pool)), ..self }
    }
}

impl fmt::Debug for TrevniSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TrevniSource")
            .field("projection", &self.projection)
            .field("filters", &self.filters)
            .finish_non_exhaustive()
    }
}

impl FileSource for TrevniSource {
    fn create_file_opener(
        &self,
        object_store: Arc<dyn ObjectStore>,
        base_config: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let adapters = base_config.expr_adapter_factory.clone();
        let output = self.projection.project_schema(self.schema.table_schema())?;
        Ok(Arc::new(TrevniOpener {
            store: object_store,
            schema: self.schema.clone(),
            output: Arc::new(output),
            projection: self.projection.clone(),
            filters: self.filters.clone(),
            adapters: adapters.unwrap_or_else(|| Arc::new(DefaultPhysicalExprAdapterFactory)),
            batch_rows: base_config.batch_size.unwrap_or(self.batch_rows),
            limit: base_config.limit,
            heads: self.heads.clone(),
            pool: self.pool.clone(),
            aliases: self.aliases.clone(),
            metrics: ScanMetrics::new(&self.metrics, partition),
        }))
    }

    fn table_schema(&self) -> &TableSchema {
        &self.schema
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        Arc::new(Self { batch_rows: batch_size, ..self.clone() })
    }

    fn filter(&self) -> Option<Arc<dyn PhysicalExpr>> {
        conjunction_opt(self.filters.iter().map(|filter| Arc::clone(&filter.expr)))
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection)
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &str {
        crate::TrevniFormat::NAME
    }

    fn fmt_extra(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |exact: bool| {
            let filters = self.filters.iter().filter(move |filter| filter.is_exact == exact);
            conjunction_opt(filters.map(|filter| Arc::clone(&filter.expr)))
        };
        if let Some(exact) = of(true) {
            write!(f, ", predicate={exact}")?;
        }
        match of(false) {
            Some(inexact) => write!(f, ", pruned_by={inexact}"),
            None => Ok(()),
        }
    }

    /// Parts of a file's rows are read by several partitions: ranges of its bytes say which.
    fn supports_repartitioning(&self) -> bool {
        true
    }

    /// Small files in stores are left whole: each part of one takes requests of its own.
    fn repartitioned(
        &self,
        partitions: usize,
        min_bytes: usize,
        order: Option<LexOrdering>,
        config: &FileScanConfig,
    ) -> Result<Option<FileScanConfig>> {
        let is_local = config.object_store_url.as_str().starts_with("file:");
        let min_bytes = if is_local { min_bytes } else { min_bytes.max(REMOTE_BYTES) };
        let groups = FileGroupPartitioner::new()
            .with_target_partitions(partitions)
            .with_repartition_file_min_size(min_bytes)
            .with_preserve_order_within_groups(order.is_some())
            .repartition_file_groups(&config.file_groups);
        Ok(groups.map(|groups| {
            let mut shared = config.clone();
            shared.file_groups = groups;
            shared
        }))
    }

    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _config: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn FileSource>>> {
        let mut source = self.clone();
        let mut answers = Vec::with_capacity(filters.len());
        for expr in filters {
            if is_volatile(&expr) {
                answers.push(PushedDown::No);
                continue;
            }
            let is_exact = predicate::is_exact(&expr, &self.schema);
            answers.push(if is_exact { PushedDown::Yes } else { PushedDown::No });
            source.filters.push(Filter { expr, is_exact });
        }
        let source: Arc<dyn FileSource> = Arc::new(source);
        Ok(FilterPushdownPropagation::with_parent_pushdown_result(answers).with_updated_node(source))
    }

    /// Rows that are sorted are read in the order of the bounds of files: what a top-k learns of the first ones excludes others.
    fn try_pushdown_sort(
        &self,
        order: &[PhysicalSortExpr],
        properties: &EquivalenceProperties,
    ) -> Result<SortOrderPushdownResult<Arc<dyn FileSource>>> {
        for length in (1..=order.len()).rev() {
            let is_sorted = properties.ordering_satisfy(order.iter().take(length).cloned())?;
            match is_sorted {
                true if length == order.len() => {
                    return Ok(SortOrderPushdownResult::Exact { inner: Arc::new(self.clone()) });
                }
                // A part of the order is there, which a sort makes use of.
                true => return Ok(SortOrderPushdownResult::Unsupported),
                false => {}
            }
        }
        let first = order.first().and_then(|order| First::of(order, self.schema.file_schema()));
        Ok(match first {
            None => SortOrderPushdownResult::Unsupported,
            first => SortOrderPushdownResult::Inexact { inner: Arc::new(Self { first, ..self.clone() }) },
        })
    }

    fn reorder_files(&self, mut files: Vec<PartitionedFile>) -> Vec<PartitionedFile> {
        if let Some(first) = &self.first {
            first.sort(&mut files);
        }
        files
    }

    fn try_pushdown_projection(&self, projection: &ProjectionExprs) -> Result<Option<Arc<dyn FileSource>>> {
        let projection = self.projection.try_merge(projection)?;
        Ok(Some(Arc::new(Self { projection, ..self.clone() })))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let filters = self.filters.iter().map(|filter| &filter.expr);
        let all = filters.chain(self.projection.iter().map(|projected| &projected.expr));
        datafusion::physical_plan::apply_expression_roots(all, f)
    }
}
