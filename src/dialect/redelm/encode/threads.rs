//! Compresses the columns of a row group on several threads.

use super::column::{ColumnEncoder, Stored};
use crate::error::{Error, Result};
use crate::storage::codec::{Codec, Compressors};
use crate::storage::pool;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

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
    let columns = Columns::new(columns, codec);
    let workers = others.iter_mut().take(columns.all.len()).map(|compressors| {
        let columns = &columns;
        Box::new(move || columns.work(compressors)) as Box<dyn FnOnce() + Send + '_>
    });
    let mut done = Ok(());
    let mut write = || {
        done = (0..columns.all.len()).try_for_each(|number| {
            let stored = columns.stored(number, own, &mut joined)?;
            columns.all.get(number).map_or(Ok(()), |column| call(column, &stored))
        });
        // After an error nobody waits for the others.
        columns.end();
    };
    if !pool::beside(workers.collect(), &mut write) {
        return Err(panicked());
    }
    done
}

#[cold]
fn panicked() -> Error {
    Error::internal("a thread that compresses panicked")
}

/// Columns that are compressed by several threads.
struct Columns<'a, 'c> {
    all: &'a [&'c ColumnEncoder],
    codec: Codec,
    state: Mutex<State>,
    /// A column has been compressed, or a thread has ended.
    done: Condvar,
}

struct State {
    /// The next column to be compressed.
    next: usize,
    /// Those that wait for one before them.
    stored: Vec<Option<Result<Stored>>>,
    /// Columns that are being compressed.
    under_way: usize,
}

/// A column that a thread compresses. It is over when this is dropped, whatever has become of it.
struct UnderWay<'a, 'c> {
    columns: &'a Columns<'a, 'c>,
    number: usize,
    column: &'c ColumnEncoder,
}

impl Drop for UnderWay<'_, '_> {
    fn drop(&mut self) {
        self.columns.lock().under_way -= 1;
        self.columns.done.notify_all();
    }
}

impl<'a, 'c> Columns<'a, 'c> {
    fn new(all: &'a [&'c ColumnEncoder], codec: Codec) -> Self {
        let stored = all.iter().map(|_| None).collect();
        let state = State { next: 0, stored, under_way: 0 };
        Self { all, codec, state: Mutex::new(state), done: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next column that nobody has taken.
    fn next(&self) -> Option<UnderWay<'_, 'c>> {
        let mut state = self.lock();
        let number = state.next;
        let column = self.all.get(number)?;
        state.next += 1;
        state.under_way += 1;
        Some(UnderWay { columns: self, number, column })
    }

    /// Compresses one column, if there is one.
    fn compress_next(&self, compressors: &mut Compressors, joined: &mut Vec<u8>) -> bool {
        let Some(taken) = self.next() else {
            return false;
        };
        let stored = taken.column.compress(self.codec, compressors, joined);
        if let Some(place) = self.lock().stored.get_mut(taken.number) {
            *place = Some(stored);
        }
        true
    }

    /// What another thread does.
    fn work(&self, compressors: &mut Compressors) {
        let mut joined = Vec::new();
        while self.compress_next(compressors, &mut joined) {}
    }

    /// A column, compressed; until it is, others are.
    fn stored(&self, number: usize, compressors: &mut Compressors, joined: &mut Vec<u8>) -> Result<Stored> {
        loop {
            if let Some(stored) = self.take(number) {
                return stored;
            }
            if !self.compress_next(compressors, joined) {
                return self.wait(number);
            }
        }
    }

    fn take(&self, number: usize) -> Option<Result<Stored>> {
        self.lock().stored.get_mut(number)?.take()
    }

    /// The same, when all columns have been taken.
    fn wait(&self, number: usize) -> Result<Stored> {
        let mut state = self.lock();
        loop {
            if let Some(stored) = state.stored.get_mut(number).and_then(Option::take) {
                return stored;
            }
            if state.under_way == 0 {
                return Err(panicked());
            }
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Leaves the columns that nobody has taken.
    fn end(&self) {
        self.lock().next = self.all.len();
    }
}
