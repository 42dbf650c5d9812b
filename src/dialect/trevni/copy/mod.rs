//! Files into one file, block by block: blocks are decoded only where a selection cuts them.

mod column;
mod cut;
mod header;
mod outline;
mod plan;
mod recode;
mod report;
mod stored;
mod target;
mod zones;

pub(crate) use outline::{Outline, Source};
pub use report::Merged;

use super::Version;
use super::decode::File;
use super::encode::header as encode_header;
use crate::dialect::trevni::columns::ColumnSpec;
use crate::error::{Error, Result};
use crate::selection::RowSelection;
use crate::storage::blocks::output;
use crate::storage::checksum::Checksum;
use crate::storage::codec::{Codec, Compressors, Framing};
use column::{Column, Form};
use std::borrow::Cow;
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
    /// These rows once more, with columns as the result has them.
    pub(crate) made: Option<&'a File<'s>>,
    /// Where each column of the result is.
    pub(crate) sources: Vec<Source>,
}

/// A column of a part.
struct Found<'p, 's> {
    file: &'p File<'s>,
    number: usize,
    rows: Cow<'p, RowSelection>,
    is_made: bool,
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

impl<'s> Part<'_, 's> {
    /// Where a column of the result is.
    fn column(&self, number: usize) -> Result<Found<'_, 's>> {
        match (self.sources.get(number), self.made) {
            (Some(Source::Own(number)), _) => Ok(Found {
                file: self.file,
                number: *number,
                rows: Cow::Borrowed(&*self.rows),
                is_made: false,
            }),
            (Some(Source::Made(number)), Some(file)) => {
                let rows = Cow::Owned(RowSelection::from(0..file.header.rows));
                Ok(Found { file, number: *number, rows, is_made: true })
            }
            _ => Err(Error::internal("a column of a part is missing")),
        }
    }

    /// Says which file an error comes from.
    #[cold]
    fn here(&self, error: Error) -> Error {
        match self.path {
            Some(path) => error.in_file(path),
            None => error,
        }
    }
}

/// Writes a file of the rows of all parts, one part after the other.
///
/// # Errors
///
/// Blocks that must be decoded and cannot be, a sink that fails.
pub(crate) fn write(
    parts: &[Part<'_, '_>],
    outline: &Outline,
    options: &Options,
    sink: &mut dyn Write,
) -> Result<Merged> {
    let version = parts.iter().map(|part| part.file.header.version).max().unwrap_or_default();
    let rows = parts.iter().try_fold(0u64, |rows, part| rows.checked_add(part.rows.row_count()));
    let rows = rows.ok_or_else(|| Error::too_large("the number of rows", u64::MAX, u64::MAX))?;
    let mut work = Work {
        compressors: Compressors::new(Framing::Raw, options.level),
        stored: Vec::new(),
        data: Vec::new(),
    };
    let mut report = Merged { rows, ..Merged::default() };
    let mut columns = Vec::with_capacity(outline.columns.len());
    for (number, spec) in outline.columns.iter().enumerate() {
        columns.push(column(parts, number, spec, version, options, &mut work, &mut report)?);
    }
    let metadata = header::merged_file_metadata(parts, outline, options);
    let has_sum = header::has_sum(&metadata, &columns);
    let sums = columns.iter().map(|column| Ok(if has_sum { Some(column.sums(parts)?) } else { None }));
    let sums = sums.collect::<Result<Vec<_>>>()?;
    let headers = header::columns(parts, outline, &columns, &metadata, &sums, options)?;
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
    spec: &ColumnSpec,
    version: Version,
    options: &Options,
    work: &mut Work,
    report: &mut Merged,
) -> Result<Column> {
    let target = target::of(parts, number, options, work)?;
    let value_type = target::value_type(parts, number, spec)?;
    let mut zones = Zones::new(value_type, spec.array);
    let form = Form {
        value_type,
        first_values: target::has_first_values(parts, number)?,
        runs: version.has_length_runs(),
    };
    let mut column = Column::new(number, form, target);
    for (at, part) in parts.iter().enumerate() {
        column.add(at, part, &mut zones, work, report).map_err(|error| part.here(error))?;
    }
    column.zone_map = zones.encode();
    Ok(column)
}
