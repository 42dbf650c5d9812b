//! The batches that rows are made of: decoded by this thread when they are needed, or ahead by another one.

use super::ahead::Ahead;
use super::decode::{BatchDecoder, BatchOrigin};
use crate::dialect::File;
use crate::error::{Error, Result};
use crate::reader::{Reader, in_file};
use crate::sort;
use crate::tree::NodeId;
use crate::vector::Vector;
use std::path::Path;
use std::sync::Arc;

/// From so many rows on, a thread that decodes ahead is worth it.
const AHEAD_ROWS: u64 = 10_000;

/// The columns that rows are made of.
pub(in crate::reader) struct BatchSource<'s> {
    file: Arc<File<'s>>,
    /// The nodes that are read, in ascending order; those that rows have asked for, where they are not all.
    nodes: Vec<NodeId>,
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
    /// Decoded by another one.
    Ahead(Ahead),
    /// By neither: the other one could not be started.
    Ended,
}

impl<'s> BatchSource<'s> {
    pub(in crate::reader) fn new(reader: &Reader<'s>) -> Result<Self> {
        let columns = Self::of(&reader.file, Box::new(BatchDecoder::new(reader)?));
        let shared = if reader.file.threads() > 1 { reader.shared() } else { None };
        Ok(Self { shared, path: reader.path.clone(), ..columns })
    }

    pub(in crate::reader) fn of(file: &Arc<File<'s>>, batches: Box<BatchDecoder>) -> Self {
        let (file, stage) = (Arc::clone(file), Stage::Here(batches));
        Self { file, nodes: Vec::new(), stage, is_alone: false, path: None, shared: None }
    }

    /// Reads more nodes from the next batch on, and of the current one after [`BatchSource::again`].
    ///
    /// # Errors
    ///
    /// As those of opening the reader's columns.
    pub(in crate::reader) fn want(&mut self, nodes: &[NodeId], origin: &BatchOrigin) -> Result<()> {
        self.nodes.extend_from_slice(nodes);
        sort::once(&mut self.nodes, |node| u64::from(*node));
        match &mut self.stage {
            Stage::Here(batches) => batches.decoder.want(nodes),
            Stage::Ahead(_) => self.decode_here(origin)?,
            Stage::Ended => {}
        }
        Ok(())
    }

    /// Decodes the current batch once more.
    ///
    /// # Errors
    ///
    /// As those of [`BatchSource::next_batch`]. The batch is forgotten then.
    pub(in crate::reader) fn again(&mut self, origin: &BatchOrigin, vector: &mut Vector) -> Result<()> {
        match &mut self.stage {
            Stage::Here(batches) => batches.again(&self.file, origin, vector),
            Stage::Ahead(_) | Stage::Ended => {
                Err(Error::internal("a batch is decoded once more by another thread"))
            }
        }
    }

    /// Ends the thread that decodes ahead; this one goes on after the current batch.
    fn decode_here(&mut self, origin: &BatchOrigin) -> Result<()> {
        self.stage = Stage::Ended;
        if let Some(reader) = &self.shared {
            let mut batches = BatchDecoder::new(reader)?;
            batches.may_decode_more = true;
            batches.decoder.want(&self.nodes);
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
            self.stage = Stage::Ahead(Ahead::start(Arc::clone(&reader.file), *batches)?);
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
        if let Stage::Ahead(ahead) = &mut self.stage {
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
            Stage::Ahead(_) | Stage::Ended => Ok(false),
        }
    }

    /// Goes back to a row of the current batch, for batches of at most so many rows; false where another thread
    /// decodes.
    pub(in crate::reader) fn go_back(&mut self, row: u64, rows: usize) -> bool {
        match &mut self.stage {
            Stage::Here(batches) => {
                batches.go_back(row, rows);
                self.is_alone = true;
                true
            }
            Stage::Ahead(_) | Stage::Ended => false,
        }
    }

    /// Rows that may come after the current batch.
    pub(in crate::reader) fn left(&self) -> u64 {
        match &self.stage {
            Stage::Here(batches) => batches.left(),
            Stage::Ahead(ahead) => ahead.left(),
            Stage::Ended => 0,
        }
    }

    /// Whether all of these rows are there.
    pub(in crate::reader) fn is_certain(&self) -> bool {
        match &self.stage {
            Stage::Here(batches) => batches.is_certain(),
            Stage::Ahead(ahead) => ahead.is_certain(),
            Stage::Ended => true,
        }
    }

    /// Allows batches that have more rows than are wanted.
    pub(in crate::reader) fn may_decode_more(&mut self) {
        if let Stage::Here(batches) = &mut self.stage {
            batches.may_decode_more = true;
        }
    }

    /// Says whether texts and byte strings may be positions in a dictionary.
    pub(in crate::reader) fn allow_dictionaries(&mut self, allowed: bool) {
        if let Stage::Here(batches) = &mut self.stage {
            batches.decoder.allow_dictionaries(allowed);
        }
    }

    /// Decodes all columns from the first batch on.
    pub(in crate::reader) fn want_all(&mut self) {
        if let Stage::Here(batches) = &mut self.stage {
            batches.decoder.want_all();
        }
    }

    /// Decodes batches of at most so many rows, from the next one on.
    pub(in crate::reader) fn set_batch_rows(&mut self, rows: usize) {
        if let Stage::Here(batches) = &mut self.stage {
            batches.set_batch_rows(rows);
        }
    }

    /// The columns, for more rows.
    pub(in crate::reader) fn into_batches(self) -> Option<Box<BatchDecoder>> {
        match self.stage {
            Stage::Here(batches) => Some(batches),
            Stage::Ahead(_) | Stage::Ended => None,
        }
    }
}
