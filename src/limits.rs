//! What a reader is willing to do for bytes it does not trust.

/// Limits of a reader, so that a small file cannot ask for a lot of memory or time.
///
/// Counts in a file are first compared with the bytes that are there; these limits bound what the
/// format lets a few bytes stand for. All can be raised for files that need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Most bytes that one block may decompress to. Default: 1 GiB.
    pub block_bytes: u64,
    /// Rows, or lengths in one block, that may stand in a file beyond 1024 for each of its bytes
    /// (a column of nulls takes no bytes at all). Default: 16,777,216.
    pub rows_without_bytes: u64,
}

impl Limits {
    /// The defaults.
    pub const DEFAULT: Self = Self { block_bytes: 1 << 30, rows_without_bytes: 1 << 24 };

    /// The most rows or lengths that `bytes` bytes may stand for.
    pub(crate) fn entries(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(1024).saturating_add(self.rows_without_bytes)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
