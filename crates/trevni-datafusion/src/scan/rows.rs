//! The rows of a file as a stream of record batches, window by window.
//!
//! A window is some rows that follow each other. Before it is decoded, its bytes are fetched; while it is decoded, those of the next
//! one. Windows begin small, so that a limit costs little and conditions that become known meanwhile take effect.

use super::metrics::ScanMetrics;
use super::nulls::passed_down;
use super::predicate::Rows;
use super::ranges;
use crate::error::in_file;
use crate::input::Object;
use datafusion::arrow::array::{RecordBatch, RecordBatchOptions};
use datafusion::arrow::compute::BatchCoalescer;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::runtime::SpawnedTask;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::memory_pool::MemoryReservation;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr_common::physical_expr::snapshot_physical_expr;
use datafusion::physical_plan::filter::batch_filter;
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use std::ops::Range;
use std::sync::Arc;
use trevni::{BlockInfo, Predicate, Reader};
use trevni_arrow::ArrowReader;

/// Rows of the first window and of the largest one. Blocks at the border of two windows are decoded twice.
const WINDOW_ROWS: Range<u64> = 1 << 15..1 << 20;
/// About the most bytes that are fetched for a window, and for a file as a whole.
const WINDOW_BYTES: u64 = 8 << 20;

/// What is wanted of the rows of a file.
pub(super) struct Scan {
    /// Of the columns that are read.
    pub(super) projection: Vec<Arc<dyn PhysicalExpr>>,
    pub(super) residual: Option<Arc<dyn PhysicalExpr>>,
    pub(super) predicate: Option<Predicate>,
    pub(super) dynamic: Vec<Arc<dyn PhysicalExpr>>,
    /// Of the whole file, for conditions.
    pub(super) file_schema: SchemaRef,
    /// Of what is read, as it is decoded and as the engine sees it.
    pub(super) decoded: SchemaRef,
    pub(super) columns: SchemaRef,
    pub(super) output: SchemaRef,
    pub(super) batch_rows: usize,
    /// Those of the file that are looked at.
    pub(super) rows: Range<u64>,
    pub(super) limit: Option<usize>,
    /// What the session is told of the memory.
    pub(super) memory: Option<MemoryReservation>,
    pub(super) metrics: ScanMetrics,
}

/// A file that is being read.
pub(super) struct RowStream {
    object: Arc<Object>,
    /// Of the fields that are read, and all rows.
    reader: Reader<'static>,
    scan: Scan,
    /// The rows that no window has had.
    left: Range<u64>,
    window_rows: u64,
    /// The blocks of the columns that are read, where their bytes have to be fetched or counted.
    blocks: Option<Vec<Vec<BlockInfo>>>,
    window: Option<Window>,
    next: Option<(Window, SpawnedTask<Result<()>>)>,
    coalescer: Option<BatchCoalescer>,
    has_begun: bool,
}

/// Some rows that are decoded together.
struct Window {
    reader: Reader<'static>,
    bytes: Vec<Range<u64>>,
    /// The rows to come, once their bytes have been fetched.
    batches: Option<ArrowReader<'static>>,
}

impl Window {
    fn new(reader: Reader<'static>, bytes: Vec<Range<u64>>) -> Self {
        Self { reader, bytes, batches: None }
    }
}

impl RowStream {
    pub(super) fn new(object: Arc<Object>, reader: Reader<'static>, scan: Scan) -> Self {
        let limit = scan.limit.map_or(u64::MAX, |rows| rows as u64);
        let left = scan.rows.start..scan.rows.end.min(scan.rows.start.saturating_add(limit));
        let filters = scan.predicate.is_some() || scan.residual.is_some() || !scan.dynamic.is_empty();
        let coalescer = filters.then(|| {
            BatchCoalescer::new(Arc::clone(&scan.output), scan.batch_rows)
                .with_biggest_coalesce_batch_size(Some(scan.batch_rows / 2))
        });
        let (window_rows, has_begun) = (WINDOW_ROWS.start, false);
        Self {
            object,
            reader,
            scan,
            left,
            window_rows,
            blocks: None,
            window: None,
            next: None,
            coalescer,
            has_begun,
        }
    }

    pub(super) fn into_stream(self) -> BoxStream<'static, Result<RecordBatch>> {
        stream::try_unfold(self, |mut rows| async move { Ok(rows.next().await?.map(|batch| (batch, rows))) })
            .boxed()
    }

    /// The next batch of rows as they are wanted.
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if let Some(batch) = self.coalescer.as_mut().and_then(BatchCoalescer::next_completed_batch) {
                return Ok(Some(batch));
            }
            match (self.read().await?, &mut self.coalescer) {
                (Some(batch), _) if batch.num_rows() == 0 => {}
                // Coalescing needs columns.
                (Some(batch), Some(coalescer)) if batch.num_columns() > 0 => coalescer.push_batch(batch)?,
                (Some(batch), _) => return Ok(Some(batch)),
                (None, Some(coalescer)) if !coalescer.is_empty() => coalescer.finish_buffered_batch()?,
                (None, _) => return Ok(None),
            }
        }
    }

    /// The next rows that the file has, filtered and projected.
    async fn read(&mut self) -> Result<Option<RecordBatch>> {
        if !self.has_begun {
            self.has_begun = true;
            self.begin().await?;
        }
        loop {
            if self.needs_no_column() {
                return self.count_rows();
            }
            if self.window.is_none() {
                self.window = self.next_window().await?;
            }
            // Others have their turn, also where no row comes out for long.
            tokio::task::consume_budget().await;
            match self.decode()? {
                Some(batch) => return self.finish(batch).map(Some),
                None if self.window.take().is_none() => return Ok(None),
                None => {}
            }
        }
    }

    /// Fetches what says where blocks are, or all of the columns if that is not much.
    async fn begin(&mut self) -> Result<()> {
        let reader = self.filtered()?;
        self.scan.metrics.columns_read.add(if self.needs_no_column() {
            0
        } else {
            reader.columns_read().len()
        });
        if self.needs_no_column() {
            // Their number is compared with the size of the file.
            return run(&self.object, || reader.candidates().map(drop)).await;
        }
        if self.object.is_remote() {
            let whole = ranges::of_columns(&reader, self.object.meta.size);
            let bytes: u64 = whole.iter().map(|range| range.end - range.start).sum();
            let all_rows = self.coalescer.is_none() && self.left == (0..self.reader.row_count());
            if all_rows && bytes <= WINDOW_BYTES && !whole.is_empty() {
                self.object.fetch(whole, false).await?;
                // What a table is read by may be more than a small column has.
                return run(&self.object, || ranges::blocks(&reader).map(drop)).await;
            }
            self.object.fetch(ranges::of_tables(&reader), true).await?;
        }
        if self.object.is_remote() || self.scan.predicate.is_some() {
            let blocks = run(&self.object, || ranges::blocks(&reader)).await?;
            let total = blocks.iter().map(Vec::len).sum();
            self.scan.metrics.blocks_total.add(total);
            if self.scan.predicate.is_some() {
                let candidates = run(&self.object, || reader.candidates()).await?;
                self.scan.metrics.blocks_skipped.add(total - ranges::count(&blocks, &candidates));
            }
            self.blocks = Some(blocks);
        }
        Ok(())
    }

    /// Rows without columns are only counted.
    fn needs_no_column(&self) -> bool {
        self.scan.columns.fields().is_empty() && self.coalescer.is_none()
    }

    fn count_rows(&mut self) -> Result<Option<RecordBatch>> {
        let rows = (self.left.end - self.left.start).min(self.scan.batch_rows as u64);
        if rows == 0 {
            return Ok(None);
        }
        self.left.start += rows;
        self.finish(without_columns(&self.scan.columns, rows as usize)?).map(Some)
    }

    /// A reader of the rows that conditions let through, as far as they are known now.
    fn filtered(&self) -> Result<Reader<'static>> {
        let mut reader = self.reader.clone();
        if let Some(predicate) = &self.scan.predicate {
            reader = reader.filter(predicate.clone()).map_err(|error| self.error(error))?;
        }
        for condition in &self.scan.dynamic {
            let condition = snapshot_physical_expr(Arc::clone(condition))?;
            // The rows of a reader that is projected have the shape of the projection.
            let rows = Rows { schema: &self.scan.file_schema, shape: None };
            if let Some(found) = rows.translate(&condition)
                && let Ok(narrower) = reader.filter(found.predicate)
            {
                reader = narrower;
            }
        }
        Ok(reader)
    }

    async fn next_window(&mut self) -> Result<Option<Window>> {
        let window = match self.next.take() {
            Some((window, fetched)) => {
                fetched
                    .join_unwind()
                    .await
                    .map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))??;
                Some(window)
            }
            None => match self.plan_window().await? {
                Some(window) => {
                    self.object.fetch(window.bytes.clone(), false).await?;
                    Some(window)
                }
                None => None,
            },
        };
        let Some(window) = window else { return Ok(None) };
        if self.blocks.is_some() && self.object.is_remote() {
            let mut wanted = window.bytes.clone();
            if let Some(next) = self.plan_window().await? {
                wanted.extend(next.bytes.iter().cloned());
                let (object, bytes) = (Arc::clone(&self.object), next.bytes.clone());
                self.next = Some((next, SpawnedTask::spawn(async move { object.fetch(bytes, false).await })));
            }
            self.object.forget_but(&wanted);
        }
        Ok(Some(window))
    }

    /// The next rows that are worth a window, and the bytes that they are in.
    async fn plan_window(&mut self) -> Result<Option<Window>> {
        while !self.left.is_empty() {
            let rows = match self.scan.dynamic.is_empty() && !self.object.is_remote() {
                // Nothing will be learned, and nothing is to be fetched.
                true => u64::MAX,
                false => self.window_rows,
            };
            let rows = rows.min(self.left.end - self.left.start);
            let rows = self.left.start..self.left.start + rows.min(self.rows_of_bytes());
            self.left.start = rows.end;
            self.window_rows = match self.object.is_remote() {
                true => (self.window_rows * 2).min(WINDOW_ROWS.end),
                // What the first rows show is most of what is learned, and blocks at the borders of windows are decoded twice.
                false => u64::MAX,
            };
            let reader = self.filtered()?.select(rows).map_err(|error| self.error(error))?;
            if self.blocks.is_none() {
                return Ok(Some(Window::new(reader, Vec::new())));
            }
            let (candidates, bytes) =
                run(&self.object, || Ok((reader.candidates()?, reader.ranges()?))).await?;
            if !candidates.is_empty() {
                return Ok(Some(Window::new(reader, bytes)));
            }
        }
        Ok(None)
    }

    /// About how many rows have the bytes of a window.
    fn rows_of_bytes(&self) -> u64 {
        let Some(blocks) = self.blocks.as_ref().filter(|_| self.object.is_remote()) else { return u64::MAX };
        let bytes: u64 = blocks.iter().flatten().map(|block| u64::from(block.compressed_size)).sum();
        let rows = u128::from(self.reader.row_count()) * u128::from(WINDOW_BYTES) / u128::from(bytes.max(1));
        u64::try_from(rows).unwrap_or(u64::MAX).max(1)
    }

    /// The next batch of the window, whose bytes have been fetched. It is decoded where it is asked for, as other operators do their
    /// work: handing each batch to another thread takes as long as to decode some columns.
    fn decode(&mut self) -> Result<Option<RecordBatch>> {
        let Some(window) = &mut self.window else { return Ok(None) };
        let _timer = self.scan.metrics.decode_time.timer();
        let place = &self.object.meta.location;
        let batches = match &mut window.batches {
            Some(batches) => batches,
            none => {
                let builder = ArrowReader::builder(&window.reader).schema(Arc::clone(&self.scan.decoded));
                none.insert(
                    builder
                        .batch_size(self.scan.batch_rows)
                        .build()
                        .map_err(|error| in_file(place, error))?,
                )
            }
        };
        let batch = batches.next().transpose().map_err(|error| in_file(place, error))?;
        let Some(batch) = batch else { return Ok(None) };
        if let Some(memory) = &self.scan.memory {
            // What is decoded of the blocks is about as much as a batch. Telling never fails: reading goes on, and others spill.
            let fetched = window.bytes.iter().chain(self.next.iter().flat_map(|(next, _)| &next.bytes));
            let fetched = fetched.filter(|_| self.object.is_remote());
            let fetched: u64 = fetched.map(|range| range.end - range.start).sum();
            let decoded = batch.get_array_memory_size();
            memory.resize(memory.size().max(fetched as usize + 2 * decoded));
        }
        let columns = &self.scan.columns;
        Ok(Some(match columns.fields().is_empty() {
            true => without_columns(columns, batch.num_rows())?,
            false => passed_down(batch, columns)?,
        }))
    }

    /// Takes out rows, and makes what is wanted of the others.
    fn finish(&self, mut batch: RecordBatch) -> Result<RecordBatch> {
        if let Some(residual) = &self.scan.residual {
            batch = batch_filter(&batch, residual)?;
        }
        let rows = batch.num_rows();
        let array = |expr: &Arc<dyn PhysicalExpr>| expr.evaluate(&batch)?.into_array(rows);
        let arrays = self.scan.projection.iter().map(array).collect::<Result<_>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.scan.output), arrays, &options)?)
    }

    fn error(&self, error: trevni::Error) -> DataFusionError {
        in_file(&self.object.meta.location, error)
    }
}

/// Takes a step that reads what says where rows are.
async fn run<T>(object: &Object, mut step: impl FnMut() -> trevni::Result<T>) -> Result<T> {
    object.run(true, || step().map_err(|error| in_file(&object.meta.location, error))).await
}

fn without_columns(schema: &SchemaRef, rows: usize) -> Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), Vec::new(), &options)?)
}
