//! What readers ask of a file.

use super::{Decoder, File};
use crate::dialect::beginning::Beginning;
use crate::dialect::decoder::own;
use crate::dialect::trevni::format::TrevniInfo;
use crate::dialect::{
    Decode, DecodedColumns, Dialect, OpenFile, Opener, Position, ReadOptions, Schema, Window,
};
use crate::dialect::{File as AnyFile, trevni};
use crate::error::Result;
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::ZoneMap;
use crate::tree::Projection;
use crate::vector::Vector;
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

/// Takes all files: what has no other format is Trevni, or an error.
///
/// # Errors
///
/// A source that fails, is of no known format, or has a damaged header.
pub(crate) fn recognize(beginning: &mut Beginning<'_>, options: &ReadOptions) -> Result<Option<Opener>> {
    if let Some(wrapper) = trevni::compact::recognize(beginning, options.sums)? {
        return Ok(Some(Box::new(move |source, limits, threads, options| {
            trevni::compact::open(source, &wrapper, limits, threads, &options).map(AnyFile::from_file)
        })));
    }
    let header = File::header(beginning, options.sums)?;
    Ok(Some(Box::new(|source, limits, threads, options| {
        File::new(source, header, limits, threads, &options).map(AnyFile::from_file)
    })))
}

impl OpenFile for File<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::Trevni
    }

    fn rows(&self) -> u64 {
        self.header.rows
    }

    fn reaches_rows(&self) -> bool {
        // Of other sources, the blocks that a window needs first are read together.
        self.in_memory
    }

    fn bytes(&self) -> u64 {
        self.len
    }

    fn counted_bytes(&self) -> u64 {
        self.counted_bytes()
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
        self.header.len()
    }

    fn column_name(&self, column: usize) -> Result<&str> {
        self.column(column).map(|column| column.spec.name)
    }

    fn in_source(&self, range: Range<u64>) -> Option<Range<u64>> {
        match &self.compact {
            Some(compact) => compact.place(range, self.len),
            None => Some(range),
        }
    }

    fn zones(&self, column: usize) -> Result<Option<Arc<ZoneMap>>> {
        self.zones(column)
    }

    fn kind(&self, column: usize) -> Result<(ValueType, bool)> {
        self.column(column).map(|column| (column.spec.value_type, column.spec.array))
    }

    fn set_sorted(&mut self, column: usize) -> Result<()> {
        self.set_sorted(column)
    }

    fn info(&self) -> Box<dyn Any> {
        Box::new(TrevniInfo::new(self.header.version, self.compact.is_some()))
    }

    fn as_trevni(&self) -> Option<&File<'_>> {
        Some(self)
    }
}

impl Decode for File<'_> {
    fn position(&self, schema: &Arc<Schema>, part: &Projection) -> Result<Box<dyn Position>> {
        Ok(Box::new(Decoder::new(self, schema, part)?))
    }

    fn batch(
        &self,
        position: &mut dyn Position,
        rows: &Window<'_>,
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        own::<Decoder>(position)?.batch(self, rows, decoded, out)
    }
}
