//! A query that runs on a cluster, and outlives what dies there.

use super::job::{Failed, Job, Places, fetch, is_gone};
use super::write::{Parts, Write};
use ballista_core::extension::SessionConfigExt;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::{ExecuteQueryParams, KeyValuePair};
use datafusion::arrow::array::{RecordBatch, UInt64Array};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{internal_err, plan_datafusion_err};
use datafusion::config::ConfigEntry;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PhysicalExpr, PlanProperties,
};
use datafusion::prelude::SessionConfig;
use datafusion_proto::logical_plan::AsLogicalPlan;
use datafusion_proto::protobuf::LogicalPlanNode;
use futures::{Stream, StreamExt, TryStreamExt, stream};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use trevni_datafusion::WriteOptions;

/// How often a query is asked that loses executors.
const ATTEMPTS: usize = 8;
/// How long a scheduler may be gone.
const RETURN: Duration = Duration::from_secs(5);
/// How long to wait before one is looked for again.
const PAUSE: Duration = Duration::from_millis(250);
/// Bytes of a result that are held before the first row is given: until then, the query can be asked again.
const HELD: usize = 32 << 20;

/// Runs a statement on a cluster. If executors die, it is asked again, unless rows have been given already.
#[derive(Debug)]
pub(crate) struct ClusterExec {
    scheduler: String,
    plan: LogicalPlan,
    write: Write,
    session: String,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
    job: Arc<Mutex<Option<String>>>,
}

impl ClusterExec {
    pub(super) fn new(scheduler: String, plan: LogicalPlan, write: Write, session: String) -> Self {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(Arc::clone(plan.schema().inner())),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        let (properties, job) = (Arc::new(properties), Arc::default());
        Self { scheduler, plan, write, session, properties, metrics: ExecutionPlanMetricsSet::new(), job }
    }

    /// The job that runs or ran, if one was begun.
    pub(crate) fn job(&self) -> Option<String> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn asked(&self, context: &TaskContext) -> Result<Asked> {
        let config = context.session_config();
        let codec = config.ballista_logical_extension_codec();
        let message = LogicalPlanNode::try_from_logical_plan(&self.plan, codec.as_ref())?;
        let mut plan = Vec::new();
        message.try_encode(&mut plan)?;
        let option = |ConfigEntry { key, value, .. }: ConfigEntry| KeyValuePair { key, value };
        let mut settings: Vec<_> = config.options().entries().into_iter().map(option).collect();
        if let Write::Parts(parts) = &self.write {
            settings.retain(|option| option.key != WriteOptions::WRITE);
            let write = Some(parts.id.to_string());
            settings.push(KeyValuePair { key: WriteOptions::WRITE.to_owned(), value: write });
        }
        let query = ExecuteQueryParams {
            query: Some(Query::LogicalPlan(plan)),
            settings,
            session_id: self.session.clone(),
            operation_id: String::new(),
        };
        Ok(Asked {
            scheduler: self.scheduler.clone(),
            query,
            schema: self.schema(),
            write: self.write.clone(),
            config: config.clone(),
            job: Arc::clone(&self.job),
        })
    }
}

impl DisplayAs for ClusterExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClusterExec: scheduler={}\n{}", self.scheduler, self.plan.display_indent())
    }
}

impl ExecutionPlan for ClusterExec {
    fn name(&self) -> &'static str {
        "ClusterExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if children.is_empty() { Ok(self) } else { internal_err!("a query on a cluster has no inputs here") }
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let asked = self.asked(&context)?;
        let count = MetricBuilder::new(&self.metrics).output_rows(partition);
        let rows = stream::once(asked.rows()).try_flatten();
        let rows = rows.inspect_ok(move |batch| count.add(batch.num_rows()));
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }
}

/// A statement as it is sent.
struct Asked {
    scheduler: String,
    query: ExecuteQueryParams,
    schema: SchemaRef,
    write: Write,
    config: SessionConfig,
    job: Arc<Mutex<Option<String>>>,
}

type Rows = stream::BoxStream<'static, Result<RecordBatch>>;

impl Asked {
    /// The rows, of the first attempt that has them.
    async fn rows(self) -> Result<Rows> {
        if let Write::Parts(parts) = &self.write
            && !parts.is_own
            && let Some(rows) = parts.rows().await?
        {
            return self.count(rows);
        }
        let mut gone: Option<Instant> = None;
        let mut losses = 0;
        loop {
            let failed = match self.attempt().await {
                Ok(rows) => return Ok(rows),
                Err(failed) => failed,
            };
            let error = match failed {
                Failed::Query(error) => return Err(error),
                Failed::Empty => {
                    self.failed("the cluster has no executor: the last one has died, or has not come yet")
                }
                Failed::Lost(why) => {
                    gone = None;
                    losses += 1;
                    if losses < ATTEMPTS && self.can_be_asked_again() {
                        log::warn!("the query is asked again: {why}");
                        continue;
                    }
                    self.failed(&format!("executors died {losses} times while the query ran: {why}"))
                }
                Failed::Scheduler(why) => {
                    let since = *gone.get_or_insert_with(Instant::now);
                    if since.elapsed() < RETURN && self.can_be_asked_again() {
                        sleep(PAUSE).await;
                        continue;
                    }
                    self.failed(&format!("the scheduler {} is gone: {why}", self.scheduler))
                }
            };
            return match &self.write {
                Write::Parts(parts) => self.settled(parts, error).await,
                _ => Err(error),
            };
        }
    }

    fn can_be_asked_again(&self) -> bool {
        !matches!(self.write, Write::Other)
    }

    fn failed(&self, why: &str) -> DataFusionError {
        let more = if self.can_be_asked_again() { "" } else { "; files may have been written in part" };
        DataFusionError::Execution(format!("{why}{more}"))
    }

    /// What came of a write whose job is lost: its rows if it is committed, or else the error.
    async fn settled(&self, parts: &Parts, error: DataFusionError) -> Result<Rows> {
        let (why, id) = (error.strip_backtrace(), &parts.id);
        match parts.end().await {
            Ok(Some(rows)) => self.count(rows),
            Ok(None) if parts.is_own => {
                Err(DataFusionError::Execution(format!("{why}; nothing of the write {id} counts")))
            }
            Ok(None) => Err(DataFusionError::Execution(format!(
                "{why}; the write {id} is not committed: given again, it counts once"
            ))),
            Err(end) => Err(DataFusionError::Execution(format!(
                "{why}; and whether the write {id} is committed is not known: {}",
                end.strip_backtrace()
            ))),
        }
    }

    /// The answer of a write.
    fn count(&self, rows: u64) -> Result<Rows> {
        let rows =
            RecordBatch::try_new(Arc::clone(&self.schema), vec![Arc::new(UInt64Array::from(vec![rows]))])?;
        Ok(stream::once(async { Ok(rows) }).boxed())
    }

    /// One job.
    async fn attempt(&self) -> Result<Rows, Failed> {
        let mut job = Job::begin(&self.scheduler, self.query.clone(), &self.config).await?;
        *self.job.lock().unwrap_or_else(PoisonError::into_inner) = Some(job.id().to_owned());
        let places = job.end().await?;
        let mut rows = self.fetched(places.clone()).boxed();
        let (mut held, mut bytes) = (Vec::new(), 0);
        while bytes < HELD {
            match rows.next().await {
                None => return Ok(stream::iter(held.into_iter().map(Ok)).boxed()),
                Some(Ok(batch)) => {
                    bytes += batch.get_array_memory_size();
                    held.push(batch);
                }
                Some(Err(error)) if is_gone(&places).await => return Err(Failed::Lost(error.to_string())),
                Some(Err(error)) => return Err(Failed::Query(error)),
            }
        }
        let rest = rows.map_err(|error| {
            let why = "an executor died that had rows of the result: those that came are not all";
            plan_datafusion_err!("{why} ({})", error.strip_backtrace())
        });
        Ok(stream::iter(held.into_iter().map(Ok)).chain(rest).boxed())
    }

    /// The rows of partitions, one after the other.
    fn fetched(&self, places: Places) -> impl Stream<Item = Result<RecordBatch>> + use<> {
        let config = self.config.clone();
        stream::iter(places).then(move |place| fetch(place, config.clone())).try_flatten()
    }
}
