//! The batches that rows are made of: decoded by this thread when they are needed, or ahead by another one.

use super::ahead::Ahead;
use super::decode::{BatchDecoder, BatchOrigin};
use super::plan::ReadPlan;
use crate::dialect::File;
use crate::error::{Error, Result};
use crate::reader::{Reader, in_file};
use crate::tree::NodeId;
use crate::vector::Vector;
use std::path::Path;
use std::sync::Arc;

/// From this number of rows on, a thread that decodes ahead is worth it.
const AHEAD_ROWS: u64 = 10_000;

/// The columns that rows are made of.
pub(in crate::reader) struct BatchSource<'s> {
    file: Arc<File<'s>>,
    stage: Stage,
    /// Whether another thread may not decode, because its batches did not fit the limits.
    is_alone: bool,
    /// Where the file was opened, for errors.
    path: Option<Arc<Path>>,
    /// The reader, where another thread may decode for it.
    shared: Option<Reader<'static>>,
}

enum Stage {
    /// Decoded by this thread.
    Here(Box<BatchDecoder>),
    /// Decoded by another one, which reads this.
    Ahead(Ahead, ReadPlan),
    /// Neither: the worker thread could not be started.
    Ended,
}

impl<'s> BatchSource<'s> {
    pub(in crate::reader) fn new(reader: &Reader<'s>) -> Result<Self> {
        Self::planned(reader, ReadPlan::new(&reader.part))
    }

    pub(in crate::reader) fn planned(reader: &Reader<'s>, plan: ReadPlan) -> Result<Self> {
        let columns = Self::from_file(&reader.file, Box::new(BatchDecoder::new(reader, plan)?));
        let shared = if reader.file.threads() > 1 { reader.shared() } else { None };
        Ok(Self { shared, path: reader.path.clone(), ..columns })
    }

    pub(in crate::reader) fn from_file(file: &Arc<File<'s>>, batches: Box<BatchDecoder>) -> Self {
        let (file, stage) = (Arc::clone(file), Stage::Here(batches));
        Self { file, stage, is_alone: false, path: None, shared: None }
    }

    /// Decodes the current batch once more, with nodes that a row has missed, which are read from now on.
    ///
    /// # Errors
    ///
    /// As those of [`BatchSource::next_batch`]. The batch is forgotten then.
    pub(in crate::reader) fn again(
        &mut self,
        missed: &[NodeId],
        origin: &BatchOrigin,
        vector: &mut Vector,
    ) -> Result<()> {
        self.decode_here(origin)?;
        match &mut self.stage {
            Stage::Here(batches) => batches.again(&self.file, missed, origin, vector),
            Stage::Ahead(..) | Stage::Ended => Err(Error::internal("a batch is decoded by another thread")),
        }
    }

    /// What is read by now, and some nodes that a row has missed.
    pub(in crate::reader) fn plan_with(&self, missed: &[NodeId]) -> Result<ReadPlan> {
        let mut plan = match &self.stage {
            Stage::Here(batches) => batches.plan.clone(),
            Stage::Ahead(_, plan) => plan.clone(),
            Stage::Ended => return Err(Error::internal("another thread could not be started")),
        };
        if !missed.is_empty() {
            plan.add(missed);
        }
        Ok(plan)
    }

    /// Ends the thread that decodes ahead, if one does; this one goes on after the current batch.
    fn decode_here(&mut self, origin: &BatchOrigin) -> Result<()> {
        if matches!(self.stage, Stage::Ahead(..))
            && let Stage::Ahead(_, plan) = std::mem::replace(&mut self.stage, Stage::Ended)
            && let Some(reader) = &self.shared
        {
            let mut batches = BatchDecoder::new(reader, plan)?;
            batches.may_decode_more = true;
            batches.go_on_after(origin);
            self.stage = Stage::Here(Box::new(batches));
        }
        Ok(())
    }

    /// Says which file an error is of, if it was opened by its path.
    #[cold]
    pub(in crate::reader) fn here(&self, error: Error) -> Error {
        in_file(self.path.as_deref(), error)
    }

    /// Says that rows have shown what they need; from now on another thread may decode it ahead.
    pub(in crate::reader) fn decode_ahead(&mut self) -> Result<()> {
        if let Stage::Here(batches) = &self.stage
            && batches.left() >= AHEAD_ROWS
            && !self.is_alone
            && let Some(reader) = &self.shared
            && let Stage::Here(mut batches) = std::mem::replace(&mut self.stage, Stage::Ended)
        {
            batches.use_threads(self.file.threads() - 1);
            let plan = batches.plan.clone();
            self.stage = Stage::Ahead(Ahead::start(Arc::clone(&reader.file), *batches)?, plan);
        }
        Ok(())
    }

    /// Decodes the next batch after one; false at the end. After an error there are no more.
    pub(in crate::reader) fn next_batch(
        &mut self,
        origin: &mut BatchOrigin,
        vector: &mut Vector,
    ) -> Result<bool> {
        self.decode_next(origin, vector).map_err(|error| self.here(error))
    }

    fn decode_next(&mut self, origin: &mut BatchOrigin, vector: &mut Vector) -> Result<bool> {
        if let Stage::Ahead(ahead, _) = &mut self.stage {
            let before = origin.clone();
            let done = ahead.next(origin, vector);
            if !matches!(&done, Err(error) if error.may_pass_with_fewer_rows()) {
                return done;
            }
            // Several batches may be more than fits where one is not.
            self.is_alone = true;
            self.decode_here(&before)?;
        }
        match &mut self.stage {
            Stage::Here(batches) => batches.next(&self.file, origin, vector),
            Stage::Ahead(..) | Stage::Ended => Ok(false),
        }
    }

    /// Goes back to a row of the current batch, for batches of at most a number of rows; false where another thread
    /// decodes.
    pub(in crate::reader) fn go_back(&mut self, row: u64, rows: usize) -> bool {
        match &mut self.stage {
            Stage::Here(batches) => {
                batches.go_back(row, rows);
                self.is_alone = true;
                true
            }
            Stage::Ahead(..) | Stage::Ended => false,
        }
    }

    /// Rows that may come after the current batch.
    pub(in crate::reader) fn left(&self) -> u64 {
        match &self.stage {
            Stage::Here(batches) => batches.left(),
            Stage::Ahead(ahead, _) => ahead.left(),
            Stage::Ended => 0,
        }
    }

    /// Whether all of these rows are there.
    pub(in crate::reader) fn is_certain(&self) -> bool {
        match &self.stage {
            Stage::Here(batches) => batches.is_certain(),
            Stage::Ahead(ahead, _) => ahead.is_certain(),
            Stage::Ended => true,
        }
    }

    /// Allows batches that have more rows than are wanted.
    pub(in crate::reader) fn may_decode_more(&mut self) {
        if let Stage::Here(batches) = &mut self.stage {
            batches.may_decode_more = true;
        }
    }

    /// Says whether strings and byte strings may be positions in a dictionary.
    pub(in crate::reader) fn allow_dictionaries(&mut self, allowed: bool) {
        if let Stage::Here(batches) = &mut self.stage {
            batches.decoder.allow_dictionaries(allowed);
        }
    }

    /// Decodes all columns from the first batch on.
    pub(in crate::reader) fn want_all(&mut self) {
        if let Stage::Here(batches) = &mut self.stage {
            batches.want_all();
        }
    }

    /// Decodes batches of at most a number of rows, from the next one on.
    pub(in crate::reader) fn set_batch_rows(&mut self, rows: usize) {
        if let Stage::Here(batches) = &mut self.stage {
            batches.set_batch_rows(rows);
        }
    }

    /// The columns, for more rows.
    pub(in crate::reader) fn into_batches(self) -> Option<Box<BatchDecoder>> {
        match self.stage {
            Stage::Here(batches) => Some(batches),
            Stage::Ahead(..) | Stage::Ended => None,
        }
    }
}
