//! Rows, and the forms in which they are printed.

mod avro;
mod fields;
mod format;
mod lines;
mod mixed;
mod narrow;
mod plain;
mod separated;

pub use fields::located;
pub use fields::{Field, fields, fields_at, fields_of_all, names};
pub use format::{Printing, RowFormat, Style};
pub use mixed::{Mixed, refused, rewritten};
pub use narrow::narrowed;
pub(crate) use trevni_print::rows::has_union;
pub use trevni_print::rows::{
    Heading, Hex, Json, Paint, Shown, has_logical, is_null, is_number, is_printed, json_text, non_null,
    with_texts,
};

use crate::output::Output;
use crate::progress;
use avro::Avro;
use lines::Blocks;
use plain::Cells;
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use trevni::{Batch, Reader, Shape, ValueRef};
use trevni_avro::schema_of;
use trevni_print::drawing::ellipsis;
use trevni_print::rows::{NULL, Ordered, Separated, Table, printed_no_number};
use trevni_query::paths::FieldPath;

/// Prints rows in one of the forms.
pub struct Printer {
    form: Form,
    /// Whether what comes before the first row is still to be printed.
    start: AtomicBool,
    /// The names of cells that come as they are.
    names: Vec<String>,
    /// The cells of a row, in order.
    fields: Vec<Field>,
    /// The outermost fields in the order in which they were asked for.
    order: Vec<usize>,
    /// Whether values of logical types are printed as they are stored.
    stored: bool,
    /// Whether there are values of logical types that are printed as strings.
    has_texts: bool,
}

enum Form {
    Jsonl,
    Json,
    Avro(Avro),
    Separated(Separated),
    Lines(Blocks),
    Table(Table),
}

/// Rows of cells that are printed together.
const TOGETHER: usize = 1024;
/// What is before each row of a JSON array but the first.
const NEXT: &[u8] = b",\n  ";

impl Printer {
    /// For rows of these cells, where they are printed as such. [`Self::turn_to`] says whose rows come.
    pub fn new(format: RowFormat, fields: Vec<Field>, style: &Style) -> Self {
        let paths: Vec<FieldPath> = fields.iter().map(|field| field.path.clone()).collect();
        let columns =
            names(&paths).into_iter().zip(&fields).map(|(name, field)| field.heading(name)).collect();
        let form = match format {
            RowFormat::AvroJson => Form::Avro(Avro::default()),
            format => Form::of_cells(format, columns, style),
        };
        Self { fields, stored: style.stored, ..Self::of(form) }
    }

    /// For rows of cells with these names; a table aligns numbers to the right.
    pub fn of_cells(format: RowFormat, columns: Vec<Heading>, style: &Style) -> Self {
        let names = columns.iter().map(|column| column.name.clone()).collect();
        Self { names, ..Self::of(Form::of_cells(format, columns, style)) }
    }

    fn of(form: Form) -> Self {
        Self {
            form,
            start: AtomicBool::new(true),
            names: Vec::new(),
            fields: Vec::new(),
            order: Vec::new(),
            stored: false,
            has_texts: false,
        }
    }

    /// Goes on with the rows of a reader; what was printed of the form stays. `paths` are the fields that were
    /// asked for; `None` where all are printed, as they come.
    pub fn turn_to(&mut self, rows: &Reader<'_>, paths: Option<&[FieldPath]>) {
        let shape = rows.shape();
        // Each cell keeps its place; what the shape does not have is empty.
        self.fields = fields::located(shape, &self.fields);
        self.order = order(shape, paths);
        self.has_texts = !self.stored && has_logical(shape);
        if let Form::Avro(avro) = &mut self.form {
            *avro = Avro::new(&schema_of(rows, shape));
        }
    }

    /// The first rows of a batch as they are printed, which is left to [`Self::put`], in a buffer that is taken
    /// over.
    pub fn format(&self, batch: &Batch, rows: usize, mut out: Vec<u8>) -> io::Result<Vec<u8>> {
        out.clear();
        let shown = Shown::of(batch, self.has_texts)?;
        let values = shown.values().take(rows);
        match &self.form {
            Form::Jsonl => {
                for row in values {
                    serde_json::to_writer(&mut out, &Ordered { row, order: &self.order })?;
                    out.push(b'\n');
                }
            }
            Form::Json => {
                for row in values {
                    out.extend_from_slice(NEXT);
                    serde_json::to_writer(&mut out, &Ordered { row, order: &self.order })?;
                }
            }
            Form::Avro(avro) => {
                for index in 0..batch.len().min(rows) {
                    avro.row(batch, index, &mut out)?;
                }
            }
            Form::Separated(separated) => {
                let (shape, vector) = shown.parts();
                let cells = self.fields.iter().map(|field| Cells::of(field, shape, vector));
                return separated::rows(separated, &cells.collect::<Vec<_>>(), values, out);
            }
            Form::Lines(blocks) => {
                for row in values {
                    blocks.row(self.fields.iter().map(|field| field.of(row)), &mut out)?;
                }
            }
            Form::Table(table) => {
                for row in values {
                    table.row(self.fields.iter().map(|field| field.of(row)), &mut out)?;
                }
            }
        }
        Ok(out)
    }

    /// Prints rows that [`Self::format`] made.
    pub fn put(&self, rows: &[u8], out: &mut Output) -> io::Result<()> {
        let start = self.start.swap(false, Ordering::Relaxed);
        match &self.form {
            Form::Json if start && !rows.is_empty() => {
                out.write_all(b"[\n  ")?;
                return out.write_all(rows.strip_prefix(NEXT).unwrap_or(rows));
            }
            Form::Json => self.start.store(start, Ordering::Relaxed),
            Form::Separated(separated) if start => out.write_all(&separated.header())?,
            Form::Table(table) => return table.keep(rows),
            // What could steer a terminal is gone, but for the colours.
            Form::Lines(_) => {
                return out.write_styled(std::str::from_utf8(rows).map_err(io::Error::other)?);
            }
            _ => {}
        }
        out.write_all(rows)
    }

    /// Prints the first rows of a batch.
    pub fn batch(&mut self, batch: &Batch, rows: usize, out: &mut Output) -> io::Result<()> {
        let rows = self.format(batch, rows, Vec::new())?;
        self.put(&rows, out)
    }

    /// Prints rows of cells; none for null.
    pub fn cells<'b>(
        &mut self,
        rows: impl Iterator<Item = Vec<Option<ValueRef<'b>>>>,
        out: &mut Output,
    ) -> io::Result<()> {
        let mut rows = rows.peekable();
        while rows.peek().is_some() {
            let bytes = self.format_cells(rows.by_ref().take(TOGETHER), |_| {})?;
            self.put(&bytes, out)?;
        }
        Ok(())
    }

    /// Rows of cells as they are printed, which is left to [`Self::put`]; some of them in any order, too. `ends` is
    /// called with the end of each row.
    pub fn format_cells<'b>(
        &self,
        rows: impl Iterator<Item = Vec<Option<ValueRef<'b>>>>,
        mut ends: impl FnMut(usize),
    ) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        match &self.form {
            Form::Separated(separated) => {
                let mut lines = separated.lines(out);
                for cells in rows {
                    lines.row(cells.into_iter())?;
                    ends(lines.out.len());
                }
                return Ok(lines.out);
            }
            Form::Table(table) => {
                for cells in rows {
                    table.row(cells.into_iter(), &mut out)?;
                    ends(out.len());
                }
            }
            Form::Lines(blocks) => {
                for cells in rows {
                    blocks.row(cells.into_iter(), &mut out)?;
                    ends(out.len());
                }
            }
            form => {
                let (before, after): (&[u8], &[u8]) =
                    if matches!(form, Form::Json) { (NEXT, b"") } else { (b"", b"\n") };
                for cells in rows {
                    out.extend_from_slice(before);
                    serde_json::to_writer(&mut out, &NamedCells { names: &self.names, cells: &cells })?;
                    out.extend_from_slice(after);
                    ends(out.len());
                }
            }
        }
        Ok(out)
    }

    /// Prints what comes after the last row.
    pub fn finish(self, out: &mut Output) -> io::Result<()> {
        self.put(&[], out)?;
        if matches!(self.form, Form::Jsonl | Form::Json) && printed_no_number() {
            progress::note("NaN and infinities were printed as strings: JSON has no numbers for them");
        }
        match self.form {
            Form::Json if self.start.into_inner() => out.write_all(b"[]\n"),
            Form::Json => out.write_all(b"\n]\n"),
            Form::Table(table) => {
                let (width, paint) = (out.width(), Paint::of(out.has_colours()));
                match table.finish(width, paint, |line| out.write_styled(line))? {
                    0 => Ok(()),
                    hidden => writeln!(out, "{} {hidden} more columns: -c, or -f lines", ellipsis()),
                }
            }
            _ => Ok(()),
        }
    }
}

impl Form {
    fn of_cells(format: RowFormat, columns: Vec<Heading>, style: &Style) -> Self {
        let safe = |columns: Vec<Heading>| columns.iter().map(Heading::safe).collect();
        let separated = |separator, columns: Vec<Heading>| {
            let names = columns.into_iter().map(|column| column.name).collect();
            Self::Separated(Separated::new(separator, names, style.header, &style.null))
        };
        match format {
            // Cells have no schema.
            RowFormat::Jsonl | RowFormat::AvroJson => Self::Jsonl,
            RowFormat::Json => Self::Json,
            RowFormat::Csv => separated(b',', columns),
            RowFormat::Tsv => separated(b'\t', columns),
            RowFormat::Lines => Self::Lines(Blocks::of(safe(columns), style.paint)),
            RowFormat::Table => Self::Table(Table::of(safe(columns))),
        }
    }
}

/// Cells and their names, as an object.
struct NamedCells<'c, 'b> {
    names: &'c [String],
    cells: &'c [Option<ValueRef<'b>>],
}

impl Serialize for NamedCells<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().zip(self.cells.iter().map(|cell| cell.as_ref().map(Json))))
    }
}

/// The outermost fields in the order of the paths; empty where that is their own.
fn order(shape: &Shape, paths: Option<&[FieldPath]>) -> Vec<usize> {
    let (Shape::Record(record), Some(paths)) = (shape, paths) else {
        return Vec::new();
    };
    let mut places: HashMap<&str, usize> = HashMap::with_capacity(paths.len());
    for (place, path) in paths.iter().enumerate() {
        if let Some(name) = path.names().first() {
            places.entry(name).or_insert(place);
        }
    }
    let place = |number: &usize| {
        let field = record.fields.get(*number);
        field.and_then(|field| places.get(&*field.name)).copied().unwrap_or(usize::MAX)
    };
    let mut order: Vec<usize> = (0..record.fields.len()).collect();
    order.sort_by_key(place);
    order
}
