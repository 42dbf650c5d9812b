//! Rows in the order of their keys, with a limit of memory: what is beyond it waits in temporary files.

mod chunk;
mod merge;
mod run;

#[cfg(test)]
mod tests;

use crate::failure::Failure;
use chunk::Chunk;
use merge::Merge;
use run::Run;
use std::io;

/// Bytes of rows in memory, unless it is said otherwise.
pub const MEMORY: usize = 256 << 20;
/// Runs that are merged at once. More of them are merged to one first.
const RUNS_MAX: usize = 64;
/// Rows that are kept beyond the number asked for, before the ones that cannot be among them are dropped.
const MORE: usize = 1 << 14;

/// Sorts rows by their keys: both are bytes. Rows with equal keys stay as they come.
#[derive(Debug)]
pub struct Sorter {
    memory: usize,
    /// How many rows are asked for.
    most: usize,
    chunk: Chunk,
    /// Sorted rows in files: those of a level are merged to one of the next. Higher levels came earlier.
    levels: Vec<Vec<Run>>,
    /// The key of the last row that is asked for, as far as that is known.
    last: Option<Vec<u8>>,
}

impl Sorter {
    /// Sorts with a number of bytes of memory, for the first `most` rows.
    pub fn new(memory: usize, most: usize) -> Self {
        Self { memory, most, chunk: Chunk::new(memory), levels: Vec::new(), last: None }
    }

    /// The key that rows must be below, to be among the ones that are asked for; `None` where any may be.
    pub fn limit(&self) -> Option<&[u8]> {
        self.last.as_deref()
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// A temporary file cannot be written, a signal came, or a row has 4 GiB.
    pub fn push(&mut self, key: &[u8], row: &[u8]) -> Result<(), Failure> {
        match self.limit().is_some_and(|limit| key >= limit) {
            true => Ok(()),
            false => self.add(key, row).map_err(failed),
        }
    }

    /// Calls `take` with each row in order, until it says false.
    ///
    /// # Errors
    ///
    /// A temporary file cannot be written or read, a signal came, or `take` fails.
    pub fn finish(mut self, mut take: impl FnMut(&[u8]) -> Result<bool, Failure>) -> Result<(), Failure> {
        if self.levels.is_empty() {
            self.chunk.sort(self.most);
            for (_, row) in self.chunk.rows() {
                if !take(row)? {
                    break;
                }
            }
            return Ok(());
        }
        self.spill().map_err(failed)?;
        let runs: Vec<Run> = self.levels.into_iter().rev().flatten().collect();
        let (mut merge, mut left) = (Merge::new(runs, self.memory).map_err(failed)?, self.most);
        while left > 0
            && let Some((_, row)) = merge.next().map_err(failed)?
        {
            if !take(row)? {
                break;
            }
            left -= 1;
        }
        Ok(())
    }

    fn add(&mut self, key: &[u8], row: &[u8]) -> io::Result<()> {
        self.chunk.push(key, row)?;
        if self.chunk.len() / 2 > self.most.saturating_add(MORE) {
            self.shrink()?;
        }
        if self.chunk.bytes() > self.memory { self.spill() } else { Ok(()) }
    }

    /// Drops the rows that cannot be among the ones asked for.
    fn shrink(&mut self) -> io::Result<()> {
        self.chunk.sort(self.most);
        self.last = self.chunk.last_key().map(<[u8]>::to_vec);
        self.chunk = self.chunk.copy(self.memory)?;
        Ok(())
    }

    /// Writes the rows in memory to a file.
    fn spill(&mut self) -> io::Result<()> {
        if self.chunk.len() == 0 {
            return Ok(());
        }
        self.chunk.sort(self.most);
        let run = Run::of(self.chunk.rows())?;
        self.chunk.clear();
        self.add_run(run, 0)
    }

    /// Adds a run to a level, and merges the level where it is full.
    fn add_run(&mut self, run: Run, level: usize) -> io::Result<()> {
        if self.levels.len() == level {
            self.levels.push(Vec::new());
        }
        let runs = &mut self.levels[level];
        runs.push(run);
        if runs.len() < RUNS_MAX {
            return Ok(());
        }
        let (mut merge, mut left) = (Merge::new(std::mem::take(runs), self.memory)?, self.most);
        let mut merged = run::Writer::new()?;
        while left > 0
            && let Some((key, row)) = merge.next()?
        {
            merged.push(key, row)?;
            left -= 1;
        }
        self.add_run(merged.finish()?, level + 1)
    }
}

/// What can fail is writing and reading of temporary files.
fn failed(error: io::Error) -> Failure {
    Failure::io("temporary files for sorting", &error)
}
