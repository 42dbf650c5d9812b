//! The batches that rows are made of: decoded by this thread when they are needed, or ahead by another one.

use super::ahead::Ahead;
use super::decode::{BatchDecoder, BatchOrigin};
use crate::de::Load;
use crate::dialect::File;
use crate::error::{Category, Error, Result};
use crate::reader::{Reader, in_file};
use crate::vector::Vector;
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::sync::Arc;

/// From so many rows on, a thread that decodes ahead is worth it.
const AHEAD_ROWS: u64 = 10_000;

/// The columns that rows are made of.
pub(in crate::reader) struct BatchSource<'s> {
    file: Arc<File<'s>>,
    stage: RefCell<Stage>,
    /// Whether what the row has asked for last cannot be decoded.
    is_damaged: Cell<bool>,
    /// Where the file was opened, for errors.
    path: Option<Arc<Path>>,
    /// The reader, where another thread may decode for it.
    shared: Option<Reader<'static>>,
}

enum Stage {
    /// Decoded by this thread.
    Here(Box<BatchDecoder>),
    /// Decoded by another one.
    Ahead(Ahead, Box<Resume>),
    /// By none: another one could not be started.
    Ended,
}

/// What it takes to decode here again, because a row asks for what the other thread does not decode.
struct Resume {
    reader: Reader<'static>,
    wanted: Vec<u32>,
    /// The current batch.
    origin: BatchOrigin,
}

impl Load for BatchSource<'_> {
    fn load(&self, node: u32) -> Result<Vector> {
        self.note(self.try_load(node))
    }

    fn announce(&self, nodes: &[u32]) -> Result<()> {
        let done = match &mut *self.stage.borrow_mut() {
            Stage::Here(batches) => batches.prefetch(&self.file, nodes),
            Stage::Ahead(..) | Stage::Ended => Ok(()),
        };
        self.note(done)
    }
}

impl<'s> BatchSource<'s> {
    pub(in crate::reader) fn new(reader: &Reader<'s>) -> Result<Self> {
        let columns = Self::of(&reader.file, Box::new(BatchDecoder::new(reader)?));
        let shared = if reader.file.threads() > 1 { reader.shared() } else { None };
        Ok(Self { shared, path: reader.path.clone(), ..columns })
    }

    pub(in crate::reader) fn of(file: &Arc<File<'s>>, batches: Box<BatchDecoder>) -> Self {
        let stage = RefCell::new(Stage::Here(batches));
        Self { file: Arc::clone(file), stage, is_damaged: Cell::new(false), path: None, shared: None }
    }

    fn try_load(&self, node: u32) -> Result<Vector> {
        let stage = &mut *self.stage.borrow_mut();
        if let Stage::Ahead(_, resume) = stage {
            let mut batches = resume.batches()?;
            batches.resume(&resume.reader.file, &resume.origin)?;
            *stage = Stage::Here(Box::new(batches));
        }
        match stage {
            Stage::Here(batches) => batches.load(&self.file, node),
            Stage::Ahead(..) | Stage::Ended => Ok(Vector::Null(0)),
        }
    }

    /// Says which file an error is of, if it was opened by its path.
    #[cold]
    pub(in crate::reader) fn here(&self, error: Error) -> Error {
        in_file(self.path.as_deref(), error)
    }

    /// Begins a row, which has asked for nothing yet.
    pub(in crate::reader) fn begin_row(&self) {
        self.is_damaged.set(false);
    }

    /// Whether what the row has asked for last cannot be decoded.
    pub(in crate::reader) fn is_damaged(&self) -> bool {
        self.is_damaged.get()
    }

    /// Takes note of bytes that cannot be decoded. A source that fails may be asked again.
    fn note<T>(&self, done: Result<T>) -> Result<T> {
        let error = done.as_ref().err();
        self.is_damaged.set(error.is_some_and(|error| error.category() != Category::Io));
        done
    }

    /// Says that rows have shown what they need; from now on another thread may decode it ahead.
    pub(in crate::reader) fn decode_ahead(&self) -> Result<()> {
        let stage = &mut *self.stage.borrow_mut();
        let Stage::Here(batches) = stage else {
            return Ok(());
        };
        if batches.left() >= AHEAD_ROWS
            && let Some(reader) = &self.shared
            && let Stage::Here(mut batches) = std::mem::replace(stage, Stage::Ended)
        {
            let wanted = batches.decoder.wanted();
            batches.use_threads(self.file.threads() - 1);
            let ahead = Ahead::start(Arc::clone(&reader.file), *batches)?;
            let resume = Resume { reader: reader.clone(), wanted, origin: BatchOrigin::default() };
            *stage = Stage::Ahead(ahead, Box::new(resume));
        }
        Ok(())
    }

    /// Decodes the next batch; false at the end. After an error there are no more.
    pub(in crate::reader) fn next_batch(
        &self,
        origin: &mut BatchOrigin,
        vector: &mut Vector,
    ) -> Result<bool> {
        self.decode_next(origin, vector).map_err(|error| self.here(error))
    }

    fn decode_next(&self, origin: &mut BatchOrigin, vector: &mut Vector) -> Result<bool> {
        let stage = &mut *self.stage.borrow_mut();
        if let Stage::Ahead(ahead, resume) = stage {
            resume.origin.clone_from(origin);
            let done = ahead.next(origin, vector);
            if !matches!(&done, Err(error) if error.may_pass_with_fewer_rows()) {
                resume.origin.clone_from(origin);
                return done;
            }
            // Several batches may be more than fits where one is not.
            let mut batches = resume.batches()?;
            batches.go_on_after(&resume.origin);
            *stage = Stage::Here(Box::new(batches));
        }
        match stage {
            Stage::Here(batches) => batches.next(&self.file, origin, vector),
            Stage::Ahead(..) | Stage::Ended => Ok(false),
        }
    }

    /// Goes back to a row of the current batch, for batches of at most so many rows; false where another thread
    /// decodes.
    pub(in crate::reader) fn go_back(&self, row: u64, rows: usize) -> bool {
        match &mut *self.stage.borrow_mut() {
            Stage::Here(batches) => {
                batches.go_back(row, rows);
                true
            }
            Stage::Ahead(..) | Stage::Ended => false,
        }
    }

    /// Rows that may come after the current batch.
    pub(in crate::reader) fn left(&self) -> u64 {
        match &*self.stage.borrow() {
            Stage::Here(batches) => batches.left(),
            Stage::Ahead(ahead, _) => ahead.left(),
            Stage::Ended => 0,
        }
    }

    /// Whether all of these rows are there.
    pub(in crate::reader) fn is_certain(&self) -> bool {
        match &*self.stage.borrow() {
            Stage::Here(batches) => batches.is_certain(),
            Stage::Ahead(ahead, _) => ahead.is_certain(),
            Stage::Ended => true,
        }
    }

    /// Allows batches that have more rows than are wanted.
    pub(in crate::reader) fn may_decode_more(&mut self) {
        if let Stage::Here(batches) = self.stage.get_mut() {
            batches.may_decode_more = true;
        }
    }

    /// Says whether texts and byte strings may be positions in a dictionary.
    pub(in crate::reader) fn allow_dictionaries(&mut self, allowed: bool) {
        if let Stage::Here(batches) = self.stage.get_mut() {
            batches.decoder.allow_dictionaries(allowed);
        }
    }

    /// Decodes all columns from the first batch on.
    pub(in crate::reader) fn want_all(&mut self) {
        if let Stage::Here(batches) = self.stage.get_mut() {
            batches.decoder.want_all();
        }
    }

    /// Decodes batches of at most so many rows, from the next one on.
    pub(in crate::reader) fn set_batch_rows(&mut self, rows: usize) {
        if let Stage::Here(batches) = self.stage.get_mut() {
            batches.set_batch_rows(rows);
        }
    }

    /// The columns, for more rows.
    pub(in crate::reader) fn into_batches(self) -> Option<Box<BatchDecoder>> {
        match self.stage.into_inner() {
            Stage::Here(batches) => Some(batches),
            Stage::Ahead(..) | Stage::Ended => None,
        }
    }
}

impl Resume {
    /// What decodes here what the other thread has decoded.
    fn batches(&self) -> Result<BatchDecoder> {
        let mut batches = BatchDecoder::new(&self.reader)?;
        batches.decoder.want(&self.wanted);
        Ok(batches)
    }
}
