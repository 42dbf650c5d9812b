//! Texts to Trevni: all rows are looked at to find the schema, and read again to be written.

pub(super) mod avro;
mod cells;
mod check;
mod look;
#[cfg(feature = "parquet")]
pub(super) mod parquet;
#[cfg(feature = "protobuf")]
pub(super) mod protobuf;
mod refused;
mod whole;
mod write;

use super::args::{Convert, OnError};
use crate::drawing::drawing;
use crate::failure::Failure;
use crate::human::count;
use crate::infer::wanted::WantedType;
use crate::infer::{Counts, Rules, report, settle, wish};
use crate::input::is_standard;
use crate::output::{self, Columns, Output};
use crate::plan::{Plan, Record};
use crate::progress;
use crate::rows::has_logical;
use crate::schema_text;
use crate::text::{Dialect, Format, Header, Layout, Text, TextSource};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trevni::WriterBuilder;
use trevni_query::paths::{Pattern, chosen};

/// What is to be done with one text.
struct Import<'a> {
    args: &'a Convert,
    text: Text,
    /// The names of columns; none where rows are JSON.
    header: Header,
    /// Cells that are null.
    nulls: Vec<String>,
    /// Whether the output is a temporary file, which needs no summary.
    is_temporary: bool,
}

/// What is known of a text when it has been looked at.
struct Known {
    plan: Plan,
    /// What was found; none where a schema was given.
    node: Option<Counts>,
    /// Number of rows, where all have been looked at.
    rows: Option<u64>,
}

/// Converts a text; without an output, it only says what would become of it.
pub(super) fn run(
    args: &Convert,
    source: TextSource,
    format: Format,
    output: Option<PathBuf>,
) -> Result<(), Failure> {
    Import::new(args, source, format)?.run(output)
}

/// Converts a text to a temporary file, without a summary.
pub(super) fn to_temporary(
    args: &Convert,
    source: TextSource,
    format: Format,
    output: &Path,
) -> Result<(), Failure> {
    Import { is_temporary: true, ..Import::new(args, source, format)? }.run(Some(output.to_owned()))
}

impl<'a> Import<'a> {
    fn run(&self, output: Option<PathBuf>) -> Result<(), Failure> {
        let (import, args) = (self, self.args);
        import.header.notes.iter().for_each(|note| progress::note(format_args!("{}: {note}", import.name())));
        let mut known = import.know()?;
        if let Some(paths) = chosen(&known.plan.outline(), &Pattern::all(&args.columns)?)? {
            known.plan.keep(&paths.iter().map(|path| path.names()).collect::<Vec<_>>());
        }
        if import.is_cells() && known.plan.record().is_none() {
            return Err(Failure::usage(format!("{}: rows of cells can only be structs", import.name())));
        }
        known.plan.ready();
        match output {
            Some(output) => import.write(&known, &output),
            None => import.tell(&known),
        }
    }

    fn new(args: &'a Convert, source: TextSource, format: Format) -> Result<Self, Failure> {
        let layout = match format {
            Format::Jsonl => Layout::Lines,
            Format::Csv | Format::Tsv => {
                args.cells.differ()?;
                let usual = args.cells.dialect(if format == Format::Tsv { b'\t' } else { b',' });
                let found = match (args.cells.delimiter, format) {
                    (None, Format::Csv) => usual.other_delimiter(&source)?,
                    _ => None,
                };
                if let Some(found) = found {
                    let shown =
                        if found == b'\t' { "tabs".to_owned() } else { format!("'{}'", char::from(found)) };
                    progress::note(format_args!(
                        "{}: cells are taken apart at {shown}; at commas: -d ,",
                        source.name
                    ));
                }
                let dialect = Dialect { delimiter: found.unwrap_or(usual.delimiter), ..usual };
                let header = match args.cells.has_header() {
                    Some(header) => header,
                    None => dialect.has_header(&source)?,
                };
                if !header && args.cells.has_header().is_none() {
                    progress::note(format_args!(
                        "{}: the first row has numbers, so columns are called column_1, …; to take their names from it: --header",
                        source.name
                    ));
                }
                Layout::Cells(Dialect { header, ..dialect })
            }
            _ => Layout::Values,
        };
        let header = match layout {
            Layout::Cells(dialect) => Header::read(&source, dialect)?,
            _ => Header::default(),
        };
        let nulls = match args.cells.null.as_slice() {
            [] => vec![String::new()],
            nulls => nulls.to_vec(),
        };
        Ok(Self { args, text: Text { source, layout }, header, nulls, is_temporary: false })
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

    /// Finds out what is to be written.
    fn know(&self) -> Result<Known, Failure> {
        let types = &self.args.types;
        if let Some(path) = &types.schema {
            let text = std::fs::read_to_string(path).map_err(|error| Failure::io(path.display(), &error))?;
            let shape = schema_text::shape(&text).map_err(|error| Failure::of(path, &error))?;
            return Ok(Known { plan: Plan::of(&shape), node: None, rows: None });
        }
        let wish = Arc::new(wish(&types.types, &types.map, &types.structs, self.is_cells())?);
        let found = look::look(self, &wish)?;
        let rules =
            Rules { mixed: types.mixed, cells: self.is_cells(), strings: self.args.cells.all_strings };
        let plan = settle(&found.node, rules).map_err(|failure| failure.within(self.name()))?;
        Ok(Known { plan, node: Some(found.node), rows: found.all.then_some(found.rows) })
    }

    /// Says what would become of the text.
    fn tell(&self, known: &Known) -> Result<(), Failure> {
        let mut out = Output::new(None, false)?;
        let fields = report::fields(&known.plan, known.node.as_ref(), self.is_cells());
        let text = match self.args.json {
            true => {
                let schema = known.plan.shape().to_avro();
                format!("{}\n", report::as_json(self.name(), known.rows, &fields, &schema))
            }
            false => report::lines(&fields),
        };
        out.write_all(text.as_bytes()).map_err(|error| out.failed(&error))?;
        out.finish()
    }

    fn write(&self, known: &Known, output: &Path) -> Result<(), Failure> {
        let shape = known.plan.shape();
        let mut target = self.args.target(output)?.with(|builder| builder.shape(&shape));
        // Who reads values of logical types without a type gets the texts that they were.
        if known.node.is_none() || has_logical(&shape) {
            target = target.with(WriterBuilder::derived);
        }
        for (key, value) in &self.args.meta {
            target = target.with(|builder| builder.metadata(key, value));
        }
        let mut columns = Columns::new(target, output, self.args.force)?;
        let done = write::write(self, known, &mut columns, output)?;
        columns.finish()?;
        if !done.skipped.is_empty() {
            progress::note(format_args!(
                "{}: {} left out, which cannot be read; the first: {}",
                self.name(),
                count(done.skipped.len() as u64, "row"),
                done.first_skipped.as_deref().unwrap_or_default()
            ));
        }
        if !self.is_temporary {
            self.notes(known, &done, output);
        }
        match self.args.check {
            true => check::check(self, known, &done, output),
            false => Ok(()),
        }
    }

    /// Says what was written, and what may be wanted otherwise.
    fn notes(&self, known: &Known, done: &write::Done, output: &Path) {
        self.summary(done, output);
        let fields = report::fields(&known.plan, known.node.as_ref(), self.is_cells());
        if self.args.types.types.iter().any(|(_, wanted)| *wanted == WantedType::Auto) {
            progress::note(format_args!("{}: {}", self.name(), report::found(&fields)));
        }
        for note in
            [report::advice(&fields), report::wide(&fields), report::rounded(&fields)].into_iter().flatten()
        {
            progress::note(format_args!("{}: {note}", self.name()));
        }
    }

    fn summary(&self, done: &write::Done, output: &Path) {
        let rows = count(done.rows, "row");
        if is_standard(output) {
            return progress::note(format_args!(
                "{} {} standard output: {rows}",
                self.name(),
                drawing().arrow
            ));
        }
        let columns = output::column_count(output);
        let facts = format!("{rows}, {}", count(columns as u64, "column"));
        output::made(self.name(), output, facts, done.bytes);
    }
}
