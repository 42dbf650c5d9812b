//! The bytes of an object that have been fetched. Reading never waits: what is not there is noted, and the read fails.
//!
//! What says where rows are is read in steps. One that lacks bytes fails; [`Pinned::run`] fetches what it has missed, all of it at
//! once, and takes it again.

use crate::failure::{about, failed, has_no_ranges};
use crate::pieces::{Pieces, joined};
use crate::place::{Place, Shown};
use crate::remote::{GAP_BYTES, Remote};
use crate::runtime::{self, Running};
use crate::whole::{self, Whole};
use bytes::Bytes;
use std::cell::RefCell;
use std::fmt;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use trevni::Source;

/// Bytes that are kept of what nobody reads any more, beside the beginning.
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
    Remote { remote: Box<Remote>, pieces: Mutex<Pieces> },
    Whole { whole: Whole, place: Place, requests: u64 },
}

impl Fetched {
    /// Fetches the first bytes, or all where a server gives no ranges.
    pub(super) async fn open(place: Place, head: u64) -> io::Result<Arc<Self>> {
        let opened = runtime::run(async move {
            match Remote::open(place.clone(), head).await {
                Ok((remote, first)) => {
                    let mut pieces = Pieces::keeping(KEPT_BYTES);
                    pieces.keep(first);
                    Ok(Self::Remote { remote: Box::new(remote), pieces: Mutex::new(pieces) })
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

    /// Begins to fetch what is not there of some ranges.
    fn fetch(self: &Arc<Self>, mut ranges: Vec<Range<u64>>) -> io::Result<Option<Fetch>> {
        let Self::Remote { remote, pieces } = &**self else { return Ok(None) };
        ranges.iter_mut().for_each(|range| range.end = range.end.min(remote.len));
        ranges.retain(|range| !range.is_empty());
        let absent = {
            let pieces = locked(pieces);
            joined(ranges, 0).into_iter().flat_map(|range| pieces.absent(range)).collect()
        };
        let ranges = joined(absent, GAP_BYTES);
        if ranges.is_empty() {
            return Ok(None);
        }
        let running = runtime::run(remote.fetch(&ranges))?;
        Ok(Some(Fetch { fetched: Arc::clone(self), ranges, running }))
    }

    /// How many want what they have fetched to be kept.
    #[cfg(test)]
    pub(super) fn pins(&self) -> usize {
        match self {
            Self::Remote { pieces, .. } => locked(pieces).pins(),
            Self::Whole { .. } => 0,
        }
    }

    fn read(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        let (remote, pieces) = match self {
            Self::Remote { remote, pieces } => (remote, pieces),
            Self::Whole { whole, .. } => return whole.read_ranges(ranges),
        };
        for (offset, buffer) in ranges.iter() {
            if offset.checked_add(buffer.len() as u64).is_none_or(|end| end > remote.len) {
                let why = format!("ends at byte {}, before what is asked for", remote.len);
                return Err(about(self.shown(), ErrorKind::UnexpectedEof, &why));
            }
        }
        let mut pieces = locked(pieces);
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

fn locked(pieces: &Mutex<Pieces>) -> MutexGuard<'_, Pieces> {
    pieces.lock().unwrap_or_else(PoisonError::into_inner)
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

/// A request, or several at a time. They end where this is dropped.
#[derive(Debug)]
pub(super) struct Fetch {
    fetched: Arc<Fetched>,
    ranges: Vec<Range<u64>>,
    running: Running<io::Result<Vec<Bytes>>>,
}

impl Future for Fetch {
    type Output = io::Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let bytes = ready!(Pin::new(&mut self.running).poll(context))??;
        if let Fetched::Remote { pieces, .. } = &*self.fetched {
            let mut pieces = locked(pieces);
            for (range, bytes) in self.ranges.iter().zip(bytes) {
                pieces.add(range.start, bytes);
            }
            pieces.forget();
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
            Fetched::Remote { pieces, .. } => locked(pieces).pin(),
            Fetched::Whole { .. } => 0,
        };
        Self { fetched: Arc::clone(fetched), number }
    }

    /// Begins to fetch ranges, neighbours together, several at a time; none where all is there.
    pub(super) fn start(&self, ranges: Vec<Range<u64>>) -> io::Result<Option<Fetch>> {
        if let Fetched::Remote { pieces, .. } = &*self.fetched {
            locked(pieces).extend_pin(self.number, ranges.iter().cloned());
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
        if let Fetched::Remote { pieces, .. } = &*self.fetched {
            locked(pieces).unpin(self.number);
        }
    }
}
