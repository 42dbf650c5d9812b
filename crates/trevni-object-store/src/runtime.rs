//! Waits for what is asynchronous, in whatever thread.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{LazyLock, mpsc};
use std::task::{Context, Poll, ready};
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

/// Runs a task in the threads of the crate, so that any executor may wait for it. It begins at once, and ends when this is dropped.
pub(crate) fn run<T: Send + 'static>(
    task: impl Future<Output = T> + Send + 'static,
) -> io::Result<Running<T>> {
    start(task).map(Running)
}

/// A task that has begun.
#[derive(Debug)]
pub(crate) struct Running<T>(JoinHandle<T>);

impl<T> Future for Running<T> {
    type Output = io::Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(ready!(Pin::new(&mut self.0).poll(context)).map_err(io::Error::other))
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
