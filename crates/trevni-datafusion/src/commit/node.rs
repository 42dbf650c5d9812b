//! The second half of a write: the parts of all partitions count from one moment on.

use super::clean::remove_losers;
use super::manifests::{put, root_of, within};
use super::parts::{Parts, WRITTEN};
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
use trevni::dataset::{WriteId, WriteManifest};

/// Commits a write: stores the manifest of the parts that [`WritePartsExec`](super::WritePartsExec)s have written, unless there is
/// one, which then counts. The number of rows comes out.
#[derive(Debug)]
pub struct CommitExec {
    input: Arc<dyn ExecutionPlan>,
    place: FileSinkConfig,
    write: WriteId,
    properties: Arc<PlanProperties>,
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
        Ok(Self { input, place, write, properties: Arc::new(properties) })
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
        Ok(Arc::new(Self::try_new(one(children)?, self.place.clone(), self.write.clone())?))
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
        let count = async move {
            let count = UInt64Array::from(vec![commit(parts, &place, &write, &context).await?]);
            Ok(RecordBatch::try_new(schema, vec![Arc::new(count)])?)
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), stream::once(count).boxed())))
    }
}

/// Commits the parts; gives the number of their rows.
async fn commit(
    mut parts: SendableRecordBatchStream,
    place: &FileSinkConfig,
    write: &WriteId,
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
    if manifest.parts().is_empty() && place.file_group.is_empty() {
        add(&mut manifest, &empty(place, write, context).await?, &root)?;
    }
    let manifest = put(&store, &root, write, manifest).await.map_err(|error| in_file(folder, error))?;
    let Some(rows) = manifest.row_count() else {
        return exec_err!(
            "{folder}: the write {write} took so long that it was given up, and its parts were removed"
        );
    };
    // That they are still there is no harm: they do not count.
    let _ = remove_losers(&store, folder, write, &manifest).await;
    Ok(rows)
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
