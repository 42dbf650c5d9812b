//! Does the same with each of several things, on several threads.

use crate::error::{Error, Result};
use std::sync::Mutex;
use std::thread;

/// Works on all items, each taken by the next thread that is free.
///
/// # Errors
///
/// Of all items that fail, the error of the first.
pub(super) fn each<T: Send>(
    count: usize,
    items: impl ExactSizeIterator<Item = T> + Send,
    work: impl Fn(T) -> Result<()> + Sync,
) -> Result<()> {
    let count = count.min(items.len());
    if count < 2 {
        let mut items = items;
        return items.try_for_each(work);
    }
    let queue = Mutex::new(items.enumerate());
    let run = || -> Result<(), (usize, Error)> {
        let next = || queue.lock().ok().and_then(|mut queue| queue.next());
        while let Some((number, item)) = next() {
            work(item).map_err(|error| (number, error))?;
        }
        Ok(())
    };
    let lost = |_| Err((usize::MAX, Error::internal("a thread that decodes columns panicked")));
    let failed = thread::scope(|scope| {
        let others: Vec<_> = (1..count).map(|_| scope.spawn(run)).collect();
        let own = run().err();
        let others = others.into_iter().filter_map(|other| other.join().unwrap_or_else(lost).err());
        own.into_iter().chain(others).min_by_key(|(number, _)| *number)
    });
    failed.map_or(Ok(()), |(_, error)| Err(error))
}
