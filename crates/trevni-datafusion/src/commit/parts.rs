//! The first half of a write: each partition writes parts of its own, and says which.

use crate::{TrevniFormat, TrevniSink};
use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::physical_plan::{FileOutputMode, FileSinkConfig};
use datafusion::datasource::sink::DataSink;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{Distribution, EquivalenceProperties, LexRequirement, OrderingRequirements};
use datafusion::physical_plan::execution_plan::{EvaluationType, SchedulingType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties,
    InputDistributionRequirements, Partitioning, PhysicalExpr, PlanProperties, ReplaceChildrenOptions,
    execute_input_stream,
};
use futures::{StreamExt, stream};
use object_store::path::Path;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use trevni::dataset::WriteId;

/// What comes out: a row for each part.
pub(super) static WRITTEN: LazyLock<SchemaRef> = LazyLock::new(|| {
    let field = |name: &str, data_type| Field::new(name, data_type, false);
    let fields =
        [field("path", DataType::Utf8), field("rows", DataType::UInt64), field("bytes", DataType::UInt64)];
    Arc::new(Schema::new(fields.to_vec()))
});

/// The parts of one attempt of one partition: their names, and those that are written.
#[derive(Debug)]
pub(crate) struct Parts {
    write: WriteId,
    attempt: u64,
    next: AtomicUsize,
    written: Mutex<Vec<(Path, u64, u64)>>,
}

impl Parts {
    pub(super) fn new(write: &WriteId) -> Self {
        let (attempt, next, written) = (WriteId::attempt(), AtomicUsize::new(0), Mutex::default());
        Self { write: write.clone(), attempt, next, written }
    }

    /// The name of the next part, in the folder of a file.
    pub(crate) fn place(&self, file: &Path) -> Path {
        let mut folders: Vec<_> = file.parts().collect();
        folders.pop();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        Path::from_iter(folders).join(self.write.part_name(self.attempt, number))
    }

    /// Notes that a part is there, with its rows and bytes.
    pub(crate) fn add(&self, place: Path, rows: u64, bytes: u64) {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).push((place, rows, bytes));
    }

    pub(super) fn into_batch(self) -> Result<RecordBatch> {
        let written = self.written.into_inner().unwrap_or_else(PoisonError::into_inner);
        let paths: ArrayRef =
            Arc::new(StringArray::from_iter_values(written.iter().map(|part| part.0.as_ref())));
        let rows: ArrayRef = Arc::new(UInt64Array::from_iter_values(written.iter().map(|part| part.1)));
        let bytes: ArrayRef = Arc::new(UInt64Array::from_iter_values(written.iter().map(|part| part.2)));
        Ok(RecordBatch::try_new(Arc::clone(&WRITTEN), vec![paths, rows, bytes])?)
    }
}

/// Writes the rows of each partition to parts of a write, to as few as can be in the mode [`FileOutputMode::Directory`]: a row comes out for each part, its path, rows and bytes. They count once a
/// [`CommitExec`](super::CommitExec) has committed the write.
#[derive(Debug)]
pub struct WritePartsExec {
    input: Arc<dyn ExecutionPlan>,
    place: FileSinkConfig,
    format: TrevniFormat,
    write: WriteId,
    order: Option<LexRequirement>,
    is_single: bool,
    properties: Arc<PlanProperties>,
}

impl WritePartsExec {
    /// Writes the rows of a plan; all parts have the order, if one is wanted.
    #[must_use]
    pub fn new(
        input: Arc<dyn ExecutionPlan>,
        place: FileSinkConfig,
        format: TrevniFormat,
        write: WriteId,
        order: Option<LexRequirement>,
    ) -> Self {
        let partitions = input.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(&WRITTEN)),
            Partitioning::UnknownPartitioning(partitions),
            input.pipeline_behavior(),
            input.boundedness(),
        );
        let properties = properties
            .with_scheduling_type(SchedulingType::Cooperative)
            .with_evaluation_type(EvaluationType::Eager);
        Self { input, place, format, write, order, is_single: false, properties: Arc::new(properties) }
    }

    /// Of all rows, whatever the partitions of the plan.
    pub(crate) fn in_one_partition(self, is_single: bool) -> Self {
        Self { is_single, ..self }
    }

    fn distribution(&self) -> Distribution {
        if self.is_single { Distribution::SinglePartition } else { Distribution::UnspecifiedDistribution }
    }

    /// Where the parts go.
    #[must_use]
    pub fn place(&self) -> &FileSinkConfig {
        &self.place
    }

    /// How they are written.
    #[must_use]
    pub fn format(&self) -> &TrevniFormat {
        &self.format
    }

    /// The write.
    #[must_use]
    pub fn write(&self) -> &WriteId {
        &self.write
    }
}

impl DisplayAs for WritePartsExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<&str> = self.place.table_paths.iter().map(|path| path.as_str()).collect();
        write!(f, "WritePartsExec: paths=[{}]", paths.join(", "))
    }
}

impl ExecutionPlan for WritePartsExec {
    fn name(&self) -> &'static str {
        "WritePartsExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    /// Partitions are those of the query: to have more would put its rows out of order.
    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn required_input_distribution(&self) -> Vec<Distribution> {
        vec![self.distribution()]
    }

    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        InputDistributionRequirements::new(vec![self.distribution()])
    }

    fn required_input_ordering(&self) -> Vec<Option<OrderingRequirements>> {
        vec![self.order.clone().map(Into::into)]
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![false]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let input = super::node::one(children)?;
        let (place, format) = (self.place.clone(), self.format.clone());
        let again = Self::new(input, place, format, self.write.clone(), self.order.clone());
        Ok(Arc::new(again.in_one_partition(self.is_single)))
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
        let schema = Arc::clone(self.place.output_schema());
        let rows = execute_input_stream(Arc::clone(&self.input), schema, partition, Arc::clone(&context))?;
        let partitions = self.properties.partitioning.partition_count();
        let few = self.place.file_output_mode == FileOutputMode::Directory;
        let context = Arc::new(of_partition(&context, if few { usize::MAX } else { partitions })?);
        let parts = Arc::new(Parts::new(&self.write));
        let sink = TrevniSink::of_parts(self.place.clone(), &self.format, Arc::clone(&parts));
        let written = async move {
            DataSink::write_all(&sink, rows, &context).await?;
            drop(sink);
            let parts = Arc::try_unwrap(parts);
            parts
                .map_err(|_| datafusion::common::internal_datafusion_err!("parts are still written"))?
                .into_batch()
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&WRITTEN), stream::once(written).boxed())))
    }
}

/// The context of one of some partitions, which have the files that a query has at least together.
fn of_partition(context: &TaskContext, partitions: usize) -> Result<TaskContext> {
    let mut config = context.session_config().clone();
    let files = config.options().execution.minimum_parallel_output_files.get();
    let own = files.div_ceil(partitions.max(1)).max(1);
    config.options_mut().set("datafusion.execution.minimum_parallel_output_files", &own.to_string())?;
    Ok(TaskContext::default().with_session_config(config).with_runtime(context.runtime_env()))
}
