//! Files into one file, block by block: blocks are decoded only where a selection cuts them.

mod column;
mod compatibility;
mod cut;
mod header;
mod plan;
mod recode;
mod report;
mod stored;
mod target;
mod zones;

pub use report::Merged;

use super::decode::File;
use super::encode::header as encode_header;
use super::version::Version;
use crate::dialect::trevni::columns::ColumnSpec;
use crate::error::{Error, Result};
use crate::selection::RowSelection;
use crate::storage::blocks::output;
use crate::storage::checksum::Checksum;
use crate::storage::codec::{Codec, Compressors, Framing};
use column::Column;
use std::io::{IoSlice, Write};
use std::path::Path;
use std::sync::Arc;
use zones::Zones;

/// Some rows of a file.
pub(crate) struct Part<'a, 's> {
    pub(crate) file: &'a File<'s>,
    pub(crate) rows: Arc<RowSelection>,
    /// Where the file is, where that is known.
    pub(crate) path: Option<&'a Path>,
}

/// How the result is stored. What is not said is as in the first file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    pub(crate) codec: Option<Codec>,
    pub(crate) level: Option<i32>,
    pub(crate) checksum: Option<Checksum>,
    /// Whether blocks that are copied are compared with their checksums.
    pub(crate) verify: bool,
}

/// Memory that all blocks share.
struct Work {
    compressors: Compressors,
    /// Bytes as they are stored.
    stored: Vec<u8>,
    /// Bytes before the codec.
    data: Vec<u8>,
}

impl Part<'_, '_> {
    /// Says which file an error comes from.
    #[cold]
    fn here(&self, error: Error) -> Error {
        match self.path {
            Some(path) => error.in_file(path),
            None => error,
        }
    }

    /// Name for a message.
    fn name(&self, number: usize) -> String {
        match self.path {
            Some(path) => path.display().to_string(),
            None => format!("file {number}"),
        }
    }
}

/// Writes a file of the rows of all parts, one part after the other.
///
/// # Errors
///
/// No parts, files that differ in columns or schema, blocks that must be decoded and cannot be, a sink
/// that fails.
pub(crate) fn write<W: Write>(parts: &[Part<'_, '_>], options: &Options, sink: &mut W) -> Result<Merged> {
    let Some(first) = parts.first() else {
        return Err(Error::option("there are no files to merge"));
    };
    compatibility::check(parts)?;
    let version = parts.iter().map(|part| part.file.header.version).max().unwrap_or_default();
    let rows = parts.iter().try_fold(0u64, |rows, part| rows.checked_add(part.rows.row_count()));
    let rows = rows.ok_or_else(|| Error::too_large("the number of rows", u64::MAX, u64::MAX))?;
    let mut work = Work {
        compressors: Compressors::new(Framing::Raw, options.level),
        stored: Vec::new(),
        data: Vec::new(),
    };
    let mut report = Merged { rows, ..Merged::default() };
    let mut columns = Vec::with_capacity(first.file.header.len());
    for (number, header) in first.file.header.columns().enumerate() {
        columns.push(column(parts, number, &header.spec, version, options, &mut work, &mut report)?);
    }
    let metadata = header::merged_file_metadata(parts, options);
    let has_sum = header::has_sum(&metadata, &columns);
    let sums = columns.iter().map(|column| Ok(if has_sum { Some(column.sums(parts)?) } else { None }));
    let sums = sums.collect::<Result<Vec<_>>>()?;
    let headers = header::columns(first.file, &columns, &metadata, &sums, options);
    let sizes: Vec<u64> = columns.iter().map(|column| column.size(parts)).collect::<Result<_>>()?;
    let header = encode_header::Header { version, rows, metadata, has_sum, columns: headers };
    let start = encode_header::encode(header, &sizes);
    output::write_all(sink, &mut [IoSlice::new(&start)])?;
    columns.iter().try_for_each(|column| column.write(parts, options, &mut work, sink))?;
    Ok(report)
}

/// The blocks of a column of the result.
fn column(
    parts: &[Part<'_, '_>],
    number: usize,
    spec: &ColumnSpec<&str>,
    version: Version,
    options: &Options,
    work: &mut Work,
    report: &mut Merged,
) -> Result<Column> {
    let target = target::of(parts, number, options, work)?;
    let mut zones = Zones::new(spec);
    let mut column = Column::new(number, spec.value_type, target, version.has_length_runs());
    for (at, part) in parts.iter().enumerate() {
        column.add(at, part, &mut zones, work, report).map_err(|error| part.here(error))?;
    }
    column.zone_map = zones.encode();
    Ok(column)
}
