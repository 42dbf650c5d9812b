//! The bytes of a file in an object store: read where they are if that is a local file, and else fetched before they are
//! needed.
//!
//! Readers of the library do not wait for a store. The bytes of rows are fetched before they are decoded. What says where these are, such as
//! header and block tables, is read in steps: one that lacks bytes fails, and [`Object::run`] fetches what it has missed, all of it at
//! once, and takes it again. So no thread is blocked.

mod fetched;
mod head;

pub(crate) use head::Heads;

use crate::format::{Aliases, FileSchema};
use crate::statistics::Columns;
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_plan::metrics::Count;
use fetched::Fetched;
use head::Head;
use object_store::{GetOptions, GetRange, GetResultPayload, ObjectMeta, ObjectStore};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use trevni::Source;

/// What is fetched of an object at first: enough for the header of most files, and for all of small ones.
const HEAD_BYTES: u64 = 64 << 10;
/// The least that is fetched later: block tables are asked for in small steps.
const LEAST_BYTES: u64 = 4 << 10;
/// Gaps up to this size are fetched too: cheaper than another request.
pub(crate) const GAP_BYTES: u64 = 32 << 10;
/// How often a step may lack bytes: for the length of a header, for the header, for the tables of its columns, for what is longer than
/// others.
const STEPS_MAX: u32 = 64;
/// Steps after which each fetches twice as much as the one before: foreign files may say only block by block where rows are.
const STEPS_EXPECTED: u32 = 4;

/// Counts of what is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) bytes: Count,
    pub(crate) requests: Count,
}

/// An object whose bytes are being read.
pub(crate) struct Object {
    store: Arc<dyn ObjectStore>,
    pub(crate) meta: ObjectMeta,
    bytes: Input,
    counts: Counts,
}

enum Input {
    Local(File),
    Remote(Fetched),
}

impl Object {
    /// Opens an object: with the header, if that is known, or else with its first bytes.
    pub(crate) async fn open(
        store: &Arc<dyn ObjectStore>,
        meta: &ObjectMeta,
        heads: Option<&Heads>,
        counts: &Counts,
    ) -> Result<Arc<Self>> {
        let bytes = match heads.and_then(|heads| heads.pieces(meta)) {
            Some(pieces) => Input::Remote(Fetched::of(&pieces)),
            None => first_bytes(store, meta, counts).await?,
        };
        let (store, meta, counts) = (Arc::clone(store), meta.clone(), counts.clone());
        Ok(Arc::new(Self { store, meta, bytes, counts }))
    }

    /// Whether bytes have to be fetched before they are read.
    pub(crate) fn is_remote(&self) -> bool {
        matches!(self.bytes, Input::Remote(_))
    }

    /// Keeps the fetched parts of the header, the schema, and what is known of columns beside what was: the next scan of the object
    /// starts with them.
    pub(crate) fn keep_head(
        &self,
        heads: &Heads,
        aliases: &Aliases,
        schema: &FileSchema,
        rows: u64,
        mut columns: Option<Columns>,
    ) {
        let pieces = match &self.bytes {
            Input::Remote(fetched) => Some(fetched.kept()),
            Input::Local(_) => None,
        };
        if let Some((_, before)) = heads.known_columns(&self.meta, aliases) {
            let columns = columns.get_or_insert_default();
            before.into_iter().for_each(|(name, known)| {
                columns.entry(name).or_insert(known);
            });
        }
        let (aliases, schema) = (aliases.clone(), schema.clone());
        heads.put(&self.meta, Head { pieces, aliases, schema, rows, columns });
    }

    /// Takes a step that reads what says where rows are; again if it lacks bytes.
    pub(crate) async fn run<T>(&self, keep: bool, mut step: impl FnMut() -> Result<T>) -> Result<T> {
        for count in 0..STEPS_MAX {
            // Others have their turn, also where no row comes out for long.
            tokio::task::consume_budget().await;
            // Decoding tries to read ahead, and does without.
            self.missed();
            let result = step();
            let missed = self.missed();
            let least = LEAST_BYTES << count.saturating_sub(STEPS_EXPECTED).min(u64::BITS / 2);
            match result {
                Err(_) if !missed.is_empty() => self.fetch_at_least(least, missed, keep).await?,
                result => return result,
            }
        }
        let place = &self.meta.location;
        Err(DataFusionError::Execution(format!(
            "{place}: a step of reading still lacks bytes after {STEPS_MAX} fetches"
        )))
    }

    /// What steps have missed.
    fn missed(&self) -> Vec<Range<u64>> {
        match &self.bytes {
            Input::Local(_) => Vec::new(),
            Input::Remote(fetched) => fetched.take_missed(),
        }
    }

    /// Fetches ranges, neighbours together, several at a time.
    pub(crate) async fn fetch(&self, ranges: Vec<Range<u64>>, keep: bool) -> Result<()> {
        self.fetch_at_least(LEAST_BYTES, ranges, keep).await
    }

    /// The same, `least` bytes from the start of each.
    async fn fetch_at_least(&self, least: u64, ranges: Vec<Range<u64>>, keep: bool) -> Result<()> {
        let Input::Remote(fetched) = &self.bytes else { return Ok(()) };
        let len = self.meta.size;
        let larger =
            |range: Range<u64>| range.start..range.end.max(range.start.saturating_add(least)).min(len);
        let mut wanted: Vec<Range<u64>> =
            ranges.into_iter().map(larger).filter(|range| !range.is_empty()).collect();
        wanted.sort_unstable_by_key(|range| range.start);
        let absent = fetched.absent(&joined(wanted));
        if absent.is_empty() {
            return Ok(());
        }
        let get = |range: Range<u64>| {
            self.counts.requests.add(1);
            self.counts.bytes.add((range.end - range.start) as usize);
            self.get(range)
        };
        let pieces = object_store::coalesce_ranges(&absent, get, GAP_BYTES).await?;
        for (range, piece) in absent.iter().zip(&pieces) {
            fetched.add(range.start, piece, keep);
        }
        Ok(())
    }

    async fn get(&self, range: Range<u64>) -> Result<bytes::Bytes> {
        let wanted = range.end - range.start;
        let result = self.store.get_opts(&self.meta.location, options(&self.meta, range)).await?;
        let bytes = result.bytes().await?;
        if bytes.len() as u64 != wanted {
            let place = &self.meta.location;
            let len = bytes.len();
            return Err(DataFusionError::Execution(format!(
                "{place}: {len} bytes came, {wanted} were asked for"
            )));
        }
        Ok(bytes)
    }

    /// Forgets what no range needs, but for the header.
    pub(crate) fn forget_but(&self, wanted: &[Range<u64>]) {
        if let Input::Remote(fetched) = &self.bytes {
            fetched.forget_but(wanted);
        }
    }
}

/// Ranges in order, those that meet as one.
fn joined(ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    let mut joined: Vec<Range<u64>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// A range of the object as it was when it was listed: one that has been replaced since is an error.
fn options(meta: &ObjectMeta, range: Range<u64>) -> GetOptions {
    GetOptions {
        range: Some(GetRange::Bounded(range)),
        if_match: meta.e_tag.clone(),
        ..GetOptions::default()
    }
}

async fn first_bytes(store: &Arc<dyn ObjectStore>, meta: &ObjectMeta, counts: &Counts) -> Result<Input> {
    let fetched = Fetched::default();
    let len = meta.size.min(HEAD_BYTES);
    if len > 0 {
        let result = store.get_opts(&meta.location, options(meta, 0..len)).await?;
        if let GetResultPayload::File(file, _) = result.payload {
            return Ok(Input::Local(file));
        }
        counts.requests.add(1);
        let bytes = result.bytes().await?;
        counts.bytes.add(bytes.len());
        fetched.add(0, &bytes, true);
    }
    Ok(Input::Remote(fetched))
}

/// An object as the source of a reader.
pub(crate) struct ObjectSource(pub(crate) Arc<Object>);

impl Source for ObjectSource {
    fn size(&self) -> io::Result<u64> {
        match &self.0.bytes {
            Input::Local(file) => file.size(),
            Input::Remote(_) => Ok(self.0.meta.size),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        match &self.0.bytes {
            Input::Local(file) => {
                self.0.counts.bytes.add(buffer.len());
                file.read_at(offset, buffer)
            }
            Input::Remote(fetched) => {
                let end = offset.checked_add(buffer.len() as u64);
                if end.is_none_or(|end| end > self.0.meta.size) {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                fetched.read_at(offset, buffer)
            }
        }
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        let mut all = ranges.iter().map(|(offset, buffer)| (*offset, buffer.len() as u64));
        match &self.0.bytes {
            Input::Local(file) => {
                self.0.counts.bytes.add(all.map(|(_, len)| len as usize).sum());
                file.read_ranges(ranges)
            }
            Input::Remote(fetched) => {
                let is_there = |(offset, len): (u64, u64)| {
                    offset.checked_add(len).is_some_and(|end| end <= self.0.meta.size)
                };
                if all.all(is_there) {
                    fetched.read_ranges(ranges)
                } else {
                    Err(io::ErrorKind::UnexpectedEof.into())
                }
            }
        }
    }
}
