//! Resource limits for untrusted input.

/// Resource limits of a reader, so that a small file cannot cause large allocations or endless loops.
///
/// Memory that is made is counted, not rows that a file says it has: a batch has a limited number of rows, and as many
/// rows as you like cost nothing by themselves. Raise a limit for files that need it; an error says which one, and is of
/// [`Category::Limit`](crate::Category::Limit), never of a damaged file.
///
/// [`memory`](Self::memory) is one budget for an open file, whatever the number of its columns. Where the rows of a
/// batch would pass it, the batch gets fewer rows; where one row passes it, there is an error.
///
/// ```
/// use trevni::{ErrorKind, Limits, Reader};
///
/// let file = trevni::to_vec([vec![0.5; 100_000]])?;
/// let limits = Limits::default().memory(64 << 10);
/// let reader = Reader::builder().limits(limits).source(&*file)?;
/// let error = reader.rows::<Vec<f64>>()?.next().unwrap().unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Limit { option: "memory", .. }));
/// let reader = Reader::builder().limits(limits.memory(4 << 20)).source(&*file)?;
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
    /// Items in lists beyond 16 for each byte of the file count 32 bytes each more: something is made of them where
    /// they are read, even of nulls, which take no memory in a batch.
    ///
    /// What has been handed over is the caller's and not counted: rows, batches, columns. But a call that hands over all
    /// rows at once may make four times as much, and 1,024 bytes more for each byte of the file:
    /// [`from_slice`](crate::from_slice), [`from_reader`](crate::from_reader),
    /// [`Reader::column`](crate::Reader::column), [`Reader::raw_column`](crate::Reader::raw_column).
    pub memory: u64,
    /// Maximum number of rows, and of values, lengths and bytes of strings that are decoded in one pass over a file, of all
    /// its columns together, beyond 1,024 for each byte of the file. It limits the time that files take whose rows take
    /// no bytes, and no memory. Default: 2,147,483,648. See
    /// [`Reader::limited_together`](crate::Reader::limited_together) for passes column by column.
    pub rows_without_bytes: u64,
}

/// Rows and values that each byte of a file may stand for, and bytes that may be handed over at once for it.
const PER_BYTE: u64 = 1024;
/// Items of lists that each byte of a file may stand for before memory is counted for what is made of them.
const ITEMS_PER_BYTE: u64 = 16;
/// How often all rows at once may take the memory that a reader may hold.
const KEPT_TIMES: u64 = 4;

impl Limits {
    /// The defaults.
    pub const DEFAULT: Self = Self { block_bytes: 1 << 30, memory: 256 << 20, rows_without_bytes: 1 << 31 };

    /// Sets the maximum size of a decompressed block, in bytes.
    ///
    /// ```
    /// use trevni::Limits;
    ///
    /// let limits = Limits::default().block_bytes(16 << 20).memory(64 << 20).rows_without_bytes(1_000_000);
    /// assert_eq!((limits.block_bytes, limits.memory), (16 << 20, 64 << 20));
    /// ```
    #[must_use]
    pub const fn block_bytes(mut self, bytes: u64) -> Self {
        self.block_bytes = bytes;
        self
    }

    /// Sets the maximum memory for what a reader holds at once, in bytes.
    #[must_use]
    pub const fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets the maximum number of rows and values that are decoded in one pass beyond what the bytes of the file allow.
    #[must_use]
    pub const fn rows_without_bytes(mut self, rows: u64) -> Self {
        self.rows_without_bytes = rows;
        self
    }

    /// No limits, for bytes that this crate has made.
    pub(crate) const NONE: Self =
        Self { block_bytes: u64::MAX, memory: u64::MAX, rows_without_bytes: u64::MAX };

    /// The maximum number of rows of a file of `bytes` bytes, and of values, lengths and bytes of strings that are decoded of it in
    /// one pass, for readers of other formats too.
    ///
    /// ```
    /// use trevni::Limits;
    ///
    /// assert_eq!(Limits::default().rows_without_bytes(1_000).entries(10), 1_000 + 10 * 1024);
    /// ```
    #[must_use]
    pub fn entries(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(PER_BYTE).saturating_add(self.rows_without_bytes)
    }

    /// The items that the lists of a batch may have in one column of a file of `bytes` bytes before they are charged.
    pub(crate) fn free_items(bytes: u64) -> u64 {
        bytes.saturating_mul(ITEMS_PER_BYTE)
    }

    /// The maximum memory for what is handed over at once of a file of `bytes` bytes.
    pub(crate) fn kept(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(PER_BYTE).saturating_add(self.memory.saturating_mul(KEPT_TIMES))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
