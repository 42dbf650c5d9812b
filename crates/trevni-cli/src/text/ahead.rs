//! Texts are read by one thread and used by others.

use super::{Chunk, Text};
use crate::failure::Failure;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What is read.
type Read = Result<Chunk, Failure>;

/// Chunks that wait.
const WAITING: usize = 2;

/// Gives the chunks of a text to a function, in order, while the next are read; the function says whether
/// it wants more.
pub(crate) fn each(
    text: &Text,
    mut use_chunk: impl FnMut(&Chunk) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    thread::scope(|scope| {
        let (full, next) = sync_channel(WAITING);
        let (used, back) = channel();
        scope.spawn(move || read(text, &full, &back));
        while let Ok(chunk) = next.recv() {
            let chunk = chunk?;
            if !use_chunk(&chunk)? {
                break;
            }
            // Nobody wants it back at the end.
            let _ = used.send(chunk);
        }
        Ok(())
    })
}

/// Makes something of each chunk by several threads, and puts what they made together in the order of the
/// text.
pub(crate) fn fold<T: Send>(
    text: &Text,
    make: impl Fn(&Chunk) -> Result<T, Failure> + Sync,
    mut join: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    if threads == 1 {
        return each(text, |chunk| join(make(chunk)?).map(|()| true));
    }
    thread::scope(|scope| {
        let (full, next) = sync_channel(WAITING);
        let (used, back) = channel();
        let (made, results) = sync_channel(WAITING * threads);
        // With the last of these threads the receiver goes, and with it the one that reads.
        let next = Arc::new(Mutex::new((0_u64, next)));
        let make = &make;
        scope.spawn(move || read(text, &full, &back));
        for _ in 0..threads {
            let (next, made, used) = (next.clone(), made.clone(), used.clone());
            scope.spawn(move || {
                while let Some((number, chunk)) = take(&next) {
                    let result = chunk.and_then(|chunk| {
                        let result = make(&chunk);
                        // Nobody wants it back at the end.
                        let _ = used.send(chunk);
                        result
                    });
                    if made.send((number, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop((next, made, used));
        in_order(&results, &mut join)
    })
}

/// The next chunk and its number, from 1.
fn take(next: &Mutex<(u64, Receiver<Read>)>) -> Option<(u64, Read)> {
    let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
    let chunk = next.1.recv().ok()?;
    next.0 += 1;
    Some((next.0, chunk))
}

fn in_order<T>(
    results: &Receiver<(u64, Result<T, Failure>)>,
    join: &mut impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut early = BTreeMap::new();
    let mut expected = 1;
    while let Ok((number, result)) = results.recv() {
        early.insert(number, result);
        while let Some(result) = early.remove(&expected) {
            join(result?)?;
            expected += 1;
        }
    }
    Ok(())
}

fn read(text: &Text, full: &SyncSender<Read>, back: &Receiver<Chunk>) {
    let mut chunks = match text.chunks() {
        Ok(chunks) => chunks,
        Err(failure) => return drop(full.send(Err(failure))),
    };
    loop {
        let mut chunk = back.try_recv().unwrap_or_default();
        let sent = match chunks.next(&mut chunk) {
            Ok(true) => full.send(Ok(chunk)),
            Ok(false) => return,
            Err(failure) => return drop(full.send(Err(failure))),
        };
        if sent.is_err() {
            return;
        }
    }
}
