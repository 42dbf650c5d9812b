//! Rows as strings to Trevni: all rows are looked at to find the schema, and read again to be written.

#[cfg(feature = "parquet")]
mod arrow;
pub(super) mod avro;
mod cells;
mod check;
mod look;
#[cfg(feature = "parquet")]
pub(super) mod parquet;
#[cfg(feature = "protobuf")]
pub(super) mod protobuf;
mod refused;
mod together;
mod whole;
mod write;

pub(crate) use together::KnownField;
pub(super) use together::known;
pub(crate) use whole::described;

use super::args::{Convert, OnError};
use crate::failure::Failure;
use crate::format::Format;
use crate::human::count;
use crate::input::Input;
use crate::limits::limits;
use crate::output::Columns;
use crate::progress;
#[cfg(feature = "parquet")]
use crate::progress::Progress;
use crate::text::{Text, TextSource, first_rows};
use std::path::{Path, PathBuf};
use together::Imports;
use trevni_avro::schema_of;
use trevni_infer::counts::Counts;
use trevni_infer::numbers::Spelling;
use trevni_infer::plan::{Plan, Record};
use trevni_infer::text::{Dialect, Header, Layout};

/// What is to be done with one text.
struct Import<'a> {
    args: &'a Convert,
    text: Text,
    /// The names of columns; `None` where rows are JSON.
    header: Header,
    /// Cells that are null.
    nulls: Vec<String>,
    /// Which cells are numbers and booleans.
    spelling: Spelling,
}

/// What is known of a text when it has been looked at.
struct Known {
    plan: Plan,
    /// What was found; `None` where a schema was given.
    node: Option<Counts>,
    /// Number of rows, where all have been looked at.
    rows: Option<u64>,
}

/// Converts files of rows to one file; without an output, it only says what they would become.
pub(super) fn run(
    args: &Convert,
    sources: Vec<(TextSource, Format)>,
    output: Option<PathBuf>,
) -> Result<(), Failure> {
    Imports::new(args, sources, false)?.run(output)
}

/// Converts files of rows to a temporary file, without a summary.
pub(super) fn to_temporary(
    args: &Convert,
    sources: Vec<(TextSource, Format)>,
    output: &Path,
) -> Result<(), Failure> {
    Imports::new(args, sources, true)?.run(Some(output.to_owned()))
}

/// Writes the rows of Arrow IPC to columns, without a summary. Returns the numbers of rows and of bytes that were read.
#[cfg(feature = "parquet")]
pub(super) fn of_arrow(args: &Convert, source: &TextSource, output: &Path) -> Result<(u64, u64), Failure> {
    let progress = Progress::bytes("writing", source.size().unwrap_or(0));
    let mut input = whole::Counted::new(source.reader()?, progress);
    let rows = whole::convert(args, &source.name, output, |target, output| {
        arrow::write(args, &source.name, &mut input, target, output)
    })?;
    Ok((rows, input.count()))
}

/// Writes the first rows of a column file that are asked for to another, or to Parquet. Returns their number.
pub(super) fn copy(args: &Convert, input: &Input, output: &Path) -> Result<u64, Failure> {
    whole::convert(args, &input.name, output, |target, output| {
        let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
        let reader = &input.reader;
        let target = target.with(|builder| {
            let builder =
                described(builder.schema(schema_of(reader, reader.shape())), reader.metadata().iter());
            args.meta.iter().fold(builder, |builder, (key, value)| builder.metadata(key, value))
        });
        let (mut columns, limit) =
            (Columns::new(target, output, args.force)?, args.number.unwrap_or(u64::MAX));
        for batch in reader.batches().map_err(failed)? {
            let left = limit - columns.row_count();
            batch.and_then(|batch| columns.write_first(&batch, left)).map_err(failed)?;
            if columns.row_count() == limit {
                break;
            }
        }
        let rows = columns.row_count();
        columns.finish().map(|()| rows)
    })
}

/// The name of a file, or how many there are.
pub(super) fn several<'n>(mut names: impl ExactSizeIterator<Item = &'n str>) -> String {
    match (names.len(), names.next()) {
        (1, Some(name)) => name.to_owned(),
        (files, _) => count(files as u64, "file"),
    }
}

impl<'a> Import<'a> {
    fn new(args: &'a Convert, source: TextSource, format: Format) -> Result<Self, Failure> {
        let spelling = args.cells.spelling();
        let layout = match format {
            Format::Jsonl => Layout::Lines,
            Format::Csv | Format::Tsv => {
                args.cells.differ()?;
                let usual = args.cells.dialect(if format == Format::Tsv { b'\t' } else { b',' });
                let found = match (args.cells.delimiter, format) {
                    (None, Format::Csv) => usual.other_delimiter(&first_rows(&source, usual)?),
                    _ => None,
                };
                if let Some(found) = found {
                    let shown =
                        if found == b'\t' { "tabs".to_owned() } else { format!("'{}'", char::from(found)) };
                    progress::note(format_args!(
                        "{}: cells are separated by {shown}; for commas: -d ,",
                        source.name
                    ));
                }
                let dialect = Dialect { delimiter: found.unwrap_or(usual.delimiter), ..usual };
                let header = match args.cells.has_header() {
                    Some(header) => header,
                    None => dialect.has_header(&first_rows(&source, dialect)?, &spelling),
                };
                if !header && args.cells.has_header().is_none() {
                    progress::note(format_args!(
                        "{}: the first row has numbers or dates, so columns are called column_1, …; to take their names from it: --header",
                        source.name
                    ));
                }
                Layout::Cells(Dialect { header, ..dialect })
            }
            _ => Layout::Values,
        };
        let header = match layout {
            Layout::Cells(dialect) => {
                Header::read(&source.name, &first_rows(&source, dialect)?, dialect, limits().memory)?
            }
            _ => Header::default(),
        };
        let nulls = match args.cells.null.as_slice() {
            [] => vec![String::new()],
            nulls => nulls.to_vec(),
        };
        Ok(Self { args, text: Text { source, layout }, header, nulls, spelling })
    }

    fn name(&self) -> &str {
        &self.text.source.name
    }

    fn is_cells(&self) -> bool {
        matches!(self.text.layout, Layout::Cells(_))
    }

    fn skips(&self) -> bool {
        self.args.on_error == OnError::Skip
    }

    /// The number of the cell for each field of a record.
    fn places(&self, record: &Record) -> Result<Vec<Option<usize>>, Failure> {
        let mut places = vec![None; record.fields.len()];
        for (cell, name) in self.header.names.iter().enumerate() {
            let Some(place) = record.find(cell, name).and_then(|field| places.get_mut(field)) else {
                return Err(Failure::new(format!("{}: column {name:?} is not in the schema", self.name())));
            };
            *place = Some(cell);
        }
        Ok(places)
    }
}
