//! Resource limits for untrusted input.

/// Resource limits of a reader, so that a small file cannot cause large allocations or long loops.
///
/// Counts in a file are first compared with its size; these limits bound the counts that the format encodes
/// in few or no bytes. Raise them for files that need it.
///
/// ```
/// use trevni::{Limits, Reader};
///
/// let file = trevni::to_vec(0..10)?;
/// let mut limits = Limits::DEFAULT;
/// limits.block_bytes = 64 << 20;
/// assert_eq!(Reader::builder().limits(limits).source(&*file)?.row_count(), 10);
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum size of a decompressed block, in bytes. Default: 1 GiB.
    pub block_bytes: u64,
    /// Maximum number of rows, or of lengths in one block, beyond 1024 per byte of the file (a column of
    /// nulls takes no bytes). Default: 16,777,216.
    pub rows_without_bytes: u64,
}

impl Limits {
    /// The defaults.
    pub const DEFAULT: Self = Self { block_bytes: 1 << 30, rows_without_bytes: 1 << 24 };

    /// The maximum number of rows or lengths that `bytes` bytes may encode.
    pub(crate) fn entries(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(1024).saturating_add(self.rows_without_bytes)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
