//! Writes rows to files in an object store. A file is there when all of it is.

mod memory;

use crate::TrevniFormat;
use crate::commit::Parts;
use crate::error::in_file;
use crate::format::Options;
use crate::table::{NULL, named};
use async_trait::async_trait;
use bytes::Bytes;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::runtime::{JoinSet, SpawnedTask};
use datafusion::datasource::file_format::write::demux::DemuxedStreamReceiver;
use datafusion::datasource::file_format::write::get_writer_schema;
use datafusion::datasource::physical_plan::{FileSink, FileSinkConfig};
use datafusion::datasource::sink::DataSink;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType};
use memory::Memory;
use object_store::ObjectStore;
use object_store::buffered::BufWriter;
use object_store::path::Path;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::AsyncWriteExt;
use tokio::sync::{Semaphore, mpsc};
use trevni::dataset::WriteId;
use trevni_arrow::ArrowWriter;

/// Bytes that go to a store at a time.
const PIECE_BYTES: usize = 1 << 20;
/// Pieces that wait for a store.
const PIECES: usize = 4;

/// About how many bytes a part has: then the next one begins.
const PART_BYTES: u64 = 128 << 20;

/// Writes the rows of a query to Trevni files.
#[derive(Debug)]
pub struct TrevniSink {
    config: FileSinkConfig,
    options: Options,
    /// The names of the files, if they belong to a write that is committed.
    parts: Option<Arc<Parts>>,
    has_written: AtomicBool,
    part_bytes: u64,
}

impl TrevniSink {
    /// A sink for a place, with the options of a format.
    #[must_use]
    pub fn new(config: FileSinkConfig, format: &TrevniFormat) -> Self {
        let (options, has_written) = (format.options.clone(), AtomicBool::new(false));
        Self { config, options, parts: None, has_written, part_bytes: PART_BYTES }
    }

    /// As [`new`](Self::new), for parts of a write.
    pub(crate) fn of_parts(config: FileSinkConfig, format: &TrevniFormat, parts: Arc<Parts>) -> Self {
        Self { parts: Some(parts), ..Self::new(config, format) }
    }

    /// Whether all rows go to one file.
    fn is_single(&self) -> bool {
        let is_single = |place| self.config.file_output_mode.single_file_output(place);
        self.config.table_partition_cols.is_empty() && self.config.table_paths.first().is_some_and(is_single)
    }

    /// Writes a file without rows: in a folder of nulls, where paths have columns.
    pub(crate) async fn write_empty(&self, context: &TaskContext) -> Result<()> {
        let Some(folder) = self.config.table_paths.first() else { return Ok(()) };
        let folders = self.config.table_partition_cols.iter().map(|(name, _)| format!("{name}={NULL}"));
        let folder = folders.fold(folder.prefix().clone(), |place, name| place.join(name));
        let place = folder.join(format!("{:016x}.{}", WriteId::attempt(), TrevniFormat::EXTENSION));
        let place = self.parts.as_ref().map_or(place.clone(), |parts| parts.place(&place));
        let store = context.runtime_env().object_store(&self.config.object_store_url)?;
        let start = self.start(store, 1, context);
        let file = start.file(place)?;
        let (_, nothing) = mpsc::channel(1);
        let (written, _) = file.write(&start, None, &mut { nothing }, u64::MAX).await?;
        end(vec![written], None, self.parts.as_deref()).await.map(drop)
    }

    /// What the files of a query begin with, `threads` of which are encoded at once.
    fn start(&self, store: Arc<dyn ObjectStore>, threads: usize, context: &TaskContext) -> Start {
        Start {
            store,
            options: self.options.clone(),
            schema: get_writer_schema(&self.config),
            permits: Arc::new(Semaphore::new(threads)),
            memory: Memory::new(context),
        }
    }

    /// The options of the files, as statements have them.
    #[must_use]
    pub fn options(&self) -> std::collections::HashMap<String, String> {
        self.options.pairs()
    }
}

impl DisplayAs for TrevniSink {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<&str> = self.config.table_paths.iter().map(|path| path.as_str()).collect();
        write!(f, "TrevniSink(paths=[{}])", paths.join(", "))
    }
}

#[async_trait]
impl DataSink for TrevniSink {
    fn schema(&self) -> &SchemaRef {
        self.config.output_schema()
    }

    /// Writes all rows; where there are none and the place is new, a file without rows, which has the columns.
    async fn write_all(&self, data: SendableRecordBatchStream, context: &Arc<TaskContext>) -> Result<u64> {
        let rows = FileSink::write_all(self, named(data, &self.config), context).await?;
        let is_empty = !self.has_written.load(Ordering::Relaxed);
        if is_empty && self.parts.is_none() && self.config.file_group.is_empty() {
            self.write_empty(context).await?;
        }
        Ok(rows)
    }
}

#[async_trait]
impl FileSink for TrevniSink {
    fn config(&self) -> &FileSinkConfig {
        &self.config
    }

    async fn spawn_writer_tasks_and_join(
        &self,
        context: &Arc<TaskContext>,
        demux_task: SpawnedTask<Result<()>>,
        mut file_stream_rx: DemuxedStreamReceiver,
        object_store: Arc<dyn ObjectStore>,
    ) -> Result<u64> {
        // There may be more files than threads, and each batch takes one.
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let start = self.start(object_store, threads, context);
        let mut files: JoinSet<Result<Vec<Written>>> = JoinSet::new();
        let part_bytes = if self.is_single() { u64::MAX } else { self.part_bytes };
        while let Some((place, batches)) = file_stream_rx.recv().await {
            let place = self.parts.as_ref().map_or(place.clone(), |parts| parts.place(&place));
            let file = start.file(place)?;
            self.has_written.store(true, Ordering::Relaxed);
            let series = Series { start: start.clone(), file, parts: self.parts.clone(), part_bytes };
            files.spawn(series.write(batches));
        }
        let mut written = Vec::new();
        let mut failed = joined(demux_task.join_unwind().await).and_then(|done| done).err();
        while let Some(file) = files.join_next().await {
            match joined(file).and_then(|file| file) {
                Ok(files) => written.extend(files),
                // That a file fails is why there are no more rows for it.
                Err(error) => failed = Some(error),
            }
        }
        end(written, failed, self.parts.as_deref()).await
    }
}

/// Stores the files, unless something failed; gives the number of their rows. After one that the store does not take, the others are
/// given up, too.
async fn end(files: Vec<Written>, mut failed: Option<DataFusionError>, parts: Option<&Parts>) -> Result<u64> {
    let mut rows = 0;
    for Written { place, mut object, rows: of_file, bytes } in files {
        if failed.is_some() {
            let _ = object.abort().await;
            continue;
        }
        match object.shutdown().await {
            Ok(()) => {
                rows += of_file;
                if let Some(parts) = parts {
                    parts.add(place, of_file, bytes);
                }
            }
            // Has taken back its upload itself, and panics where it is asked to.
            Err(error) => failed = Some(in_file(&place, error)),
        }
    }
    failed.map_or(Ok(rows), Err)
}

fn joined<T>(task: Result<T, tokio::task::JoinError>) -> Result<T> {
    task.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))
}

/// A file whose bytes are with the store, which has not been told to keep them.
struct Written {
    place: Path,
    object: BufWriter,
    rows: u64,
    bytes: u64,
}

/// What the files of a query begin with.
#[derive(Clone)]
struct Start {
    store: Arc<dyn ObjectStore>,
    options: Options,
    schema: SchemaRef,
    permits: Arc<Semaphore>,
    memory: Memory,
}

impl Start {
    fn file(&self, place: Path) -> Result<File> {
        let (sender, pieces) = mpsc::channel(PIECES);
        let sink = Pieces { sender, piece: Vec::new() };
        let options = self.options.writer().memory_limit(self.memory.file_bytes());
        let writer = ArrowWriter::with_options(options, sink, Arc::clone(&self.schema));
        let writer = writer.map_err(|error| in_file(&place, error))?;
        Ok(File { place, writer, pieces })
    }
}

/// A file that is being written.
struct File {
    place: Path,
    writer: ArrowWriter<Pieces>,
    pieces: mpsc::Receiver<Bytes>,
}

impl File {
    /// Writes rows, from a first batch on, until there are no more, or some bytes are there; gives the batch that comes then.
    async fn write(
        self,
        start: &Start,
        first: Option<RecordBatch>,
        batches: &mut mpsc::Receiver<RecordBatch>,
        part_bytes: u64,
    ) -> Result<(Written, Option<RecordBatch>)> {
        let Self { place, writer, pieces } = self;
        let object = BufWriter::new(Arc::clone(&start.store), place.clone());
        let upload = SpawnedTask::spawn(upload(object, pieces));
        let encoded = encode(writer, start, (first, batches), &place, part_bytes).await;
        // That the store fails is why encoding does, then.
        let (mut object, bytes) = joined(upload.join_unwind().await)??;
        match encoded {
            Ok((rows, next)) => Ok((Written { place, object, rows, bytes }, next)),
            Err(error) => {
                let _ = object.abort().await;
                Err(error)
            }
        }
    }
}

/// Files that have the rows of one partition, one after the other.
struct Series {
    start: Start,
    file: File,
    parts: Option<Arc<Parts>>,
    part_bytes: u64,
}

impl Series {
    async fn write(self, mut batches: mpsc::Receiver<RecordBatch>) -> Result<Vec<Written>> {
        let Self { start, mut file, parts, part_bytes } = self;
        let first = file.place.clone();
        let (mut written, mut batch) = (Vec::new(), None);
        loop {
            let next = match file.write(&start, batch.take(), &mut batches, part_bytes).await {
                Ok((done, next)) => {
                    written.push(done);
                    batch = next;
                    if batch.is_none() {
                        return Ok(written);
                    }
                    start.file(match &parts {
                        Some(parts) => parts.place(&first),
                        None => numbered(&first, written.len()),
                    })
                }
                Err(error) => Err(error),
            };
            file = match next {
                Ok(next) => next,
                Err(error) => {
                    for mut file in written {
                        let _ = file.object.abort().await;
                    }
                    return Err(error);
                }
            };
        }
    }
}

/// The place of a file beside the first of its series.
fn numbered(first: &Path, number: usize) -> Path {
    let name = first.filename().unwrap_or_default();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, TrevniFormat::EXTENSION));
    let mut folders: Vec<_> = first.parts().collect();
    folders.pop();
    Path::from_iter(folders).join(format!("{stem}-{number}.{ending}"))
}

/// Encodes rows until there are no more, or some bytes are there; gives their number, and the batch that comes then. The writer ends here,
/// whatever happens, and its pieces with it.
async fn encode(
    mut writer: ArrowWriter<Pieces>,
    Start { schema, permits, memory, .. }: &Start,
    (first, batches): (Option<RecordBatch>, &mut mpsc::Receiver<RecordBatch>),
    place: &Path,
    part_bytes: u64,
) -> Result<(u64, Option<RecordBatch>)> {
    let held = memory.held();
    let mut next = match first {
        Some(batch) => Some(batch),
        None => batches.recv().await,
    };
    while let Some(batch) = next.take() {
        // Batches may say otherwise which columns have nulls.
        let batch = RecordBatch::try_new(Arc::clone(schema), batch.columns().to_vec())?;
        let step = move || writer.write(&batch).map(|()| writer);
        writer = blocking(permits, step).await?.map_err(|error| in_file(place, error))?;
        held.update(writer.size());
        next = batches.recv().await;
        if writer.size() >= part_bytes {
            break;
        }
    }
    let rows = writer.row_count();
    let finish = move || writer.finish()?.end().map_err(|error| trevni::Error::from(error).into());
    let finished: trevni_arrow::Result<()> = blocking(permits, finish).await?;
    finished.map_err(|error| in_file(place, error))?;
    Ok((rows, next))
}

/// Runs a step where blocking is allowed, as many at a time as there are permits.
async fn blocking<T: Send + 'static>(
    permits: &Semaphore,
    step: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let _permit = permits.acquire().await.map_err(|error| DataFusionError::External(error.into()))?;
    joined(SpawnedTask::spawn_blocking(step).join_unwind().await)
}

/// Sends pieces to a store, up to an empty one: in parts, if there are many. Gives the number of bytes, too.
async fn upload(mut object: BufWriter, mut pieces: mpsc::Receiver<Bytes>) -> Result<(BufWriter, u64)> {
    let mut bytes = 0;
    while let Some(piece) = pieces.recv().await.filter(|piece| !piece.is_empty()) {
        bytes += piece.len() as u64;
        if let Err(error) = object.put(piece).await {
            let _ = object.abort().await;
            return Err(error.into());
        }
    }
    Ok((object, bytes))
}

/// A sink whose bytes another task takes.
struct Pieces {
    sender: mpsc::Sender<Bytes>,
    piece: Vec<u8>,
}

impl Pieces {
    fn send(&mut self) -> io::Result<()> {
        let piece = std::mem::take(&mut self.piece);
        let ended = |_| io::Error::new(io::ErrorKind::BrokenPipe, "the store takes no more");
        self.sender.blocking_send(piece.into()).map_err(ended)
    }

    /// Says that nothing comes after.
    fn end(mut self) -> io::Result<()> {
        if !self.piece.is_empty() {
            self.send()?;
        }
        self.send()
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE_BYTES {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{ArrayRef, Int64Array};
    use datafusion::datasource::listing::ListingTableUrl;
    use datafusion::datasource::physical_plan::{FileGroup, FileOutputMode};
    use datafusion::execution::memory_pool::{FairSpillPool, MemoryPool, PeakRecordingPool};
    use datafusion::execution::runtime_env::RuntimeEnvBuilder;
    use datafusion::logical_expr::dml::InsertOp;
    use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
    use datafusion::prelude::{SessionConfig, SessionContext};
    use futures::{TryStreamExt, stream};
    use object_store::ObjectStoreExt;
    use object_store::memory::InMemory;
    use url::Url;

    fn batch(number: i64) -> RecordBatch {
        let values =
            (0..1000).map(|value: i64| value.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64) ^ number);
        let values: ArrayRef = Arc::new(Int64Array::from_iter_values(values));
        RecordBatch::try_from_iter([("n", values)]).unwrap()
    }

    /// Writes batches of 8,000 bytes to a place of a store in memory.
    async fn write(
        place: &str,
        mode: FileOutputMode,
        batches: i64,
        session: &SessionContext,
    ) -> Arc<dyn ObjectStore> {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        session.register_object_store(&Url::parse("mem://s").unwrap(), Arc::clone(&store));
        let place = ListingTableUrl::parse(place).unwrap();
        let config = FileSinkConfig {
            original_url: String::new(),
            object_store_url: place.object_store(),
            file_group: FileGroup::default(),
            table_paths: vec![place],
            output_schema: batch(0).schema(),
            table_partition_cols: Vec::new(),
            insert_op: InsertOp::Append,
            keep_partition_by_columns: false,
            file_extension: "trv".to_owned(),
            file_output_mode: mode,
        };
        let sink = TrevniSink { part_bytes: 100_000, ..TrevniSink::new(config, &TrevniFormat::default()) };
        let rows = stream::iter((0..batches).map(|number| Ok(batch(number))));
        let rows = Box::pin(RecordBatchStreamAdapter::new(batch(0).schema(), rows));
        let rows = DataSink::write_all(&sink, rows, &session.task_ctx()).await.unwrap();
        assert_eq!(rows, 1000 * batches as u64);
        store
    }

    #[tokio::test]
    async fn parts_have_some_bytes_and_a_file_has_all() {
        for (place, mode, files) in [
            ("mem://s/t/", FileOutputMode::Directory, 5..40),
            ("mem://s/f.trv", FileOutputMode::SingleFile, 1..2),
        ] {
            let store = write(place, mode, 100, &SessionContext::new()).await;
            let found: Vec<_> = store.list(None).try_collect().await.unwrap();
            assert!(files.contains(&found.len()), "{found:?}");
            let mut total = 0;
            for file in found {
                let bytes = store.get(&file.location).await.unwrap().bytes().await.unwrap();
                assert!(bytes.len() < 150_000 || files.end == 2, "{}", bytes.len());
                total += trevni::Reader::from_slice(&bytes).unwrap().row_count();
            }
            assert_eq!(total, 100_000);
        }
    }

    #[tokio::test]
    async fn files_take_a_part_of_a_limited_pool() {
        let pool = Arc::new(PeakRecordingPool::new(Arc::new(FairSpillPool::new(32 << 20))));
        let runtime = RuntimeEnvBuilder::new().with_memory_pool(pool.clone()).build_arc().unwrap();
        let config = SessionConfig::new().with_target_partitions(4);
        let session = SessionContext::new_with_config_rt(config, runtime);
        let store = write("mem://s/f.trv", FileOutputMode::SingleFile, 500, &session).await;
        assert_eq!((pool.peak_reserved(), pool.reserved()), (1 << 20, 0));
        let bytes = store.get(&Path::from("f.trv")).await.unwrap().bytes().await.unwrap();
        assert!(bytes.len() > 3 << 20);
        assert_eq!(trevni::Reader::from_slice(&bytes).unwrap().row_count(), 500_000);
    }
}
