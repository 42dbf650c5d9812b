//! A query that runs beside what prints its rows.

use super::stoppable::stoppable;
use crate::client::cancel;
use datafusion::arrow::array::RecordBatch;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use futures::StreamExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use trevni_print::progress::note;

/// Batches that wait to be printed.
const WAITING: usize = 4;
/// How long a query that is stopped may take to end, and a write to put away what it has begun.
const PATIENCE: Duration = Duration::from_millis(800);
const PATIENCE_OF_WRITES: Duration = Duration::from_secs(5);

/// The task of a query.
pub(super) struct Running {
    task: Option<JoinHandle<()>>,
    /// Whether it is stopped.
    stopped: Arc<AtomicBool>,
    /// What runs.
    plan: Option<Arc<dyn ExecutionPlan>>,
    /// The scheduler of the cluster that queries run on.
    scheduler: Option<String>,
}

impl Running {
    /// Nothing yet, in this process or on the cluster of a scheduler.
    pub(super) fn on(scheduler: Option<String>) -> Self {
        Self { task: None, stopped: Arc::default(), plan: None, scheduler }
    }

    /// Starts a plan; its batches come as they are asked for.
    pub(super) fn start(
        &mut self,
        plan: Arc<dyn ExecutionPlan>,
        context: Arc<TaskContext>,
    ) -> mpsc::Receiver<Result<RecordBatch>> {
        let (send, batches) = mpsc::channel(WAITING);
        self.plan = Some(Arc::clone(&plan));
        self.stopped = Arc::default();
        let stopped = Arc::clone(&self.stopped);
        self.task = Some(tokio::spawn(async move {
            let failed = match stoppable(plan, &stopped).and_then(|plan| execute_stream(plan, context)) {
                Ok(mut stream) => loop {
                    match stream.next().await {
                        None => break None,
                        Some(Err(error)) => break Some(error),
                        Some(batch) => {
                            // Nobody waits for rows any more.
                            if send.send(batch).await.is_err() {
                                break None;
                            }
                        }
                    }
                },
                Err(error) => Some(error),
            };
            if let Some(error) = failed {
                let _ = send.send(Err(error)).await;
            }
        }));
        batches
    }

    /// Waits for the end of a query whose batches have all come.
    pub(super) async fn end(&mut self) -> Result<()> {
        self.plan = None;
        match self.task.take() {
            Some(task) => task.await.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error))),
            None => Ok(()),
        }
    }

    /// Stops a query, if one runs, and waits until it has put away what it has begun.
    pub(super) async fn stop(&mut self) {
        let plan = self.plan.take();
        let Some(task) = self.task.take() else { return };
        self.stopped.store(true, Ordering::Relaxed);
        task.abort();
        // What takes longer ends with the program.
        let writes = plan.as_ref().is_some_and(|plan| ["CommitExec", "DataSinkExec"].contains(&plan.name()));
        let _ = within(if writes { PATIENCE_OF_WRITES } else { PATIENCE }, task).await;
        if let (Some(plan), Some(scheduler)) = (plan, &self.scheduler)
            && let Some(Err(error)) = within(PATIENCE_OF_WRITES, cancel(scheduler, &plan)).await
        {
            note(format_args!("the query may go on running on the cluster: {error}"));
        }
    }
}

/// The output of a future; `None` if it takes longer than `time`. A thread of its own keeps time, since all threads of the runtime may be busy.
async fn within<T>(time: Duration, future: impl Future<Output = T>) -> Option<T> {
    let (send, over) = oneshot::channel::<()>();
    let clock = std::thread::Builder::new().spawn(move || {
        std::thread::sleep(time);
        drop(send);
    });
    tokio::select! {
        value = future => Some(value),
        _ = over, if clock.is_ok() => None,
    }
}
