//! What readers ask of a file.

use super::{File, header_of};
use crate::dialect::beginning::Beginning;
use crate::dialect::levels::format::LevelsInfo;
use crate::dialect::{Dialect, File as AnyFile, OpenFile, Opener, ReadOptions};
use crate::error::Result;
use crate::limits::Limits;
use crate::metadata::Metadata;

use crate::storage::value_type::ValueType;
use crate::storage::zone_map::ZoneMap;
use std::any::Any;
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

    fn column_count(&self) -> usize {
        self.header.columns().len()
    }

    fn column_name(&self, column: usize) -> Result<&str> {
        self.column(column).map(|column| column.name.as_str())
    }

    fn parts_rows(&self) -> bool {
        true
    }

    fn zones(&self, column: usize) -> Result<Option<Arc<ZoneMap>>> {
        self.zones(column)
    }

    fn kind(&self, column: usize) -> Result<(ValueType, bool)> {
        self.column(column).map(|column| (column.value_type, false))
    }

    fn info(&self) -> Box<dyn Any> {
        Box::new(LevelsInfo::new(self.header.layout))
    }
}
