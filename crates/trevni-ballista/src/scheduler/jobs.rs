//! What is known of jobs, and of the cluster that runs them.

use super::executors::Executors;
use async_trait::async_trait;
use ballista_core::error::Result;
use ballista_core::serde::protobuf::JobStatus;
use ballista_core::{JobId, JobStatusSubscriber};
use ballista_scheduler::cluster::memory::InMemoryJobState;
use ballista_scheduler::cluster::{JobState, JobStateEventStream};
use ballista_scheduler::state::execution_graph::ExecutionGraphBox;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// The job that a client asks for to hear how the executors are: the services of Ballista have no other place for that.
pub(crate) const CLUSTER: &str = "trevni-cluster";

/// How the executors of a cluster are, as a client hears it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// How many have been lost since the scheduler began.
    pub(crate) lost: u64,
    /// Whether there has been none for as long as a silent one is waited for.
    pub(crate) is_empty: bool,
}

impl Told {
    /// Reads what the scheduler says of the job [`CLUSTER`]; `None` for other schedulers.
    pub(crate) fn of(status: &JobStatus) -> Option<Self> {
        let (lost, is_empty) = status.job_name.split_once(' ')?;
        let told = Self { lost: lost.parse().ok()?, is_empty: is_empty.parse().ok()? };
        (status.job_id == CLUSTER).then_some(told)
    }

    fn to_status(self) -> JobStatus {
        let told = format!("{} {}", self.lost, self.is_empty);
        JobStatus { job_id: CLUSTER.to_owned(), job_name: told, ..JobStatus::default() }
    }
}

/// Jobs in memory, and an answer to how the executors are.
pub(super) struct Jobs {
    jobs: InMemoryJobState,
    executors: Arc<Executors>,
    /// How long an executor may be silent.
    patience: Duration,
}

impl Jobs {
    pub(super) fn new(jobs: InMemoryJobState, executors: Arc<Executors>, patience: Duration) -> Self {
        Self { jobs, executors, patience }
    }
}

#[async_trait]
impl JobState for Jobs {
    async fn get_job_status(&self, job_id: &JobId) -> Result<Option<JobStatus>> {
        if job_id.as_str() == CLUSTER {
            return Ok(Some(self.executors.told(self.patience).to_status()));
        }
        self.jobs.get_job_status(job_id).await
    }

    fn accept_job(&self, job_id: &JobId, job_name: &str, queued_at: u64) -> Result<()> {
        self.jobs.accept_job(job_id, job_name, queued_at)
    }

    fn pending_job_number(&self) -> usize {
        self.jobs.pending_job_number()
    }

    async fn submit_job(
        &self,
        job_id: JobId,
        graph: &ExecutionGraphBox,
        subscriber: Option<JobStatusSubscriber>,
    ) -> Result<()> {
        self.jobs.submit_job(job_id, graph, subscriber).await
    }

    async fn get_jobs(&self) -> Result<HashSet<JobId>> {
        self.jobs.get_jobs().await
    }

    async fn get_all_jobs(&self) -> Result<HashSet<JobId>> {
        self.jobs.get_all_jobs().await
    }

    async fn get_execution_graph(&self, job_id: &JobId) -> Result<Option<ExecutionGraphBox>> {
        self.jobs.get_execution_graph(job_id).await
    }

    async fn save_job(&self, job_id: &JobId, graph: &ExecutionGraphBox) -> Result<()> {
        self.jobs.save_job(job_id, graph).await
    }

    async fn fail_unscheduled_job(&self, job_id: &JobId, reason: String) -> Result<()> {
        self.jobs.fail_unscheduled_job(job_id, reason).await
    }

    async fn remove_job(&self, job_id: &JobId) -> Result<()> {
        self.jobs.remove_job(job_id).await
    }

    async fn try_acquire_job(&self, job_id: &JobId) -> Result<Option<ExecutionGraphBox>> {
        self.jobs.try_acquire_job(job_id).await
    }

    async fn job_state_events(&self) -> Result<JobStateEventStream> {
        self.jobs.job_state_events().await
    }

    async fn create_or_update_session(
        &self,
        id: &str,
        config: &SessionConfig,
    ) -> Result<Arc<SessionContext>> {
        self.jobs.create_or_update_session(id, config).await
    }

    async fn remove_session(&self, session_id: &str) -> Result<()> {
        self.jobs.remove_session(session_id).await
    }

    fn produce_config(&self) -> SessionConfig {
        self.jobs.produce_config()
    }
}
