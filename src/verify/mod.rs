//! Checks whole files, tier by tier, and goes on after the first thing that is wrong.

mod column;
mod report;
mod rows;
mod statistics;
mod tier;
mod window;

pub use report::{Finding, VerifyReport};
pub use tier::Tier;

use crate::dialect::{ReadOptions, Sums};
use crate::error::{Error, ErrorKind, Result};
use crate::formats;
use crate::limits::Limits;
use crate::reader::ReaderBuilder;
use crate::storage::budget::Pass;
use crate::storage::source::Source;
use column::Checked;
use report::Findings;
use std::path::Path;

/// Findings that are listed at most, by default.
const FINDINGS_MAX: usize = 1000;

/// Checks a whole file: its structure, checksums, all values, lengths, schema, statistics, and bytes of no column.
/// Everything that is wrong is listed with its place.
///
/// ```
/// use trevni::verify::{Tier, Verify};
/// use trevni::{Codec, Writer};
///
/// let mut writer = Writer::builder().codec(Codec::Null).build(Vec::new())?;
/// writer.write_all((0..1000).map(|n| format!("row {n}")))?;
/// let mut file = writer.finish()?;
/// assert!(Verify::new().source(&file)?.is_ok());
///
/// let end = file.len();
/// file[end - 100] ^= 1;
/// let report = Verify::new().source(&file)?;
/// let finding = &report.findings[0];
/// assert_eq!((finding.tier(), finding.rows()), (Tier::Checksums, Some(0..1000)));
/// assert!(finding.error().to_string().contains("column \"string\", block 0"));
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Verify {
    reader: ReaderBuilder,
    tiers: Vec<Tier>,
    most: usize,
}

impl Default for Verify {
    fn default() -> Self {
        Self { reader: ReaderBuilder::new(), tiers: Tier::ALL.to_vec(), most: FINDINGS_MAX }
    }
}

impl Verify {
    /// Checks everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads with the options of a reader: limits, and what a caller says of files that do not say it. Default: those of
    /// [`ReaderBuilder::new`].
    ///
    /// ```
    /// use trevni::verify::Verify;
    /// use trevni::{Limits, Reader};
    ///
    /// let file = trevni::to_vec([1, 2])?;
    /// let options = Reader::builder().limits(Limits::DEFAULT);
    /// assert!(Verify::new().reader(options).source(&file)?.is_ok());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn reader(mut self, options: ReaderBuilder) -> Self {
        self.reader = options;
        self
    }

    /// Looks only at some tiers; what nobody wants to know is not computed. Default: [`Tier::ALL`].
    ///
    /// ```
    /// use trevni::verify::{Tier, Verify};
    ///
    /// let file = trevni::to_vec([1, 2])?;
    /// assert!(Verify::new().tiers([Tier::Structure, Tier::Checksums]).source(&file)?.is_ok());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn tiers(mut self, tiers: impl IntoIterator<Item = Tier>) -> Self {
        self.tiers = tiers.into_iter().collect();
        self
    }

    /// Lists at most this number of findings; the others are counted. Default: 1,000.
    ///
    /// ```
    /// let mut file = trevni::to_vec([1, 2])?;
    /// file.extend([0; 8]);
    /// let report = trevni::verify::Verify::new().findings_max(0).source(&file)?;
    /// assert_eq!((report.is_ok(), report.findings.len(), report.omitted), (false, 0, 1));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn findings_max(mut self, count: usize) -> Self {
        self.most = count;
        self
    }

    /// Checks a file.
    ///
    /// # Errors
    ///
    /// As [`source`](Self::source), and a file that cannot be opened.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<VerifyReport> {
        let path = path.as_ref();
        let file = std::fs::File::open(path).map_err(Error::from);
        file.and_then(|file| self.source(file)).map_err(|error| error.in_file(path))
    }

    /// Checks a source.
    ///
    /// # Errors
    ///
    /// A source that fails. What is wrong with its bytes is in the report.
    pub fn source(&self, source: impl Source) -> Result<VerifyReport> {
        let (tiers, most) = (self.tiers.clone(), self.most);
        let findings = Findings {
            tiers,
            most,
            list: Vec::new(),
            omitted: 0,
            unchecked: Vec::new(),
            pass: Pass::default(),
            notes: Vec::new(),
            seen: 0,
        };
        let (limits, options) = self.reader.file_options();
        let mut report = VerifyReport::default();
        let done = run(&source, limits, options, findings, &mut report)?;
        (report.findings, report.omitted) = (done.list, done.omitted);
        (report.unchecked, report.notes) = (done.unchecked, done.notes);
        Ok(report)
    }
}

/// Looks at everything that is wanted; returns what is wrong.
fn run(
    source: &dyn Source,
    limits: Limits,
    options: ReadOptions,
    mut findings: Findings,
    report: &mut VerifyReport,
) -> Result<Findings> {
    let open = |sums| formats::open(Box::new(source), limits, 1, ReadOptions { sums, ..options.clone() });
    let strict = open(Sums::Compared);
    let strict = match strict {
        Ok(file) => Some(file),
        Err(error) => {
            findings.add(tier_of(&error, Tier::Structure), error, None)?;
            None
        }
    };
    // Where checksums are wrong, the rest is read as if there were no checksums.
    let loose = match open(Sums::Ignored) {
        Ok(file) => file,
        // It has been found already.
        Err(error) => return findings.add_source(error),
    };
    report.dialect = Some(loose.dialect());
    (report.rows, report.columns) = (loose.rows(), loose.column_count());
    let files = Checked { strict: strict.as_ref(), loose: &loose };
    let mut damaged = Vec::with_capacity(report.columns);
    let schema = rows::schema(&files, &mut findings)?;
    for number in 0..report.columns {
        let checked = column::check(&files, number, &mut findings)?;
        report.blocks += checked.blocks;
        damaged.push(checked.is_damaged);
    }
    if let Some(schema) = schema {
        rows::check(&loose, schema, &damaged, &mut findings)?;
    }
    if findings.wants(Tier::Unowned) || findings.wants(Tier::Structure) {
        column::check_extents(&loose, &mut findings)?;
    }
    Ok(findings)
}

impl Findings {
    /// Ends with what there is, unless the source failed.
    fn add_source(self, error: Error) -> Result<Self> {
        match error.category() {
            crate::error::Category::Io | crate::error::Category::Internal => Err(error),
            _ => Ok(self),
        }
    }
}

/// The tier of an error, which `otherwise` is where its kind does not say it.
fn tier_of(error: &Error, otherwise: Tier) -> Tier {
    match error.kind() {
        ErrorKind::Checksum { .. } | ErrorKind::PartChecksum { .. } => Tier::Checksums,
        ErrorKind::Decompress { .. } => Tier::Decoding,
        ErrorKind::Statistics { .. } => Tier::Statistics,
        _ => otherwise,
    }
}
