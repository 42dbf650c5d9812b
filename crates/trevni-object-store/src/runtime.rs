//! Waits for what is asynchronous, in whatever thread.

use std::future::Future;
use std::io;
use std::sync::{LazyLock, mpsc};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// Threads that wait for the network, which hardly compute.
const THREADS: usize = 2;

static RUNTIME: LazyLock<io::Result<Runtime>> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(THREADS).thread_name("object-store").enable_all().build()
});

fn runtime() -> io::Result<&'static Runtime> {
    RUNTIME.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))
}

/// Runs a task to its end, in the threads of the crate; so the caller may be within a runtime of its own.
pub(crate) fn wait<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> io::Result<T> {
    let (done, result) = mpsc::sync_channel(1);
    runtime()?.spawn(async move { done.send(task.await) });
    result.recv().map_err(|_| io::Error::other("a task of the object store has ended early"))
}

/// Starts a task.
pub(crate) fn start<T: Send + 'static>(
    task: impl Future<Output = T> + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Ok(runtime()?.spawn(task))
}
