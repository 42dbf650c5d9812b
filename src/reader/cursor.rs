//! A position within the rows of a file.

use super::Reader;
use super::pipeline::{BatchOrigin, BatchSource, ReadPlan};
use crate::de::{Assembler, Copied, Fast, Held, Keep, Missed, Owned, Plan, RowAround};
use crate::error::{Category, Error, Result};
use crate::vector::Vector;
use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed};
use std::marker::PhantomData;
use std::ops::Range;

/// A position within the rows of a file.
pub(super) struct Cursor {
    assembler: Assembler<Owned>,
    /// Whether rows may be read by the fast path.
    may_be_fast: bool,
    /// Whether they may be where the tree of the batch before takes its values.
    keeps_tree: bool,
    origin: BatchOrigin,
    /// Position within the batch.
    index: usize,
    /// The run of wanted rows that it is in, and the end of this run.
    run: usize,
    end: usize,
    /// The same end, or 0 where rows are not read by the fast path.
    fast_end: usize,
    /// Number of batches so far.
    batches: u64,
    /// Whether it is to be known what the rows of each batch take.
    weighs: bool,
    /// Rows of the last batch, and the memory that they take elsewhere than in their own place, which have not been taken note of.
    weight: Option<(u64, u64)>,
    /// The memory that the rows of the current batch take so, as far as it has been reckoned.
    heap: u64,
    /// Whether no row has been read.
    is_first: bool,
    /// The unread nodes that the row has asked for.
    missed: Missed,
    /// Whether the batch must be decoded once more, because its source has failed.
    is_lost: bool,
    /// Whether what a row has asked for cannot be decoded.
    is_damaged: bool,
    _around: RowAround,
}

impl Cursor {
    pub(super) fn new<'s>(reader: &Reader<'s>) -> Result<(Self, BatchSource<'s>)> {
        Self::planned(reader, ReadPlan::new(&reader.part))
    }

    /// For rows of which it is known what is read.
    pub(super) fn planned<'s>(reader: &Reader<'s>, plan: ReadPlan) -> Result<(Self, BatchSource<'s>)> {
        let mut columns = BatchSource::planned(reader, plan)?;
        columns.may_decode_more();
        Ok((Self { may_be_fast: true, ..Self::from_reader(reader) }, columns))
    }

    /// For rows that are all read by the slow path.
    pub(super) fn slow<'s>(reader: &Reader<'s>, plan: ReadPlan) -> Result<(Self, BatchSource<'s>)> {
        let (cursor, columns) = Self::planned(reader, plan)?;
        Ok((Self { may_be_fast: false, ..cursor }, columns))
    }

    /// For rows by their numbers, which are read by the slow path.
    pub(super) fn from_reader(reader: &Reader<'_>) -> Self {
        let plan = Plan::new(&reader.part.shape, reader.schema.branches, reader.schema.shown);
        Self {
            assembler: Assembler::new(plan, Vector::Null(0)),
            may_be_fast: false,
            keeps_tree: false,
            origin: BatchOrigin::default(),
            index: 0,
            run: 0,
            end: 0,
            fast_end: 0,
            batches: 0,
            weighs: false,
            weight: None,
            heap: 0,
            is_first: true,
            missed: Missed::default(),
            is_lost: false,
            is_damaged: false,
            _around: RowAround::leave(),
        }
    }

    /// Position of the current row within the batch.
    #[inline(always)]
    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// Takes a position for the current one which [`Cursor::fast_after`] has told.
    #[inline(always)]
    pub(super) fn set_index(&mut self, index: usize) {
        self.index = index;
    }

    /// The position after another one, if it is in the same run and rows are read by the fast path.
    #[inline(always)]
    pub(super) fn fast_after(&self, index: usize) -> Option<usize> {
        let next = index + 1;
        if next < self.fast_end { Some(next) } else { None }
    }

    /// The row at a position, which misses where rows are not read by the fast path.
    #[inline(always)]
    pub(super) fn fast(&self, index: usize) -> Fast<'_, Held> {
        self.assembler.fast(index)
    }

    /// The same for what may live longer than the batch.
    #[inline(always)]
    pub(super) fn fast_copied(&self, index: usize) -> Fast<'_, Copied> {
        self.assembler.fast(index)
    }

    /// Moves to the next row; false at the end.
    pub(super) fn advance(&mut self, columns: &mut BatchSource<'_>) -> Result<bool> {
        if self.index + 1 < self.end {
            self.index += 1;
        } else if !self.next_run(columns)? {
            return Ok(false);
        }
        self.choose_path();
        Ok(true)
    }

    /// Whether the current row is read by the fast path.
    fn choose_path(&mut self) {
        // The first row shows what the rows are read as.
        let is_fast = !self.is_first
            && !self.is_lost
            && match self.may_be_fast {
                true => self.assembler.enter(self.index),
                false => self.keeps_tree && self.assembler.enter_kept(self.index),
            };
        self.is_first = false;
        self.fast_end = if is_fast { self.end } else { 0 };
    }

    /// Moves to a row of the current batch, whose rows follow each other. Where the row is not in it, the batch
    /// has ended, and false is returned.
    pub(super) fn seek(&mut self, row: u64) -> bool {
        if !self.rows().contains(&row) {
            (self.run, self.index) = (self.origin.runs.len(), self.end);
            return false;
        }
        self.index = (row - self.origin.row(0)) as usize;
        self.choose_path();
        true
    }

    /// The numbers of the rows of the current batch, where they follow each other.
    pub(super) fn rows(&self) -> Range<u64> {
        let first = self.origin.row(0);
        first..first + self.end as u64
    }

    /// Keeps the tree of a batch for the next.
    pub(super) fn keep_tree(&mut self) {
        self.keeps_tree = true;
        self.assembler.keep_tree();
    }

    /// Says whether rows may be read by the fast path.
    pub(super) fn be_fast(&mut self, may_be_fast: bool) {
        self.may_be_fast = may_be_fast;
    }

    fn next_run(&mut self, columns: &mut BatchSource<'_>) -> Result<bool> {
        self.run += 1;
        if self.run >= self.origin.runs.len() {
            self.run = 0;
            if !self.next_batch(columns)? {
                return Ok(false);
            }
        }
        let run = self.origin.runs.get(self.run).ok_or_else(|| Error::internal("a batch has no rows"))?;
        (self.index, self.end) = (run.start, run.end);
        Ok(true)
    }

    #[cold]
    fn next_batch(&mut self, columns: &mut BatchSource<'_>) -> Result<bool> {
        if self.batches > 0 {
            // The batches before have shown what is asked for.
            columns.decode_ahead()?;
        }
        let vector = self.assembler.batch(self.end);
        self.batches += 1;
        (self.index, self.end, self.fast_end) = (0, 0, 0);
        let more = columns.next_batch(&mut self.origin, vector)?;
        self.is_lost = false;
        if more {
            let rows = self.origin.runs.iter().map(Range::len).sum::<usize>();
            self.heap = 0;
            self.add_weight(rows as u64);
        }
        Ok(more)
    }

    /// Takes note of rows of the batch, and of the memory that all of them take by now.
    fn add_weight(&mut self, rows: u64) {
        if self.weighs {
            let heap = self.assembler.heap();
            let (before, taken) = self.weight.unwrap_or_default();
            self.weight = Some((before + rows, taken.saturating_add(heap.saturating_sub(self.heap))));
            self.heap = heap;
        }
    }

    /// Reckons what the rows of each batch take.
    pub(super) fn weigh(&mut self) {
        self.weighs = true;
    }

    /// Rows of a batch that has begun since the last call, and about how much memory they take elsewhere than in their own place.
    pub(super) fn take_weight(&mut self) -> Option<(u64, u64)> {
        self.weight.take()
    }

    /// The current row, by the slow path, and so the next rows.
    pub(super) fn row<T: DeserializeOwned>(&mut self, columns: &mut BatchSource<'_>) -> Result<T> {
        loop {
            self.fast_end = 0;
            let row = self.assembler.slow(self.index, &self.missed);
            if !self.reads_more(columns)? {
                return row.map_err(|error| self.here(columns, error));
            }
        }
    }

    /// The same for what may live longer than the batch, with what is kept for it.
    pub(super) fn copied_row<'de, T: Deserialize<'de>>(
        &mut self,
        columns: &mut BatchSource<'_>,
        keep: &'de Keep<'de>,
    ) -> Result<T> {
        loop {
            let row = self.seed(PhantomData, columns, keep);
            if !self.reads_more(columns)? {
                return row;
            }
        }
    }

    /// Reads what the row has asked for but was not read, if there is any: then the row is to be made once more.
    ///
    /// # Errors
    ///
    /// Bytes that cannot be decoded, and a source that fails. In the second case, the next row tries again.
    #[inline]
    fn reads_more(&mut self, columns: &mut BatchSource<'_>) -> Result<bool> {
        let nodes = self.missed.take();
        if nodes.is_empty() && !self.is_lost {
            return Ok(false);
        }
        self.read_more(columns, &nodes).map(|()| true)
    }

    #[cold]
    #[inline(never)]
    fn read_more(&mut self, columns: &mut BatchSource<'_>, nodes: &[u32]) -> Result<()> {
        let vector = self.assembler.batch(self.index);
        let done = columns.again(nodes, &self.origin, vector);
        // A column that was not read is no reason to leave the fast path.
        self.assembler.settle();
        match done {
            Ok(()) => {
                self.is_lost = false;
                self.add_weight(0);
                Ok(())
            }
            Err(error) if error.may_pass_with_fewer_rows() => self.narrow(columns, error),
            Err(error) => {
                self.is_lost = true;
                self.is_damaged = error.category() != Category::Io;
                Err(self.here(columns, error))
            }
        }
    }

    /// Whether what a row has asked for cannot be decoded.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Takes the nodes that the row has asked for, but that were not read.
    pub(super) fn take_missed(&self) -> Vec<u32> {
        self.missed.take()
    }

    /// Decodes fewer rows from the current one on, where its columns do not fit the limits for all rows of the
    /// batch.
    ///
    /// # Errors
    ///
    /// The error that says so, where the batch is of one row.
    #[cold]
    fn narrow(&mut self, columns: &mut BatchSource<'_>, error: Error) -> Result<()> {
        let (number, rows) = (self.origin.row(self.index), self.origin.len());
        if rows < 2 || !columns.go_back(number, rows / 2) {
            return Err(error);
        }
        self.run = 0;
        if !self.next_batch(columns)? || self.origin.row(self.run_start()) != number {
            return Err(Error::internal("a row is not decoded once more"));
        }
        (self.index, self.end) = self.origin.runs.first().map_or((0, 0), |run| (run.start, run.end));
        Ok(())
    }

    /// Position of the first wanted row of the batch.
    fn run_start(&self) -> usize {
        self.origin.runs.first().map_or(0, |run| run.start)
    }

    /// As [`Cursor::copied_row`] with a seed, which can be tried only once: it counts where nothing is [missed](Cursor::take_missed).
    pub(super) fn seed<'de, S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
        columns: &BatchSource<'_>,
        keep: &'de Keep<'de>,
    ) -> Result<S::Value> {
        self.fast_end = 0;
        let row = self.assembler.slow_copied(seed, self.index, &self.missed, keep);
        row.map_err(|error| self.here(columns, error))
    }

    /// Adds to an error which row it comes from, and which file.
    #[cold]
    fn here(&self, columns: &BatchSource<'_>, error: Error) -> Error {
        columns.here(error.in_row(self.origin.row(self.index)))
    }

    /// Rows after the current one.
    pub(super) fn left(&self, columns: &BatchSource<'_>) -> u64 {
        // None after the last run, and none before the first batch.
        let runs = self.origin.runs.iter().skip(self.run + 1);
        let after = runs.map(Range::len).sum::<usize>() + self.end.saturating_sub(self.index + 1);
        columns.left() + after as u64
    }
}
