//! What a file says of itself.

use super::Reader;
use crate::dialect::{BlockInfo, ColumnInfo, Dialect};
use crate::error::Result;
use crate::metadata::Metadata;
use crate::shape::Shape;
use crate::storage::zone_map::ZoneMap;
use std::sync::Arc;

/// Facts of the file, which need no rows.
impl Reader<'_> {
    /// Number of rows in the file, as its header states, regardless of selections and filters. Each column
    /// that is read is checked against it.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.file.rows()
    }

    /// The shape of the rows; after [`Reader::project`], of the projected rows.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.part.shape
    }

    /// All columns of the file, in file order, regardless of projections.
    #[must_use]
    pub fn columns(&self) -> &[ColumnInfo] {
        self.columns.get_or_init(|| self.file.columns(&self.schema))
    }

    /// The metadata of the file.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        self.file.metadata()
    }

    /// The file format, among the formats of the family.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.file.dialect()
    }

    /// What only files of one format say of themselves, by the type that the format has for it: [`TrevniInfo`](crate::formats::TrevniInfo),
    /// and with the feature `levels` [`LevelsInfo`](crate::formats::LevelsInfo) and [`RedElmInfo`](crate::formats::RedElmInfo). `None` if the
    /// file has another format.
    ///
    /// ```
    /// use trevni::Reader;
    /// use trevni::formats::{RedElmInfo, TrevniInfo, Version};
    ///
    /// let file = trevni::to_vec(0..10)?;
    /// let reader = Reader::from_slice(&file)?;
    /// let info = reader.info::<TrevniInfo>().expect("a Trevni file");
    /// assert_eq!((info.version, info.is_compact), (Version::V2, false));
    /// assert!(reader.info::<RedElmInfo>().is_none());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn info<T: 'static>(&self) -> Option<T> {
        self.file.info().downcast().ok().map(|info| *info)
    }

    /// The blocks of a column, given by its number in [`Reader::columns`]. Reads the block table.
    ///
    /// # Errors
    ///
    /// A column number out of range, a damaged table, an unknown codec or checksum, and as
    /// [`Reader::zone_map`].
    pub fn blocks(&self, column: usize) -> Result<Vec<BlockInfo>> {
        self.here(self.file.blocks(column))
    }

    /// The bounds and counts of each block of a column, given by its number in [`Reader::columns`], and
    /// whether its values ascend; `None` if the file has no zone map for it. Reads the block table.
    ///
    /// ```
    /// use trevni::column::Bound;
    ///
    /// let bytes = trevni::to_vec((0..100_000).map(|n| n / 10))?;
    /// let reader = trevni::Reader::from_slice(&bytes)?;
    /// let map = reader.zone_map(0)?.expect("files of this crate have zone maps");
    /// assert!(map.ascending && map.zones.len() > 1);
    /// assert_eq!(map.zones[0].min, Some(Bound::Integer(0)));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::blocks`], and first values that do not ascend in a column of
    /// [`ReaderBuilder::sorted`](crate::ReaderBuilder::sorted).
    pub fn zone_map(&self, column: usize) -> Result<Option<Arc<ZoneMap>>> {
        self.here(self.file.zones(column))
    }
}
