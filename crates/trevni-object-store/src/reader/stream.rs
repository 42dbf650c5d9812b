//! Rows and batches as streams.

use super::fetched::{Lack, begin_step, lack};
use super::scan::Scan;
use futures::Stream;
use serde::de::DeserializeOwned;
use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use trevni::{Batch, Category, Reader, Result};

/// Rows after which others have their turn.
const ROWS_AT_ONCE: u64 = 1024;

/// What a stream is of.
pub(super) trait Items {
    type Item;
    type Iter: Iterator<Item = Result<Self::Item>>;

    /// The items of a reader.
    fn of(reader: &Reader<'static>) -> Result<Self::Iter>;

    /// How many rows are in an item.
    fn rows(item: &Self::Item) -> u64;
}

/// Rows of a type.
pub(super) struct RowsOf<T>(PhantomData<fn() -> T>);

impl<T: DeserializeOwned> Items for RowsOf<T> {
    type Item = T;
    type Iter = trevni::reader::Rows<'static, T>;

    fn of(reader: &Reader<'static>) -> Result<Self::Iter> {
        reader.rows()
    }

    fn rows(_: &T) -> u64 {
        1
    }
}

pub(super) struct BatchesOf;

impl Items for BatchesOf {
    type Item = Batch;
    type Iter = trevni::reader::Batches<'static>;

    fn of(reader: &Reader<'static>) -> Result<Self::Iter> {
        reader.batches()
    }

    fn rows(batch: &Batch) -> u64 {
        // A batch is worth a turn.
        batch.len() as u64
    }
}

/// The items of a scan, window by window.
struct Windows<I: Items> {
    state: State<I::Iter>,
    /// Rows of the window so far.
    passed: u64,
    /// Whether one of them did not fit.
    has_failed: bool,
    /// Rows since others had their turn.
    since: u64,
}

enum State<T> {
    /// A future that owns the scan, so that nothing is lost where a call of `next` is dropped.
    Waiting(Waiting),
    Reading(Box<Scan>, T),
    Failed(trevni::Error),
    Ended,
}

type Waiting = Pin<Box<dyn Future<Output = (Box<Scan>, Result<Option<Reader<'static>>>)> + Send>>;

impl<I: Items> Windows<I> {
    fn new(scan: Result<Scan>) -> Self {
        let state = match scan {
            Ok(scan) => State::Waiting(next_window(Box::new(scan))),
            Err(error) => State::Failed(error),
        };
        Self { state, passed: 0, has_failed: false, since: 0 }
    }

    fn end(&mut self, error: trevni::Error) -> Poll<Option<Result<I::Item>>> {
        self.state = State::Ended;
        Poll::Ready(Some(Err(error)))
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<I::Item>>> {
        loop {
            match &mut self.state {
                State::Ended => return Poll::Ready(None),
                State::Failed(_) => {
                    if let State::Failed(error) = std::mem::replace(&mut self.state, State::Ended) {
                        return Poll::Ready(Some(Err(error)));
                    }
                }
                State::Waiting(waiting) => {
                    let (scan, reader) = ready!(waiting.as_mut().poll(context));
                    (self.passed, self.has_failed) = (0, false);
                    match reader.and_then(|reader| reader.as_ref().map(I::of).transpose()) {
                        Ok(Some(items)) => self.state = State::Reading(scan, items),
                        Ok(None) => self.state = State::Ended,
                        Err(error) => return self.end(error),
                    }
                }
                State::Reading(scan, items) => {
                    if self.since >= ROWS_AT_ONCE {
                        self.since = 0;
                        context.waker().wake_by_ref();
                        return Poll::Pending;
                    }
                    begin_step();
                    match items.next() {
                        Some(Ok(item)) => {
                            self.passed += I::rows(&item);
                            self.since += I::rows(&item);
                            return Poll::Ready(Some(Ok(item)));
                        }
                        Some(Err(error)) if error.category() == Category::Shape => {
                            (self.passed, self.since) = (self.passed + 1, self.since + 1);
                            self.has_failed = true;
                            return Poll::Ready(Some(Err(error)));
                        }
                        Some(Err(error)) => match lack(error) {
                            Lack::Error(error) => return self.end(error),
                            Lack::Bytes(missed) => {
                                let passed = self.passed;
                                self.wait(|mut scan| {
                                    Box::pin(async move {
                                        let reader = scan.go_on(passed, missed).await;
                                        (scan, reader)
                                    })
                                });
                            }
                        },
                        // What could not be decoded was an error, and has no more rows.
                        None if self.has_failed && self.passed < scan.window_rows() => {
                            self.state = State::Ended;
                        }
                        None => self.wait(next_window),
                    }
                }
            }
        }
    }

    /// Goes from reading to waiting.
    fn wait(&mut self, waiting: impl FnOnce(Box<Scan>) -> Waiting) {
        if let State::Reading(scan, _) = std::mem::replace(&mut self.state, State::Ended) {
            self.state = State::Waiting(waiting(scan));
        }
    }
}

fn next_window(mut scan: Box<Scan>) -> Waiting {
    Box::pin(async move {
        let reader = scan.next_window().await;
        (scan, reader)
    })
}

/// The rows of an [`AsyncReader`](crate::AsyncReader), as a stream.
///
/// A row that does not fit the type is an error, and the next one follows. After any other error there are no more rows.
///
/// To drop a call of `next` that waits loses no row. To drop the stream ends its requests.
#[must_use = "streams do nothing unless polled"]
pub struct AsyncRows<T: DeserializeOwned>(Windows<RowsOf<T>>);

/// The batches of an [`AsyncReader`](crate::AsyncReader), as a stream.
///
/// After an error there are no more. To drop a call of `next` that waits loses no batch. To drop the stream ends its requests.
#[must_use = "streams do nothing unless polled"]
pub struct AsyncBatches(Windows<BatchesOf>);

impl<T: DeserializeOwned> AsyncRows<T> {
    pub(super) fn new(scan: Result<Scan>) -> Self {
        Self(Windows::new(scan))
    }
}

impl AsyncBatches {
    pub(super) fn new(scan: Result<Scan>) -> Self {
        Self(Windows::new(scan))
    }
}

impl<T: DeserializeOwned> Stream for AsyncRows<T> {
    type Item = Result<T>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next(context)
    }
}

impl Stream for AsyncBatches {
    type Item = Result<Batch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next(context)
    }
}

impl<T: DeserializeOwned> fmt::Debug for AsyncRows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncRows").finish_non_exhaustive()
    }
}

impl fmt::Debug for AsyncBatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsyncBatches").finish_non_exhaustive()
    }
}
