//! Which executors there are, which of them have died, and what they have room for.

use super::jobs::Told;
use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::error::Result;
use ballista_core::serde::protobuf::{ExecutorHeartbeat, task_status};
use ballista_core::serde::scheduler::{ExecutorData, ExecutorMetadata};
use ballista_scheduler::cluster::memory::InMemoryClusterState;
use ballista_scheduler::cluster::{BoundTask, ClusterState, ClusterStateEventStream, ExecutorSlot};
use ballista_scheduler::config::TaskDistributionPolicy;
use ballista_scheduler::scheduler_server::SchedulerServer;
use ballista_scheduler::state::execution_graph::ExecutionGraphBox;
use ballista_scheduler::state::execution_stage::ExecutionStage;
use ballista_scheduler::state::task_manager::JobInfoCache;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

/// How long a connection may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long to wait before an executor is connected to again that closed a connection.
const PAUSE: Duration = Duration::from_millis(100);

/// The executors of a cluster, in memory.
///
/// Three things are not as in [`InMemoryClusterState`].
///
/// * An executor is dead when its port is closed. An open connection to it detects this at once.
/// * A job with tasks on a lost executor fails, and its client runs the query again. Ballista would restart only the lost stages; their
///   tasks then share names and files with tasks that still run.
/// * Free slots of an executor are computed from its running tasks when tasks are assigned.
pub(super) struct Executors {
    known: InMemoryClusterState,
    own: Weak<Self>,
    scheduler: OnceLock<Scheduler>,
    watched: Mutex<Watched>,
    lost: AtomicU64,
}

type Scheduler = SchedulerServer<LogicalPlanNode, PhysicalPlanNode>;

struct Watched {
    dead: HashSet<String>,
    /// Since when there has been no executor.
    empty: Option<Instant>,
}

impl Executors {
    pub(super) fn new() -> Arc<Self> {
        let watched = Watched { dead: HashSet::new(), empty: Some(Instant::now()) };
        Arc::new_cyclic(|own| Self {
            known: InMemoryClusterState::default(),
            own: own.clone(),
            scheduler: OnceLock::new(),
            watched: Mutex::new(watched),
            lost: AtomicU64::new(0),
        })
    }

    /// Says which scheduler has the jobs.
    pub(super) fn serve(&self, scheduler: Scheduler) {
        let _ = self.scheduler.set(scheduler);
    }

    /// Ends the jobs that have had tasks on an executor.
    async fn end_jobs(&self, executor: &str) -> Result<()> {
        let Some(scheduler) = self.scheduler.get() else { return Ok(()) };
        for (id, job) in scheduler.state.task_manager.get_running_job_cache().iter() {
            if has_tasks(&*job.execution_graph.read().await, executor) {
                log::warn!("job {id} ends: it had tasks on executor {executor}");
                scheduler.cancel_job(id.clone()).await?;
            }
        }
        Ok(())
    }

    /// How the executors are, of which each may be silent for some time.
    pub(super) fn told(&self, patience: Duration) -> Told {
        let is_empty = self.watched().empty.is_some_and(|since| since.elapsed() >= patience);
        Told { lost: self.lost.load(Ordering::Relaxed), is_empty }
    }

    /// The executors that work, as far as is known.
    pub(super) async fn working(&self) -> HashSet<String> {
        let known = self.known.registered_executor_metadata().await;
        let watched = self.watched();
        known.into_iter().map(|executor| executor.id).filter(|id| !watched.dead.contains(id)).collect()
    }

    fn watched(&self) -> std::sync::MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that nobody listens on the port of an executor.
    fn is_dead(&self, executor: &ExecutorMetadata) {
        log::warn!("executor {} at {}:{} has died", executor.id, executor.host, executor.grpc_port);
        self.lost.fetch_add(1, Ordering::Relaxed);
        self.watched().dead.insert(executor.id.clone());
    }
}

/// Keeps a connection to an executor open for as long as it is known, and notes when it has died: the system closes the connections of
/// a process that ends, and refuses others.
async fn watch(executors: Weak<Executors>, executor: ExecutorMetadata) {
    let address = (executor.host.clone(), executor.grpc_port);
    loop {
        let connected = timeout(PATIENCE, TcpStream::connect((address.0.as_str(), address.1))).await;
        let is_refused = match connected {
            Ok(Ok(mut connection)) => {
                let mut bytes = [0; 256];
                while connection.read(&mut bytes).await.is_ok_and(|read| read > 0) {}
                false
            }
            Ok(Err(error)) => error.kind() == ErrorKind::ConnectionRefused,
            Err(_) => false,
        };
        let Some(executors) = executors.upgrade() else { return };
        if executors.known.get_executor_metadata(&executor.id).await.is_err() {
            return;
        }
        if is_refused {
            return executors.is_dead(&executor);
        }
        sleep(PAUSE).await;
    }
}

/// Whether a job has, or had, tasks on an executor.
fn has_tasks(job: &ExecutionGraphBox, executor: &str) -> bool {
    let tasks = job.stages().values().filter_map(ExecutionStage::task_infos).flatten();
    tasks.into_iter().any(|task| match &task.task_status {
        task_status::Status::Running(task) => task.executor_id == executor,
        task_status::Status::Successful(task) => task.executor_id == executor,
        task_status::Status::Failed(_) => false,
    })
}

/// Virtual cores that running tasks take, by executor.
async fn taken(jobs: &HashMap<JobId, JobInfoCache>) -> HashMap<String, u32> {
    let mut taken = HashMap::new();
    for job in jobs.values() {
        let graph = job.execution_graph.read().await;
        for stage in graph.stages().values() {
            let ExecutionStage::Running(stage) = stage else { continue };
            for task in &stage.task_infos {
                if let task_status::Status::Running(running) = &task.task_status {
                    *taken.entry(running.executor_id.clone()).or_default() += task.vcores_consumed;
                }
            }
        }
    }
    taken
}

#[async_trait]
impl ClusterState for Executors {
    async fn bind_schedulable_tasks(
        &self,
        distribution: TaskDistributionPolicy,
        active_jobs: Arc<HashMap<JobId, JobInfoCache>>,
        executors: Option<HashSet<String>>,
    ) -> Result<Vec<BoundTask>> {
        let taken = taken(&active_jobs).await;
        let room = InMemoryClusterState::default();
        for executor in self.known.registered_executor_metadata().await {
            let (id, total) = (executor.id.clone(), executor.specification.vcores);
            let free = total.saturating_sub(taken.get(&id).copied().unwrap_or(0));
            let room_of = ExecutorData { executor_id: id, total_vcores: total, available_vcores: free };
            room.register_executor(executor, room_of).await?;
        }
        room.bind_schedulable_tasks(distribution, active_jobs, executors).await
    }

    /// Nothing: room is counted.
    async fn unbind_tasks(&self, _: Vec<ExecutorSlot>) -> Result<()> {
        Ok(())
    }

    async fn register_executor(&self, metadata: ExecutorMetadata, spec: ExecutorData) -> Result<()> {
        self.known.register_executor(metadata.clone(), spec).await?;
        {
            let mut watched = self.watched();
            watched.dead.remove(&metadata.id);
            watched.empty = None;
        }
        log::info!("executor {} at {}:{} works", metadata.id, metadata.host, metadata.grpc_port);
        tokio::spawn(watch(self.own.clone(), metadata));
        Ok(())
    }

    async fn save_executor_metadata(&self, metadata: ExecutorMetadata) -> Result<()> {
        self.known.save_executor_metadata(metadata).await
    }

    async fn get_executor_metadata(&self, executor_id: &str) -> Result<ExecutorMetadata> {
        self.known.get_executor_metadata(executor_id).await
    }

    async fn registered_executor_metadata(&self) -> Vec<ExecutorMetadata> {
        self.known.registered_executor_metadata().await
    }

    async fn save_executor_heartbeat(&self, heartbeat: ExecutorHeartbeat) -> Result<()> {
        self.known.save_executor_heartbeat(heartbeat).await
    }

    async fn remove_executor(&self, executor_id: &str) -> Result<()> {
        self.known.remove_executor(executor_id).await?;
        // The scheduler is told of the loss after this, and by then has been told to end them.
        self.end_jobs(executor_id).await?;
        let is_empty = self.known.registered_executor_metadata().await.is_empty();
        let mut watched = self.watched();
        if !watched.dead.remove(executor_id) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        if is_empty && watched.empty.is_none() {
            watched.empty = Some(Instant::now());
        }
        Ok(())
    }

    /// As they came; those of the dead are as old as can be, so the scheduler takes them for lost when it next looks.
    fn executor_heartbeats(&self) -> HashMap<String, ExecutorHeartbeat> {
        let mut heartbeats = self.known.executor_heartbeats();
        for id in &self.watched().dead {
            if let Some(heartbeat) = heartbeats.get_mut(id) {
                heartbeat.timestamp = 0;
            }
        }
        heartbeats
    }

    fn get_executor_heartbeat(&self, executor_id: &str) -> Option<ExecutorHeartbeat> {
        self.known.get_executor_heartbeat(executor_id)
    }

    async fn cluster_state_events(&self) -> Result<ClusterStateEventStream> {
        self.known.cluster_state_events().await
    }
}
