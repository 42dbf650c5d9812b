//! A file of any dialect.

use super::beginning::Beginning;
use super::levels::decode::Options;
use super::trevni::version::Version;
use super::with_levels::{BuiltIn, WithLevels};
use super::{BlockInfo, ColumnInfo, Dialect, Layout, RedElmFooter, Schema, levels, redelm, trevni};
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::storage::checksum::Checksum;
use crate::storage::source::Source;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::ZoneMap;
use std::ops::Range;
use std::sync::Arc;

/// A file that is open for reading.
pub(crate) enum File<'s> {
    Trevni(trevni::decode::File<'s>),
    Levels(WithLevels<levels::decode::File<'s>>),
    RedElm(WithLevels<redelm::decode::File<'s>>),
}

impl<'s> File<'s> {
    /// Opens a source, whose first bytes say which dialect it is.
    ///
    /// # Errors
    ///
    /// A source that fails, is of no known dialect, or has a damaged header.
    pub(crate) fn open(
        source: Box<dyn Source + 's>,
        limits: Limits,
        threads: usize,
        options: Options,
    ) -> Result<Self> {
        let mut beginning = Beginning::read(&*source, limits.memory)?;
        if redelm::decode::recognize(&beginning) {
            let built_in = BuiltIn::check(Dialect::RedElm)?;
            let file = redelm::decode::File::open(source, limits, threads, options.sums)?;
            return Ok(Self::RedElm(WithLevels::new(file, built_in)));
        }
        if let Some(header) = levels::decode::recognize(&mut beginning, &options)? {
            let built_in = BuiltIn::check(Dialect::Levels)?;
            let file = levels::decode::File::new(source, header, limits, threads, options)?;
            return Ok(Self::Levels(WithLevels::new(file, built_in)));
        }
        if let Some(wrapper) = trevni::compact::recognize(&mut beginning, options.sums)? {
            return trevni::compact::open(source, &wrapper, limits, threads, &options).map(Self::Trevni);
        }
        let header = trevni::decode::File::header(&mut beginning, options.sums)?;
        trevni::decode::File::new(source, header, limits, threads, &options).map(Self::Trevni)
    }

    /// Opens a RedElm file whose footer is known.
    ///
    /// # Errors
    ///
    /// A footer that is damaged, or of a file of another size.
    pub(crate) fn with_redelm_footer(
        source: Box<dyn Source + 's>,
        footer: &[u8],
        limits: Limits,
        threads: usize,
    ) -> Result<Self> {
        let built_in = BuiltIn::check(Dialect::RedElm)?;
        let file = redelm::decode::File::with_footer(source, footer, limits, threads)?;
        Ok(Self::RedElm(WithLevels::new(file, built_in)))
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Trevni(_) => Dialect::Trevni,
            Self::Levels(_) => Dialect::Levels,
            Self::RedElm(_) => Dialect::RedElm,
        }
    }

    /// Where the footer of a RedElm file is.
    pub(crate) fn footer_range(&self) -> Option<Range<u64>> {
        match self {
            Self::RedElm(file) => Some(file.footer_range()),
            Self::Trevni(_) | Self::Levels(_) => None,
        }
    }

    /// Which checksum the footer of a RedElm file has.
    pub(crate) fn redelm_checksum(&self) -> Option<Checksum> {
        match self {
            Self::RedElm(file) => Some(file.checksum()),
            Self::Trevni(_) | Self::Levels(_) => None,
        }
    }

    /// Version of the format.
    pub(crate) fn version(&self) -> Version {
        match self {
            Self::Trevni(file) => file.header.version,
            Self::Levels(_) | Self::RedElm(_) => Version::V1,
        }
    }

    /// How a writer stores what is the dialect's own: the layout of blocks, the form of the footer.
    pub(crate) fn form(&self) -> (Layout, RedElmFooter) {
        match self {
            Self::Trevni(_) => <(Layout, RedElmFooter)>::default(),
            Self::Levels(file) => (file.header.layout, RedElmFooter::default()),
            Self::RedElm(file) => (Layout::default(), file.footer_form()),
        }
    }

    /// Number of rows, as the header says.
    pub(crate) fn rows(&self) -> u64 {
        match self {
            Self::Trevni(file) => file.header.rows,
            Self::Levels(file) => file.header.rows,
            Self::RedElm(file) => file.rows(),
        }
    }

    /// Number of bytes; of a compact file those that it stands for.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Trevni(file) => file.len,
            Self::Levels(file) => file.len,
            Self::RedElm(file) => file.len,
        }
    }

    /// Mean number of bytes of a row, at least 1.
    pub(crate) fn row_bytes(&self) -> u64 {
        (self.bytes() / self.rows().max(1)).max(1)
    }

    /// The number of bytes that limits count by.
    pub(crate) fn counted_bytes(&self) -> u64 {
        match self {
            Self::Trevni(file) => file.counted_bytes(),
            Self::Levels(_) | Self::RedElm(_) => self.bytes(),
        }
    }

    /// Whether it is read from a compact file.
    pub(crate) fn is_compact(&self) -> bool {
        matches!(self, Self::Trevni(file) if file.compact.is_some())
    }

    pub(crate) fn limits(&self) -> &Limits {
        match self {
            Self::Trevni(file) => &file.limits,
            Self::Levels(file) => &file.limits,
            Self::RedElm(file) => &file.limits,
        }
    }

    /// How many threads decode columns.
    pub(crate) fn threads(&self) -> usize {
        match self {
            Self::Trevni(file) => file.threads,
            Self::Levels(file) => file.threads,
            Self::RedElm(file) => file.threads,
        }
    }

    pub(crate) fn metadata(&self) -> &Metadata {
        match self {
            Self::Trevni(file) => file.header.metadata(),
            Self::Levels(file) => file.header.metadata(),
            Self::RedElm(file) => file.metadata(),
        }
    }

    /// The rows as the file's schema describes them; without one, as the columns do.
    pub(crate) fn schema(&self) -> Result<Schema> {
        match self {
            Self::Trevni(file) => file.schema(),
            Self::Levels(file) => file.schema(),
            Self::RedElm(file) => Ok(file.schema()),
        }
    }

    /// The columns that have other names than the file's schema gives them, with these names.
    pub(crate) fn renamed_columns(&self) -> Result<Vec<(usize, String)>> {
        match self {
            Self::Trevni(file) => file.renamed_columns(),
            Self::Levels(_) | Self::RedElm(_) => Ok(Vec::new()),
        }
    }

    /// The rows as the columns alone describe them.
    pub(crate) fn untyped_schema(&self) -> Result<Schema> {
        match self {
            Self::Trevni(file) => file.untyped_schema(),
            Self::Levels(file) => file.untyped_schema(),
            Self::RedElm(file) => file.untyped_schema(),
        }
    }

    /// The rows of one column by itself: for each row a list for each array column around it, itself included.
    pub(crate) fn column_schema(&self, column: usize) -> Result<Schema> {
        match self {
            Self::Trevni(file) => file.column_schema(column),
            Self::Levels(file) => file.column_schema(column),
            Self::RedElm(file) => file.column_schema(column),
        }
    }

    /// Number of columns.
    pub(crate) fn column_count(&self) -> usize {
        match self {
            Self::Trevni(file) => file.header.len(),
            Self::Levels(file) => file.header.columns().len(),
            Self::RedElm(file) => file.column_count(),
        }
    }

    /// All columns of a file whose rows have this shape.
    pub(crate) fn columns(&self, schema: &Schema) -> Vec<ColumnInfo> {
        match self {
            Self::Trevni(file) => file.columns(schema),
            Self::Levels(file) => file.columns(schema),
            Self::RedElm(file) => file.columns(schema),
        }
    }

    /// Name of a column.
    pub(crate) fn column_name(&self, column: usize) -> Result<&str> {
        match self {
            Self::Trevni(file) => file.column(column).map(|column| column.spec.name),
            Self::Levels(file) => file.column(column).map(|column| column.name.as_str()),
            Self::RedElm(file) => file.column_name(column),
        }
    }

    /// The blocks of a column. Reads the block table.
    pub(crate) fn blocks(&self, column: usize) -> Result<Vec<BlockInfo>> {
        match self {
            Self::Trevni(file) => file.blocks(column),
            Self::Levels(file) => file.blocks(column),
            Self::RedElm(file) => file.blocks(column),
        }
    }

    /// Rows and bytes in the file of each block of a column. Reads the block table.
    pub(crate) fn block_sizes(&self, column: usize) -> Result<Vec<(u32, u64)>> {
        match self {
            Self::Trevni(file) => file.block_sizes(column),
            Self::Levels(file) => file.block_sizes(column),
            Self::RedElm(file) => file.block_sizes(column),
        }
    }

    /// The zones of the blocks of a column, where they are known.
    pub(crate) fn zones(&self, column: usize) -> Result<Option<Arc<ZoneMap>>> {
        match self {
            Self::Trevni(file) => file.zones(column),
            Self::Levels(file) => file.zones(column),
            Self::RedElm(file) => file.zones(column),
        }
    }

    /// Where what is in no column is: header or footer.
    pub(crate) fn frame(&self) -> Result<Vec<Range<u64>>> {
        match self {
            Self::Trevni(file) => Ok(vec![file.frame()]),
            Self::Levels(file) => Ok(vec![file.frame()]),
            Self::RedElm(file) => file.frame().map(Vec::from),
        }
    }

    /// Where a column is. Reads the block table.
    pub(crate) fn extents(&self, column: usize) -> Result<Vec<Range<u64>>> {
        match self {
            Self::Trevni(file) => file.extent(column).map(|extent| vec![extent]),
            Self::Levels(file) => file.extent(column).map(|extent| vec![extent]),
            Self::RedElm(file) => file.byte_extents(column),
        }
    }

    /// Looks at the bytes of all blocks of a column, and calls with the number of each that something is wrong with.
    pub(crate) fn check_blocks(
        &self,
        column: usize,
        found: &mut dyn FnMut(Option<usize>, Error),
    ) -> Result<()> {
        match self {
            Self::Trevni(file) => file.check_blocks(column, found),
            Self::Levels(file) => file.check_blocks(column, found),
            Self::RedElm(file) => file.check_blocks(column, found),
        }
    }

    /// Whether something else than a column says how many values it has.
    pub(crate) fn is_counted(&self, column: usize) -> bool {
        match self {
            Self::Trevni(file) => file.is_counted(column),
            Self::Levels(file) => file.is_counted(column),
            Self::RedElm(file) => file.is_counted(column),
        }
    }

    /// Whether a column holds no values, so that the schema may do without it.
    pub(crate) fn holds_nothing(&self, column: usize) -> bool {
        match self {
            Self::Trevni(_) => false,
            Self::Levels(file) => file.holds_nothing(column),
            Self::RedElm(file) => file.holds_nothing(column),
        }
    }

    /// Whether a column has a zone map, such as it may be.
    pub(crate) fn has_zone_map(&self, column: usize) -> Result<bool> {
        match self {
            Self::Trevni(file) => file.has_zone_map(column),
            Self::Levels(file) => file.has_zone_map(column),
            Self::RedElm(file) => Ok(file.has_zone_map(column)),
        }
    }

    /// The type of the values of a column, and whether its zones count lengths of 0.
    pub(crate) fn kind(&self, column: usize) -> Result<(ValueType, bool)> {
        match self {
            Self::Trevni(file) => {
                file.column(column).map(|column| (column.spec.value_type, column.spec.array))
            }
            Self::Levels(file) => file.column(column).map(|column| (column.value_type, false)),
            Self::RedElm(file) => file.value_type(column).map(|value_type| (value_type, false)),
        }
    }

    /// Takes the values of a column for sorted, so that first values tell of what is in its blocks.
    pub(crate) fn set_sorted(&mut self, column: usize) -> Result<()> {
        match self {
            Self::Trevni(file) => file.set_sorted(column),
            Self::Levels(_) | Self::RedElm(_) => {
                Err(Error::option("sorted columns are for Trevni's first values"))
            }
        }
    }
}
