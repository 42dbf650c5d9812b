//! Writes rows to files in an object store. A file is there when all of it is.

use crate::TrevniFormat;
use crate::commit::Parts;
use crate::error::in_file;
use crate::format::Options;
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
use object_store::ObjectStore;
use object_store::buffered::BufWriter;
use object_store::path::Path;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio::sync::{Semaphore, mpsc};
use trevni_arrow::ArrowWriter;

/// Bytes that go to a store at a time.
const PIECE_BYTES: usize = 1 << 20;
/// Pieces that wait for a store.
const PIECES: usize = 4;
/// Memory that the blocks of a file take before they go to a temporary file.
const MEMORY_BYTES: u64 = 128 << 20;

/// Writes the rows of a query to Trevni files.
#[derive(Debug)]
pub struct TrevniSink {
    config: FileSinkConfig,
    options: Options,
    /// The names of the files, if they belong to a write that is committed.
    parts: Option<Arc<Parts>>,
}

impl TrevniSink {
    /// A sink for a place, with the options of a format.
    #[must_use]
    pub fn new(config: FileSinkConfig, format: &TrevniFormat) -> Self {
        Self { config, options: format.options.clone(), parts: None }
    }

    /// As [`new`](Self::new), for parts of a write.
    pub(crate) fn of_parts(config: FileSinkConfig, format: &TrevniFormat, parts: Arc<Parts>) -> Self {
        Self { parts: Some(parts), ..Self::new(config, format) }
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

    async fn write_all(&self, data: SendableRecordBatchStream, context: &Arc<TaskContext>) -> Result<u64> {
        FileSink::write_all(self, data, context).await
    }
}

#[async_trait]
impl FileSink for TrevniSink {
    fn config(&self) -> &FileSinkConfig {
        &self.config
    }

    async fn spawn_writer_tasks_and_join(
        &self,
        _context: &Arc<TaskContext>,
        demux_task: SpawnedTask<Result<()>>,
        mut file_stream_rx: DemuxedStreamReceiver,
        object_store: Arc<dyn ObjectStore>,
    ) -> Result<u64> {
        let schema = get_writer_schema(&self.config);
        // There may be more files than threads, and each batch takes one.
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let permits = Arc::new(Semaphore::new(threads));
        let mut files: JoinSet<Result<Written>> = JoinSet::new();
        while let Some((place, batches)) = file_stream_rx.recv().await {
            let place = self.parts.as_ref().map_or(place.clone(), |parts| parts.place(&place));
            let file = File::create(&object_store, place, &self.options, &schema, &permits)?;
            files.spawn(file.write(batches));
        }
        let mut written = Vec::new();
        let mut failed = joined(demux_task.join_unwind().await).and_then(|done| done).err();
        while let Some(file) = files.join_next().await {
            match joined(file).and_then(|file| file) {
                Ok(file) => written.push(file),
                // That a file fails is why there are no more rows for it.
                Err(error) => failed = Some(error),
            }
        }
        end(written, failed, self.parts.as_deref()).await
    }
}

/// Stores the files, unless something failed; gives the number of their rows.
async fn end(files: Vec<Written>, failed: Option<DataFusionError>, parts: Option<&Parts>) -> Result<u64> {
    let mut rows = 0;
    for Written { place, mut object, rows: of_file, bytes } in files {
        if failed.is_some() {
            let _ = object.abort().await;
            continue;
        }
        rows += of_file;
        object.shutdown().await.map_err(|error| in_file(&place, error))?;
        if let Some(parts) = parts {
            parts.add(place, of_file, bytes);
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

/// A file that is being written.
struct File {
    place: Path,
    store: Arc<dyn ObjectStore>,
    schema: SchemaRef,
    writer: ArrowWriter<Pieces>,
    pieces: mpsc::Receiver<Bytes>,
    permits: Arc<Semaphore>,
}

impl File {
    fn create(
        store: &Arc<dyn ObjectStore>,
        place: Path,
        options: &Options,
        schema: &SchemaRef,
        permits: &Arc<Semaphore>,
    ) -> Result<Self> {
        let (sender, pieces) = mpsc::channel(PIECES);
        let sink = Pieces { sender, piece: Vec::new() };
        let options = options.writer().memory_limit(MEMORY_BYTES);
        let writer = ArrowWriter::with_options(options, sink, Arc::clone(schema));
        let writer = writer.map_err(|error| in_file(&place, error))?;
        let (store, schema, permits) = (Arc::clone(store), Arc::clone(schema), Arc::clone(permits));
        Ok(Self { place, store, schema, writer, pieces, permits })
    }

    /// Writes all rows.
    async fn write(self, batches: mpsc::Receiver<RecordBatch>) -> Result<Written> {
        let Self { place, store, schema, writer, pieces, permits } = self;
        let upload = SpawnedTask::spawn(upload(BufWriter::new(store, place.clone()), pieces));
        let encoded = encode(writer, &schema, batches, &permits, &place).await;
        // That the store fails is why encoding does, then.
        let (mut object, bytes) = joined(upload.join_unwind().await)??;
        match encoded {
            Ok(rows) => Ok(Written { place, object, rows, bytes }),
            Err(error) => {
                let _ = object.abort().await;
                Err(error)
            }
        }
    }
}

/// Encodes all rows; gives their number. The writer ends here, whatever happens, and its pieces with it.
async fn encode(
    mut writer: ArrowWriter<Pieces>,
    schema: &SchemaRef,
    mut batches: mpsc::Receiver<RecordBatch>,
    permits: &Semaphore,
    place: &Path,
) -> Result<u64> {
    while let Some(batch) = batches.recv().await {
        // Batches may say otherwise which columns have nulls.
        let batch = RecordBatch::try_new(Arc::clone(schema), batch.columns().to_vec())?;
        let step = move || writer.write(&batch).map(|()| writer);
        writer = blocking(permits, step).await?.map_err(|error| in_file(place, error))?;
    }
    let rows = writer.row_count();
    let finish = move || writer.finish()?.end().map_err(|error| trevni::Error::from(error).into());
    let finished: trevni_arrow::Result<()> = blocking(permits, finish).await?;
    finished.map_err(|error| in_file(place, error))?;
    Ok(rows)
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
