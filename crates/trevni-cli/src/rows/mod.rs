//! Rows, and the forms in which they are printed.

mod avro;
mod fields;
mod separated;
mod table;
mod view;

pub(crate) use fields::{Field, fields, fields_at};
pub(crate) use table::Table;
pub(crate) use view::View;

use crate::args::RowFormat;
use crate::output::Output;
use avro::Avro;
use separated::Separated;
use serde::{Serialize, Serializer};
use std::io::{self, Write};
use trevni::Shape;
use view::Ordered;

/// Prints rows in one of the forms.
pub(crate) struct Printer {
    form: Form,
    /// The names of cells that come as they are.
    names: Vec<String>,
    /// The cells of a row, in order.
    fields: Vec<Field>,
    /// The outermost fields in the order in which they were asked for.
    order: Vec<usize>,
}

enum Form {
    Jsonl,
    Json { rows: u64 },
    Avro(Avro),
    Separated(Box<Separated>),
    Table(Table),
}

impl Printer {
    /// `paths` are the fields that were asked for; none where all are printed, as they come.
    pub(crate) fn new(format: RowFormat, shape: &Shape, paths: Option<&[String]>, style: &Style) -> Self {
        let fields = cells(shape, paths);
        let form = match format {
            RowFormat::Jsonl => Form::Jsonl,
            RowFormat::Json => Form::Json { rows: 0 },
            RowFormat::AvroJson => Form::Avro(Avro::new(shape)),
            RowFormat::Csv => {
                Form::Separated(Box::new(Separated::new(b',', &fields, style.header, &style.null)))
            }
            RowFormat::Tsv => {
                Form::Separated(Box::new(Separated::new(b'\t', &fields, style.header, &style.null)))
            }
            RowFormat::Table => Form::Table(Table::new(&fields)),
        };
        Self { form, names: Vec::new(), order: order(shape, paths), fields }
    }

    /// For rows of cells with these names; numbers among them stand on the right of a table.
    pub(crate) fn of_cells(format: RowFormat, columns: Vec<(String, bool)>, style: &Style) -> Self {
        let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
        let separated = |separator| Separated::named(separator, names.clone(), style.header, &style.null);
        let form = match format {
            // Cells have no schema.
            RowFormat::Jsonl | RowFormat::AvroJson => Form::Jsonl,
            RowFormat::Json => Form::Json { rows: 0 },
            RowFormat::Csv => Form::Separated(Box::new(separated(b','))),
            RowFormat::Tsv => Form::Separated(Box::new(separated(b'\t'))),
            RowFormat::Table => Form::Table(Table::named(columns)),
        };
        Self { form, names, fields: Vec::new(), order: Vec::new() }
    }

    /// Goes on with rows of another shape; what was printed of the form stays.
    pub(crate) fn turn_to(&mut self, shape: &Shape, paths: Option<&[String]>) {
        let found = cells(shape, paths);
        // Each cell keeps its place; what the shape does not have is empty.
        let at = |field: &Field| found.iter().find(|other| other.path == field.path).cloned();
        let none = |field: &Field| Field::nowhere(&field.path);
        self.fields = self.fields.iter().map(|field| at(field).unwrap_or_else(|| none(field))).collect();
        self.order = order(shape, paths);
        if let Form::Avro(avro) = &mut self.form {
            *avro = Avro::new(shape);
        }
    }

    /// Prints a row.
    pub(crate) fn row(&mut self, row: View<'_>, out: &mut Output) -> io::Result<()> {
        let cells = self.fields.iter().map(|field| field.of(row));
        match &mut self.form {
            Form::Jsonl | Form::Json { .. } => self.form.json(&Ordered { row, order: &self.order }, out),
            Form::Avro(avro) => avro.row(row, out),
            Form::Separated(separated) => separated.row(cells, out),
            Form::Table(table) => table.row(cells),
        }
    }

    /// Prints a row of cells, those that are null as none.
    pub(crate) fn cells(&mut self, cells: &[Option<View<'_>>], out: &mut Output) -> io::Result<()> {
        match &mut self.form {
            Form::Jsonl | Form::Json { .. } | Form::Avro(_) => {
                self.form.json(&Cells { names: &self.names, cells }, out)
            }
            Form::Separated(separated) => separated.row(cells.iter().copied(), out),
            Form::Table(table) => table.row(cells.iter().copied()),
        }
    }

    /// Prints what comes behind the last row.
    pub(crate) fn finish(self, out: &mut Output) -> io::Result<()> {
        match self.form {
            Form::Jsonl | Form::Avro(_) => Ok(()),
            Form::Json { rows: 0 } => out.write_all(b"[]\n"),
            Form::Json { .. } => out.write_all(b"\n]\n"),
            Form::Separated(separated) => separated.finish(out),
            Form::Table(table) => table.finish(out),
        }
    }
}

impl Form {
    /// Prints a row as JSON.
    fn json(&mut self, row: &impl Serialize, out: &mut Output) -> io::Result<()> {
        if let Self::Json { rows } = self {
            out.write_all(if *rows == 0 { b"[\n  " } else { b",\n  " })?;
            *rows += 1;
        }
        serde_json::to_writer(&mut *out, row)?;
        if matches!(self, Self::Jsonl) { out.write_all(b"\n") } else { Ok(()) }
    }
}

/// Cells and their names, as an object.
struct Cells<'c, 'b> {
    names: &'c [String],
    cells: &'c [Option<View<'b>>],
}

impl Serialize for Cells<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().zip(self.cells))
    }
}

/// How rows are printed, beside the form.
#[derive(Clone, Debug)]
pub(crate) struct Style {
    /// Whether CSV and TSV begin with the names of the fields.
    pub(crate) header: bool,
    /// The text for null in CSV and TSV.
    pub(crate) null: String,
}

fn cells(shape: &Shape, paths: Option<&[String]>) -> Vec<Field> {
    match paths {
        Some(paths) => fields_at(shape, paths),
        None => fields(shape),
    }
}

/// The outermost fields in the order of the paths; empty where that is their own.
fn order(shape: &Shape, paths: Option<&[String]>) -> Vec<usize> {
    let (Shape::Record(record), Some(paths)) = (shape, paths) else {
        return Vec::new();
    };
    let place = |number: &usize| {
        let name = record.fields.get(*number).map_or("", |field| &*field.name);
        let names = |path: &String| {
            path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        paths.iter().position(names).unwrap_or(usize::MAX)
    };
    let mut order: Vec<usize> = (0..record.fields.len()).collect();
    order.sort_by_key(place);
    order
}
