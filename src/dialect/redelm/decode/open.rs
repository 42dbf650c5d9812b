//! What readers ask of a file.

use super::super::MAGIC;
use super::File;
use crate::dialect::beginning::Beginning;
use crate::dialect::redelm::format::RedElmInfo;
use crate::dialect::{Dialect, File as AnyFile, OpenFile, Opener, ReadOptions};
use crate::error::Result;
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::storage::checksum::Checksum;
use crate::storage::source::Source;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::ZoneMap;
use std::any::Any;
use std::sync::Arc;

/// Takes files of this format.
///
/// # Errors
///
/// None: the footer is read when the file is opened.
pub(crate) fn recognize(beginning: &mut Beginning<'_>, _: &ReadOptions) -> Result<Option<Opener>> {
    let open = || -> Opener {
        Box::new(|source, limits, threads, options| {
            File::open(source, limits, threads, options.sums).map(AnyFile::from_file)
        })
    };
    Ok(beginning.has(&MAGIC).then(open))
}

/// Opens a file whose footer is known.
///
/// # Errors
///
/// A footer that is damaged, or of a file of another size.
pub(crate) fn open_with_footer<'s>(
    source: Box<dyn Source + 's>,
    footer: &[u8],
    limits: Limits,
    threads: usize,
) -> Result<AnyFile<'s>> {
    File::with_footer(source, footer, limits, threads).map(AnyFile::from_file)
}

impl OpenFile for File<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::RedElm
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
        &self.header.metadata
    }

    fn column_count(&self) -> usize {
        self.columns.len()
    }

    fn column_name(&self, number: usize) -> Result<&str> {
        self.column(number).map(|column| column.name.as_str())
    }

    fn has_tables(&self) -> bool {
        false
    }

    fn zones(&self, column: usize) -> Result<Option<Arc<ZoneMap>>> {
        self.zones(column)
    }

    fn kind(&self, column: usize) -> Result<(ValueType, bool)> {
        self.value_type(column).map(|value_type| (value_type, false))
    }

    fn checksum(&self) -> Option<Checksum> {
        Some(self.checksum())
    }

    fn info(&self) -> Box<dyn Any> {
        Box::new(RedElmInfo::new(self.footer_form(), self.checksum(), self.footer_range()))
    }
}
