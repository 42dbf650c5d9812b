//! Writes files.

mod again;
mod atomic;
mod builder;
mod given;
mod start;

pub use atomic::AtomicFile;
pub(crate) use atomic::Taken;
pub use builder::WriterBuilder;
pub(crate) use start::in_temporary_folder;

use crate::batch::Batch;
use crate::dialect::Encoder;
use crate::error::{Error, Result};
use crate::ser::{Detection, Next, Shredder, SlowRow};
use crate::shape::Shape;
use crate::shape::branch::Branches;
use crate::vector::Vector;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Writes rows to a file.
///
/// The header of a file comes first and holds the position of each column, so compressed blocks wait
/// until [`Writer::finish`]: in memory, and beyond [`WriterBuilder::memory_limit`] in a temporary file. A
/// file may be larger than memory. A writer that is dropped before `finish` leaves nothing, and says so in debug builds
/// ([`WriterBuilder::drop_notice`]).
///
/// The shape of the rows is inferred from the rows, unless [`WriterBuilder::schema`] gives it.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("trevni-doc-writer-{}.trv", std::process::id()));
/// use trevni::{Codec, Writer};
///
/// #[derive(serde::Serialize)]
/// struct Reading {
///     sensor: String,
///     celsius: Option<f32>,
/// }
///
/// let mut writer = Writer::builder().codec(Codec::Deflate).metadata("site", "roof").create(&path)?;
/// writer.write(&Reading { sensor: "north".to_owned(), celsius: Some(21.5) })?;
/// writer.write(&Reading { sensor: "south".to_owned(), celsius: None })?;
/// writer.finish()?;
/// # std::fs::remove_file(path)?;
/// # Ok::<(), trevni::Error>(())
/// ```
pub struct Writer<W: Write> {
    sink: W,
    /// Makes the contents of the sink visible.
    commit: fn(&mut W) -> Result<()>,
    encoder: Encoder,
    /// The rows that wait to be encoded.
    rows: Shredder,
    /// Stores texts as what they all are, where that is wanted.
    detection: Option<Box<Detection>>,
    batch_rows: usize,
    /// Bytes of values after which a batch is encoded, whatever its number of rows.
    batch_bytes: usize,
    /// Number of waiting rows at which to check whether the batch is full.
    next_look: usize,
    broken: bool,
    /// Says that rows are lost where no file is made of them.
    unfinished: Unfinished,
}

impl Writer<AtomicFile> {
    /// As [`finish`](Self::finish); before the file gets its name, its header is opened as a reader opens it.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("trevni-doc-checked-{}.trv", std::process::id()));
    /// let mut writer = trevni::Writer::create(&path)?;
    /// writer.write_all(0..10)?;
    /// writer.finish_checked()?;
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`finish`](Self::finish), and a fault of this crate: a file that no reader opens.
    pub fn finish_checked(mut self) -> Result<AtomicFile> {
        self.commit = AtomicFile::complete_columns;
        self.finish()
    }

    /// Creates a file, with the defaults of [`WriterBuilder`]. It is written under a temporary name and
    /// renamed by [`Writer::finish`], so a partial file is never visible.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written to.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        WriterBuilder::new().create(path)
    }

    /// Options for writing.
    pub fn builder() -> WriterBuilder {
        WriterBuilder::new()
    }
}

impl<W: Write> Writer<W> {
    /// Creates a writer for a sink, with the defaults of [`WriterBuilder`].
    ///
    /// # Errors
    ///
    /// None with the defaults.
    pub fn new(sink: W) -> Result<Self> {
        WriterBuilder::new().build(sink)
    }

    /// Appends a row. It is serialized once, so it may be one that can be serialized only once, such as an iterator or one
    /// of `serde_transcode`.
    ///
    /// ```
    /// use serde::{Serialize, Serializer};
    /// use std::cell::RefCell;
    ///
    /// /// A row that is consumed when it is serialized.
    /// struct Items<I>(RefCell<I>);
    ///
    /// impl<I: Iterator<Item = u64>> Serialize for Items<I> {
    ///     fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
    ///         serializer.collect_seq(&mut *self.0.borrow_mut())
    ///     }
    /// }
    ///
    /// let mut writer = trevni::Writer::new(Vec::new())?;
    /// writer.write(&Items(RefCell::new(0..0)))?;
    /// writer.write(&Items(RefCell::new(0..2)))?;
    /// let rows: Vec<Vec<u64>> = trevni::from_slice(&writer.finish()?)?;
    /// assert_eq!(rows, [vec![], vec![0, 1]]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A row whose `Serialize` fails, that does not fit a given schema, or that is nested too deep. Such a
    /// row is skipped, and writing may continue; fields that only it had stay in the shape, as absent.
    /// After an I/O error of the temporary file, the writer is unusable.
    #[inline]
    pub fn write<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<()> {
        if self.broken {
            return Err(broken());
        }
        loop {
            // A `Serialize` that panics leaves half a row.
            let poison = Poison(&mut self.broken);
            let pushed = self.rows.push_fast(row);
            std::mem::forget(poison);
            if pushed {
                return if self.rows.len() < self.next_look { Ok(()) } else { self.look() };
            }
            if self.write_slow(&|slow| row.serialize(slow))? == Next::Row {
                return Ok(());
            }
        }
    }

    /// Appends a row that the fast path does not take.
    #[cold]
    #[inline(never)]
    fn write_slow(&mut self, row: SlowRow<'_>) -> Result<Next> {
        let poison = Poison(&mut self.broken);
        let encoder = &self.encoder;
        let before = encoder.may_refuse().then(|| self.rows.shape().clone());
        let check = |shape: &Shape| match &self.detection {
            Some(detection) if before.is_some() => encoder.check(&detection.stored(shape)),
            _ => encoder.check(shape),
        };
        let pushed = self.rows.push_slow(row, encoder.rows() == 0, &check);
        std::mem::forget(poison);
        match pushed {
            Ok(Next::Row) if self.rows.len() >= self.next_look => self.look().map(|()| Next::Row),
            Ok(next) => Ok(next),
            Err(error) => {
                before.into_iter().for_each(|before| self.rows.go_back(before));
                Err(error.in_row(self.row_count()))
            }
        }
    }

    /// Appends rows.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`]; the rows before the failing one are kept.
    pub fn write_all<I>(&mut self, rows: I) -> Result<()>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        let mut rows = rows.into_iter();
        self.rows.expect(rows.size_hint().0.min(self.batch_rows));
        rows.try_for_each(|row| self.write(&row))
    }

    /// Appends the rows of a batch, without serde. Use it to rewrite a file with another codec, fewer
    /// fields or in another order.
    ///
    /// ```
    /// use trevni::{Codec, Reader, Writer};
    ///
    /// let bytes = trevni::to_vec([("one", 1), ("two", 2)])?;
    /// let reader = Reader::from_slice(&bytes)?;
    /// let mut writer = Writer::builder().codec(Codec::Deflate).shape(reader.shape()).build(Vec::new())?;
    /// for batch in reader.batches()? {
    ///     writer.write_batch(&batch?)?;
    /// }
    /// let rows: Vec<(String, u8)> = trevni::from_slice(&writer.finish()?)?;
    /// assert_eq!(rows[1], ("two".to_owned(), 2));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A batch whose shape differs from the given shape or from the rows so far; an I/O error of the
    /// temporary file.
    pub fn write_batch(&mut self, batch: &Batch) -> Result<()> {
        if self.broken {
            return Err(broken());
        }
        if *self.shape() == Shape::Unknown && self.row_count() == 0 {
            let rows = std::mem::replace(&mut self.rows, Shredder::new(Shape::Unknown, true));
            let is_foreign = batch.branches() == Branches::Variants;
            self.rows = rows.with_shape(batch.shape().clone()).storing(is_foreign);
            if is_foreign {
                self.encoder.set_foreign();
                // Values without a type would not be shown as texts.
                self.detection = None;
            }
        }
        if batch.shape() != self.shape() {
            return Err(Error::option(
                "the batch has another shape than this writer (see WriterBuilder::shape)",
            ));
        }
        if !batch.vector().is_consistent(batch.len()) {
            return Err(Error::internal("the vectors of a batch have different lengths"));
        }
        if self.rows.len() > 0 {
            self.flush()?;
        }
        // A row that was refused may have made maps of records.
        let done = self.encode_again();
        self.done(done)?;
        let Self { encoder, detection, sink, rows, .. } = self;
        let done = match detection {
            Some(detection) => append(encoder, detection, rows.shape(), &mut batch.vector().clone(), sink),
            None => encoder.append(rows.shape(), batch.vector(), sink),
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

    /// Number of rows written so far.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.encoder.rows() + self.rows.len() as u64
    }

    /// Estimated file size in bytes if finished now: compressed blocks plus an estimate for buffered rows,
    /// excluding the header. It visits all columns, so call it now and then, not for each row.
    ///
    /// ```
    /// let mut writer = trevni::Writer::new(Vec::new())?;
    /// for number in 0..100_000 {
    ///     writer.write(&(number, "a text"))?;
    /// }
    /// let size = writer.size();
    /// let file = writer.finish()?;
    /// assert!(size.abs_diff(file.len() as u64) < 10_000, "{size}, {}", file.len());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn size(&self) -> u64 {
        let (encoded, rows) = (self.encoder.size(), self.encoder.rows());
        let pending = match rows {
            0 => self.rows.size() as u64,
            rows => (u128::from(encoded) * self.rows.len() as u128 / u128::from(rows)) as u64,
        };
        encoded + pending
    }

    /// The shape of the rows so far. Texts that are stored as another type
    /// ([`WriterBuilder::detect_logical`]) are texts in it.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        self.rows.shape()
    }

    /// Waits until all full blocks are compressed.
    pub(crate) fn settle(&mut self) -> Result<()> {
        let done = self.encoder.settle();
        self.broken |= done.is_err();
        done
    }

    /// Number of encoded rows, which [`Writer::size`] counts exactly.
    #[inline]
    pub(crate) fn encoded_rows(&self) -> u64 {
        self.encoder.rows()
    }

    /// Encodes rows in smaller batches. Before the first row.
    pub(crate) fn with_batch_bytes(self, bytes: usize) -> Self {
        Self { batch_bytes: self.batch_bytes.min(bytes), ..self }
    }

    /// Starts from the shape of other rows, and grows from there; a given shape stays. Before the first row.
    pub(crate) fn with_known(self, shape: Shape) -> Self {
        if self.rows.grows() && shape != Shape::Unknown {
            Self { rows: self.rows.with_shape(shape), ..self }
        } else {
            self
        }
    }

    /// Encodes the batch if it has enough rows or bytes. Counting bytes is slow, so it happens now and
    /// then.
    fn look(&mut self) -> Result<()> {
        let rows = self.rows.len();
        if rows >= self.batch_rows || self.rows.size() >= self.batch_bytes {
            return self.flush();
        }
        let next = if rows < 256 { (rows + 1).next_power_of_two() } else { rows + 256 };
        self.next_look = next.min(self.batch_rows);
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let done = self.encode_again();
        self.done(done)?;
        let rows = self.rows.len();
        let (shape, vector) = self.rows.parts();
        // A `Serialize` that continues after an error leaves half a value.
        let done = match (vector.is_consistent(rows), &mut self.detection) {
            (true, None) => self.encoder.append(shape, vector, &mut self.sink),
            (true, Some(detection)) => append(&mut self.encoder, detection, shape, vector, &mut self.sink),
            (false, _) => {
                Err(Error::option("a Serialize implementation went on after an error, which it must return"))
            }
        };
        let done = self.done(done);
        self.rows.clear();
        self.next_look = 1;
        done
    }

    /// Completes the file and returns the sink. A file from [`Writer::create`] gets its final name.
    ///
    /// # Errors
    ///
    /// An I/O error of the sink or the temporary file, and options that the columns do not allow.
    pub fn finish(mut self) -> Result<W> {
        self.unfinished.0 = false;
        if self.broken {
            return Err(broken());
        }
        if self.rows.len() > 0 || self.encoder.rows() == 0 {
            self.flush()?;
        }
        let done = self.encode_again();
        self.done(done)?;
        self.rows.check_wishes()?;
        let shape = match &self.detection {
            Some(detection) => detection.stored(self.rows.shape()).into_owned(),
            None => self.rows.into_shape(),
        };
        self.encoder.finish(shape, &mut self.sink)?;
        self.sink.flush()?;
        (self.commit)(&mut self.sink)?;
        Ok(self.sink)
    }
}

/// Appends rows whose texts are stored as what they all are.
fn append<W: Write>(
    encoder: &mut Encoder,
    detection: &mut Detection,
    shape: &Shape,
    vector: &mut Vector,
    sink: &mut W,
) -> Result<()> {
    let kept = detection.store(shape, vector, |stored| encoder.check(stored))?;
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

/// Whether to say, once a process and in debug builds, that a writer is dropped before [`Writer::finish`].
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
