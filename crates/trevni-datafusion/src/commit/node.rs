//! The second half of a write: the parts of all partitions count from one moment on.

use super::clean::remove_losers;
use super::manifests::{put, root_of, settled, within};
use super::parts::{Parts, WRITTEN};
use super::state::{Change, Files, WRITE_TIME, WRITES, change};
use crate::error::in_file;
use crate::{TrevniFormat, TrevniSink};
use datafusion::arrow::array::{AsArray, RecordBatch, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt64Type};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{exec_err, internal_err, plan_datafusion_err, plan_err};
use datafusion::datasource::physical_plan::FileSinkConfig;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{Distribution, EquivalenceProperties};
use datafusion::physical_plan::execution_plan::{EvaluationType, SchedulingType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties,
    InputDistributionRequirements, Partitioning, PhysicalExpr, PlanProperties, ReplaceChildrenOptions,
};
use futures::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use trevni::dataset::{WriteId, WriteManifest};

/// Commits a write: stores the manifest of the parts that [`WritePartsExec`](super::WritePartsExec)s have written, unless there is
/// one, which then counts. The number of rows comes out.
#[derive(Debug)]
pub struct CommitExec {
    input: Arc<dyn ExecutionPlan>,
    place: FileSinkConfig,
    write: WriteId,
    replaced: Option<Replaced>,
    properties: Arc<PlanProperties>,
}

/// What a write removes from a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The number of the snapshot that the table has; 0 without one. If it has another one when the write is committed, nothing is
    /// changed.
    pub base: u64,
    /// The parts that are removed, by their paths within the folder of the table.
    pub parts: Vec<String>,
    /// The rows of these parts, for a statement that reports how many rows are gone.
    pub rows: Option<u64>,
}

impl CommitExec {
    /// Commits the parts that come out of a plan.
    ///
    /// # Errors
    ///
    /// A plan of which other rows come, and an invalid position.
    pub fn try_new(input: Arc<dyn ExecutionPlan>, place: FileSinkConfig, write: WriteId) -> Result<Self> {
        let found = input.schema();
        let types = |schema: &SchemaRef| {
            schema.fields().iter().map(|field| field.data_type().clone()).collect::<Vec<_>>()
        };
        if types(&found) != types(&WRITTEN) {
            return plan_err!("what is committed are parts: their paths, rows and bytes, not {found}");
        }
        if place.table_paths.is_empty() {
            return plan_err!("a write needs a place");
        }
        let count = Arc::new(Schema::new(vec![Field::new("count", DataType::UInt64, false)]));
        let properties = PlanProperties::new(
            EquivalenceProperties::new(count),
            Partitioning::UnknownPartitioning(1),
            input.pipeline_behavior(),
            input.boundedness(),
        );
        let properties = properties
            .with_scheduling_type(SchedulingType::Cooperative)
            .with_evaluation_type(EvaluationType::Eager);
        Ok(Self { input, place, write, replaced: None, properties: Arc::new(properties) })
    }

    /// Of a write that also removes parts.
    #[must_use]
    pub fn replacing(self, replaced: Option<Replaced>) -> Self {
        Self { replaced, ..self }
    }

    /// What the write removes.
    #[must_use]
    pub fn replaced(&self) -> Option<&Replaced> {
        self.replaced.as_ref()
    }

    /// Where the parts are.
    #[must_use]
    pub fn place(&self) -> &FileSinkConfig {
        &self.place
    }

    /// The write.
    #[must_use]
    pub fn write(&self) -> &WriteId {
        &self.write
    }
}

pub(super) fn one(mut children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
    match (children.pop(), children.is_empty()) {
        (Some(child), true) => Ok(child),
        _ => internal_err!("a write has one input"),
    }
}

impl DisplayAs for CommitExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CommitExec")
    }
}

impl ExecutionPlan for CommitExec {
    fn name(&self) -> &'static str {
        "CommitExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn required_input_distribution(&self) -> Vec<Distribution> {
        vec![Distribution::SinglePartition]
    }

    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        InputDistributionRequirements::new(vec![Distribution::SinglePartition])
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let again = Self::try_new(one(children)?, self.place.clone(), self.write.clone())?;
        Ok(Arc::new(again.replacing(self.replaced.clone())))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        if partition != 0 || self.input.output_partitioning().partition_count() != 1 {
            return internal_err!("a write is committed once");
        }
        let parts = self.input.execute(0, Arc::clone(&context))?;
        let (place, write, schema) = (self.place.clone(), self.write.clone(), self.schema());
        let replaced = self.replaced.clone();
        let count = async move {
            let count = commit(parts, &place, &write, replaced.as_ref(), &context).await?;
            let count = UInt64Array::from(vec![count]);
            Ok(RecordBatch::try_new(schema, vec![Arc::new(count)])?)
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), stream::once(count).boxed())))
    }
}

/// Commits the parts; gives the number of their rows, or of the rows that are gone.
async fn commit(
    mut parts: SendableRecordBatchStream,
    place: &FileSinkConfig,
    write: &WriteId,
    replaced: Option<&Replaced>,
    context: &TaskContext,
) -> Result<u64> {
    let store = context.runtime_env().object_store(&place.object_store_url)?;
    let folder =
        place.table_paths.first().ok_or_else(|| plan_datafusion_err!("a write needs a place"))?.prefix();
    let root = root_of(folder);
    let mut manifest = WriteManifest::default();
    while let Some(batch) = parts.try_next().await? {
        add(&mut manifest, &batch, &root)?;
    }
    if manifest.parts().is_empty() && place.file_group.is_empty() && replaced.is_none() {
        add(&mut manifest, &empty(place, write, context).await?, &root)?;
    }
    let failed = |error| in_file(folder, error);
    let cache = context.runtime_env().cache_manager.get_file_metadata_cache();
    let files = Files { store: &store, cache: Some(cache) };
    if is_late(write) && (replaced.is_some() || !files.snapshots(&root).await.map_err(failed)?.is_empty()) {
        return exec_err!("{folder}: the write {write} began more than six days ago, and no longer counts");
    }
    if let Some(replaced) = replaced {
        let removed = |rows: u64| rows.saturating_sub(manifest.row_count().unwrap_or(0));
        let count = replaced.rows.map_or(manifest.row_count().unwrap_or(0), removed);
        manifest = manifest.in_snapshot(replaced.base.saturating_add(1), count);
    }
    let manifest = put(&store, &root, write, manifest).await.map_err(failed)?;
    let Some(mut rows) = manifest.count() else {
        return exec_err!(
            "{folder}: the write {write} took so long that it was given up, and its parts were removed"
        );
    };
    if let Some(replaced) = replaced {
        let removed = replaced.parts.iter().map(String::as_str).collect();
        let added = Some((write, &manifest));
        // Whether it was this attempt that has stored the snapshot does not matter.
        change(&files, &root, Change { base: replaced.base, removed, added }).await?;
        let settled = settled(&store, &root, write, manifest.clone()).await.map_err(failed)?;
        rows = match settled.as_ref().and_then(WriteManifest::count) {
            Some(rows) => rows,
            None => {
                let _ = remove_losers(&store, folder, write, &WriteManifest::abandoned()).await;
                return exec_err!(
                    "{folder}: another statement has changed the table meanwhile, so this one has changed nothing: it can be given again"
                );
            }
        };
    }
    // That they are still there is no harm: they do not count.
    let _ = remove_losers(&store, folder, write, &manifest).await;
    // Nor are manifests that are not in a snapshot yet: the next write tries it again.
    let _ = fold(&files, &root).await;
    Ok(rows)
}

/// Whether a write began so long ago that a snapshot may be made without it.
fn is_late(write: &WriteId) -> bool {
    let began = SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(write.millis()));
    let age = began.and_then(|began| SystemTime::now().duration_since(began).ok());
    age.is_some_and(|age| age > WRITE_TIME)
}

/// Puts the writes of a table with snapshots into the next one, if there are many.
async fn fold(files: &Files<'_>, root: &Path) -> Result<()> {
    let Some(state) = files.state(root).await? else { return Ok(()) };
    if state.later.len() >= WRITES {
        change(files, root, Change { base: state.snapshot.number, ..Change::default() }).await?;
    }
    Ok(())
}

/// Writes a part without rows, which has the columns.
async fn empty(place: &FileSinkConfig, write: &WriteId, context: &TaskContext) -> Result<RecordBatch> {
    let parts = Arc::new(Parts::new(write));
    let sink = TrevniSink::of_parts(place.clone(), &TrevniFormat::default(), Arc::clone(&parts));
    sink.write_empty(context).await?;
    drop(sink);
    match Arc::into_inner(parts) {
        Some(parts) => parts.into_batch(),
        None => internal_err!("parts are still written"),
    }
}

fn add(manifest: &mut WriteManifest, batch: &RecordBatch, root: &Path) -> Result<()> {
    let [paths, rows, bytes] = batch.columns() else { return internal_err!("a part has three columns") };
    let (Some(paths), Some(rows), Some(bytes)) = (
        paths.as_string_opt::<i32>(),
        rows.as_primitive_opt::<UInt64Type>(),
        bytes.as_primitive_opt::<UInt64Type>(),
    ) else {
        return internal_err!("a part has a path, rows and bytes");
    };
    for row in 0..batch.num_rows() {
        let path = Path::parse(paths.value(row)).map_err(object_store::Error::from)?;
        manifest.add(within(root, &path), rows.value(row), bytes.value(row));
    }
    Ok(())
}
