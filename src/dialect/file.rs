//! A file of any format.

use super::beginning::Beginning;
use super::{BlockInfo, ColumnInfo, Decode, Dialect, ReadOptions, Schema, trevni};
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::storage::checksum::Checksum;
use crate::storage::source::Source;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::ZoneMap;
use std::any::Any;
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

/// What rows a file has.
pub(crate) trait FileSchema {
    /// The rows as the file's schema describes them; without one, as the columns do.
    fn schema(&self) -> Result<Schema>;

    /// The columns that have other names than the file's schema gives them, with these names.
    fn renamed_columns(&self) -> Result<Vec<(usize, String)>> {
        Ok(Vec::new())
    }

    /// The rows as the columns alone describe them.
    fn untyped_schema(&self) -> Result<Schema>;

    /// The rows of one column by itself: for each row a list for each array column around it, itself included.
    fn column_schema(&self, column: usize) -> Result<Schema>;
}

/// What is known of columns and blocks without decoding them.
pub(crate) trait FileInfo {
    /// All columns of a file whose rows have this shape.
    fn columns(&self, schema: &Schema) -> Vec<ColumnInfo>;

    /// The blocks of a column. Reads the block table.
    fn blocks(&self, column: usize) -> Result<Vec<BlockInfo>>;

    /// Rows and bytes in the file of each block of a column. Reads the block table.
    fn block_sizes(&self, column: usize) -> Result<Vec<(u32, u64)>>;
}

/// What is looked at where a whole file is checked.
pub(crate) trait FileCheck {
    /// Where what is in no column is: header or footer.
    fn frame(&self) -> Result<Vec<Range<u64>>>;

    /// Where a column is. Reads the block table.
    fn extents(&self, column: usize) -> Result<Vec<Range<u64>>>;

    /// Looks at the bytes of all blocks of a column, and calls with the number of each that something is wrong with.
    fn check_blocks(&self, column: usize, found: &mut dyn FnMut(Option<usize>, Error)) -> Result<()>;

    /// Whether something else than a column says how many values it has.
    fn is_counted(&self, column: usize) -> bool;

    /// Whether a column holds no values, so that the schema may do without it.
    fn holds_nothing(&self, _: usize) -> bool {
        false
    }

    /// Whether a column has a zone map, such as it may be.
    fn has_zone_map(&self, column: usize) -> Result<bool>;
}

/// What a format does with a file that is open for reading.
pub(crate) trait OpenFile: Decode + FileSchema + FileInfo + FileCheck + Send + Sync {
    fn dialect(&self) -> Dialect;

    /// Number of rows, as the header says.
    fn rows(&self) -> u64;

    /// Number of bytes; of a compact file those that it stands for.
    fn bytes(&self) -> u64;

    /// The number of bytes that limits count by.
    fn counted_bytes(&self) -> u64 {
        self.bytes()
    }

    fn limits(&self) -> &Limits;

    /// How many threads decode columns.
    fn threads(&self) -> usize;

    fn metadata(&self) -> &Metadata;

    /// Number of columns.
    fn column_count(&self) -> usize;

    /// Name of a column.
    fn column_name(&self, column: usize) -> Result<&str>;

    /// Whether a row may begin in one block of a column and go on in the next.
    fn parts_rows(&self) -> bool {
        false
    }

    /// Whether each column goes to a row of its own, however far it is, without reading anything for others.
    fn reaches_rows(&self) -> bool {
        false
    }

    /// Whether columns begin with a block table.
    fn has_tables(&self) -> bool {
        true
    }

    /// Where bytes of the file are in the source; `None` where they are in memory.
    fn in_source(&self, range: Range<u64>) -> Option<Range<u64>> {
        Some(range)
    }

    /// The zones of the blocks of a column, where they are known.
    fn zones(&self, column: usize) -> Result<Option<Arc<ZoneMap>>>;

    /// The type of the values of a column, and whether its zones count lengths of 0.
    fn kind(&self, column: usize) -> Result<(ValueType, bool)>;

    /// Takes the values of a column for sorted, so that first values tell of what is in its blocks.
    fn set_sorted(&mut self, _: usize) -> Result<()> {
        Err(Error::option("sorted columns are for Trevni's first values"))
    }

    /// The checksum of all columns, where the file says it once.
    fn checksum(&self) -> Option<Checksum> {
        None
    }

    /// What only files of this format say of themselves, as a type that the format has for it.
    fn info(&self) -> Box<dyn Any>;

    /// The file, if it is Avro's Trevni, whose blocks can be copied.
    fn as_trevni(&self) -> Option<&trevni::decode::File<'_>> {
        None
    }
}

/// A file that is open for reading.
pub(crate) struct File<'s>(Box<dyn OpenFile + 's>);

/// Opens a source in a format, with limits, a number of threads and options.
pub(crate) type Opener =
    Box<dyn for<'s> FnOnce(Box<dyn Source + 's>, Limits, usize, ReadOptions) -> Result<File<'s>>>;

/// Detects a format by the first bytes of a file; `None` if the file has another one.
///
/// # Errors
///
/// A source that fails, and a header of the format that is damaged.
pub(crate) type Recognize = fn(&mut Beginning<'_>, &ReadOptions) -> Result<Option<Opener>>;

impl<'s> File<'s> {
    /// A file of a format.
    pub(crate) fn from_file(file: impl OpenFile + 's) -> Self {
        Self(Box::new(file))
    }

    /// Opens a source, whose first bytes say which of some formats it has; the last of them takes all others.
    ///
    /// # Errors
    ///
    /// A source that fails, is of no known format, or has a damaged header.
    pub(crate) fn open(
        formats: &[Recognize],
        source: Box<dyn Source + 's>,
        limits: Limits,
        threads: usize,
        options: ReadOptions,
    ) -> Result<Self> {
        let mut beginning = Beginning::read(&*source, limits.memory)?;
        for recognize in formats {
            if let Some(open) = recognize(&mut beginning, &options)? {
                drop(beginning);
                return open(source, limits, threads, options);
            }
        }
        Err(Error::internal("no format takes the file"))
    }

    /// Mean number of bytes of a row, at least 1.
    pub(crate) fn row_bytes(&self) -> u64 {
        (self.bytes() / self.rows().max(1)).max(1)
    }
}

impl<'s> Deref for File<'s> {
    type Target = dyn OpenFile + 's;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for File<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}
