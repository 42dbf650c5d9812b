//! Decodes the fields of a record on several threads.

use super::super::Ends;
use super::node::{At, Node};
use crate::error::{Error, Result};
use crate::vector::Vector;
use std::sync::Mutex;
use std::thread;

/// Reads the fields that have been asked for, each by the next thread that is free.
///
/// # Errors
///
/// Of all fields that fail, the error of the first.
pub(super) fn read<'n>(
    fields: impl Iterator<Item = (&'n mut Node, &'n mut Vector)> + Send,
    at: &At<'_, '_>,
    ends: Ends<'_>,
) -> Result<()> {
    let count = at.threads;
    let at = At { threads: 1, ..*at };
    let queue = Mutex::new(fields.enumerate());
    let work = || -> Result<(), (usize, Error)> {
        let next = || queue.lock().ok().and_then(|mut queue| queue.next());
        while let Some((number, (field, values))) = next() {
            field.read_if_required(&at, ends, values).map_err(|error| (number, error))?;
        }
        Ok(())
    };
    let mut failed: Vec<(usize, Error)> = thread::scope(|scope| {
        let others: Vec<_> = (1..count).map(|_| scope.spawn(work)).collect();
        let own = work().err();
        let lost = |_| Err((usize::MAX, Error::internal("a thread that decodes columns panicked")));
        own.into_iter()
            .chain(others.into_iter().filter_map(|other| other.join().unwrap_or_else(lost).err()))
            .collect()
    });
    failed.sort_by_key(|(number, _)| *number);
    failed.into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
}
