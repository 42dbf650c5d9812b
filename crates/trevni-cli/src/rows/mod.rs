//! Rows, and the forms in which they are printed.

mod cell;
mod separated;
mod table;

pub(crate) use cell::Cell;
use separated::Separated;
use table::Table;

use crate::args::RowFormat;
use crate::output::Output;
use std::io::{self, Write};

/// Prints rows in one of the forms.
pub(crate) enum Printer {
    Jsonl,
    Json { rows: u64 },
    Separated(Separated),
    Table(Table),
}

impl Printer {
    /// `fields` are the names of the fields of a row, in order; empty where rows are no records.
    pub(crate) fn new(format: RowFormat, fields: &[String], header: bool) -> Self {
        match format {
            RowFormat::Jsonl => Self::Jsonl,
            RowFormat::Json => Self::Json { rows: 0 },
            RowFormat::Csv => Self::Separated(Separated::new(b',', fields, header)),
            RowFormat::Tsv => Self::Separated(Separated::new(b'\t', fields, header)),
            RowFormat::Table => Self::Table(Table::new(fields)),
        }
    }

    /// Prints a row.
    pub(crate) fn row(&mut self, row: &Cell, out: &mut Output) -> io::Result<()> {
        match self {
            Self::Jsonl => {
                serde_json::to_writer(&mut *out, row)?;
                out.write_all(b"\n")
            }
            Self::Json { rows } => {
                out.write_all(if *rows == 0 { b"[\n  " } else { b",\n  " })?;
                *rows += 1;
                serde_json::to_writer(&mut *out, row).map_err(io::Error::from)
            }
            Self::Separated(separated) => separated.row(row, out),
            Self::Table(table) => {
                table.row(row);
                Ok(())
            }
        }
    }

    /// Prints what comes behind the last row.
    pub(crate) fn finish(self, out: &mut Output) -> io::Result<()> {
        match self {
            Self::Jsonl => Ok(()),
            Self::Json { rows: 0 } => out.write_all(b"[]\n"),
            Self::Json { .. } => out.write_all(b"\n]\n"),
            Self::Separated(separated) => separated.finish(out),
            Self::Table(table) => table.finish(out),
        }
    }
}
