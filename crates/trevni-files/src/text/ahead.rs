//! Strings are read by one thread and used by others.

use super::Text;
use crate::failure::Failure;
use crate::parallel;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;
use trevni_infer::text::Chunk;

/// What is read.
type Read = Result<Chunk, Failure>;

/// Chunks that wait.
const WAITING: usize = 2;

/// Gives the chunks of a text to a function, in order, while the next are read; the function says whether
/// it wants more.
pub fn each(text: &Text, mut use_chunk: impl FnMut(&Chunk) -> Result<bool, Failure>) -> Result<(), Failure> {
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
pub fn fold<T: Send>(
    text: &Text,
    make: impl Fn(&Chunk) -> Result<T, Failure> + Sync,
    mut join: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if parallel::threads() == 1 {
        return each(text, |chunk| join(make(chunk)?).map(|()| true));
    }
    let (used, back) = channel();
    parallel::fold(
        move |full| read(text, full, &back),
        |chunk| {
            let result = make(&chunk);
            // Nobody wants it back at the end.
            let _ = used.send(chunk);
            result
        },
        |made| join(made).map(|()| true),
    )
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
            Err(error) => return drop(full.send(Err(error.into()))),
        };
        if sent.is_err() {
            return;
        }
    }
}
