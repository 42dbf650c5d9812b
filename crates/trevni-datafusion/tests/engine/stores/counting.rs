//! A store whose requests are counted, and fail if they should.

use async_trait::async_trait;
use futures::stream::BoxStream;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetRange, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, UploadPart,
};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

#[derive(Debug)]
pub(crate) struct Counting {
    store: Arc<dyn ObjectStore>,
    ranges: Mutex<Vec<Range<u64>>>,
    left: AtomicUsize,
    puts_left: Arc<AtomicUsize>,
    parts: Arc<AtomicUsize>,
}

impl Counting {
    pub(crate) fn new(store: Arc<dyn ObjectStore>) -> Self {
        let (ranges, left) = (Mutex::default(), AtomicUsize::new(usize::MAX));
        let puts_left = Arc::new(AtomicUsize::new(usize::MAX));
        Self { store, ranges, left, puts_left, parts: Arc::default() }
    }

    /// The ranges that were asked for since the last call.
    pub(crate) fn take(&self) -> Vec<Range<u64>> {
        std::mem::take(&mut self.ranges.lock().unwrap())
    }

    /// Lets some more requests through.
    pub(crate) fn fail_after(&self, requests: usize) {
        self.left.store(requests, Ordering::SeqCst);
    }

    /// Takes some more objects.
    pub(crate) fn refuse_after(&self, objects: usize) {
        self.puts_left.store(objects, Ordering::SeqCst);
    }

    /// Parts of uploads.
    pub(crate) fn parts(&self) -> usize {
        self.parts.load(Ordering::SeqCst)
    }
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "counting {}", self.store)
    }
}

#[async_trait]
impl ObjectStore for Counting {
    async fn put_opts(&self, location: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        one_less(&self.puts_left)?;
        self.store.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        let upload = self.store.put_multipart_opts(location, options).await?;
        Ok(Box::new(CountedUpload(upload, Arc::clone(&self.parts), Arc::clone(&self.puts_left))))
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        if !options.head {
            one_less(&self.left)?;
            let range = match &options.range {
                Some(GetRange::Bounded(range)) => range.clone(),
                _ => 0..u64::MAX,
            };
            self.ranges.lock().unwrap().push(range);
        }
        self.store.get_opts(location, options).await
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

#[derive(Debug)]
struct CountedUpload(Box<dyn MultipartUpload>, Arc<AtomicUsize>, Arc<AtomicUsize>);

/// Fails where no more are let through.
fn one_less(left: &AtomicUsize) -> Result<()> {
    let taken = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
    let down = |_| object_store::Error::Generic { store: "counting", source: "the line is down".into() };
    taken.map(drop).map_err(down)
}

#[async_trait]
impl MultipartUpload for CountedUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.put_part(data)
    }

    async fn complete(&mut self) -> Result<PutResult> {
        one_less(&self.2)?;
        self.0.complete().await
    }

    async fn abort(&mut self) -> Result<()> {
        self.0.abort().await
    }
}
