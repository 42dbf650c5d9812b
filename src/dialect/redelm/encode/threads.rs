//! Compresses the columns of a row group on several threads.

use super::column::{ColumnEncoder, Stored};
use crate::error::{Error, Result};
use crate::storage::codec::{Codec, Compressors};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// Compresses columns on as many threads as there are compressors, the calling one among them, and calls with each in
/// order.
///
/// # Errors
///
/// Of all columns that fail, the error of the first; what the call returns.
pub(super) fn each<'c>(
    columns: &[&'c ColumnEncoder],
    codec: Codec,
    compressors: &mut [Compressors],
    mut call: impl FnMut(&'c ColumnEncoder, &Stored) -> Result<()>,
) -> Result<()> {
    let Some((own, others)) = compressors.split_first_mut() else {
        return Err(Error::internal("there is nothing to compress with"));
    };
    let mut joined = Vec::new();
    if others.is_empty() {
        return columns
            .iter()
            .try_for_each(|column| call(column, &column.compress(codec, own, &mut joined)?));
    }
    let queue = Mutex::new(columns.iter().enumerate());
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    let (sender, receiver) = channel();
    let work = |compressors: &mut Compressors, sender: Sender<_>| {
        let mut joined = Vec::new();
        while let Some((number, column)) = next() {
            if sender.send((number, column.compress(codec, compressors, &mut joined))).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = others
            .iter_mut()
            .take(columns.len())
            .map(|compressors| {
                let (sender, work) = (sender.clone(), &work);
                scope.spawn(move || work(compressors, sender))
            })
            .collect();
        drop(sender);
        // Columns that wait for one before them.
        let mut waiting = BTreeMap::new();
        let done = columns.iter().enumerate().try_for_each(|(number, column)| {
            loop {
                waiting.extend(receiver.try_iter());
                if let Some(stored) = waiting.remove(&number) {
                    return call(column, &stored?);
                }
                let (number, stored) = match next() {
                    Some((number, column)) => (number, column.compress(codec, own, &mut joined)),
                    None => {
                        receiver.recv().map_err(|_| Error::internal("a thread that compresses panicked"))?
                    }
                };
                waiting.insert(number, stored);
            }
        });
        // After an error nobody waits for the others.
        drop(receiver);
        let lost = threads.into_iter().filter_map(|thread| thread.join().err()).count();
        match lost {
            0 => done,
            _ => Err(Error::internal("a thread that compresses panicked")),
        }
    })
}
