//! The bytes of an object that have been fetched. Reading never waits: what is not there is noted, and the read fails.
//!
//! What says where rows are is read in steps. One that lacks bytes fails; [`Pinned::run`] fetches what it has missed, all of it at
//! once, and takes it again.

use crate::failure::{about, failed, has_no_ranges};
use crate::pieces::{Pieces, joined, without};
use crate::place::{Place, Shown};
use crate::remote::{GAP_BYTES, Remote};
use crate::runtime;
use crate::whole::{self, Whole};
use bytes::Bytes;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared, WeakShared};
use std::cell::RefCell;
use std::fmt;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use trevni::Source;

/// The most bytes that stay in memory after no reader needs them. The beginning of the file does not count.
const KEPT_BYTES: u64 = 16 << 20;
/// The least that is fetched of what a step has missed.
const LEAST_BYTES: u64 = 4 << 10;
/// How often a step may lack bytes.
pub(super) const STEPS_MAX: u32 = 64;
/// Steps after which each fetches twice as much as the one before: some formats say only block by block where rows are.
const STEPS_EXPECTED: u32 = 4;

thread_local! {
    /// What the step that this thread takes has missed.
    static MISSED: RefCell<Vec<Range<u64>>> = const { RefCell::new(Vec::new()) };
}

/// The source of a reader that does not wait.
#[derive(Debug)]
pub(super) enum Fetched {
    Remote { remote: Box<Remote>, held: Mutex<Held> },
    Whole { whole: Whole, place: Place, requests: u64 },
}

/// What is there, and what is being fetched.
#[derive(Debug)]
pub(super) struct Held {
    pieces: Pieces,
    under_way: Vec<(Range<u64>, WeakShared<Get>)>,
}

/// A request, shared by all tasks that wait for its bytes. It is cancelled when none waits any more.
type Get = BoxFuture<'static, Result<Bytes, Arc<io::Error>>>;

impl Fetched {
    /// Fetches the first bytes, or all where a server gives no ranges.
    pub(super) async fn open(place: Place, head: u64) -> io::Result<Arc<Self>> {
        let opened = runtime::run(async move {
            match Remote::open(place.clone(), head).await {
                Ok((remote, first)) => {
                    let mut pieces = Pieces::keeping(KEPT_BYTES);
                    pieces.keep(first);
                    let held = Mutex::new(Held { pieces, under_way: Vec::new() });
                    Ok(Self::Remote { remote: Box::new(remote), held })
                }
                Err(error) if has_no_ranges(&error) => {
                    let whole = whole::fetch(&place).await?;
                    Ok(Self::Whole { whole, place, requests: 2 })
                }
                Err(error) => Err(failed(&place.shown, &error)),
            }
        });
        opened?.await?.map(Arc::new)
    }

    pub(super) fn shown(&self) -> &Shown {
        match self {
            Self::Remote { remote, .. } => &remote.place.shown,
            Self::Whole { place, .. } => &place.shown,
        }
    }

    pub(super) fn requests(&self) -> u64 {
        match self {
            Self::Remote { remote, .. } => remote.requests(),
            Self::Whole { requests, .. } => *requests,
        }
    }

    /// Bytes of the object.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Remote { remote, .. } => remote.len,
            Self::Whole { .. } => 0,
        }
    }

    /// Begins to fetch what is not there of some ranges, and what nobody else fetches.
    fn fetch(self: &Arc<Self>, mut ranges: Vec<Range<u64>>) -> io::Result<Option<Fetch>> {
        let Self::Remote { remote, held } = &**self else { return Ok(None) };
        ranges.iter_mut().for_each(|range| range.end = range.end.min(remote.len));
        ranges.retain(|range| !range.is_empty());
        let mut held = locked(held);
        let mut absent: Vec<_> =
            joined(ranges, 0).into_iter().flat_map(|range| held.pieces.absent(range)).collect();
        let mut parts = Vec::new();
        held.under_way.retain(|(range, get)| {
            let Some(get) = get.upgrade() else { return false };
            if absent.iter().any(|other| other.start < range.end && range.start < other.end) {
                let others = std::mem::take(&mut absent).into_iter();
                absent = others.flat_map(|other| without(other, std::slice::from_ref(range))).collect();
                parts.push(Part { range: range.clone(), get, is_own: false });
            }
            true
        });
        for range in joined(absent, GAP_BYTES) {
            let running = runtime::run(remote.fetch_one(range.clone()))?;
            let get: Get = async move { running.await.flatten().map_err(Arc::new) }.boxed();
            let get = get.shared();
            held.under_way.extend(get.downgrade().map(|get| (range.clone(), get)));
            parts.push(Part { range, get, is_own: true });
        }
        Ok((!parts.is_empty()).then(|| Fetch { fetched: Arc::clone(self), parts }))
    }

    /// How many want what they have fetched to be kept.
    #[cfg(test)]
    pub(super) fn pins(&self) -> usize {
        match self {
            Self::Remote { held, .. } => locked(held).pieces.pins(),
            Self::Whole { .. } => 0,
        }
    }

    fn read(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        let (remote, held) = match self {
            Self::Remote { remote, held } => (remote, held),
            Self::Whole { whole, .. } => return whole.read_ranges(ranges),
        };
        for (offset, buffer) in ranges.iter() {
            if offset.checked_add(buffer.len() as u64).is_none_or(|end| end > remote.len) {
                let why = format!("ends at byte {}, before what is asked for", remote.len);
                return Err(about(self.shown(), ErrorKind::UnexpectedEof, &why));
            }
        }
        let pieces = &mut locked(held).pieces;
        let missing = pieces.missing(ranges);
        if missing.is_empty() {
            pieces.copy(ranges);
            return Ok(());
        }
        MISSED.with_borrow_mut(|missed| missed.extend(missing.iter().cloned()));
        Err(io::Error::new(ErrorKind::WouldBlock, Missed(missing)))
    }
}

impl Source for Fetched {
    fn size(&self) -> io::Result<u64> {
        match self {
            Self::Remote { remote, .. } => Ok(remote.len),
            Self::Whole { whole, .. } => whole.size(),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.read(&mut [(offset, buffer)])
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        self.read(ranges)
    }
}

fn locked(held: &Mutex<Held>) -> MutexGuard<'_, Held> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What has not been fetched; a part of the error, since another thread may have met it.
#[derive(Debug)]
struct Missed(Vec<Range<u64>>);

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes have not been fetched")
    }
}

impl std::error::Error for Missed {}

/// Why a step has failed.
pub(super) enum Lack {
    Bytes(Vec<Range<u64>>),
    Error(trevni::Error),
}

/// Forgets what other steps have missed.
pub(super) fn begin_step() {
    MISSED.with_borrow_mut(Vec::clear);
}

/// What the step that has failed with an error lacks.
pub(super) fn lack(error: trevni::Error) -> Lack {
    let missed = match error.kind() {
        trevni::ErrorKind::Io(error) => error.get_ref().and_then(|error| error.downcast_ref::<Missed>()),
        _ => None,
    };
    let Some(Missed(ranges)) = missed else { return Lack::Error(error) };
    let mut all = MISSED.take();
    all.extend(ranges.iter().cloned());
    Lack::Bytes(joined(all, 0))
}

/// Requests that are sent at the same time. Dropping it cancels each request that no other task waits for.
#[derive(Debug)]
pub(super) struct Fetch {
    fetched: Arc<Fetched>,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    range: Range<u64>,
    get: Shared<Get>,
    /// Whether it was sent for this.
    is_own: bool,
}

impl Future for Fetch {
    type Output = io::Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // All of them run, whichever is waited for.
        while let Some(part) = self.parts.last_mut() {
            let got = ready!(Pin::new(&mut part.get).poll(context));
            let Some(Part { range, is_own, .. }) = self.parts.pop() else { break };
            let Fetched::Remote { held, .. } = &*self.fetched else { break };
            match got {
                Ok(bytes) => {
                    let pieces = &mut locked(held).pieces;
                    pieces.add(range.start, bytes);
                    pieces.forget();
                }
                Err(error) => {
                    locked(held).under_way.retain(|(other, _)| *other != range);
                    if is_own {
                        return Poll::Ready(Err(io::Error::new(error.kind(), error.to_string())));
                    }
                    // Another's request may have failed long ago.
                    let again = self.fetched.fetch(vec![range])?;
                    self.parts.extend(again.into_iter().flat_map(|again| again.parts));
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// What is fetched through this is kept as long as this is.
#[derive(Debug)]
pub(super) struct Pinned {
    fetched: Arc<Fetched>,
    number: u64,
}

impl Pinned {
    pub(super) fn new(fetched: &Arc<Fetched>) -> Self {
        let number = match &**fetched {
            Fetched::Remote { held, .. } => locked(held).pieces.pin(),
            Fetched::Whole { .. } => 0,
        };
        Self { fetched: Arc::clone(fetched), number }
    }

    /// Begins to fetch ranges, neighbours together, several at a time; `None` where all is there.
    pub(super) fn start(&self, ranges: Vec<Range<u64>>) -> io::Result<Option<Fetch>> {
        if let Fetched::Remote { held, .. } = &*self.fetched {
            locked(held).pieces.extend_pin(self.number, ranges.iter().cloned());
        }
        self.fetched.fetch(ranges)
    }

    /// Fetches ranges.
    pub(super) async fn fetch(&self, ranges: Vec<Range<u64>>) -> io::Result<()> {
        match self.start(ranges)? {
            Some(fetch) => fetch.await,
            None => Ok(()),
        }
    }

    /// Fetches what the step of this number has missed.
    pub(super) async fn fetch_missed(&self, step: u32, mut missed: Vec<Range<u64>>) -> io::Result<()> {
        if step >= STEPS_MAX {
            let why = format!("a step of reading lacks bytes after {STEPS_MAX} fetches");
            return Err(about(self.fetched.shown(), ErrorKind::Other, &why));
        }
        let least = LEAST_BYTES << step.saturating_sub(STEPS_EXPECTED).min(u64::BITS / 2);
        missed.iter_mut().for_each(|range| range.end = range.end.max(range.start.saturating_add(least)));
        self.fetch(missed).await
    }

    /// Takes a step that reads what says where rows are; again if it lacks bytes.
    pub(super) async fn run<T>(&self, step: impl FnMut() -> trevni::Result<T>) -> trevni::Result<T> {
        self.run_widely(step, |range| range).await
    }

    /// Takes the step that reads the header; again if it lacks bytes. How long a header is, only its end says.
    pub(super) async fn run_header<T>(
        &self,
        head: u64,
        step: impl FnMut() -> trevni::Result<T>,
    ) -> trevni::Result<T> {
        let len = self.fetched.len();
        let wider = |range: Range<u64>| match range.end >= len {
            true => range.start.min(len.saturating_sub(head))..range.end,
            false => range.start..range.end.max(range.start + 16 * head),
        };
        self.run_widely(step, wider).await
    }

    async fn run_widely<T>(
        &self,
        mut step: impl FnMut() -> trevni::Result<T>,
        wider: impl Fn(Range<u64>) -> Range<u64>,
    ) -> trevni::Result<T> {
        let mut count = 0;
        loop {
            let missed = match taken(&mut step) {
                Ok(done) => return Ok(done),
                Err(Lack::Error(error)) => return Err(error),
                Err(Lack::Bytes(missed)) => missed,
            };
            self.fetch_missed(count, missed.into_iter().map(&wider).collect()).await?;
            count += 1;
        }
    }
}

/// Takes a step once.
pub(super) fn taken<T>(step: impl FnOnce() -> trevni::Result<T>) -> Result<T, Lack> {
    begin_step();
    step().map_err(lack)
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let Fetched::Remote { held, .. } = &*self.fetched {
            locked(held).pieces.unpin(self.number);
        }
    }
}
