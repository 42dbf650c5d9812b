//! An object as the source of a reader: what is missing is fetched in few requests, and kept for a while.

mod ahead;
mod stream;

pub use stream::ObjectRead;

use crate::failure::{about, has_no_ranges};
use crate::pieces::{Pieces, joined, without};
use crate::place::Place;
use crate::remote::{GAP_BYTES, HEAD_BYTES, Remote};
use crate::runtime;
use crate::whole::{self, Whole};
use ahead::Ahead;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use trevni::{Reader, Source};

/// The size of the cache in bytes, without the header.
const KEPT_BYTES: u64 = 64 << 20;

/// An object of a store, or a file behind a web server.
///
/// Bytes are those of one version of the object: if another one replaces it, reading fails. Ranges that are near each other are
/// fetched together, others at the same time; where a reader goes on in order, more and more is fetched at once, up to the end
/// of the column. Clones share what has been fetched. Up to 64 MiB are kept.
///
/// Of servers that do not give ranges, the whole file is fetched first: into memory up to 64 MiB, else into a temporary file.
///
/// ```no_run
/// use trevni::{Reader, Source};
/// use trevni_object_store::Object;
///
/// let object = Object::open("https://example.org/flights.trv")?;
/// println!("{} bytes", object.size()?);
/// let reader = Reader::new(object.clone())?;
/// println!("{} requests", object.requests());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Object(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    bytes: Bytes,
    /// Where columns begin, in order; empty where that is unknown.
    starts: std::sync::OnceLock<Vec<u64>>,
}

#[derive(Debug)]
enum Bytes {
    Remote { remote: Box<Remote>, state: Mutex<State>, changed: Condvar },
    Whole { whole: Whole, place: Place, requests: u64 },
}

/// What is there, and what is under way.
#[derive(Debug)]
struct State {
    pieces: Pieces,
    under_way: Vec<Range<u64>>,
    ahead: Ahead,
}

impl Object {
    /// Opens the object at a URL, with one request.
    ///
    /// # Errors
    ///
    /// A URL without a store, or an object that cannot be fetched; the message has the URL.
    pub fn open(url: &str) -> io::Result<Self> {
        Self::at(Place::of(url)?)
    }

    pub(crate) fn at(place: Place) -> io::Result<Self> {
        let bytes = match runtime::wait(Remote::open(place.clone(), HEAD_BYTES))? {
            Ok((remote, head)) => {
                let (mut pieces, ahead) = (Pieces::keeping(KEPT_BYTES), Ahead::default());
                pieces.keep(head);
                let state = State { pieces, under_way: Vec::new(), ahead };
                Bytes::Remote { remote: Box::new(remote), state: Mutex::new(state), changed: Condvar::new() }
            }
            Err(error) if has_no_ranges(&error) => {
                let from = place.clone();
                let whole = runtime::wait(async move { whole::fetch(&from).await })??;
                Bytes::Whole { whole, place, requests: 2 }
            }
            Err(error) => return Err(crate::failure::failed(&place.shown, &error)),
        };
        let object = Self(Arc::new(Inner { bytes, starts: std::sync::OnceLock::new() }));
        object.learn();
        Ok(object)
    }

    /// Learns where columns begin, if this is a column file whose header is there already.
    fn learn(&self) {
        let Ok(reader) = Reader::new(Present(self)) else { return };
        let mut starts: Vec<u64> = reader.columns().iter().map(trevni::column::ColumnInfo::start).collect();
        starts.sort_unstable();
        starts.dedup();
        let _ = self.0.starts.set(starts);
    }

    /// The URL, without query and password.
    #[must_use]
    pub fn url(&self) -> &str {
        match &self.0.bytes {
            Bytes::Remote { remote, .. } => &remote.place.shown.url,
            Bytes::Whole { place, .. } => &place.shown.url,
        }
    }

    /// Number of requests so far. A retry is not counted.
    #[must_use]
    pub fn requests(&self) -> u64 {
        match &self.0.bytes {
            Bytes::Remote { remote, .. } => remote.requests(),
            Bytes::Whole { requests, .. } => *requests,
        }
    }

    /// The bytes from the first to the last one.
    #[must_use]
    pub fn read(&self) -> ObjectRead {
        ObjectRead::new(self.clone())
    }

    /// Fills all buffers, fetching what is missing.
    fn fill(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        let (remote, state, changed) = match &self.0.bytes {
            Bytes::Remote { remote, state, changed } => (remote, state, changed),
            Bytes::Whole { whole, .. } => return whole.read_ranges(ranges),
        };
        for (offset, buffer) in ranges.iter() {
            if offset.checked_add(buffer.len() as u64).is_none_or(|end| end > remote.len) {
                let why = format!("ends at byte {}, before what is asked for", remote.len);
                return Err(about(&remote.place.shown, ErrorKind::UnexpectedEof, &why));
            }
        }
        let starts = self.0.starts.get().map_or(&[][..], Vec::as_slice);
        let mut state = locked(state);
        loop {
            let missing = state.pieces.missing(ranges);
            if missing.is_empty() {
                state.pieces.copy(ranges);
                state.pieces.forget();
                return Ok(());
            }
            let wanted = state.lacking(missing, starts, remote.len);
            if wanted.is_empty() {
                // Others fetch it.
                state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state.under_way.extend(wanted.iter().cloned());
            drop(state);
            let fetched = runtime::wait(remote.fetch(&wanted)).flatten();
            state = locked(match &self.0.bytes {
                Bytes::Remote { state, .. } => state,
                Bytes::Whole { .. } => return Err(ErrorKind::Other.into()),
            });
            state.under_way.retain(|range| !wanted.contains(range));
            changed.notify_all();
            for (range, bytes) in wanted.iter().zip(fetched?) {
                state.pieces.add(range.start, bytes);
            }
        }
    }
}

impl State {
    /// What to fetch for what is missing: more of it where that will be wanted, and nothing that is under way.
    fn lacking(&mut self, missing: Vec<Range<u64>>, starts: &[u64], len: u64) -> Vec<Range<u64>> {
        let missing: Vec<_> = missing.into_iter().flat_map(|range| without(range, &self.under_way)).collect();
        let wider = self.ahead.widen(missing, starts, len);
        let absent = wider.into_iter().flat_map(|range| self.pieces.absent(range)).collect::<Vec<_>>();
        let absent = absent.into_iter().flat_map(|range| without(range, &self.under_way));
        let joined = joined(absent.collect(), GAP_BYTES);
        // A gap that is fetched too may be under way.
        joined.into_iter().flat_map(|range| without(range, &self.under_way)).collect()
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Source for Object {
    fn size(&self) -> io::Result<u64> {
        match &self.0.bytes {
            Bytes::Remote { remote, .. } => Ok(remote.len),
            Bytes::Whole { whole, .. } => whole.size(),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.fill(&mut [(offset, buffer)])
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        self.fill(ranges)
    }
}

/// What is there of an object; nothing is fetched.
struct Present<'o>(&'o Object);

impl Source for Present<'_> {
    fn size(&self) -> io::Result<u64> {
        self.0.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        match &self.0.0.bytes {
            Bytes::Remote { remote, state, .. } => {
                let mut state = locked(state);
                let mut ranges = [(offset, buffer)];
                let ends_within =
                    offset.checked_add(ranges[0].1.len() as u64).is_some_and(|end| end <= remote.len);
                if !ends_within || !state.pieces.missing(&ranges).is_empty() {
                    return Err(ErrorKind::WouldBlock.into());
                }
                state.pieces.copy(&mut ranges);
                Ok(())
            }
            Bytes::Whole { whole, .. } => whole.read_at(offset, buffer),
        }
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "lists of ranges")]
mod tests;
