//! The rows of a writer, whatever its sink is.

use crate::batch::Batch;
use crate::dialect::Encoder;
use crate::dialect::format::check;
use crate::error::{Error, Result};
use crate::outlined::{Outlined, drop_outlined};
use crate::ser::{Detection, Next, Shredder, SlowRow, WRITE_BATCH_BYTES};
use crate::shape::Shape;
use crate::shape::branch::Branches;
use crate::vector::Vector;
use serde::Serialize;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Takes rows and encodes them in batches.
pub(super) struct RowEncoder {
    pub(super) encoder: Encoder,
    /// The rows that wait to be encoded.
    pub(super) waiting: Shredder,
    /// Stores strings as their common logical type, if wanted.
    pub(super) detection: Option<Box<Detection>>,
    batch_rows: usize,
    /// Bytes of values after which a batch is encoded, whatever its number of rows.
    batch_bytes: usize,
    /// Number of waiting rows at which to check whether the batch is full.
    next_look: usize,
    broken: bool,
    /// Says that rows are lost where no file is made of them.
    unfinished: Unfinished,
}

drop_outlined!(RowEncoder);

impl RowEncoder {
    /// No rows yet.
    pub(super) fn new(
        encoder: Encoder,
        waiting: Shredder,
        detection: Option<Box<Detection>>,
        batch_rows: usize,
        drop_notice: bool,
    ) -> Outlined<Self> {
        Outlined::new(Self {
            encoder,
            waiting,
            detection,
            batch_rows: batch_rows.max(1),
            next_look: 1,
            batch_bytes: WRITE_BATCH_BYTES,
            broken: false,
            unfinished: Unfinished(drop_notice),
        })
    }

    /// Makes room for rows that will come.
    pub(super) fn expect(&mut self, rows: usize) {
        self.waiting.expect(rows.min(self.batch_rows));
    }

    /// Appends a row. A part of the callers' loops, which are short where rows are.
    #[inline(always)]
    pub(super) fn write<T: Serialize + ?Sized>(&mut self, row: &T, sink: &mut dyn Write) -> Result<()> {
        if self.broken {
            return Err(broken());
        }
        loop {
            // A `Serialize` that panics leaves half a row.
            let poison = Poison(&mut self.broken);
            let pushed = self.waiting.push_fast(row);
            std::mem::forget(poison);
            if pushed {
                return if self.waiting.len() < self.next_look { Ok(()) } else { self.look(sink) };
            }
            if self.write_slow(&|slow| row.serialize(slow), sink)? == Next::Row {
                return Ok(());
            }
        }
    }

    /// Appends a row that the fast path does not take.
    #[cold]
    #[inline(never)]
    fn write_slow(&mut self, row: SlowRow<'_>, sink: &mut dyn Write) -> Result<Next> {
        let poison = Poison(&mut self.broken);
        let encoder = &self.encoder;
        let before = encoder.may_refuse().then(|| self.waiting.shape().clone());
        let check_grown = |shape: &Shape| match &self.detection {
            Some(detection) if before.is_some() => check(&**encoder, &detection.stored(shape)),
            _ => check(&**encoder, shape),
        };
        let pushed = self.waiting.push_slow(row, encoder.rows() == 0, &check_grown);
        std::mem::forget(poison);
        match pushed {
            Ok(Next::Row) if self.waiting.len() >= self.next_look => self.look(sink).map(|()| Next::Row),
            Ok(next) => Ok(next),
            Err(error) => {
                before.into_iter().for_each(|before| self.waiting.go_back(before));
                Err(error.in_row(self.count()))
            }
        }
    }

    /// Appends the rows of a batch.
    pub(super) fn write_batch(&mut self, batch: &Batch, sink: &mut dyn Write) -> Result<()> {
        if self.broken {
            return Err(broken());
        }
        if *self.waiting.shape() == Shape::Unknown && self.count() == 0 {
            let rows = std::mem::replace(&mut self.waiting, Shredder::new(Shape::Unknown, true));
            let is_foreign = batch.branches() == Branches::Variants;
            self.waiting = rows.with_shape(batch.shape().clone()).storing(is_foreign);
            if is_foreign {
                self.encoder.set_foreign();
                // Values without a type would not be shown as strings.
                self.detection = None;
            }
        }
        if batch.shape() != self.waiting.shape() {
            return Err(Error::option(
                "the batch has another shape than this writer (see WriterBuilder::shape)",
            ));
        }
        if !batch.vector().is_consistent(batch.len()) {
            return Err(Error::internal("the vectors of a batch have different lengths"));
        }
        if self.waiting.len() > 0 {
            self.flush(sink)?;
        }
        // A row that was refused may have made maps of records.
        let done = self.encode_again(sink);
        self.done(done)?;
        let Self { encoder, detection, waiting, .. } = self;
        let done = match detection {
            Some(detection) => append(encoder, detection, waiting.shape(), &mut batch.vector().clone(), sink),
            None => encoder.append(waiting.shape(), batch.vector(), sink),
        };
        self.done(done)
    }

    /// Gives up where something could not be encoded.
    fn done(&mut self, done: Result<()>) -> Result<()> {
        if done.is_err() {
            self.broken = true;
            self.encoder.discard();
        }
        done
    }

    /// Number of rows so far.
    pub(super) fn count(&self) -> u64 {
        self.encoder.rows() + self.waiting.len() as u64
    }

    /// Number of encoded rows.
    #[inline]
    pub(super) fn encoded(&self) -> u64 {
        self.encoder.rows()
    }

    /// Size of a file of the rows so far, in bytes, about.
    pub(super) fn size(&self) -> u64 {
        let (encoded, rows) = (self.encoder.size(), self.encoder.rows());
        let pending = match rows {
            0 => self.waiting.size() as u64,
            rows => (u128::from(encoded) * self.waiting.len() as u128 / u128::from(rows)) as u64,
        };
        encoded + pending
    }

    pub(super) fn shape(&self) -> &Shape {
        self.waiting.shape()
    }

    /// Waits until all full blocks are compressed.
    pub(super) fn settle(&mut self) -> Result<()> {
        let done = self.encoder.settle();
        self.broken |= done.is_err();
        done
    }

    /// Encodes rows in smaller batches. Before the first row.
    pub(super) fn limit_batches(&mut self, bytes: usize) {
        self.batch_bytes = self.batch_bytes.min(bytes);
    }

    /// Says nothing where this is dropped without [`finish`](Self::finish).
    pub(super) fn keep_silent(&mut self) {
        self.unfinished.0 = false;
    }

    /// Starts from the shape of other rows, unless one is given. Before the first row.
    pub(super) fn start_from(&mut self, shape: Shape) {
        if self.waiting.grows() && shape != Shape::Unknown {
            let rows = std::mem::replace(&mut self.waiting, Shredder::new(Shape::Unknown, true));
            self.waiting = rows.with_shape(shape);
        }
    }

    /// Encodes the batch if it has enough rows or bytes. Counting bytes is slow, so it happens now and
    /// then.
    fn look(&mut self, sink: &mut dyn Write) -> Result<()> {
        let rows = self.waiting.len();
        if rows >= self.batch_rows || self.waiting.size() >= self.batch_bytes {
            return self.flush(sink);
        }
        let next = if rows < 256 { (rows + 1).next_power_of_two() } else { rows + 256 };
        self.next_look = next.min(self.batch_rows);
        Ok(())
    }

    fn flush(&mut self, sink: &mut dyn Write) -> Result<()> {
        let done = self.encode_again(sink);
        self.done(done)?;
        let rows = self.waiting.len();
        let (shape, vector) = self.waiting.parts();
        // A `Serialize` that continues after an error leaves half a value.
        let done = match (vector.is_consistent(rows), &mut self.detection) {
            (true, None) => self.encoder.append(shape, vector, sink),
            (true, Some(detection)) => append(&mut self.encoder, detection, shape, vector, sink),
            (false, _) => {
                Err(Error::option("a Serialize implementation went on after an error, which it must return"))
            }
        };
        let done = self.done(done);
        self.waiting.clear();
        self.next_look = 1;
        done
    }

    /// Completes the file, but for its name.
    pub(super) fn finish(rows: Outlined<Self>, sink: &mut dyn Write) -> Result<()> {
        let mut rows = rows.into_inner();
        rows.unfinished.0 = false;
        if rows.broken {
            return Err(broken());
        }
        if rows.waiting.len() > 0 || rows.encoder.rows() == 0 {
            rows.flush(sink)?;
        }
        let done = rows.encode_again(sink);
        rows.done(done)?;
        rows.waiting.check_wishes()?;
        let Self { encoder, waiting, detection, .. } = rows;
        let shape = match &detection {
            Some(detection) => detection.stored(waiting.shape()).into_owned(),
            None => waiting.into_shape(),
        };
        encoder.finish(shape, sink)?;
        Ok(sink.flush()?)
    }
}

/// Appends rows whose strings are stored as their common logical type.
fn append(
    encoder: &mut Encoder,
    detection: &mut Detection,
    shape: &Shape,
    vector: &mut Vector,
    sink: &mut dyn Write,
) -> Result<()> {
    let kept = detection.store(shape, vector, |stored| check(&**encoder, stored))?;
    let done = encoder.append(&detection.stored(shape), vector, sink);
    detection.give_back(shape, vector, kept);
    done
}

/// Makes a writer unusable when it is dropped: while a panic unwinds.
struct Poison<'a>(&'a mut bool);

impl Drop for Poison<'_> {
    fn drop(&mut self) {
        *self.0 = true;
    }
}

/// Whether to say, once a process and in debug builds, that a writer is dropped before it has finished.
struct Unfinished(bool);

impl Drop for Unfinished {
    fn drop(&mut self) {
        static SAID: AtomicBool = AtomicBool::new(false);
        if cfg!(debug_assertions)
            && self.0
            && !std::thread::panicking()
            && !SAID.swap(true, Ordering::Relaxed)
        {
            eprintln!(
                "trevni: a Writer was dropped without finish(), so there is no file (shown once, in debug builds)"
            );
        }
    }
}

#[cold]
fn broken() -> Error {
    Error::option("this writer failed earlier and wrote nothing: start a new one")
}
