//! What readers ask of a file.

use super::{File, header_of};
use crate::dialect::beginning::Beginning;
use crate::dialect::levels::format::LevelsInfo;
use crate::dialect::{
    BlockInfo, ColumnInfo, Dialect, File as AnyFile, OpenFile, Opener, ReadOptions, Schema,
};
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::metadata::Metadata;

use crate::storage::value_type::ValueType;
use crate::storage::zone_map::ZoneMap;
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

/// Takes files of this format.
///
/// # Errors
///
/// A source that fails, and a header of this format that is damaged.
pub(crate) fn recognize(beginning: &mut Beginning<'_>, options: &ReadOptions) -> Result<Option<Opener>> {
    let open = |header| -> Opener {
        Box::new(|source, limits, threads, options| {
            File::new(source, header, limits, threads, options).map(AnyFile::from_file)
        })
    };
    Ok(header_of(beginning, options)?.map(open))
}

impl OpenFile for File<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Levels
    }

    fn rows(&self) -> u64 {
        self.header.rows
    }

    fn bytes(&self) -> u64 {
        self.len
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn metadata(&self) -> &Metadata {
        self.header.metadata()
    }

    fn schema(&self) -> Result<Schema> {
        self.schema()
    }

    fn untyped_schema(&self) -> Result<Schema> {
        self.untyped_schema()
    }

    fn column_schema(&self, column: usize) -> Result<Schema> {
        self.column_schema(column)
    }

    fn column_count(&self) -> usize {
        self.header.columns().len()
    }

    fn columns(&self, schema: &Schema) -> Vec<ColumnInfo> {
        self.columns(schema)
    }

    fn column_name(&self, column: usize) -> Result<&str> {
        self.column(column).map(|column| column.name.as_str())
    }

    fn blocks(&self, column: usize) -> Result<Vec<BlockInfo>> {
        self.blocks(column)
    }

    fn block_sizes(&self, column: usize) -> Result<Vec<(u32, u64)>> {
        self.block_sizes(column)
    }

    fn parts_rows(&self) -> bool {
        true
    }

    fn zones(&self, column: usize) -> Result<Option<Arc<ZoneMap>>> {
        self.zones(column)
    }

    fn frame(&self) -> Result<Vec<Range<u64>>> {
        Ok(vec![self.frame()])
    }

    fn extents(&self, column: usize) -> Result<Vec<Range<u64>>> {
        self.extent(column).map(|extent| vec![extent])
    }

    fn check_blocks(&self, column: usize, found: &mut dyn FnMut(Option<usize>, Error)) -> Result<()> {
        self.check_blocks(column, found)
    }

    fn is_counted(&self, column: usize) -> bool {
        self.is_counted(column)
    }

    fn holds_nothing(&self, column: usize) -> bool {
        self.holds_nothing(column)
    }

    fn has_zone_map(&self, column: usize) -> Result<bool> {
        self.has_zone_map(column)
    }

    fn kind(&self, column: usize) -> Result<(ValueType, bool)> {
        self.column(column).map(|column| (column.value_type, false))
    }

    fn info(&self) -> Box<dyn Any> {
        Box::new(LevelsInfo::new(self.header.layout))
    }
}
