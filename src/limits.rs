//! Resource limits for untrusted input.

/// Resource limits of a reader, so that a small file cannot cause large allocations or long loops.
///
/// Counts in a file are first compared with its size; these limits bound what the format encodes in few or no
/// bytes. Raise them for files that need it; an error says which one.
///
/// [`memory`](Self::memory) is one budget for an open file, whatever the number of its columns. Where the rows of a
/// batch would pass it, the batch gets fewer rows; where one row passes it, there is an error.
///
/// ```
/// use trevni::{ErrorKind, Limits, Reader};
///
/// let file = trevni::to_vec([vec![0.5; 100_000]])?;
/// let mut limits = Limits::DEFAULT;
/// limits.memory = 64 << 10;
/// let reader = Reader::builder().limits(limits).source(&*file)?;
/// let error = reader.rows::<Vec<f64>>()?.next().unwrap().unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Limit { option: "memory", .. }));
/// limits.memory = 4 << 20;
/// let reader = Reader::builder().limits(limits).source(&*file)?;
/// assert_eq!(reader.rows::<Vec<f64>>()?.next().unwrap()?.len(), 100_000);
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum size of a decompressed block, in bytes. Default: 1 GiB.
    pub block_bytes: u64,
    /// Maximum memory, in bytes, for what a reader and its clones hold at once of a file, over all columns: block
    /// tables, blocks as they are stored and decompressed, and the values and lengths of batches that are being
    /// decoded. Default: 268,435,456 (256 MiB).
    ///
    /// What has been handed over is the caller's and not counted: rows, batches, columns.
    /// [`Reader::column`](crate::Reader::column) and [`Reader::raw_column`](crate::Reader::raw_column), which hand
    /// over all values at once, may take 64 bytes more for each byte of the file.
    pub memory: u64,
    /// Maximum number of rows beyond 1024 per byte of the file. Default: 1,048,576.
    ///
    /// The same limit holds for the values and lengths that take no bytes, such as nulls and runs of equal lengths,
    /// of all columns that are read together; and, beyond 16 per byte of the file, for those within the lists of one
    /// batch in one column.
    pub rows_without_bytes: u64,
}

impl Limits {
    /// The defaults.
    pub const DEFAULT: Self = Self { block_bytes: 1 << 30, memory: 256 << 20, rows_without_bytes: 1 << 20 };

    /// No limits, for bytes that this crate has made.
    pub(crate) const NONE: Self =
        Self { block_bytes: u64::MAX, memory: u64::MAX, rows_without_bytes: u64::MAX };

    /// The maximum number of rows or lengths that `bytes` bytes may encode.
    pub(crate) fn entries(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(1024).saturating_add(self.rows_without_bytes)
    }

    /// The maximum number of entries without bytes that the lists of a batch may have in one column of a file of
    /// `bytes` bytes.
    pub(crate) fn items(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(16).saturating_add(self.rows_without_bytes)
    }

    /// The maximum memory for all values of a column of a file of `bytes` bytes.
    pub(crate) fn column(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(64).saturating_add(self.memory)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
