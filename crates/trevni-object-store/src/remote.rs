//! Requests: the first one, which tells what the object is, and those of ranges of the same object.

use crate::failure::{CHANGED, about, failed, reasons};
use crate::place::Place;
use bytes::Bytes;
use futures::StreamExt;
use futures::TryStreamExt;
use futures::stream;
use object_store::{Error, GetOptions, GetRange, ObjectMeta, ObjectStoreExt};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Semaphore;

/// What is fetched at first: the header of most files, and all of small ones.
pub(crate) const HEAD_BYTES: u64 = 64 << 10;
/// Requests at a time.
const AT_ONCE: usize = 16;
/// Gaps up to this size are fetched too: cheaper than another request.
pub(crate) const GAP_BYTES: u64 = 32 << 10;

/// An object, as it was when it was opened.
#[derive(Debug)]
pub(crate) struct Remote {
    pub(crate) place: Place,
    pub(crate) len: u64,
    meta: ObjectMeta,
    requests: AtomicU64,
    /// Those that may be sent now.
    free: Arc<Semaphore>,
}

impl Remote {
    /// Fetches the first bytes.
    pub(crate) async fn open(place: Place, head: u64) -> Result<(Self, Bytes), Error> {
        let options = GetOptions { range: Some(GetRange::Bounded(0..head)), ..GetOptions::default() };
        let (meta, bytes, requests) = match place.store.get_opts(&place.path, options).await {
            Ok(result) => (result.meta.clone(), result.bytes().await?, 1),
            // An object without bytes has no first ones (416).
            Err(error) if is_out_of_range(&error) => (place.store.head(&place.path).await?, Bytes::new(), 2),
            Err(error) => return Err(error),
        };
        if bytes.len() as u64 != meta.size.min(head) {
            let why = format!("{} bytes were sent in place of {}", bytes.len(), meta.size.min(head));
            return Err(Error::Generic { store: "object", source: why.into() });
        }
        let (requests, free) = (AtomicU64::new(requests), Arc::new(Semaphore::new(AT_ONCE)));
        Ok((Self { place, len: meta.size, meta, requests, free }, bytes))
    }

    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Fetches ranges, several at a time.
    pub(crate) fn fetch(
        &self,
        ranges: &[Range<u64>],
    ) -> impl Future<Output = io::Result<Vec<Bytes>>> + Send + use<> {
        self.requests.fetch_add(ranges.len() as u64, Ordering::Relaxed);
        let gets: Vec<_> = ranges.iter().map(|range| self.get(range.clone())).collect();
        stream::iter(gets).buffered(AT_ONCE).try_collect()
    }

    /// Fetches a range, when no more than some others are being fetched so.
    pub(crate) fn fetch_one(
        &self,
        range: Range<u64>,
    ) -> impl Future<Output = io::Result<Bytes>> + Send + use<> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let (get, free) = (self.get(range), Arc::clone(&self.free));
        async move {
            let _permit = free.acquire().await;
            get.await
        }
    }

    fn get(&self, range: Range<u64>) -> impl Future<Output = io::Result<Bytes>> + Send + use<> {
        let (place, meta) = (self.place.clone(), self.meta.clone());
        let options = GetOptions {
            range: Some(GetRange::Bounded(range.clone())),
            if_match: meta.e_tag.clone(),
            ..GetOptions::default()
        };
        async move {
            let result = place.store.get_opts(&place.path, options).await;
            let result = result.map_err(|error| failed(&place.shown, &error))?;
            // Not every server minds what must match.
            if !is_same(&result.meta, &meta) {
                return Err(about(&place.shown, ErrorKind::Other, CHANGED));
            }
            let bytes = result.bytes().await.map_err(|error| failed(&place.shown, &error))?;
            match bytes.len() as u64 == range.end - range.start {
                true => Ok(bytes),
                false => {
                    Err(about(&place.shown, ErrorKind::UnexpectedEof, "fewer bytes were sent than asked for"))
                }
            }
        }
    }
}

fn is_same(one: &ObjectMeta, other: &ObjectMeta) -> bool {
    let tags = match (&one.e_tag, &other.e_tag) {
        (Some(one), Some(other)) => one == other,
        _ => one.last_modified == other.last_modified,
    };
    tags && one.size == other.size
}

fn is_out_of_range(error: &Error) -> bool {
    let is_other = matches!(error, Error::Generic { .. });
    is_other
        && ["416", "Range Not Satisfiable", "InvalidRange"].iter().any(|text| reasons(error).contains(text))
}
