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
use std::io::{self, Write};
use trevni::Shape;
use view::Ordered;

/// Prints rows in one of the forms.
pub(crate) struct Printer {
    form: Form,
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
        Self { form, order: order(shape, paths), fields }
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
        match &mut self.form {
            Form::Jsonl => {
                serde_json::to_writer(&mut *out, &Ordered { row, order: &self.order })?;
                out.write_all(b"\n")
            }
            Form::Json { rows } => {
                out.write_all(if *rows == 0 { b"[\n  " } else { b",\n  " })?;
                *rows += 1;
                serde_json::to_writer(&mut *out, &Ordered { row, order: &self.order })?;
                Ok(())
            }
            Form::Avro(avro) => avro.row(row, out),
            Form::Separated(separated) => separated.row(&self.fields, row, out),
            Form::Table(table) => table.row(&self.fields, row),
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
