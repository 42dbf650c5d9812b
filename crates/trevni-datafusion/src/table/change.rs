//! Statements that remove rows of a table: `DELETE`, `TRUNCATE`, `INSERT OVERWRITE`, and compaction, which puts small parts together.
//!
//! Each writes new parts in the place of others, and one snapshot makes the change: readers see the table before it or after it.

use super::visible::Visible;
use super::{TrevniTable, nulls};
use crate::commit::{CommitExec, Files, Replaced, WritePartsExec, root_of, within, write_of};
use crate::format::{Aliases, TrevniFormat, open};
use crate::input::Counts;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{ScanArgs, Session, TableProvider};
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::common::{Column, DFSchema, ScalarValue, not_impl_err, plan_datafusion_err, plan_err};
use datafusion::config::ConfigOptions;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileOutputMode, FileSinkConfig};
use datafusion::datasource::{provider_as_source, source_as_provider};
use datafusion::error::Result;
use datafusion::logical_expr::dml::InsertOp;
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::utils::{conjunction, split_conjunction};
use datafusion::logical_expr::{DmlStatement, Expr, LogicalPlan, WriteOp, lit};
use datafusion::optimizer::AnalyzerRule;
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use datafusion::physical_expr::{PhysicalExpr, create_lex_ordering};
use datafusion::physical_expr_adapter::replace_columns_with_literals;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::metrics::Count;
use datafusion_pruning::FilePruner;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Parts of fewer bytes are put together.
const SMALL_BYTES: u64 = 64 << 20;

/// Notes in the table of a `DELETE` which rows are meant, before the plan is optimized: of what comes out, a condition that is never
/// true could not be told from none.
#[derive(Debug)]
pub(crate) struct Deletes;

impl AnalyzerRule for Deletes {
    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let LogicalPlan::Dml(statement) = plan else { return Ok(plan) };
        let table = source_as_provider(&statement.target).ok();
        let table = table.as_ref().and_then(|table| table.downcast_ref::<TrevniTable>());
        // A plan that came from elsewhere says it already.
        let Some(table) = table.filter(|table| statement.op == WriteOp::Delete && table.deleted.is_none())
        else {
            return Ok(LogicalPlan::Dml(statement));
        };
        let table = TrevniTable { deleted: Some(conditions(&statement.input)?), ..table.clone() };
        let target = provider_as_source(Arc::new(table));
        Ok(LogicalPlan::Dml(DmlStatement { target, ..statement }))
    }

    fn name(&self) -> &'static str {
        "trevni_deletes"
    }
}

/// The conditions of a `DELETE`, on columns of the table.
fn conditions(input: &LogicalPlan) -> Result<Vec<Expr>> {
    let (mut found, mut plan) = (Vec::new(), input);
    loop {
        plan = match plan {
            LogicalPlan::TableScan(scan) => {
                found.extend(scan.filters.iter().cloned());
                break;
            }
            LogicalPlan::Filter(filter) => {
                found.extend(split_conjunction(&filter.predicate).into_iter().cloned());
                &filter.input
            }
            LogicalPlan::SubqueryAlias(alias) => &alias.input,
            _ => {
                return not_impl_err!(
                    "DELETE of rows that a condition on the table's own columns does not say"
                );
            }
        };
    }
    let own = |expr: Expr| {
        if matches!(
            expr,
            Expr::Exists(_) | Expr::InSubquery(_) | Expr::ScalarSubquery(_) | Expr::SetComparison(_)
        ) {
            return not_impl_err!("DELETE with a query in its condition");
        }
        Ok(match expr {
            Expr::Column(column) => Transformed::yes(Expr::Column(Column::new_unqualified(column.name))),
            other => Transformed::no(other),
        })
    };
    found.into_iter().map(|expr| expr.transform(own).data()).collect()
}

/// The files of a table that a statement changes.
struct Current {
    store: Arc<dyn ObjectStore>,
    root: Path,
    /// The number of its snapshot.
    base: u64,
    files: Vec<ObjectMeta>,
}

impl TrevniTable {
    /// Removes the rows for which all conditions are true.
    pub(super) async fn delete(
        &self,
        session: &dyn Session,
        conditions: &[Expr],
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let current = self.current(session).await?;
        let conditions = self.simplified(session, conditions)?;
        let names: Vec<&str> = self.of_paths().collect();
        let (of_paths, others): (Vec<Expr>, Vec<Expr>) = conditions.iter().cloned().partition(|expr| {
            let mut columns = expr.column_refs().into_iter();
            !names.is_empty()
                && !expr.is_volatile()
                && columns.all(|column| names.contains(&column.name.as_str()))
        });
        let is_whole = others.is_empty();
        let candidates = self.candidates(session, &current, &of_paths, others).await?;
        let rows = self.rows(&current, &candidates).await?;
        let places: HashSet<Path> = candidates.into_iter().map(|(file, _)| file.location).collect();
        let kept: Arc<dyn ExecutionPlan> = match is_whole || places.is_empty() {
            true => Arc::new(EmptyExec::new(self.schema())),
            false => {
                let rows = self.rows_of(session, &places).await?;
                let goes = conjunction(conditions.iter().cloned());
                let stays = goes.map(|goes| goes.is_not_true()).unwrap_or_else(|| lit(false));
                Arc::new(FilterExec::try_new(self.condition(session, stays)?, rows)?)
            }
        };
        self.replace(session, &current, &places, (kept, false), Some(rows)).await
    }

    /// Puts small parts together: those of each folder. Its plan gives the number of their rows.
    pub(super) async fn compact(&self, session: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        let current = self.current(session).await?;
        let mut folders: HashMap<String, Vec<&ObjectMeta>> = HashMap::new();
        for file in current.files.iter().filter(|file| file.size < SMALL_BYTES) {
            let path = file.location.as_ref();
            folders
                .entry(path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned())
                .or_default()
                .push(file);
        }
        folders.retain(|_, files| files.len() > 1);
        let bytes: u64 = folders.values().flatten().map(|file| file.size).sum();
        let places: HashSet<Path> = folders.values().flatten().map(|file| file.location.clone()).collect();
        let rows: Arc<dyn ExecutionPlan> = match places.is_empty() {
            true => Arc::new(EmptyExec::new(self.schema())),
            false => self.rows_of(session, &places).await?,
        };
        // Each partition of a query writes parts of its own.
        let is_few = bytes < 2 * SMALL_BYTES * session.config().target_partitions() as u64;
        self.replace(session, &current, &places, (rows, is_few), None).await
    }

    fn of_paths(&self) -> impl Iterator<Item = &str> {
        self.files.options().table_partition_cols.iter().map(|(name, _)| name.as_str())
    }

    /// Conditions with values in place of what is known by now, as `now()` is.
    fn simplified(&self, session: &dyn Session, conditions: &[Expr]) -> Result<Vec<Expr>> {
        let context = SimplifyContext::builder()
            .with_schema(Arc::new(DFSchema::try_from(self.schema())?))
            .with_config_options(Arc::clone(session.config().options()))
            .with_current_time();
        let context = match session.execution_props().query_execution_start_time {
            Some(time) => context.with_query_execution_start_time(Some(time)),
            None => context,
        };
        let simplifier = ExprSimplifier::new(context.build());
        conditions.iter().map(|condition| simplifier.simplify(condition.clone())).collect()
    }

    /// A condition on the columns of the table.
    fn condition(&self, session: &dyn Session, condition: Expr) -> Result<Arc<dyn PhysicalExpr>> {
        session.create_physical_expr(condition, &DFSchema::try_from(self.schema())?)
    }

    /// The files that count now.
    async fn current(&self, session: &dyn Session) -> Result<Current> {
        let [place] = self.files.table_paths().as_slice() else {
            return plan_err!("only a table of one folder can be changed");
        };
        let root = place.prefix().clone();
        if !place.is_collection() || place.get_glob().is_some() || root_of(&root) != root {
            return plan_err!(
                "{place}: only a table of one folder, which is not that of a partition, can be changed"
            );
        }
        let options = self.format()?.options.clone();
        if options.as_of.is_some() || !options.aliases.is_empty() {
            return plan_err!("{place}: a table with as_of or alias is only read");
        }
        let visible = Visible::of(session)?;
        let store = visible.runtime_env().object_store(place)?;
        let ending = &self.files.options().file_extension;
        let files = place.list_all_files(&visible, store.as_ref(), ending).await?;
        let files: Vec<ObjectMeta> = futures::TryStreamExt::try_collect(files).await?;
        let base = visible.aside().states.iter().map(|state| state.number()).max().unwrap_or(0);
        let columns = self.files.options().format.infer_schema(&visible, &store, &files).await;
        if let (false, Ok(columns)) = (files.is_empty(), columns) {
            let missing =
                columns.fields().iter().find(|field| self.schema.field_with_name(field.name()).is_err());
            if let Some(field) = missing {
                return plan_err!(
                    "{place}: the table does not have the column {} of its files, whose rows would lose it",
                    field.name()
                );
            }
        }
        Ok(Current { store: session.runtime_env().object_store(place)?, root, base, files })
    }

    fn format(&self) -> Result<&TrevniFormat> {
        let format = self.files.options().format.downcast_ref::<TrevniFormat>();
        format.ok_or_else(|| {
            plan_datafusion_err!("a table of Trevni files that are listed with another format")
        })
    }

    /// The files that may have rows for which all conditions are true, those on columns of paths and others, and how many rows they have, if
    /// that is known.
    async fn candidates(
        &self,
        session: &dyn Session,
        current: &Current,
        of_paths: &[Expr],
        others: Vec<Expr>,
    ) -> Result<Vec<(ObjectMeta, Option<u64>)>> {
        // What is null is not true, which the engine's own evaluation of paths does not look at.
        let of_paths: Vec<Expr> = of_paths.iter().map(|expr| expr.clone().is_true()).collect();
        let only = current.files.iter().map(|file| file.location.clone()).collect();
        let wanted = self.wanted(Some(&[]), &others);
        let visible = Visible::of_scan(session, self.of_paths().next().is_some(), wanted)?.only(only);
        let found = self.files.list_files_for_scan(&visible, &of_paths, None).await?;
        let of_files = self.files.schema();
        let names: Vec<&str> = self.of_paths().collect();
        let of_files: SchemaRef = Arc::new(datafusion::arrow::datatypes::Schema::new(
            of_files
                .fields()
                .iter()
                .filter(|field| !names.contains(&field.name().as_str()))
                .cloned()
                .collect::<Vec<_>>(),
        ));
        let condition =
            conjunction(others).map(|condition| self.condition(session, condition)).transpose()?;
        let mut candidates = Vec::new();
        let nulls = nulls::matching(&self.files, visible.aside().nulls, &of_paths)?;
        for file in found.file_groups.iter().flat_map(|group| group.files()).chain(&nulls) {
            if let Some(condition) = &condition
                && self.is_excluded(condition, &of_files, file)?
            {
                continue;
            }
            let rows = file.statistics.as_ref().and_then(|statistics| match statistics.num_rows {
                Precision::Exact(rows) => u64::try_from(rows).ok(),
                _ => None,
            });
            candidates.push((file.object_meta.clone(), rows));
        }
        Ok(candidates)
    }

    /// Whether bounds say that no row of a file fulfils a condition.
    fn is_excluded(
        &self,
        condition: &Arc<dyn PhysicalExpr>,
        of_files: &SchemaRef,
        file: &PartitionedFile,
    ) -> Result<bool> {
        let values: HashMap<&str, &ScalarValue> = self.of_paths().zip(&file.partition_values).collect();
        let condition = replace_columns_with_literals(Arc::clone(condition), &values)?;
        match FilePruner::try_new(condition, of_files, file, Count::new()) {
            Some(mut pruner) => pruner.should_prune(),
            None => Ok(false),
        }
    }

    /// The number of rows of files.
    async fn rows(&self, current: &Current, files: &[(ObjectMeta, Option<u64>)]) -> Result<u64> {
        let mut all = 0;
        for (file, rows) in files {
            all += match rows {
                Some(rows) => *rows,
                None => open(&current.store, file, &Aliases::default(), None, &Counts::default())
                    .await?
                    .1
                    .row_count(),
            };
        }
        Ok(all)
    }

    /// The rows of some files.
    async fn rows_of(&self, session: &dyn Session, places: &HashSet<Path>) -> Result<Arc<dyn ExecutionPlan>> {
        let has_partitions = !self.files.options().table_partition_cols.is_empty();
        let visible = Visible::of_scan(session, has_partitions, Vec::new())?.only(places.clone());
        self.scan_visible(visible, ScanArgs::default()).await.map(datafusion::catalog::ScanResult::into_inner)
    }

    /// Writes rows in the place of some files; few rows in one partition.
    async fn replace(
        &self,
        session: &dyn Session,
        current: &Current,
        places: &HashSet<Path>,
        (rows, is_few): (Arc<dyn ExecutionPlan>, bool),
        removed: Option<u64>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let options = self.files.options();
        let place = FileSinkConfig {
            original_url: String::new(),
            object_store_url: self
                .files
                .table_paths()
                .first()
                .map(|path| path.object_store())
                .unwrap_or_else(datafusion::execution::object_store::ObjectStoreUrl::local_filesystem),
            file_group: Vec::new().into(),
            table_paths: self.files.table_paths().clone(),
            output_schema: self.schema(),
            table_partition_cols: options.table_partition_cols.clone(),
            insert_op: InsertOp::Append,
            keep_partition_by_columns: false,
            file_extension: TrevniFormat::EXTENSION.to_owned(),
            // As few parts as can be.
            file_output_mode: FileOutputMode::Directory,
        };
        let mut format = self.format()?.clone();
        // As the files are.
        if let Some(file) = current.files.iter().find(|file| places.contains(&file.location)) {
            let (_, reader) =
                open(&current.store, file, &Aliases::default(), None, &Counts::default()).await?;
            let codec = reader.columns().first().and_then(|column| column.codec_name().parse().ok());
            if let Some(codec) = codec {
                format.options = format.options.or_codec(codec);
            }
        }
        let orders =
            create_lex_ordering(&self.schema(), &options.file_sort_order, session.execution_props())?;
        let order = orders.into_iter().next().map(Into::into);
        let parts: Vec<String> = places.iter().map(|place| within(&current.root, place)).collect();
        let replaced = Replaced { base: current.base, parts, rows: removed };
        let write = write_of(session.config())?.unwrap_or_default();
        let written = WritePartsExec::new(rows, place.clone(), format, write.clone(), order);
        let written = written.in_one_partition(is_few);
        Ok(Arc::new(CommitExec::try_new(Arc::new(written), place, write)?.replacing(Some(replaced))))
    }
}

/// What `INSERT OVERWRITE` replaces: all files of the table.
pub(crate) async fn overwritten(session: &dyn Session, place: &FileSinkConfig) -> Result<Replaced> {
    let [path] = place.table_paths.as_slice() else {
        return plan_err!("only a table of one folder can be overwritten");
    };
    let root = path.prefix();
    if root_of(root) != *root {
        return plan_err!("{path}: this is the folder of a partition, which cannot be overwritten alone");
    }
    let store = session.runtime_env().object_store(&place.object_store_url)?;
    let cache = session.runtime_env().cache_manager.get_file_metadata_cache();
    let state = Files { store: &store, cache: Some(cache) }.state(root).await?;
    let (base, files): (u64, Vec<Path>) = match state {
        Some(state) => (state.number(), state.files(root).into_iter().map(|file| file.location).collect()),
        None => (0, place.file_group.files().iter().map(|file| file.object_meta.location.clone()).collect()),
    };
    Ok(Replaced { base, parts: files.iter().map(|file| within(root, file)).collect(), rows: None })
}
