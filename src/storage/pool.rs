//! Threads: a pool that does one kind of work, and several threads for one piece of it.
//!
//! Queues are plain ones under a lock. Channels would be more code than all else here, once for each type.

use crate::error::{Error, Result};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// Threads that take jobs and give results, in any order. Dropping the pool ends them.
///
/// There is no limit to the jobs that wait: callers check [`Pool::waiting`] before they push.
pub(crate) struct Pool<J, R> {
    shared: Arc<Shared<J, R>>,
    threads: Vec<JoinHandle<()>>,
    waiting: usize,
}

/// What the threads of a pool and its owner share.
struct Shared<J, R> {
    queues: Mutex<Queues<J, R>>,
    /// There is a job, or there will be no more.
    work: Condvar,
    /// There is a result, or a thread has ended.
    done: Condvar,
}

struct Queues<J, R> {
    jobs: VecDeque<J>,
    /// Nothing in place of a result: the job made its thread panic.
    results: VecDeque<Option<R>>,
    /// Running threads.
    threads: usize,
    /// Whether they are being ended.
    is_closed: bool,
}

impl<J, R> Shared<J, R> {
    fn new(threads: usize) -> Self {
        let queues = Queues { jobs: VecDeque::new(), results: VecDeque::new(), threads, is_closed: false };
        Self { queues: Mutex::new(queues), work: Condvar::new(), done: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Queues<J, R>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job, waiting for it; `None` after the last.
    fn job(&self) -> Option<J> {
        let mut queues = self.lock();
        loop {
            if queues.is_closed {
                return None;
            }
            if let Some(job) = queues.jobs.pop_front() {
                return Some(job);
            }
            queues = self.work.wait(queues).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The next result, waiting for it.
    fn result(&self) -> Result<Option<R>> {
        let mut queues = self.lock();
        loop {
            if let Some(result) = queues.results.pop_front() {
                return Ok(result);
            }
            if queues.threads == 0 {
                return Err(panicked());
            }
            queues = self.done.wait(queues).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Works until there are no more jobs, or one of them panics.
    fn run(&self, mut worker: impl FnMut(J) -> R) {
        while let Some(job) = self.job() {
            let result = catch_unwind(AssertUnwindSafe(|| worker(job))).ok();
            let failed = result.is_none();
            self.lock().results.push_back(result);
            self.done.notify_one();
            if failed {
                break;
            }
        }
        self.lock().threads -= 1;
        self.done.notify_one();
    }
}

impl<J: Send + 'static, R: Send + 'static> Pool<J, R> {
    /// Starts threads, each with a worker of its own.
    pub(crate) fn start<W>(count: usize, worker: impl Fn() -> W) -> Result<Self>
    where
        W: FnMut(J) -> R + Send + 'static,
    {
        let shared = Arc::new(Shared::new(count));
        let mut pool = Self { shared, threads: Vec::new(), waiting: 0 };
        for _ in 0..count {
            let (shared, worker) = (Arc::clone(&pool.shared), worker());
            pool.threads.push(spawn(Box::new(move || shared.run(worker)))?);
        }
        Ok(pool)
    }

    /// Jobs whose results have not been taken yet.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Hands a job to the threads.
    pub(crate) fn push(&mut self, job: J) -> Result<()> {
        let mut queues = self.shared.lock();
        if queues.threads == 0 {
            return Err(panicked());
        }
        queues.jobs.push_back(job);
        drop(queues);
        self.shared.work.notify_one();
        self.waiting += 1;
        Ok(())
    }

    /// A result that is there, if there is one.
    pub(crate) fn try_next(&mut self) -> Result<Option<R>> {
        if self.waiting == 0 {
            return Ok(None);
        }
        let mut queues = self.shared.lock();
        match queues.results.pop_front() {
            Some(result) => {
                drop(queues);
                self.took(result)
            }
            None if queues.threads == 0 => Err(panicked()),
            None => Ok(None),
        }
    }

    /// A result, waiting for it; `None` where no job is left.
    pub(crate) fn next(&mut self) -> Result<Option<R>> {
        if self.waiting == 0 {
            return Ok(None);
        }
        let result = self.shared.result()?;
        self.took(result)
    }

    fn took(&mut self, result: Option<R>) -> Result<Option<R>> {
        self.waiting -= 1;
        result.map(Some).ok_or_else(panicked)
    }
}

impl<J, R> Drop for Pool<J, R> {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.work.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// The number of threads that an option asks for: 0 means as many as the machine has processors.
pub(crate) fn counted(threads: usize) -> usize {
    match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

fn spawn(work: Box<dyn FnOnce() + Send>) -> Result<JoinHandle<()>> {
    Ok(thread::Builder::new().name("trevni".to_owned()).spawn(work)?)
}

#[cold]
fn panicked() -> Error {
    Error::internal("a thread panicked")
}

/// Does what is given on threads of their own, and something else on this one; tells whether none of the threads
/// panicked.
pub(crate) fn beside<'w>(others: Vec<Box<dyn FnOnce() + Send + 'w>>, own: &mut dyn FnMut()) -> bool {
    thread::scope(|scope| {
        let others: Vec<_> = others.into_iter().map(|other| scope.spawn(other)).collect();
        own();
        // All are joined: the scope panics where one that is not has panicked.
        others.into_iter().filter_map(|other| other.join().err()).count() == 0
    })
}

/// Works on all items with a number of threads, this one among them, and no more than there are items; each item is taken by the next
/// thread that is free.
///
/// # Errors
///
/// Of all items that fail, the error of the first.
// Not a part of the code around it, which calls itself.
#[inline(never)]
pub(crate) fn each<T: Send>(
    threads: usize,
    mut items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    let threads = items.size_hint().1.map_or(threads, |count| count.min(threads));
    if threads < 2 {
        return items.try_for_each(work);
    }
    let queue = Mutex::new(items.enumerate());
    let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    let fail = |number: usize, error: Error| {
        let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.as_ref().is_none_or(|(first, _)| number < *first) {
            *failed = Some((number, error));
        }
    };
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    let run = || {
        while let Some((number, item)) = next() {
            if let Err(error) = work(item) {
                return fail(number, error);
            }
        }
    };
    let run: &(dyn Fn() + Sync) = &run;
    let others = (1..threads).map(|_| Box::new(run) as Box<dyn FnOnce() + Send + '_>).collect();
    if !beside(others, &mut || run()) {
        fail(usize::MAX, Error::internal("a thread that decodes columns panicked"));
    }
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.map_or(Ok(()), |(_, error)| Err(error))
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
