//! Threads that do one kind of work.

use crate::error::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// Threads that take jobs and give results, in any order. Dropping the pool ends them.
///
/// There is no limit to the jobs that wait: whoever pushes looks at [`Pool::waiting`] before.
pub(crate) struct Pool<J, R> {
    /// None while the threads are being ended.
    jobs: Option<Sender<J>>,
    /// Nothing in place of a result: the job made its thread panic.
    results: Receiver<Option<R>>,
    threads: Vec<JoinHandle<()>>,
    waiting: usize,
}

impl<J: Send + 'static, R: Send + 'static> Pool<J, R> {
    /// Starts threads, each with a worker of its own.
    pub(crate) fn start<W>(count: usize, worker: impl Fn() -> W) -> Result<Self>
    where
        W: FnMut(J) -> R + Send + 'static,
    {
        let (jobs, queue) = channel();
        let (sink, results) = channel();
        let mut pool = Self { jobs: Some(jobs), results, threads: Vec::new(), waiting: 0 };
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..count {
            let (queue, sink, worker) = (Arc::clone(&queue), sink.clone(), worker());
            let thread = thread::Builder::new().name("trevni".to_owned());
            pool.threads.push(thread.spawn(move || work(&queue, &sink, worker))?);
        }
        Ok(pool)
    }

    /// Jobs whose results have not been taken yet.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Hands a job to the threads.
    pub(crate) fn push(&mut self, job: J) -> Result<()> {
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        if !sent {
            return Err(panicked());
        }
        self.waiting += 1;
        Ok(())
    }

    /// A result that is there, if there is one.
    pub(crate) fn try_next(&mut self) -> Result<Option<R>> {
        if self.waiting == 0 {
            return Ok(None);
        }
        match self.results.try_recv() {
            Ok(result) => self.took(result),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(panicked()),
        }
    }

    /// A result, waiting for it; none where no job is left.
    pub(crate) fn next(&mut self) -> Result<Option<R>> {
        if self.waiting == 0 {
            return Ok(None);
        }
        let result = self.results.recv().map_err(|_| panicked())?;
        self.took(result)
    }

    fn took(&mut self, result: Option<R>) -> Result<Option<R>> {
        self.waiting -= 1;
        result.map(Some).ok_or_else(panicked)
    }
}

impl<J, R> Drop for Pool<J, R> {
    fn drop(&mut self) {
        drop(self.jobs.take());
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Works until there are no more jobs, or one of them panics.
fn work<J, R>(queue: &Mutex<Receiver<J>>, sink: &Sender<Option<R>>, mut worker: impl FnMut(J) -> R) {
    loop {
        // The lock is held while waiting: the others would wait for the same.
        let Some(job) = queue.lock().ok().and_then(|queue| queue.recv().ok()) else {
            return;
        };
        let result = catch_unwind(AssertUnwindSafe(|| worker(job))).ok();
        let failed = result.is_none();
        if sink.send(result).is_err() || failed {
            return;
        }
    }
}

#[cold]
fn panicked() -> Error {
    Error::internal("a thread panicked")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_job_has_a_result() {
        let mut pool = Pool::start(3, || |job: u32| job * 2).unwrap();
        let mut found = BTreeSet::new();
        for job in 0..1000 {
            pool.push(job).unwrap();
            found.extend(pool.try_next().unwrap());
            if pool.waiting() > 5 {
                found.extend(pool.next().unwrap());
            }
        }
        while let Some(result) = pool.next().unwrap() {
            found.insert(result);
        }
        assert_eq!((pool.waiting(), pool.try_next().unwrap()), (0, None));
        assert_eq!(found, (0..1000).map(|job| job * 2).collect());
    }

    #[test]
    fn a_panic_is_an_error() {
        for threads in 1..4 {
            let worker = || |job: u32| assert_ne!(job, 5, "this panic is part of a test");
            let mut pool = Pool::start(threads, worker).unwrap();
            let pushed: Result<Vec<()>> = (0..20).map(|job| pool.push(job)).collect();
            let taken: Result<Vec<_>> = std::iter::from_fn(|| pool.next().transpose()).collect();
            let error = pushed.and(taken.map(drop)).unwrap_err();
            assert_eq!(error.to_string(), "internal error, please report it: a thread panicked");
        }
    }

    #[test]
    fn dropping_ends_the_threads() {
        let alive = Arc::new(());
        let worker = || {
            let alive = Arc::clone(&alive);
            move |job: u32| (job, Arc::strong_count(&alive)).0
        };
        let mut pool = Pool::start(4, worker).unwrap();
        (0..100).for_each(|job| pool.push(job).unwrap());
        drop(pool);
        assert_eq!(Arc::strong_count(&alive), 1);
    }
}
