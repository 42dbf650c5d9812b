//! A store in memory whose requests are counted, wait, and fail.

use async_trait::async_trait;
use futures::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetRange, GetResult, GetResultPayload, ListResult, MultipartUpload,
    ObjectMeta, ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use std::fmt;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;
use tokio::sync::watch;

#[derive(Debug)]
pub(super) struct Watched {
    store: InMemory,
    ranges: Mutex<Vec<Range<u64>>>,
    /// Requests that are answered; later ones fail.
    left: AtomicUsize,
    /// Requests whose bytes end too early.
    pub(super) cuts: AtomicUsize,
    /// Whether answers are delayed, so that the test sees which requests are sent together.
    pub(super) is_slow: AtomicBool,
    /// Whether requests are answered now.
    answers: watch::Sender<bool>,
    under_way: AtomicUsize,
    most: AtomicUsize,
}

impl Default for Watched {
    fn default() -> Self {
        Self {
            store: InMemory::new(),
            ranges: Mutex::default(),
            left: AtomicUsize::new(usize::MAX),
            cuts: AtomicUsize::new(0),
            is_slow: AtomicBool::new(false),
            answers: watch::channel(true).0,
            under_way: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }
}

impl Watched {
    /// The ranges that were asked for since the last call, in order.
    pub(super) fn take(&self) -> Vec<Range<u64>> {
        let mut ranges = std::mem::take(&mut *self.ranges.lock().unwrap());
        ranges.sort_by_key(|range| range.start);
        ranges
    }

    /// The most requests at a time since the last call.
    pub(super) fn most_at_once(&self) -> usize {
        self.most.swap(0, SeqCst)
    }

    /// Lets some more requests through.
    pub(super) fn fail_after(&self, requests: usize) {
        self.left.store(requests, SeqCst);
    }

    /// Answers no requests from now on, or all of them.
    pub(super) fn answer(&self, answers: bool) {
        self.answers.send_replace(answers);
    }

    pub(super) fn under_way(&self) -> usize {
        self.under_way.load(SeqCst)
    }

    /// Waits until this number of requests are under way.
    pub(super) fn wait_for(&self, count: usize) {
        for _ in 0..5000 {
            if self.under_way() == count {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("{} requests are under way, not {count}", self.under_way());
    }
}

/// A request, until it is answered or dropped.
struct UnderWay<'w>(&'w AtomicUsize);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

impl fmt::Display for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("watched")
    }
}

#[async_trait]
impl ObjectStore for Watched {
    async fn put_opts(&self, location: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.store.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.store.put_multipart_opts(location, options).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let range = match &options.range {
            Some(GetRange::Bounded(range)) => range.clone(),
            _ => 0..u64::MAX,
        };
        self.ranges.lock().unwrap().push(range);
        let now = self.under_way.fetch_add(1, SeqCst) + 1;
        let _under_way = UnderWay(&self.under_way);
        self.most.fetch_max(now, SeqCst);
        if self.is_slow.load(SeqCst) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let mut answers = self.answers.subscribe();
        let _ = answers.wait_for(|answers| *answers).await;
        let left = self.left.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1));
        if left.is_err() {
            return Err(Error::Generic { store: "watched", source: "the line is down".into() });
        }
        let cut = self.cuts.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_ok();
        let mut result = self.store.get_opts(location, options).await?;
        if cut {
            let (meta, range, attributes) =
                (result.meta.clone(), result.range.clone(), result.attributes.clone());
            let bytes = result.bytes().await?;
            let half = bytes.slice(..bytes.len() / 2);
            let payload = GetResultPayload::Stream(Box::pin(futures::stream::iter([Ok(half)])));
            result = GetResult { payload, meta, range, attributes };
        }
        Ok(result)
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.store.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.store.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.store.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.store.copy_opts(from, to, options).await
    }
}
