//! What was found.

use super::Tier;
use crate::dialect::Dialect;
use crate::error::{Category, Error, Result};
use crate::storage::budget::Pass;
use std::ops::Range;

/// Something that is wrong with a file, or has not been looked at.
#[derive(Debug)]
pub struct Finding {
    pub(super) tier: Tier,
    pub(super) error: Error,
    pub(super) rows: Option<Range<u64>>,
}

impl Finding {
    /// What was looked at.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// What is wrong, and where: column, block, row and byte, as far as known.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// The rows that cannot be read, or cannot be relied on, where that is known; numbers of rows from 0.
    #[must_use]
    pub fn rows(&self) -> Option<Range<u64>> {
        self.rows.clone()
    }
}

/// What [`Verify`](super::Verify) found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct VerifyReport {
    /// The file format, where the file could be opened.
    pub dialect: Option<Dialect>,
    /// Number of rows, as the file says.
    pub rows: u64,
    /// Number of columns.
    pub columns: usize,
    /// Number of blocks of all columns whose tables could be read.
    pub blocks: u64,
    /// Everything that is wrong, in the order of the file: first what is wrong with all of it, then column by column.
    pub findings: Vec<Finding>,
    /// What has not been looked at, because it needs more than the [`Limits`](crate::Limits) allow: the errors are of
    /// [`Category::Limit`] and say which one. It may be right or wrong.
    pub unchecked: Vec<Finding>,
    /// What is right and may surprise: columns that have other names than the schema gives them, in files that are read
    /// by position. It does not count as wrong.
    pub notes: Vec<Error>,
    /// Findings beyond [`Verify::findings_max`](super::Verify::findings_max).
    pub omitted: u64,
}

impl VerifyReport {
    /// Whether all has been looked at, and nothing is wrong.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        !self.is_damaged() && self.unchecked.is_empty()
    }

    /// Whether something is wrong.
    ///
    /// ```
    /// use trevni::verify::Verify;
    /// use trevni::{Limits, Reader, Writer};
    ///
    /// let file = trevni::to_vec(["a long text ".repeat(10_000)])?;
    /// let limits = Limits::default().memory(64 << 10);
    /// let report = Verify::new().reader(Reader::builder().limits(limits)).source(&file)?;
    /// assert!(!report.is_ok() && !report.is_damaged());
    /// assert!(report.unchecked[0].error().to_string().ends_with("(see Limits::memory)"));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        !self.findings.is_empty() || self.omitted > 0
    }
}

/// Collects findings.
pub(super) struct Findings {
    /// Those that are wanted.
    pub(super) tiers: Vec<Tier>,
    pub(super) most: usize,
    pub(super) list: Vec<Finding>,
    pub(super) omitted: u64,
    pub(super) unchecked: Vec<Finding>,
    /// Counts what all columns have.
    pub(super) pass: Pass,
    pub(super) notes: Vec<Error>,
    /// All that have been added, of any tier.
    pub(super) seen: u64,
}

impl Findings {
    /// Adds a finding, if it is one: the source may have failed. What the limits do not allow has not been looked at.
    ///
    /// # Errors
    ///
    /// What is not the file's fault.
    pub(super) fn add(&mut self, tier: Tier, error: Error, rows: Option<Range<u64>>) -> Result<()> {
        if matches!(error.category(), Category::Io | Category::Internal) {
            return Err(error);
        }
        self.seen += 1;
        if !self.tiers.contains(&tier) {
            return Ok(());
        }
        let is_limit = error.category() == Category::Limit;
        let finding = Finding { tier, error, rows: rows.filter(|rows| !rows.is_empty()) };
        match self.list.len() < self.most {
            _ if is_limit && self.unchecked.len() < self.most.max(1) => self.unchecked.push(finding),
            _ if is_limit => {}
            true => self.list.push(finding),
            false => self.omitted += 1,
        }
        Ok(())
    }

    /// Adds what is right and may surprise.
    pub(super) fn note(&mut self, note: Error) {
        if self.wants(Tier::Schema) && self.notes.len() < self.most {
            self.notes.push(note);
        }
    }

    /// Number of findings so far, wanted or not listed any more.
    pub(super) fn count(&self) -> u64 {
        self.seen
    }

    /// Whether findings of a tier are wanted.
    pub(super) fn wants(&self, tier: Tier) -> bool {
        self.tiers.contains(&tier)
    }
}
