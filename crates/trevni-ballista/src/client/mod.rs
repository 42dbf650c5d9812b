//! A session whose queries run on a cluster.

mod job;
mod place;
mod query;
mod write;

use crate::cluster::{configured, runtime};
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::execution_plans::DistributedQueryExec;
use ballista_core::planner::BallistaQueryPlanner;
use datafusion::catalog::Session;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::datasource::file_format::{file_type_to_format, format_as_file_type};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::LogicalPlan;
use datafusion::logical_expr::dml::CopyTo;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner};
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::protobuf::LogicalPlanNode;
use query::ClusterExec;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use trevni_datafusion::TrevniFormatFactory;
use write::Write;

/// How long a scheduler may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// A session whose queries run on the cluster of a scheduler, given as `HOST:PORT`. It knows Trevni as a session of
/// [`trevni_datafusion::session_context`] does; statements that make tables run in this process, so the files of tables
/// must be in the same place for it as for the cluster.
///
/// # Errors
///
/// An invalid address, and a scheduler that does not answer within five seconds.
pub async fn connect(scheduler: &str) -> Result<SessionContext> {
    connect_with(scheduler, SessionConfig::new_with_ballista()).await
}

/// As [`connect`], with options of the session.
///
/// # Errors
///
/// As [`connect`].
pub async fn connect_with(scheduler: &str, config: SessionConfig) -> Result<SessionContext> {
    reach(scheduler).await?;
    let config = configured(config.upgrade_for_ballista());
    let planner = BallistaQueryPlanner::<LogicalPlanNode>::with_extension(
        format!("http://{scheduler}"),
        config.ballista_config(),
        config.ballista_logical_extension_codec(),
    );
    let config = config
        .with_ballista_query_planner(Arc::new(Planner { cluster: planner, scheduler: scheduler.to_owned() }));
    let state = SessionStateBuilder::new().with_config(config).with_runtime_env(runtime().build_arc()?);
    let state = state.with_default_features().build();
    let session = SessionContext::remote_with_state(&format!("df://{scheduler}"), state).await?;
    trevni_datafusion::register(&session)?;
    Ok(session)
}

/// Whether a scheduler answers.
pub(crate) async fn reach(scheduler: &str) -> Result<()> {
    let failed = |why: String| {
        let hint = "start it with trevni-scheduler, or name another with HOST:PORT";
        DataFusionError::Execution(format!("the scheduler {scheduler} does not answer: {why}; {hint}"))
    };
    match tokio::time::timeout(PATIENCE, TcpStream::connect(scheduler)).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Err(_) => Err(failed(format!("nothing came in {} seconds", PATIENCE.as_secs()))),
    }
}

/// Cancels the jobs that run for a plan on a cluster. A stream of its rows that is dropped cancels none.
///
/// # Errors
///
/// A scheduler that does not answer, or refuses.
pub(crate) async fn cancel(scheduler: &str, plan: &Arc<dyn ExecutionPlan>) -> Result<()> {
    let mut jobs = Vec::new();
    plan.apply(|node| {
        jobs.extend(node.downcast_ref::<ClusterExec>().and_then(ClusterExec::job));
        let query = node.downcast_ref::<DistributedQueryExec<LogicalPlanNode>>();
        jobs.extend(query.and_then(DistributedQueryExec::job_id).map(String::from));
        Ok(TreeNodeRecursion::Continue)
    })?;
    for job in jobs {
        job::cancel(scheduler, &job).await?;
    }
    Ok(())
}

/// Sends plans to the scheduler, with what plans do not send by themselves: options of `COPY`, and the identity of a write.
struct Planner {
    cluster: BallistaQueryPlanner<LogicalPlanNode>,
    scheduler: String,
}

impl fmt::Debug for Planner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cluster.fmt(f)
    }
}

#[async_trait::async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if place::is_here(plan)? {
            return DefaultPhysicalPlanner::default().create_physical_plan(plan, session).await;
        }
        let plan = plan.clone().transform_up(|node| Ok(with_options(node)))?.data;
        let planned = self.cluster.create_physical_plan(&plan, session).await?;
        if planned.downcast_ref::<DistributedQueryExec<LogicalPlanNode>>().is_none() {
            return Ok(planned);
        }
        let (scheduler, write) = (self.scheduler.clone(), Write::of(&plan, session)?);
        Ok(Arc::new(ClusterExec::new(scheduler, plan, write, session.session_id().to_owned())))
    }
}

/// A `COPY` to Trevni files whose format has the options of the statement.
fn with_options(node: LogicalPlan) -> Transformed<LogicalPlan> {
    let LogicalPlan::Copy(copy) = node else { return Transformed::no(node) };
    let factory = file_type_to_format(&copy.file_type).ok();
    let factory = factory.as_ref().and_then(|factory| factory.downcast_ref::<TrevniFormatFactory>());
    let Some(factory) = factory.filter(|_| !copy.options.is_empty()).cloned() else {
        return Transformed::no(LogicalPlan::Copy(copy));
    };
    let factory = factory.with_options(copy.options.clone());
    let CopyTo { input, output_url, partition_by, options, .. } = copy;
    let file_type = format_as_file_type(Arc::new(factory));
    Transformed::yes(LogicalPlan::Copy(CopyTo::new(input, output_url, partition_by, file_type, options)))
}
