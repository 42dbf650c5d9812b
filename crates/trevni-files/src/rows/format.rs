//! The formats of rows, and the options of commands that print them.

use super::{Mixed, Paint};
use crate::failure::Failure;
use crate::format::Format;
use crate::input::is_standard;
use crate::output::Output;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// One JSON object per line
    Jsonl,
    /// A JSON array
    Json,
    /// Avro's JSON encoding, one row per line; unions are {"branch": value}
    AvroJson,
    /// Comma-separated values; lists and maps as JSON
    Csv,
    /// Tab-separated values
    Tsv,
    /// A cell on each line, for few rows of many columns
    Lines,
    /// A table
    Table,
}

/// How and where rows are printed.
#[derive(Debug, Args)]
pub struct Printing {
    /// Output format [default: by the name of the output; jsonl for cat, else table]
    #[arg(short, long, value_enum)]
    pub format: Option<RowFormat>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(long)]
    force: bool,
    /// Text for null in CSV and TSV
    #[arg(long, value_name = "TEXT", default_value = "")]
    null: String,
    /// Omit field names in CSV and TSV
    #[arg(long)]
    no_header: bool,
    /// What values of several types in one field become: union, json, string or error
    #[arg(long, value_enum, default_value_t, value_name = "HOW", hide_possible_values = true)]
    pub mixed: Mixed,
    /// Print values of logical types, such as instants, as they are stored: numbers and bytes
    #[arg(long)]
    pub stored: bool,
}

impl Printing {
    /// The form of rows: the one that is asked for, that of the output's name, or the usual one.
    pub fn form(&self, usual: RowFormat) -> RowFormat {
        let named = || match Format::of_name(self.output.as_deref().filter(|path| !is_standard(path))?)? {
            Format::Json => Some(RowFormat::Json),
            Format::Csv => Some(RowFormat::Csv),
            Format::Tsv => Some(RowFormat::Tsv),
            _ => Some(RowFormat::Jsonl),
        };
        self.format.or_else(named).unwrap_or(usual)
    }

    /// The file that the rows become, where its name says that it is no text, and whether it replaces another.
    pub fn no_text(&self) -> Option<(&Path, bool)> {
        let path = self.output.as_deref().filter(|path| self.format.is_none() && !is_standard(path))?;
        let is_text = Format::of_name(path)?.is_text();
        (!is_text).then_some((path, self.force))
    }

    /// Where rows are printed.
    pub fn output(&self) -> Result<Output, Failure> {
        Output::new(self.output.as_deref(), self.force)
    }

    /// How rows are printed to an output.
    pub fn style(&self, out: &Output) -> Style {
        let (null, paint) = (self.null.clone(), Paint::of(out.has_colours()));
        Style { header: !self.no_header, null, stored: self.stored, paint }
    }
}

/// How rows are printed, beside the form.
#[derive(Clone, Debug)]
pub struct Style {
    /// Whether CSV and TSV begin with the names of the fields.
    pub header: bool,
    /// The text for null in CSV and TSV.
    pub null: String,
    /// Whether values of logical types are printed as they are stored, not as strings.
    pub stored: bool,
    /// The colours of lines.
    pub paint: Paint,
}
