//! Ends jobs that have come to a stand, so that their clients can ask again.

use super::executors::Executors;
use ballista_core::JobId;
use ballista_core::serde::protobuf::UpdateTaskStatusParams;
use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpc;
use ballista_scheduler::cluster::ClusterState;
use ballista_scheduler::scheduler_server::SchedulerServer;
use ballista_scheduler::state::execution_graph::ExecutionGraphBox;
use ballista_scheduler::state::execution_stage::ExecutionStage;
use datafusion::error::{DataFusionError, Result};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};
use tonic::Request;

/// How often jobs are looked at.
const TICK: Duration = Duration::from_secs(1);
/// How often in a row a job may stand still: events that are on their way may set it going.
const STRIKES: u32 = 3;

/// How a job is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// Tasks run, or all are done.
    Runs,
    /// Tasks could run, and none does.
    Waits,
    /// Nothing runs and nothing can, or a task runs on an executor that is gone.
    Stands,
}

fn state(job: &ExecutionGraphBox, working: &HashSet<String>) -> State {
    let running = job.running_tasks();
    if job.is_successful() {
        return State::Runs;
    }
    if running.iter().any(|task| !working.contains(&task.executor_id)) {
        return State::Stands;
    }
    let can_start = job.stages().values().any(|stage| matches!(stage, ExecutionStage::Resolved(_)));
    match (running.is_empty(), can_start || job.available_tasks() > 0) {
        (false, _) => State::Runs,
        (true, true) => State::Waits,
        (true, false) => State::Stands,
    }
}

/// Looks at jobs for as long as the scheduler runs.
///
/// # Errors
///
/// A scheduler that no longer does what it is told to.
pub(super) async fn watch(
    scheduler: SchedulerServer<LogicalPlanNode, PhysicalPlanNode>,
    executors: Arc<Executors>,
) -> Result<()> {
    let mut strikes: HashMap<JobId, u32> = HashMap::new();
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let working = executors.working().await;
        let jobs = scheduler.state.task_manager.get_running_job_cache();
        strikes.retain(|job, _| jobs.contains_key(job));
        let mut waits = false;
        for (id, job) in jobs.iter() {
            let state = state(&*job.execution_graph.read().await, &working);
            waits |= state == State::Waits;
            if state != State::Stands {
                strikes.remove(id);
                continue;
            }
            let strikes = strikes.entry(id.clone()).or_default();
            *strikes += 1;
            if *strikes == STRIKES {
                log::warn!("job {id} has come to a stand, and is ended");
                let ended = scheduler.cancel_job(id.clone()).await;
                ended.map_err(|error| DataFusionError::External(error.into()))?;
            }
        }
        if waits && let Some(executor) = executors.registered_executor_metadata().await.pop() {
            // News without content, after which tasks are given out.
            let nothing = UpdateTaskStatusParams { executor_id: executor.id, task_status: Vec::new() };
            let _ = SchedulerGrpc::update_task_status(&scheduler, Request::new(nothing)).await;
        }
    }
}
