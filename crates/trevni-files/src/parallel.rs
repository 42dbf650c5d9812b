//! One thread reads, several make something of what it has read, and the calling one takes that in order.

use crate::failure::Failure;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What waits to be made into something.
const WAITING: usize = 2;

/// Number of threads that make something.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Calls `take` with each item, in order, while a thread makes the next ones; until it says false, or something
/// fails.
pub fn ahead<I: Send>(
    items: impl Iterator<Item = Result<I, Failure>> + Send,
    mut take: impl FnMut(I) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    thread::scope(|scope| {
        let (full, next) = sync_channel(WAITING);
        scope.spawn(move || {
            // It ends early where nobody wants more.
            let _ = items.map(|item| full.send(item)).find(Result::is_err);
        });
        while let Ok(item) = next.recv() {
            if !take(item?)? {
                break;
            }
        }
        Ok(())
    })
}

/// Calls `read` with a place for what it reads, `make` for each of these, by several threads, and `join` with
/// what is made, in the order of reading, until it says false, or something fails.
pub fn fold<I: Send, T: Send>(
    read: impl FnOnce(&SyncSender<Result<I, Failure>>) + Send,
    make: impl Fn(I) -> Result<T, Failure> + Sync,
    mut join: impl FnMut(T) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    thread::scope(|scope| {
        let (full, next) = sync_channel(WAITING);
        let (made, results) = sync_channel(WAITING * threads());
        // With the last of these threads the receiver goes, and with it the one that reads.
        let next = Arc::new(Mutex::new((0_u64, next)));
        let make = &make;
        scope.spawn(move || read(&full));
        for _ in 0..threads() {
            let (next, made) = (next.clone(), made.clone());
            scope.spawn(move || {
                while let Some((number, item)) = take(&next) {
                    if made.send((number, item.and_then(make))).is_err() {
                        return;
                    }
                }
            });
        }
        drop((next, made));
        let mut early = BTreeMap::new();
        let mut expected = 1;
        while let Ok((number, result)) = results.recv() {
            early.insert(number, result);
            while let Some(result) = early.remove(&expected) {
                if !join(result?)? {
                    return Ok(());
                }
                expected += 1;
            }
        }
        Ok(())
    })
}

/// The next item and its number, from 1.
fn take<I>(next: &Mutex<(u64, Receiver<Result<I, Failure>>)>) -> Option<(u64, Result<I, Failure>)> {
    let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
    let item = next.1.recv().ok()?;
    next.0 += 1;
    Some((next.0, item))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(until: usize, fails_at: usize) -> (Vec<usize>, Result<(), Failure>) {
        let mut found = Vec::new();
        let read = |full: &SyncSender<Result<usize, Failure>>| {
            let items =
                (0..1000).map(|item| if item == fails_at { Err(Failure::new("read")) } else { Ok(item) });
            let _ = items.map(|item| full.send(item)).find(Result::is_err);
        };
        let done = fold(
            read,
            |item| Ok(item * 2),
            |item| {
                found.push(item);
                Ok(found.len() < until)
            },
        );
        (found, done)
    }

    #[test]
    fn what_is_made_ahead_comes_in_order() {
        let mut found = Vec::new();
        let items = (0..1000).map(|item| if item == 700 { Err(Failure::new("made")) } else { Ok(item) });
        let done = ahead(items.clone(), |item| {
            found.push(item);
            Ok(true)
        });
        assert_eq!((found.len(), done.unwrap_err().message()), (700, "made"));
        assert!(found.iter().copied().eq(0..700));
        let mut count = 0;
        let done = ahead(items, |_| {
            count += 1;
            Ok(count < 9)
        });
        assert!(done.is_ok() && count == 9);
    }

    #[test]
    fn what_is_made_comes_in_order() {
        let (found, done) = folded(usize::MAX, usize::MAX);
        assert!(done.is_ok() && found.iter().copied().eq((0..1000).map(|item| item * 2)));
        assert_eq!(folded(7, usize::MAX).0.len(), 7);
        let (found, done) = folded(usize::MAX, 500);
        assert_eq!((found.len(), done.unwrap_err().message()), (500, "read"));
    }
}
