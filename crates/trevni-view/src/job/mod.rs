//! Work on many rows, step by step: between two steps the screen is drawn and keys are read, so that it shows how far
//! it is, and Esc ends it.

mod filter;
mod find;
mod frequent;
mod pass;
mod sort;
mod statistics;

pub(super) use filter::Filter;
pub(super) use find::{Find, Hit, Needle};
pub(super) use frequent::Frequent;
pub(super) use sort::Sort;
pub(super) use statistics::Statistics;

use super::order::Order;
use crate::failure::Failure;
use trevni_report::stats::Summary;

/// Rows of a step.
const STEP_ROWS: u64 = 1 << 16;

/// What work came to.
pub(super) enum Outcome {
    /// The rows of a filter.
    Filtered { text: String, order: Order },
    /// The rows by a column, and whether from the greatest to the least.
    Sorted { column: usize, descends: bool, order: Order },
    /// The cell that has the text; `None` where no cell has it.
    Found(Option<Hit>),
    /// What the values of a column are like.
    Statistics(Vec<Summary>),
    /// The most frequent values of a column, and how many different ones there are.
    Frequent { counts: Vec<(String, u64)>, distinct: usize },
}

/// Work that goes on while the screen is shown.
pub(super) enum Job {
    Filter(Box<Filter>),
    Sort(Box<Sort>),
    Find(Box<Find>),
    Statistics(Box<Statistics>),
    Frequent(Box<Frequent>),
}

impl Job {
    /// Does a part of the work; the outcome where it was the last.
    pub(super) fn step(&mut self) -> Result<Option<Outcome>, Failure> {
        match self {
            Self::Filter(job) => job.step(),
            Self::Sort(job) => job.step(),
            Self::Find(job) => job.step(),
            Self::Statistics(job) => job.step(),
            Self::Frequent(job) => job.step(),
        }
    }

    /// What it does, rows that are done, and all rows.
    pub(super) fn progress(&self) -> (&'static str, u64, u64) {
        match self {
            Self::Filter(job) => ("filtering", job.done(), job.total()),
            Self::Sort(job) => job.progress(),
            Self::Find(job) => ("searching", job.done(), job.total()),
            Self::Statistics(job) => ("reading", job.pass.done(), job.pass.total()),
            Self::Frequent(job) => ("counting", job.pass.done(), job.pass.total()),
        }
    }
}
