//! Record batches as tables, JSON and CSV.

use super::binary::Binary;
use super::columns::Columns;
use super::screen::Screen;
use clap::ValueEnum;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::common::plan_err;
use datafusion::error::Result;
use std::io::Write;
use std::path::Path;
use trevni_print::drawing::ellipsis;
use trevni_print::progress::note;
use trevni_print::rows::{Heading, Json, Separated, Table, json_text, printed_no_number};
use trevni_print::shown::shown as shown_text;
use unicode_width::UnicodeWidthStr;

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A table
    Table,
    /// One JSON object per line
    #[value(alias = "jsonl")]
    Json,
    /// Comma-separated values; lists and maps as JSON
    Csv,
    /// A Parquet file, of one result
    Parquet,
    /// An Arrow IPC file, of one result
    #[value(alias = "feather")]
    Arrow,
}

impl Format {
    /// The format that the name of a file says.
    pub(super) fn of_file(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "json" | "jsonl" | "ndjson" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            "parquet" => Some(Self::Parquet),
            "arrow" | "feather" => Some(Self::Arrow),
            "txt" => Some(Self::Table),
            _ => None,
        }
    }
}

/// How rows are printed, beside the format.
#[derive(Clone, Debug)]
pub(super) struct Style {
    pub(super) format: Format,
    /// Whether CSV begins with the names of the columns.
    pub(super) header: bool,
    /// The text for null in CSV.
    pub(super) null: String,
    /// Whether each row takes several lines, where tables are printed.
    pub(super) is_expanded: bool,
}

/// The names of columns, with spaces up to the widest.
fn of_one_width(columns: &Columns) -> Vec<String> {
    let names: Vec<String> = columns.headings().map(|heading| heading.safe().name).collect();
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    names.into_iter().map(|name| format!("{name}{}", " ".repeat(widest - name.width()))).collect()
}

/// Prints the rows of a result.
pub(super) struct Printer {
    columns: Columns,
    form: Form,
    rows: u64,
}

enum Form {
    Json,
    Separated(Separated),
    Binary(Binary),
    Table(Table),
    /// The names of the cells, of one width.
    Expanded(Vec<String>),
}

impl Printer {
    /// For rows of a schema. What comes before them is printed.
    pub(super) fn new(style: &Style, schema: &Schema, screen: &mut Screen) -> Result<Self> {
        let columns = Columns::new(schema)?;
        let form = match style.format {
            Format::Json => Form::Json,
            Format::Csv => {
                let separated = Separated::new(b',', columns.names().collect(), style.header, &style.null);
                screen.write_all(&separated.header())?;
                Form::Separated(separated)
            }
            Format::Parquet | Format::Arrow if screen.is_terminal() => {
                return plan_err!("this format is for programs: name a file with \\o, or send it to one");
            }
            Format::Parquet | Format::Arrow if screen.is_begun() => {
                return plan_err!("a file of this format has one result");
            }
            Format::Parquet => Form::Binary(Binary::parquet(schema)?),
            Format::Arrow => Form::Binary(Binary::arrow(schema)?),
            Format::Table if style.is_expanded => Form::Expanded(of_one_width(&columns)),
            Format::Table => Form::Table(Table::of(columns.headings().map(Heading::safe).collect())),
        };
        Ok(Self { columns, form, rows: 0 })
    }

    /// Prints rows, or keeps them for a table.
    pub(super) fn batch(&mut self, batch: &RecordBatch, screen: &mut Screen) -> Result<()> {
        if let Form::Binary(file) = &mut self.form {
            self.rows += batch.num_rows() as u64;
            return Ok(screen.write_all(&file.write(batch)?)?);
        }
        let shown = self.columns.shown(batch)?;
        let before = self.rows;
        self.rows += shown.len() as u64;
        let mut out = Vec::new();
        match &self.form {
            Form::Binary(_) => {}
            Form::Json => {
                for row in shown.values() {
                    serde_json::to_writer(&mut out, &Json(&row)).map_err(std::io::Error::from)?;
                    out.push(b'\n');
                }
            }
            Form::Separated(separated) => {
                let mut lines = separated.lines(out);
                for row in shown.values() {
                    lines.row(self.columns.cells(row))?;
                }
                out = lines.out;
            }
            Form::Expanded(names) => {
                for (number, row) in (before + 1..).zip(shown.values()) {
                    writeln!(out, "-- row {number}")?;
                    for (name, cell) in names.iter().zip(self.columns.cells(row)) {
                        let text = cell.map(|value| json_text(&value)).transpose();
                        let text = text.map_err(std::io::Error::from)?;
                        writeln!(out, "{name} | {}", shown_text(text.as_deref().unwrap_or("null")))?;
                    }
                }
            }
            Form::Table(table) => {
                for row in shown.values() {
                    table.row(self.columns.cells(row), &mut out)?;
                }
                return Ok(table.keep(&out)?);
            }
        }
        Ok(screen.write_all(&out)?)
    }

    /// Prints what comes after the last row; the number of rows.
    pub(super) fn finish(self, screen: &mut Screen) -> Result<u64> {
        if matches!(self.form, Form::Json) && printed_no_number() {
            note("NaN and infinities were printed as strings: JSON has no numbers for them");
        }
        if let Form::Binary(file) = self.form {
            screen.write_all(&file.finish()?)?;
            screen.flush()?;
            return Ok(self.rows);
        }
        if let Form::Table(table) = self.form {
            let (width, paint) = (screen.width(), screen.paint());
            let hidden = table.finish(width, paint, |line| screen.write_styled(line))?;
            if hidden > 0 {
                writeln!(screen, "{} {hidden} more columns: name some, or --format json", ellipsis())?;
            }
        }
        screen.flush()?;
        Ok(self.rows)
    }
}
